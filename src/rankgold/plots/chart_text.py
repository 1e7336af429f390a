"""Ids, counts, grades and runs in, the text that charts show for them out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rankgold.data.inputs import unused_name
from rankgold.errors import counted, listing
from rankgold.output.text import plain
from rankgold.plots import lazy_altair as alt
from rankgold.plots.measure_text import measure_name, title_number
from rankgold.plots.text_width import cut_middle, pixel_width, wrapped
from rankgold.plots.theme import WIDTH

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure
    from rankgold.explanation import Explanation
    from rankgold.plots.inputs import PlottedRun

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
