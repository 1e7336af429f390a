"""A function that looks for a fault in, a DoctorCheck with its name and documentation out; CHECKS lists them all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import wraps

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun, InspectedRows
from rankgold.diagnosis.findings import Finding
from rankgold.errors import DataError, nearest

CollectionCheck = Callable[[ExaminedData], Iterator[Finding]]
RunCheck = Callable[[ExaminedData, ExaminedRun], Iterator[Finding]]
RowsCheck = Callable[[ExaminedData, InspectedRows, ExaminedRun | None], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """One kind of problem to look for."""

    name: str
    summary: str
    function: CollectionCheck

    def findings(self, collection: ExaminedData) -> list[Finding]:
        return [replace(finding, check=self.name) for finding in self.function(collection)]


CHECKS: dict[str, DoctorCheck] = {}
"""Name -> check, in the order in which they are made. `diagnosis/checks/` fills it."""


def check_of_collection(function: CollectionCheck) -> CollectionCheck:
    """Registers a function of a whole collection. Its name is the check's name, its docstring says what it finds."""
    name = function.__name__
    CHECKS[name] = DoctorCheck(name, " ".join((inspect.getdoc(function) or "").split()), function)
    return function


def check_of_run(function: RunCheck) -> RunCheck:
    """Registers a function that is called with each run."""

    @wraps(function)
    def of_all_runs(collection: ExaminedData) -> Iterator[Finding]:
        for run in collection.runs:
            for finding in function(collection, run):
                yield replace(finding, run=run.name)

    check_of_collection(of_all_runs)
    return function


def check_of_rows(function: RowsCheck) -> RowsCheck:
    """Registers a function that is called with the judgements, without a run, and then with the rows of each run."""

    @wraps(function)
    def of_all_rows(collection: ExaminedData) -> Iterator[Finding]:
        yield from function(collection, collection.judged, None)
        for run in collection.runs:
            for finding in function(collection, run.rows, run):
                yield replace(finding, run=run.name)

    check_of_collection(of_all_rows)
    return function


def chosen_checks(ignore: str | Iterable[str] | None) -> list[DoctorCheck]:
    """All checks but those that the user names."""
    names = [ignore] if isinstance(ignore, str) else list(ignore or ())
    for name in names:
        if name not in CHECKS:
            raise DataError(f"No check is called {name!r}.{nearest(str(name), CHECKS)} Checks: {', '.join(CHECKS)}.")
    return [known for name, known in CHECKS.items() if name not in names]
