"""Says what a TREC line is, here and in DuckDB and Spark.

Judgements are lines `query 0 document grade`, a run has lines `query Q0 document rank score tag`. Judgements for
subtopics have these in the second field: `query subtopic document grade`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.data.columns import NUMBER, SWAPPED, Kind

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


FIELDS: dict[Kind, tuple[str, ...]] = {
    "qrels": ("query", "iteration", "document", "grade"),
    "run": ("query", "iteration", "document", "rank", "score", "run"),
}

USED: dict[Kind, list[str]] = {
    "qrels": ["query", "document", "grade"],
    "run": ["query", "document", "score", "run"],
}

FORM: dict[Kind, str] = {
    "qrels": "a line of judgements must have 4 fields, 'query 0 document grade'",
    "run": "a line of a run must have 6 fields, 'query Q0 document rank score tag'",
}


def is_trec_line(line: str, kind: Kind) -> bool:
    """Whether this is a TREC line, even if an id in it is a column's name: it has a number in the right field."""
    fields = line.split()
    if kind not in FIELDS or len(fields) != len(FIELDS[kind]):
        return False
    try:
        float(fields[FIELDS[kind].index(NUMBER[kind])])
    except ValueError:
        return False
    return True


def may_be_trec_line(line: str, kind: Kind) -> bool:
    """Whether the number of fields is right: MS MARCO and others give TREC files the ending .tsv."""
    return kind in FIELDS and len(line.split()) == len(FIELDS[kind]) and "," not in line


def field_count_fault(count: int, kind: Kind) -> str:
    """What is wrong with a line that has this number of fields."""
    other: Kind = "run" if kind == "qrels" else "qrels"
    swapped = f" If the whole file is like that, {SWAPPED}." if count == len(FIELDS[other]) else ""
    return f"{FORM[kind]}, and this one has {count}. Correct the line or remove it.{swapped}"


def in_duckdb(path: str, kind: Kind, first_line: str) -> str:
    """The relation of a file whose path is an SQL literal. Its fields are separated by single spaces or tabs."""
    columns = ", ".join(f"'{field}': 'VARCHAR'" for field in FIELDS[kind])
    separator = "\t" if "\t" in first_line else " "
    strict = "header = false, auto_detect = false, quote = '', escape = '', null_padding = false"
    return f"read_csv({path}, delim = '{separator}', columns = {{{columns}}}, {strict})"


def in_spark(lines: DataFrame, kind: Kind) -> DataFrame:
    """The frame of a frame of lines. A line with too few or too many fields has no query, and its text as document."""
    fields = FIELDS[kind]
    not_text = "raise_error('this is not UTF-8 text. Convert the file to UTF-8.')"
    value = f"case when is_valid_utf8(value) then value else {not_text} end"
    # The characters themselves, because a session may not know escapes (spark.sql.parser.escapedStringLiterals).
    parts = lines.selectExpr(f"split(trim(BOTH ' \t\r\ufeff' FROM {value}), '[ \t]+') as parts").where(
        "parts[0] != '' and not startswith(parts[0], '#')"
    )
    instead = {"document": " else concat_ws(' ', parts)"}
    return parts.selectExpr(
        *(
            f"case when size(parts) = {len(fields)} then parts[{i}]{instead.get(field, '')} end as {field}"
            for i, field in enumerate(fields)
        )
    )
