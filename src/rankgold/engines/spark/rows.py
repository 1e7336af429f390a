"""Checks rows on Spark and names their columns.

Expressions are SQL text, which both classic DataFrames and those of Spark Connect take.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import DataError
from rankgold.data.columns import NUMBER, Kind, check_column_names, find_columns
from rankgold.data.formats.trec_lines import field_count_fault
from rankgold.data.table import HEAVIEST
from rankgold.data.value_faults import RUN_MISSING, id_fault, id_type_fault, number_fault
from rankgold.engines.spark.dataframes import INTEGERS, SparkInput, in_backticks, in_utc

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


_FLOATS = ("float", "double")
_NO_IDS = ("array", "map", "struct", "variant", "boolean", "interval")


@dataclass(frozen=True)
class InputRows:
    """Judgements or rankings: a frame, and expressions over its columns."""

    frame: DataFrame
    """The columns are named by role: query, document, given (the number), and perhaps run."""
    kind: Kind
    label: str
    """Its name in errors."""
    types: tuple[str, str]
    """The types of the ids of queries and of documents: integer or text."""
    value: str
    """The number, as an expression."""
    number_role: str
    """The meaning of the number: grade, score or rank."""
    faults: dict[str, str]
    """The name of each fault that a row can have, and the condition for it."""
    remarks: tuple[str, ...] = ()
    is_trec: bool = False
    of_subtopics: Mapping[str, str] = field(default_factory=dict)
    """Subtopic and weight as expressions, if judgements have them."""

    @classmethod
    def of(
        cls, source: SparkInput, kind: Kind, columns: Mapping[str, str] | None = None, trust_ranks: bool = False
    ) -> InputRows:
        """The rows of a frame with any columns."""
        frame, label = source.frame, source.label
        named = {} if source.is_checked else check_column_names(columns)
        found = find_columns(frame.columns, kind, named, label, trust_ranks=trust_ranks)
        picked, number_role = found.roles, found.number_is
        number = picked.pop(NUMBER[kind])
        given_types = dict(frame.dtypes)
        chosen = [f"{in_utc(column, given_types[column])} as {role}" for role, column in picked.items() if column]
        frame = frame.selectExpr(*chosen, f"{'1.0D' if number is None else in_backticks(number)} as given")
        types = dict(frame.dtypes)
        ids = tuple(_id_type(types[role], role, label) for role in ("query", "document"))
        value = _number("given", types["given"], number_role, label)
        empty = {"subtopic": " or subtopic = ''"} if types.get("subtopic") == "string" else {}
        id_roles = [role for role in ("query", "document", "subtopic") if role in picked]
        faults = {
            **{f"{role} missing": f"{role} is null{empty.get(role, '')}" for role in picked},
            **{f"{role} not an id": _is_not_an_id(role) for role in id_roles if types[role] in _FLOATS},
            **{f"{role} not an id": _is_not_text(role) for role in id_roles if types[role] == "binary"},
            "number": f"{value} is null or isnan({value}) or abs({value}) = double('infinity')",
        }
        of_subtopics = {}
        if "subtopic" in picked:
            whole = "try_cast(subtopic as bigint)" if types["subtopic"] in _FLOATS else "subtopic"
            _id_type(types["subtopic"], "subtopic", label)
            of_subtopics["subtopic"] = f"cast({whole} as string)"
        if "weight" in picked:
            weight = of_subtopics["weight"] = _number("weight", types["weight"], "weight", label)
            faults["weight"] = f"{weight} is null or isnan({weight}) or {weight} > {HEAVIEST} or {weight} < 0"
        remarks = source.remarks + found.remarks
        if trust_ranks:
            faults["rank"] = f"{value} < 1 or {value} != floor({value})"
        elif found.is_rank:
            value = f"-{value}"
        return cls(
            frame, kind, label, (ids[0], ids[1]), value, number_role, faults, remarks, source.is_trec, of_subtopics
        )

    def expressions(self, *, as_text: bool) -> dict[str, str]:
        """Query, document and value, and perhaps subtopic and weight, each as an expression. Ids may all be text."""
        ids = {}
        for role, kind in zip(("query", "document"), self.types, strict=True):
            ids[role] = role if kind == "text" else f"try_cast({role} as bigint)"
            if as_text or kind == "text":
                ids[role] = f"cast({ids[role]} as string)"
        return {**ids, "value": self.value, **self.of_subtopics}

    @property
    def is_faulty(self) -> str:
        return " or ".join(f"coalesce({condition}, true)" for condition in self.faults.values())

    def fault(self) -> DataError | None:
        """An error that names the first fault found among the rows, if there is one."""
        faults = (f"coalesce({condition}, true) as fault_{i}" for i, condition in enumerate(self.faults.values()))
        found = self.frame.where(self.is_faulty).selectExpr("*", *faults).limit(1).collect()
        if not found:
            return None
        row = found[0].asDict()
        name = next(name for i, name in enumerate(self.faults) if row[f"fault_{i}"])
        # A TREC line with a wrong number of fields has no query, and its text as document.
        called = {"document": "line"} if self.is_trec and row["query"] is None else {}
        known = [f"{called.get(role, role)} {row[role]!r}" for role in ("query", "document") if row[role] is not None]
        return DataError(self._message(name, row), ", ".join([self.label, *known]))

    def _message(self, fault: str, row: dict[str, Any]) -> str:
        role, _, what = fault.partition(" ")
        if role == "rank":
            return f"the rank is {row['given']}. Trusted ranks must be whole numbers from 1."
        if fault == "weight":
            return f"the weight of a subtopic must be a number from 0 to {HEAVIEST:g}, not {row['weight']!r}."
        if role == "number":
            return number_fault(self.number_role, row["given"])
        if role == "query" and self.is_trec:
            return field_count_fault(len(row["document"].split()), self.kind)
        if role == "run":
            return RUN_MISSING
        return id_fault(role, None if what == "missing" else row[role])


def id_text(frame: DataFrame, column: str, label: str) -> str:
    """The queries in a column of any frame as text, as an expression; null for what is not an id."""
    dtype = dict(frame.dtypes)[column]
    name = in_utc(column, dtype)
    kind = _id_type(dtype, "query", label)
    if dtype in _FLOATS:
        return f"case when not ({_is_not_an_id(name)}) then cast(cast({name} as bigint) as string) end"
    return f"cast(cast({name} as bigint) as string)" if kind == "integer" else f"cast({name} as string)"


def _id_type(dtype: str, role: str, label: str) -> str:
    if dtype.startswith(_NO_IDS):
        raise DataError(id_type_fault(role, dtype), label)
    return "integer" if dtype in (*INTEGERS, *_FLOATS) else "text"


def _is_not_an_id(role: str) -> str:
    return f"{role} != floor({role}) or not abs({role}) < 9223372036854775808D"


def _is_not_text(role: str) -> str:
    """Whether bytes have control characters: perhaps they are numbers of a type that Spark does not know."""
    return f"not is_valid_utf8({role}) or rlike(cast({role} as string), concat('[', chr(0), '-', chr(31), ']'))"


def _number(column: str, dtype: str, role: str, label: str) -> str:
    """A number as an expression; null for text that is not a number."""
    if dtype == "string":
        # Java reads 1d and 1f as 1.
        return f"case when not rlike({column}, '[dDfF][ \t\r\n\f\v]*$') then try_cast(trim({column}) as double) end"
    is_number = dtype in (*INTEGERS, *_FLOATS, "void") or dtype.startswith("decimal")
    if not is_number and not (dtype == "boolean" and role == "grade"):
        raise DataError(f"the {role} must be a number, and this column is of type {dtype}.", label)
    return f"cast({column} as double)"
