"""Saves a chart as a page or a picture."""

from __future__ import annotations

import html
import io
import json
from functools import cache
from pathlib import PurePath
from typing import Any

from rankgold.core.errors import MissingDependency, PlotError
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.chart_labels import add_highlights
from rankgold.present.plots.lazy_altair import PACKAGES, import_altair
from rankgold.present.plots.theme import FONT, LIGHT, Theme

# At most this much of its size is taken from a chart on a narrow screen, so that its text can be read; then it scrolls.
_SMALLEST = 0.7
_HINT = "Click a name in the legend to highlight it; double-click the chart to show all."
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{scheme}">
<meta name="description" content="{description}">
<title>{title}</title>
<style>
html {{ background: {background}; color: {muted}; }}
body {{ margin: 0; padding: 8px; font: 14px/1.45 {font}; }}
figure {{ margin: 0 auto; max-width: 1200px; }}
#chart {{ display: block; overflow-x: auto; position: relative; }}
#chart svg {{ display: block; height: auto; }}
#chart:focus-visible {{ outline: 2px solid {accent}; }}
figcaption {{ max-width: 46em; padding: 4px 14px; }}
figcaption p {{ margin: 0 0 6px; }}
</style>
<script>{libraries}</script>
</head>
<body>
<main>
<figure aria-label="{title}" aria-describedby="about">
<div id="chart" tabindex="0"></div>
<figcaption id="about">{about}</figcaption>
</figure>
</main>
<script>
vegaEmbed("#chart", {chart}, {options}).then(({{view}}) => {{
  const svg = view.container().querySelector("svg");
  const width = Number(svg.getAttribute("width"));
  svg.style.width = "100%";
  svg.style.maxWidth = `${{width}}px`;
  svg.style.minWidth = `${{Math.round(width * {smallest})}}px`;
}});
</script>
</body>
</html>
"""


def chart_page(chart: alt.ChartType) -> str:
    """The page of a chart in the chart's theme."""
    theme: Theme = getattr(chart, "theme", LIGHT)
    content = chart.to_dict()
    title, lines = _title_lines(content)
    explanation = content.get("description", "")
    has_highlights = add_highlights(content)
    # Screen readers get this as the name of the drawing.
    content["description"] = " ".join(filter(None, (". ".join([title, *lines]) + ".", explanation)))
    paragraphs = [explanation, _HINT if has_highlights else ""]
    options = {
        "renderer": "svg",
        "actions": {"export": True, "source": False, "compiled": False, "editor": False},
        "tooltip": {"theme": theme.name},
    }
    return _PAGE.format(
        scheme=theme.name,
        title=html.escape(title),
        description=html.escape(content["description"]),
        about="".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs if paragraph),
        background=theme.background,
        muted=theme.muted,
        accent=theme.series[0],
        font=FONT,
        libraries=libraries(),
        chart=_script_value(content),
        options=_script_value(options),
        smallest=_SMALLEST,
    )


@cache
def libraries() -> str:
    """The script that draws charts. It takes a second to make, and is the same in every page."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle


def _title_lines(content: dict[str, Any]) -> tuple[str, list[str]]:
    """The title of a chart, and the lines below it."""
    given = content.get("title", {})
    parts = given if isinstance(given, dict) else {"text": given}
    texts = [parts.get(key, []) for key in ("text", "subtitle")]
    above, below = ([text] if isinstance(text, str) else list(text) for text in texts)
    return " ".join(above) or "Chart", below


def _script_value(value: object) -> str:
    """A value for a script: no text in it can end the script."""
    return json.dumps(value).replace("<", "\\u003c")


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
