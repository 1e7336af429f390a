"""A chart and a format in, the bytes of a file out; without a browser and without the network."""

import io
from pathlib import PurePath
from typing import Any

from rankgold.errors import MissingDependency, PlotError
from rankgold.plots.lazy_altair import PACKAGES, import_altair

FORMATS = ("png", "svg", "pdf", "html")
SCALE = 2
"""Pixels of a PNG per unit of the chart."""
_OPTIONS: dict[str, dict[str, Any]] = {"html": {"inline": True}, "png": {"scale_factor": SCALE}}


def chart_format(path: str) -> str:
    """The format that the file's ending names."""
    ending = PurePath(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        problem = f"unknown chart format {ending!r}" if ending else "the file name has no ending"
        raise PlotError(f"{path}: {problem}. Use one of {', '.join(f'.{known}' for known in FORMATS)}.")
    return ending


def render_chart(chart: Any, format_: str) -> bytes:
    """The content of a file that shows the chart."""
    require_libraries()
    file: io.StringIO | io.BytesIO = io.StringIO() if format_ in ("svg", "html") else io.BytesIO()
    try:
        chart.save(file, format=format_, **_OPTIONS.get(format_, {}))
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
