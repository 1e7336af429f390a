"""Names what users may pass, so that signatures say what is accepted."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from rankgold.data.slices import Slices
    from rankgold.declaration.metric import Measure, Metric
    from rankgold.hits import Hits
    from rankgold.scoring.scores import Scores

Table: TypeAlias = Any
"""A table of Polars, pandas, PyArrow, DuckDB, Spark or another library: they have no type in common."""
Labels: TypeAlias = "Collection[Any]"
"""The grades of a ranking from the top, or of several rankings: lists, arrays or columns."""
Measures: TypeAlias = "str | Measure | Metric | Iterable[str | Measure | Metric]"
"""One measure or several, by name or as objects."""
By: TypeAlias = "str | Sequence[str] | os.PathLike[str] | Mapping[Any, Any] | Slices | Table | None"
"""What divides queries into slices: a table of attributes, or the names of columns."""
PlotData: TypeAlias = "Hits | Scores | Labels | Mapping[str, Hits | Scores | Labels]"
"""What a plot shows, or several of these by name."""
