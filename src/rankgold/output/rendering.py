"""Scores as tables: for the terminal, Markdown, LaTeX, HTML, CSV and in the form of trec_eval."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rankgold.errors import MeasureError, listing
from rankgold.hits import Notes

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure
    from rankgold.scoring.scores import Scores

_LATEX = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "\n": " ", "\r": " ",
})  # fmt: skip
_MARKDOWN = str.maketrans({
    "\\": "\\\\", "|": "\\|", "*": "\\*", "_": "\\_", "`": "\\`", "<": "&lt;", ">": "&gt;", "[": "\\[", "]": "\\]",
    "\n": " ", "\r": " ",
})  # fmt: skip

# What trec_eval calls a measure of the whole list, and one with a cutoff.
_TREC_EVAL_NAMES: dict[str, tuple[str | None, str | None]] = {
    "ap": ("map", "map_cut"),
    "ndcg": ("ndcg", "ndcg_cut"),
    "rr": ("recip_rank", None),
    "rprec": ("Rprec", None),
    "p": (None, "P"),
    "r": (None, "recall"),
    "hit": (None, "success"),
}


def plain(text: object) -> str:
    """Text with its control characters shown, so that it cannot steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(text))


def markdown_text(text: object) -> str:
    """Text that Markdown shows as it is."""
    return plain(text).translate(_MARKDOWN)


def latex_text(text: object) -> str:
    """Text that LaTeX shows as it is."""
    return plain(text).translate(_LATEX)


def number(value: float, digits: int = 4) -> str:
    """A number as tables show it."""
    if not 0 <= digits <= 17:
        raise MeasureError(f"digits is a number from 0 to 17, not {digits}.")
    if abs(value) >= 1e15:
        return f"{value:.{digits}e}"
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def _cells(scores: Scores, digits: int, text: Callable[[object], str], strong: str) -> list[list[str]]:
    """A row per run, a cell per measure, the best of each measure made strong where there are several runs."""
    best = best_runs(scores)
    rows = []
    for name, means in means_by_run(scores).items():
        row = [text(name)]
        for label, value in means.items():
            shown = number(value, digits)
            row.append(strong.format(shown) if name in best[label] else shown)
        rows.append(row)
    return rows


def best_runs(scores: Scores) -> dict[str, set[str]]:
    """The runs to be marked in each measure's column: the best ones, where there are several to choose from."""
    return {label: scores.best(label) if len(scores.runs) > 1 else set() for label in scores.measures}


def means_by_run(scores: Scores) -> dict[str, dict[str, float]]:
    """Run -> measure -> mean, of one run or of several."""
    return scores.means if len(scores.runs) > 1 else dict.fromkeys(scores.runs, scores.means)


def markdown_table(scores: Scores, digits: int, per_query: bool = False) -> str:
    """A table of the means; with `per_query` one of every query's values first."""
    measures = list(map(markdown_text, scores.measures))
    means = _markdown(["run"], measures, _cells(scores, digits, markdown_text, "**{}**"))
    if not per_query:
        return means
    return f"{_markdown(['run', 'query'], measures, _query_cells(scores, digits, markdown_text))}\n{means}"


def _markdown(names: list[str], measures: list[str], rows: list[list[str]]) -> str:
    lines = [[*names, *measures], [*("---" for _ in names), *("---:" for _ in measures)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _query_cells(scores: Scores, digits: int, text: Callable[[object], str]) -> list[list[str]]:
    return [
        [text(name), text(query), *(number(value, digits) for value in values)]
        for name, query, values in per_query_rows(scores)
    ]


def latex_table(scores: Scores, digits: int, per_query: bool = False) -> str:
    """A booktabs table of the means; with `per_query` one of every query's values first."""
    measures = list(map(latex_text, scores.measures))
    means = _latex(["run"], measures, _cells(scores, digits, latex_text, r"\textbf{{{}}}"))
    if not per_query:
        return means
    return f"{_latex(['run', 'query'], measures, _query_cells(scores, digits, latex_text))}\n{means}"


def _latex(names: list[str], measures: list[str], rows: list[list[str]]) -> str:
    lines = [
        rf"\begin{{tabular}}{{{'l' * len(names)}{'r' * len(measures)}}}",
        r"\toprule",
        " & ".join([*names, *measures]) + r" \\",
        r"\midrule",
        *(" & ".join(row).replace("–", "--") + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def html_table(scores: Scores, digits: int = 4) -> str:
    import html

    head = "".join(f"<th>{html.escape(label)}</th>" for label in ("run", *scores.measures))
    rows = _cells(scores, digits, lambda name: html.escape(plain(name)), "<strong>{}</strong>")
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    notes = "".join(f"<li>{html.escape(line)}</li>" for line in note_lines(scores))
    below = f"<ul>{notes}</ul>" if notes else ""
    policy = html.escape(str(scores.policy))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>policy: {policy}</p>{below}"


def text_table(scores: Scores, digits: int = 4) -> str:
    rows = [["run", *scores.measures], *_cells(scores, digits, plain, "{}*")]
    return "\n".join([*_aligned(rows, 1), *note_lines(scores)])


def text_with_notes(scores: Scores, per_query: bool) -> str:
    """What a terminal without colours shows: the means, with `per_query` every query's values first."""
    measures = list(map(plain, scores.measures))
    lines = []
    if per_query:
        lines += _aligned([["run", "query", *measures], *_query_cells(scores, 4, plain)], 2)
    lines += _aligned([["run", *measures], *_cells(scores, 4, plain, "{}")], 1)
    lines += [f"note: {line}" for line in note_lines(scores)]
    if str(scores.policy) != "rankgold":
        lines.append(f"policy: {scores.policy}")
    return "\n".join(lines) + "\n"


def _aligned(rows: list[list[str]], names: int) -> list[str]:
    """The rows as lines, the first columns flush left and the others flush right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        gaps = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [cell + gap if i < names else gap + cell for i, (cell, gap) in enumerate(zip(row, gaps, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def csv_table(scores: Scores, per_query: bool) -> str:
    """The means as CSV, or with `per_query` the values of every query."""
    import csv

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if not per_query:
        writer.writerow(["run", *scores.measures])
        for name, means in means_by_run(scores).items():
            writer.writerow([name, *(_blank(value) for value in means.values())])
        return out.getvalue()
    writer.writerow(["run", "query", *scores.measures])
    for name, query, values in per_query_rows(scores):
        writer.writerow([name, query, *(_blank(value) for value in values)])
    return out.getvalue()


def per_query_rows(scores: Scores) -> Iterator[tuple[str, Any, list[float]]]:
    """Run, query and values, for every query of every run."""
    for name in scores.runs:
        frame = (scores[name] if len(scores.runs) > 1 else scores).per_query
        for query, *values in frame.iter_rows():
            yield name, query, values


def _blank(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def trec_eval_lines(scores: Scores, per_query: bool) -> str:
    """The lines of trec_eval; each run after its own `runid` line, as one call of trec_eval per run prints them."""
    spelled = [_trec_eval_name(measure) for measure in scores.measures.values()]
    of_queries: dict[str, list[str]] = {name: [] for name in scores.runs}
    for name, query, values in per_query_rows(scores) if per_query else ():
        of_queries[name] += [_trec_eval_line(*pair, query) for pair in zip(spelled, values, strict=True)]
    lines = []
    for name, means in means_by_run(scores).items():
        lines += [*of_queries[name], f"{'runid':<22}\tall\t{plain(name)}"]
        lines += [_trec_eval_line(*pair, "all") for pair in zip(spelled, means.values(), strict=True)]
    return "\n".join(lines) + "\n"


def _trec_eval_line(name: str, value: float, query: object) -> str:
    return f"{name:<22}\t{plain(query)}\t{value:.4f}"


def _trec_eval_name(measure: Measure) -> str:
    """trec_eval's own spelling, where it has the measure; else ours."""
    whole, cut = _TREC_EVAL_NAMES.get(measure.metric.name, (None, None))
    spelled = whole if measure.k is None else cut
    if measure.chosen or spelled is None:
        return str(measure)
    return spelled if measure.k is None else f"{spelled}_{measure.k}"


def note_lines(scores: Scores) -> list[str]:
    """What the reader should know about the data, a line each; alike for all runs, told once."""
    several = len(scores.runs) > 1
    told: dict[str, list[str]] = {}
    for name in scores.runs:
        notes = scores.notes[name] if several else scores.notes
        for line in _notes(notes, scores):
            told.setdefault(line, []).append(name)
    return [
        line if not several or len(names) == len(scores.runs) else f"{listing(map(plain, names), 3)}: {line}"
        for line, names in told.items()
    ]


def _notes(notes: Notes, scores: Scores) -> list[str]:
    policy = scores.policy
    lines = []
    if notes.without_ranking:
        verb = "left out" if policy.missing == "skip" else f"scored 0{_but_not(scores)}"
        lines.append(
            f"{_queries(notes.without_ranking, 'judged but not ranked')}: {verb} (policy missing={policy.missing})"
        )
    if notes.without_judgements:
        lines.append(f"{_queries(notes.without_judgements, 'ranked but not judged')}: left out")
    if notes.without_relevant:
        what = {"zero": f"scored 0{_but_not(scores)}", "skip": "left out", "one": "scored 1", "undefined": "undefined"}[
            policy.no_relevant
        ]
        thresholds = {measure.threshold for measure in scores.measures.values() if measure.metric.wants_relevant}
        for_all = "relevant document" if len(thresholds) == 1 else "document relevant to every measure here"
        which = _queries(notes.without_relevant, f"without a {for_all}")
        lines.append(f"{which}: {what} (policy no_relevant={policy.no_relevant})")
    if notes.unjudged_share > 0:
        lines.append(f"{notes.unjudged_share:.1%} of {notes.retrieved:,} retrieved documents are not judged")
    if notes.negative_grades:
        lines.append(f"{notes.negative_grades} judgements have a negative grade: not relevant, gain 0")
    for label, count in notes.undefined.items():
        what = "counted as 0" if policy.undefined == "zero" else "left out of the mean"
        lines.append(f"{label} is undefined for {count} quer{'y' if count == 1 else 'ies'}: {what}")
    return [plain(line) for line in (*lines, *notes.remarks)]


def _but_not(scores: Scores) -> str:
    """What a policy's 0 is not given to: measures of which 0 would be the best value."""
    lower = [label for label, measure in scores.measures.items() if not measure.higher_is_better]
    return f", but not by {listing(lower)}" if lower else ""


def _queries(queries: tuple[Any, ...], what: str) -> str:
    noun = "query" if len(queries) == 1 else "queries"
    return f"{len(queries)} {noun} {what} ({listing(queries, 3)})"
