"""Finds the command and runs it; prints completion scripts.

bash takes an @ and a = as words of their own, so the name of a suite, or the choice of a policy, is completed after it.
"""

import os
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from shlex import quote
from typing import get_args

from rankgold import __version__
from rankgold.cli.console import check_outputs, write
from rankgold.cli.parser import WIDEST, Command, Parser
from rankgold.present.outputs.text import columns

COMMANDS = {
    "evaluate": "Score one or more runs against judgements.",
    "doctor": "Check judgements and runs for problems, show how each changes the scores, and suggest a fix.",
    "compare": "Compare runs: which is better, by how much, and how certain that is.",
    "diff": "Show why two runs differ: which queries gained or lost, and which documents caused it.",
    "what-if": "Show how scores change if documents are moved, added, removed or regraded.",
    "power": "Estimate how many queries you need, and the smallest difference you can detect.",
    "check": "Exit with an error if scores are too low or have dropped. For CI.",
    "verify": "Recompute saved scores and show what changed: data, policy, measures, version, or nothing.",
    "judge-next": "List the unjudged documents most worth judging, as a sheet to fill in.",
    "pool": "List the top documents of several runs, as a sheet to fill in.",
    "agreement": "Measure how well two or more judges agree.",
    "merge-qrels": "Merge several judges and filled-in sheets into one file of judgements.",
    "expect": "Score runs when grades are probabilities.",
    "fuse": "Fuse several runs into one.",
    "reconcile": "Find the convention that gives a number printed by another tool.",
    "explain": "Show how a score of one query is computed: every term, the sum, the normaliser.",
    "plan": "Show the execution plan without running it.",
    "report": "Write one HTML file that compares runs: leaderboard, every query, every document. Works offline.",
    "plot": "Draw a chart as PNG, SVG, PDF, or HTML that works offline.",
    "similarity": "Compare rankings or leaderboards with each other, without judgements.",
    "exposure": "Measure coverage, popularity and diversity of recommendation lists.",
    "measures": "List the measures, or describe one: formula, parameters, when to use it. Helps you choose.",
    "trec_eval": "Take the arguments of trec_eval and print what it prints.",
    "sql": "Print the measures as functions for a database.",
    "demo": "Evaluate the sample data that come with rankgold, and show what the tool can do.",
}
"""What each command does."""

_FILES = {
    "evaluation_commands": "evaluate plan",
    "explanation_commands": "explain measures demo",
    "list_commands": "similarity exposure fuse",
    "comparison_commands": "compare diff what-if power",
    "judging_commands": "judge-next pool agreement merge-qrels expect",
    "audit_commands": "check verify doctor reconcile",
    "presentation_commands": "plot report",
    "compatibility_commands": "trec_eval sql",
}
"""The file -> the commands in its COMMANDS. It is imported when one of them is called."""

_FORMER_NAMES = {"explain-plan": "plan"}
_ABOUT = "Evaluate rankings: score, compare and explain search, recommendation and RAG results."


def run(arguments: list[str]) -> None:
    """Runs the command that the arguments name."""
    if not arguments or arguments[0] not in COMMANDS:
        _run_without_command(arguments)
        return
    parser = _parser(arguments[0])
    options = parser.parse_options(arguments[1:])
    missing = [text for text in parser.inputs(options) if not os.path.exists(text)]
    if missing:
        from rankgold.cli.parser import check_missing_files

        check_missing_files(parser, options, missing)
    check_outputs(options, parser.inputs(options))
    _command(arguments[0]).run(options)


def _run_without_command(arguments: list[str]) -> None:
    """Prints the help, the version or completions; ends with an error for a command that does not exist."""
    from rankgold.present.terminal import hanging

    width = max(map(len, COMMANDS)) + 4
    about_commands = [f"  {name:<{width - 2}}{about}" for name, about in COMMANDS.items()]
    commands = "\n".join(part for line in about_commands for part in hanging(line, min(columns(), WIDEST), width))
    parser = Parser(
        "rankgold",
        "COMMAND ...",
        f"{_ABOUT}\n\ncommands:\n{commands}",
        "Help for one command: rankgold evaluate --help\nTry: rankgold demo",
    )
    version = f"rankgold {__version__}"
    parser.add_argument("--version", action="version", version=version, help="Print the version and exit.")
    parser.add_argument(
        "--show-completion",
        choices=SHELLS,
        help='Print completions: eval "$(rankgold --show-completion bash)".',
    )
    if not arguments:
        parser.print_help()
        sys.exit(2)
    if not arguments[0].startswith("-"):
        from rankgold.cli.parser import unknown_command

        wanted = _FORMER_NAMES.get(arguments[0], arguments[0])
        parser.error(unknown_command(arguments[0], wanted, COMMANDS))
    shell = parser.parse_options(arguments).show_completion
    if shell is None:
        parser.error("name a command.")
    parsers = {name: _parser(name) for name in COMMANDS}
    write(completion_script(shell, parsers, _known_words()), None)


def _known_words() -> dict[str, list[str]]:
    """The destinations of options and arguments -> the words that they take, for completion."""
    from rankgold.core.policy import PRESETS, choices_of_fields
    from rankgold.fusion import MethodName, NormName
    from rankgold.measures.registry import FAMILIES
    from rankgold.measures.suites import SUITES
    from rankgold.present.plots import PLOTS

    by_command = {family.function: [metric.name for metric in family.all()] for family in FAMILIES.values()}
    measures, others = by_command.pop("evaluate"), by_command
    suites = [f"@{name}" for name in SUITES]
    choices = [f"{field}={choice}" for field, choices in choices_of_fields().items() for choice in choices]
    return {
        "measure": [*measures, *suites],
        "sort": measures,
        "suite": list(SUITES),
        "policy": [*PRESETS, *choices],
        "plot name": sorted(PLOTS),
        "measures name": [*dict.fromkeys((*measures, *(name for names in others.values() for name in names))), *suites],
        **{f"{command} {option}": names for command, names in others.items() for option in ("measure", "sort")},
        "fuse method": [*get_args(MethodName)],
        "fuse norm": [*get_args(NormName)],
    }


@cache
def _command(name: str) -> Command:
    file = next(file for file, names in _FILES.items() if name in names.split())
    command: Command = import_module(f"rankgold.cli.{file}").COMMANDS[name]
    return command


def _parser(name: str) -> Parser:
    command = _command(name)
    parser = Parser(f"rankgold {name}", command.usage, COMMANDS[name], command.example, **command.parser_options)
    command.add_arguments(parser)
    return parser


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
