"""Outcomes of conventions that give the same values in, the Match that describes them out."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.dialect_measures import parse_in_dialect
from rankgold.dialects import table_of
from rankgold.errors import in_a_row, listing
from rankgold.policy import PRESETS
from rankgold.reconciliation.convention import Candidate, Convention, Deviation
from rankgold.reconciliation.deviations import choice_sentence, parameter_sentence
from rankgold.reconciliation.outcomes import ConventionOutcome
from rankgold.reconciliation.result import Match
from rankgold.reconciliation.target import Target

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
