"""How all charts look: one theme, light and dark, in colours that people who see few of them can tell apart.

A chart wears its theme rather than holding it, because Altair refuses to put charts side by side that hold a
configuration. So `a | b` and `alt.hconcat(a, b)` work, and what operators make of a chart wears the theme too.

The colours of series are those of Okabe and Ito 2008, Color universal design.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from rankgold.errors import PlotError
from rankgold.plots.library import alt

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
WIDTH, HEIGHT = 460, 280
"""The size of a chart that stands alone; of two side by side each is PANEL wide."""
PANEL = 340


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
    """The colours of runs, in order; the first is also that of a chart with one series."""
    mark: str
    """What stands out against the first colour: means, and positions that are pointed at."""
    gain: str
    loss: str
    not_relevant: str
    not_judged: str
    shades: tuple[str, str]
    """The lowest and the highest grade that is relevant; those between are mixed of both."""

    def shade(self, share: float) -> str:
        """The colour of a grade, from 0 for the lowest to 1 for the highest."""
        low, high = (_channels(colour) for colour in self.shades)
        return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))

    def ink_on(self, colour: str) -> str:
        """What can be read on a colour: black or white."""
        red, green, blue = _channels(colour)
        return "#1d2126" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"

    @property
    def config(self) -> dict[str, Any]:
        """Vega-Lite's configuration."""
        text = {"labelColor": self.muted, "titleColor": self.ink, "labelFontSize": 11, "titleFontSize": 12}
        axis = {**text, "titleFontWeight": "normal", "titlePadding": 8, "labelLimit": 170, "titleLimit": 420}
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
            "legend": {**text, "titleFontWeight": "normal", "symbolSize": 90, "labelLimit": 170, "rowPadding": 4},
            "header": {**text, "labelFontSize": 12, "labelColor": self.ink, "labelLimit": 400},
            "text": {"color": self.ink, "fontSize": 11},
            "bar": {"color": self.series[0]},
            "line": {"color": self.series[0], "strokeWidth": 2, "strokeCap": "round"},
            "point": {"color": self.series[0], "filled": True, "size": 50, "opacity": 1},
            "rule": {"color": self.axis},
            "range": {"category": list(self.series)},
        }  # fmt: skip


LIGHT = Theme(
    name="light", background="#ffffff", ink="#22272e", muted="#5c6672", axis="#b4bbc4", grid="#eceef1",
    series=("#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#7f7f7f"),
    mark="#d55e00", gain="#0072b2", loss="#d55e00", not_relevant="#e3e6ea", not_judged="#ffffff",
    shades=("#9fcbe8", "#0b4f82"),
)  # fmt: skip
DARK = Theme(
    name="dark", background="#15191e", ink="#e8ebee", muted="#a3adb8", axis="#59636e", grid="#272d34",
    series=("#4fa8e0", "#ec7430", "#2fc39a", "#f8d66d", "#e39bc4", "#93d2f5", "#a9b0b8"),
    mark="#ec7430", gain="#4fa8e0", loss="#ec7430", not_relevant="#333b44", not_judged="#15191e",
    shades=("#285d85", "#9bd8ff"),
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def theme_called(name: str) -> Theme:
    """The theme of a name: light or dark."""
    if name not in THEMES:
        raise PlotError(f"theme is one of {', '.join(THEMES)}, not {name!r}.")
    return THEMES[name]


def rows_height(count: int) -> int:
    """The height of so many rows with labels: higher ones where they are few."""
    return max(64, count * max(19, min(30, 300 // max(count, 1))))


def dressed(chart: Any, theme: Theme) -> Any:
    """The chart in a theme: an Altair chart of the same kind, to change and combine as any other."""
    worn = chart.copy(deep=False)
    # Altair takes attributes that are set for parts of the specification; the class is none.
    object.__setattr__(worn, "__class__", _kind(type(chart), theme.name))  # type: ignore[arg-type]  # a class is hashable
    return worn


class _Dressed:
    """What a chart in a theme has besides being an Altair chart."""

    _theme: Theme

    def to_dict(self, validate: bool = True, *, context: dict[str, Any] | None = None, **options: Any) -> Any:
        is_part = not (context or {}).get("top_level", True)
        whole = self if is_part else self._with_config()
        return super(_Dressed, whole).to_dict(validate, context=context, **options)  # type: ignore[misc]

    def _with_config(self) -> Any:
        whole: Any = self.copy(deep=False)  # type: ignore[attr-defined]
        own = whole._get("config")
        own = {} if own is alt.Undefined else own if isinstance(own, dict) else own.to_dict()
        whole.config = alt.utils.update_nested(self._theme.config, own, copy=True)
        return whole

    def __or__(self, other: Any) -> Any:
        return dressed(super().__or__(other), self._theme)  # type: ignore[misc]

    def __and__(self, other: Any) -> Any:
        return dressed(super().__and__(other), self._theme)  # type: ignore[misc]

    def __add__(self, other: Any) -> Any:
        return dressed(super().__add__(other), self._theme)  # type: ignore[misc]


@cache
def _kind(kind: type[Any], theme: str) -> type[Any]:
    if issubclass(kind, _Dressed):
        kind = kind.__mro__[2]
    return type(kind.__name__, (_Dressed, kind), {"_theme": THEMES[theme], "__doc__": kind.__doc__})


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
