"""An Explanation in, a document out: title, formula, a table of the terms, and how they give the value; or a dict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rankgold.errors import listing
from rankgold.explanation.term_text import fixed_number, short_number, term_text
from rankgold.output.document import Document, ResultTable
from rankgold.output.result_forms import known_number
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


def explanation_dict(explanation: Explanation) -> dict[str, Any]:
    """The explanation as plain dicts, lists and numbers."""
    e = explanation
    return {
        "measure": str(e.measure),
        "query": e.query,
        "run": e.run,
        "formula": e.formula,
        "value": known_number(e.value),
        "sum": e.sum,
        "norm": known_number(e.norm),
        "norm_is": e.norm_is,
        "missed": e.missed,
        "missed_is": e.missed_is,
        "decided_by": e.decided_by,
        "terms": [_step_dict(step) for step in e.steps],
        "ideal": None if e.ideal is None else [_step_dict(step) for step in e.ideal],
        "below_cutoff": [{"document": document, "grade": grade} for document, grade in e.below_cutoff],
        "not_found": [{"document": document, "grade": grade} for document, grade in e.not_found],
        "remarks": list(e.remarks),
    }


def _step_dict(step: Step) -> dict[str, Any]:
    of_subtopic = {} if step.subtopic is None else {"subtopic": step.subtopic}
    return {
        "rank": step.rank,
        "document": step.document,
        **of_subtopic,
        "grade": known_number(step.grade),
        "term": step.term,
        "chance": step.chance,
        "running_sum": step.running_sum,
    }


def _table(steps: tuple[Step, ...], caption: str, digits: int) -> ResultTable:
    """One row per step. Documents have a column if they have ids; so do subtopics."""
    columns = [
        ("rank", "r", [str(step.rank) for step in steps]),
        ("document", "l", [str(step.document) for step in steps]),
        ("subtopic", "l", [str(step.subtopic) for step in steps]),
        ("grade", "r", ["mixed" if math.isnan(s.grade) else short_number(s.grade, digits) for s in steps]),
        ("term", "r", [_term(step, digits) for step in steps]),
        ("running sum", "r", [fixed_number(step.running_sum, digits) for step in steps]),
    ]
    absent = {name for name in ("document", "subtopic") if all(getattr(step, name) is None for step in steps)}
    header, sides, cells = zip(*(column for column in columns if column[0] not in absent), strict=True)
    return ResultTable(list(header), [list(row) for row in zip(*cells, strict=True)], "".join(sides), caption=caption)


def _term(step: Step, digits: int) -> str:
    return term_text(step.pattern, step.numbers, step.term, step.documents, step.tied, digits)


def _facts(explanation: Explanation, digits: int) -> list[tuple[str, str]]:
    """The lines below the tables, by name."""
    e = explanation
    norm = short_number(e.norm, digits)
    facts = []
    if not e.steps:
        facts.append(("hits", "none that counts" if e.is_ranked else "none: the run does not rank this query"))
    if e.missed:
        facts.append(("missed", f"{short_number(e.missed, digits)} ({e.missed_is})"))
    facts.append(("sum", f"{e.sum:.{digits}f}"))
    facts.append(("norm", norm if e.norm_is == norm else f"{norm} ({e.norm_is})"))
    if e.decided_by:
        value = "undefined" if math.isnan(e.value) else short_number(e.value, digits)
        facts.append(("value", f"{value}: {e.decided_by}"))
    elif math.isnan(e.value):
        facts.append(("value", "0 / 0, undefined"))
    else:
        facts.append(("value", f"{e.sum:.{digits}f} / {norm} = {e.value:.{digits}f}"))
    for name, documents in (("below k", e.below_cutoff), ("not found", e.not_found)):
        if documents:
            grades = [(document, f"grade {short_number(grade, digits)}") for document, grade in documents]
            shown = [grade if document is None else f"{document} ({grade})" for document, grade in grades]
            facts.append((name, f"{len(shown)} relevant: {listing(shown, 6)}"))
    return facts
