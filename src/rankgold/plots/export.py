"""A chart and a format in, the bytes of a file out; without a browser and without the network."""

from __future__ import annotations

import io
from pathlib import PurePath

from rankgold.errors import MissingDependency, PlotError
from rankgold.plots import lazy_altair as alt
from rankgold.plots.lazy_altair import PACKAGES, import_altair
from rankgold.plots.page import chart_page

FORMATS = ("png", "svg", "pdf", "html")
SCALE = 2
"""Pixels of a PNG per unit of the chart."""


def chart_format(path: str) -> str:
    """The format that the file's ending names."""
    ending = PurePath(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        problem = f"unknown chart format {ending!r}" if ending else "the file name has no ending"
        raise PlotError(f"{path}: {problem}. Use one of {', '.join(f'.{known}' for known in FORMATS)}.")
    return ending


def render_chart(chart: alt.ChartType, format_: str) -> bytes:
    """The content of a file that shows the chart."""
    require_libraries()
    if format_ == "html":
        return chart_page(chart).encode("utf-8")
    file: io.StringIO | io.BytesIO = io.StringIO() if format_ == "svg" else io.BytesIO()
    try:
        chart.save(file, format=format_, **({"scale_factor": SCALE} if format_ == "png" else {}))
    except ValueError as error:
        raise PlotError(f"The chart could not be drawn: {str(error).strip().splitlines()[0]}") from None
    content = file.getvalue()
    return content.encode("utf-8") if isinstance(content, str) else content


def require_libraries() -> None:
    """Raises MissingDependency unless the libraries that draw charts are installed."""
    import_altair()
    try:
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingDependency("vl-convert-python", PACKAGES) from None
