"""Keeps the theme of a chart apart until the whole chart is written.

Altair does not combine charts that have a configuration. So these charts keep their theme apart and add its
configuration only to the whole chart that is written, never to one that is part of another.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any

from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.chart_files import chart_page
from rankgold.present.plots.chart_labels import cut_labels

if TYPE_CHECKING:
    from rankgold.present.plots.theme import Theme

    class _Chart(alt.TopLevelMixin, alt.SchemaBase):
        config: Any
        theme: Theme

else:
    _Chart = alt.TopLevelMixin


class _Themed(_Chart):
    """Adds the property `theme`, which combining with `|`, `&` and `+` passes on."""

    def to_dict(
        self,
        validate: bool = True,
        *,
        ignore: list[str] | None = None,
        context: dict[str, Any] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        chart = self
        if (context or {}).get("top_level", True):
            own = self.config
            own = {} if own is alt.Undefined else own if isinstance(own, dict) else own.to_dict()
            chart = self.copy(deep=False)
            chart.config = alt.utils.update_nested(self.theme.config, own, copy=True)
        # Vega-Lite knows no property `theme`.
        ignored = [*(ignore or ()), "theme"]
        content = super(_Themed, chart).to_dict(validate, ignore=ignored, context=context, **options)
        if chart is not self:
            cut_labels(content)
        return content

    def save(self, fp: str | Path | IO[Any], format: Any = None, **options: Any) -> None:  # type: ignore[override]
        """Writes the chart to a file, as Altair does. HTML without further options is a page of rankgold's own."""
        ending = PurePath(fp).suffix.lower() if isinstance(fp, (str, PurePath)) else ""
        if options or (format or ending.removeprefix(".")) != "html":
            super().save(fp, format, **options)
        elif isinstance(fp, (str, PurePath)):
            Path(fp).write_text(chart_page(self), encoding="utf-8")
        else:
            fp.write(chart_page(self))

    def __or__(self, other: alt.ChartType) -> alt.HConcatChart:
        return ThemedHConcatChart(hconcat=[self, other], theme=self.theme)

    def __and__(self, other: alt.ChartType) -> alt.VConcatChart:
        return ThemedVConcatChart(vconcat=[self, other], theme=self.theme)


class ThemedLayerChart(_Themed, alt.LayerChart):
    """An Altair LayerChart in a theme."""


class ThemedHConcatChart(_Themed, alt.HConcatChart):
    """An Altair HConcatChart in a theme."""

    __or__ = alt.HConcatChart.__or__  # adds to the row instead of nesting it


class ThemedVConcatChart(_Themed, alt.VConcatChart):
    """An Altair VConcatChart in a theme."""

    __and__ = alt.VConcatChart.__and__  # adds to the column instead of nesting it
