"""Files as frames, for those who want to look before they evaluate."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from karat.data.schema import Kind
from karat.data.sources import read

if TYPE_CHECKING:
    import polars


def read_qrels(path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> polars.DataFrame:
    """The judgements of a file, checked, as a Polars frame: query, document, grade."""
    return _frame(path, "qrels", columns)


def read_run(path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None) -> polars.DataFrame:
    """The rankings of a file, checked, as a Polars frame: query, document, score, and run where it holds several."""
    return _frame(path, "run", columns)


def _frame(path: str | os.PathLike[str], kind: Kind, columns: Mapping[str, str] | None) -> polars.DataFrame:
    from karat.matching.tabular import as_table

    return as_table(read(path, kind, columns, as_table=True), kind).frame
