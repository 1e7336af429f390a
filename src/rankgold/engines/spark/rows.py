"""A frame of Spark's with the columns that count, under the names of their roles, and what is wrong with a row.

Expressions are SQL text, which classic frames and those of Connect take alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankgold.data.columns import NUMBER, Kind, check_column_names, find_columns
from rankgold.data.formats.trec_lines import FORM
from rankgold.data.table import number_fault
from rankgold.engines.spark.frames import Source
from rankgold.errors import DataError

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_FLOATS = ("float", "double")
_NESTED = ("array", "map", "struct", "variant")


def quoted(column: str) -> str:
    """A column's name as SQL takes it, whatever characters it has."""
    return "`" + column.replace("`", "``") + "`"


@dataclass(frozen=True)
class Rows:
    """Judgements or rankings: query, document, value, and the text of the run where there is one."""

    frame: Any
    """The columns by role: query, document, given, and run."""
    kind: Kind
    what: str
    """What errors call it."""
    types: tuple[str, str]
    """Those of the ids of queries and documents: integer or text."""
    value: str
    """The number, as an expression."""
    number_is: str
    """What the number is: a grade, score or rank."""
    faults: dict[str, str]
    """What can be wrong with a row, and when it is."""
    remarks: tuple[str, ...] = ()
    is_trec: bool = False

    @classmethod
    def of(
        cls, source: Source, kind: Kind, columns: Mapping[str, str] | None = None, trust_ranks: bool = False
    ) -> Rows:
        """The rows of a frame with any columns."""
        frame, what = source.frame, source.what
        named = check_column_names(columns)
        wanted = find_columns(frame.columns, kind, named, what, trust_ranks=trust_ranks)
        picked, number_is = wanted.roles, wanted.number_is
        number = picked.pop(NUMBER[kind])
        chosen = [f"{quoted(column or '')} as {role}" for role, column in picked.items()]
        frame = frame.selectExpr(*chosen, f"{'1.0D' if number is None else quoted(number)} as given")
        types = dict(frame.dtypes)
        ids = tuple(_id_type(types[role], role, what) for role in ("query", "document"))
        value = _number(types["given"], number_is, what)
        faults = {
            **{f"{role} missing": f"{role} is null" for role in picked},
            **{f"{role} no id": _no_id(role) for role in ("query", "document") if types[role] in _FLOATS},
            "number": f"{value} is null or isnan({value}) or abs({value}) = double('infinity')",
        }
        if trust_ranks:
            faults["rank"] = f"{value} < 1 or {value} != floor({value})"
        elif wanted.is_rank:
            value = f"-{value}"
        return cls(frame, kind, what, (ids[0], ids[1]), value, number_is, faults, wanted.remarks, source.is_trec)

    def id_of(self, role: str, as_text: bool) -> str:
        """A query or document, as an expression."""
        kind = self.types[("query", "document").index(role)]
        whole = f"try_cast({role} as bigint)"
        if kind == "integer":
            return f"cast({whole} as string)" if as_text else whole
        return f"cast({role} as string)"

    @property
    def is_faulty(self) -> str:
        return " or ".join(f"coalesce({condition}, true)" for condition in self.faults.values())

    def fault(self) -> DataError | None:
        """The first fault found among the rows, if there is one."""
        found = self.frame.where(self.is_faulty).limit(1).collect()
        if not found:
            return None
        row = found[0].asDict()
        which = (
            self.frame.where(self.is_faulty)
            .limit(1)
            .selectExpr(*(f"coalesce({condition}, true) as f{i}" for i, condition in enumerate(self.faults.values())))
        )
        broken = which.collect()[0].asDict()
        name = next(name for i, name in enumerate(self.faults) if broken[f"f{i}"])
        # A line of TREC's that is not regular has no query, and its text in place of the document.
        called = {"document": "line"} if self.is_trec and row["query"] is None else {}
        known = [f"{called.get(role, role)} {row[role]!r}" for role in ("query", "document") if row[role] is not None]
        return DataError(self._told(name, row), ", ".join([self.what, *known]))

    def _told(self, fault: str, row: dict[str, Any]) -> str:
        role, _, what = fault.partition(" ")
        if role == "rank":
            return f"the rank is {row['given']}. Ranks that are trusted are whole numbers from 1."
        if role == "number":
            return number_fault(self.number_is, row["given"])
        if role == "query" and self.is_trec:
            return f"{FORM[self.kind]}, and this one has {len(row['document'].split())}. Correct the line or remove it."
        if role == "run":
            return "the run is missing. Name the run in every row, or remove the column."
        if what == "missing":
            return f"the {role} is missing. Give every row one, or remove the row."
        return f"the {role} {row[role]!r} is not an id. Ids are integers or text."


def _id_type(dtype: str, role: str, what: str) -> str:
    if dtype.startswith(_NESTED):
        raise DataError(f"the {role} column is of type {dtype}. Ids are integers or text.", what)
    return "integer" if dtype in (*_WHOLE, *_FLOATS) else "text"


def _no_id(role: str) -> str:
    return f"{role} != floor({role}) or not abs({role}) < 9223372036854775808D"


def _number(dtype: str, role: str, what: str) -> str:
    if dtype == "string":
        return "try_cast(trim(given) as double)"
    is_number = dtype in (*_WHOLE, *_FLOATS, "void") or dtype.startswith("decimal")
    if not is_number and not (dtype == "boolean" and role == "grade"):
        raise DataError(f"the {role} is a number, and this column is of type {dtype}.", what)
    return "cast(given as double)"
