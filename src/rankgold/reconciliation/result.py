"""What `reconcile` returns: the conventions that give a number, with what each does and how it is written here."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from rankgold.explanation import Explanation
from rankgold.output.document import Document
from rankgold.output.result_forms import Result, known_number, record_frame
from rankgold.output.text import check_digits

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class Match:
    """A convention, and the number that it gives."""

    convention: str
    """In short: `as written`, `norm=min`, `norm=min, missing=skip`, or the name of a tool."""
    value: float
    difference: float
    """The value less the number that was given; NaN without one."""
    steps: int
    """The number of changes from the measure as written: 0, 1 or 2."""
    sentence: str
    """What it does, how many queries it changes, and which tools compute it so."""
    queries_moved: int
    tools: tuple[str, ...]
    """The tools that give exactly these numbers on these data."""
    measure: str
    """With all its parameters; as given, if the policy is a tool, whose defaults it has."""
    policy: str
    preparation: str = ""
    """What else to do, if a measure and a policy cannot express it."""
    same: tuple[str, ...] = ()
    """Other conventions that give the same values on these data."""
    queries_agreeing: int | None = None
    """How many of the given values of queries it gives; None if none were given."""

    @property
    def spelling(self) -> str:
        """How it is written in Python."""
        policy = "" if self.policy == "rankgold" else f', policy="{self.policy}"'
        call = f'rankgold.evaluate(qrels, run, ["{self.measure}"]{policy})'
        return f"{call}  # {self.preparation}" if self.preparation else call

    @property
    def command(self) -> str:
        """The options of `rankgold evaluate`."""
        policy = self.policy if self.policy.isidentifier() else f"'{self.policy}'"
        policy = "" if self.policy == "rankgold" else f" -p {policy}"
        return f"-m '{self.measure}'{policy}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "convention": self.convention,
            "value": known_number(self.value),
            "difference": known_number(self.difference),
            "steps": self.steps,
            "sentence": self.sentence,
            "queries_moved": self.queries_moved,
            "queries_agreeing": self.queries_agreeing,
            "tools": list(self.tools),
            "measure": self.measure,
            "policy": self.policy,
            "preparation": self.preparation,
            "same": list(self.same),
            "spelling": self.spelling,
            "command": self.command,
        }


@dataclass(frozen=True, slots=True)
class Distinction:
    """A query that tells two conventions apart, worked out under both."""

    query: str
    conventions: tuple[str, str]
    values: tuple[float, float]
    given: float | None
    workings: tuple[Explanation | None, Explanation | None]
    """None where a convention leaves the query out."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "query": self.query,
            "given": self.given,
            "conventions": list(self.conventions),
            "values": list(map(known_number, self.values)),
            "workings": [None if working is None else str(working) for working in self.workings],
        }


@dataclass(frozen=True, slots=True)
class _Known:
    """A distinction that was already worked out."""

    distinction: Distinction | None

    def __call__(self) -> Distinction | None:
        return self.distinction


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reconciliation(Result):
    """The conventions that give a number, nearest to the measure as it was written first."""

    measure: str
    """As it was written; `as_written.measure` has all its parameters."""
    given: str
    """The number as it was given; empty if only values of queries were."""
    queries_given: int
    as_written: Match
    """The measure as it was written, under the policy that was given."""
    matches: list[Match]
    nearest: list[Match]
    """The conventions that come nearest, if none matches."""
    tried: int
    """How many conventions were tried."""
    unexplained: tuple[str, ...] = ()
    """The queries with a value that no convention gives."""
    unknown_queries: tuple[str, ...] = ()
    """The queries with a value that are not judged."""
    notes: tuple[str, ...] = ()
    _tell_apart: Callable[[], Distinction | None] | None = field(default=None, repr=False)

    @property
    def distinction(self) -> Distinction | None:
        """The first query that distinguishes the best convention from the next one, or from the measure as written."""
        return None if self._tell_apart is None else self._tell_apart()

    def __reduce__(self) -> tuple[type[Reconciliation], tuple[Any, ...]]:
        """Pickles and copies the distinction itself instead of the data behind it."""
        *given, _ = (getattr(self, part.name) for part in fields(self))
        return Reconciliation, (*given, _Known(self.distinction))

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        of_queries = (
            "the value of 1 query" if self.queries_given == 1 else f"the values of {self.queries_given} queries"
        )
        given = [f"{self.measure} = {self.given}"] if self.given else []
        what = " and ".join([*given, *([of_queries] if self.queries_given else [])])
        if self.matches:
            count = len(self.matches)
            return (
                f"{count} convention{'s' if count > 1 else ''} of {self.tried} give{'s' if count == 1 else ''} {what}."
            )
        best = self.nearest[0]
        if best.queries_agreeing is not None:
            near = f"{best.convention} gives {best.queries_agreeing} of {self.queries_given} values of queries"
            return f"None of {self.tried} conventions gives {what}. {near}."
        if math.isnan(best.value):
            return f"None of {self.tried} conventions gives {what}: the measure is undefined on these data."
        return (
            f"None of {self.tried} conventions gives {what}. The nearest is {best.value:.6g} ({best.convention}),"
            f" {abs(best.difference):.2g} away, which these conventions cannot explain: the data, the version of the"
            " run or the measure itself may be another."
        )

    def to_dict(self) -> dict[str, Any]:
        distinction = self.distinction
        return {
            "measure": self.measure,
            "value": self.given or None,
            "queries_given": self.queries_given,
            "tried": self.tried,
            "sentence": self.sentence,
            "as_written": self.as_written.to_dict(),
            "matches": [match.to_dict() for match in self.matches],
            "nearest": [match.to_dict() for match in self.nearest],
            "unexplained": list(self.unexplained),
            "unknown_queries": list(self.unknown_queries),
            "notes": list(self.notes),
            "distinction": None if distinction is None else distinction.to_dict(),
        }

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame of the matches, or of the nearest conventions: convention, value, difference, steps, ..."""
        types = {"convention": str, "value": float, "difference": float, "steps": int, "queries_moved": int}
        types |= {"queries_agreeing": int, "tools": str, "measure": str, "policy": str, "preparation": str}
        rows = [{**match.to_dict(), "tools": ", ".join(match.tools)} for match in self.matches or self.nearest]
        return record_frame(rows, types)

    def document(self, digits: int = 4, *, most: int = 10, distinction: bool = False) -> Document:
        """The conventions, at most `most`; with `distinction`, followed by a query that distinguishes them.

        Values have two more digits than elsewhere: conventions differ little.
        """
        from rankgold.reconciliation.reconciliation_document import reconciliation_document

        return reconciliation_document(self, check_digits(digits) + 2, most, distinction)
