"""What users had before, among recommendations and judgements."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_collection, check_of_run


@check_of_run
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


@check_of_collection
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
