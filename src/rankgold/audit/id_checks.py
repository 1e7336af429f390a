"""Checks ids of both sides."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.audit.examined_data import (
    Changes,
    ExaminedData,
    ExaminedRun,
    InspectedRows,
    change_effect,
    check_of_rows,
    check_of_run,
    id_finding,
    largest,
)
from rankgold.audit.findings import Effect, Finding, agreed
from rankgold.audit.id_changes import CASE, OUTER_SPACE, SPACES
from rankgold.core.errors import counted
from rankgold.data.matching.judgements import IDS_AS_TEXT
from rankgold.scoring.score_document import finds_nothing_judged, swapped_remark


@check_of_run(order=70)
def id_case(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Ids of the two sides that would match if case did not count."""
    for found in run.id_changes:
        if found.change is CASE:
            yield id_finding(collection, run, found)


@check_of_run(order=80)
def id_forms(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Ids that would match without a prefix, a suffix, zeros before a number, quotes, or in one Unicode form."""
    for found in run.id_changes:
        if found.change not in (CASE, SPACES):
            yield id_finding(collection, run, found)


_ROLES = ("query", "document")


@check_of_rows(order=60)
def id_spaces(collection: ExaminedData, rows: InspectedRows, run: ExaminedRun | None) -> Iterator[Finding]:
    """Spaces or invisible characters before or after ids. Such an id matches no id without them."""
    for role in _ROLES:
        column = rows.table.frame[role]
        if column.dtype != pl.String:
            continue
        ids = column.unique(maintain_order=True)
        ids = ids.filter(ids.str.contains(OUTER_SPACE))
        if len(ids):
            yield Finding(
                "error",
                f"{counted(len(ids), f'{role} id')} of {rows.name} {agreed(len(ids), 'has', 'have')} spaces or"
                " invisible characters at their ends",
                ascii(ids[0]),
                SPACES.advice,
                _effect(collection, run),
            )


def _effect(collection: ExaminedData, run: ExaminedRun | None) -> Effect | None:
    """The effect of stripping all ids, on a run; on the most affected run if it is None."""
    runs = collection.runs if run is None else [run]
    return largest(change_effect(collection, moved, *((SPACES, role) for role in _ROLES)) for moved in runs)


@check_of_run(order=90)
def id_types(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Ids of two types. rankgold compares them as text; other tools find no match."""
    if IDS_AS_TEXT not in run.notes.remarks:
        return
    roles = [role for role in ("query", "document") if run.frame[role].dtype != collection.judgements[role].dtype]
    role = roles[0] if roles else "document"
    judged, ranked = collection.judgements[role].first(), run.frame[role].first()
    # An id with its type before it matches no id of another type.
    typed = run.frame.with_columns(pl.format("typed {}", pl.col(name)).alias(name) for name in roles)
    yield Finding(
        "note",
        f"{role} ids are integers on one side and text on the other: compared as text",
        f"judged: {judged!r}, ranked: {ranked!r}",
        "Write ids as text on both sides before you use other tools, joins of frames for example.",
        collection.effect(run, "with ids compared by type, as other tools do", ranked=typed),
    )


_PLACEHOLDERS = ["", "nan", "NaN", "None", "null", "NULL", "<NA>", "undefined", "-1"]


@check_of_rows(order=100)
def placeholder_ids(collection: ExaminedData, rows: InspectedRows, run: ExaminedRun | None) -> Iterator[Finding]:
    """Ids such as nan, None, null or -1, which mark a missing value where the file was written."""
    frame = rows.table.frame
    is_placeholder = pl.any_horizontal(pl.col("query", "document").cast(pl.String).is_in(_PLACEHOLDERS))
    found = frame.select(found=is_placeholder)["found"]
    if not found.any():
        return
    at, count = found.arg_true()[0], int(found.sum())
    query, document = frame.select("query", "document").row(at)
    left = frame.filter(~found)
    changes: Changes = {"judged": left} if run is None else {"ranked": left}
    yield Finding(
        "warning",
        f"{counted(count, 'row')} of {rows.name} {agreed(count, 'has', 'have')} a mark of a missing value as id",
        f"{rows.table.place(at)}: query {query!r}, document {document!r}",
        "Remove these rows, or find out where the id got lost.",
        collection.effect_on(run, "with these rows left out", **changes),
    )


@check_of_run(order=50)
def nothing_in_common(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """No query of a run is judged, or no document in its lists."""
    advice = "Check that both belong to the same collection; findings on ids, if any, say how they would match."
    if run.hits is None:
        role, what = "query", "no query is both judged and ranked, so evaluate refuses it"
    elif finds_nothing_judged(run.notes):
        role, what = "document", "no document in the lists is judged for its query, so every measure is 0"
    else:
        return
    judged, ranked = (
        repr(frame[role].first()) if frame.height else "none" for frame in (collection.judgements, run.frame)
    )
    yield Finding("error", what, f"judged: {judged}, ranked: {ranked}", advice, unmeasured=f"no {role} matches")


@check_of_run(order=40)
def swapped(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Grades that look like scores, and scores that look like grades."""
    for remark in swapped_remark(run.notes):
        judged = collection.judgements.select("query", "document", score="grade")
        ranked = run.frame.select("query", "document", grade="score")
        example = f"a grade is {run.notes.grades.highest:g}, a score {run.notes.scores.highest:g}"
        effect = collection.effect(run, "with the two exchanged", judged=ranked, ranked=judged)
        yield Finding("error", remark, example, "Pass the judgements first, then the run.", effect)
