"""`karat measures`."""

from __future__ import annotations

from typing import Annotated

import typer

from karat.cli.output import write


def command(
    name: Annotated[str | None, typer.Argument(help="One measure to show in full, by any of its names.")] = None,
) -> None:
    """Lists the measures, or shows one in full: formula, parameters, range, when to use it, reference.

    Example: karat measures ndcg
    """
    from karat.measures import all as all_measures

    if name is None:
        width = max(len(metric.name) for metric in all_measures())
        lines = [f"{metric.name:<{width}}  {metric.summary}" for metric in all_measures()]
        write("\n".join([*lines, "", "In full: karat measures ndcg", ""]), None)
        return
    from karat.catalogue import described
    from karat.names import parse

    write(described(parse(name).metric), None)
