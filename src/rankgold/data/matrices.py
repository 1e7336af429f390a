"""A sparse matrix in, a checked table out: rows are queries, columns are documents, stored values are numbers.

Any matrix with the attributes of SciPy's compressed rows is read, so SciPy itself is not imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from rankgold.data.columns import NUMBER, WHAT, Kind
from rankgold.data.numbers import number_fault
from rankgold.data.table import Table
from rankgold.errors import DataError

if TYPE_CHECKING:
    from scipy.sparse import spmatrix


def read_matrix(source: spmatrix, kind: Kind) -> Table:
    """The stored values, zeros too. A row without any has no judgements, or no ranking."""
    what = WHAT[kind]
    matrix = source.tocsr() if hasattr(source, "tocsr") else source
    starts, columns, values = (np.asarray(getattr(matrix, name)) for name in ("indptr", "indices", "data"))
    if len(matrix.shape) != 2:
        raise DataError("a sparse matrix must have rows (queries) and columns (documents).", what)
    if values.dtype.kind not in "biuf":
        raise DataError(f"a sparse matrix must hold numbers, not {values.dtype}.", what)
    if not len(values):
        raise DataError("there are no stored values in this sparse matrix.", what)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(starts))

    def place(at: int) -> str:
        return f"{what}, row {rows[at]}, column {columns[at]}"

    numbers = values.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if len(wrong):
        raise DataError(number_fault(NUMBER[kind], float(numbers[wrong[0]])), place(int(wrong[0])))
    ids = {"query": rows.astype(np.int64), "document": columns.astype(np.int64)}
    return Table(pl.DataFrame({**ids, NUMBER[kind]: numbers}), "run", place)
