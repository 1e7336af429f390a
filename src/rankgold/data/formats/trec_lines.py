"""A line in, whether it is a line of a TREC file out: what all readers of TREC's text formats share.

Judgements are lines `query 0 document grade`, a run has lines `query Q0 document rank score tag`.
"""

from __future__ import annotations

from rankgold.data.columns import NUMBER, Kind

FIELDS: dict[Kind, tuple[str, ...]] = {
    "qrels": ("query", "iteration", "document", "grade"),
    "run": ("query", "iteration", "document", "rank", "score", "run"),
}

FORM: dict[Kind, str] = {
    "qrels": "a line of judgements has 4 fields, 'query 0 document grade'",
    "run": "a line of a run has 6 fields, 'query Q0 document rank score tag'",
}


def is_trec_line(line: str, kind: Kind) -> bool:
    """Whether this is a TREC line, even if an id in it is a column's name: it has a number in the right field."""
    fields = line.split()
    if len(fields) != len(FIELDS[kind]):
        return False
    try:
        float(fields[FIELDS[kind].index(NUMBER[kind])])
    except ValueError:
        return False
    return True


def may_be_trec_line(line: str, kind: Kind) -> bool:
    """Whether the number of fields is right: MS MARCO and others give TREC files the ending .tsv."""
    return len(line.split()) == len(FIELDS[kind]) and "," not in line


def field_count_fault(count: int, kind: Kind) -> str:
    """What is wrong with a line of so many fields."""
    other: Kind = "run" if kind == "qrels" else "qrels"
    swapped = (
        " If the whole file is like that, the judgements and the run may have changed places: judgements come first."
        if count == len(FIELDS[other])
        else ""
    )
    return f"{FORM[kind]}, and this one has {count}. Correct the line or remove it.{swapped}"
