"""Reads a catalogue of items: ids, categories, numbers, groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError, counted, listing
from rankgold.core.segments import Floats
from rankgold.data.checked_columns import checked_ids
from rankgold.data.columns import ALIASES, found_and_hint, most_specific, normal_name
from rankgold.data.files import open_file
from rankgold.data.formats.columnar import frame_of_columns
from rankgold.data.formats.delimited import frame_with_header
from rankgold.data.formats.registry import fields_of_line, first_separator
from rankgold.data.frames import column_of, columns_of_records, frame_of
from rankgold.data.ids import id_series
from rankgold.data.input_file import InputFile
from rankgold.data.inputs import is_path, parsed_json
from rankgold.data.polars_guard import check_polars
from rankgold.data.table import row_places

_LINES = (".jsonl", ".ndjson")


def content_of_file(file: InputFile, ids: tuple[str, ...]) -> Any:
    """The table in a file, or what its JSON holds; a list of ids, if the file has one id a line.

    `ids` are the names by which a column of ids is known.
    """
    with file.translated_faults():
        file.checked_head()
        if (frame := frame_of_columns(file)) is not None:
            return frame
        first = next(file.first_lines(), "")
        if file.ending in _LINES:
            return [parsed_json(line, f"{file.label}:{i}") for i, line in enumerate(file.lines(), 1) if line.strip()]
        if file.ending == ".json" or first.lstrip().startswith(("{", "[")):
            return parsed_json(file.text(), file.label)
        return _table(file, first, ids)


def _table(file: InputFile, first: str, ids: tuple[str, ...]) -> Any:
    """A table with a header; or one id a line, with or without a header. Ids stay as they are written."""
    separator = first_separator(first)
    if separator is None:
        lines = file.lines().str.strip_chars(" \t\r\ufeff")
        listed = lines.filter(lines != "")
        return listed[1:] if normal_name(listed[0]) in ids else listed
    if "\r" in first.rstrip("\r\n"):
        raise DataError("its lines end with a carriage return alone. Save the file with usual line ends.", file.label)
    names = [name.strip().strip('"') for name in fields_of_line(first, separator)]
    frame = frame_with_header(file, separator)
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


FEATURES: dict[str, tuple[str, ...]] = {
    "category": ("category", "categories", "genre", "genres", "tag", "tags", "topic", "topics"),
    "embedding": ("embedding", "embeddings", "vector", "features"),
    "group": ("group", "groups", "provider", "supplier"),
}
"""What a column of a catalogue may hold besides ids, and the names by which it is known."""

_IDS = (*ALIASES["document"], "id", "_id")
_WHAT = "the catalogue"
_BETWEEN = "|"


@dataclass(frozen=True, slots=True, eq=False)
class ItemTable:
    """The items of a catalogue, each once, with their features."""

    ids: pl.Series
    categories: pl.Series | None = None
    """A list of texts for each item."""
    vectors: Floats | None = None
    """A row of numbers for each item; NaN if it has none."""
    group: pl.Series | None = None
    remarks: tuple[str, ...] = ()
    """Columns that look like numbers and are not."""


def read_items(source: object, columns: Mapping[str, str] | None = None) -> ItemTable:
    """The catalogue in a list or set of ids, a dict from item to features, a frame, records, or a file of these."""
    check_polars()
    named = dict(columns or {})
    label = _WHAT
    if is_path(source):
        label = str(source)
        source = content_of_file(open_file(source, "pairs", {}), _IDS)
    if isinstance(source, Mapping):
        source = _frame_of_dict(source)
    if (frame := frame_of(source, _WHAT)) is None:
        return ItemTable(_ids(source))
    return _item_table(frame, named, label)


def feature_columns(columns: Mapping[str, str] | None) -> tuple[dict[str, str], dict[str, str]]:
    """The columns that the user named: those of features, and all others."""
    others = dict(columns or {})
    features = {role: others.pop(role) for role in [*others] if role in FEATURES}
    return features, others


def _ids(source: object) -> pl.Series:
    if hasattr(source, "to_list"):
        source = source.to_list()
    elif hasattr(source, "tolist"):
        source = source.tolist()
    if isinstance(source, (str, bytes)) or not isinstance(source, Iterable):
        raise DataError(
            f"this {type(source).__name__} is not a catalogue. Pass a list of ids, a dict from item to features, a"
            " frame or a path.",
            _WHAT,
        )
    ids = id_series(list(source), f"{_WHAT}: an item")
    if not len(ids):
        raise DataError("there are no items.", _WHAT)
    return checked_ids(ids, "item", row_places(_WHAT)).unique(maintain_order=True)


def _frame_of_dict(source: Mapping[Any, Any]) -> pl.DataFrame:
    """A dict from item to a category, to a list of categories, to a list of numbers, or to a dict of all these."""
    if not source:
        raise DataError("there are no items.", _WHAT)
    values = list(source.values())
    ids = {"item": id_series(list(source), f"{_WHAT}: an item")}
    if all(isinstance(value, Mapping) for value in values):
        return pl.DataFrame(ids | columns_of_records(values, _WHAT))
    if any(isinstance(value, Mapping) for value in values):
        raise DataError("some items have a dict of features, and others do not. Give all of them one.", _WHAT)
    listed = [value.tolist() if hasattr(value, "tolist") else value for value in values]
    entries = [entry for value in listed if isinstance(value, (list, tuple, set, frozenset)) for entry in value]
    are_numbers = entries and all(isinstance(entry, (int, float)) and not isinstance(entry, bool) for entry in entries)
    role = "embedding" if are_numbers else "category"
    return pl.DataFrame({**ids, role: column_of(listed, role, _WHAT)})


def _item_table(frame: pl.DataFrame, named: Mapping[str, str], label: str) -> ItemTable:
    if not frame.height:
        raise DataError("there are no items.", label)
    columns = {"item": _id_column(frame, named, label)}
    for role, aliases in FEATURES.items():
        if role in named:
            if named[role] not in frame.columns:
                raise DataError(f"there is no column {named[role]!r}. Columns: {listing(frame.columns, 20)}.", label)
            columns[role] = named[role]
            continue
        rest = (name for name in frame.columns if name not in columns.values())
        if (column := next((name for name in rest if normal_name(name) in aliases), None)) is not None:
            columns[role] = column
    ids = checked_ids(frame[columns["item"]], "item", row_places(label))
    others = [name for name in frame.columns if name not in columns.values()]
    categories = _categories(frame[columns["category"]], label) if "category" in columns else None
    group = _group(frame[columns["group"]], label) if "group" in columns else None
    remarks: tuple[str, ...] = ()
    if "embedding" in columns:
        vectors: Floats | None = _embeddings(frame[columns["embedding"]], label)
    else:
        vectors, remarks = _numbers(frame.select(others), label)
    if vectors is not None and np.isinf(vectors).any():
        item = ids[int(np.flatnonzero(np.isinf(vectors).any(axis=1))[0])]
        raise DataError(f"item {item!r} has an infinite number among its features. Numbers must be finite.", label)
    if frame.width == 1 or (categories is None and group is None and vectors is None):
        return ItemTable(ids.unique(maintain_order=True), remarks=remarks)
    if (repeated := ids.is_duplicated()).any():
        raise DataError(f"item {ids.filter(repeated)[0]!r} is in the catalogue twice. Keep one of the rows.", label)
    return ItemTable(ids, categories, vectors, group, remarks)


def _id_column(frame: pl.DataFrame, named: Mapping[str, str], label: str) -> str:
    wanted = next((named[role] for role in named if normal_name(role) in _IDS), None)
    if wanted in frame.columns:
        return str(wanted)
    if frame.width == 1:
        return frame.columns[0]
    column = most_specific(frame.columns, _IDS)
    if column is None:
        raise DataError(
            f"cannot tell which column holds the item. Columns {found_and_hint(frame.columns, 'item')}", label
        )
    return column


def _categories(column: pl.Series, label: str) -> pl.Series:
    """Lists of texts; a text may hold several, as in `Comedy|Drama`."""
    if isinstance(column.dtype, pl.Array):
        column = column.arr.to_list()
    entry = column.dtype.inner if isinstance(column.dtype, pl.List) else column.dtype
    if entry.is_nested() or entry == pl.Object:
        raise DataError(f"the column of categories is of type {column.dtype}. Categories must be text or lists.", label)
    if isinstance(column.dtype, pl.List):
        lists = column.cast(pl.List(pl.String))
    else:
        lists = column.cast(pl.String).str.split(_BETWEEN)
    stripped = lists.list.eval(pl.element().str.strip_chars())
    return stripped.list.eval(pl.element().filter(pl.element().is_not_null() & (pl.element() != ""))).list.unique()


def _group(column: pl.Series, label: str) -> pl.Series:
    if column.dtype.is_nested() or column.dtype == pl.Object:
        raise DataError(f"the column of groups is of type {column.dtype}. A group must be text.", label)
    return column.cast(pl.String)


def _embeddings(column: pl.Series, label: str) -> Floats:
    if isinstance(column.dtype, pl.Array):
        column = column.arr.to_list()
    if column.dtype == pl.String:  # such as [0.1, 0.2] in CSV
        column = column.str.strip_chars("[]() ").str.replace_all(r"[,;|\s]+", " ").str.split(" ")
    if not isinstance(column.dtype, pl.List):
        raise DataError(
            f"the column of embeddings is of type {column.dtype}. It must hold a list of numbers in each row.", label
        )
    numbers = column.cast(pl.List(pl.Float64), strict=False)
    lengths = numbers.list.len().fill_null(0)
    width = max(lengths.to_list(), default=0)
    wrong = ((lengths != width) & (lengths > 0)).arg_true()
    if len(wrong):
        raise DataError(
            f"an embedding has {counted(int(lengths[wrong[0]]), 'number')}, and others have {width}.", label
        )
    if not width or (bad := numbers.list.eval(pl.element().is_null()).list.any().fill_null(False)).any():
        row = int(bad.arg_true()[0]) if width else 0
        raise DataError(f"an embedding is not a list of numbers: {str(column[row])[:60]!r}.", f"{label}, row {row + 1}")
    vectors = np.full((len(column), width), np.nan)
    vectors[(lengths == width).to_numpy()] = numbers.explode().drop_nulls().to_numpy().reshape(-1, width)
    return vectors


def _numbers(frame: pl.DataFrame, label: str) -> tuple[Floats | None, tuple[str, ...]]:
    """The columns of numbers, and those of text that is a number in every row, as a matrix.

    A column in which most texts are numbers, but not all, is left out with a remark.
    """
    columns, remarks = [], []
    for column in frame.get_columns():
        if column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.String):
            numbers = column.cast(pl.Float64, strict=False)
            given = len(column) - column.null_count()
            if numbers.null_count() == column.null_count() < len(column):
                columns.append(numbers.fill_null(np.nan).to_numpy())
            elif 2 * (len(column) - numbers.null_count()) > given:
                row = int((numbers.is_null() & column.is_not_null()).arg_true()[0])
                place, text = row_places(label)(row), str(column[row])[:60]
                remarks.append(f"{place}: {text!r} is not a number, so the column {column.name!r} is not used")
    return np.column_stack(columns) if columns else None, tuple(remarks)
