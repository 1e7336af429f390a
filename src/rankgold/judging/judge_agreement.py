"""The judgements of two or more judges in, how well they agree out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.inputs import are_records, holds_runs, is_path, unused_name
from rankgold.data.paths import stem_and_ending
from rankgold.engines.request import Request
from rankgold.errors import DataError, counted
from rankgold.judging.agreement_kernels import alpha, kappa
from rankgold.judging.judgement_rows import first_graded_twice, judged_rows
from rankgold.kernels.segments import Floats
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.result_forms import Result, known_fields, known_number, row_frame


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges, and the documents that both graded. A coefficient is NaN if all of their grades are the same."""

    a: str
    b: str
    documents: int
    same: float
    """The share of the documents to which both gave the same grade."""
    kappa: float
    linear: float
    """Kappa, weighted by the difference of grades."""
    quadratic: float
    """Kappa, weighted by the square of the difference."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Agreement(Result):
    """How well judges agree: a row for each pair, and Krippendorff's alpha of all of them."""

    judges: Sequence[str]
    pairs: Sequence[JudgePair]
    documents: int
    """How many documents two or more judges graded."""
    nominal: float
    """Krippendorff's alpha, if grades are only the same or not."""
    ordinal: float
    """Krippendorff's alpha, if grades have an order."""
    interval: float
    """Krippendorff's alpha, if differences of grades count."""

    @property
    def frame(self) -> pl.DataFrame:
        """A Polars frame: a, b, documents, same, kappa, linear_kappa, quadratic_kappa."""
        return row_frame(JudgePair, self.pairs).rename({"linear": "linear_kappa", "quadratic": "quadratic_kappa"})

    def to_dict(self) -> dict[str, Any]:
        pairs = [known_fields(pair) for pair in self.pairs]
        alphas = {name: known_number(getattr(self, name)) for name in ("nominal", "ordinal", "interval")}
        return {"judges": list(self.judges), "pairs": pairs, "documents": self.documents, "alpha": alphas}

    def document(self, digits: int = 4) -> Document:
        rows: list[list[Cell]] = [
            [pair.a, pair.b, str(pair.documents), pair.same, pair.kappa, pair.linear, pair.quadratic]
            for pair in self.pairs
        ]
        header = ["a", "b", "documents", "same", "kappa", "linear kappa", "quadratic kappa"]
        alphas: list[list[Cell]] = [
            [f"alpha, {name}", getattr(self, name)] for name in ("nominal", "ordinal", "interval")
        ]
        tables = [
            ResultTable(header, rows, "llrrrrr", digits=digits, keys=2),
            ResultTable(["all judges", "Krippendorff"], alphas, "lr", digits=digits, keys=1),
        ]
        return Document(tables, notes=[f"note: graded by two or more judges: {counted(self.documents, 'document')}"])


def agreement_of(request: Request) -> Agreement:
    """How well the judges of a request agree."""
    frames = {name: _grades(source, name, request) for name, source in named_judges(request).items()}
    if len(frames) < 2:
        raise DataError("agreement needs two or more judges, and there is one. Pass the judgements of each of them.")
    table = grade_table(frames)
    matrix = table.select(list(frames)).to_numpy()
    pairs = [_pair(a, b, matrix[:, i], matrix[:, j]) for (i, a), (j, b) in combinations(enumerate(frames), 2)]
    shared = int(np.count_nonzero((~np.isnan(matrix)).sum(axis=1) > 1))
    if not shared:
        raise DataError("no document was graded by two judges. Check that the ids are the same.")
    return Agreement(list(frames), pairs, shared, alpha(matrix), alpha(matrix, "ordinal"), alpha(matrix, "interval"))


def named_judges(request: Request) -> dict[str, Any]:
    """Judge -> judgements; a file is called by its stem."""
    request.report("reading judgements")
    with request.data_here() as here:
        return {name: here.catalogue(source) for name, source in _by_name(request.data["judges"], request.columns)}


def _by_name(judges: Any, columns: Mapping[str, str] | None) -> Iterator[tuple[str, Any]]:
    if isinstance(judges, Mapping) and holds_runs(judges, columns):
        yield from ((str(name), _readable_twice(source)) for name, source in judges.items())
        return
    are_several = isinstance(judges, (list, tuple)) and not _is_one_table(judges, columns)
    sources = judges if are_several else [judges]
    named: list[str] = []
    for number, source in enumerate(sources, 1):
        name = stem_and_ending(str(source))[0] if is_path(source) else f"judge {number}"
        named.append(unused_name(name, named))
        yield named[-1], _readable_twice(source)
    if not named:
        raise DataError("there are no judgements: the list is empty.")


def _readable_twice(source: object) -> Any:
    """The table in a reader of PyArrow, which can be read only once, and any other source as it is."""
    return source.read_all() if hasattr(source, "read_all") else source


def _is_one_table(sources: Sequence[Any], columns: Mapping[str, str] | None) -> bool:
    """True if these are the records of one table. A judge may have judged a query that is called `query`."""
    return are_records(sources, columns) and not any(isinstance(value, Mapping) for value in sources[0].values())


def _grades(source: object, name: str, request: Request) -> pl.DataFrame:
    """The grades of one judge, each document once."""
    table = judged_rows(source, request.columns)
    keys = (pl.col(role).cast(pl.String) for role in ("query", "document"))
    frame = table.frame.select(*keys, "grade")
    if request.topics is not None:
        frame = frame.filter(request.topics.among(frame["query"].to_list()))
    if repeated := first_graded_twice(frame):
        query, document = repeated
        raise DataError(
            f"{name} graded document {document!r} of query {query!r} more than once. A judge gives one grade: put the"
            " grades of each judge into a file of their own."
        )
    return frame


def grade_table(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Query, document, and a column with the grades of each judge; NaN where there is none."""
    keys = pl.concat([frame.select("query", "document") for frame in frames.values()]).unique(maintain_order=True)
    for name, frame in frames.items():
        grades = frame.rename({"grade": name})
        keys = keys.join(grades, on=["query", "document"], how="left", maintain_order="left")
    return keys.with_columns(pl.col(list(frames)).fill_null(math.nan))


def _pair(a: str, b: str, first: Floats, second: Floats) -> JudgePair:
    both = ~np.isnan(first) & ~np.isnan(second)
    first, second = first[both], second[both]
    same = float(np.mean(first == second)) if len(first) else math.nan
    coefficients = [kappa(first, second, weighting) for weighting in ("none", "linear", "quadratic")]
    return JudgePair(a, b, len(first), same, *coefficients)
