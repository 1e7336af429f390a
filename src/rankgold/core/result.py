"""Gives every result the same methods: text, Markdown, LaTeX, HTML, CSV, JSON, dict, frame, save, plot."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from rankgold.core.document import Cell, Document, ResultTable
from rankgold.core.errors import DataError, MissingDependency

if TYPE_CHECKING:
    import pandas
    import polars


class Result:
    """A result defines what people read (`document`) and what programs read (`frame` and `to_dict`), nothing else.

    Everything else is made of these, in the same way for all results.
    """

    __slots__ = ()

    def document(self, digits: int = 4) -> Document:
        """The tables of the result, and the text around them."""
        raise NotImplementedError

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame with all digits, and a column for each fact."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts, lists and numbers with all digits; an undefined number is None."""
        raise NotImplementedError

    def full_table(self) -> ResultTable:
        """The rows of `frame`, as outputs for programs write them."""
        return frame_table(self.frame)

    def write(self, output: str, *, digits: int = 4, raw_ids: bool = False, **choices: object) -> str:
        """The text of the result in an output, by its name; `choices` are those of `document` and `to_dict`."""
        from rankgold.present.outputs import find_output

        chosen = find_output(output)
        content: Any
        if chosen.made_of == "dict":
            content = self.to_dict(**choices)
        elif chosen.made_of == "table":
            content = replace(self.full_table(**choices), raw_ids=raw_ids)
        else:
            content = self.document(digits, **choices)
            content = content.tables_alone if chosen.made_of == "tables" else content
        return chosen.write(content).removesuffix("\n")

    def to_text(self, *, digits: int = 4) -> str:
        return self.write("text", digits=digits)

    def to_markdown(self, *, digits: int = 4) -> str:
        return self.write("markdown", digits=digits)

    def to_latex(self, *, digits: int = 4) -> str:
        """Tables for the package booktabs."""
        return self.write("latex", digits=digits)

    def to_html(self, *, digits: int = 4) -> str:
        """A page of its own."""
        return self.write("html", digits=digits)

    def to_csv(self, *, raw_ids: bool = False) -> str:
        """One table, with all digits.

        An id that a spreadsheet would read as a formula gets a leading apostrophe, unless `raw_ids`.
        """
        return self.write("csv", raw_ids=raw_ids)

    def to_json(self, *, indent: int | None = 2) -> str:
        """Everything that `to_dict` returns, as text."""
        from rankgold.present.outputs.json import json_text

        return json_text(self.to_dict(), indent)

    def to_pandas(self) -> pandas.DataFrame:
        """The frame as a pandas frame."""
        return pandas_frame(self.frame)

    def save(self, path: str | os.PathLike[str], *, digits: int = 4, raw_ids: bool = False) -> None:
        """Writes a file (atomically) in the format of its ending: .txt, .md, .json and so on."""
        from rankgold.data.temporary_files import write_atomically
        from rankgold.present.outputs import output_names, outputs

        name = os.fspath(path)
        ending = os.path.splitext(name)[1].lower().lstrip(".")
        if ending not in output_names():
            endings = ", ".join(f".{known}" for chosen in outputs() for known in chosen.endings)
            raise DataError(f"the name of the file must end with its format: {endings}.", name)
        write_atomically(self.write(ending, digits=digits, raw_ids=raw_ids) + "\n", name)

    def __repr__(self) -> str:
        from rankgold.present.outputs.text import shown_document

        return shown_document(self.document(), colour=False).removesuffix("\n")

    def _repr_html_(self) -> str:
        return notebook_html(self.document())


class QueryResult(Result):
    """A result with values of queries: with `per_query`, tables have them too, and CSV has them instead."""

    __slots__ = ()

    def to_text(self, *, digits: int = 4, per_query: bool = False) -> str:
        return self.write("text", digits=digits, per_query=per_query)

    def to_markdown(self, *, digits: int = 4, per_query: bool = False) -> str:
        return self.write("markdown", digits=digits, per_query=per_query)

    def to_latex(self, *, digits: int = 4, per_query: bool = False) -> str:
        """Tables for the package booktabs."""
        return self.write("latex", digits=digits, per_query=per_query)

    def to_html(self, *, digits: int = 4, per_query: bool = False) -> str:
        """A page of its own."""
        return self.write("html", digits=digits, per_query=per_query)

    def to_csv(self, *, per_query: bool = False, raw_ids: bool = False) -> str:
        """One table, with all digits.

        An id that a spreadsheet would read as a formula gets a leading apostrophe, unless `raw_ids`.
        """
        return self.write("csv", per_query=per_query, raw_ids=raw_ids)


def notebook_html(document: Document) -> str:
    """What a notebook shows of a document."""
    from rankgold.present.outputs.html import html_document

    return html_document(document)


def pandas_frame(frame: polars.DataFrame) -> pandas.DataFrame:
    """The same frame for pandas, which need not have PyArrow."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingDependency("pandas", "pandas") from None

    return pd.DataFrame({column: frame[column].to_list() for column in frame.columns})


def row_frame(kind: type, rows: Sequence[Any]) -> polars.DataFrame:
    """A Polars frame of rows that are dataclasses of one kind: a column for each field, a str, an int or a float."""
    import polars as pl

    types = {"str": pl.String, "int": pl.Int64, "float": pl.Float64}
    schema = {field.name: types[str(field.type)] for field in fields(kind)}
    return pl.DataFrame({name: [getattr(row, name) for row in rows] for name in schema}, schema=schema)


def record_frame(rows: Iterable[Mapping[str, Any]], types: Mapping[str, type]) -> polars.DataFrame:
    """A Polars frame of these columns of dicts; each is a str, an int, a float or a bool, or None."""
    import polars as pl

    return pl.DataFrame([{name: row[name] for name in types} for row in rows], schema=dict(types))


def frame_table(frame: polars.DataFrame) -> ResultTable:
    """All columns of a frame as one table, for programs."""
    return ResultTable(frame.columns, frame_cells(frame), "l" * frame.width)


def frame_cells(frame: polars.DataFrame) -> list[list[Cell]]:
    """The rows of a frame for a table: floats as numbers, all else as text, and nothing for null."""
    return [
        ["" if value is None else value if isinstance(value, float) else str(value) for value in row]
        for row in frame.rows()
    ]


def known_fields(row: Any) -> dict[str, Any]:
    """The fields of a dataclass for JSON, by name."""
    return known_values(asdict(row))


def known_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Values for JSON: an undefined or infinite float is None."""
    return {name: known_number(value) if isinstance(value, float) else value for name, value in row.items()}


def known_number(number: float) -> float | None:
    """A number for JSON, which has none for undefined and infinite values."""
    return float(number) if math.isfinite(number) else None
