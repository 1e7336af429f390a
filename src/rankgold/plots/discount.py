"""How much a document counts at each rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rankgold.declaration.named_functions import discount as discounts_family
from rankgold.errors import PlotError
from rankgold.matching.labels import from_labels
from rankgold.measures.dcg import discounted_cumulative_gain
from rankgold.plots.cutoffs import checked_depth
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import line_legend, rank_axis, rank_scale, records, run_colours, run_dashes
from rankgold.plots.theme import HEIGHT, WIDTH, dressed, theme_called
from rankgold.plots.words import heading

_ALL = ("log2", "log(e)", "jk", "linear", "exponential", "zipf(0, 0.5)")
_DEPTH = 10
_ROOM_FOR_NUMBERS = 15
_MOST = 20


@plot(fewest=0, most=0)
def discount(discounts: str | Sequence[str] = _ALL, *, depth: int = _DEPTH, theme: str = "light") -> Any:
    """How much a document of gain 1 counts at each rank, under one discount or several.

    The steeper the fall, the more a measure looks at the top alone. Logarithms to other bases differ by a factor, which
    a normalised measure such as ndcg does not see: it divides by the same.

    >>> import rankgold
    >>> [round(bar["weight"], 3) for bar in rankgold.plots.discount("log2", depth=3).data.values]
    [1.0, 0.631, 0.5]
    """
    look = theme_called(theme)
    deepest = checked_depth(depth) or _DEPTH
    wanted = [discounts] if isinstance(discounts, str) else list(discounts)
    chosen = list(dict.fromkeys(map(discounts_family.parse, wanted)))
    if not 1 <= len(chosen) <= _MOST:
        raise PlotError(f"This plot shows from 1 to {_MOST} discounts, not {len(chosen)}.")
    ones = from_labels([[1] * deepest])
    rows = [
        {"discount": str(one), "rank": rank, "weight": float(weight)}
        for one in chosen
        for rank, weight in enumerate(discounted_cumulative_gain(ones, discount=one).term, start=1)
    ]
    names = list(map(str, chosen))
    chart = _bars(rows, names[0], deepest, look.muted) if len(chosen) == 1 else _lines(rows, names, deepest, look)
    return dressed(chart.properties(width=WIDTH, height=HEIGHT), look)


def _bars(rows: list[dict[str, Any]], name: str, deepest: int, muted: str) -> Any:
    every = max(1, -(-deepest // 20))
    base = alt.Chart().encode(
        x=alt.X("rank:O", title="Rank", axis=alt.Axis(labelAngle=0, values=[1, *range(every, deepest + 1, every)])),
        y=alt.Y("weight:Q", title=f"1 / {name} discount", scale=alt.Scale(zero=True)),
        tooltip=_tooltip(),
    )
    layers = [base.mark_bar()]
    if deepest <= _ROOM_FOR_NUMBERS:
        layers.append(base.mark_text(dy=-7, color=muted).encode(text=alt.Text("weight:Q", format=".3f")))
    title = heading(f"What a document counts at each rank: {name} discount")
    return alt.layer(*layers, data=records(rows)).properties(title=title)


def _lines(rows: list[dict[str, Any]], names: list[str], deepest: int, look: Any) -> Any:
    base = alt.Chart().encode(
        x=alt.X("rank:Q", title="Rank", axis=rank_axis(deepest), scale=rank_scale(deepest)),
        y=alt.Y("weight:Q", title="1 / discount", scale=alt.Scale(zero=True)),
        color=alt.Color("discount:N", scale=run_colours(names, look), legend=line_legend("Discount")),
        tooltip=_tooltip(),
    )
    dash = alt.StrokeDash("discount:N", scale=run_dashes(names, look), legend=line_legend("Discount"))
    layers = [base.mark_line().encode(strokeDash=dash)]
    if deepest <= 20:
        layers.append(base.mark_point(size=36))
    return alt.layer(*layers, data=records(rows)).properties(title=heading("What a document counts at each rank"))


def _tooltip() -> list[Any]:
    return [
        alt.Tooltip("discount:N", title="discount"),
        alt.Tooltip("rank:Q", title="rank"),
        alt.Tooltip("weight:Q", title="counts", format=".4f"),
    ]
