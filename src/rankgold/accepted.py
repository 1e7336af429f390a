"""Names what users may pass, so that signatures say what is accepted."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy.typing as npt

    from rankgold.data.slices import Slices
    from rankgold.declaration.metric import Measure, Metric
    from rankgold.hits import Hits
    from rankgold.scoring.scores import Scores


class Frame(Protocol):
    """A table of any library: Polars, pandas, PyArrow, DuckDB, Spark."""

    @property
    def columns(self) -> Any: ...


class SparseMatrix(Protocol):
    """A sparse matrix of SciPy, or of another library with the same methods."""

    def tocsr(self) -> Any: ...


Path: TypeAlias = "str | os.PathLike[str]"
Judgements: TypeAlias = "Path | Frame | Mapping[Any, Any] | Collection[Any] | SparseMatrix"
"""A file, a table, a dict of dicts or of lists, records, or a sparse matrix."""
Runs: TypeAlias = "Path | Frame | Mapping[Any, Any] | Collection[Any] | SparseMatrix"
"""A run in one of the forms of judgements; or several, in a list or a dict by name."""
Measures: TypeAlias = "str | Measure | Metric | Iterable[str | Measure | Metric]"
"""One measure or several, by name or as objects."""
QueryIds: TypeAlias = "Path | Iterable[Any]"
"""The ids of queries, or a file with one in each line."""
SeenDocuments: TypeAlias = "Path | Frame | Mapping[Any, Any] | Collection[Any]"
"""Pairs of query and document: a file, a table, a dict from query to documents, or a list of pairs."""
By: TypeAlias = "Path | Collection[str] | Frame | Mapping[Any, Any] | Slices | None"
"""What divides queries into slices: a table of attributes, or the names of columns."""
Array: TypeAlias = "npt.ArrayLike | SparseMatrix"
"""An array, a tensor, a column, or lists of numbers."""
Labels: TypeAlias = "Collection[Any]"
"""The grades of a ranking from the top, or of several rankings: lists, arrays or columns."""
PlotData: TypeAlias = "Hits | Scores | Labels | Mapping[str, Hits | Scores | Labels]"
"""What a plot shows, or several of these by name."""
