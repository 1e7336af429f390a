"""`karat measures`."""

from __future__ import annotations

from argparse import Namespace

from karat.cli.output import write
from karat.cli.parser import Parser

USAGE = "[NAME]"
EXAMPLE = "Example: karat measures ndcg"


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="One measure to show in full, by any of its names.")


def run(given: Namespace) -> None:
    from karat.measures import all as all_measures

    if given.name is None:
        width = max(len(metric.name) for metric in all_measures())
        lines = [f"{metric.name:<{width}}  {metric.summary}" for metric in all_measures()]
        write("\n".join([*lines, "", "In full: karat measures ndcg", ""]), None)
        return
    from karat.catalogue import described
    from karat.names import parse

    write(described(parse(given.name).metric), None)
