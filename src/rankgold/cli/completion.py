"""The parsers of the commands in, a script out with which a shell completes commands, options, choices and measures."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote

from rankgold.cli.parser import Parser

SHELLS = ("bash", "zsh", "fish")

_BASH = """_rankgold() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words={commands}
  else
    case "${{COMP_WORDS[1]}} $before" in
{choices}
      *) case "${{COMP_WORDS[1]}}" in
{options}
        esac
        [[ "$current" == -* ]] || words="";;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ -n "$words" ] || COMPREPLY=($(compgen -f -- "$current"))
}}
complete -o filenames -F _rankgold rankgold
"""


def completion_script(shell: str, parsers: Mapping[str, Parser], measures: list[str]) -> str:
    if shell == "fish":
        return _fish(parsers, measures)
    start = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return start + _bash(parsers, measures)


def _bash(parsers: Mapping[str, Parser], measures: list[str]) -> str:
    choices, options = [], []
    for command, parser in parsers.items():
        for action in parser._actions:
            if words := _words(action.dest, action.choices, measures):
                patterns = "|".join(quote(f"{command} {name}") for name in action.option_strings)
                if patterns:
                    choices.append(f"      {patterns}) words={quote(' '.join(words))};;")
        names = [name for action in parser._actions for name in action.option_strings]
        options.append(f"        {command}) words={quote(' '.join(names))};;")
    return _BASH.format(commands=quote(" ".join(parsers)), choices="\n".join(choices), options="\n".join(options))


def _fish(parsers: Mapping[str, Parser], measures: list[str]) -> str:
    lines = []
    for command, parser in parsers.items():
        lines.append(
            f"complete -c rankgold -f -n __fish_use_subcommand -a {command} -d {quote(parser.description or '')}"
        )
        for action in parser._actions:
            names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in action.option_strings]
            if not names:
                continue
            words = _words(action.dest, action.choices, measures)
            takes = "" if action.nargs == 0 else f" -x -a {quote(' '.join(words))}" if words else " -r"
            seen = f"-n '__fish_seen_subcommand_from {command}'"
            lines.append(f"complete -c rankgold {seen} {' '.join(names)}{takes} -d {quote(action.help or '')}")
    return "\n".join(lines) + "\n"


def _words(option: str, choices: object, measures: list[str]) -> list[str]:
    """The words that complete an option; none if it takes a file or any text."""
    if option == "measure":
        return measures
    return list(map(str, choices)) if isinstance(choices, tuple) else []
