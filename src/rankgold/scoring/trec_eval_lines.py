"""Writes scores as trec_eval prints them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rankgold.core.dialects.trec import NAMES, Entry
from rankgold.core.document import check_digits, one_field
from rankgold.core.segments import sum_in_order
from rankgold.measures.metric import LOWEST_IN_GEOMETRIC_MEAN, Measure
from rankgold.measures.rankings import parse_text

if TYPE_CHECKING:
    from rankgold.scoring.run_scores import RunScores
    from rankgold.scoring.scores import Scores


# The parameter that has a gap in the text of an entry, as in utility(worth=({})).
_GAP = re.compile(r"(\w+)=\(?{}")
_ROUNDINGS = ("nearest", "up")


def trec_eval_lines(scores: Scores, per_query: bool, digits: int = 4) -> str:
    """The lines of one call of trec_eval for each run; the means of a run come after its `runid` line."""
    check_digits(digits)
    known = {label: label_and_entry(_without_level(measure)) for label, measure in scores.measures.items()}
    lines = []
    for name in scores.runs:
        run = scores.run_scores(name)
        for query, row in sorted(run.rows(), key=lambda pair: _in_bytes(pair[0])) if per_query else ():
            lines += [
                _line(label, value, query, digits, entry)
                for (label, entry), value in zip(known.values(), row, strict=True)
                if entry is None or entry.is_printed_by_query
            ]
        lines.append(f"{'runid':<22}\tall\t{one_field(name)}")
        for label, mean in zip(known, _means(run, known), strict=True):
            lines.append(_line(known[label][0], mean, "all", digits, known[label][1]))
    return "\n".join(lines)


def _in_bytes(query: object) -> bytes:
    """The key by which trec_eval sorts queries."""
    return str(query).encode(errors="surrogatepass")


def _means(run: RunScores, known: Mapping[str, tuple[str, Entry | None]]) -> Iterator[float]:
    """The means of the labels, with those of trec_eval added up as it does, if the values of queries were kept."""
    order = sorted(range(len(run.queries)), key=lambda number: _in_bytes(run.queries[number]))
    for label, (_, entry) in known.items():
        if entry is None or run.totals is not None:
            yield run.means[label]
        else:
            yield _as_added_there(entry, run.values[label][order].tolist(), run.means[label])


def kept_values(entry: Entry, values: list[float]) -> list[float]:
    """The values of queries as trec_eval keeps them: logarithms for a geometric mean."""
    if not entry.is_geometric:
        return values
    return [math.log(max(value, LOWEST_IN_GEOMETRIC_MEAN)) for value in values]


def total_in_order(entry: Entry, kept: Sequence[float]) -> float:
    """The number for all queries, added up from the first to the last as trec_eval does."""
    if entry.name == "num_q":
        return len(kept)
    total = sum_in_order(kept)
    if entry.is_geometric:
        return math.exp(total / len(kept))
    return total if entry.is_count else total / len(kept)


def _as_added_there(entry: Entry, values: list[float], mean: float) -> float:
    """The mean with the rounding errors of trec_eval, which decide what is printed for a mean such as 0.08125.

    Other means, such as those of estimates, stay unchanged.
    """
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return mean
    added = total_in_order(entry, kept_values(entry, known))
    return added if math.isclose(added, mean, rel_tol=1e-9, abs_tol=1e-12) else mean


def _line(label: str, value: float, query: object, digits: int, entry: Entry | None) -> str:
    is_count = entry is not None and entry.is_count and math.isfinite(value)
    return f"{label:<22}\t{one_field(query)}\t{value:.{0 if is_count else digits}f}"


def _without_level(measure: Measure) -> Measure:
    """The measure without the common `rel`: -l of trec_eval does not change names."""
    chosen = tuple(pair for pair in measure.chosen if pair[0] != "rel" or "rel" in measure.given)
    return replace(measure, chosen=chosen)


@lru_cache(maxsize=1024)
def label_and_entry(measure: Measure) -> tuple[str, Entry | None]:
    """The name that trec_eval prints for a measure, and its entry; for one that it does not have, the canonical name.

    A canonical name that is another measure in trec_eval has all parameters: rbp here is not rbp there.
    """
    for entry, template, gap in _templates():
        if template.metric is measure.metric and (label := _label(entry, template, gap, measure)):
            return label, entry
    text = str(measure)
    if text not in NAMES:
        return text, None
    values = {each: measure.parameter(name) for name, each in measure.metric.parameters.items()}
    inside = ", ".join(f"{each.name}={each.text(value)}" for each, value in values.items() if value is not None)
    return f"{text}({inside})", None


@cache
def _templates() -> list[tuple[Entry, Measure, str | None]]:
    """The measures of trec_eval that grades give, with default parameters, and the one that may have another value."""
    found = []
    for entry in NAMES.values():
        for rounding in (_ROUNDINGS if "{rounding}" in entry.text else ("",)) if entry.labels else ():
            numbers = entry.defaults if entry.takes == "parameters" else entry.defaults[:1]
            text = entry.text.format(", ".join(map(repr, numbers)), rounding=rounding)
            gap = _GAP.search(entry.text)
            found.append((entry, parse_text(text), gap and gap[1]))
    return found


def _label(entry: Entry, template: Measure, gap: str | None, measure: Measure) -> str | None:
    """The name on the line of the measure, if it is the one of the template but for a number."""
    if entry.takes == "ranks":
        return entry.label([measure.k]) if measure.k is not None and template @ measure.k == measure else None
    if gap is None:
        return entry.name if template == measure else None
    value = measure.parameter(gap)
    if template.with_parameters(**{gap: value}) != measure:
        return None
    numbers = value if isinstance(value, tuple) else (value,)
    if entry.name == "set_F":  # trec_eval takes the square of beta
        numbers = (value * value,)
    given = ",".join(f"{number:g}" for number in numbers) if numbers != entry.defaults else ""
    return entry.label(numbers, f"{gap}={given}" if given and entry.takes == "pairs" else given)
