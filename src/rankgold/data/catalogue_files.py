"""A file with items in, all of its columns as a frame, or the items themselves, out."""

from __future__ import annotations

from typing import Any

from rankgold.data.columns import normal_name
from rankgold.data.formats.columnar import frame_of_columns
from rankgold.data.formats.delimited import frame_with_header
from rankgold.data.formats.registry import fields_of_line, first_separator
from rankgold.data.input_file import InputFile
from rankgold.data.text_lines import parsed_json
from rankgold.errors import DataError

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
