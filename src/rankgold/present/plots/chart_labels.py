"""Shortens long labels and highlights legends in a chart specification.

The data keep the whole names, for tooltips. Names that differ have labels that differ.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from os.path import commonprefix
from typing import Any

from rankgold.data.inputs import unused_name
from rankgold.present.plots.labels import ELLIPSIS, cut_middle, pixel_width


def parts_of_chart(part: object) -> Iterator[dict[str, Any]]:
    """The specification itself and every dict in it, from the outside in, without data and configuration."""
    if isinstance(part, dict):
        yield part
        for key, inner in part.items():
            if key not in ("data", "datasets", "config"):
                yield from parts_of_chart(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from parts_of_chart(inner)


LABEL_WIDTH = 165
_GUIDES = {
    "axis": ("x", "y"),
    "legend": ("color", "fill", "stroke", "shape", "size", "opacity", "strokeDash"),
    "header": ("row", "column", "facet"),
}
_KEPT_OF_THE_SAME = (8, 4, 0)
"""How many characters of an equal beginning stay before the first difference, where there is room."""


def short_labels(names: Sequence[str], width: float = LABEL_WIDTH, size: float = 11) -> list[str]:
    """A label for each name, at most so wide.

    >>> short_labels(["short", "https://example.org/archive/query-1/x", "https://example.org/archive/query-2/x"], 120)
    ['short', 'https://exa…/query-1/x', 'https://exa…/query-2/x']
    >>> short_labels(["example.org/archive/1/results/by-date", "example.org/archive/2/results/by-date"], 120)
    ['…ive/1/results/by-date', '…ive/2/results/by-date']
    """
    cut = {name: cut_middle(name, width, size) for name in names}
    same = defaultdict(list)
    for name, label in cut.items():
        if name != label:
            same[label].append(name)
    for group in same.values():
        if len(group) > 1:
            cut |= _told_apart(group, width, size)
    labels: dict[str, str] = {}
    for name, label in cut.items():
        labels[unused_name(label, labels)] = name
    label_of = {name: label for label, name in labels.items()}
    return [label_of[name] for name in names]


def _told_apart(names: Sequence[str], width: float, size: float) -> dict[str, str]:
    """Labels of names that are cut at different places: from a little before the first difference."""
    labels: dict[str, str] = {}
    equal = len(commonprefix(names))  # noqa: RUF071  characters are compared, not folders
    for kept in _KEPT_OF_THE_SAME:
        start = max(equal - kept, 0)
        labels = {name: cut_middle(ELLIPSIS + name[start:], width, size) for name in names}
        if len(set(labels.values())) == len(names):
            break
    return labels


def cut_labels(chart: dict[str, Any]) -> None:
    """Cuts the long names of a chart's specification where axes, legends and headers show them."""
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for table in _tables(chart):
        for row in table:
            for field, value in row.items():
                if isinstance(value, str):
                    names[field][value] = None
    for kind, definition in _guided_definitions(chart):
        guide = definition.get(kind, {})
        known = list(names[definition["field"]])
        is_cut = any(pixel_width(name) > LABEL_WIDTH for name in known)
        if is_cut and guide is not None and "labelExpr" not in guide:
            definition[kind] = {**guide, "labelExpr": _expression(known)}


def _expression(names: list[str]) -> str:
    """The label of a name, in the language of Vega, which does not take some words of JavaScript: only cut names."""
    pairs = zip(names, short_labels(names), strict=True)
    texts = [tuple(json.dumps(text, ensure_ascii=False) for text in pair) for pair in pairs if pair[0] != pair[1]]
    return "".join(f"datum.value === {name} ? {label} : " for name, label in texts) + "datum.label"


def _tables(chart: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Every table of data in a specification."""
    for part in parts_of_chart(chart):
        yield part.get("data", {}).get("values", [])
        yield from part.get("datasets", {}).values()


def _guided_definitions(chart: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The kind of guide and the definition of every channel that shows the names of a field."""
    for part in parts_of_chart(chart):
        facet = part.get("facet", {})
        channels = {**part.get("encoding", {}), **({"facet": facet} if "field" in facet else facet)}
        for kind, names in _GUIDES.items():
            for name in names:
                definition = channels.get(name)
                if isinstance(definition, dict) and definition.get("type") in ("nominal", "ordinal"):
                    yield kind, definition


_CHANNELS = ("color", "fill", "stroke", "shape", "strokeDash")
_FAINT = 0.12
"""The opacity of what is not highlighted, as a share of its own."""


def add_highlights(chart: dict[str, Any]) -> bool:
    """Makes the legends of names clickable. Returns whether the chart has such a legend.

    A click on a name in a legend makes the marks of all other names faint, in every panel of the chart.
    """
    panels = [part for part in parts_of_chart(chart) if "mark" in part]
    for panel in panels:
        panel.setdefault("encoding", {})
    legends: dict[str, dict[str, Any]] = {}
    for panel in panels:
        for field in _legend_fields(panel):
            legends.setdefault(field, panel)
    for field, panel in legends.items():
        click = {"type": "point", "fields": [field]}
        panel.setdefault("params", []).append({"name": _name(field), "select": click, "bind": "legend"})
    for panel in panels:
        chosen = [_name(field) for field in legends if field in _fields(panel["encoding"])]
        if chosen:
            _make_faint_unless(chosen, panel)
    return bool(legends)


def _name(field: str) -> str:
    return f"highlighted_{field}"


def _legend_fields(panel: dict[str, Any]) -> Iterator[str]:
    for channel in _CHANNELS:
        definition = panel["encoding"].get(channel, {})
        is_shown = definition.get("legend", {}) is not None and definition.get("scale", {}) is not None
        if definition.get("type") == "nominal" and is_shown:
            yield definition["field"]


def _fields(encoding: dict[str, Any]) -> set[str]:
    return {part["field"] for part in parts_of_chart(encoding) if isinstance(part.get("field"), str)}


def _make_faint_unless(chosen: list[str], panel: dict[str, Any]) -> None:
    """Makes the marks of a panel faint, unless all these selections hold their names or are empty."""
    encoding, mark = panel["encoding"], panel["mark"]
    given = encoding.get("opacity", {"value": mark.get("opacity", 1) if isinstance(mark, dict) else 1})
    if "condition" not in given:
        encoding["opacity"] = {
            "condition": {"test": {"and": [{"param": name} for name in chosen]}, **given},
            "value": given["value"] * _FAINT if "value" in given else _FAINT,
        }
