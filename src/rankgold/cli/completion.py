"""The parsers of the commands in, a script out with which a shell completes commands, options, choices and names.

bash takes an @ and a = as words of their own, so the name of a suite, or the choice of a policy, is completed after it.
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
  elif [ "$current" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
    at="$before=" current="" before=${{COMP_WORDS[COMP_CWORD-2]}}
  elif [ "$before" = = ] && [ "$COMP_CWORD" -gt 3 ]; then
    at="${{COMP_WORDS[COMP_CWORD-2]}}=" before=${{COMP_WORDS[COMP_CWORD-3]}}
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words={commands}
  else
    case "${{COMP_WORDS[1]}} $before" in
{choices}
      *) if [[ "$current" == -* ]]; then
          case "${{COMP_WORDS[1]}}" in
{options}
          esac
        elif [ "$COMP_CWORD" -eq 2 ]; then
          case "${{COMP_WORDS[1]}}" in
{names}
          esac
        fi;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$at$current"))
  COMPREPLY=("${{COMPREPLY[@]#$at}}")
  [ -n "$words" ] || COMPREPLY=($(compgen -f -- "$current"))
}}
complete -o filenames -F _rankgold rankgold
"""


def completion_script(shell: str, parsers: Mapping[str, Parser], known: Mapping[str, list[str]]) -> str:
    """The script of a shell. `known` are the words for options and arguments that take more than a few choices.

    Their keys are destinations, with the command if another one has an argument of the same name: `plot name`.
    """
    if shell == "fish":
        return _fish(parsers, known)
    start = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return start + _bash(parsers, known)


def _bash(parsers: Mapping[str, Parser], known: Mapping[str, list[str]]) -> str:
    choices, options, arguments = [], [], []
    for command, parser in parsers.items():
        for action in parser._actions:
            words = quote(" ".join(_words(command, action.dest, action.choices, known)))
            patterns = "|".join(quote(f"{command} {name}") for name in action.option_strings)
            if words != "''" and patterns:
                choices.append(f"      {patterns}) words={words};;")
            elif words != "''":
                arguments.append(f"            {command}) words={words};;")
        names = [name for action in parser._actions for name in action.option_strings]
        options.append(f"            {command}) words={quote(' '.join(names))};;")
    parts = {"choices": choices, "options": options, "names": arguments}
    return _BASH.format(commands=quote(" ".join(parsers)), **{part: "\n".join(lines) for part, lines in parts.items()})


def _fish(parsers: Mapping[str, Parser], known: Mapping[str, list[str]]) -> str:
    lines = []
    for command, parser in parsers.items():
        lines.append(
            f"complete -c rankgold -f -n __fish_use_subcommand -a {command} -d {quote(parser.description or '')}"
        )
        for action in parser._actions:
            names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in action.option_strings]
            words = _words(command, action.dest, action.choices, known)
            if not names:
                if words:
                    is_next = f"-n '__fish_seen_subcommand_from {command}; and test (count (commandline -opc)) -eq 2'"
                    lines.append(f"complete -c rankgold -f {is_next} -a {quote(' '.join(words))}")
                continue
            takes = "" if action.nargs == 0 else f" -x -a {quote(' '.join(words))}" if words else " -r"
            seen = f"-n '__fish_seen_subcommand_from {command}'"
            lines.append(f"complete -c rankgold {seen} {' '.join(names)}{takes} -d {quote(action.help or '')}")
    return "\n".join(lines) + "\n"


def _words(command: str, option: str, choices: object, known: Mapping[str, list[str]]) -> list[str]:
    """The words that complete an option or argument; none if it takes a file or any text."""
    words = known.get(f"{command} {option}") or known.get(option)
    return words or (list(map(str, choices)) if isinstance(choices, tuple) else [])
