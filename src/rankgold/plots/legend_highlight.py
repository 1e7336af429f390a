"""The specification of a chart in, the same with legends that highlight what is clicked out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rankgold.plots.specification import parts_of_chart

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
    """The fields of names that have a legend."""
    for channel in _CHANNELS:
        definition = panel["encoding"].get(channel, {})
        is_shown = definition.get("legend", {}) is not None and definition.get("scale", {}) is not None
        if definition.get("type") == "nominal" and is_shown:
            yield definition["field"]


def _fields(encoding: dict[str, Any]) -> set[str]:
    """Every field that an encoding uses."""
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
