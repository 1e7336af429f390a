"""Scores as tables: for the terminal, Markdown, LaTeX, HTML, CSV and in the form of trec_eval."""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from karat.errors import listing
from karat.hits import Notes

if TYPE_CHECKING:
    from karat.scores import Scores

_LATEX = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "\n": " ", "\r": " ",
})  # fmt: skip
_MARKDOWN = str.maketrans({
    "\\": "\\\\", "|": "\\|", "*": "\\*", "_": "\\_", "`": "\\`", "<": "&lt;", ">": "&gt;", "[": "\\[", "]": "\\]",
    "\n": " ", "\r": " ",
})  # fmt: skip

TREC_EVAL_NAMES = {"ap": "map", "rr": "recip_rank", "rprec": "Rprec", "p": "P", "r": "recall", "hit": "success"}


def plain(text: object) -> str:
    """Text with its control characters shown, so that it cannot steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(text))


def number(value: float, digits: int = 4) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def _cells(scores: Scores, digits: int, text: Callable[[object], str], strong: str) -> list[list[str]]:
    """A row per run, a cell per measure, the best of each measure made strong where there are several runs."""
    best = {label: scores.best(label) if len(scores.runs) > 1 else set() for label in scores.measures}
    rows = []
    for name, means in _means(scores).items():
        row = [text(name)]
        for label, value in means.items():
            shown = number(value, digits)
            row.append(strong.format(shown) if name in best[label] else shown)
        rows.append(row)
    return rows


def _means(scores: Scores) -> dict[str, dict[str, float]]:
    return scores.means if len(scores.runs) > 1 else {name: scores.means for name in scores.runs}


def markdown_table(scores: Scores, digits: int) -> str:
    header = ["run", *(str(label).translate(_MARKDOWN) for label in scores.measures)]
    rows = _cells(scores, digits, lambda name: plain(name).translate(_MARKDOWN), "**{}**")
    lines = [header, ["---", *("---:" for _ in scores.measures)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def latex_table(scores: Scores, digits: int) -> str:
    header = ["run", *(str(label).translate(_LATEX) for label in scores.measures)]
    rows = _cells(scores, digits, lambda name: plain(name).translate(_LATEX), r"\textbf{{{}}}")
    body = [" & ".join(line) + r" \\" for line in rows]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{l{'r' * len(scores.measures)}}}",
            r"\toprule",
            " & ".join(header) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    ).replace("–", "--")


def html_table(scores: Scores, digits: int = 4) -> str:
    head = "".join(f"<th>{html.escape(label)}</th>" for label in ("run", *scores.measures))
    rows = _cells(scores, digits, lambda name: html.escape(plain(name)), "<strong>{}</strong>")
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    notes = "".join(f"<li>{html.escape(line)}</li>" for line in note_lines(scores))
    below = f"<ul>{notes}</ul>" if notes else ""
    policy = html.escape(str(scores.policy))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>policy: {policy}</p>{below}"


def text_table(scores: Scores, digits: int = 4) -> str:
    rows = [["run", *scores.measures], *_cells(scores, digits, plain, "{}*")]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))) for row in rows]
    return "\n".join([*lines, *note_lines(scores)])


def csv_table(scores: Scores, per_query: bool) -> str:
    """The means as CSV, or with `per_query` the values of every query."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if not per_query:
        writer.writerow(["run", *scores.measures])
        for name, means in _means(scores).items():
            writer.writerow([name, *(_blank(value) for value in means.values())])
        return out.getvalue()
    writer.writerow(["run", "query", *scores.measures])
    for name, queries, columns in _per_query(scores):
        for query, *values in zip(queries, *columns, strict=True):
            writer.writerow([name, query, *(_blank(value) for value in values)])
    return out.getvalue()


def _per_query(scores: Scores) -> list[tuple[str, list[Any], list[list[float]]]]:
    several = len(scores.runs) > 1
    result = []
    for name in scores.runs:
        frame = (scores[name] if several else scores).per_query
        result.append((name, frame["query"].to_list(), [frame[label].to_list() for label in scores.measures]))
    return result


def _blank(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def trec_eval_lines(scores: Scores, per_query: bool) -> str:
    """The lines of trec_eval; each run after its own `runid` line, as one call of trec_eval per run prints them."""
    names = {label: _trec_eval_name(label, scores) for label in scores.measures}
    lines = []
    details = {name: (queries, columns) for name, queries, columns in _per_query(scores)} if per_query else {}
    for name, means in _means(scores).items():
        if name in details:
            queries, columns = details[name]
            for query, *values in zip(queries, *columns, strict=True):
                for label, value in zip(scores.measures, values, strict=True):
                    lines.append(_trec_eval_line(names[label], query, value))
        lines.append(f"{'runid':<22}\tall\t{plain(name)}")
        lines.extend(_trec_eval_line(names[label], "all", value) for label, value in means.items())
    return "\n".join(lines) + "\n"


def _trec_eval_line(name: str, query: object, value: float) -> str:
    return f"{name:<22}\t{plain(query)}\t{value:.4f}"


def _trec_eval_name(label: str, scores: Scores) -> str:
    """trec_eval's own spelling, where it has the measure; else ours."""
    measure = scores.measures[label]
    name = measure.metric.name
    if measure.chosen or name not in (*TREC_EVAL_NAMES, "ndcg"):
        return str(measure)
    if measure.k is None:
        return TREC_EVAL_NAMES.get(name, name)
    return f"{ {'ap': 'map_cut', 'ndcg': 'ndcg_cut'}.get(name, TREC_EVAL_NAMES.get(name, name)) }_{measure.k}"


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
        verb = "left out" if policy.missing == "skip" else "scored 0"
        lines.append(f"{_queries(notes.without_ranking, 'judged but not ranked')}: {verb} (policy missing={policy.missing})")
    if notes.without_judgements:
        lines.append(f"{_queries(notes.without_judgements, 'ranked but not judged')}: left out")
    if notes.without_relevant:
        what = {"zero": "scored 0", "skip": "left out", "one": "scored 1", "undefined": "undefined"}[policy.no_relevant]
        lines.append(
            f"{_queries(notes.without_relevant, 'without a relevant document')}: {what} (policy no_relevant={policy.no_relevant})"
        )
    if notes.unjudged_share > 0:
        lines.append(f"{notes.unjudged_share:.1%} of {notes.retrieved:,} retrieved documents are not judged")
    if notes.negative_grades:
        lines.append(f"{notes.negative_grades} judgements have a negative grade: not relevant, gain 0")
    for label, count in notes.undefined.items():
        what = "counted as 0" if policy.undefined == "zero" else "left out of the mean"
        lines.append(f"{label} is undefined for {count} quer{'y' if count == 1 else 'ies'}: {what}")
    return [plain(line) for line in (*lines, *notes.remarks)]


def _queries(queries: tuple[Any, ...], what: str) -> str:
    noun = "query" if len(queries) == 1 else "queries"
    return f"{len(queries)} {noun} {what} ({listing(queries, 3)})"
