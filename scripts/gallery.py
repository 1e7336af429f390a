"""The sample data in, the pictures and the text of docs/plots.md out: every plot, and the figures of an introduction.

The pages of measures have their pictures from here too.

A picture ends with a digest of its chart. The check compares digests, because fonts and the last decimals of the
renderer differ between machines.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import rankgold
from measure_pages import figure_calls
from rankgold.data.files import sample
from rankgold.present.plots import PLOTS, Plot
from rankgold.present.plots.chart_files import render_chart

PICTURES = Path(__file__).parent.parent / "docs" / "images" / "plots"
RUNS = ("titles", "bm25", "expanded")


@dataclass(frozen=True)
class Example:
    """How a plot is called: in Python, and on the command line."""

    python: str
    shell: str


EXAMPLES = {
    "average-precision": Example('average_precision(expanded, query="q20")', "expanded.trec --query q20"),
    "bump": Example('bump({"bm25": bm25, "expanded": expanded}, query="q20")', "bm25.trec expanded.trec --query q20"),
    "correlation": Example('correlation([bm25, expanded], query="q21")', "bm25.trec expanded.trec --query q21"),
    "curve": Example('curve(expanded, "p@10", query="q18")', "expanded.trec -m p@10 --query q18"),
    "curves": Example('curves([titles, bm25, expanded], "ndcg@10")', "titles.trec bm25.trec expanded.trec -m ndcg@10"),
    "difference": Example('difference([bm25, expanded], "ndcg@10")', "bm25.trec expanded.trec -m ndcg@10"),
    "discount": Example("discount()", ""),
    "distribution": Example(
        'distribution([titles, bm25, expanded], "ndcg@10")', "titles.trec bm25.trec expanded.trec -m ndcg@10"
    ),
    "forest": Example(
        'forest([bm25, expanded], "ndcg@10", by="attributes.csv")',
        "bm25.trec expanded.trec -m ndcg@10 --slices attributes.csv",
    ),
    "grid": Example('grid(bm25, "rr")', "bm25.trec -m rr"),
    "judged": Example("judged([titles, bm25, expanded])", "titles.trec bm25.trec expanded.trec"),
    "leaderboard": Example(
        'leaderboard([titles, bm25, expanded], ["ndcg@10", "ap", "rr"])',
        "titles.trec bm25.trec expanded.trec -m ndcg@10,ap,rr",
    ),
    "ndcg": Example('ndcg(expanded, "ndcg@10", query="q20")', "expanded.trec -m ndcg@10 --query q20"),
    "attribution": Example(
        'attribution([bm25, expanded], "ndcg@10", query="q10")', "bm25.trec expanded.trec -m ndcg@10 --query q10"
    ),
    "critical-difference": Example(
        'critical_difference([titles, bm25, expanded], "ndcg@10")',
        "titles.trec bm25.trec expanded.trec -m ndcg@10",
    ),
    "per-query": Example('per_query(bm25, "ap")', "bm25.trec -m ap"),
    "precision-recall": Example("precision_recall([titles, bm25, expanded])", "titles.trec bm25.trec expanded.trec"),
    "reciprocal-rank": Example("reciprocal_rank(bm25)", "bm25.trec"),
    "scatter": Example('scatter(bm25, ["ap", "ndcg@10"])', "bm25.trec -m ap,ndcg@10"),
    "stopping": Example(
        'stopping(expanded, "err(max=3)@10", query="q21")', "expanded.trec -m 'err(max=3)@10' --query q21"
    ),
    "waterfall": Example('waterfall(expanded, "ndcg@10", query="q20")', "expanded.trec -m ndcg@10 --query q20"),
}

SECTIONS = {
    "One query": lambda plot: plot.is_of_one_query,
    "All queries of a run": lambda plot: not plot.is_of_one_query and plot.max_runs == 1,
    "Runs side by side": lambda plot: not plot.is_of_one_query and plot.max_runs not in (0, 1),
    "Without data": lambda plot: plot.max_runs == 0,
}


@dataclass(frozen=True)
class Figure:
    """A figure of an introduction to ranking metrics: the call that draws it, and how to read it."""

    name: str
    heading: str
    python: str
    how_to_read: str


ONE = "[1, 0, 1, 0, 1, 0, 0, 1, 0, 1]"
FIGURES = (
    Figure(
        "seed-reciprocal-ranks",
        "Reciprocal ranks of five queries",
        "grid([[0, 0, 1, 0, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])",
        "Each bar is one over the column of its row's first 1; the dashed line, their mean of 0.4567, is the MRR.",
    ),
    Figure(
        "seed-reciprocal-rank",
        "Reciprocal rank against position",
        "reciprocal_rank(depth=10)",
        "Half of the value is lost from position 1 to 2, a tenth of it from 5 to 10.",
    ),
    Figure(
        "seed-precision",
        "Precision at k of one ranking",
        f'curve({ONE}, "p")',
        "Every blue stripe raises the line and every grey one lowers it; the further down, the less.",
    ),
    Figure(
        "seed-precisions",
        "Precision at k of four rankings",
        """curves(
    {
        "Top-heavy": [1, 1, 1, 1, 0, 0, 0, 0, 0, 0],
        "Bottom-heavy": [0, 0, 0, 0, 0, 0, 0, 1, 1, 1],
        "Alternating (R first)": [1, 0, 1, 0, 1, 0, 1, 0, 1, 0],
        "Alternating (NR first)": [0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
    },
    "p",
)""",
        "All the difference is at the top: at k = 10 only the number of relevant documents counts, not their order.",
    ),
    Figure(
        "seed-average-precision",
        "Average precision of one ranking",
        f"average_precision({ONE})",
        "The five marked heights, 1, 2/3, 3/5, 4/8 and 5/10, have a mean of 0.6533, and that is the average precision.",
    ),
    Figure(
        "seed-average-precisions",
        "Average precision of four queries",
        """per_query(
    [
        [1, 1, 0, 1, 0, 1, 0, 0, 0, 0],
        [0, 1, 0, 0, 1, 0, 1, 0, 1, 1],
        [1, 0, 1, 1, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, 1, 1, 1],
    ],
    "ap",
)""",
        "The relevant documents of queries 2 and 4 come late, which lowers the mean (MAP).",
    ),
    Figure(
        "seed-ndcg",
        "NDCG at k above the grades",
        'ndcg([3, 2, 3, 0, 1, 2, 0, 1, 0, 3], "ndcg(gain=exp)")',
        "The line falls at position 2, where a 3 was possible, and jumps up at 10, where the last 3 is.",
    ),
    Figure(
        "seed-ndcgs",
        "NDCG at k of four rankings",
        """curves(
    {
        "Perfect": [3, 3, 3, 2, 2, 2, 1, 1, 0, 0],
        "Reverse": [0, 0, 1, 1, 2, 2, 2, 3, 3, 3],
        "Mixed": [3, 0, 3, 0, 2, 0, 2, 1, 1, 0],
        "Repeating": [3, 2, 1, 0, 3, 2, 1, 0, 3, 2],
    },
    "ndcg(gain=exp)",
)""",
        "The perfect ranking is a flat line at 1; the others never fully recover what they lose at the top.",
    ),
    Figure(
        "seed-discount",
        "Position discount",
        'discount("log2", depth=10)',
        "A document counts half as much at position 3 as at the top, and a third as much at position 7.",
    ),
    Figure(
        "seed-correlation",
        "Rank correlation of four rankings",
        """correlation(
    {
        "Identical": [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
        "Reverse": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        "Slightly different": [10, 8, 9, 7, 5, 6, 4, 2, 3, 1],
        "Swapped pairs": [9, 10, 7, 8, 5, 6, 3, 4, 1, 2],
    }
)""",
        "The labels are grades in ranked order, 10 for the item that should come first. Swapping neighbours hardly"
        " lowers Spearman's correlation; Kendall's, which counts pairs, falls further.",
    ),
)


@cache
def _names() -> dict[str, Any]:
    hits = {name: rankgold.match(sample("qrels.txt"), sample(f"{name}.trec")) for name in RUNS}
    return {"rankgold": rankgold, **hits}


def draw(python: str, theme: str = "light") -> Any:
    """The chart of a call above."""
    call = python.rstrip().removesuffix(")").rstrip().rstrip(",")
    call = call.replace('"attributes.csv"', repr(str(sample("attributes.csv"))))
    return eval(f"rankgold.plots.{call}{'' if call.endswith('(') else ', '}theme={theme!r})", dict(_names()))


@cache
def charts(theme: str = "light") -> dict[str, Any]:
    """The chart of every picture, by the picture's name."""
    calls = {name: example.python for name, example in EXAMPLES.items()} | {fig.name: fig.python for fig in FIGURES}
    calls |= figure_calls()
    return {name: draw(python, theme) for name, python in calls.items()}


def digest(chart: Any) -> str:
    """Identifies a chart, without the last digits of its numbers and the version of Altair."""
    content = _rounded(chart.to_dict())
    content.pop("$schema", None)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def _rounded(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _rounded(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_rounded(value) for value in part]
    return float(f"{part:.9g}") if isinstance(part, float) else part


def picture(chart: Any) -> str:
    """The chart as SVG, without the attributes for screen readers."""
    text = render_chart(chart, "svg").decode("utf-8")
    text = re.sub(r' (?:aria-\w+|role|pointer-events)="[^"]*"', "", text)
    text = re.sub(r'<path class="(?:background|foreground)"[^>]*d=""[^>]*/>', "", text)
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"\d+\.\d{3,}", _shorter, tag[0]), text)
    return f"{text}\n<!-- {digest(chart)} -->\n"


def _shorter(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}"


def is_current(name: str) -> bool:
    """Whether the stored picture shows the chart as it is now."""
    path = PICTURES / f"{name}.svg"
    return path.exists() and path.read_text(encoding="utf-8").endswith(f"<!-- {digest(charts()[name])} -->\n")


def stale_pictures() -> list[Path]:
    """The pictures that are missing, out of date, or no longer used."""
    unknown = [path for path in sorted(PICTURES.glob("*.svg")) if path.stem not in charts()]
    return [PICTURES / f"{name}.svg" for name in charts() if not is_current(name)] + unknown


def write_pictures() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for path in stale_pictures():
        if path.stem in charts():
            path.write_text(picture(charts()[path.stem]), encoding="utf-8")
        else:
            path.unlink()


def gallery() -> str:
    """The part of the page that shows every plot."""
    parts = []
    for section, belongs in SECTIONS.items():
        parts.append(f"## {section}")
        parts += [_entry(plot) for _, plot in sorted(PLOTS.items()) if belongs(plot)]
    return "\n" + "\n\n".join(parts) + "\n"


def _entry(plot: Plot) -> str:
    example = EXAMPLES[plot.name]
    files = f" qrels.txt {example.shell}" if example.shell else ""
    return "\n\n".join(
        [
            f"### {plot.name}",
            plot.summary,
            f"![{plot.summary}](images/plots/{plot.name}.svg)",
            plot.how_to_read,
            f"```pycon\n>>> chart = rankgold.plots.{example.python}\n```",
            f"```sh\nrankgold plot {plot.name}{files} -o {plot.name}.svg\n```",
        ]
    )


def figures() -> str:
    """The part of the page that shows the figures of the introduction."""
    parts = []
    for figure in FIGURES:
        first, *others = figure.python.split("\n")
        code = "\n".join([f">>> chart = rankgold.plots.{first}", *(f"... {line}" for line in others)])
        image = f"![{figure.heading}](images/plots/{figure.name}.svg)"
        parts += [f"### {figure.heading}", image, figure.how_to_read, f"```pycon\n{code}\n```"]
    return "\n" + "\n\n".join(parts) + "\n"
