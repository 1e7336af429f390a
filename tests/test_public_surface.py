"""What users may rely on: the names, how light the import is, and which error means what."""

import ast
import glob
import importlib
import importlib.resources
import inspect
import os
import re
import shlex
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pandas as pd
import pytest

import rankgold
from rankgold.cli import app
from rankgold.core import errors
from rankgold.data.files import sample
from rankgold.present.plots import PLOTS
from tests.cases import for_each
from tests.shell import completed, printed

FUNCTIONS = {
    "check",
    "verify",
    "agreement",
    "bounds",
    "compare",
    "power",
    "what_if",
    "expect",
    "judge_next",
    "merge_qrels",
    "pool",
    "if_judged",
    "diff",
    "doctor",
    "evaluate",
    "match",
    "plan",
    "explain",
    "fuse",
    "learn_weights",
    "exposure",
    "from_labels",
    "from_lists",
    "from_arrays",
    "read_qrels",
    "read_run",
    "report",
    "similarity",
    "parse_measure",
    "reconcile",
}
MODULES = {"exposures", "integrations", "measures", "plots", "similarities", "sql"}
CLASSES = {
    "Baseline", "Bootstrap", "Check", "Interval", "Page", "Randomization", "Tukey", "Units", "Verification",
    "Accumulator", "Agreement", "Bounds", "Comparison", "Diagnosis", "Diff", "DuckDB", "Expectation", "Explanation", "Hits",
    "LearnedWeights", "Measure", "Policy", "Power", "Reconciliation", "Report", "Scores", "Sheet", "SliceComparison",
    "SliceScores", "Slices", "Spark", "WhatIf",
}  # fmt: skip
ERRORS = {
    "CheckError",
    "RankgoldError", "ComparisonError", "DataError", "FusionError", "MatchError", "MeasureError", "MissingDependency",
    "PlotError", "PolicyError", "UnknownQueryError",
}  # fmt: skip
COMMANDS = [
    "evaluate", "doctor", "compare", "diff", "what-if", "power", "judge-next", "pool", "agreement", "merge-qrels", "expect", "fuse",
    "reconcile", "explain", "plan", "report", "plot", "similarity", "exposure", "measures", "trec_eval",
    "sql",
    "check",
    "verify",
    "demo",
]  # fmt: skip
ROOT = Path(__file__).parent.parent
TO_THE_SAMPLE = 'cd "$(rankgold demo --path)" && '
QRELS, RUN = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 1.0}}


def test_all_is_what_is_promised_and_every_name_loads():
    assert rankgold.__all__ == sorted(FUNCTIONS | MODULES | CLASSES | ERRORS)
    for name in rankgold.__all__:
        assert name in dir(rankgold)
        assert (name in FUNCTIONS) == inspect.isfunction(getattr(rankgold, name))
        assert (name in MODULES) == inspect.ismodule(getattr(rankgold, name))
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", rankgold.__version__)


def test_type_checkers_see_the_same_names_in_the_same_places():
    stub = ast.parse(Path(rankgold.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    seen = {name.asname: node.module for node in imports for name in node.names if name.asname}
    folders = {node.targets[0].id: node.value.id for node in stub.body if isinstance(node, ast.Assign)}
    assert sorted([*seen, *folders]) == rankgold.__all__
    for name, folder in folders.items():
        assert importlib.import_module(f"rankgold.measures.{folder}") is getattr(rankgold, name)
    for name, module in seen.items():
        assert getattr(importlib.import_module(module), name) is getattr(rankgold, name)


def test_a_star_import_brings_exactly_these_names():
    code = "from rankgold import *; print(sorted(name for name in dir() if not name.startswith('__')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(sorted(rankgold.__all__))


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'rankgold' has no attribute 'nosuch'"):
        _ = rankgold.nosuch


@for_each("name", sorted(FUNCTIONS | MODULES | CLASSES | ERRORS))
def test_every_public_name_is_documented(name):
    assert inspect.getdoc(getattr(rankgold, name))
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    wanted = rf"\brankgold\.{name}\b" if name in MODULES else rf"^## {name}$"
    assert any(re.search(wanted, page, re.MULTILINE) for page in pages)


def test_every_command_is_listed_here_and_in_the_help_with_what_it_does():
    assert sorted(app.COMMANDS) == sorted(COMMANDS)
    listed = " ".join(printed("--help").split())
    for name, about in app.COMMANDS.items():
        assert f" {name} {about} " in listed


@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=[pytest.mark.plots] if name == "plot" else []) for name in app.COMMANDS]
)
def test_every_command_has_help_with_an_example_that_works_and_a_place_in_the_documentation(
    command, tmp_path, monkeypatch
):
    monkeypatch.chdir(sample("qrels.txt").parent)
    shown = printed(command, "--help")
    assert shown.startswith(f"usage: rankgold {command} ")
    assert f"## rankgold {command}\n" in (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    check_example(shown, f"rankgold {command}", tmp_path)


@pytest.mark.plots
@for_each("name", PLOTS)
def test_the_help_of_every_plot_says_what_it_shows_and_ends_with_an_example_of_it(name, tmp_path, monkeypatch):
    monkeypatch.chdir(sample("qrels.txt").parent)
    shown = printed("plot", name, "--help")
    assert " ".join(PLOTS[name].summary.split()) in " ".join(shown.split())
    check_example(shown, f"rankgold plot {name} ", tmp_path)
    assert (tmp_path / f"{name}.html").stat().st_size


def check_example(shown, command, folder):
    """Checks that the example at the end of a help is of a command, and that it works where the sample is."""
    example = shown.strip().splitlines()[-1].strip().removeprefix("Example: ")
    assert command in example
    for line in example.replace("/tmp/", f"{folder}/").removeprefix(TO_THE_SAMPLE).split(" && "):
        name, *arguments = shlex.split(line)
        assert name == "rankgold"
        done = completed(*(file for text in arguments for file in sorted(glob.glob(text)) or [text]))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout or any(folder.iterdir())


def test_an_example_works_in_a_shell(tmp_path):
    example = f"{TO_THE_SAMPLE}rankgold report qrels.txt *.trec --queries queries.tsv -o /tmp/report.html"
    assert example in printed("report", "--help")
    done = subprocess.run(
        ["bash", "-c", example.replace("/tmp/", f"{tmp_path}/")],
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_type_hints_are_shipped():
    assert importlib.resources.files("rankgold").joinpath("py.typed").is_file()


def test_the_tree_of_errors_is_as_it_is_drawn():
    drawn = {"RankgoldError": "Exception"}
    path = ["RankgoldError"]
    for line in errors.__doc__.splitlines():
        if found := re.match(r"    ([│ ]*)[├└]── (\w+)", line):
            depth = len(found[1]) // 4 + 1
            path[depth:] = [found[2]]
            drawn[found[2]] = path[depth - 1]
    declared = {
        name: kind for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, Exception)
    }
    assert set(drawn) == set(declared)
    for name, parent in drawn.items():
        assert declared[name].__bases__[0].__name__ == parent
        assert issubclass(declared[name], ImportError if name == "MissingDependency" else Exception)
        assert issubclass(declared[name], ValueError) == (name not in ("RankgoldError", "MissingDependency"))
        assert getattr(rankgold, name) is declared[name]


def test_an_error_of_data_knows_its_place(tmp_path):
    (tmp_path / "q").write_text("q1 0 d1 x\n")
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.read_qrels(tmp_path / "q")
    assert caught.value.place == f"{tmp_path / 'q'}:1"


def evaluated(*measures, **options):
    return lambda: rankgold.evaluate(QRELS, RUN, list(measures), **options)


FRAME = pd.DataFrame({"q": ["q1"], "doc": ["d1"], "score": [1.0]})
FAULTS = {
    "a cutoff of 0": (evaluated("ndcg@0"), rankgold.MeasureError, "whole number from 1, not 0", "\n  ndcg@0\n       ^"),
    "a negative cutoff": (evaluated("ndcg@-1"), rankgold.MeasureError, "whole number from 1, not -1"),
    "a cutoff of text": (evaluated("p@x"), rankgold.MeasureError, "not 'x'"),
    "a cutoff of 0 in the spelling of trec_eval": (evaluated("P_0"), rankgold.MeasureError, "not 0"),
    "a cutoff in Python": (lambda: rankgold.measures.ndcg @ 0, rankgold.MeasureError, "not 0"),
    "True as a cutoff": (lambda: rankgold.measures.ndcg @ True, rankgold.MeasureError, "not True"),
    "a cutoff where there is none": (evaluated("spearman@5"), rankgold.MeasureError, "spearman takes no cutoff"),
    "an unknown measure": (evaluated("ndgc"), rankgold.MeasureError, "No measure is called 'ndgc'. Did you mean 'ndcg'?"),
    "an unknown parameter": (evaluated("ndcg(gian=exp)@10"), rankgold.MeasureError, "no parameter 'gian'. Did you mean 'gain'?"),
    "an unknown parameter in Python": (lambda: rankgold.measures.ndcg(foo=1), rankgold.MeasureError, "no parameter 'foo'"),
    "an unknown choice": (evaluated("ndcg(gain=cubic)@10"), rankgold.MeasureError, "gain must be one of linear, exp, binary, not 'cubic'",
                          "\n  ndcg(gain=cubic)@10\n            ^"),
    "text as a number": (evaluated("ap(rel=x)"), rankgold.MeasureError, "rel must be a number, not 'x'"),
    "a parameter twice": (evaluated("ap(rel=1, rel=2)"), rankgold.MeasureError, "rel is given twice"),
    "an open parenthesis": (evaluated("ndcg(gain=exp"), rankgold.MeasureError, "not closed"),
    "something after a measure": (evaluated("ap@5 please"), rankgold.MeasureError, "not part of a measure"),
    "an empty measure": (evaluated(""), rankgold.MeasureError, "must start with its name"),
    "None as a measure": (evaluated(None), rankgold.MeasureError, "not NoneType"),
    "no measure": (evaluated(), rankgold.MeasureError, "There is no measure"),
    "a number for measures": (lambda: rankgold.evaluate(QRELS, RUN, 5), rankgold.MeasureError, "not int"),
    "hits and a run": (lambda: rankgold.evaluate(rankgold.match(QRELS, RUN), RUN, ["ap"]), rankgold.MeasureError, "evaluate(hits, measures)"),
    "an unknown policy": (evaluated("ap", policy="trec"), rankgold.PolicyError, "No policy is called 'trec'. Did you mean 'trec_eval'?"),
    "an unknown field": (evaluated("ap", policy="tie=input"), rankgold.PolicyError, "'tie'. Did you mean 'ties'?"),
    "an unknown choice of a field": (evaluated("ap", policy="ties=random"), rankgold.PolicyError, "ties must be one of descending", "'random'"),
    "a policy of another type": (evaluated("ap", policy=5), rankgold.PolicyError, "not int"),
    "a bad Policy": (lambda: rankgold.Policy(ties="random"), rankgold.PolicyError, "ties must be one of"),
    "another policy for hits": (lambda: rankgold.evaluate(rankgold.match(QRELS, RUN), ["ap"], policy="ties=average"), rankgold.PolicyError,
                                "matched with ties=descending"),
    "an unknown role": (lambda: rankgold.evaluate(QRELS, FRAME, ["ap"], columns={"qurey": "q"}), rankgold.DataError,
                        "'qurey'. Did you mean 'query'?", "query, document, grade, score, rank, run"),
    "an unknown role beside dicts": (evaluated("ap", columns={"qurey": "q"}), rankgold.DataError, "'qurey'"),
    "a column that is not there": (lambda: rankgold.evaluate(QRELS, FRAME, ["ap"], columns={"query": "nosuch"}), rankgold.DataError,
                                   "no column 'nosuch'", "'q', 'doc', 'score'"),
    "a column of scores that is not there": (
        lambda: rankgold.evaluate(QRELS, FRAME, ["ap"], columns={"query": "q", "score": "nosuch"}), rankgold.DataError, "'nosuch'"),
    "a list for columns": (lambda: rankgold.evaluate(QRELS, FRAME, ["ap"], columns=["q"]), rankgold.DataError, "columns"),
    "no run": (lambda: rankgold.evaluate(QRELS), rankgold.DataError, "no run", "evaluate(qrels, run, measures)"),
    "no run to explain": (lambda: rankgold.explain(QRELS, measure="ap"), rankgold.DataError, "no run"),
    "an unknown query": (lambda: rankgold.explain(QRELS, RUN, "ap", "q3"), rankgold.UnknownQueryError, "'q3'", "There are 2: q1, q2."),
    "a query with a zero too many": (
        lambda: rankgold.explain(QRELS, RUN, "ap", "q01"), rankgold.UnknownQueryError, "Did you mean 'q1'?"),
    "no query": (lambda: rankgold.explain(QRELS, RUN, "ap"), rankgold.UnknownQueryError, "Which query? There are 2"),
    "several runs to match": (lambda: rankgold.match(QRELS, {"a": RUN, "b": RUN}), rankgold.DataError, "2 runs", "a, b"),
    "queries that are not judged": (
        lambda: rankgold.evaluate(QRELS, {**RUN, "q9": {"d": 1}}, ["ap"], policy="unjudged_queries=error"), rankgold.MatchError, "'q9'"),
    "None as judgements": (lambda: rankgold.evaluate(None, RUN, ["ap"]), rankgold.DataError, "None is not judgements"),
    "a number as judgements": (lambda: rankgold.evaluate(5, RUN, ["ap"]), rankgold.DataError, "this int is not judgements"),
    "text for documents": (lambda: rankgold.evaluate({"q1": "d1"}, RUN, ["ap"]), rankgold.DataError, "query 'q1' has 'd1'"),
    "NaN as a grade": (lambda: rankgold.evaluate({"q1": {"d1": float("nan")}}, RUN, ["ap"]), rankgold.DataError, "the grade must be a finite"),
    "dicts too deep": (lambda: rankgold.evaluate({"q1": {"d1": {"s1": {}}}}, RUN, ["ap"]), rankgold.DataError, "grade", "not '{}'"),
    "no judgements": (lambda: rankgold.evaluate({}, RUN, ["ap"]), rankgold.DataError, "the judgements: there is no query"),
    "a file that is not there": (lambda: rankgold.read_run("nosuch.run"), rankgold.DataError, "nosuch.run: there is no such file"),
}  # fmt: skip


@for_each("fault", FAULTS)
def test_every_mistake_has_its_kind_of_error_and_says_what_to_do(fault):
    call, kind, *parts = FAULTS[fault]
    with pytest.raises(rankgold.RankgoldError) as caught:
        call()
    assert type(caught.value) is kind
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


def test_hits_and_scores_cannot_be_changed():
    hits = rankgold.match({"q1": {"d1": 1}}, {"q1": {"d1": 0.9}})
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'max_grade'"):
        hits.max_grade = 3.0
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'max_grade'"):
        del hits.max_grade
    assert hits.max_grade == 1
    run = rankgold.evaluate(hits, ["ap"]).run_scores("run")
    with pytest.raises(FrozenInstanceError):
        run.means = {}
    assert run.means == {"ap": 1.0}


def test_a_keyword_that_evaluate_does_not_have_is_an_error_for_hits_too():
    with pytest.raises(TypeError, match=r"evaluate\(\) got an unexpected keyword argument 'polcy'"):
        rankgold.evaluate(rankgold.match(QRELS, RUN), ["ap"], polcy="trec_eval")
    with pytest.raises(TypeError, match=r"match\(\) got an unexpected keyword argument 'per_query'"):
        rankgold.match(QRELS, RUN, per_query=True)
