"""Command-line arguments in; the command that they name is run."""

import os
import sys
from importlib import import_module
from types import ModuleType

from rankgold import __version__
from rankgold.cli.destination import check_outputs, write
from rankgold.cli.parser import WIDEST, Parser
from rankgold.output.text import columns

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
"""What each command does. A command is the module of its name (_ for -), which is imported when it is called."""

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
        from rankgold.cli.mistakes import check_missing_files

        check_missing_files(parser, options, missing)
    check_outputs(options, parser.inputs(options))
    _module(arguments[0]).run(options)


def _run_without_command(arguments: list[str]) -> None:
    """Prints the help, the version or completions; ends with an error for a command that does not exist."""
    from rankgold.cli.completion import SHELLS, completion_script
    from rankgold.output.terminal import hanging

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
        from rankgold.cli.mistakes import unknown_command

        wanted = _FORMER_NAMES.get(arguments[0], arguments[0])
        parser.error(unknown_command(arguments[0], wanted, COMMANDS))
    shell = parser.parse_options(arguments).show_completion
    if shell is None:
        parser.error("name a command.")
    parsers = {name: _parser(name) for name in COMMANDS}
    write(completion_script(shell, parsers, _known_words()), None)


def _known_words() -> dict[str, list[str]]:
    """The destinations of options and arguments -> the words that they take, for completion."""
    from rankgold.cli.fuse import METHODS, NORMS
    from rankgold.declaration.families import FAMILIES
    from rankgold.declaration.suites import SUITES
    from rankgold.plots import PLOTS
    from rankgold.policy import PRESETS, choices_of_fields

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
        "fuse method": METHODS.split(", "),
        "fuse norm": NORMS.split(", "),
    }


def _module(command: str) -> ModuleType:
    return import_module(f"rankgold.cli.{command.replace('-', '_')}")


def _parser(name: str) -> Parser:
    command = _module(name)
    special = getattr(command, "PARSER_OPTIONS", {})
    parser = Parser(f"rankgold {name}", command.USAGE, COMMANDS[name], command.EXAMPLE, **special)
    command.add_arguments(parser)
    return parser
