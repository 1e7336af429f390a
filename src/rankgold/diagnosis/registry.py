"""A function that looks data over in, a Check with its name and documentation out; CHECKS lists them all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.errors import DataError, nearest

CollectionCheck = Callable[[ExaminedData], Iterator[Finding]]
RunCheck = Callable[[ExaminedData, ExaminedRun], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """One thing that is looked for."""

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

    def of_all_runs(collection: ExaminedData) -> Iterator[Finding]:
        for run in collection.runs:
            for finding in function(collection, run):
                yield replace(finding, run=run.name)

    of_all_runs.__name__, of_all_runs.__doc__ = function.__name__, function.__doc__
    check_of_collection(of_all_runs)
    return function


def chosen_checks(ignore: object) -> list[DoctorCheck]:
    """All checks but those that the user names."""
    names = [ignore] if isinstance(ignore, str) else list(ignore or ())  # type: ignore[call-overload]
    for name in names:
        if name not in CHECKS:
            raise DataError(f"No check is called {name!r}.{nearest(str(name), CHECKS)} Checks: {', '.join(CHECKS)}.")
    return [known for name, known in CHECKS.items() if name not in names]
