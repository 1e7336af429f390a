"""Names what users may pass, so that signatures say what is accepted."""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy.typing as npt

    from rankgold.core.hits import Hits
    from rankgold.data.exclusion import Exclusion
    from rankgold.data.rows import Rows
    from rankgold.data.selection import Topics
    from rankgold.data.slices import Slices
    from rankgold.engines.protocol import EngineChoice
    from rankgold.judging.candidates import NumberedRuns
    from rankgold.measures.metric import Measure, Metric
    from rankgold.scoring.scores import Scores


class Frame(Protocol):
    """A table of any library: Polars, pandas, PyArrow, DuckDB, Spark."""

    @property
    def columns(self) -> Any: ...


class SparseMatrix(Protocol):
    """A sparse matrix of SciPy, or of another library with the same methods."""

    def tocsr(self) -> Any: ...


Path: TypeAlias = "str | os.PathLike[str]"
Judgements: TypeAlias = "Path | Frame | Mapping[Any, Any] | Collection[Any] | SparseMatrix | Rows | Hits"
"""A file, a table, a dict of dicts or of lists, records, or a sparse matrix; Hits, in place of judgements and run."""
Runs: TypeAlias = "Path | Frame | Mapping[Any, Any] | Collection[Any] | SparseMatrix | Rows | NumberedRuns"
"""A run in one of the forms of judgements; or several, in a list or in a dict by name."""
Judges: TypeAlias = "Path | Frame | Mapping[str, Judgements] | Collection[Judgements]"
"""The judgements of several judges, by name or in a list; or one file or table with a column of judges."""
Measures: TypeAlias = "str | Measure | Metric | Iterable[str | Measure | Metric]"
"""One measure or several, by name or as objects."""
QueryIds: TypeAlias = "Path | Iterable[Hashable] | Topics"
"""The ids of queries, or a file with one in each line."""
SeenDocuments: TypeAlias = "Path | Frame | Mapping[Any, Any] | Collection[Any] | Exclusion"
"""Pairs of query and document: a file, a table, a dict from query to documents, or a list of pairs."""
Items: TypeAlias = "Path | Frame | Mapping[Any, Any] | Collection[Any]"
"""A catalogue: a table with a row for each item, a dict from item to its attributes, or only the ids of all items."""
TextsById: TypeAlias = "Path | Mapping[Any, Any]"
"""Texts by id: a file, a table, or a dict."""
By: TypeAlias = "Path | Collection[str] | Frame | Mapping[Any, Any] | Slices | None"
"""What divides queries into slices: a table of attributes, or the names of columns."""
EngineLike: TypeAlias = "str | EngineChoice | object"
"""The name of an engine, an engine with its options, or a connection or session."""
Array: TypeAlias = "npt.ArrayLike | SparseMatrix"
"""An array, a tensor, a column, or lists of numbers."""
Labels: TypeAlias = "Collection[Any]"
"""The grades of a ranking from the top, or of several rankings: lists, arrays or columns."""
PlotData: TypeAlias = "Hits | Scores | Labels | Mapping[str, Hits | Scores | Labels]"
"""What a plot shows, or several of these by name."""
