"""A parser in, with arguments and options added that commands share; parsed options in, keywords for Python out."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, TypedDict

from rankgold.cli.parser import Parser
from rankgold.data.formats.registry import NAMES
from rankgold.errors import DataError

if TYPE_CHECKING:
    from rankgold.policy import Policy


RUNS_HELP = (
    "One or more runs, in the same formats; a quoted pattern such as 'runs/*.trec' is a run for each file. None if"
    " QRELS is a table that has grades and scores."
)


class DataKeywords(TypedDict):
    """Keywords of `evaluate`, `match`, `plan` and `hits_of_runs`."""

    policy: Policy
    columns: dict[str, str]
    parent: str | None


def add_qrels(parser: Parser, *, nargs: str | None = None) -> None:
    parser.add_input(
        "qrels",
        metavar="QRELS",
        nargs=nargs,
        help=f"The judgements: {', '.join(NAMES[:-1])} or {NAMES[-1]}; - for standard input.",
    )


def add_measures(parser: Parser) -> None:
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="MEASURE",
        help="A measure such as ndcg@10, a suite such as @autocomplete, or several separated by commas;"
        " may be repeated. `rankgold measures` lists them.",
    )


def add_runs(parser: Parser) -> None:
    parser.add_input("runs", metavar="RUN", nargs="*", help=RUNS_HELP)


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
    parser.add_argument(
        "--parent",
        metavar="SEPARATOR",
        help="Documents are ranked by their best chunk: '#' if d1#3 is a chunk of d1.",
    )


def add_output(parser: Parser) -> None:
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="Write to FILE, completely or not at all, instead of printing."
    )


def measure_names(options: Namespace) -> list[str] | None:
    """The measures, split at commas and with suites replaced; a comma within parentheses separates parameters."""
    from rankgold.scoring.values import expand_suites

    if not options.measure:
        return None
    return expand_suites(part for text in options.measure for part in _split_at_commas(text) if part.strip())


def _split_at_commas(text: str) -> list[str]:
    """The parts between commas that are not within parentheses."""
    parts, start, depth = [], 0, 0
    for at, character in enumerate(text):
        if character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
        depth = max(depth + {"(": 1, ")": -1}.get(character, 0), 0)
    return [*parts, text[start:]]


def data_keywords(options: Namespace) -> DataKeywords:
    """The policy and the columns, from options such as `--policy ties=average` and `--column query=user`."""
    from rankgold.policy import Policy

    columns = {}
    for option in options.column or ():
        role, equals, name = option.partition("=")
        if not equals or not name:
            raise DataError(f"--column is written as ROLE=NAME, such as query=user, not {option!r}.")
        columns[role.strip()] = name
    return DataKeywords(policy=Policy.of(*(options.policy or ())), columns=columns, parent=options.parent)
