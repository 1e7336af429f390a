"""`rankgold measures`: the name of a measure in, its description out; without a name, the list of measures."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli.destination import write
from rankgold.cli.parser import Parser

USAGE = "[NAME]"
EXAMPLE = "Example: rankgold measures ndcg"


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="The measure to describe, by any of its names.")


def run(options: Namespace) -> None:
    from rankgold.measures import all as all_measures

    if options.name is None:
        width = max(len(metric.name) for metric in all_measures())
        lines = [f"{metric.name:<{width}}  {metric.summary}" for metric in all_measures()]
        write("\n".join([*lines, "", "In full: rankgold measures ndcg", ""]), None)
        return
    from rankgold.declaration.description import describe
    from rankgold.measures import parse

    write(describe(parse(options.name).metric), None)
