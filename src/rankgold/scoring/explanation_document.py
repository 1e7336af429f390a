"""Makes a document of an explanation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rankgold.core.document import Document, ResultTable, check_digits
from rankgold.core.errors import listing
from rankgold.core.result import known_number, known_values, record_frame

if TYPE_CHECKING:
    import polars

    from rankgold.scoring.explanation import Explanation, Step


def term_text(pattern: str, numbers: Sequence[float], value: float, documents: int, tied: int, digits: int) -> str:
    """A term and its value: `2/3 = 0.6667`; with averaged ties, also its chance."""
    text = pattern.format(*(short_number(number, digits) for number in numbers))
    is_number = text.replace(".", "", 1).replace("-", "", 1).isdigit()
    if not (is_number and float(text) == round(value, digits)):
        text = f"{text} = {fixed_number(value, digits)}"
    return text if tied == 1 else f"{text}, chance {documents}/{tied}"


def short_number(number: float, digits: int) -> str:
    """A number without trailing zeros: 3, 1.585."""
    if float(number).is_integer():
        return str(int(number))
    text = f"{number:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def fixed_number(number: float, digits: int) -> str:
    """A number with all its decimals; zero has no sign."""
    return f"{round(number, digits) + 0.0:.{digits}f}"


_TYPES_OF_JUDGED = {"rank": int, "document": str, "subtopic": str, "grade": float, "term": float, "chance": float}


def explanation_document(explanation: Explanation, digits: int) -> Document:
    digits = check_digits(digits)
    tables = [(explanation.steps, ""), (explanation.ideal, "The ideal ranking:")]
    value = "undefined" if math.isnan(explanation.value) else f"{explanation.value:.{digits}f}"
    return Document(
        [_table(explanation, steps, caption, digits) for steps, caption in tables if steps],
        title=f"{explanation.measure} of {explanation.subject}: {value}",
        formula=explanation.formula,
        facts=_facts(explanation, digits),
        notes=[f"note: {remark}" for remark in explanation.remarks],
    )


def explanation_dict(explanation: Explanation) -> dict[str, Any]:
    """The explanation as plain dicts, lists and numbers."""
    e = explanation
    is_judged = e.is_ranked is not None
    rest: dict[str, Any]
    rest = {"missed": e.rest, "missed_is": e.rest_is} if is_judged else {"rest": e.rest or 0.0, "rest_is": e.rest_is}
    norm = {"norm": known_number(e.norm), "norm_is": e.norm_is}
    content: dict[str, Any] = {
        "measure": str(e.measure),
        **({"query": e.query, "run": e.run} if is_judged else {"of": e.subject}),
        "formula": e.formula,
        "value": known_number(e.value),
        "sum": known_number(e.sum),
        **(norm | rest if is_judged else rest | norm),
        "decided_by": e.decided_by,
        "terms": _step_dicts(e.steps, is_judged),
    }
    if is_judged:
        content["ideal"] = None if e.ideal is None else _step_dicts(e.ideal, is_judged)
        content["below_cutoff"] = [{"document": document, "grade": grade} for document, grade in e.below_cutoff]
        content["not_found"] = [{"document": document, "grade": grade} for document, grade in e.not_found]
    return {**content, "remarks": list(e.remarks)}


def _step_dicts(steps: tuple[Step, ...], is_judged: bool) -> list[dict[str, Any]]:
    return [
        {
            **known_values(step.of),
            "term": step.term,
            **({"chance": step.chance} if is_judged else {}),
            "running_sum": step.running_sum,
        }
        for step in steps
    ]


def explanation_frame(explanation: Explanation) -> polars.DataFrame:
    is_judged = explanation.is_ranked is not None
    types = _TYPES_OF_JUDGED if is_judged else {**dict.fromkeys(explanation.columns, str), "term": float}
    rows = _step_dicts(explanation.steps, is_judged)
    for row in rows:
        row |= {name: None if row.get(name) is None else str(row[name]) for name, kind in types.items() if kind is str}
    return record_frame(rows, {**types, "running_sum": float})


def _table(explanation: Explanation, steps: tuple[Step, ...], caption: str, digits: int) -> ResultTable:
    """One row for each step. Documents have a column if they have ids."""
    columns = [name for name in explanation.columns if any(step.of[name] is not None for step in steps)]
    sides = "".join(explanation.columns[name] for name in columns) + "rr"
    rows = [
        [
            *(_cell(step.of[name], digits) for name in columns),
            term_text(step.pattern, step.numbers, step.term, step.documents, step.tied, digits),
            fixed_number(step.running_sum, digits),
        ]
        for step in steps
    ]
    return ResultTable([*columns, "term", "running sum"], rows, sides, caption=caption)


def _cell(value: object, digits: int) -> str:
    """What a term comes from. A row of documents with different grades has none of them, which is NaN."""
    if not isinstance(value, float):
        return str(value)
    return "mixed" if math.isnan(value) else short_number(value, digits)


def _facts(explanation: Explanation, digits: int) -> list[tuple[str, str]]:
    """The lines below the tables, by name."""
    e = explanation
    is_judged = e.is_ranked is not None
    norm = short_number(e.norm, digits) if math.isfinite(e.norm) else "undefined"
    facts = []
    if not e.steps and is_judged:
        facts.append(("hits", "none that counts" if e.is_ranked else "none: the run does not rank this query"))
    elif not e.steps:
        facts.append(("terms", "none"))
    if e.rest is not None and (e.rest or not is_judged):
        name, number = ("missed", short_number) if is_judged else ("rest", fixed_number)
        facts.append((name, f"{number(e.rest, digits)} ({e.rest_is})"))
    facts.append(("sum", fixed_number(e.sum, digits)))
    facts.append(("norm", norm if e.norm_is == norm else f"{norm} ({e.norm_is})"))
    if e.decided_by:
        value = "undefined" if math.isnan(e.value) else short_number(e.value, digits)
        facts.append(("value", f"{value}: {e.decided_by}"))
    elif math.isnan(e.value):
        facts.append(("value", "0 / 0, undefined" if is_judged else "undefined"))
    else:
        facts.append(("value", f"{fixed_number(e.sum, digits)} / {norm} = {e.value:.{digits}f}"))
    for name, documents in (("below k", e.below_cutoff), ("not found", e.not_found)):
        if documents:
            grades = [(document, f"grade {short_number(grade, digits)}") for document, grade in documents]
            shown = [grade if document is None else f"{document} ({grade})" for document, grade in grades]
            facts.append((name, f"{len(shown)} relevant: {listing(shown, 6)}"))
    return facts
