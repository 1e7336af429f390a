"""Names of discounts in, a chart of how much a document counts at each rank out."""

from __future__ import annotations

from collections.abc import Sequence

from rankgold.declaration.named_functions import discount as discount_family
from rankgold.errors import PlotError
from rankgold.matching.labels import from_labels
from rankgold.measures.dcg import discounted_cumulative_gain
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading
from rankgold.plots.cutoffs import check_depth
from rankgold.plots.registry import plot
from rankgold.plots.scales import FEW_RANKS, band_axis, chart_data, outlined_text, rank_x, series_lines, tooltips
from rankgold.plots.theme import HEIGHT, WIDTH, Theme, find_theme

_DEFAULTS = ("log2", "log(e)", "jk", "linear", "exponential", "zipf(0, 0.5)")
_DEPTH = 10
_ROOM_FOR_NUMBERS = 15
_MAX_DISCOUNTS = 20


@plot(min_runs=0, max_runs=0)
def discount(
    discounts: str | Sequence[str] = _DEFAULTS, *, depth: int = _DEPTH, theme: str = "light"
) -> alt.LayerChart:
    """The weight of each rank under one or more discounts.

    The steeper the line falls, the more a measure depends on the top ranks. Logarithms to different bases differ by a
    constant factor, which a normalised measure such as ndcg cancels out.

    >>> import rankgold
    >>> [round(bar["weight"], 3) for bar in rankgold.plots.discount("log2", depth=3).data.values]
    [1.0, 0.631, 0.5]
    """
    look = find_theme(theme)
    deepest = check_depth(depth, _DEPTH)
    wanted = [discounts] if isinstance(discounts, str) else list(discounts)
    chosen = list(dict.fromkeys(map(discount_family.parse, wanted)))
    if not 1 <= len(chosen) <= _MAX_DISCOUNTS:
        raise PlotError(f"This plot shows from 1 to {_MAX_DISCOUNTS} discounts, not {len(chosen)}.")
    all_relevant = from_labels([[1] * deepest])
    rows = [
        {"discount": str(function), "rank": rank, "weight": float(weight)}
        for function in chosen
        for rank, weight in enumerate(discounted_cumulative_gain(all_relevant, discount=function).terms.term, start=1)
    ]
    names = list(map(str, chosen))
    tooltip = tooltips("discount:N", "rank:Q", alt.Tooltip("weight:Q", title="counts", format=".4f"))
    draw, suffix = (_weight_bars, f": {names[0]} discount") if len(names) == 1 else (_weight_lines, "")
    layers = draw(alt.Chart().encode(tooltip=tooltip), names, deepest, look)
    title = heading(f"What a document counts at each rank{suffix}")
    return look.layer(*layers, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)


def _weight_bars(base: alt.Chart, names: list[str], deepest: int, theme: Theme) -> list[alt.Chart]:
    base = base.encode(
        x=alt.X("rank:O", title="Rank", axis=band_axis(deepest, domain=alt.Undefined)),
        y=alt.Y("weight:Q", title=f"1 / {names[0]} discount", scale=alt.Scale(zero=True)),
    )
    layers = [base.mark_bar()]
    if deepest <= _ROOM_FOR_NUMBERS:
        layers += outlined_text(base, alt.Text("weight:Q", format=".3f"), theme, dy=-8, color=theme.muted)
    return layers


def _weight_lines(base: alt.Chart, names: list[str], deepest: int, theme: Theme) -> list[alt.Chart]:
    base = base.encode(
        x=rank_x("rank:Q", "Rank", deepest),
        y=alt.Y("weight:Q", title="1 / discount", scale=alt.Scale(zero=True)),
    )
    base, lines = series_lines(base, "discount:N", names, theme, "Discount")
    return [lines, base.mark_point(size=36)] if deepest <= FEW_RANKS else [lines]
