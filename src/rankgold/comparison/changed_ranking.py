"""Judgements, a run and changes of them in; every measure before and after, of each changed query and of all, out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from rankgold.engines.protocol import LocalOptions
from rankgold.errors import ComparisonError, listing
from rankgold.evaluation import evaluate, takes_keywords
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.result_forms import Result, frame_table, known_values
from rankgold.output.text import check_digits
from rankgold.policy import Policy
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


class WhatIfKeywords(LocalOptions, total=False):
    """Keywords of `what_if` that are those of `evaluate`."""

    rel: float | None


@takes_keywords(WhatIfKeywords)
def what_if(
    qrels: Any,
    run: Any,
    measures: Any = None,
    *,
    move: Mapping[tuple[Any, Any], int] | None = None,
    add: Mapping[tuple[Any, Any], int] | None = None,
    remove: Sequence[tuple[Any, Any]] | None = None,
    grade: Mapping[tuple[Any, Any], float | None] | None = None,
    **options: Unpack[WhatIfKeywords],
) -> WhatIf:
    """Shows how scores change if documents are moved, added, removed or regraded.

    `move` and `add` are dicts from (query, document) to the new rank, `remove` is a list of (query, document), and
    `grade` a dict from (query, document) to the grade; None takes the judgement away. First documents are removed, then
    moved, then added, each in the order given. The other keywords are those of `evaluate`; with `parent`, chunks are
    moved, added and removed.

    >>> qrels = {"q1": {"d1": 1, "d2": 1}}
    >>> run = {"q1": {"d1": 4, "x": 3, "y": 2, "d2": 1}}
    >>> what_if(qrels, run, ["ap", "rr"], move={("q1", "d2"): 2})
    query   measure  before   after  change
    q1      ap       0.7500  1.0000  0.2500
    q1      rr       1.0000  1.0000  0.0000
    (mean)  ap       0.7500  1.0000  0.2500
    (mean)  rr       1.0000  1.0000  0.0000
    edit  q1: d2 moved from 4 to 2
    """
    import polars as pl

    from rankgold.comparison.ranking_edits import check_queries, edited_judgements, edited_run, edits_of
    from rankgold.data.inputs import read
    from rankgold.data.topics import Topics

    edits = edits_of({"remove": remove, "move": move, "add": add, "grade": grade})
    policy, columns = Policy.of(options.get("policy")), options.pop("columns", None)
    judged, ranked = read(qrels, "qrels", columns), read(run, "run", columns, policy.duplicates)
    runs = ranked.split_runs()
    if len(runs) != 1:
        raise ComparisonError(f"There are {len(runs)} runs ({listing(part.name for part in runs)}). Pass one.")
    as_text = pl.col("query", "document").cast(pl.String)
    judgements, ranking = (rows.table().frame.with_columns(as_text) for rows in (judged, runs[0]))
    check_queries(edits, judgements["query"], ranking["query"])
    topics = Topics.of(options.get("topics"))
    if topics is not None:
        check_queries(edits, pl.Series(list(topics.ids)), among=" among the topics")
    of_grades = [edit for edit in edits if edit.kind == "grade"]
    of_ranks = [edit for edit in edits if edit.kind != "grade"]
    new_ranking, lines = edited_run(ranking, of_ranks, policy) if of_ranks else (ranking, [])
    new_judgements, more_lines = edited_judgements(judgements, of_grades)
    keywords: Any = {**options, "policy": policy, "topics": topics}
    before, after = (
        evaluate(grades, {runs[0].name: scores}, measures, **keywords)
        for grades, scores in ((judgements, ranking), (new_judgements, new_ranking))
    )
    return WhatIf(before, after, [*lines, *more_lines], list(dict.fromkeys(edit.query for edit in edits)))
