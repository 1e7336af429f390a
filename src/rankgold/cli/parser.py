"""Arguments of a command. The standard library's parser starts in a few milliseconds, which is why it is here."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

_WIDEST = 100


class Parser(argparse.ArgumentParser):
    """The parser of one command. Its help ends with an example that works."""

    def __init__(self, command: str, usage: str, description: str, example: str) -> None:
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
        self.add_argument("-h", "--help", action="help", help="Show this and end.")

    def parsed(self, arguments: list[str]) -> argparse.Namespace:
        """The arguments, with options anywhere among the others; after `--` nothing is an option."""
        end = arguments.index("--") if "--" in arguments else len(arguments)
        plain = {f"\0{i}": argument for i, argument in enumerate(arguments[end + 1 :])}
        given = self.parse_intermixed_args([*arguments[:end], *plain])
        for name, value in vars(given).items():
            many = [plain.get(one, one) for one in value] if isinstance(value, list) else plain.get(value, value)
            setattr(given, name, many)
        return given

    def error(self, message: str) -> NoReturn:
        """What is wrong with the command as it was typed."""
        message = message.replace("\0", "")
        end = "" if message.endswith((".", "?")) else "."
        print(f"{self.prog}: {message}{end} In full: {self.prog} --help", file=sys.stderr)
        sys.exit(2)


def _columns() -> int:
    """How wide the terminal is. `shutil` knows too, but it loads every compression there is."""
    try:
        return int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size().columns
    except (ValueError, OSError):
        return 80


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that reads alike in all versions of Python."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=34, width=min(_columns(), _WIDEST))

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return self._metavar(action)
        names = ", ".join(action.option_strings)
        return names if action.nargs == 0 else f"{names} {self._metavar(action)}"

    def _metavar(self, action: argparse.Action) -> str:
        if action.choices is not None:
            return "|".join(map(str, action.choices))
        return str(action.metavar or action.dest.upper())
