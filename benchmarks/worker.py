"""One side of the benchmarks, in a process and an environment of its own.

Reads a line of JSON for each thing to do, {"module", "work", "arguments"} to prepare and {} to do it once more, and
answers with a line: the seconds it took, what came out, and the most memory the process ever had.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable

warnings.filterwarnings("ignore")


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print does not mix with the answers
    work: Callable[[], dict[str, float]] | None = None
    for line in sys.stdin:
        asked = json.loads(line)
        if asked:
            work = getattr(importlib.import_module(asked["module"]), asked["work"])(**asked["arguments"])
            values, seconds = {}, 0.0
        else:
            start = time.perf_counter()
            values = work() if work is not None else {}
            seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"seconds": seconds, "values": values, "memory": memory}), file=answers, flush=True)


if __name__ == "__main__":
    main()
