"""Writes the text of titles, axes and tooltips, fitted to a width.

Python has no fonts to measure with, so widths are estimates for Arial and the fonts that replace it: the width of a
character as a share of the font size.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rankgold.core.document import plain
from rankgold.core.errors import counted, listing
from rankgold.data.inputs import unused_name
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.theme import WIDTH

if TYPE_CHECKING:
    from rankgold.present.plots.inputs import PlottedRun
    from rankgold.scoring.explanation import Explanation


_MAX_METRIC_NAME = 24


def measure_name(measure: Measure, *, cutoff: bool = True) -> str:
    """The name of a measure in a title: NDCG@10, Average precision (rel=2)."""
    words = measure.metric.function.__name__.replace("_", " ")
    name = words[0].upper() + words[1:] if len(words) <= _MAX_METRIC_NAME else measure.metric.name.upper()
    return name + measure_suffix(measure, cutoff=cutoff)


def measure_suffix(measure: Measure, *, cutoff: bool = True) -> str:
    """The cutoff and the parameters of a measure, as they follow its name."""
    at = f"@{measure.k}" if cutoff and measure.k is not None else ""
    inside = re.search(r"\(.*\)", str(measure))
    return at + (f" {inside[0]}" if inside else "")


def axis_name(measure: Measure) -> str:
    """The name of a measure on an axis, with a note where lower is better."""
    return measure_name(measure) + direction(measure)


def direction(measure: Measure) -> str:
    return "" if measure.higher_is_better else ", lower is better"


def mean_name(measure: Measure) -> str:
    """The name of the aggregate over queries: MRR@10, MAP; else mean."""
    metric = measure.metric
    return metric.mean_name + measure_suffix(measure) if metric.mean_name else metric.aggregate.name


def difference_name(measure: Measure) -> str:
    """The name of the difference of two runs on an axis."""
    return f"Difference in {inside_sentence(measure_name(measure))}{direction(measure)}"


def inside_sentence(name: str) -> str:
    """The name of a measure in the middle of a line: average precision, NDCG."""
    return name if name[:2].isupper() else name[0].lower() + name[1:]


def is_bounded(measure: Measure) -> bool:
    """Whether the measure has a highest value: then its values have a fixed number of decimals."""
    return math.isfinite(measure.metric.span[1])


def number_format(measure: Measure) -> str:
    """The format of values on the chart."""
    return ".2f" if is_bounded(measure) else ".4~g"


def exact_format(measure: Measure) -> str:
    """The format of values in tooltips."""
    return ".4f" if is_bounded(measure) else ".6~g"


def title_number(value: float, measure: Measure) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:.4f}" if is_bounded(measure) else f"{value:.4g}"


_WIDTHS = {
    **dict.fromkeys("ijl'|", 0.24),
    **dict.fromkeys("ft.,:;!/\\ I()[]", 0.31),
    **dict.fromkeys('r-`*"^{}', 0.38),
    **dict.fromkeys("ckszvxyJ", 0.52),
    **dict.fromkeys("ABEKPSVXYZFTL&", 0.68),
    **dict.fromkeys("CDGHNOQRUw", 0.76),
    **dict.fromkeys("mM", 0.86),
    **dict.fromkeys("W%@…", 1.0),
}
_USUAL = 0.58
ELLIPSIS = "…"


def pixel_width(text: str, size: float = 11) -> float:
    """The width of a text in pixels at a font size."""
    return size * sum(map(_character_width, text))


def _character_width(character: str) -> float:
    if character in _WIDTHS:
        return _WIDTHS[character]
    if unicodedata.combining(character):
        return 0.0
    # A character of another script may be as wide as it is high.
    return _USUAL if character < "\u0250" else 1.0


def cut_middle(text: str, width: float, size: float = 11) -> str:
    """The text if it fits the width; else its beginning and its end, with an ellipsis between them."""
    if pixel_width(text, size) <= width:
        return text
    half = (width - pixel_width(ELLIPSIS, size)) / 2
    start, end = _fitting(text, half, size), _fitting(text[::-1], half, size)
    return text[:start] + ELLIPSIS + text[len(text) - end :]


def _fitting(characters: Sequence[str], width: float, size: float) -> int:
    """How many characters fit the width, at least one."""
    used = 0.0
    for count, character in enumerate(characters):
        used += size * _character_width(character)
        if used > width:
            return max(count, 1)
    return len(characters)


def wrapped(text: str, width: float, size: float = 11) -> list[str]:
    """The text in lines that fit the width, broken between words; a longer word is cut in the middle."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if pixel_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(cut_middle(word, width, size))
    return [line for line in lines if line] or [""]


# A chart shown as HTML has its data in a script element. These characters would open or end one there.
_SCRIPT_TAG = re.compile(r"<(?=/script|script|!--)", re.IGNORECASE)
_TITLE_SIZE, _LINE_SIZE = 16, 12
"""Font sizes to estimate widths with; titles are semi-bold, so a little wider than their size says."""


def display_text(text: object) -> str:
    """Text of a user as plain text: control characters are escaped, and nothing in it ends a script."""
    return _SCRIPT_TAG.sub(r"<\\", plain(text))


def short_text(text: object, limit: int = 36) -> str:
    """Text for a title or a mark, shortened in the middle if it is wider than `limit` digits."""
    return cut_middle(display_text(text), pixel_width("0" * limit))


def unique_labels(ids: Iterable[Any]) -> list[str]:
    """The display text of each id; where two are the same, the second gets ` (2)`."""
    labels: dict[str, None] = {}
    for text in map(display_text, ids):
        labels[unused_name(text, labels)] = None
    return list(labels)


def undefined_note(runs: list[PlottedRun], measures: list[Measure]) -> str | None:
    """How many queries of which runs have no value and are left out of the mean; None where all have one."""
    counts = [(run.undefined_count(measures), short_text(run.name, 24)) for run in runs]
    parts = [f"{count:,} in {name}" for count, name in counts if count]
    return f"queries without a value are left out: up to {listing(parts, 4)}" if parts else None


def missed_notes(explanation: Explanation) -> list[str]:
    """How many relevant documents were found below the cutoff of the measure, and how many not at all."""
    below, missing = len(explanation.below_cutoff), len(explanation.not_found)
    notes = []
    if below:
        notes.append(f"{counted(below, 'relevant document')} below rank {explanation.measure.k:,}, the cutoff")
    if missing:
        notes.append(f"{counted(missing, 'relevant document')} not found")
    return notes


def short_grade(grade: float | None) -> str:
    """A grade in a cell: few characters; a dash for no grade."""
    if grade is None:
        return "–"
    whole = float(grade).is_integer()
    return f"{grade:.0f}" if whole else f"{grade:.1f}" if abs(grade) >= 10 else f"{grade:.2f}"


def grade_text(grade: float | None) -> str:
    return "not judged" if grade is None else f"{grade:g}"


def query_suffix(run: PlottedRun) -> str:
    """' of query q18 in bm25', for the title of a chart of one query; without what has no name."""
    hits = run.hits
    has_names = hits.system.single.documents is not None or str(hits.queries[0]) != "1"
    query = f" of query {short_text(hits.queries[0])}" if has_names else ""
    return query + run_suffix(run)


def run_suffix(*runs: PlottedRun) -> str:
    """' in bm25', where there is one run and it has a name."""
    return f" in {short_text(runs[0].name)}" if len(runs) == 1 and runs[0].name != "run" else ""


def second_against_first(first: PlottedRun, second: PlottedRun) -> str:
    """'dense against bm25', for the title of a chart of differences."""
    return f"{short_text(second.name, 24)} against {short_text(first.name, 24)}"


def score_title(run: PlottedRun, explanation: Explanation) -> str:
    """NDCG@10 of query q18 in bm25: 0.6532."""
    measure = explanation.measure
    return f"{measure_name(measure)}{query_suffix(run)}: {title_number(explanation.value, measure)}"


def heading(text: str, *lines: str | None, width: float = WIDTH + 60) -> alt.TitleParams:
    """The title of a chart with lines below it; lines that are None are left out.

    What does not fit the width is wrapped, so that a title does not widen the picture.
    """
    above = wrapped(text, width, _TITLE_SIZE)
    below = [part for line in lines if line is not None for part in wrapped(line, width, _LINE_SIZE)]
    title = above[0] if len(above) == 1 else above
    return alt.TitleParams(title, subtitle=below) if below else alt.TitleParams(title)
