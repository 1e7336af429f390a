"""Seeds in, what rankgold makes of mutated Parquet and Arrow files out: run in a process of its own, which may not end.

python -m tests.damaged_files ENGINE FIRST LAST [CHUNKED]
"""

import io
import json
import os
import resource
import signal
import sys
import tempfile
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet

import rankgold
from rankgold.data import chunks
from tests.columnar_files import columnar_files
from tests.mutations import mutate

TEXT_QRELS = {"q1": {"document 001": 1, "document 003": 2}, "q5": {"document 012": 1}}
INTEGER_QRELS = {1: {1: 1, 3: 2}, 5: {12: 1}}


def main(engine: str, first: int, last: int, chunked: bool) -> None:
    # Memory beyond this, and time beyond that, end the process.
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    if chunked:
        chunks.LARGE_TABLE, chunks.ROWS_AT_ONCE, chunks.ROWS_IN_MEMORY = 50, 60, 100
    with tempfile.TemporaryDirectory() as folder:
        files = columnar_files(Path(folder))
        names = sorted(name for name in files if engine == "local" or name.endswith(".parquet"))
        for case in range(first, last):
            random = Random(case)
            name = random.choice(names)
            path = Path(folder, f"case{os.path.splitext(name)[1]}")
            path.unlink(missing_ok=True)  # a thread of Polars that failed may still read the file of the case before
            path.write_bytes(mutate(files[name], random))
            print(json.dumps({"case": case, "file": name}), flush=True)
            signal.alarm(20)
            print(json.dumps(outcome(path, INTEGER_QRELS if "integers" in name else TEXT_QRELS, engine)), flush=True)


def outcome(path: Path, qrels: dict, engine: str) -> dict:
    """The value of a measure and what pyarrow's reading of the file gives, or the error."""
    try:
        value = rankgold.evaluate(qrels, str(path), "ndcg", engine=engine)["ndcg"]
    except rankgold.RankgoldError as error:
        return {"error": str(error)}
    except BaseException as error:
        return {"not ours": repr(error)}
    return {"value": value, "expected": expected(path, qrels)}


def expected(path: Path, qrels: dict) -> float | None:
    """The value for the rows that pyarrow reads; None if it does not read the file."""
    try:
        content = io.BytesIO(path.read_bytes())
        read = pyarrow.parquet.read_table if path.suffix == ".parquet" else pa.ipc.RecordBatchFileReader
        table = read(content)
        table = table if isinstance(table, pa.Table) else table.read_all()
        table.validate(full=True)
        return rankgold.evaluate(qrels, table, "ndcg")["ndcg"]
    except (pa.ArrowException, OSError, ValueError, NotImplementedError, UnicodeDecodeError, rankgold.RankgoldError):
        return None


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), "chunked" in sys.argv[4:])
