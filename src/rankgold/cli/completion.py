"""The parsers of the commands in, a script out with which a shell completes commands, options, choices and measures.

bash takes an @ as a word of its own, so the name of a suite is completed after it.
"""

from collections.abc import Mapping
from shlex import quote

from rankgold.cli.parser import Parser

SHELLS = ("bash", "zsh", "fish")

_BASH = """_rankgold() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words="" at=""
  if [ "$current" = @ ]; then
    at=@ current=""
  elif [ "$before" = @ ]; then
    at=@ before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
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
  COMPREPLY=($(compgen -W "$words" -- "$at$current"))
  COMPREPLY=("${{COMPREPLY[@]#$at}}")
  [ -n "$words" ] || COMPREPLY=($(compgen -f -- "$current"))
}}
complete -o filenames -F _rankgold rankgold
"""


def completion_script(shell: str, parsers: Mapping[str, Parser], known: Mapping[str, list[str]]) -> str:
    """The script of a shell; `known` are the words for options that take more than a few choices."""
    if shell == "fish":
        return _fish(parsers, known)
    start = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return start + _bash(parsers, known)


def _bash(parsers: Mapping[str, Parser], known: Mapping[str, list[str]]) -> str:
    choices, options = [], []
    for command, parser in parsers.items():
        for action in parser._actions:
            if words := _words(action.dest, action.choices, known):
                patterns = "|".join(quote(f"{command} {name}") for name in action.option_strings)
                if patterns:
                    choices.append(f"      {patterns}) words={quote(' '.join(words))};;")
        names = [name for action in parser._actions for name in action.option_strings]
        options.append(f"        {command}) words={quote(' '.join(names))};;")
    return _BASH.format(commands=quote(" ".join(parsers)), choices="\n".join(choices), options="\n".join(options))


def _fish(parsers: Mapping[str, Parser], known: Mapping[str, list[str]]) -> str:
    lines = []
    for command, parser in parsers.items():
        lines.append(
            f"complete -c rankgold -f -n __fish_use_subcommand -a {command} -d {quote(parser.description or '')}"
        )
        for action in parser._actions:
            names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in action.option_strings]
            if not names:
                continue
            words = _words(action.dest, action.choices, known)
            takes = "" if action.nargs == 0 else f" -x -a {quote(' '.join(words))}" if words else " -r"
            seen = f"-n '__fish_seen_subcommand_from {command}'"
            lines.append(f"complete -c rankgold {seen} {' '.join(names)}{takes} -d {quote(action.help or '')}")
    return "\n".join(lines) + "\n"


def _words(option: str, choices: object, known: Mapping[str, list[str]]) -> list[str]:
    """The words that complete an option; none if it takes a file or any text."""
    return known.get(option) or (list(map(str, choices)) if isinstance(choices, tuple) else [])
