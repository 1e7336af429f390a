"""A text that names a measure and the dialect of a tool in, the measure that the tool means out."""

from __future__ import annotations

import re
from functools import lru_cache

from rankgold.declaration.families import REGISTRY, Registry
from rankgold.declaration.metric import Measure, Metric
from rankgold.declaration.parsing import check_length, parse_measure, parse_text
from rankgold.dialects import table_of
from rankgold.errors import MeasureError

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
    measure = _named(text, {_key(name): measure for name, measure in table.names.items()}) or parse_text(text)
    defaults = table.defaults.get(measure.metric.name, {})
    return measure.with_parameters(**{name: value for name, value in defaults.items() if name not in measure.given})


def _named(text: str, names: dict[str, str]) -> Measure | None:
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
