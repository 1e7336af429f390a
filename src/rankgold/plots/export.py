"""Charts as files: what a chart is in the format that a file's ending names. No browser and no network is asked."""

from __future__ import annotations

import io
from pathlib import PurePath
from typing import Any

from rankgold.errors import MissingDependency, PlotError

FORMATS = ("png", "svg", "pdf", "html")
SCALE = 2
"""Pixels of a PNG for each unit of a chart."""


def format_of(path: str) -> str:
    """The format that a file's ending names."""
    ending = PurePath(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        told = f"{ending!r} is no ending of a chart's file" if ending else "the file's name has no ending"
        known = ", ".join(f".{one}" for one in FORMATS)
        raise PlotError(f"{path}: {told}. Endings are {known}.")
    return ending


def rendered(chart: Any, format_: str) -> bytes:
    """The chart in one of the formats."""
    require_converter()
    try:
        return _converted(chart, format_)
    except ValueError as error:
        raise PlotError(f"The chart could not be drawn: {str(error).strip().splitlines()[0]}") from None


def _converted(chart: Any, format_: str) -> bytes:
    if format_ in ("svg", "html"):
        text = io.StringIO()
        chart.save(text, format=format_, **({"inline": True} if format_ == "html" else {}))
        return text.getvalue().encode("utf-8")
    data = io.BytesIO()
    chart.save(data, format=format_, **({"scale_factor": SCALE} if format_ == "png" else {}))
    return data.getvalue()


def require_converter() -> None:
    """Fails where the libraries that charts are drawn with are not there."""
    try:
        import altair  # noqa: F401
    except ImportError:
        raise MissingDependency("Altair", "altair vl-convert-python") from None
    try:
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingDependency("vl-convert-python", "altair vl-convert-python") from None
