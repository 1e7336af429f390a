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
    "evaluate": "Evaluates one or more runs against judgements.",
    "doctor": "Looks files over before you score them: what is wrong, what it moves, and what to do.",
    "compare": "Says which of several runs is better, by how much, and how certain that is.",
    "diff": "Shows why two runs differ: the queries that gained and lost, and the documents that made it.",
    "what-if": "Shows every measure before and after a document is moved, added, removed or judged otherwise.",
    "power": "Says how many queries would show a difference, and the smallest one that these queries show.",
    "check": "Fails if a run is too bad, or worse than before: the gate of a pipeline.",
    "verify": "Computes saved scores again, and says what changed: data, policy, measures, version, or nothing.",
    "judge-next": "Lists the unjudged documents that are worth judging first, as a sheet to fill in.",
    "pool": "Lists the first documents of several runs, as a sheet to fill in.",
    "agreement": "Says how well two or more judges agree.",
    "merge-qrels": "Makes one file of judgements out of several judges and filled-in sheets.",
    "expect": "Evaluates runs against uncertain grades: the expected value of measures.",
    "fuse": "Makes one run out of several.",
    "reconcile": "Says which convention gives a number that another tool printed.",
    "explain": "Shows the working behind a measure of one query: every term, the sum, the norm.",
    "plan": "Shows what an engine is going to run, without running it.",
    "report": "Makes one HTML file that compares runs: leaderboard, every query, every document. Needs no network.",
    "plot": "Draws a chart: PNG, SVG, PDF, or HTML that needs no network.",
    "similarity": "Compares two or more runs, or leaderboards, with each other. Needs no judgements.",
    "exposure": "Measures what lists of recommendations are made of: coverage, popularity, diversity.",
    "measures": "Lists the measures, or shows one in full: formula, parameters, when to use it. Helps to choose.",
    "trec_eval": "Takes the arguments of trec_eval, and prints what it prints.",
    "sql": "Prints the measures as functions for a database.",
    "demo": "Evaluates the sample data that come with rankgold, and shows what the tool can do. Needs no files.",
}
"""What each command does. A command is the module of its name (_ for -), which is imported when it is called."""

_FORMER_NAMES = {"explain-plan": "plan"}
_ABOUT = "Weighs a ranking against its gold labels: every ranking measure, with its working."


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
