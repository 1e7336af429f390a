"""Holds the matches, describes them in words, and prints them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.audit.conventions import Candidate, Convention, Deviation, choice_sentence, parameter_sentence
from rankgold.audit.outcomes import ConventionOutcome
from rankgold.audit.target_numbers import Target
from rankgold.core.dialects import table_of
from rankgold.core.document import Cell, Document, ResultTable, check_digits, number
from rankgold.core.errors import in_a_row, listing
from rankgold.core.policy import PRESETS
from rankgold.core.result import Result, known_number, record_frame
from rankgold.measures.notation import parse_in_dialect
from rankgold.scoring.explanation import Explanation

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
        return reconciliation_document(self, check_digits(digits) + 2, most, distinction)


_MOST_QUERIES = 5


def reconciliation_document(found: Reconciliation, digits: int, most: int, distinction: bool) -> Document:
    """A table of the conventions, a sentence for each, and how each is written."""
    matches = (found.matches or found.nearest)[:most]
    rows: list[list[Cell]] = [_row(i, match, found) for i, match in enumerate(matches, 1)]
    header = ["", "convention", "value", "queries moved", *(["queries given"] if found.queries_given else []), "tools"]
    alignment = "rlrr" + "r" * bool(found.queries_given) + "l"
    facts: list[tuple[str, str]] = []
    for i, match in enumerate(matches, 1):
        facts.append((str(i), match.sentence))
        facts.append(("write", match.command + (f"  ({match.preparation})" if match.preparation else "")))
        if match.same:
            facts.append(("same here", listing(match.same)))
    return Document(
        [ResultTable(header, rows, alignment, keys=2, digits=digits)],
        found.sentence,
        facts=facts,
        notes=_notes(found, digits, most),
        following=_distinction_documents(found) if distinction else (),
    )


def _row(i: int, match: Match, found: Reconciliation) -> list[Cell]:
    agreeing = [f"{match.queries_agreeing} of {found.queries_given}"] if found.queries_given else []
    return [str(i), match.convention, match.value, str(match.queries_moved), *agreeing, listing(match.tools, 4)]


def _notes(found: Reconciliation, digits: int, most: int) -> list[str]:
    written = found.as_written
    notes = [f"as written, {found.measure} is {number(written.value, digits)}", *found.notes]
    if len(found.matches) > most:
        notes.append(f"{len(found.matches) - most} more conventions fit: JSON has all")
    if found.unexplained:
        notes.append(f"no convention gives the value of {listing(found.unexplained, _MOST_QUERIES)}")
    if found.unknown_queries:
        notes.append(f"not judged, and left out: {listing(found.unknown_queries, _MOST_QUERIES)}")
    return notes


def _distinction_documents(found: Reconciliation) -> list[Document]:
    """The first query that tells conventions apart, worked out under both."""
    from rankgold.scoring.explanation_document import explanation_document

    distinction = found.distinction
    if distinction is None:
        return []
    first, second = distinction.conventions
    given = "" if distinction.given is None else f"; the given value is {distinction.given:g}"
    cases = list(zip(distinction.conventions, distinction.values, distinction.workings, strict=True))
    notes = [
        f"{name}: the query is left out, or has no working ({number(value, 6)})"
        for name, value, working in cases
        if working is None
    ]
    summary = Document([], f"query {distinction.query} tells {first} from {second}{given}", notes=notes)
    return [summary, *(explanation_document(working, 6) for *_, working in cases if working is not None)]


_SAME_SHOWN = 6


def described_match(
    group: list[ConventionOutcome], *, text: str, as_written: ConventionOutcome, target: Target
) -> Match:
    """The simplest convention of a group, with the tools in it and the others. `text` is the measure as given."""
    chosen = min(group, key=_plainness)
    candidate = chosen.candidate
    dialects = {outcome.candidate.dialect for outcome in group if not outcome.candidate.deviations}
    tools = tuple(name for name in PRESETS if name in dialects and name != "rankgold")
    others = [
        short_name(outcome.candidate)
        for outcome in group
        if outcome is not chosen
        and not outcome.candidate.dialect
        and outcome.candidate.steps <= max(candidate.steps, 1)
    ]
    moved = int(np.count_nonzero(chosen.differs(as_written)))
    measure, policy = _measure_and_policy(candidate, text)
    return Match(
        convention=short_name(candidate),
        value=chosen.number,
        difference=target.difference(chosen),
        steps=min(outcome.candidate.steps for outcome in group),
        sentence=_sentence(candidate, as_written.candidate.convention, moved, len(chosen.values), tools),
        queries_moved=moved,
        tools=tools,
        measure=measure,
        policy=policy,
        preparation=" ".join(deviation.preparation for deviation in candidate.deviations if deviation.preparation),
        same=tuple(others[:_SAME_SHOWN]),
        queries_agreeing=target.count_agreeing(chosen),
    )


def _plainness(outcome: ConventionOutcome) -> tuple[int, bool, bool]:
    """Sort key: as written first, then few deviations, then the name of a tool."""
    candidate = outcome.candidate
    needs_more = any(deviation.preparation for deviation in candidate.deviations)
    return len(candidate.deviations) + 3 * bool(candidate.dialect), bool(candidate.dialect), needs_more


def short_name(candidate: Candidate) -> str:
    """A convention in a few words."""
    changes = [f"{deviation.axis}={deviation.choice}" for deviation in candidate.deviations]
    return ", ".join([candidate.dialect] * bool(candidate.dialect) + changes) or "as written"


def _measure_and_policy(candidate: Candidate, text: str) -> tuple[str, str]:
    """A convention in text; for a tool, the given measure under the tool's name."""
    convention, dialect = candidate.convention, candidate.dialect
    if dialect and not candidate.deviations and parse_in_dialect(text, dialect) == convention.measure:
        return text, dialect
    return str(convention.measure), _policy_text(convention)


def _policy_text(convention: Convention) -> str:
    """The choices that differ from the default. A measure is written in full, so that it needs no dialect."""
    text = str(convention.with_choice(dialect="rankgold").policy)
    parts = [part for part in text.split(", ") if part != "duplicates=first"]
    return ", ".join(parts) or "rankgold"


def _sentence(candidate: Candidate, written: Convention, moved: int, queries: int, tools: tuple[str, ...]) -> str:
    what = [deviation.sentence for deviation in candidate.deviations]
    if candidate.dialect:
        what = [*_differences(candidate.convention, written), *what]
    if not what:
        does = "It is the measure as it was written"
    elif moved:
        does = f"It {in_a_row(what)}; {moved} of {queries} queries have another value"
    else:
        does = f"It {in_a_row(what)}; no query has another value, only the number for all of them"
    return ". ".join(filter(None, (does, _who(candidate, tools)))) + "."


def _differences(convention: Convention, written: Convention) -> list[str]:
    """What one convention does differently from another."""
    mine, other = convention.policy.to_dict(), written.policy.to_dict()
    names = [name for name in mine if mine[name] != other[name] and name not in ("dialect", "depth")]
    what = [choice_sentence(name, mine[name]) for name in names]
    if convention.measure.metric is not written.measure.metric:
        return [*what, f"computes {convention.measure}"]
    for name, parameter in convention.measure.metric.parameters.items():
        value = convention.measure.parameter(name)
        if value != written.measure.parameter(name):
            what.append(parameter_sentence(name, parameter.text(value)))
    if convention.measure.k != written.measure.k:
        what.append(f"has the cutoff {convention.measure.k}")
    return what


def _who(candidate: Candidate, tools: tuple[str, ...]) -> str:
    if tools:
        return f"{listing(table_of(name).tool for name in tools)} compute{'s' if len(tools) == 1 else ''} it so"
    metric = candidate.convention.measure.metric.name
    known = [
        f"{listing(tools_with, 4)} ({deviation.axis}={deviation.choice})"
        for deviation in candidate.deviations
        if (tools_with := _tools_with(deviation, metric))
    ]
    return f"Separately known from {listing(known)}" if known else ""


def _tools_with(deviation: Deviation, metric: str) -> list[str]:
    """The tools that make this choice for a metric."""
    tools = []
    for name, policy in PRESETS.items():
        if name == "rankgold":
            continue
        table = table_of(name)
        is_default = table.defaults.get(metric, {}).get(deviation.axis) == deviation.choice
        is_policy = not deviation.is_measure and str(policy.to_dict().get(deviation.axis)) == deviation.choice
        if is_default or is_policy:
            tools.append(table.tool)
    return tools
