"""Ids, counts, grades and runs in, the text that charts show for them out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rankgold.data.inputs import unused_name
from rankgold.errors import listing
from rankgold.output.text import plain
from rankgold.plots import lazy_altair as alt
from rankgold.plots.measure_text import measure_name, title_number

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure
    from rankgold.explanation import Explanation
    from rankgold.plots.inputs import PlottedRun

# A chart shown as HTML has its data in a script element. These characters would open or end one there.
_SCRIPT_TAG = re.compile(r"<(?=/script|script|!--)", re.IGNORECASE)
_MAX_LABEL = 14


def display_text(text: object) -> str:
    """Text of a user as plain text: control characters are escaped, and nothing in it ends a script.

    Vega cuts long labels between UTF-16 units, so it can cut a character of two units in half. A label with such
    characters is shortened here, to a length that Vega does not cut.
    """
    whole = _SCRIPT_TAG.sub(r"<\\", plain(text))
    is_cut = len(whole) > _MAX_LABEL and any(ord(character) > 0xFFFF for character in whole)
    return f"{whole[: _MAX_LABEL - 6]} … {whole[-3:]}" if is_cut else whole


def short_text(text: object, limit: int = 36) -> str:
    """Text for a title; the middle of a long one is left out."""
    whole = display_text(text)
    return whole if len(whole) <= limit else f"{whole[: limit - 12]} … {whole[-9:]}"


def unique_labels(ids: Iterable[Any]) -> list[str]:
    """The display text of each id; where two are the same, the second gets ` (2)`."""
    labels: dict[str, None] = {}
    for text in map(display_text, ids):
        labels[unused_name(text, labels)] = None
    return list(labels)


def count_text(number: int, singular: str, plural: str | None = None) -> str:
    """1 document, 10,000 documents."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def query_count(number: int) -> str:
    return count_text(number, "query", "queries")


def undefined_note(runs: list[PlottedRun], measures: list[Measure]) -> str | None:
    """How many queries of which runs have no value and are left out of the mean; None where all have one."""
    counts = [(run.undefined_count(measures), short_text(run.name, 24)) for run in runs]
    parts = [f"{count:,} in {name}" for count, name in counts if count]
    return f"queries without a value are left out: up to {listing(parts, 4)}" if parts else None


def not_found_note(explanation: Explanation) -> str | None:
    count = len(explanation.not_found)
    return f"{count_text(count, 'relevant document')} not found" if count else None


def below_cutoff_note(explanation: Explanation) -> str | None:
    """How many relevant documents were found below the cutoff of the measure; None where there are none."""
    count = len(explanation.below_cutoff)
    return (
        f"{count_text(count, 'relevant document')} below rank {explanation.measure.k:,}, the cutoff" if count else None
    )


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


def run_suffix(run: PlottedRun) -> str:
    """' in bm25', where the run has a name."""
    return "" if run.name == "run" else f" in {short_text(run.name)}"


def score_title(run: PlottedRun, explanation: Explanation) -> str:
    """NDCG@10 of query q18 in bm25: 0.6532."""
    measure = explanation.measure
    return f"{measure_name(measure)}{query_suffix(run)}: {title_number(explanation.value, measure)}"


def heading(text: str, *lines: str | None) -> Any:
    """The title of a chart with lines below it; lines that are None are left out."""
    below = [line for line in lines if line is not None]
    return alt.TitleParams(text, subtitle=below) if below else alt.TitleParams(text)
