"""Two sides timed in turn, each in a process of its own: seconds, ratios and memory."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PYTHON = {
    "rankgold": sys.executable,
    "spark": sys.executable,
    "peers": str(HERE / ".peers/bin/python"),
    "rectools": str(HERE / ".rectools/bin/python"),
    "torchmetrics": str(HERE / ".torchmetrics/bin/python"),
}


class WorkFailedError(Exception):
    """A side of a row that could not do its work."""


@dataclass(frozen=True)
class Warm:
    """Work that is prepared once and done again and again in one process."""

    where: str
    work: str
    arguments: dict[str, Any]

    def start(self) -> Worker:
        module = "work_rankgold" if self.where == "rankgold" else "work_peers"
        return Worker(PYTHON[self.where], {"module": module, "work": self.work, "arguments": self.arguments})

    @property
    def is_there(self) -> bool:
        return Path(PYTHON[self.where]).exists()


@dataclass(frozen=True)
class Cold:
    """A command, started anew each time."""

    command: list[str]
    values: Callable[[str], dict[str, float]] = field(default=lambda _: {})

    def start(self) -> Command:
        return Command(self.command, self.values)

    @property
    def is_there(self) -> bool:
        return True


class Worker:
    """A process that does some work whenever it is asked."""

    def __init__(self, python: str, task: dict[str, Any]) -> None:
        self.process = subprocess.Popen(
            [python, str(HERE / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=HERE,
        )
        self.memory = 0
        self._ask(task)

    def _ask(self, task: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise WorkFailedError(f"{task or 'the work'} failed: run it in {HERE} to see why")
        answer: dict[str, Any] = json.loads(line)
        self.memory = answer["memory"]
        return answer

    def once(self) -> tuple[float, dict[str, float]]:
        answer = self._ask({})
        return answer["seconds"], answer["values"]

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


class Command:
    """A command that is run whenever it is asked for."""

    def __init__(self, command: list[str], values: Callable[[str], dict[str, float]]) -> None:
        self.command = command
        self.values = values
        self.memory = 0

    def once(self) -> tuple[float, dict[str, float]]:
        start = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=HERE)
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(self.command)} ended with exit code {process.returncode}")
        self.memory = max(self.memory, usage.ru_maxrss * 1024)
        return seconds, self.values(printed)

    def close(self) -> None:
        pass


Side = Warm | Cold


@dataclass
class Row:
    """One comparison: how often the first side is done in the time of the second."""

    part: str
    work: str
    ours: Side
    theirs: Side
    peer: str
    """What the other side is."""
    at_least: float | None = None
    """How many times faster the first side must be; below 1 where it does more work than the second."""
    repeats: int = 5
    tolerance: float = 1e-9
    """How far the two sides' numbers may be apart."""


@dataclass
class Result:
    """What was measured of a row."""

    part: str
    work: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    lowest: float
    highest: float
    """The ratio of the medians, and the lowest and highest of a pair of runs."""
    memory: int
    their_memory: int
    at_least: float | None

    @property
    def holds(self) -> bool:
        return self.at_least is None or self.ratio >= self.at_least


def measured(row: Row) -> Result | None:
    """The row's times; None where the other side is not installed. Numbers that disagree end the program."""
    if not row.theirs.is_there:
        return None
    ours, theirs = row.ours.start(), row.theirs.start()
    try:
        _agree(row, ours.once()[1], theirs.once()[1])
        pairs = [(ours.once()[0], theirs.once()[0]) for _ in range(row.repeats)]
    finally:
        ours.close()
        theirs.close()
    mine, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratios = [b / a for a, b in pairs]
    return Result(
        row.part,
        row.work,
        row.peer,
        mine,
        other,
        other / mine,
        min(ratios),
        max(ratios),
        ours.memory,
        theirs.memory,
        row.at_least,
    )


def _agree(row: Row, ours: dict[str, float], theirs: dict[str, float]) -> None:
    for name in ours.keys() & theirs.keys():
        if abs(ours[name] - theirs[name]) > row.tolerance:
            raise SystemExit(f"{row.work}: {name} is {ours[name]!r} here and {theirs[name]!r} in {row.peer}")
    if bool(ours) != bool(theirs) or (ours and not ours.keys() & theirs.keys()):
        raise SystemExit(f"{row.work}: the two sides have no number in common: {list(ours)} and {list(theirs)}")
