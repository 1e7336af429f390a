"""What a user typed and no command knows in, an error message with what was probably meant out."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rankgold.declaration.suites import SUITES
from rankgold.errors import DataError, nearest

if TYPE_CHECKING:
    from rankgold.cli.parser import Parser

_OTHER_NAMES = {
    "measure": ("metric", "metrics"),
    "output": ("outfile", "out-file", "save", "to"),
    "format": ("fmt", "type", "output-format"),
    "digits": ("decimals", "precision", "round"),
    "sort": ("sort-by", "order", "order-by"),
    "quiet": ("silent", "no-notes", "no-progress"),
    "per-query": ("by-query", "queries", "all-queries"),
    "query": ("qid", "topic", "query-id"),
    "policy": ("preset",),
    "engine": ("backend",),
    "flavour": ("dialect",),
}
"""An option -> the names that other tools have for it, and that are not spelled alike."""

_CUTOFFS = ("k", "at", "cutoff", "cutoffs", "top-k", "topk", "depth")


def unknown_option(parser: Parser, typed: str) -> str:
    """The message for an option that the command does not have."""
    name = typed.lstrip("-").lower().replace("_", "-")
    options = {option[2:] for option in parser._option_string_actions if option.startswith("--")}
    meant = next((option for option, names in _OTHER_NAMES.items() if name in names and option in options), None)
    message = f"there is no option {typed!r}."
    if meant is not None:
        return f"{message} Did you mean '--{meant}'?"
    if name in _CUTOFFS and "measure" in options:
        return f"{message} A cutoff is a part of the measure: '-m ndcg@10'."
    for argument in parser._get_positional_actions():
        if name in (argument.dest, argument.dest.removesuffix("s")):
            return f"{message} {argument.metavar} is written without an option: '{parser.usage}'."
    return message + nearest(name, options).replace("'", "'--", 1)


def surplus_arguments(parser: Parser, words: list[str]) -> str:
    """The message for too many arguments."""
    return f"too many arguments: {', '.join(map(repr, words))}.{_option_of(parser, words[0])}"


def check_missing_files(parser: Parser, options: Namespace, texts: Iterable[str]) -> None:
    """Raises an error if a missing file is really a measure without its -m."""
    may_be_table = getattr(options, "engine", None) == "spark" or any(
        getattr(options, option, None) for option in ("database", "attach")
    )
    for text in texts:
        if text not in ("", "-") and not may_be_table and not os.path.exists(text) and _is_measure(text):
            raise DataError(f"there is no such file.{_option_of(parser, text)}", text)


def unknown_command(typed: str, wanted: str, commands: Iterable[str]) -> str:
    """The message for a command that does not exist; `wanted` is its present name, if it had another one."""
    message = f"there is no command {typed!r}."
    if os.path.exists(typed):
        return f"{message} To evaluate files: 'rankgold evaluate QRELS RUN...'."
    if _is_measure(typed):
        return f"{message} To see the measure: 'rankgold measures {typed}'."
    return message + nearest(wanted, commands)


def _option_of(parser: Parser, word: str) -> str:
    """' Did you mean ...?' with the option that an argument may belong to."""
    options = parser._option_string_actions
    if "--measure" in options and _is_measure(word):
        return f" Did you mean -m {word}?"
    return f" Did you mean --query {word}?" if "--query" in options and not word.startswith("-") else ""


def _is_measure(text: str) -> bool:
    from rankgold.declaration.families import FAMILIES
    from rankgold.declaration.measure_lists import measures_in
    from rankgold.declaration.parsing import is_measure

    if text.startswith("@"):
        return text[1:] in SUITES
    families = [family for family in FAMILIES.values() if family.all()]  # known only after their files were imported
    return all(any(is_measure(part, family) for family in families) for part in measures_in(text))
