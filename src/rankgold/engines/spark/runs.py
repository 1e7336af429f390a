"""The runs as the user passed them in; their frames, names and numbers out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgold.data.inputs import given_runs, run_name, unused_name
from rankgold.engines.request import Request
from rankgold.engines.spark.dataframes import first_repeated_row
from rankgold.engines.spark.inputs import spark_input
from rankgold.engines.spark.list_rows import SparkInput
from rankgold.engines.spark.rows import InputRows
from rankgold.errors import DataError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MOST_RUNS = 10_000


@dataclass(frozen=True)
class RunFrame:
    """A frame with one run or several."""

    rows: InputRows
    numbers: dict[str | None, int]
    """The text in the column of runs -> the number of the run; None -> its number, where there is no such column."""

    def numbered(self, session: SparkSession) -> tuple[DataFrame, str]:
        """The frame, and an expression for the number of a row's run."""
        if len(self.numbers) == 1:
            return self.rows.frame, str(next(iter(self.numbers.values())))
        numbers = session.createDataFrame(list(self.numbers.items()), "run string, run_number int").hint("broadcast")
        frame = self.rows.frame.withColumnRenamed("run", "tag")
        return frame.join(numbers, frame["tag"].cast("string") == numbers["run"], "left"), "run_number"


@dataclass(frozen=True)
class SparkRuns:
    """All runs of a task. The number of a run is the position of its name."""

    frames: tuple[RunFrame, ...]
    names: tuple[str, ...]
    types: tuple[str, str]
    """The types of the ids of queries and of documents, as in InputRows; text where the frames differ."""
    empty_queries: tuple[list[Any], ...]
    """For each run the queries that it ranks with nothing, which have no rows."""

    @classmethod
    def of(cls, request: Request, session: SparkSession) -> SparkRuns:
        frames: list[RunFrame] = []
        names: list[str] = []
        empty_queries: list[list[Any]] = []
        for given, data in given_runs(request.run, request.columns):
            source = spark_input(data, "run", session, request.columns, request.policy.repeats)
            rows, tags = _rows_and_tags(source, request)
            tags = source.all_runs(tags)
            numbers: dict[str | None, int] = {}
            for tag in tags or (None,):
                name = source.name if tag is None else tag
                numbers[tag] = len(names)
                empty_queries.append(source.empty_queries.get(name, []))
                names.append(unused_name(run_name(given, name, max(len(tags), 1)), names))
            frames.append(RunFrame(rows, numbers))
        types = {frame.rows.types for frame in frames}
        one_type = types.pop() if len(types) == 1 else ("text", "mixed")
        return cls(tuple(frames), tuple(names), one_type, tuple(empty_queries))


def _rows_and_tags(source: SparkInput, request: Request) -> tuple[InputRows, list[str]]:
    """The rows of a frame, and the names in its column of runs, if it has one."""
    rows = InputRows.of(source, "run", request.columns, request.engine.trust_ranks)
    if "run" not in rows.frame.columns:
        return rows, []
    found = rows.frame.where("run is not null").selectExpr("cast(run as string) as run").distinct()
    tags = sorted(row.run for row in found.limit(_MOST_RUNS + 1).collect())
    if len(tags) > _MOST_RUNS:
        raise DataError(
            f"there are more than {_MOST_RUNS:,} runs. Check which column names the runs (columns={{'run': ...}}).",
            source.label,
        )
    # Tags of a TREC file name runs where a query has several; otherwise they are one run with careless tags.
    pairs = rows.frame.select("query", "run").distinct()
    if source.is_trec and len(tags) > 1 and first_repeated_row(pairs, "query") is None:
        return InputRows.of(
            replace(source, frame=source.frame.drop("run")), "run", request.columns, request.engine.trust_ranks
        ), []
    return rows, tags
