"""`rankgold measures`: the name of a measure in, its description out; without a name, the list of measures."""

from argparse import Namespace

from rankgold.cli.destination import write
from rankgold.cli.parser import Parser

USAGE = "[NAME]"
EXAMPLE = "Example: rankgold measures ndcg"


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="The measure to describe, by any of its names.")


def run(options: Namespace) -> None:
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
    return "\n".join([*lines, "In full: rankgold measures ndcg", ""])
