"""Python objects in, rows of a Spark DataFrame out, and back: so tasks send their results to the driver."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

SCHEMA = "payload binary"


def pickled(results: Iterable[object]) -> Iterator[pyarrow.RecordBatch]:
    """Results of a task, each as a row."""
    import pyarrow as pa

    for result in results:
        yield pa.RecordBatch.from_pydict({"payload": pa.array([pickle.dumps(result)], pa.binary())})


def unpickled(payloads: DataFrame) -> list[Any]:
    """The results of all tasks. This runs them."""
    return [pickle.loads(bytes(row.payload)) for row in payloads.collect()]
