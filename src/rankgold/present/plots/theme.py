"""Defines themes.

The colours of runs and of grades differ from each other and from the background, for colour-blind people too: the tests
measure it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import PlotError

if TYPE_CHECKING:
    from rankgold.present.plots import lazy_altair as alt


FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
WIDTH, HEIGHT = 460, 280


@dataclass(frozen=True)
class Theme:
    """The colours of a theme."""

    name: str
    background: str
    ink: str
    muted: str
    axis: str
    grid: str
    series: tuple[str, ...]
    """The colours of runs, in order; a chart with one series has the first."""
    mark: str
    """Stands out against the first colour: means, and marked positions."""
    gain: str
    loss: str
    not_relevant: str
    not_judged: str
    shades: tuple[str, str]
    """The lowest and the highest relevant grade; grades between get a mixture."""

    def shade(self, share: float) -> str:
        """The colour of a grade, with share 0 for the lowest and 1 for the highest."""
        low, high = (_channels(colour) for colour in self.shades)
        return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))

    def text_colour_on(self, colour: str) -> str:
        """The colour of text that can be read on a colour: black or white."""
        red, green, blue = ((channel / 255) ** 2.2 for channel in _channels(colour))
        # On a luminance of 0.18, black and white have the same contrast.
        return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "#ffffff"

    @property
    def config(self) -> dict[str, Any]:
        text = {"labelColor": self.muted, "titleColor": self.ink, "labelFontSize": 11, "titleFontSize": 12}
        axis = {**text, "titleFontWeight": "normal", "titlePadding": 8, "labelLimit": 0, "titleLimit": 420}
        return {
            "background": self.background,
            "font": FONT,
            "padding": 14,
            "view": {"stroke": None},
            "concat": {"spacing": 28},
            "title": {
                "anchor": "start", "frame": "bounds", "offset": 14,
                "color": self.ink, "fontSize": 15, "fontWeight": 600,
                "subtitleColor": self.muted, "subtitleFontSize": 12, "subtitlePadding": 5, "subtitleLineHeight": 16,
            },
            "axis": {
                **axis, "gridColor": self.grid, "gridWidth": 1, "domainColor": self.axis, "tickColor": self.axis,
                "tickSize": 4, "labelPadding": 4, "labelOverlap": True, "labelFlush": False, "maxExtent": 320,
            },
            "axisBand": {"grid": False, "ticks": False, "labelPadding": 6},
            "legend": {**text, "titleFontWeight": "normal", "symbolSize": 90, "labelLimit": 0, "rowPadding": 4},
            "header": {**text, "labelFontSize": 12, "labelColor": self.ink, "labelLimit": 0},
            "text": {"color": self.ink, "fontSize": 11},
            "bar": {"color": self.series[0]},
            "line": {"color": self.series[0], "strokeWidth": 2, "strokeCap": "round"},
            "point": {"color": self.series[0], "filled": True, "size": 50, "opacity": 1},
            "rule": {"color": self.axis},
            "range": {"category": list(self.series)},
        }  # fmt: skip

    def layer(self, *layers: alt.Chart | alt.LayerChart, **properties: Any) -> alt.LayerChart:
        """A chart in this theme: layers in one panel."""
        from rankgold.present.plots.themed_charts import ThemedLayerChart

        return ThemedLayerChart(layer=layers, theme=self, **properties)

    def hconcat(self, *panels: alt.ChartType, **properties: Any) -> alt.HConcatChart:
        """A chart in this theme: panels side by side."""
        from rankgold.present.plots.themed_charts import ThemedHConcatChart

        return ThemedHConcatChart(hconcat=panels, theme=self, **properties)

    def vconcat(self, *panels: alt.ChartType, **properties: Any) -> alt.VConcatChart:
        """A chart in this theme: panels one below the other."""
        from rankgold.present.plots.themed_charts import ThemedVConcatChart

        return ThemedVConcatChart(vconcat=panels, theme=self, **properties)


LIGHT = Theme(
    name="light", background="#ffffff", ink="#22272e", muted="#5c6672", axis="#b4bbc4", grid="#eceef1",
    series=("#0072b2", "#ba4900", "#197b4e", "#c18606", "#a8367e", "#262124", "#5499c7"),
    mark="#ba4900", gain="#0072b2", loss="#ba4900", not_relevant="#8d9197", not_judged="#ffffff",
    shades=("#2b93e6", "#06264d"),
)  # fmt: skip
DARK = Theme(
    name="dark", background="#15191e", ink="#e8ebee", muted="#a3adb8", axis="#59636e", grid="#272d34",
    series=("#4fa8e0", "#ea7034", "#29bd90", "#ffd869", "#ffb6ca", "#98d9ff", "#91979f"),
    mark="#ea7034", gain="#4fa8e0", loss="#ea7034", not_relevant="#666c74", not_judged="#15191e",
    shades=("#1f74cf", "#dcf3ff"),
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def find_theme(name: str) -> Theme:
    if name not in THEMES:
        raise PlotError(f"theme must be one of {', '.join(THEMES)}, not {name!r}.")
    return THEMES[name]


def rows_height(count: int) -> int:
    """The height of a chart with so many labelled rows; few rows are higher."""
    return max(64, count * max(19, min(30, 300 // max(count, 1))))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
