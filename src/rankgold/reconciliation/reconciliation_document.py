"""A Reconciliation in, the document that people read out."""

from __future__ import annotations

from rankgold.errors import listing
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.text import number
from rankgold.reconciliation.result import Match, Reconciliation

_MOST_QUERIES = 5


def reconciliation_document(found: Reconciliation, digits: int, most: int, distinction: bool) -> Document:
    """A table of the conventions, a sentence for each, and how each is written."""
    matches = (found.matches or found.nearest)[:most]
    rows: list[list[Cell]] = [_row(i, match, found) for i, match in enumerate(matches, 1)]
    header = ["", "convention", "value", "queries moved", *(["queries given"] if found.queries_given else []), "tools"]
    alignment = "rlrr" + "r" * bool(found.queries_given) + "l"
    facts: list[tuple[str, str]] = []
    for i, match in enumerate(matches, 1):
        facts.append((str(i), match.sentence))
        facts.append(("write", match.command + (f"  ({match.preparation})" if match.preparation else "")))
        if match.same:
            facts.append(("same here", listing(match.same)))
    return Document(
        [ResultTable(header, rows, alignment, keys=2, digits=digits)],
        found.sentence,
        facts=facts,
        notes=_notes(found, digits, most),
        following=_distinction_documents(found) if distinction else (),
    )


def _row(i: int, match: Match, found: Reconciliation) -> list[Cell]:
    agreeing = [f"{match.queries_agreeing} of {found.queries_given}"] if found.queries_given else []
    return [str(i), match.convention, match.value, str(match.queries_moved), *agreeing, listing(match.tools, 4)]


def _notes(found: Reconciliation, digits: int, most: int) -> list[str]:
    written = found.as_written
    notes = [f"as written, {found.measure} is {number(written.value, digits)}", *found.notes]
    if len(found.matches) > most:
        notes.append(f"{len(found.matches) - most} more conventions fit: JSON has all")
    if found.unexplained:
        notes.append(f"no convention gives the value of {listing(found.unexplained, _MOST_QUERIES)}")
    if found.unknown_queries:
        notes.append(f"not judged, and left out: {listing(found.unknown_queries, _MOST_QUERIES)}")
    return notes


def _distinction_documents(found: Reconciliation) -> list[Document]:
    """The first query that tells conventions apart, worked out under both."""
    from rankgold.explanation.explanation_document import explanation_document

    distinction = found.distinction
    if distinction is None:
        return []
    first, second = distinction.conventions
    given = "" if distinction.given is None else f"; the given value is {distinction.given:g}"
    cases = list(zip(distinction.conventions, distinction.values, distinction.workings, strict=True))
    notes = [
        f"{name}: the query is left out, or has no working ({number(value, 6)})"
        for name, value, working in cases
        if working is None
    ]
    summary = Document([], f"query {distinction.query} tells {first} from {second}{given}", notes=notes)
    return [summary, *(explanation_document(working, 6) for *_, working in cases if working is not None)]
