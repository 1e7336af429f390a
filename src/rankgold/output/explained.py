"""Explanations as text, Markdown and HTML."""

from __future__ import annotations

import html as html_module
import math
from typing import TYPE_CHECKING, Any

from rankgold.errors import listing
from rankgold.output.rendering import markdown_text, plain

if TYPE_CHECKING:
    from rankgold.explanation import Explanation, Step


def brief(number: float, digits: int) -> str:
    """A number without the zeros that say nothing: 3, 1.585."""
    if float(number).is_integer():
        return str(int(number))
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


def _fixed(number: float, digits: int) -> str:
    """A number with all its decimals, and 0 without a sign."""
    return f"{round(number, digits) + 0.0:.{digits}f}"


def _term(step: Step, digits: int) -> str:
    """A term written out and worked out: `2/3 = 0.6667`."""
    written = step.pattern.format(*(brief(number, digits) for number in step.numbers))
    value = _fixed(step.term, digits)
    shown = written if _is_number(written) and float(written) == round(step.term, digits) else f"{written} = {value}"
    return shown if step.chance == 1 else f"{shown}, chance 1/{round(1 / step.chance)}"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdigit()


def _table(steps: tuple[Step, ...], digits: int) -> list[list[str]]:
    """A header and a row a step; documents only where they have ids."""
    with_ids = any(step.document is not None for step in steps)
    rows = [["rank", *(["document"] if with_ids else []), "grade", "term", "running sum"]]
    for step in steps:
        document = [plain(step.document)] if with_ids else []
        rows.append(
            [
                str(step.rank),
                *document,
                brief(step.grade, digits),
                _term(step, digits),
                _fixed(step.running_sum, digits),
            ]
        )
    return rows


def _title(explanation: Explanation, digits: int) -> str:
    run = "" if explanation.run == "run" else f" in {plain(explanation.run)}"
    value = "undefined" if math.isnan(explanation.value) else f"{explanation.value:.{digits}f}"
    return f"{explanation.measure} of query {plain(explanation.query)}{run}: {value}"


def _conclusion(explanation: Explanation, digits: int) -> list[tuple[str, str]]:
    """The lines below the table, each with its name."""
    e = explanation
    lines = []
    if not e.steps:
        lines.append(("hits", "none that counts" if e.is_ranked else "none: the run does not rank this query"))
    if e.missed:
        lines.append(("missed", f"{brief(e.missed, digits)} ({e.missed_is})"))
    lines.append(("sum", f"{e.sum:.{digits}f}"))
    norm = brief(e.norm, digits)
    lines.append(("norm", norm if e.norm_is == norm else f"{norm} ({e.norm_is})"))
    if e.decided_by:
        lines.append(("value", f"{'undefined' if math.isnan(e.value) else brief(e.value, digits)}: {e.decided_by}"))
    elif math.isnan(e.value):
        lines.append(("value", "0 / 0, undefined"))
    else:
        lines.append(("value", f"{e.sum:.{digits}f} / {norm} = {e.value:.{digits}f}"))
    for where, documents in (("below k", e.below_cutoff), ("not found", e.not_found)):
        if documents:
            names = [_named(document, grade, digits) for document, grade in documents]
            lines.append((where, f"{len(names)} relevant: {listing(names, 6)}"))
    return lines


def _named(document: Any, grade: float, digits: int) -> str:
    return f"grade {brief(grade, digits)}" if document is None else f"{plain(document)} (grade {brief(grade, digits)})"


_IDEAL = "The ideal ranking"


def text(explanation: Explanation, digits: int) -> str:
    parts = [_title(explanation, digits), "", explanation.formula, ""]
    if explanation.steps:
        parts += [*_aligned(_table(explanation.steps, digits)), ""]
    if explanation.ideal:
        parts += [f"{_IDEAL}:", *_aligned(_table(explanation.ideal, digits)), ""]
    width = max(len(name) for name, _ in _conclusion(explanation, digits))
    parts += [f"{name:<{width}}  {line}" for name, line in _conclusion(explanation, digits)]
    return "\n".join(parts)


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    left = {i for i, name in enumerate(rows[0]) if name == "document"}
    return [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def markdown(explanation: Explanation, digits: int) -> str:
    parts = [f"### {markdown_text(_title(explanation, digits))}", "", "```", explanation.formula, "```", ""]
    if explanation.steps:
        parts += [*_markdown_table(explanation.steps, digits), ""]
    if explanation.ideal:
        parts += [f"{_IDEAL}:", "", *_markdown_table(explanation.ideal, digits), ""]
    parts += [f"- **{name}**: {markdown_text(line)}" for name, line in _conclusion(explanation, digits)]
    return "\n".join(parts) + "\n"


def _markdown_table(steps: tuple[Step, ...], digits: int) -> list[str]:
    header, *rows = _table(steps, digits)
    lines = [header, ["---" if name == "document" else "---:" for name in header]]
    lines += [[markdown_text(cell) for cell in row] for row in rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def html(explanation: Explanation, digits: int) -> str:
    escape = html_module.escape
    parts = [f"<h3>{escape(_title(explanation, digits))}</h3>", f"<pre>{escape(explanation.formula)}</pre>"]
    if explanation.steps:
        parts.append(_html_table(explanation.steps, digits))
    if explanation.ideal:
        parts += [f"<p>{_IDEAL}:</p>", _html_table(explanation.ideal, digits)]
    lines = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(line)}</dd>" for name, line in _conclusion(explanation, digits)
    )
    return "\n".join([*parts, f"<dl>{lines}</dl>", ""])


def _html_table(steps: tuple[Step, ...], digits: int) -> str:
    header, *rows = _table(steps, digits)
    head = "".join(f"<th>{name}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{html_module.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
