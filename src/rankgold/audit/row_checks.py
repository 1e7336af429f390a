"""Checks rows and the length of lists."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.audit.examined_data import (
    ExaminedData,
    ExaminedRun,
    InspectedRows,
    check_of_collection,
    check_of_rows,
    check_of_run,
    largest,
)
from rankgold.audit.findings import Finding, agreed, is_worth_a_finding
from rankgold.core.errors import counted
from rankgold.data.exclusion import duplicate_error


@check_of_rows(order=20)
def bad_rows(collection: ExaminedData, rows: InspectedRows, run: ExaminedRun | None) -> Iterator[Finding]:
    """Lines with too few or too many fields, missing ids, grades or scores that are not finite numbers."""
    if rows.faults.bad_rows:
        yield Finding(
            "error",
            f"{counted(rows.faults.bad_rows, 'row')} of {rows.name} cannot be read, so evaluate refuses it",
            str(rows.faults.bad[0]),
            "Correct these rows or remove them.",
            collection.effect_on(run, "with these rows left out", is_refused=True),
        )


_CHANGE = "with the last row of each document instead of the first"
_ADVICE = "Remove all rows of a document but one, or pass --policy duplicates=first or last."


@check_of_rows(order=30)
def duplicates(collection: ExaminedData, rows: InspectedRows, run: ExaminedRun | None) -> Iterator[Finding]:
    """The same document twice in a query, in the judgements or in a run. Its rows may have different numbers."""
    for what, example in _repeats(rows, *(("judges", "grade") if run is None else ("ranks", "score"))):
        yield Finding(
            "error", what, example, _ADVICE, collection.effect_on(run, _CHANGE, policy={"duplicates": "last"})
        )


def _repeats(rows: InspectedRows, verb: str, number: str) -> Iterator[tuple[str, str]]:
    if rows.faults.repeated_rows:
        count = rows.faults.repeated_rows
        what = f"{counted(count, 'row')} of {rows.name} {agreed(count, 'repeats', 'repeat')} an id; evaluate refuses it"
        yield what, str(rows.faults.repeats[0])
    frame = rows.table.frame
    keys = [key for key in ("query", "document", "subtopic") if key in frame.columns]
    is_repeated = frame.select(keys).is_duplicated()
    if not is_repeated.any():
        return
    repeats = frame.with_row_index("row").filter(is_repeated)
    by_document = repeats.group_by(keys, maintain_order=True).agg("row", contradicts=pl.col(number).n_unique() > 1)
    surplus = repeats.height - by_document.height
    contradicting = int(by_document["contradicts"].sum())
    what = (
        f"{counted(surplus, 'row')} of {rows.name} {agreed(surplus, 'repeats', 'repeat')} a document of a query,"
        f" {contradicting:,} of them with another {number}; evaluate refuses it"
    )
    first = by_document.sort("contradicts", descending=True, maintain_order=True).row(0, named=True)
    places = [rows.table.place(row) for row in first["row"][:2]]
    yield what, str(duplicate_error(first["query"], verb, first["document"], *places))


@check_of_collection(order=10)
def unreadable(collection: ExaminedData) -> Iterator[Finding]:
    """A file or an object that cannot be read as judgements or as a run."""
    for error in collection.unreadable:
        place = error.place or "the data"
        reason = str(error).removeprefix(f"{place}: ")
        yield Finding("error", f"{place} cannot be read", reason, "Mend what the example says, and look again.")


@check_of_run(order=250)
def seen_items(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Items of the training set that are recommended again to the user who had them."""
    if collection.train is None:
        return
    again = _in_train(run.frame, collection.train)
    if again.height:
        yield Finding(
            "warning",
            f"{again.height:,} of {run.frame.height:,} recommendations are items that the user had in the training set",
            _first(again),
            "Take them out where lists are made, or with --exclude when you evaluate.",
            collection.effect(run, "with exclude=train", exclude=collection.train),
        )


@check_of_collection(order=251)
def judged_train_items(collection: ExaminedData) -> Iterator[Finding]:
    """Items of the training set that are judged for the same user: the system was trained on the test."""
    if collection.train is None:
        return
    leaked = _in_train(collection.judgements, collection.train)
    if leaked.height:
        keys = [pl.col("query", "document").cast(pl.String)]
        pairs = leaked.select(keys)
        judged = collection.judgements.with_columns(keys).join(pairs, on=["query", "document"], how="anti")
        yield Finding(
            "error",
            f"{leaked.height:,} of {collection.judgements.height:,} judgements are of items in the training set",
            _first(leaked),
            "Divide the interactions again, so that no pair is in both sets.",
            collection.largest_effect("with these judgements left out", judged=judged),
        )


def _in_train(frame: pl.DataFrame, train: pl.DataFrame) -> pl.DataFrame:
    keys = pl.col("query", "document").cast(pl.String)
    return frame.select(keys).join(train.select(keys), on=["query", "document"], how="semi", maintain_order="left")


def _first(pairs: pl.DataFrame) -> str:
    query, document = pairs.row(0)
    return f"user {query!r}, item {document!r}"


# A list is short if it has less than this share of the usual number of documents, where that is large enough.
_SHARE, _USUAL = 0.1, 20


@check_of_run(order=230)
def short_lists(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Lists with less than a tenth of the usual number of documents: cut off, or a query that found little."""
    by_query = run.by_query
    usual = float(by_query["documents"].median() or 0)  # type: ignore[arg-type]
    short = by_query.filter(pl.col("documents") < _SHARE * usual)
    if usual < _USUAL or not short.height:
        return
    query, documents = short.sort("documents", maintain_order=True).select("query", "documents").row(0)
    others = by_query.filter(~pl.col("query").is_in(short["query"].to_list()))["query"].to_list()
    yield Finding(
        "note",
        f"{counted(short.height, 'query')} of {by_query.height:,} {agreed(short.height, 'has', 'have')} much less"
        f" than the usual {usual:,.0f} documents",
        f"query {query!r}: {documents:,}",
        "Check that the file was written to the end, and that the search of these queries did not fail.",
        collection.effect(run, "with these queries left out", topics=others),
    )


_TIMES = 2


@check_of_collection(order=220)
def unequal_depth(collection: ExaminedData) -> Iterator[Finding]:
    """A run with lists at least twice as deep as another's, if that changes a mean by 0.005 or more."""
    depth = {run.name: run.by_query["documents"].to_numpy().max() for run in collection.runs if run.by_query.height}
    if len(depth) < 2 or max(depth.values()) < _TIMES * min(depth.values()):
        return
    lowest = min(depth, key=lambda name: depth[name])
    cut = int(depth[lowest])
    deeper = [run for run in collection.runs if depth.get(run.name, 0) > cut]
    effect = largest(collection.effect(run, f"with depth={cut}", policy={"depth": cut}) for run in deeper)
    if effect is None or not is_worth_a_finding(effect):
        return
    yield Finding(
        "warning",
        f"the runs have lists of different depth, from {min(depth.values()):,} to {max(depth.values()):,} documents:"
        " measures without a cutoff favour the deeper ones",
        f"{lowest}: {cut:,} documents, {effect.run}: {depth[effect.run]:,}",
        f"Write lists of one depth, or cut them with --depth {cut}.",
        effect,
    )
