"""Judgements and a run in, the derivation of one score out: the terms of a query, their sum, the norm and the value.

The terms are not calculated again. They are the terms that the score itself is the sum of, in the same order,
so the last running sum divided by the norm is the score to the last bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from rankgold.declaration.dialect_measures import parse_in_dialect
from rankgold.declaration.metric import Measure
from rankgold.declaration.open_cases import Outcome, decide
from rankgold.derivation import Derivation
from rankgold.engines.request import Request
from rankgold.errors import DataError
from rankgold.evaluation import matched
from rankgold.explanation.explanation_document import explanation_dict, explanation_document
from rankgold.explanation.query_choice import query_number
from rankgold.hits import Hits, Ranking
from rankgold.output.document import Document
from rankgold.output.result_forms import Result, record_frame
from rankgold.scoring.score_document import swapped_remark
from rankgold.scoring.values import policy_of

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class Step:
    """The contribution of one document."""

    rank: int
    document: Any
    grade: float
    pattern: str
    """How the term is written, with a gap for each of `numbers`."""
    numbers: tuple[float, ...]
    term: float
    documents: int
    """The number of documents that the step stands for: 1, unless very many tied ones are averaged over all orders."""
    tied: int
    """The number of documents that share this rank: 1, unless ties are averaged over all orders."""
    running_sum: float
    subtopic: str | None = None
    """The subtopic that the document contributes to; None without subtopics."""

    @property
    def chance(self) -> float:
        """The probability that one of the step's documents is at this rank."""
        return self.documents / self.tied


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Result):
    """The worked derivation of one measure for one query."""

    measure: Measure
    query: Any
    run: str
    steps: tuple[Step, ...]
    missed: float | None
    missed_is: str
    sum: float
    norm: float
    norm_is: str
    value: float
    decided_by: str | None
    """The case of the policy that decided the value, if the formula did not."""
    ideal: tuple[Step, ...] | None
    is_ranked: bool
    """Whether the run ranks the query."""
    below_cutoff: tuple[tuple[Any, float], ...]
    """Relevant documents that the run ranks below the cutoff, with their grades."""
    not_found: tuple[tuple[Any, float], ...]
    """Relevant documents that the run does not rank, with their grades."""
    remarks: tuple[str, ...] = ()
    """What is conspicuous about the data."""

    @property
    def formula(self) -> str:
        """The formula, from the documentation of the measure."""
        return self.measure.metric.formula_text

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame of the terms: rank, document, subtopic, grade, term, chance, running_sum.

        Documents without ids, and measures without subtopics, have nulls.
        """
        rows = [{"subtopic": None, **row, "document": _text(row["document"])} for row in self.to_dict()["terms"]]
        types = {"rank": int, "document": str, "subtopic": str, "grade": float, "term": float}
        return record_frame(rows, {**types, "chance": float, "running_sum": float})

    def to_dict(self) -> dict[str, Any]:
        return explanation_dict(self)

    def document(self, digits: int = 4) -> Document:
        return explanation_document(self, digits)


def explained(request: Request, measure: str | Measure, query: Any) -> Explanation:
    """How the value of a measure for one query is calculated. Hits may have the measure in the place of the run."""
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
    hits = hits.of_query(query_number(query, hits.queries))
    derived = chosen(hits)
    outcome = decide(chosen, hits, derived)
    return Explanation(
        measure=chosen,
        query=hits.queries[0],
        run=hits.name,
        steps=_steps(derived, hits),
        missed=None if derived.rest is None else float(derived.rest[0]),
        missed_is=derived.rest_is,
        sum=float(derived.sums[0]),
        norm=float(derived.norms[0]),
        norm_is=derived.norm_is,
        value=float(outcome.values[0]),
        decided_by=decided_by(chosen, hits, float(derived.values[0]), outcome),
        ideal=None if derived.ideal is None else _steps(derived.ideal, hits),
        is_ranked=bool(hits.returned[0] > 0),
        below_cutoff=_below_cutoff(chosen, hits),
        not_found=_not_found(chosen, hits),
        remarks=swapped_remark(hits.notes),
    )


def _steps(derived: Derivation, hits: Hits) -> tuple[Step, ...]:
    terms, ranking = derived.terms, derived.ranking
    ties = ranking.ties
    subtopics: list[str | None] = [None] * len(ranking)
    if terms.subtopic is not None and hits.subtopics is not None:
        subtopics = [hits.subtopics.names[i] for i in terms.subtopic.tolist()]
    # Added one by one from the top down, exactly as Derivation.sums adds them.
    running_sums = accumulate(terms.weighted.tolist())
    return tuple(
        Step(
            rank=int(ranking.rank[i]),
            document=document_text(ranking, i),
            grade=float(ranking.grade[i]),
            pattern=terms.working.pattern,
            numbers=tuple(terms.working.numbers(i)),
            term=float(terms.term[i]),
            documents=1 if ties is None else int(ties.documents[i]),
            tied=1 if ties is None else int(ties.size[i]),
            running_sum=running_sum,
            subtopic=subtopics[i],
        )
        for i, running_sum in enumerate(running_sums)
    )


def _text(document: Any) -> str | None:
    return None if document is None else str(document)


def document_id(ranking: Ranking, row: int) -> Any:
    """The id of the document in a row; None where documents have no ids."""
    return None if ranking.documents is None else ranking.documents[int(ranking.row[row])]


def document_text(ranking: Ranking, row: int) -> Any:
    """The id of the document in a row, or how many documents the row stands for."""
    documents = 1 if ranking.ties is None else ranking.ties.documents[row]
    return document_id(ranking, row) if documents == 1 else f"one of {documents:,}"


def _below_cutoff(measure: Measure, hits: Hits) -> tuple[tuple[Any, float], ...]:
    if measure.k is None:
        return ()
    system = hits.system.single
    below = system.keep((system.grade >= measure.threshold) & (system.rank > measure.k))
    return tuple((document_id(below, i), float(below.grade[i])) for i in range(len(below)))


def _not_found(measure: Measure, hits: Hits) -> tuple[tuple[Any, float], ...]:
    if not measure.metric.wants_relevant:
        return ()
    found, ideal = set(hits.system.single.row.tolist()), hits.ideal.relevant(measure.threshold)
    return tuple(
        (document_id(ideal, i), float(ideal.grade[i])) for i in range(len(ideal)) if int(ideal.row[i]) not in found
    )


def decided_by(measure: Measure, hits: Hits, by_formula: float, outcome: Outcome) -> str | None:
    """The case of the policy that decided the value of a single query, if the formula did not."""
    value = outcome.values[0]
    if hits.returned[0] == 0 and hits.policy.missing == "skip":
        return "the run does not rank this query, and an evaluation leaves it out (policy missing=skip)"
    if by_formula == value or (math.isnan(by_formula) and math.isnan(value)):
        return None
    policy = hits.policy
    zero_is_worst = measure.higher_is_better
    if outcome.without_relevant[0] and (zero_is_worst or policy.no_relevant != "zero"):
        return f"the query has no relevant document (policy no_relevant={policy.no_relevant})"
    if hits.returned[0] == 0 and zero_is_worst:
        return f"the run does not rank this query (policy missing={policy.missing})"
    return f"the formula gives 0/0 (policy undefined={policy.undefined})"
