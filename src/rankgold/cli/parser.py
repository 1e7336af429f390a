"""Parses arguments, and suggests what was meant.

Built on argparse, which loads in a few milliseconds.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from rankgold.cli.console import write
from rankgold.core.document import plain
from rankgold.core.errors import DataError, nearest
from rankgold.measures.suites import SUITES
from rankgold.present.outputs.text import columns
from rankgold.present.terminal import fold

WIDEST = 100


def example_on_samples(command: str, *paragraphs: str) -> str:
    """The end of a help text: paragraphs, if there are any, and a command that works on the sample data."""
    title = "Example, on the sample data that come with rankgold:"
    return "\n\n".join([*paragraphs, title, f'  cd "$(rankgold demo --path)" && {command}'])


class Parser(argparse.ArgumentParser):
    """The parser of one command. Its help ends with an example that works."""

    def __init__(
        self,
        command: str,
        usage: str,
        description: str,
        example: str,
        *,
        usage_exit_code: int = 2,
        help_waits: bool = False,
    ) -> None:
        """With `help_waits`, the command prints its help itself, since it depends on other options."""
        super().__init__(
            prog=command,
            usage=f"{command} {usage}",
            description=description,
            epilog=example,
            formatter_class=_Help,
            allow_abbrev=False,
            add_help=False,
        )
        self._positionals.title = "arguments"
        self._usage_exit_code = usage_exit_code
        how = "store_true" if help_waits else "help"
        self.add_argument("-h", "--help", action=how, help="Show this help and exit.")
        self._inputs: list[argparse.Action] = []

    def add_input(self, *names: str, **settings: Any) -> None:
        """Adds an argument that names files, tables or databases to be read. The output must not be one of them."""
        self._inputs.append(self.add_argument(*names, **settings))

    def inputs(self, options: argparse.Namespace) -> Iterator[str]:
        """The values of all input arguments; of NAME=FILE, the file."""
        for action in self._inputs:
            value = getattr(options, action.dest)
            for text in value if isinstance(value, list) else filter(None, [value]):
                yield text.partition("=")[2] if "=" in str(action.metavar) else text

    def parse_options(self, arguments: list[str]) -> argparse.Namespace:
        """Parses arguments with options anywhere among them; after `--` nothing is an option."""
        end = arguments.index("--") if "--" in arguments else len(arguments)
        self._check_names(arguments[:end])
        plain = {f"\0{i}": argument for i, argument in enumerate(arguments[end + 1 :])}
        options, surplus = self.parse_known_intermixed_args([*arguments[:end], *plain])
        if surplus:
            self.error(surplus_arguments(self, [plain.get(word, word) for word in surplus]))
        for name, value in vars(options).items():
            setattr(options, name, _restored(value, plain))
        return options

    def _check_names(self, arguments: list[str]) -> None:
        """Ends with a suggestion if a name of an option is mistyped: argparse would report something else first."""
        for argument in arguments:
            name = argument.partition("=")[0]
            if argument.startswith("--") and name not in self._option_string_actions:
                self.error(unknown_option(self, name))
            if len(name) > 2 and not name.startswith("--") and f"-{name}" in self._option_string_actions:
                self.error(f"there is no option {name!r}. Did you mean '-{name}'?")  # not -o utput

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Raises an error with a suggestion if a value is not one of the choices."""
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            raise argparse.ArgumentError(
                action, f"{value!r} is not one of {', '.join(choices)}.{nearest(str(value), choices)}"
            )

    def error(self, message: str) -> NoReturn:
        """Prints what is wrong with the arguments, and exits."""
        message = plain(message.replace("\0", ""))
        end = "" if message.endswith((".", "?")) else "."
        if sys.stderr is not None:
            print(f"{self.prog}: {message}{end} In full: {self.prog} --help", file=sys.stderr)
        sys.exit(self._usage_exit_code)

    def _print_message(self, message: str, file: object = None) -> None:
        """Prints help or the version, with the checks that all output has."""
        from rankgold.present.terminal import in_colour

        write(_coloured(message) if in_colour() else message, None)


def _restored(value: Any, plain: dict[str, str]) -> Any:
    """The value of an option, with the words that stood after `--`; a list may hold lists."""
    if isinstance(value, list):
        return [_restored(part, plain) for part in value]
    return plain.get(value, value)


def _coloured(message: str) -> str:
    """Help with bold headings, and with the names of options, arguments and commands in colour."""
    from rankgold.present.terminal import painted

    message = re.sub(
        r"^(usage|arguments|options|commands):", lambda found: painted(found[0], "title"), message, flags=re.M
    )
    return re.sub(r"^(  )(\S.*?)(?=  |$)", lambda found: found[1] + painted(found[2], "name"), message, flags=re.M)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that looks the same in all versions of Python."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=34, width=min(columns(), WIDEST))

    def _split_lines(self, text: str, width: int) -> list[str]:
        return fold(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Descriptions and examples: sentences are broken at words, indented lines and commands are not."""
        return "\n".join(
            part for line in text.splitlines() for part in ([line] if line.startswith(" ") else fold(line, width))
        )

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return self._metavar(action)
        names = ", ".join(action.option_strings)
        return names if action.nargs == 0 else f"{names} {self._metavar(action)}"

    def _metavar(self, action: argparse.Action) -> str:
        if action.choices is not None:
            return "|".join(map(str, action.choices))
        return str(action.metavar or action.dest.upper())


class Command(NamedTuple):
    """A command of the shell: what its help shows, its arguments, and what it does."""

    usage: str
    example: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[Namespace], None]
    parser_options: Mapping[str, Any] = MappingProxyType({})
    """Further arguments of its Parser."""


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
    from rankgold.measures.notation import is_measure, measures_in
    from rankgold.measures.registry import FAMILIES

    if text.startswith("@"):
        return text[1:] in SUITES
    families = [family for family in FAMILIES.values() if family.all()]  # known only after their files were imported
    return all(any(is_measure(part, family) for family in families) for part in measures_in(text))
