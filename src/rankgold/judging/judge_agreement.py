"""Reads the judgements of several judges, and measures how well they agree.

Rows without a grade are skipped.

NaN is a grade that a judge did not give. A coefficient is 1 less the disagreement found over the disagreement expected
by chance; it is undefined if none is expected, because all grades are the same.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import polars as pl

from rankgold.core.document import Cell, Document, ResultTable, name_of_field
from rankgold.core.errors import DataError, counted
from rankgold.core.result import Result, known_fields, known_number, row_frame
from rankgold.core.segments import Floats
from rankgold.data.catalogues import content_of_file
from rankgold.data.columns import ALIASES, check_column_names, find_columns, role_name
from rankgold.data.files import head_of, open_file
from rankgold.data.formats.registry import recognise
from rankgold.data.frames import check_names, has_uuids, is_pandas, values_of_pandas
from rankgold.data.input_file import InputFile
from rankgold.data.inputs import are_records, holds_runs, is_path, is_pipe, read, stem_and_ending, unused_name
from rankgold.data.polars_guard import check_polars
from rankgold.data.records import series_of, values_of_records
from rankgold.data.rows import Place
from rankgold.data.table import Table, TableSource, check_table
from rankgold.engines.request import Request

_LABEL = "the judgements"
_NAMES = tuple(name for names in ALIASES.values() for name in names)


@dataclass(frozen=True, slots=True, eq=False)
class GradedRows:
    """The rows of a table that have a grade, with all of their columns."""

    frame: pl.DataFrame
    named: dict[str, str]
    label: str
    """What errors call the table."""
    place: Place

    def table(self) -> Table:
        """The checked judgements, in the same order."""
        return check_table(self.frame, TableSource("qrels", self.named, self.label, self.place, "judge"))


def judged_rows(source: object, columns: Mapping[str, str] | None = None) -> Table:
    """The judgements. A document may be there repeatedly, graded by several judges."""
    check_polars()
    graded = graded_rows(source, columns)
    return read(source, "qrels", columns).table() if graded is None else graded.table()


def graded_rows(source: object, columns: Mapping[str, str] | None = None) -> GradedRows | None:
    """The rows of a table with named columns that have a grade; None if the source is of another form."""
    check_polars()
    named = check_column_names(columns)
    frame = _frame_with_header(source, named)
    if frame is None:
        return None
    label = os.fspath(source) if is_path(source) else _LABEL
    found = find_columns(frame.columns, "qrels", named, label)
    if found.number is None:
        return None
    grade = pl.col(found.number)
    if frame.schema[found.number] == pl.String:
        grade = grade.str.strip_chars().replace("", None)
    texts = [name for name in (found.query, found.document) if frame.schema[name] == pl.String]
    frame = frame.with_columns(_names_of_fields(frame[name]) for name in texts)
    rows = frame.select(grade.is_not_null()).to_series().arg_true()
    kept = frame[rows]
    if not is_path(source):
        return GradedRows(kept, named, label, lambda row: f"{label}, row {rows[row] + 1}")
    return GradedRows(kept, named, label, lambda row: f"{label}:{_line(frame, rows[row])}")


def _names_of_fields(column: pl.Series) -> pl.Series:
    """The ids without the apostrophes that CSV has before formulas."""
    fields = column.filter(column.str.starts_with("'")).unique().to_list()
    return column.replace({field: name_of_field(field) for field in fields})


def first_graded_twice(rows: pl.DataFrame) -> tuple[Any, Any] | None:
    """The query and the document of the first row whose document is in the query repeatedly; None if there is none."""
    repeated = rows.select("query", "document").filter(pl.struct("query", "document").is_duplicated())
    return None if repeated.is_empty() else (repeated["query"][0], repeated["document"][0])


def _frame_of_pandas(source: Any, named: Mapping[str, str]) -> pl.DataFrame | None:
    check_names(source, _LABEL)
    try:
        if not has_uuids(source):
            return pl.DataFrame(source)
    except (ImportError, TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        pass  # a column of several types, which Arrow does not read
    return _frame_of_values(values_of_pandas(source), named)


def _frame_of_values(columns: Mapping[str, Sequence[Any]], named: Mapping[str, str]) -> pl.DataFrame | None:
    """The frame of columns with values of any types; None if one has lists, such as all documents of a query."""
    if any(isinstance(value, list) for values in columns.values() for value in values):
        return None
    roles = {role_name(columns, role, named): role for role in ("query", "document")}
    return pl.DataFrame({name: series_of(roles.get(name, "grade"), values, _LABEL) for name, values in columns.items()})


def _line(frame: pl.DataFrame, row: int) -> int:
    """The line of a row in its file: the header is the first one, and cells in quotation marks may have several."""
    breaks = frame.head(row).select(pl.col(pl.String).str.count_matches("\n").sum())
    return row + 2 + int(sum(breaks.row(0) if breaks.width else ()))


def _frame_with_header(source: Any, named: Mapping[str, str]) -> pl.DataFrame | None:
    if is_path(source):
        file = open_file(source, "qrels", dict(named)) if os.path.isfile(source) and not is_pipe(source) else None
        found = content_of_file(file, _NAMES) if file is not None and _has_columns(file) else None
    elif isinstance(source, pl.LazyFrame):
        found = source.collect()
    elif is_pandas(source):
        found = _frame_of_pandas(source, named)
    elif hasattr(source, "__arrow_c_stream__") and hasattr(source, "columns"):
        found = pl.DataFrame(source)
    elif are_records(source, named):
        found = _frame_of_values(values_of_records(source), named)
    else:
        found = None
    if not isinstance(found, pl.DataFrame):
        return None
    try:
        find_columns(found.columns, "qrels", named, "")
    except DataError:
        return None
    return found


def _has_columns(file: InputFile) -> bool:
    """Whether the columns of a file have names. The fields of TREC files have none, and may hold any separator."""
    format_ = recognise(head_of(file))
    return format_.is_delimited or bool(format_.magic)


Weighting = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]


def kappa(first: Floats, second: Floats, weighting: Weighting = "none") -> float:
    """Cohen's kappa of two judges who graded the same documents; weighted by the difference of grades, or its square.

    Cohen 1960, A coefficient of agreement for nominal scales; 1968, Weighted kappa.
    """
    grades, places = np.unique(np.concatenate((first, second)), return_inverse=True)
    of_first, of_second = places[: len(first)], places[len(first) :]
    table = np.zeros((len(grades), len(grades)))
    np.add.at(table, (of_first, of_second), 1)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(len(first), 1)
    distance = np.abs(grades[:, None] - grades)
    weight = {"none": (distance > 0).astype(float), "linear": distance, "quadratic": distance**2}[weighting]
    return _coefficient(float((weight * table).sum()), float((weight * expected).sum()))


def alpha(grades: Floats, level: Level = "nominal") -> float:
    """Krippendorff's alpha of any number of judges, who need not all have graded the same documents.

    Krippendorff 2011, Computing Krippendorff's alpha-reliability.
    """
    kinds, places = np.unique(grades[~np.isnan(grades)], return_inverse=True)
    document = np.nonzero(~np.isnan(grades))[0]
    counts = np.zeros((len(grades), len(kinds)))
    np.add.at(counts, (document, places), 1)
    judges = counts.sum(axis=1)
    # A document with one grade says nothing about agreement.
    counts, judges = counts[judges > 1], judges[judges > 1]
    total = counts.sum(axis=0)
    n = float(total.sum())
    if n <= 1:
        return math.nan
    together = (counts / (judges - 1)[:, None]).T @ counts - np.diag((counts / (judges - 1)[:, None]).sum(axis=0))
    by_chance = (np.outer(total, total) - np.diag(total)) / (n - 1)
    distance = _distances(kinds, total, level)
    return _coefficient(float((distance * together).sum()), float((distance * by_chance).sum()))


def _distances(kinds: Floats, total: Floats, level: Level) -> Floats:
    if level == "nominal":
        differ: Floats = (kinds[:, None] != kinds).astype(float)
        return differ
    if level == "interval":
        squares: Floats = (kinds[:, None] - kinds) ** 2
        return squares
    # Half of the grades of both kinds, and all grades between them.
    middle = np.cumsum(total) - total / 2
    steps: Floats = (middle[:, None] - middle) ** 2
    return steps


def _coefficient(found: float, expected: float) -> float:
    return 1 - found / expected if expected else math.nan


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
