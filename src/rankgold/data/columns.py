"""Which column holds what: the roles, and the names that columns are known by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from rankgold.errors import DataError, listing, nearest

Kind = Literal["qrels", "run"]

# What the number in a table of each kind is called, and what errors call the table.
NUMBER: dict[Kind, str] = {"qrels": "grade", "run": "score"}
WHAT: dict[Kind, str] = {"qrels": "the judgements", "run": "the run"}

# The fields of a line of TREC's.
TREC_FIELDS: dict[Kind, tuple[str, ...]] = {
    "qrels": ("query", "iteration", "document", "grade"),
    "run": ("query", "iteration", "document", "rank", "score", "run"),
}

ALIASES: dict[str, tuple[str, ...]] = {
    "query": ("query", "query_id", "queryid", "qid", "q_id", "topic", "topic_id", "user", "userid", "user_id"),
    "document": (
        "document", "doc", "docid", "doc_id", "docno", "document_id", "item", "itemid", "item_id", "corpus_id",
        "passage_id", "pid",
    ),
    "grade": ("grade", "relevance", "rel", "label", "relscore", "rating", "judgement", "judgment"),
    "score": ("score", "sim", "similarity", "prediction", "predicted"),
    "rank": ("rank", "position"),
    "run": ("run", "run_id", "runid", "tag", "system"),
}  # fmt: skip

# Columns that one kind of table has and the other need not: a name given for one must be there.
_MEASURED: dict[Kind, tuple[str, ...]] = {"qrels": ("grade",), "run": ("score", "rank", "run")}


def normal(column: str) -> str:
    """A column's name as it is compared: 'Query-ID' and 'query_id' are the same."""
    return column.strip().lower().replace("-", "_").replace(" ", "_")


def checked_columns(columns: Mapping[str, str] | None) -> dict[str, str]:
    """What the user says about columns, role -> name, with the roles checked."""
    if columns is not None and not isinstance(columns, Mapping):
        raise DataError(
            f"columns is a dict from role to name, such as {{'query': 'user'}}, not {type(columns).__name__}."
        )
    roles = {}
    for given, column in (columns or {}).items():
        role = next((role for role, names in ALIASES.items() if normal(str(given)) in names), None)
        if role is None:
            raise DataError(
                f"No column role is called {given!r}.{nearest(str(given), ALIASES)} Roles: {', '.join(ALIASES)}."
            )
        roles[role] = column
    return roles


def columns_of(found: Sequence[str], kind: Kind, named: Mapping[str, str], place: str) -> dict[str, str]:
    """Role -> column of this table: as the user named them, else by the names they are known by."""
    roles: dict[str, str] = {}
    for role, names in ALIASES.items():
        if named.get(role) in found:
            roles[role] = named[role]
            continue
        if role in named and role in _MEASURED[kind]:
            continue
        known = [c for c in found if normal(c) in names and c not in named.values()]
        if known:
            roles[role] = min(known, key=lambda c: (c not in names, names.index(normal(c))))
    return _completed(roles, found, kind, named, place)


def _completed(
    roles: dict[str, str], found: Sequence[str], kind: Kind, named: Mapping[str, str], place: str
) -> dict[str, str]:
    number = NUMBER[kind]
    if kind == "qrels" and "score" in roles and not {"grade"} & {*roles, *named}:
        # BEIR names the column of grades "score".
        roles["grade"] = roles["score"]
    # A table of just queries and documents lists what is relevant, and a rank does for a score.
    does_without = len(found) == 2 if kind == "qrels" else "rank" in roles
    needed = dict.fromkeys(("query", "document", number, *(role for role in named if role in _MEASURED[kind])))
    if does_without and number not in named:
        del needed[number]
    missing = [role for role in needed if role not in roles]
    if missing:
        raise _cannot_tell(missing, found, kind, named, place)
    return roles


def _cannot_tell(
    missing: list[str], found: Sequence[str], kind: Kind, named: Mapping[str, str], place: str
) -> DataError:
    what = "judgements" if kind == "qrels" else "a run"
    absent = [column for column in named.values() if column not in found]
    also = f" There is no column {listing(map(repr, absent))}." if absent else ""
    return DataError(
        f"cannot tell which column holds the {' and the '.join(missing)} of {what}.{also}"
        f" Columns found: {listing(map(repr, found), 20)}."
        f" Name it: columns={{'{missing[0]}': ...}} in Python, --column {missing[0]}=NAME at the shell.",
        place,
    )
