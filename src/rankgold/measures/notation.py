"""Parses `ndcg(gain=exp)@10`, `p@5,10`, `@suite`, and names in the dialect of a tool."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from rankgold.core.dialects import table_of
from rankgold.core.errors import MeasureError, nearest
from rankgold.measures.aliases import measure_meant, parameter_name, parameters_meant, what_to_do_about
from rankgold.measures.metric import Measure, Metric, cutoff
from rankgold.measures.parameters import unknown_parameter
from rankgold.measures.registry import FAMILIES, REGISTRY, Registry

_NAME = re.compile(r"\s*((?:\d+(?=[A-Za-z]))?[A-Za-zα]\w*(?:-[A-Za-z]\w*)*(?:\.+\d+)*)\s*")
_LEVEL = re.compile(r"-l(\d+)\s*$")
_NUMBER_AT_END = re.compile(r"(.+?)([_.])(\d*\.?\d+)")
_ARGUMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*((?:[^,()\[\]]|\([^()]*\)|\[[^\[\]]*\])+?)\s*(?:,|$)")
_CUTOFF = re.compile(r"\s*@\s*(\S+)\s*")
_SEVERAL = "These are several measures, where one is expected."

# Patterns may try a text again from each of its characters, so time can grow with the square of its length. Python
# reads integers of up to 4,300 digits.
_LONGEST = 4000


def parse_measure(text: str | Measure | Metric, registry: Registry = REGISTRY) -> Measure:
    """The measure that a text names: `name(parameter=value, ...)@k`, names without case, or a spelling of trec_eval.

    >>> parse_measure("err(stop=sigmoid(2, 1.5))@10").k
    10
    """
    if isinstance(text, (Measure, Metric)):
        metric = text.metric if isinstance(text, Measure) else text
        if metric.family != registry.name:
            raise MeasureError(_of_another_family(metric.name, FAMILIES[metric.family]))
        return text if isinstance(text, Measure) else text()
    if not isinstance(text, str):
        raise MeasureError(
            f"A measure must be text such as 'ndcg@10' or a rankgold Measure, not {type(text).__name__}."
        )
    return parse_text(text, registry)


@lru_cache(maxsize=1024)
def parse_text(text: str, registry: Registry = REGISTRY) -> Measure:
    """The measure of this family that a text names."""
    check_length(text)
    if re.match(r"\s*@[a-zA-Z]", text):
        raise MeasureError("This names a suite of measures, where one measure is expected.", text, text.index("@"))
    if level := _LEVEL.search(text):
        # ranx writes the lowest relevant grade at the end: `map@10-l2` is `ap(rel=2)@10`.
        measure = parse_text(text[: level.start()], registry)
        if "rel" in measure.given:
            raise MeasureError("rel is given twice.")
        return measure.with_parameters(rel=level[1])
    if (found := _NAME.match(text)) is None:
        raise MeasureError("A measure must start with its name, as in 'ndcg@10'.", text, 0)
    metric, k, parameters = _metric_called(found[1], text, found.start(1), registry)
    at = found.end()
    if text[at : at + 1] == "(":
        end = _closing(text, at)
        parameters |= _arguments(metric, text, at + 1, end, given=parameters)
        at = end + 1
    if cut := _CUTOFF.match(text, at):
        if metric.suffix is not None and not metric.takes_cutoff:
            if metric.suffix in parameters:
                raise MeasureError(f"{metric.suffix} is given twice.", text, cut.start(1))
            parameters[metric.suffix] = _value(metric, metric.suffix, cut[1], text, cut.start(1))
        elif k is not None:
            raise MeasureError("The cutoff is given twice.", text, cut.start(1))
        else:
            k = _cutoff_in(metric, text, cut)
        at = cut.end()
    if text[at:].strip():
        if text[at:].lstrip().startswith(","):
            raise MeasureError(_SEVERAL, text, text.index(",", at))
        raise MeasureError("This is not part of a measure; the form is name(parameter=value)@k.", text, at)
    return Measure.of(metric, parameters, k)


def check_length(text: str) -> None:
    """Raises an error if the text is too long for a measure."""
    if len(text) > _LONGEST:
        raise MeasureError(f"A measure must have at most {_LONGEST:,} characters, and this one has {len(text):,}.")


def is_measure(text: str, registry: Registry = REGISTRY) -> bool:
    """Whether a text names a measure of this family."""
    try:
        parse_text(text, registry)
    except MeasureError:
        return False
    return True


def _metric_called(name: str, text: str, at: int, registry: Registry) -> tuple[Metric, int | None, dict[str, Any]]:
    """The metric of this name, with the cutoff, number and parameters in the name."""
    if (known := _named(name, registry)) is not None:
        return known[0], None, known[1]
    found = _NUMBER_AT_END.fullmatch(name)
    if found and registry is REGISTRY and (spelling := measure_meant(found[1].rstrip("."), found[3])) is not None:
        return registry[spelling[0]], None, spelling[1]
    if found and (known := _named(found[1].rstrip("."), registry)) is not None:
        metric, parameters = known
        if metric.suffix is not None:
            # In rbp.95 the dot belongs to the number, in rbp.0.95 and rbp_0.95 it does not.
            number = found[3] if found[2] == "_" or "." in found[3] else f".{found[3]}"
            return metric, None, {metric.suffix: _value(metric, metric.suffix, number, text, at + found.start(3))}
        if metric.takes_cutoff and found[3].isdigit():
            with _pointing_at(text, at + found.start(3)):
                return metric, cutoff(metric, int(found[3])), parameters
    base = found[1] if found else name
    for family in FAMILIES.values():
        if family is not registry and family.all() and (_named(name, family) or _named(base, family)):
            raise MeasureError(_of_another_family(base if _named(base, family) else name, family), text, at)
    if registry is REGISTRY and (hint := what_to_do_about(name)):
        raise MeasureError(f"{name!r} cannot be evaluated here. {hint}", text, at)
    near = nearest(base, registry.names)
    raise MeasureError(f"No measure is called {name!r}.{near}", text, at)


def _of_another_family(name: str, family: Registry) -> str:
    return f"{name} is one of the {family.title[0].lower()}{family.title[1:]}: pass it to rankgold.{family.function}."


def _named(name: str, registry: Registry) -> tuple[Metric, dict[str, Any]] | None:
    """The metric that has this name, here or in another tool, and the parameters that the name stands for."""
    # ndeval writes ERR-IA and alpha-nDCG.
    spelled = name.lower().replace("-", "_")
    if (canonical := registry.names.get(spelled)) is not None:
        return registry[canonical], {}
    if (spelling := registry.foreign.get(spelled)) is not None:
        return registry[spelling[0]], dict(spelling[1])
    return None


def _closing(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise MeasureError("This parenthesis is not closed.", text, opening)


def _arguments(metric: Metric, text: str, start: int, end: int, given: Container[str]) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    at = start
    while text[at:end].strip():
        found = _ARGUMENT.match(text[:end], at)
        if found is None:
            raise MeasureError("Parameters must be written as name=value, with commas between.", text, at)
        at = found.end()
        name, value = parameter_name(metric.name, found[1].lower()), found[2].strip("'\"")
        if name in parameters or name in given:
            raise MeasureError(f"{name} is given twice.", text, found.start(1))
        if name in metric.parameters:
            parameters[name] = _value(metric, name, value, text, found.start(2))
        elif (meant := parameters_meant(metric.name, name, value)) is not None:
            parameters |= meant
        else:
            raise MeasureError(unknown_parameter(metric.name, metric.parameters, name), text, found.start(1))
    return parameters


def _value(metric: Metric, name: str, value: str, text: str, at: int) -> Any:
    """The value of a parameter; an error shows where in the text it stands."""
    with _pointing_at(text, at):
        return metric.parameters[name].value(value)


def _cutoff_in(metric: Metric, text: str, cut: re.Match[str]) -> int | None:
    if re.match(r"\d+,", cut[1]):
        raise MeasureError(_SEVERAL, text, cut.start(1) + cut[1].index(","))
    with _pointing_at(text, cut.start(1)):
        return cutoff(metric, int(cut[1]) if re.fullmatch(r"[+-]?\d+", cut[1]) else cut[1])


@contextmanager
def _pointing_at(text: str, at: int) -> Iterator[None]:
    """An error that is raised within it shows this place in the text."""
    try:
        yield
    except MeasureError as error:
        raise MeasureError(str(error), text, at) from None


_NUMBER = re.compile(r"\d+")
_CUT = re.compile(r"(.*[@._])\s*\d+", re.DOTALL)


@lru_cache(maxsize=1024)
def measures_in(text: str) -> tuple[str, ...]:
    """The measures of a text: split at commas, cutoffs such as `p@5,10` written out, suites replaced.

    >>> measures_in("ap, P@5,10, ndcg(gain=exp, discount=zipf(1, 0.5))@5")
    ('ap', 'P@5', 'P@10', 'ndcg(gain=exp, discount=zipf(1, 0.5))@5')
    """
    measures: list[str] = []
    for part in _with_cutoffs(part for part in _split_at_commas(text) if part):
        if part.startswith("@"):
            from rankgold.measures.suites import find_suite

            measures += find_suite(part).measures
        else:
            measures.append(part)
    return tuple(measures) or (text,)  # parsing reports a text without a measure


def _with_cutoffs(parts: Iterable[str]) -> list[str]:
    """The parts, with a number alone written as a further cutoff of the measure before it."""
    measures: list[str] = []
    for part in parts:
        cut = _CUT.fullmatch(measures[-1]) if measures and _NUMBER.fullmatch(part) else None
        measures.append(part if cut is None else cut[1] + part)
    return measures


def _split_at_commas(text: str) -> list[str]:
    """The parts between commas; a comma within parentheses separates parameters, and splits nothing."""
    parts, start, depth = [], 0, 0
    for at, character in enumerate(text):
        if character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        depth = max(depth + {"(": 1, ")": -1}.get(character, 0), 0)
    return [*parts, text[start:].strip()]


# A name with what tools write after it: NDCG(10, gain="rating"), map_cut_10, precision@5, map@10-l2.
_CALL = re.compile(r"\s*([A-Za-z][\w-]*?)(?:[_.](\d+))?\s*(?:\(([^()]*)\))?\s*(?:@\s*(\d+))?(-l\d+)?\s*", re.DOTALL)
_CUTOFFS = ("k", "n", "top_k", "topn", "cutoff")


def parse_in_dialect(given: str | Measure | Metric, dialect: str) -> Measure:
    """The measure, with the names and default parameters of a tool. Only a text has a dialect.

    >>> str(parse_in_dialect("ap@10", "spark")), str(parse_in_dialect("NDCG(10, gain='rating')", "lenskit"))
    ('ap(norm=min)@10', 'ndcg(discount=jk)@10')
    >>> str(parse_in_dialect("ap(norm=relevant)@10", "spark"))
    'ap@10'
    """
    if not isinstance(given, str):
        return parse_measure(given)
    return parse_text(given) if dialect == "rankgold" else _in_dialect(given, dialect)


def parse_in_family(given: str | Measure | Metric, family: Registry, dialect: str) -> Measure:
    """As `parse_in_dialect`, for any family. Only measures that need judgements differ by tool."""
    return parse_in_dialect(given, dialect) if family is REGISTRY else parse_measure(given, family)


def expanded_in_dialect(text: str, dialect: str) -> tuple[str, ...]:
    """The names of all numbers that a name stands for in a tool; most stand for one.

    >>> expanded_in_dialect("success", "trec_eval"), expanded_in_dialect("ap", "trec_eval")
    (('success_1', 'success_5', 'success_10'), ('ap',))
    """
    return (text,) if dialect == "rankgold" else table_of(dialect).lists.get(text.strip(), (text,))


def matched_in_dialect(measure: Measure, dialect: str) -> str:
    """The choices of a policy with which the tool matches this measure; empty if they are those of its policy.

    >>> matched_in_dialect(parse_text("rr@10"), "ir_measures"), matched_in_dialect(parse_text("rr"), "ir_measures")
    ('ties=ascending, score_bits=64', '')
    """
    matched = {} if dialect == "rankgold" else table_of(dialect).matched
    name, gain = measure.metric.name, dict(measure.chosen).get("gain")
    keys = [f"{name}(gain={gain})", *([] if measure.k is None else [f"{name}@k"]), name]
    return next((matched[key] for key in keys if key in matched), "")


@lru_cache(maxsize=1024)
def _in_dialect(text: str, dialect: str) -> Measure:
    check_length(text)
    table = table_of(dialect)
    if (several := table.lists.get(text.strip())) is not None:
        raise MeasureError(
            f"{text.strip()} is several measures in {table.tool}. Name one of them, such as {several[0]}."
        )
    measure = _named_in_dialect(text, {_key(name): measure for name, measure in table.names.items()}) or parse_text(
        text
    )
    defaults = table.defaults.get(measure.metric.name, {})
    return measure.with_parameters(**{name: value for name, value in defaults.items() if name not in measure.given})


def _named_in_dialect(text: str, names: dict[str, str]) -> Measure | None:
    """The measure of a name in the tool's table, or of any name that is called as a function with a cutoff in it."""
    found = _CALL.fullmatch(text)
    if found is None:
        return None
    name, number, inside, cutoff, level = found.groups()
    arguments = [part.strip() for part in (inside or "").split(",") if part.strip()]
    cutoff = cutoff or number
    for argument in list(arguments):
        before, _, value = (part.strip() for part in argument.rpartition("="))
        if value.isdecimal() and cutoff is None and (not before or before in _CUTOFFS):
            cutoff = value
            arguments.remove(argument)
    at = "" if cutoff is None else f"@{cutoff}"
    if (target := names.get(_key(f"{name}({','.join(arguments)})"))) is not None:
        arguments = []
    elif (target := names.get(_key(name))) is None:
        return parse_text(f"{name}({', '.join(arguments)}){at}{level or ''}") if inside else None
    known = parse_text(target)
    given = parse_text(f"{known.metric.name}({', '.join(arguments)}){level or ''}")
    measure = known.with_parameters(**{each: given.parameter(each) for each in given.given})
    return measure if cutoff is None else measure @ int(cutoff)


def _key(call: str) -> str:
    """A name, or a call of it, without case, spaces, quotes and the order of its parameters."""
    name, _, inside = re.sub(r"[\s'\"]", "", call).lower().rstrip(")").partition("(")
    return f"{name}({','.join(sorted(inside.split(',')))})"
