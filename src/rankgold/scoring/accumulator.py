"""Scores batches of queries; accumulators can be merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rankgold.core.accepted import Measures, QueryIds, SeenDocuments
from rankgold.core.errors import DataError
from rankgold.core.hits import Hits
from rankgold.core.policy import Policy, decided_policy
from rankgold.data.inputs import holds_runs
from rankgold.data.selection import NoTopicInBatch, Parent, Topics
from rankgold.engines.request import Request
from rankgold.scoring.evaluation import hits_of
from rankgold.scoring.scorer import measures_by_label
from rankgold.scoring.sums import ScoreSums


class Accumulator(ScoreSums):
    """Scores of queries that come in batches: in a training loop, from a stream, on many machines.

    Each query is added once, with its judgements and its rankings. The memory needed does not grow with the number of
    queries: only exact sums are kept, for the mean and variance of each run and of the difference of each pair of runs.
    Results do not depend on how queries are split into batches or on the order of merging, and the means are equal to
    those of `evaluate` to the last bit. `per_query=True` keeps the values of each query too.

    `policy`, `columns`, `parent`, `depth`, `rel`, `topics` and `exclude` are those of `evaluate`. A batch that has none
    of the topics is left out.

    >>> import rankgold
    >>> monday, tuesday = rankgold.Accumulator(["rr"]), rankgold.Accumulator(["rr"])
    >>> monday.update({"q1": {"a": 1}}, {"q1": {"b": 0.9, "a": 0.7}})
    >>> tuesday.update({"q2": {"c": 1}}, {"q2": {"c": 0.4}})
    >>> monday.merge(tuesday)
    >>> monday.scores().means, monday.scores().variances
    ({'rr': 0.75}, {'rr': 0.125})
    """

    def __init__(
        self,
        measures: Measures | None = None,
        policy: Policy | str | None = None,
        *,
        per_query: bool = False,
        columns: Mapping[str, str] | None = None,
        parent: Parent | None = None,
        depth: int | None = None,
        rel: float | None = None,
        topics: QueryIds | None = None,
        exclude: SeenDocuments | None = None,
    ) -> None:
        decided = decided_policy(policy, depth, parent)
        super().__init__(measures_by_label(measures, rel=rel, dialect=decided.dialect), decided, per_query)
        self._rel = rel
        named = None if columns is None else dict(columns)
        selected = Topics.of(topics)
        seen = None
        if exclude is not None:
            from rankgold.data.exclusion import Exclusion

            seen = Exclusion.of(exclude, columns)
        self._of = partial(
            Request.of,
            policy=decided,
            columns=named,
            parent=parent,
            topics=None if selected is None else replace(selected, of_batches=True),
            exclude=seen,
        )

    def update(self, *batch: Any) -> None:
        """Adds a batch of queries: `update(qrels, run)` with the same inputs as `evaluate`, or `update(hits, ...)`.

        A table that has grades and scores needs no run: `update(table)`.

        `qrels` holds the judgements of the queries in this batch only: a query that is judged but not ranked counts.
        Runs are compared within a batch, so a batch must have all runs of its queries.
        """
        if batch and all(isinstance(part, Hits) for part in batch):
            self._check_rel(batch)
            self.add_hits([self._of({"qrels": hits}).hits[0] for hits in batch])
        elif len(batch) == 2 or (len(batch) == 1 and not isinstance(batch[0], Mapping)):
            qrels, run = _filled(*batch) if len(batch) == 2 else (batch[0], None)
            try:
                runs = list(hits_of(self._of({"qrels": qrels, "run": run})))
            except NoTopicInBatch:
                return  # other batches have the topics
            self.add_hits(runs)
        else:
            raise DataError("pass a batch as update(qrels, run) or as update(hits, ...).")

    def _check_rel(self, batch: Sequence[Hits]) -> None:
        """Raises an error if hits were matched with a different `rel` than the measures have."""
        for hits in batch:
            if hits.rel is not None and hits.rel != self._rel:
                raise DataError(
                    f"these hits were matched with rel={hits.rel}, and the accumulator has rel={self._rel}. Pass the"
                    " same rel to both."
                )

    def merge(self, other: Accumulator) -> None:
        """Adds all queries of another accumulator that has the same measures and policy."""
        if not isinstance(other, Accumulator):
            raise DataError(f"an Accumulator can be merged with another Accumulator, not with {type(other).__name__}.")
        if other is self:
            raise DataError("an Accumulator cannot be merged with itself: every query would count twice.")
        if (other.measures, other.policy, other.per_query) != (self.measures, self.policy, self.per_query):
            raise DataError("these accumulators differ in their measures, their policy or per_query.")
        self.add(other.sums())


def _filled(qrels: object, run: object) -> tuple[Any, Any]:
    """The batch; a run that ranks none of its queries gets an empty ranking, which is no mistake in a batch."""
    if not (isinstance(qrels, Mapping) and qrels and isinstance(run, Mapping)):
        return qrels, run
    empty: dict[Any, Any] = {next(iter(qrels)): {}}
    if not run:
        return qrels, empty
    # Where all entries are empty, these are runs, unless they have the names of queries.
    all_empty = all(isinstance(part, Mapping) and not part for part in run.values())
    are_runs = holds_runs(run) or (all_empty and {*map(str, run)}.isdisjoint(map(str, qrels)))
    return qrels, {name: empty if part == {} else part for name, part in run.items()} if are_runs else run
