"""Hits and measures in, Vega-Lite specifications of existing plots out, in a light and a dark theme."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

from rankgold.errors import RankgoldError
from rankgold.hits import Hits
from rankgold.plots.theme import DARK, LIGHT, Theme
from rankgold.scoring.scores import Scores


def charts_of(hits: list[Hits], scores: Scores) -> dict[str, Any]:
    """Label -> name of the plot -> theme -> specification; a curve is shared by the cutoffs of a measure."""
    from rankgold.plots import curves, distribution

    by_name = {run.name: run for run in hits}
    found: dict[str, Any] = {}
    curves_of: dict[str, dict[str, Any] | None] = {}
    for label, measure in scores.measures.items():
        base = str(replace(measure, k=None))
        if base not in curves_of:
            curves_of[base] = _specifications(curves, by_name, measure)
        plots = {"curves": curves_of[base], "distribution": _specifications(distribution, scores, label)}
        found[label] = {name: plot for name, plot in plots.items() if plot}
    return found


def _specifications(plot: Any, data: Any, measure: Any) -> dict[str, Any] | None:
    """A specification in each theme; None for a measure that the plot cannot show."""
    from altair.utils.schemapi import debug_mode

    try:
        with debug_mode(False):
            content = plot(data, measure, theme="light").to_dict(validate=False)
    except RankgoldError:
        return None
    # The page has a background of its own.
    content["config"]["background"] = None
    return {"light": content, "dark": in_other_theme(content, LIGHT, DARK)}


def in_other_theme(content: object, theme: Theme, other: Theme) -> Any:
    """A specification in the colours of another theme: much faster than drawing the plot again."""
    text = json.dumps(content)
    for field in fields(theme):
        old, new = getattr(theme, field.name), getattr(other, field.name)
        for before, after in zip(*((c,) if isinstance(c, str) else c for c in (old, new)), strict=True):
            if before.startswith("#"):
                text = text.replace(f'"{before}"', f'"{after}"')
    return json.loads(text)


def vega_script() -> str:
    """The script that draws the charts."""
    from rankgold.plots.page import libraries

    return libraries()
