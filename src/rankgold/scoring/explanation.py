"""Shows the working of a value of any family, term by term.

The terms are not calculated again. They are what the score itself is the sum of, in the same order, so that of judged
rankings the last running sum divided by the norm is the score to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.derivation import Derivation, Matched, Outcome, Working, decide
from rankgold.core.document import Document
from rankgold.core.errors import DataError, MeasureError, UnknownQueryError, listing, nearest
from rankgold.core.hits import Hits
from rankgold.core.item_lists import ListedItems
from rankgold.core.result import Result
from rankgold.engines.request import Request
from rankgold.measures.metric import Measure
from rankgold.measures.notation import parse_in_dialect, parse_in_family
from rankgold.scoring.evaluation import matched
from rankgold.scoring.explanation_document import explanation_dict, explanation_document, explanation_frame
from rankgold.scoring.run_scores import family_of
from rankgold.scoring.score_document import swapped_remark
from rankgold.scoring.scorer import policy_of

if TYPE_CHECKING:
    import polars

    from rankgold.scoring.scores import Scores


def query_number(
    query: object, queries: Sequence[Any], *, what: str = "query", where: str = "in the judgements"
) -> int:
    """The number of a query or user. If there is only one, its name may be left out."""
    names = list(queries)
    if query is None:
        if len(names) == 1:
            return 0
        raise UnknownQueryError(f"Which {what}? There are {len(names)}: {listing(names, 5)}.")
    for i, name in enumerate(names):
        if name == query or str(name) == str(query):
            return i
    raise UnknownQueryError(
        f"No {what} is called {str(query)!r} {where}.{nearest(str(query), map(str, names))}"
        f" There are {len(names)}: {listing(names, 5)}."
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One term of a sum."""

    of: Mapping[str, Any]
    """What it comes from, by column: rank, document and grade; two lists' documents at a depth; rank and item."""
    pattern: str
    """How the term is written, with a gap for each of `numbers`."""
    numbers: tuple[float, ...]
    term: float
    running_sum: float
    documents: int = 1
    """The number of documents that the step stands for: 1, unless very many tied ones are averaged over all orders."""
    tied: int = 1
    """The number of documents that share this rank: 1, unless ties are averaged over all orders."""

    @property
    def chance(self) -> float:
        """The probability that one of the step's documents is at this rank."""
        return self.documents / self.tied

    @property
    def rank(self) -> Any:
        return self.of["rank"]

    @property
    def document(self) -> Any:
        """The id of the document; None where documents have no ids."""
        return self.of["document"]

    @property
    def grade(self) -> Any:
        return self.of["grade"]

    @property
    def subtopic(self) -> Any:
        """The subtopic that the document contributes to; None without subtopics."""
        return self.of.get("subtopic")


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Result):
    """The worked derivation of one value: of a query, of a user, or of all lists."""

    measure: Measure
    query: Any
    """The query or the user; None for all lists."""
    run: str
    subject: str
    """The subject of the value, such as `query q1`."""
    columns: Mapping[str, str]
    """What the steps come from: the name of each column, and `l` or `r` for its alignment."""
    steps: tuple[Step, ...]
    rest: float | None
    """What is added to the sum besides the terms, if the measure has that."""
    rest_is: str
    sum: float
    norm: float
    norm_is: str
    value: float
    decided_by: str | None = None
    """The policy case that decided the value, if the formula did not."""
    remarks: tuple[str, ...] = ()
    """Warnings about the data."""
    ideal: tuple[Step, ...] | None = None
    """The steps of the ideal ranking, if the norm is their sum."""
    is_ranked: bool | None = None
    """Whether the run ranks the query; None where nothing is judged."""
    below_cutoff: tuple[tuple[Any, float], ...] = ()
    """Relevant documents that the run ranks below the cutoff, with their grades."""
    not_found: tuple[tuple[Any, float], ...] = ()
    """Relevant documents that the run does not rank, with their grades."""

    @property
    def formula(self) -> str:
        """The formula, from the documentation of the measure."""
        return self.measure.metric.formula_text

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame of the steps: what each comes from, term, chance if documents are judged, running_sum.

        Documents without ids, and measures without subtopics, have nulls.
        """
        return explanation_frame(self)

    def to_dict(self) -> dict[str, Any]:
        return explanation_dict(self)

    def document(self, digits: int = 4) -> Document:
        return explanation_document(self, digits)


def explained(request: Request, measure: str | Measure, query: object) -> Explanation:
    """Explains the value of a measure for one query. With Hits, the measure takes the place of the run."""
    if request.hits:
        if len(request.hits) > 1:
            raise DataError("the value of one run is explained, and there are several. Pass the hits of one.")
        (hits,) = request.hits
        if request.run is not None:
            measure = request.run
    else:
        policy = policy_of(parse_in_dialect(measure, request.policy.dialect), request.policy)
        hits = matched(replace(request, policy=policy))
    chosen = parse_in_dialect(measure, hits.policy.dialect)
    rel = hits.rel if request.rel is None else request.rel
    if rel is not None:
        chosen = chosen.relevant_from(rel)
    return explain_value(hits, chosen, query)


def explain_scores(scores: Scores, query: object, measure: str | Measure | None, run: str | None) -> Explanation:
    """How a value of scores that keep their data comes about. Measure and run may be None if there is one of them."""
    if not scores.matched:
        raise DataError("these scores do not keep their data. Pass it to rankgold.explain, with a measure and query.")
    if measure is None and len(scores.measures) > 1:
        raise MeasureError(f"Which measure? There are {len(scores.measures)}: {listing(scores.measures, 5)}.")
    wanted = next(iter(scores.measures)) if measure is None else measure
    chosen = scores.measures.get(str(wanted)) or parse_in_family(wanted, family_of(scores.measures), "rankgold")
    return explain_value(scores.matched[scores.run_named(run).name], chosen, query)


def explain_value(matched: Matched, measure: Measure, query: object = None) -> Explanation:
    """How the value of a query or user comes about; without a user, that of all lists."""
    if isinstance(matched, ListedItems) and query is None:
        return _of_all_lists(matched, measure)
    number = query_number(query, matched.queries, what=matched.unit, where=matched.where)
    alone, at = matched.for_query(number)
    derived = measure(alone)
    if derived.n_users is not None:
        raise MeasureError(f"{measure} is a value of all lists together: a single user has none. Leave {query!r} out.")
    outcome = decide(measure, alone, derived)
    explained = _explanation(measure, alone, derived, at, alone.subject(at), float(outcome.values[at]))
    explained = replace(explained, query=alone.queries[at], decided_by=decided_by(measure, alone, derived, outcome, at))
    if not isinstance(alone, Hits):
        return explained
    return replace(
        explained,
        ideal=None if derived.ideal is None else _steps(measure, alone, derived.ideal, at)[1],
        is_ranked=not outcome.unranked[at],
        below_cutoff=_below_cutoff(measure, alone),
        not_found=_not_found(measure, alone),
    )


def _of_all_lists(lists: ListedItems, measure: Measure) -> Explanation:
    """How a value of all lists comes about: list by list, if users have values."""
    derived = measure(lists)
    if derived.n_users is None:
        values = decide(measure, lists, derived).values
        user = np.flatnonzero(~np.isnan(values))
        of, working, norm_is = {"user": user}, Working("{}", values[user]), "the users with a value"
        mean = Derivation.of_all(lists, values[user], of, working, float(len(user)), norm_is)
        derived = replace(mean, remarks=derived.remarks)
    assert derived.together is not None
    return _explanation(measure, lists, derived, 0, lists.all_lists, derived.together)


def _explanation(
    measure: Measure, matched: Matched, derived: Derivation, at: int, subject: str, value: float
) -> Explanation:
    columns, steps = _steps(measure, matched, derived, at)
    return Explanation(
        measure=measure,
        query=None,
        run=matched.name,
        subject=subject,
        columns=columns,
        steps=steps,
        rest=None if derived.rest is None else float(derived.rest[at]),
        rest_is=derived.rest_is,
        sum=float(derived.sums[at]),
        norm=float(derived.norms[at]),
        norm_is=derived.norm_is,
        value=value,
        remarks=(*swapped_remark(matched.notes), *derived.remarks),
    )


def _steps(measure: Measure, matched: Matched, derived: Derivation, at: int) -> tuple[dict[str, str], tuple[Step, ...]]:
    """The columns of the terms of one value with their alignment, and the terms."""
    sides: dict[str, str] = {}
    steps: list[Step] = []
    running_sum = 0.0
    for terms in derived.parts():
        columns, working, weighted = matched.columns(terms, measure), terms.working, terms.weighted
        sides = {column.name: column.side for column in columns}
        ties = None if terms.ranking is None else terms.ranking.ties
        for i in np.flatnonzero(terms.part_of == at).tolist():
            # Added one by one from the top down, exactly as Derivation.sums adds them.
            running_sum += float(weighted[i])
            of = {column.name: column.cell(i) for column in columns}
            counts = () if ties is None else (int(ties.documents[i]), int(ties.size[i]))
            numbers = tuple(working.numbers(i))
            steps.append(Step(of, working.pattern, numbers, float(terms.term[i]), running_sum, *counts))
    return sides, tuple(steps)


def _below_cutoff(measure: Measure, hits: Hits) -> tuple[tuple[Any, float], ...]:
    if measure.k is None:
        return ()
    system = hits.system.single
    below = system.keep((system.grade >= measure.threshold) & (system.rank > measure.k))
    return tuple((below.document_id(i), float(below.grade[i])) for i in range(len(below)))


def _not_found(measure: Measure, hits: Hits) -> tuple[tuple[Any, float], ...]:
    if not measure.metric.wants_relevant:
        return ()
    found, ideal = set(hits.system.single.row.tolist()), hits.ideal.relevant(measure.threshold)
    return tuple(
        (ideal.document_id(i), float(ideal.grade[i])) for i in range(len(ideal)) if int(ideal.row[i]) not in found
    )


def decided_by(measure: Measure, matched: Matched, derived: Derivation, outcome: Outcome, at: int = 0) -> str | None:
    """The case of the policy that decided the value of a query, if the formula did not."""
    by_formula, value, policy = derived.values[at], outcome.values[at], matched.policy
    if outcome.unranked[at] and policy.missing == "skip":
        return "the run does not rank this query, and an evaluation leaves it out (policy missing=skip)"
    if by_formula == value or (math.isnan(by_formula) and math.isnan(value)):
        return None
    zero_is_worst = measure.higher_is_better
    if outcome.without_relevant[at] and (zero_is_worst or policy.no_relevant != "zero"):
        return f"the query has no relevant document (policy no_relevant={policy.no_relevant})"
    if outcome.unranked[at] and zero_is_worst:
        return f"the run does not rank this query (policy missing={policy.missing})"
    return f"the formula gives 0/0 (policy undefined={policy.undefined})"
