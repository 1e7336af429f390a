"""Reads the list of one query: ids in ranked order, pairs or records.

    ["d7", "d2"]                                    documents, the best first; in judgements the relevant ones
    [("d7", 0.9), ("d2", 0.4)]                      documents with a score, or with a grade
    [{"id": "d7", "score": 0.9}, ...]               the same by name; without a number as the first form

FAISS and others pad lists of integers with -1. It marks a place without a document in a list that repeats it, and at
the end of an array, or of a list if other lists of the same source end with several.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from rankgold.core.errors import DataError, counted
from rankgold.data.columns import ALIASES, NUMBER, Kind, NumberIs, found_and_hint, most_specific
from rankgold.data.ids import PLAIN, plain_ids
from rankgold.data.rows import Place, RowFaults, refuse_repeat
from rankgold.data.value_faults import NOT_A_NUMBER, described, number_of

FORM: dict[Kind, str] = {
    "qrels": "Judgements must be {query: {document: grade}}, or {query: [relevant documents]}.",
    "run": "A run must be {query: {document: score}}, or {query: [documents in ranked order]}.",
    "pairs": "What users had must be {user: [items]}, or {user: {item: number}}.",
}
_IDS = (*ALIASES["document"], "id", "_id")
PADDING = -1
PADDED = [PADDING, PADDING]
"""How a list ends that is padded for sure."""
LISTS = (list, tuple)
"""The types of a list, and of a pair in it."""


@dataclass(slots=True)
class ListReader:
    """Reads the lists of all queries of one source, and counts the places that are padding."""

    kind: Kind
    repeats: str
    """The rule for a document that is in a list twice."""
    what: str
    """The name of the source in errors."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Names in records as the user gave them, role -> name."""
    faults: RowFaults | None = None
    """Where documents that are listed twice are noted; None if they are errors."""
    padding: int = 0
    """How many places were padding."""
    is_padded: bool = False
    """Whether a single -1 at the end of a list is padding."""

    @property
    def remarks(self) -> tuple[str, ...]:
        return padding_remark(self.padding, self.what)

    def read(self, query: object, listed: Collection[Any]) -> dict[Any, float]:
        """Document -> number."""
        is_array = hasattr(listed, "tolist")
        entries = listed.tolist() if is_array else list(listed)  # type: ignore[attr-defined]
        first = entries[0] if entries else None
        if isinstance(first, Mapping):
            return self._records(query, entries)
        if isinstance(first, LISTS):
            return self._pairs(query, entries)
        return self._ids(query, self._without_padding(entries, entries, is_array))

    def with_numbers(self, query: object, documents: Sequence[Any], values: Sequence[Any]) -> dict[Any, float]:
        """Document -> number, from a list of each."""
        ids = self._checked(query, documents)
        if self.repeats == "error":
            self._distinct(query, ids)
        return chosen_rows(ids, values, self.repeats)

    def _ids(self, query: object, documents: list[Any]) -> dict[Any, float]:
        ids = self._distinct(query, self._checked(query, documents))
        if self.kind != "run":
            return dict.fromkeys(ids, 1.0)
        return dict(zip(ids, count(-1.0, -1.0), strict=False))

    def _pairs(self, query: object, entries: list[Any]) -> dict[Any, float]:
        _check_pairs(entries, self.kind, f"{self.what}: query {query!r}")
        kept = self._without_padding(entries, [pair[0] for pair in entries])
        return self.with_numbers(query, [pair[0] for pair in kept], [pair[1] for pair in kept])

    def _records(self, query: object, entries: list[Any]) -> dict[Any, float]:
        what = f"{self.what}: query {query!r}"
        documents, values, number_is = _values_of_records(entries, self.kind, self.named, what)
        if values is None:
            return self._ids(query, documents)
        return self.with_numbers(query, documents, list(map(_negative, values)) if number_is == "rank" else values)

    def _without_padding(self, entries: list[Any], ids: list[Any], is_array: bool = False) -> list[Any]:
        if not ids or type(ids[-1]) is not int:
            return entries
        padding = ids.count(PADDING)
        ends_with_it = ids[-1] == PADDING and (is_array or self.is_padded)
        if padding < 2 and not ends_with_it:
            return entries
        self.padding += padding
        return [entry for entry, id_ in zip(entries, ids, strict=True) if id_ != PADDING]

    def _checked(self, query: object, ids: Sequence[Any]) -> list[Any]:
        """The ids, all integers or all text."""
        types = set(map(type, ids))
        if types <= PLAIN and len(types) <= 1:
            return list(ids)
        for document in ids:
            if document is None or isinstance(document, tuple) or not isinstance(document, Hashable):
                raise DataError(
                    f"query {query!r} lists {described(document)} as a document. {FORM[self.kind]}", self.what
                )
        return plain_ids(ids, f"{self.what}: query {query!r} lists a document that")

    def _distinct(self, query: object, ids: list[Any]) -> list[Any]:
        """Each document once, as the policy says. A list begins with its best document."""
        if len(set(ids)) == len(ids):
            return ids
        if self.repeats == "error":
            seen: dict[Any, int] = {}
            for place, document in enumerate(ids, start=1):
                if document in seen:
                    refuse_repeat(
                        DataError(
                            f"query {query!r} lists document {document!r} twice, at places {seen[document]} and"
                            f" {place}. Remove one, or pass policy='duplicates=first'.",
                            self.what,
                        ),
                        self.faults,
                    )
                seen.setdefault(document, place)
        return list(dict.fromkeys(reversed(ids)))[::-1] if self.repeats == "last" else list(dict.fromkeys(ids))


def entries_of_lists(
    lists: Sequence[Any], kind: Kind, named: Mapping[str, str], place: Place
) -> tuple[list[Any], list[Any] | None, NumberIs]:
    """Lists of documents, and of their numbers if the entries of the lists are pairs or records that hold them."""
    documents: list[Any] = []
    numbers: list[Any] = []
    number_is: NumberIs = "score" if kind == "run" else "grade"
    for row, listed in enumerate(lists):
        is_empty = not isinstance(listed, list) or not listed
        values: list[Any] | None = [] if is_empty else None
        first = None if is_empty else listed[0]
        if isinstance(first, Mapping):
            listed, values, number_is = _values_of_records(listed, kind, named, place(row))
        elif isinstance(first, LISTS):
            _check_pairs(listed, kind, place(row))
            listed, values = map(list, zip(*listed, strict=True))
        documents.append(listed)
        numbers.append(values)
    is_numbered = any(numbers)
    if is_numbered and None in numbers:
        row = numbers.index(None)
        raise DataError(f"the documents have no {number_is}, and those of other rows have one.", place(row))
    return documents, numbers if is_numbered else None, number_is


def _values_of_records(
    records: list[Any], kind: Kind, named: Mapping[str, str], what: str
) -> tuple[list[Any], list[Any] | None, NumberIs]:
    """The documents of records; their numbers, if the first record has one; and what the numbers mean."""
    document, number, number_is = record_names(records[0], kind, named, what)
    _check_records(records, [document, number], what)
    documents = [record[document] for record in records]
    return documents, None if number is None else [record[number] for record in records], number_is


def _check_pairs(entries: list[Any], kind: Kind, what: str) -> None:
    for entry in entries:
        if not isinstance(entry, LISTS) or len(entry) != 2:
            size = f" of {len(entry)} entries" if isinstance(entry, LISTS) else ""
            raise DataError(
                f"a list of pairs, document and {NUMBER[kind]}, has {described(entry)}{size} in it. Each document needs"
                f" one {NUMBER[kind]}.",
                what,
            )


def _check_records(entries: list[Any], names: list[str | None], what: str) -> None:
    for place, entry in enumerate(entries, start=1):
        if not isinstance(entry, Mapping):
            raise DataError(f"a list of records has {described(entry)} at place {place}.", what)
        for name in filter(None, names):
            if name not in entry:
                raise DataError(f"the record at place {place} has no {name!r}, and the first has.", what)


def padding_remark(places: int, what: str) -> tuple[str, ...]:
    """The remark on padding that was left out, if any."""
    if not places:
        return ()
    hold = "holds" if places == 1 else "hold"
    return (f"{what}: {counted(places, 'place')} {hold} -1, which marks no document in a list of integers: left out",)


def record_names(
    names: Iterable[Any], kind: Kind, named: Mapping[str, str], what: str
) -> tuple[str, str | None, NumberIs]:
    """The names under which the records of a list have the document and its number, and what this number is."""
    known = [name for name in names if isinstance(name, str)]

    def find(role: str, aliases: tuple[str, ...]) -> str | None:
        return named[role] if named.get(role) in known else most_specific(known, aliases)

    document = find("document", _IDS)
    if document is None:
        raise DataError(
            f"the records of a list have no id of a document. Names {found_and_hint(known, 'document')}", what
        )
    if kind == "pairs":
        return document, None, "grade"
    roles: tuple[NumberIs, ...] = ("grade", "score") if kind == "qrels" else ("score", "rank")
    for role in roles:
        if number := find(role, ALIASES[role]):
            return document, number, "grade" if kind == "qrels" else role
    return document, None, roles[0]


def chosen_rows(documents: Sequence[Any], values: Sequence[Any], repeats: str) -> dict[Any, Any]:
    """Document -> number, in the order of the rows that count: the first, the last or the best of each document."""
    place_of: dict[Any, int] = {}
    for place, document in enumerate(documents):
        known = place_of.get(document)
        if known is None or repeats == "last" or (repeats == "best" and _is_better(values[place], values[known])):
            place_of[document] = place
    return {documents[place]: values[place] for place in sorted(place_of.values())}


def _is_better(value: object, other: object) -> bool:
    try:
        return number_of(value) > number_of(other)
    except NOT_A_NUMBER:
        return True  # what is not a number is kept, and reported later


def _negative(value: object) -> object:
    """A rank as a score: the first rank is the highest."""
    try:
        return -number_of(value)
    except NOT_A_NUMBER:
        return value
