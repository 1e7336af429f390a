"""Judgements with a row for each document and subtopic in; one row for each document, beside its subtopics, out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from rankgold.data.ids import order_as_text, to_polars
from rankgold.data.query_groups import QueryGroups
from rankgold.errors import DataError
from rankgold.kernels.segments import Ints, starts_of
from rankgold.kernels.subtopics import Subtopics
from rankgold.matching.repeats import drop_repeats
from rankgold.policy import Policy


def split_subtopics(rows: QueryGroups, policy: Policy) -> tuple[QueryGroups, Subtopics]:
    """The judgements with one row for each document, of its highest grade; and its grades for subtopics."""
    assert rows.subtopics is not None
    rows = drop_repeats(rows, np.arange(len(rows.numbers)), "judges", policy)
    query = np.repeat(np.arange(len(rows.queries)), np.diff(rows.starts))
    frame = pl.DataFrame(
        {
            "query": query,
            "document": to_polars(rows.documents),
            "subtopic": rows.subtopics,
            "grade": rows.numbers,
            "weight": np.ones(len(query)) if rows.weights is None else rows.weights,
            "at": np.arange(len(query)),
        }
    )
    # In the order of numbers, where subtopics are numbers, whatever their type.
    numbered = frame.select("query", "subtopic").unique()
    numbered = numbered.sort("query", pl.col("subtopic").str.len_bytes(), "subtopic").with_row_index("number")
    frame = frame.join(numbered, on=["query", "subtopic"], how="left", maintain_order="left")
    weight = _weights(frame, rows)
    documents = frame.group_by("query", "document", maintain_order=True).agg(
        pl.col("grade").max(), pl.col("at").first(), pl.len().alias("count")
    )
    documents = documents.sort("query", maintain_order=True).with_row_index("row")
    entries = frame.join(documents.select("query", "document", "row"), on=["query", "document"], how="left")
    entries = entries.sort("row", "number")
    subtopics = Subtopics(
        starts_of(documents["count"].to_numpy().astype(np.int64)),
        entries["number"].to_numpy().astype(np.int64),
        entries["grade"].to_numpy(),
        numbered["subtopic"].to_list(),
        weight,
        _places(documents),
    )
    at = documents["at"].to_numpy()
    one_each = replace(
        rows,
        starts=starts_of(np.bincount(documents["query"].to_numpy(), minlength=len(rows.queries))),
        documents=documents["document"].rechunk(),
        numbers=documents["grade"].to_numpy(),
        row=at if rows.row is None else rows.row[at],
        subtopics=None,
        weights=None,
    )
    return one_each, subtopics


def _weights(frame: pl.DataFrame, rows: QueryGroups) -> np.ndarray:
    """The weight of each subtopic by its number, which is the same in all of its rows."""
    by_number = frame.group_by("number").agg(
        pl.col("weight").first(), (pl.col("weight").n_unique() > 1).alias("differs"), pl.col("at").first()
    )
    by_number = by_number.sort("number")
    if by_number["differs"].any():
        number = by_number.filter("differs")["number"][0]
        same = frame.filter(number=number)
        other = same.filter(same["weight"] != same["weight"][0])
        raise DataError(
            f"query {rows.queries[same['query'][0]]!r} gives subtopic {same['subtopic'][0]!r} the weight"
            f" {other['weight'][0]:g}, and in another row {same['weight'][0]:g}. A subtopic has one weight.",
            rows.place_of(other["at"][0]),
        )
    return by_number["weight"].to_numpy().astype(np.float64)


def _places(documents: pl.DataFrame) -> Ints:
    """The place of each document of a query by its id as text, from the last to the first."""
    order = order_as_text(documents["document"], documents["query"].to_numpy(), descending=True)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places
