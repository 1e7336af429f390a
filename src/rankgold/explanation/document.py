"""An Explanation in, a document out: title, formula, a table of the terms, and how they give the value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankgold.errors import listing
from rankgold.output.document import Document, ResultTable
from rankgold.output.text import check_digits

if TYPE_CHECKING:
    from rankgold.explanation import Explanation, Step


def explanation_document(explanation: Explanation, digits: int) -> Document:
    digits = check_digits(digits)
    tables = [(explanation.steps, ""), (explanation.ideal, "The ideal ranking:")]
    run = "" if explanation.run == "run" else f" in {explanation.run}"
    value = "undefined" if math.isnan(explanation.value) else f"{explanation.value:.{digits}f}"
    return Document(
        [_table(steps, caption, digits) for steps, caption in tables if steps],
        title=f"{explanation.measure} of query {explanation.query}{run}: {value}",
        formula=explanation.formula,
        facts=_facts(explanation, digits),
        notes=[f"note: {remark}" for remark in explanation.remarks],
    )


def _table(steps: tuple[Step, ...], caption: str, digits: int) -> ResultTable:
    """One row for each step. Documents have a column if they have ids, and so have subtopics."""
    columns = [
        ("rank", "r", [str(step.rank) for step in steps]),
        ("document", "l", [str(step.document) for step in steps]),
        ("subtopic", "l", [str(step.subtopic) for step in steps]),
        ("grade", "r", ["mixed" if math.isnan(s.grade) else _short_number(s.grade, digits) for s in steps]),
        ("term", "r", [_term(step, digits) for step in steps]),
        ("running sum", "r", [_fixed_number(step.running_sum, digits) for step in steps]),
    ]
    absent = {name for name in ("document", "subtopic") if all(getattr(step, name) is None for step in steps)}
    header, sides, cells = zip(*(column for column in columns if column[0] not in absent), strict=True)
    return ResultTable(list(header), [list(row) for row in zip(*cells, strict=True)], "".join(sides), caption=caption)


def _term(step: Step, digits: int) -> str:
    return term_text(step.pattern, step.numbers, step.term, step.documents, step.tied, digits)


def term_text(pattern: str, numbers: Sequence[float], value: float, documents: int, tied: int, digits: int) -> str:
    """A term and its value: `2/3 = 0.6667`. With averaged ties also the chance that it counts."""
    term = pattern.format(*(_short_number(number, digits) for number in numbers))
    is_number = term.replace(".", "", 1).replace("-", "", 1).isdigit()
    if not (is_number and float(term) == round(value, digits)):
        term = f"{term} = {_fixed_number(value, digits)}"
    return term if tied == 1 else f"{term}, chance {documents}/{tied}"


def _facts(explanation: Explanation, digits: int) -> list[tuple[str, str]]:
    """The lines below the tables, each with its name."""
    e = explanation
    norm = _short_number(e.norm, digits)
    facts = []
    if not e.steps:
        facts.append(("hits", "none that counts" if e.is_ranked else "none: the run does not rank this query"))
    if e.missed:
        facts.append(("missed", f"{_short_number(e.missed, digits)} ({e.missed_is})"))
    facts.append(("sum", f"{e.sum:.{digits}f}"))
    facts.append(("norm", norm if e.norm_is == norm else f"{norm} ({e.norm_is})"))
    if e.decided_by:
        value = "undefined" if math.isnan(e.value) else _short_number(e.value, digits)
        facts.append(("value", f"{value}: {e.decided_by}"))
    elif math.isnan(e.value):
        facts.append(("value", "0 / 0, undefined"))
    else:
        facts.append(("value", f"{e.sum:.{digits}f} / {norm} = {e.value:.{digits}f}"))
    for name, documents in (("below k", e.below_cutoff), ("not found", e.not_found)):
        if documents:
            grades = [(document, f"grade {_short_number(grade, digits)}") for document, grade in documents]
            shown = [grade if document is None else f"{document} ({grade})" for document, grade in grades]
            facts.append((name, f"{len(shown)} relevant: {listing(shown, 6)}"))
    return facts


def _short_number(number: float, digits: int) -> str:
    """A number without trailing zeros: 3, 1.585."""
    if float(number).is_integer():
        return str(int(number))
    text = f"{number:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _fixed_number(number: float, digits: int) -> str:
    """A number with all its decimals; zero has no sign."""
    return f"{round(number, digits) + 0.0:.{digits}f}"
