"""Describes a measure as text: formula, parameters, range, question it answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rankgold.core.document import Cell, Document, ResultTable
from rankgold.measures.metric import Metric
from rankgold.measures.parameters import Parameter
from rankgold.measures.registry import FAMILIES, REGISTRY

if TYPE_CHECKING:
    from rankgold.measures.metric import Measure


QUESTIONS = {
    "first": "How soon does the first good document come?",
    "count": "How many of the first k documents are relevant, and how many are missing?",
    "order": "How high do all the relevant documents stand?",
    "grades": "How good is the order when documents have grades?",
    "meanings": "Does the list cover all meanings of the query?",
    "agreement": "Is the whole list in the right order?",
    "judged": "How much of the list was judged, and what do the judgements alone say?",
    "tops": "How much do the tops of two rankings have in common?",
    "orders": "Do two rankings have their documents in the same order?",
    "catalogue": "How much of the catalogue do the lists show, and how evenly?",
    "popular": "Do the lists show more than bestsellers?",
    "variety": "How different are the items of a list, and the lists of users?",
    "groups": "Which groups of items get the attention?",
}
"""The question by its short name, which `@measure(question=...)` takes."""


def describe(metric: Metric) -> str:
    """A measure in full: signature, description, parameters, range, other names."""
    prose = [block for block in metric.documentation.split("\n\n") if not block.startswith(">>>")]
    lines = [signature(metric), "", f"{metric.title}.", "", "\n\n".join(prose), "", *facts(metric)]
    if metric.parameters:
        lines += ["", "Parameters:"]
        for parameter in metric.parameters.values():
            lines.append(f"  {parameter.name}={default_text(parameter)}  {parameter.about}")
            lines.append(f"      {parameter.takes}")
    return "\n".join(lines) + "\n"


def as_dict(metric: Metric) -> dict[str, Any]:
    """A measure for programs: plain texts, numbers and lists; None for no bound or default."""
    return {
        "name": metric.name,
        "title": metric.title,
        "summary": metric.summary,
        "function": FAMILIES[metric.family].function,
        "aliases": list(metric.aliases),
        "takes_cutoff": metric.takes_cutoff,
        "parameters": [
            {
                "name": parameter.name,
                "default": None if parameter.default is None else parameter.text(parameter.default),
                "takes": parameter.takes,
                "about": parameter.about,
            }
            for parameter in metric.parameters.values()
        ],
        "range": [bound if math.isfinite(bound) else None for bound in metric.span],
        "higher_is_better": metric.higher_is_better,
        "over_queries": metric.aggregate.name,
        "question": QUESTIONS[metric.question] if metric.question else None,
    }


def signature(metric: Metric) -> str:
    """How the measure is written, with every parameter and its default."""
    inside = ", ".join(f"{parameter.name}={default_text(parameter)}" for parameter in metric.parameters.values())
    return metric.name + (f"({inside})" if inside else "") + ("[@k]" if metric.takes_cutoff else "")


def facts(metric: Metric) -> list[str]:
    """Range, direction, aggregate and other names, a line each."""
    family = FAMILIES[metric.family]
    lines = [
        f"Range: {_range(*metric.span)}, {'higher' if metric.higher_is_better else 'lower'} is {family.higher_is}.",
        f"Over queries: the {metric.aggregate.name}.",
    ]
    if metric.aliases:
        lines.append(f"Also called: {', '.join(metric.aliases)}.")
    if family is not REGISTRY:
        lines.append(f"Computed by: rankgold.{family.function}.")
    if metric.question:
        lines.append(f"Answers: {QUESTIONS[metric.question]}")
    return lines


def _range(low: float, high: float) -> str:
    if math.isinf(low):
        return "any number" if math.isinf(high) else f"up to {high:g}"
    return f"from {low:g}" if math.isinf(high) else f"{low:g} to {high:g}"


def by_question(metrics: Sequence[Metric]) -> dict[str, list[Metric]]:
    """The measures under the questions that they answer, in the order of the questions."""
    groups = {question: [metric for metric in metrics if metric.question == key] for key, question in QUESTIONS.items()}
    groups["Other measures"] = [metric for metric in metrics if not metric.question]
    return {question: group for question, group in groups.items() if group}


def default_text(parameter: Parameter) -> str:
    return "..." if parameter.default is None else parameter.text(parameter.default)


def measure_document(measure: Measure) -> Document:
    """The formula of a measure, its parameters with the values that they have here, its range and its other names."""
    metric = measure.metric
    chosen = dict(measure.chosen)
    rows: list[list[Cell]] = [
        [name, parameter.text(chosen[name]) if name in chosen else default_text(parameter), parameter.about]
        for name, parameter in metric.parameters.items()
    ]
    tables = [ResultTable(["parameter", "value", "what it is"], rows, "lll")] if rows else []
    lines = [line.partition(": ") for line in facts(metric)]
    return Document(
        tables,
        title=f"{measure}: {metric.title}",
        formula=metric.formula_text,
        facts=[("what it is", metric.summary), *((name.lower(), text) for name, _, text in lines)],
    )
