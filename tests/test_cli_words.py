"""The command line is made from the signatures of the verbs: types, choices, defaults, and the table of words."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Literal

import rankgold
from rankgold.audit import Baseline
from rankgold.cli.app import COMMANDS
from rankgold.cli.command import add_options, keywords
from rankgold.cli.parser import Parser
from rankgold.cli.vocabulary import WORDS
from rankgold.comparison import Interval, Units
from rankgold.present import Page
from tests.shell import printed, refused

VERBS = [function for name in rankgold.__all__ if inspect.isfunction(function := getattr(rankgold, name))]


def verb(
    qrels: object,
    *,
    test: Literal["one", "two"] | None = "two",
    seed: int = 7,
    alpha: float = 0.25,
    value: float | str | None = None,
    bounds: bool = False,
    charts: bool = True,
    ignore: Unknown = (),  # noqa: F821  as names that a verb imports for type checkers alone
    move: Unknown = None,  # noqa: F821
    max_grade: float | None = None,
    policy: Unknown = None,  # noqa: F821
    depth: int | None = None,
) -> None:
    """Something with a signature."""


def parser():
    made = Parser("rankgold verb", "[OPTIONS]", "About.", "Example.")
    add_options(made, verb)
    return made


def test_types_choices_and_defaults_of_options_come_from_the_signature():
    made = parser()._option_string_actions
    assert made["--test"].choices == ("one", "two")
    assert {flag: made[flag].default for flag in ("--test", "--seed", "--alpha", "--bounds", "--no-charts")} == {
        "--test": "two",
        "--seed": 7,
        "--alpha": 0.25,
        "--bounds": False,
        "--no-charts": True,
    }
    assert made["--seed"].help == "Seed of the random draws; default: 7."
    assert "--qrels" not in made  # an argument, which the command declares


def test_options_become_the_keywords_of_the_verb():
    given = ["--seed", "3", "--alpha", "1", "--value", "0.10", "--no-charts", "--ignore", "a", "--ignore", "b"]
    given += ["--move", "q", "d", "1", "-p", "trec_eval", "--depth", "5"]
    assert keywords(parser().parse_options(given), verb) == {
        "test": "two",
        "seed": 3,
        "alpha": 1.0,
        "value": "0.10",
        "bounds": False,
        "charts": False,
        "ignore": ["a", "b"],
        "move": [["q", "d", "1"]],
        "policy": rankgold.Policy.of("trec_eval", "depth=5"),
    }


def test_the_table_has_every_word_of_a_verb_at_the_shell_and_no_other():
    owners = {"evaluate": Interval, "rows": rankgold.match, "report": Page, "DrawnTest": rankgold.Randomization}
    known = {function.__name__: {*inspect.signature(function).parameters} for function in VERBS}
    for name, function in {**owners, "Interval": Interval, "Units": Units, "Page": Page, "Baseline": Baseline}.items():
        known[name] = known.get(name, set()) | {*inspect.signature(function).parameters}
    known["report"].add("draws")
    for key in WORDS:
        owner, _, word = key.rpartition(".")
        assert word in (known[owner] if owner else set.union(*known.values())), key
    for command in COMMANDS:  # a word that is not in the table is an error
        assert printed(command, "--help")


def test_help_of_every_command_loads_neither_numpy_nor_polars():
    code = "import sys\nfrom rankgold.cli.app import run\nfor name in sys.argv[1:]:\n"
    code += "    try: run([name, '--help'])\n    except SystemExit: pass\n"
    code += "print([m for m in ('numpy', 'polars', 'pandas', 'duckdb', 'scipy') if m in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *COMMANDS], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_words_that_verbs_share_are_options_of_their_commands(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 2 run\nq1 Q0 x 2 1 run\nq2 Q0 d2 1 1 run\n")
    qrels, run = str(tmp_path / "qrels"), str(tmp_path / "run")
    assert printed("fuse", run, run, "--topics", "q2") == "q2 Q0 d2 1 0.03278688524590164 fused\n"  # 2 / 61
    assert printed("pool", run, "--topics", "q1", "--depth", "1") == "query,document,grade,rank,runs\nq1,d1,,1,1\n"
    assert printed("merge-qrels", qrels, "--topics", "q2") == "q2 0 d2 1\n"
    assert "in 1 judgement and 2 rows of 1 run" in printed("doctor", qrels, run, "--topics", "q1", "--depth", "1")
    assert "rel must be a number" in refused("reconcile", qrels, run, "-m", "ap", "--value", "1", "--rel", "x")
