"""Reading charts: the data they hold, and what they look like when drawn."""

import io

import numpy as np
from PIL import Image

from rankgold.present.plots.chart_files import render_chart

_last = [None, {}]


def content(chart):
    """A chart as a dict. Tests ask several things of one chart, so that of the last one is kept."""
    if _last[0] is not chart:
        _last[:] = chart, chart.to_dict()
    return _last[1]


def tables(chart):
    """Every table of data in a chart."""
    found = []

    def look(part):
        if isinstance(part, dict):
            values = part.get("data", {}).get("values") if isinstance(part.get("data"), dict) else None
            if values is not None:
                found.append(values)
            for inner in part.values():
                look(inner)
        elif isinstance(part, list):
            for inner in part:
                look(inner)

    look(content(chart))
    return found


def rows(chart, *fields):
    """These fields of the only table that has them all, a tuple each row; layers may hold the same table again."""
    (table,) = {repr(t): t for t in tables(chart) if t and all(f in t[0] for f in fields)}.values()
    return [tuple(row[field] for field in fields) for row in table]


def count_of_rows(chart):
    return sum(map(len, tables(chart)))


def title(chart):
    """The title and the lines below it."""
    given = content(chart)["title"]
    return [given["text"], *given.get("subtitle", [])]


def pixels(chart):
    """The chart drawn, as an array of height x width x 3."""
    return np.asarray(Image.open(io.BytesIO(render_chart(chart, "png"))).convert("RGB"))


def svg(chart):
    return render_chart(chart, "svg").decode("utf-8")
