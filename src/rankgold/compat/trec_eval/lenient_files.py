"""Reads whitespace-separated files as leniently as trec_eval."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from rankgold.core.errors import DataError, brief, listing
from rankgold.core.hits import Hits
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats
from rankgold.data.inputs import read
from rankgold.data.matching.ranks import ids_best_first
from rankgold.data.table import Table
from rankgold.scoring import match

# What strtod of C takes, whole. Python's float takes 1_000 besides, and digits of other scripts.
_NUMBER = re.compile(
    r"[+-]?(inf(inity)?|nan|0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?[0-9]+)?"
    r"|([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?)",
    re.IGNORECASE | re.ASCII,
)


def split_fields(line: str, number: int, count: int) -> list[str]:
    """The fields of a line; an error with its number if they are not as many as they should be."""
    words = line.split()
    if len(words) != count:
        raise DataError(f"line {number} has {len(words)} fields, and should have {count}.")
    return words


def rows(path: str | os.PathLike[str], fields: Sequence[str], *, more: bool = False) -> Iterator[tuple[str, list[str]]]:
    """The place of each row, and its fields, with `more` perhaps others after them.

    Empty lines, and lines that begin with #, are left out.
    """
    label = os.fspath(path)
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                words = [word.decode() for word in line.split()]
                if not words or words[0].startswith("#"):
                    continue
                place = f"{label}:{number}"
                if len(words) < len(fields) or (len(words) > len(fields) and not more):
                    raise DataError(f"there are {len(words)} fields. A line must have {listing(fields)}.", place)
                yield place, words
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"the file cannot be read: {error}.", label) from None


def field_number(text: str, place: str) -> float:
    """The number that a field has, as C reads it: also inf, nan, and 0x10 or 0x1.8p3, which are 16 and 12."""
    if not _NUMBER.fullmatch(text):
        raise DataError(f"{brief(text)} is not a number.", place)
    if "x" not in text.lower():
        return float(text)
    try:
        return float.fromhex(text)
    except OverflowError:
        return -math.inf if text.startswith("-") else math.inf


def finite_number(text: str, place: str) -> float:
    """The number that a field has, and which is finite."""
    value = field_number(text, place)
    if not math.isfinite(value):
        raise DataError(f"{brief(text)} is not a finite number.", place)
    return value


_Path = str | os.PathLike[str]

# With -c, trec_eval 10 evaluates a query that the run does not have as if it had this document alone.
_STAND_IN = "ceci_nest_pas_un_docno"

_FIELDS = "query", "Q0", "document", "rank", "score", "tag"

# The end of a file, which is long enough for its last line.
_END = 1 << 16


@dataclass(frozen=True, slots=True)
class RankedFile:
    """The rows of a run, and its tag: that of the last line."""

    rows: pl.DataFrame
    tag: str

    @classmethod
    def read(cls, path: _Path, score_bits: int = 64) -> RankedFile:
        try:
            table = read(path, "run").table()
        except DataError:
            lenient = _as_c_reads_it(path, score_bits)
            if lenient is None:
                raise
            table = lenient
        check_once(table, "ranks")
        return cls(
            table.frame.select(pl.col("query", "document").cast(pl.String), "score"), _last_tag(path) or table.name
        )

    def queries(self) -> set[str]:
        return set(self.rows["query"].unique().to_list())

    def with_stand_ins(self, missing: Set[str]) -> RankedFile:
        """The run, with a document that nobody judged for each of these queries."""
        added = {"query": sorted(missing), "document": [_STAND_IN] * len(missing), "score": [1.0] * len(missing)}
        return replace(self, rows=pl.concat([self.rows, pl.DataFrame(added, schema=self.rows.schema)]))

    def lists(self, policy: Policy) -> dict[str, list[str]]:
        """The documents of each query from the top down; here, tied ones are in the order of their ids."""
        ascending = replace(policy, ties="ascending")
        by_query = self.rows.group_by("query", maintain_order=True).agg("document", "score")
        return {
            query: ids_best_first(documents, np.array(scores), ascending)[: policy.depth]
            for query, documents, scores in by_query.iter_rows()
        }


def check_once(rows: Table, verb: str) -> None:
    """Raises an error if a document is in a query twice. trec_eval has no choice for this case."""
    pairs = rows.frame.select("query", "document")
    repeated = pairs.is_duplicated().arg_true()
    if not len(repeated):
        return
    query, document = pairs.row(repeated[0])
    first, second = ((pairs["query"] == query) & (pairs["document"] == document)).arg_true()[:2]
    raise DataError(
        f"query {query!r} {verb} document {document!r} twice (first at line {rows.place(first).rpartition(':')[2]})."
        " Remove one.",
        rows.place(second),
    ).with_exit_code(4)


def _as_c_reads_it(path: _Path, score_bits: int) -> Table | None:
    """The rows of a file with more fields on some lines than a run has, or with scores such as inf and 0x10.

    None if the file has another fault. NaN is one: it has no place in an order.
    """
    try:
        lines = [(place, words[0], words[2], words[4]) for place, words in rows(path, _FIELDS, more=True)]
        scores = np.array([field_number(score, place) for place, _, _, score in lines])
    except DataError:
        return None
    if not lines or np.isnan(scores).any():
        return None
    if np.isinf(scores).any():
        scores = _numbered(scores, score_bits)
    places, queries, documents, _ = zip(*lines, strict=True)
    frame = pl.DataFrame({"query": queries, "document": documents, "score": scores})
    return Table(frame, "run", lambda row: places[row])


def _numbered(scores: Floats, score_bits: int) -> Floats:
    """Finite numbers in the order of the scores, equal where these are: 2.5, inf, 2.5 become 0, 1, 0."""
    with np.errstate(over="ignore"):
        compared = scores.astype(np.float32 if score_bits == 32 else np.float64)
    numbers: Floats = np.unique(compared, return_inverse=True)[1].astype(np.float64)
    return numbers


def _last_tag(path: _Path) -> str | None:
    """The tag on the last line of a plain file: there may be others above it."""
    try:
        with open(path, "rb") as file:
            file.seek(max(os.path.getsize(path) - _END, 0))
            lines = [words for line in file if (words := line.split()) and not line.startswith(b"#")]
        *_, score, tag = (word.decode() for word in lines[-1][: len(_FIELDS)])
        field_number(score, "")
        return tag if len(lines[-1]) >= len(_FIELDS) else None
    except (OSError, ValueError, IndexError, DataError):
        return None


# With -J, the judgement of a query without other ones. No run has the document: fields of files have no spaces.
_NO_DOCUMENT = " "


def read_judgements(path: str | os.PathLike[str]) -> pl.DataFrame:
    """The judgements of a file, of one group. Grades are whole numbers: what is after a decimal point is left out."""
    rows = read(path, "qrels").table()
    check_once(rows, "judges")
    grade = pl.col("grade")
    whole = pl.when(grade >= 0).then(grade.floor()).otherwise(grade.ceil())
    return rows.frame.select(pl.col("query", "document").cast(pl.String), whole.alias("grade"), group=pl.lit(""))


@dataclass(frozen=True, slots=True)
class TrecEvalData:
    """Judgements and one run, as trec_eval sees them."""

    qrels: pl.DataFrame
    run: pl.DataFrame
    policy: Policy
    judged: pl.DataFrame
    """The judgements that count."""

    @classmethod
    def of(cls, judgements: pl.DataFrame, run: RankedFile, policy: Policy, queries: Sequence[str]) -> TrecEvalData:
        judged = judgements.filter(pl.col("query").is_in(queries))
        if policy.unjudged == "condensed":  # a negative grade marks a document that was not judged
            known = judged.filter(pl.col("grade") >= 0)
            lost = judged.join(known, on="query", how="anti").unique("query")
            judged = pl.concat(
                [known, lost.with_columns(document=pl.lit(_NO_DOCUMENT), grade=pl.lit(0.0))], how="vertical_relaxed"
            )
        return cls(judgements, run.rows, policy, judged)

    def with_zero_as_one(self) -> TrecEvalData:
        """The same with a grade of 1 in place of 0. Grades below 0 say that a document was not judged."""
        is_zero = (pl.col("grade") == 0) & (pl.col("document") != _NO_DOCUMENT)
        return replace(
            self, judged=self.judged.with_columns(pl.when(is_zero).then(1.0).otherwise("grade").alias("grade"))
        )

    def hits(self) -> Hits:
        return match(self.judged, self.run, policy=self.policy)

    def levels(self) -> dict[str, dict[int, int]]:
        """Query -> grade -> the number of documents with it; negative grades are left out."""
        counted: dict[str, dict[int, int]] = {}
        known = self.judged.filter(pl.col("grade") >= 0)
        for query, grade, number in known.group_by("query", "grade").len().iter_rows():
            counted.setdefault(query, {})[int(grade)] = number
        return counted
