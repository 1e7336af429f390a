"""Batches to run in, what they found out: each runs in another process, which may die or hang."""

import multiprocessing
import os
import time
from pathlib import Path

from tests.fuzz.batch import Found, run_batch
from tests.fuzz.failure import LISTENERS

# A batch that takes longer hangs.
LONGEST = 600


def work(pipe, notes):
    """A process that runs batches: (part, seed, known kinds) in, Found out."""
    # Polars writes a page for each panic.
    os.dup2(os.open(notes.with_suffix(".err"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    LISTENERS.append(lambda case: notes.write_text(repr(case), encoding="utf-8"))
    while (task := pipe.recv()) is not None:
        pipe.send(run_batch(*task))
    os._exit(0)  # without DuckDB's remarks on what it has not freed


class Worker:
    """One process. It is started again if it dies or hangs, and its last case is then a failure."""

    context = multiprocessing.get_context("spawn")

    def __init__(self, folder, number):
        self.notes = Path(folder) / f"case{number}"
        self._start()

    def _start(self):
        self.pipe, other = self.context.Pipe()
        self.process = self.context.Process(target=work, args=(other, self.notes), daemon=True)
        self.process.start()
        other.close()
        self.task = None

    def give(self, part, seed, known):
        self.task, self.since = (part, seed), time.monotonic()
        self.pipe.send((part, seed, known))

    def take(self):
        """What the batch found, if it has ended; None if not."""
        if self.pipe.poll():
            try:
                return self.pipe.recv()
            except (EOFError, ConnectionError):
                self.process.join()
                return self._failed(f"the process ended with code {self.process.exitcode}")
        if time.monotonic() - self.since > LONGEST:
            return self._failed(f"no end after {LONGEST} s")
        return None

    def _failed(self, what):
        self.process.kill()
        self.process.join()
        part = self.task[0]
        case = self.notes.read_text(encoding="utf-8") if self.notes.exists() else ""
        printed = self.notes.with_suffix(".err").read_text(encoding="utf-8", errors="replace")
        self._start()
        return Found(new={f"{part}: {what}": f"{part}: {what}\n  {case[:20_000]}\n  It printed: {printed[-2000:]}"})
