"""`rankgold measures`: the name of a measure or a suite in, its description out; without a name, all measures."""

from argparse import Namespace

from rankgold.cli.destination import write
from rankgold.cli.parser import Parser
from rankgold.declaration.suites import SUITES, describe_suite

USAGE = "[NAME | --for SUITE]"
EXAMPLE = "Examples: rankgold measures ndcg\n          rankgold measures --for autocomplete"


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="The measure to describe, by any of its names.")
    situations = ", ".join(SUITES)
    parser.add_argument(
        "--for", dest="suite", metavar="SUITE", help=f"Show the measures for a situation: {situations}."
    )


def run(options: Namespace) -> None:
    if options.suite is not None or (options.name or "").startswith("@"):
        write(describe_suite(options.suite or options.name), None)
        return
    if options.name is None:
        write(_list_of_measures(), None)
        return
    from rankgold.declaration.description import describe
    from rankgold.measures import parse

    write(describe(parse(options.name).metric), None)


def _list_of_measures() -> str:
    """All measures, under the questions that they answer."""
    from rankgold.declaration.description import by_question
    from rankgold.measures import all as all_measures

    width = max(len(metric.name) for metric in all_measures())
    lines = []
    for question, metrics in by_question(all_measures()).items():
        lines += [question, *(f"{metric.name:<{width}}  {metric.summary}" for metric in metrics), ""]
    suites = ", ".join(f"@{name}" for name in SUITES)
    more = "In full: rankgold measures ndcg, rankgold measures --for autocomplete"
    return "\n".join([*lines, f"Suites of measures: {suites}", "", more, ""])
