"""`rankgold measures`: the name of a measure or a suite in, its description out; without a name, all measures."""

from __future__ import annotations

import re
from argparse import Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rankgold.cli.destination import write
from rankgold.cli.parser import Parser
from rankgold.declaration.suites import SUITES, find_suite
from rankgold.output.document import Document, ResultTable
from rankgold.output.registry import find_output
from rankgold.output.text import shown_document, terminal_width

if TYPE_CHECKING:
    from rankgold.declaration.metric import Metric

USAGE = "[NAME | --for SUITE] [-f json]"
EXAMPLE = "Examples: rankgold measures ndcg\n          rankgold measures --for autocomplete"


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="The measure to describe, by any of its names.")
    situations = ", ".join(SUITES)
    parser.add_argument(
        "--for", dest="suite", metavar="SUITE", help=f"Show the measures for a situation: {situations}."
    )
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help="Default: text.")


def run(options: Namespace) -> None:
    chosen = find_output(options.format)
    if chosen.for_machines:
        write(chosen.write(_content(options)), None)
    elif (suite := _suite_called(options)) is not None:
        write(shown_document(_suite_document(suite)), None)
    elif options.name is None:
        write(shown_document(_all_measures()), None)
    else:
        write("\n".join(map(_description, _metrics_called(options.name))), None)


def _suite_called(options: Namespace) -> str | None:
    """The suite that the options name: `--for rag`, or `@rag` in place of a measure."""
    if options.suite is not None:
        return str(options.suite)
    return options.name if (options.name or "").startswith("@") else None


def _content(options: Namespace) -> dict[str, Any]:
    """The requested content, for JSON."""
    from rankgold.declaration.description import as_dict
    from rankgold.declaration.families import FAMILIES

    if (suite := _suite_called(options)) is not None:
        return {"suite": asdict(find_suite(suite))}
    everything = [metric for family in FAMILIES.values() for metric in family.all()]
    wanted = everything if options.name is None else _metrics_called(options.name)
    return {"measures": [as_dict(metric) for metric in wanted]}


def _metrics_called(name: str) -> list[Metric]:
    """The metrics of this name, at most one of each family; an error if there is none."""
    from rankgold.declaration.families import FAMILIES
    from rankgold.declaration.parsing import is_measure, parse_measure

    known = [family for family in FAMILIES.values() if family.all() and is_measure(name, family)]
    return [parse_measure(name, family).metric for family in known or [FAMILIES["measures"]]]


def _all_measures() -> Document:
    """All measures of each family, under the questions that they answer."""
    from rankgold.declaration.description import by_question
    from rankgold.declaration.families import FAMILIES

    tables = [
        ResultTable(
            (),
            [[metric.name, metric.summary] for metric in group],
            "ll",
            caption=question if family.function == "evaluate" else f"{question} (rankgold {family.function})",
        )
        for family in FAMILIES.values()
        for question, group in by_question(family.all()).items()
    ]
    suites = ", ".join(f"@{name}" for name in SUITES)
    facts = [("Suites:", suites), ("In full:", "rankgold measures ndcg, rankgold measures --for autocomplete")]
    return Document(tables, title="Measures, by the question they answer", facts=facts)


def _suite_document(name: str) -> Document:
    """A suite in full: its situation, its measures with the reasons, what to avoid."""
    suite = find_suite(name)
    reasons = ResultTable((), list(suite.reasons.items()), "ll", caption=suite.situation)
    command = f"rankgold evaluate QRELS RUN -m @{suite.name}"
    facts = [("Avoid:", suite.avoid)]
    return Document([reasons], title=f"@{suite.name}: {suite.title}", facts=facts, notes=[command])


def _description(metric: Metric) -> str:
    """A measure in full. On a terminal its paragraphs fill the lines, and names are in colour."""
    from rankgold.declaration.description import describe
    from rankgold.output.layout import fold
    from rankgold.output.terminal import hanging, in_colour, painted

    text, width = describe(metric), terminal_width()
    if width is None:
        return text
    prose = metric.documentation.split("\n\n")
    blocks = []
    for block in text.rstrip("\n").split("\n\n"):
        is_prose = block in prose and not block.startswith(" ")
        lines = fold(" ".join(block.split()), width) if is_prose else block.split("\n")
        blocks.append("\n".join(part for line in lines for part in hanging(line, width)))
    if in_colour():
        blocks[0] = painted(blocks[0], "title")
        names = r"^(Range|Over queries|Also called|Computed by|Answers|Parameters):|^  \w+=\S+"
        blocks[1:] = [re.sub(names, lambda name: painted(name[0], "name"), block, flags=re.M) for block in blocks[1:]]
    return "\n\n".join(blocks) + "\n"
