"""Judgements, a run and changes of them in; every measure before and after, of each changed query and of all, out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgold.accepted import Measures
from rankgold.data.inputs import read
from rankgold.data.named_runs import read_runs
from rankgold.engines.fetched_data import read_here
from rankgold.engines.request import Request
from rankgold.errors import ComparisonError, listing
from rankgold.evaluation import evaluated
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.result_forms import Result, frame_table, known_values
from rankgold.output.text import check_digits
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars

_ALL = "(mean)"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WhatIf(Result):
    """The scores of a ranking if it, or its judgements, were changed."""

    before: Scores
    after: Scores
    edits: Sequence[str]
    """What was changed, a line for each edit."""
    queries: Sequence[str]
    """The queries that were changed."""

    def rows(self) -> Iterator[tuple[str | None, str, float, float]]:
        """Query, measure, and its values before and after; None for the mean of all queries."""
        runs = [scores.run_scores(scores.runs[0]) for scores in (self.before, self.after)]
        values = {label: [run.by_query(label) for run in runs] for label in self.before.measures}
        for query in self.queries:
            for label, sides in values.items():
                before, after = (side.get(query, math.nan) for side in sides)
                yield query, label, before, after
        for label in self.before.measures:
            before, after = (run.means[label] for run in runs)
            yield None, label, before, after

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: query (null for the mean), measure, before, after, change."""
        import polars as pl

        rows = [(*row, row[3] - row[2]) for row in self.rows()]
        names = {"query": pl.String, "measure": pl.String, "before": pl.Float64, "after": pl.Float64}
        return pl.DataFrame(rows, schema={**names, "change": pl.Float64}, orient="row")

    def full_table(self) -> ResultTable:
        """The rows of `frame`; a null query becomes "(mean)"."""
        import polars as pl

        return frame_table(self.frame.with_columns(pl.col("query").fill_null(_ALL)))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None, and so is the query of the mean."""
        rows = []
        for query, label, before, after in self.rows():
            values = {"before": before, "after": after, "change": after - before}
            rows.append({"query": query, "measure": label, **known_values(values)})
        return {"edits": list(self.edits), "rows": rows, "policy": self.before.policy.to_dict()}

    def document(self, digits: int = 4) -> Document:
        """A row for each changed query and measure, then the means of all queries."""
        rows: list[list[Cell]] = [
            [_ALL if query is None else query, label, before, after, after - before]
            for query, label, before, after in self.rows()
        ]
        header = ["query", "measure", "before", "after", "change"]
        table = ResultTable(header, rows, "llrrr", digits=check_digits(digits), keys=2)
        return Document([table], facts=[("edit", line) for line in self.edits])


def changed(request: Request, measures: Measures | None, changes: Mapping[str, Any]) -> WhatIf:
    """Every measure of a run as it is and with changes: remove, move, add, grade."""
    import polars as pl

    from rankgold.comparison.ranking_edits import check_queries, edited_judgements, edited_run, edits_of

    edits = edits_of(changes)
    policy, topics = request.policy, request.topics
    request = read_here(request)
    judged = read(request.qrels, "qrels", request.columns)
    runs = list(read_runs(request.run, request.columns, policy.duplicates))
    if len(runs) != 1:
        raise ComparisonError(f"There are {len(runs)} runs ({listing(name for name, _ in runs)}). Pass one.")
    [(name, ranked)] = runs
    as_text = pl.col("query", "document").cast(pl.String)
    judgements, ranking = (rows.table().frame.with_columns(as_text) for rows in (judged, ranked))
    check_queries(edits, judgements["query"], ranking["query"])
    if topics is not None:
        check_queries(edits, pl.Series(list(topics.ids)), among=" among the topics")
    of_grades = [edit for edit in edits if edit.kind == "grade"]
    of_ranks = [edit for edit in edits if edit.kind != "grade"]
    new_ranking, lines = edited_run(ranking, of_ranks, policy) if of_ranks else (ranking, [])
    new_judgements, more_lines = edited_judgements(judgements, of_grades)
    before, after = (
        evaluated(replace(request, data={"qrels": grades, "run": {name: scores}}, columns=None), measures)
        for grades, scores in ((judgements, ranking), (new_judgements, new_ranking))
    )
    return WhatIf(before, after, [*lines, *more_lines], list(dict.fromkeys(edit.query for edit in edits)))
