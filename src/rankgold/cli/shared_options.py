"""A parser in; arguments and options that several commands share are added to it, and their values read."""

from __future__ import annotations

import re

from rankgold.cli.parser import Parser
from rankgold.errors import DataError


def add_qrels(parser: Parser, *, nargs: str | None = None) -> None:
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        nargs=nargs,
        help="The judgements: TREC, CSV, TSV, JSON, JSON lines, Parquet or Arrow; - for standard input.",
    )


def add_measures(parser: Parser) -> None:
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="MEASURE",
        help="A measure such as ndcg@10, or several separated by commas; may be repeated."
        " `rankgold measures` lists them.",
    )


def add_policy_and_columns(parser: Parser) -> None:
    parser.add_argument(
        "-p",
        "--policy",
        action="append",
        metavar="NAME|FIELD=CHOICE",
        help="A preset such as trec_eval, or a single choice such as duplicates=first; may be repeated.",
    )
    parser.add_argument(
        "-c",
        "--column",
        action="append",
        metavar="ROLE=NAME",
        help="Which column holds the query, document, grade, score, rank or run, if its name does not say so.",
    )


def add_output(parser: Parser) -> None:
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="Write to FILE, completely or not at all, instead of printing."
    )


def measures_given(options: list[str] | None) -> list[str] | None:
    """The measures, split at commas; a comma within parentheses separates parameters."""
    if not options:
        return None
    parts = [part for option in options for part in re.split(r",(?![^()]*(?:\([^()]*\)[^()]*)*\))", option)]
    return [part for part in parts if part.strip()]


def columns_given(options: list[str] | None) -> dict[str, str]:
    """Role -> column, from options such as `query=user`."""
    columns = {}
    for option in options or ():
        role, equals, name = option.partition("=")
        if not equals or not name:
            raise DataError(f"--column is written as ROLE=NAME, such as query=user, not {option!r}.")
        columns[role.strip()] = name
    return columns
