"""The runs: which there are, what they are called, and their rows side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgold.data.inputs import run_name, unused_name
from rankgold.engines import Work
from rankgold.engines.spark.frames import Source, runs_given, source_of
from rankgold.engines.spark.rows import Rows
from rankgold.errors import DataError

_MANY = 10_000


@dataclass(frozen=True)
class Run:
    """A frame with the number of each run in it, by the text of its column of runs; by None where it has no such."""

    rows: Rows
    numbers: dict[str | None, int]

    def number(self, session: Any) -> tuple[Any, str]:
        """The frame and an expression for the number of a row's run."""
        if len(self.numbers) == 1:
            return self.rows.frame, str(next(iter(self.numbers.values())))
        known = session.createDataFrame(list(self.numbers.items()), "run string, run_number int").hint("broadcast")
        frame = self.rows.frame.withColumnRenamed("run", "tag")
        return frame.join(known, frame["tag"].cast("string") == known["run"], "left"), "run_number"


@dataclass(frozen=True)
class Runs:
    """All that are to be evaluated."""

    every: tuple[Run, ...]
    names: tuple[str, ...]
    types: tuple[str, str]
    """Those of the ids, text where the runs differ."""

    @classmethod
    def of(cls, work: Work, session: Any) -> Runs:
        every: list[Run] = []
        names: list[str] = []
        for given, one in runs_given(work.run):
            for source in source_of(one, "run", session, work.columns):
                rows, tags = _rows_and_tags(source, work)
                numbers: dict[str | None, int] = {}
                for tag in tags or (None,):
                    own = source.name if tag is None else tag
                    numbers[tag] = len(names)
                    names.append(unused_name(run_name(given, own, max(len(tags), 1)), names))
                every.append(Run(rows, numbers))
        kinds = {run.rows.types for run in every}
        return cls(tuple(every), tuple(names), kinds.pop() if len(kinds) == 1 else ("text", "mixed"))


def _rows_and_tags(source: Source, work: Work) -> tuple[Rows, list[str]]:
    """The rows of a frame, and the runs that its column of runs names, if it has one."""
    rows = Rows.of(source, "run", work.columns, work.trust_ranks)
    if "run" not in rows.frame.columns:
        return rows, []
    found = rows.frame.where("run is not null").selectExpr("cast(run as string) as run").distinct()
    tags = sorted(row.run for row in found.limit(_MANY + 1).collect())
    if len(tags) > _MANY:
        raise DataError(f"there are more than {_MANY:,} runs here. Is {source.what}'s column of runs one?", source.what)
    if source.is_trec and len(tags) > 1 and not _several(rows):
        return Rows.of(Source(source.frame.drop("run"), source.name, source.what, True), "run", work.columns), []
    return rows, tags


def _several(rows: Rows) -> bool:
    """Tags tell runs apart where a query has several; else they are one run that was tagged carelessly."""
    both = rows.frame.selectExpr("query", "run").distinct().groupBy("query").count()
    return bool(both.where("`count` > 1").limit(1).collect())
