"""A collection in, the changes out after which more of its ids match; a change in, what it moves out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun, largest
from rankgold.diagnosis.findings import Effect, Finding, Severity
from rankgold.diagnosis.id_changes import CASE, SPACES, IdChange, form_changes, matches_after

_SUITABLE = 0.5


@dataclass(frozen=True, slots=True)
class FoundChange:
    """A change after which ids of queries or of documents match."""

    change: IdChange
    role: str
    matches: int
    unmatched: int
    """How many ids or pairs of the judgements do not match as they are."""
    judged: str
    ranked: str
    """The first pair of ids that would match."""
    before: tuple[tuple[IdChange, str], ...] = ()
    """Changes that have to be made first: of the ids of queries, if neither these nor the documents match."""


def changes_of_run(collection: ExaminedData, run: ExaminedRun) -> list[FoundChange]:
    """The changes of the ids of queries and then of documents, the most frequent first; found once for a run."""
    if run.name not in collection.found_changes:
        collection.found_changes[run.name] = list(_find_changes(collection.judgements, run.frame))
    found: list[FoundChange] = collection.found_changes[run.name]
    return found


def _find_changes(judgements: pl.DataFrame, ranking: pl.DataFrame) -> Iterator[FoundChange]:
    as_text = pl.col("query", "document").cast(pl.String)
    judged, ranked = (frame.select("query", "document").with_columns(as_text) for frame in (judgements, ranking))
    own, other = (frame.select(id=pl.col("query")).unique(maintain_order=True) for frame in (judged, ranked))
    of_queries = list(_changes(own, other, "query"))
    yield from of_queries
    before: tuple[tuple[IdChange, str], ...] = ()
    if of_queries:
        first = of_queries[0].change
        judged = judged.with_columns(first.judged(pl.col("query")))
        ranked = ranked.with_columns(first.ranked(pl.col("query")))
        before = ((first, "query"),)
    common = judged.join(ranked, on="query", how="semi", maintain_order="left").rename({"document": "id"})
    yield from _changes(common, ranked.rename({"document": "id"}), "document", before)


def _changes(
    judged: pl.DataFrame, ranked: pl.DataFrame, role: str, before: tuple[tuple[IdChange, str], ...] = ()
) -> Iterator[FoundChange]:
    keys = judged.columns
    unmatched = judged.join(ranked, on=keys, how="anti", maintain_order="left")
    surplus = ranked.join(judged, on=keys, how="anti", maintain_order="left")
    if not unmatched.height or not surplus.height:
        return
    plain = [(change, matches_after(change, unmatched, surplus)) for change in (SPACES, CASE)]
    others = unmatched
    for _, matches in plain:  # a space is not a prefix
        others = others.join(matches, on=keys, how="anti", maintain_order="left") if matches.height else others
    best_form = list(form_changes(others, surplus))[:1]
    if not best_form and role == "document":  # of a few queries only, in which then no document matches
        hits = judged.join(ranked, on=keys, how="semi")
        hitless = others.join(hits, on="query", how="anti", maintain_order="left")
        best_form = list(form_changes(hitless, surplus.join(hitless, on="query", how="semi", maintain_order="left")))[
            :1
        ]
    for change, matches in [*(pair for pair in plain if pair[1].height), *best_form]:
        pair = matches.row(0, named=True)
        yield FoundChange(change, role, matches.height, unmatched.height, pair["id"], pair["id_right"], before)


def id_finding(collection: ExaminedData, run: ExaminedRun, found: FoundChange) -> Finding:
    """The finding that a change of ids would make them match."""
    what = (
        f"{found.matches:,} of the {found.unmatched:,} judged {_noun(found.role)} that the run does not have would"
        f" match with {found.change.done}"
    )
    severity: Severity = "error" if found.matches >= _SUITABLE * found.unmatched or run.hits is None else "warning"
    return Finding(
        severity,
        what,
        f"judged: {found.judged!a}, ranked: {found.ranked!a}",
        found.change.advice,
        change_effect(collection, run, found.change, (found.role,), found.before),
    )


def _noun(role: str) -> str:
    return "queries" if role == "query" else "documents"


def change_effect(
    collection: ExaminedData,
    run: ExaminedRun,
    change: IdChange,
    roles: tuple[str, ...] = ("query", "document"),
    before: tuple[tuple[IdChange, str], ...] = (),
) -> Effect:
    """The means of a run as they are, and with the ids changed on both sides."""
    judged, ranked = collection.judgements, run.frame
    for step, role in (*before, *((change, role) for role in roles)):
        ids = pl.col(role).cast(pl.String)
        judged, ranked = judged.with_columns(step.judged(ids)), ranked.with_columns(step.ranked(ids))
    return collection.effect(run, f"with {change.done}", judged=judged, ranked=ranked)


def largest_change_effect(collection: ExaminedData, change: IdChange) -> Effect | None:
    return largest(change_effect(collection, run, change) for run in collection.runs)
