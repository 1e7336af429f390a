"""Outcomes of conventions that give the same values in, the Match that describes them out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgold.declaration.dialect_measures import parse_in_dialect
from rankgold.dialects import table_of
from rankgold.errors import listing
from rankgold.policy import PRESETS
from rankgold.reconciliation.convention import Candidate, Convention
from rankgold.reconciliation.deviations import choice_sentence, parameter_sentence
from rankgold.reconciliation.outcomes import ConventionOutcome
from rankgold.reconciliation.result import Match

_SAME_SHOWN = 6


def described_match(
    group: list[ConventionOutcome],
    *,
    text: str,
    as_written: ConventionOutcome,
    difference: Callable[[ConventionOutcome], float],
    agreeing: Callable[[ConventionOutcome], int | None],
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
    moved = _count_moved(chosen, as_written)
    measure, policy = _measure_and_policy(candidate, text)
    return Match(
        convention=short_name(candidate),
        value=chosen.number,
        difference=difference(chosen),
        steps=min(outcome.candidate.steps for outcome in group),
        sentence=_sentence(candidate, as_written.candidate.convention, moved, len(chosen.values), tools),
        queries_moved=moved,
        tools=tools,
        measure=measure,
        policy=policy,
        preparation=" ".join(deviation.preparation for deviation in candidate.deviations if deviation.preparation),
        same=tuple(others[:_SAME_SHOWN]),
        queries_agreeing=agreeing(chosen),
    )


def _plainness(outcome: ConventionOutcome) -> tuple[int, bool, bool]:
    """As it was written before others, then few deviations before the name of a tool."""
    candidate = outcome.candidate
    needs_more = any(deviation.preparation for deviation in candidate.deviations)
    return len(candidate.deviations) + 3 * bool(candidate.dialect), bool(candidate.dialect), needs_more


def short_name(candidate: Candidate) -> str:
    """A convention in a few words."""
    changes = [f"{deviation.axis}={deviation.choice}" for deviation in candidate.deviations]
    return ", ".join([candidate.dialect] * bool(candidate.dialect) + changes) or "as written"


def _measure_and_policy(candidate: Candidate, text: str) -> tuple[str, str]:
    """How a convention is written: what a tool computes, as the measure that was given under the name of the tool."""
    convention, dialect = candidate.convention, candidate.dialect
    if dialect and not candidate.deviations and parse_in_dialect(text, dialect) == convention.measure:
        return text, dialect
    return str(convention.measure), _policy_text(convention)


def _policy_text(convention: Convention) -> str:
    """The choices that differ from the default. A measure is written in full, so that it needs no dialect."""
    policy = convention.with_choice(dialect="rankgold", duplicates=convention.policy.duplicates).policy
    text = str(policy)
    parts = [part for part in text.split(", ") if part != "duplicates=first"]
    return ", ".join(parts) or "rankgold"


def _count_moved(outcome: ConventionOutcome, as_written: ConventionOutcome) -> int:
    """How many queries have another value than in the measure as it was written, or are left out."""
    same = np.isclose(outcome.values, as_written.values, rtol=0, atol=1e-12, equal_nan=True)
    return int(np.count_nonzero(~same))


def _sentence(candidate: Candidate, written: Convention, moved: int, queries: int, tools: tuple[str, ...]) -> str:
    what = [deviation.sentence for deviation in candidate.deviations]
    if candidate.dialect:
        what = [*_differences(candidate.convention, written), *what]
    does = f"It {_joined(what)}" if what else "It is the measure as it was written"
    if not moved and what:
        effect = "no query has another value, only the number for all of them"
    else:
        effect = f"{moved} of {queries} queries have another value" if what else ""
    who = _who(candidate, tools)
    return ". ".join(part for part in (does + (f"; {effect}" if effect else ""), who) if part) + "."


def _joined(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _differences(convention: Convention, written: Convention) -> list[str]:
    """What a convention does otherwise than another one."""
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
    known = [name for name in _tools_with(candidate) if name]
    return f"Separately known from {listing(known)}" if known else ""


def _tools_with(candidate: Candidate) -> list[str]:
    """For each deviation, the tools that have this choice."""
    found = []
    for deviation in candidate.deviations:
        tools = []
        for name, policy in PRESETS.items():
            if name == "rankgold":
                continue
            table = table_of(name)
            defaults = table.defaults.get(candidate.convention.measure.metric.name, {})
            has = str(policy.to_dict().get(deviation.axis)) == deviation.choice
            if defaults.get(deviation.axis) == deviation.choice or (has and not deviation.is_measure):
                tools.append(table.tool)
        found.append(f"{listing(tools, 4)} ({deviation.axis}={deviation.choice})" if tools else "")
    return found
