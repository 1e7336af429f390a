"""The results as a page with tables, and as pictures."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

_HEAD = """# Benchmark results

Made by `scripts/bench`. Both sides of a row are run in turn, each in a process of its own, after it was checked that
their numbers agree. Seconds are medians; the ratio is that of the medians, with the lowest and highest of a pair of
runs. Memory is the most a side ever had, its data included.

- {processor}
- Python {python}; {versions}
"""
_TITLES = {
    "TREC files": "TREC files",
    "in memory": "Data in memory",
    "engines": "DuckDB and Spark",
    "many runs": "Many runs",
    "comparison": "Comparing runs",
    "fusion": "Fusing runs",
    "cold start": "Cold start",
    "itself": "rankgold against itself",
}
_ABOUT = {
    "itself": "The second side is rankgold's own simpler work, so a ratio below 1 is what the harder work costs.\n\n",
}


def write(made: dict[str, Any], folder: Path) -> None:
    """RESULTS.md and the pictures it shows."""
    parts = [_HEAD.format(**made["machine"])]
    for part, title in _TITLES.items():
        rows = [row for row in made["rows"] if row["part"] == part]
        if rows:
            parts.append(f"## {title}\n\n{_ABOUT.get(part, '')}{table(rows)}")
    parts.append(f"## How time grows\n\n{_growth(made['growth'])}")
    parts.append("![How many times faster rankgold is](ratios.svg)\n\n![How time grows with rows](growth.svg)\n")
    (folder / "RESULTS.md").write_text("\n".join(parts), encoding="utf-8")
    (folder / "ratios.svg").write_text(ratios_svg([row for row in made["rows"] if row["part"] != "itself"]))
    (folder / "growth.svg").write_text(growth_svg(made["growth"]))


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| work | rankgold | other | | times faster | wanted | memory |",
        "|---|---:|---:|---|---:|---:|---:|",
    ]
    for row in rows:
        wanted = "" if row["at_least"] is None else f"{row['at_least']:.2g}"
        ratio = f"{row['ratio']:.2f} ({row['lowest']:.2f} to {row['highest']:.2f})"
        memory = f"{row['memory'] / 1e6:,.0f} / {row['their_memory'] / 1e6:,.0f} MB"
        lines.append(
            f"| {row['work']} | {seconds(row['ours'])} | {seconds(row['theirs'])} | {row['peer']} | {ratio} | {wanted}"
            f" | {memory} |"
        )
    return "\n".join(lines) + "\n"


def seconds(value: float) -> str:
    return f"{value:.3f} s" if value < 1 else f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def _growth(growth: dict[str, Any]) -> str:
    head = " | ".join(f"{rows / 1e6:g} million rows" for rows in growth["rows"])
    lines = [f"| | {head} | slope |", f"|---|{'---:|' * (len(growth['rows']) + 1)}"]
    for name, times in growth["seconds"].items():
        lines.append(f"| {name} | {' | '.join(map(seconds, times))} | {growth['slopes'][name]:.2f} |")
    about = "\n\nReading and evaluating TREC files, five measures. A slope of 1 means that time grows as the rows do.\n"
    return "\n".join(lines) + about


_STYLE = (
    "<style>text{font:13px system-ui,sans-serif;fill:#24292f}.dim{fill:#57606a}.bar{fill:#b8860b}.line{fill:none;"
    "stroke-width:2.5}.axis{stroke:#8c959f;stroke-width:1}@media(prefers-color-scheme:dark){text{fill:#e6edf3}"
    ".dim{fill:#9da7b1}.bar{fill:#e3b341}}</style>"
)


def ratios_svg(rows: list[dict[str, Any]]) -> str:
    """A bar for each row: how many times faster, on a logarithmic scale from 1."""
    import math

    height, left, width = 26 * len(rows) + 50, 640, 300
    most = max(row["ratio"] for row in rows)

    def across(ratio: float) -> float:
        return width * max(math.log(max(ratio, 1.0)) / math.log(most), 0.002)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 70} {height}" role="img"'
        f' aria-label="How many times faster rankgold is">{_STYLE}',
        '<text x="10" y="20" font-weight="600">How many times faster rankgold is (logarithmic scale)</text>',
    ]
    for i, row in enumerate(rows):
        y = 40 + 26 * i
        label = f"{row['work']} (against {row['peer']})"
        parts.append(f'<text x="{left - 10}" y="{y + 14}" text-anchor="end" class="dim">{escape(label)}</text>')
        parts.append(f'<rect class="bar" x="{left}" y="{y}" width="{across(row["ratio"]):.1f}" height="18" rx="2"/>')
        parts.append(f'<text x="{left + across(row["ratio"]) + 6:.1f}" y="{y + 14}">{row["ratio"]:.1f}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def growth_svg(growth: dict[str, Any]) -> str:
    """Seconds against rows, both on logarithmic scales."""
    import math

    width, height, left, top = 420, 260, 70, 50
    rows = growth["rows"]
    every = [seconds for times in growth["seconds"].values() for seconds in times]
    low, high = min(every), max(every)

    def x(count: float) -> float:
        return left + width * math.log(count / rows[0]) / math.log(rows[-1] / rows[0])

    def y(time: float) -> float:
        return top + height * (1 - math.log(time / low) / math.log(high / low))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 150} {top + height + 50}" role="img"'
        f' aria-label="How time grows with rows">{_STYLE}',
        '<text x="10" y="20" font-weight="600">Seconds to read and evaluate, by rows (logarithmic scales)</text>',
        f'<path class="axis" fill="none" d="M{left} {top}V{top + height + 8}H{left + width}"/>',
    ]
    for count in rows:
        below = f'x="{x(count):.0f}" y="{top + height + 28}" text-anchor="middle"'
        parts.append(f'<text class="dim" {below}>{count / 1e6:g} M</text>')
    for (name, times), colour in zip(growth["seconds"].items(), ("#b8860b", "#5b7fa6"), strict=True):
        points = " ".join(f"{x(count):.1f},{y(time):.1f}" for count, time in zip(rows, times, strict=True))
        parts.append(f'<polyline class="line" stroke="{colour}" points="{points}"/>')
        for count, time in zip(rows, times, strict=True):
            parts.append(f'<circle cx="{x(count):.1f}" cy="{y(time):.1f}" r="4" fill="{colour}"/>')
        parts.append(
            f'<text x="{x(rows[-1]) + 12:.0f}" y="{y(times[-1]) + 4:.0f}">{escape(name)}, {times[-1]:.1f} s</text>'
        )
        parts.append(
            f'<text class="dim" x="{left - 10}" y="{y(times[0]) + 4:.0f}" text-anchor="end">{times[0]:.2f} s</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"
