"""Text on charts: names of measures, and what users wrote, as it may be shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rankgold.data.inputs import unused_name
from rankgold.declaration.metric import Measure
from rankgold.errors import listing
from rankgold.hits import Hits
from rankgold.output.rendering import plain
from rankgold.plots.library import alt

# Chart data stand in a script element when a chart is shown as HTML. These would open or end one there.
_OF_SCRIPTS = re.compile(r"<(?=/script|script|!--)", re.IGNORECASE)
_LONGEST_NAME = 24
_ROOM = 14


def shown(text: object) -> str:
    """What a user wrote, as plain text: control characters are shown, and nothing in it ends a script.

    Where there is no room, Vega cuts text anywhere, even in the midst of a character that it holds as two. Text with
    such characters is made so short here that there is room.
    """
    whole = _OF_SCRIPTS.sub(r"<\\", plain(text))
    is_cut = len(whole) > _ROOM and any(ord(character) > 0xFFFF for character in whole)
    return f"{whole[: _ROOM - 6]} … {whole[-3:]}" if is_cut else whole


def short(text: object, most: int = 36) -> str:
    """The text for a title, with its middle left out where it is long."""
    whole = shown(text)
    return whole if len(whole) <= most else f"{whole[: most - 12]} … {whole[-9:]}"


def distinct(ids: Iterable[Any]) -> list[str]:
    """Each id as it is shown, no two alike."""
    taken: dict[str, None] = {}
    for one in ids:
        text = shown(one)
        taken[text if text not in taken else unused_name(text, taken)] = None
    return list(taken)


def measure_name(measure: Measure, *, cutoff: bool = True) -> str:
    """A measure as a heading names it: NDCG@10, Average precision (rel=2)."""
    words = measure.metric.function.__name__.replace("_", " ")
    name = words[0].upper() + words[1:] if len(words) <= _LONGEST_NAME else measure.metric.name.upper()
    at = f"@{measure.k}" if cutoff and measure.k is not None else ""
    inside = re.search(r"\(.*\)", str(measure))
    return name + at + (f" {inside[0]}" if inside else "")


def axis_name(measure: Measure) -> str:
    """A measure as an axis names it, with its direction where that is not the usual one."""
    return measure_name(measure) + direction(measure)


def direction(measure: Measure) -> str:
    """What an axis says of a measure whose direction is not the usual one."""
    return "" if measure.higher_is_better else ", lower is better"


def within(name: str) -> str:
    """A name of a measure in the middle of a line: average precision, NDCG."""
    return name if name[:2].isupper() else name[0].lower() + name[1:]


def counted(number: int, one: str, many: str | None = None) -> str:
    """1 query, 10,000 queries."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def queries(number: int) -> str:
    return counted(number, "query", "queries")


def without_value(counts: dict[str, int]) -> str | None:
    """Which runs have queries that no mean can count, and how many; None where there are none."""
    told = [f"{number:,} in {short(run, 24)}" for run, number in counts.items() if number]
    return f"queries without a value are left out: up to {listing(told, 4)}" if told else None


def grade_in_cell(grade: float | None) -> str:
    """A grade in few letters; a dash where there is none."""
    if grade is None:
        return "–"
    whole = float(grade).is_integer()
    return f"{grade:.0f}" if whole else f"{grade:.1f}" if abs(grade) >= 10 else f"{grade:.2f}"


def grade_text(grade: float | None) -> str:
    return "not judged" if grade is None else f"{grade:g}"


def of_query(run: str, hits: Hits) -> str:
    """' of query q18 in bm25', so far as both have names."""
    has_names = hits.system.whole.documents is not None or str(hits.queries[0]) != "1"
    query = f" of query {short(hits.queries[0])}" if has_names else ""
    return query + in_run(run)


def in_run(run: str) -> str:
    """' in bm25', where the run has a name."""
    return "" if run == "run" else f" in {short(run)}"


def heading(text: str, *lines: str | None) -> Any:
    """The title of a chart, with lines below it; those that are None are left out."""
    below = [line for line in lines if line is not None]
    return alt.TitleParams(text, subtitle=below) if below else alt.TitleParams(text)
