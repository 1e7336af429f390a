"""What users may rely on: the names, how light the import is, and which error means what."""

import importlib.resources
import inspect
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError

import pandas as pd
import pytest

import karat
from karat import errors

NAMES = {
    "evaluate", "match", "explain", "from_labels", "from_lists", "from_arrays", "read_qrels", "read_run", "parse",
    "measures", "sql", "Measure", "Policy", "Hits", "Scores", "Explanation",
    "KaratError", "DataError", "MatchError", "MeasureError", "PolicyError", "UnknownQueryError", "MissingDependency",
}  # fmt: skip
HEAVY = ["polars", "numpy", "duckdb", "pyspark", "altair", "scipy", "pandas", "pyarrow", "torch", "typer", "rich"]
QRELS, RUN = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 1.0}}


def test_all_is_what_is_promised_and_every_name_loads():
    assert set(karat.__all__) >= NAMES
    assert sorted(karat.__all__) == karat.__all__
    for name in karat.__all__:
        assert getattr(karat, name) is not None
        assert name in dir(karat)
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", karat.__version__)


def test_a_star_import_brings_exactly_these_names():
    code = "from karat import *; print(sorted(name for name in dir() if not name.startswith('__')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(sorted(karat.__all__))


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'karat' has no attribute 'nosuch'"):
        _ = karat.nosuch


def test_every_public_name_is_documented():
    for name in NAMES:
        assert inspect.getdoc(getattr(karat, name)), name


@pytest.mark.parametrize(
    "statement", ["import karat", "import karat; dir(karat); karat.__version__", "from karat import Policy, DataError"]
)
def test_importing_karat_loads_nothing_heavy(statement):
    code = f"{statement}\nimport sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_dicts_are_evaluated_without_polars():
    code = "import karat, sys; karat.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}}, ['ap']).means; print('polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_type_hints_are_shipped():
    assert importlib.resources.files("karat").joinpath("py.typed").is_file()


def test_the_tree_of_errors_is_as_it_is_drawn():
    drawn = {"KaratError": "Exception"}
    path = ["KaratError"]
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
        assert issubclass(declared[name], ValueError) == (name not in ("KaratError", "MissingDependency"))
        assert getattr(karat, name) is declared[name]


def test_an_error_of_data_knows_its_place(tmp_path):
    (tmp_path / "q").write_text("q1 0 d1 x\n")
    with pytest.raises(karat.DataError) as caught:
        karat.read_qrels(tmp_path / "q")
    assert caught.value.place == f"{tmp_path / 'q'}:1"


def evaluated(*measures, **options):
    return lambda: karat.evaluate(QRELS, RUN, list(measures), **options)


FRAME = pd.DataFrame({"q": ["q1"], "doc": ["d1"], "score": [1.0]})
FAULTS = {
    "a cutoff of 0": (evaluated("ndcg@0"), karat.MeasureError, "whole number from 1, not 0", "\n  ndcg@0\n       ^"),
    "a negative cutoff": (evaluated("ndcg@-1"), karat.MeasureError, "whole number from 1, not -1"),
    "a cutoff of text": (evaluated("p@x"), karat.MeasureError, "not 'x'"),
    "a cutoff of 0 in the spelling of trec_eval": (evaluated("P_0"), karat.MeasureError, "not 0"),
    "a cutoff in Python": (lambda: karat.measures.ndcg @ 0, karat.MeasureError, "not 0"),
    "True as a cutoff": (lambda: karat.measures.ndcg @ True, karat.MeasureError, "not True"),
    "a cutoff where there is none": (evaluated("spearman@5"), karat.MeasureError, "spearman takes no cutoff"),
    "an unknown measure": (evaluated("ndgc"), karat.MeasureError, "No measure is called 'ndgc'. Did you mean 'ndcg'?"),
    "an unknown parameter": (evaluated("ndcg(gian=exp)@10"), karat.MeasureError, "no parameter 'gian'. Did you mean 'gain'?"),
    "an unknown parameter in Python": (lambda: karat.measures.ndcg(foo=1), karat.MeasureError, "no parameter 'foo'"),
    "an unknown choice": (evaluated("ndcg(gain=cubic)@10"), karat.MeasureError, "gain is one of linear, exp, binary, not 'cubic'",
                          "\n  ndcg(gain=cubic)@10\n            ^"),
    "text as a number": (evaluated("ap(rel=x)"), karat.MeasureError, "rel is a number, not 'x'"),
    "a parameter twice": (evaluated("ap(rel=1, rel=2)"), karat.MeasureError, "rel is given twice"),
    "an open parenthesis": (evaluated("ndcg(gain=exp"), karat.MeasureError, "not closed"),
    "something after a measure": (evaluated("ap@5 please"), karat.MeasureError, "not part of a measure"),
    "an empty measure": (evaluated(""), karat.MeasureError, "starts with its name"),
    "None as a measure": (evaluated(None), karat.MeasureError, "not NoneType"),
    "no measure": (evaluated(), karat.MeasureError, "There is no measure"),
    "a number for measures": (lambda: karat.evaluate(QRELS, RUN, 5), karat.MeasureError, "not int"),
    "hits and a run": (lambda: karat.evaluate(karat.match(QRELS, RUN), RUN, ["ap"]), karat.MeasureError, "evaluate(hits, measures)"),
    "an unknown policy": (evaluated("ap", policy="trec"), karat.PolicyError, "No policy is called 'trec'. Did you mean 'trec_eval'?"),
    "an unknown field": (evaluated("ap", policy="tie=input"), karat.PolicyError, "'tie'. Did you mean 'ties'?"),
    "an unknown choice of a field": (evaluated("ap", policy="ties=random"), karat.PolicyError, "ties is one of descending", "'random'"),
    "a policy of another type": (evaluated("ap", policy=5), karat.PolicyError, "not int"),
    "a bad Policy": (lambda: karat.Policy(ties="random"), karat.PolicyError, "ties is one of"),
    "another policy for hits": (lambda: karat.evaluate(karat.match(QRELS, RUN), ["ap"], policy="ties=average"), karat.PolicyError,
                                "matched with ties=descending"),
    "an unknown role": (lambda: karat.evaluate(QRELS, FRAME, ["ap"], columns={"qurey": "q"}), karat.DataError,
                        "'qurey'. Did you mean 'query'?", "query, document, grade, score, rank, run"),
    "an unknown role beside dicts": (evaluated("ap", columns={"qurey": "q"}), karat.DataError, "'qurey'"),
    "a column that is not there": (lambda: karat.evaluate(QRELS, FRAME, ["ap"], columns={"query": "nosuch"}), karat.DataError,
                                   "no column 'nosuch'", "'q', 'doc', 'score'"),
    "a column of scores that is not there": (
        lambda: karat.evaluate(QRELS, FRAME, ["ap"], columns={"query": "q", "score": "nosuch"}), karat.DataError, "'nosuch'"),
    "a list for columns": (lambda: karat.evaluate(QRELS, FRAME, ["ap"], columns=["q"]), karat.DataError, "columns"),
    "no run": (lambda: karat.evaluate(QRELS), karat.DataError, "no run", "evaluate(qrels, run, measures)"),
    "no run to explain": (lambda: karat.explain(QRELS, measure="ap"), karat.DataError, "no run"),
    "an unknown query": (lambda: karat.explain(QRELS, RUN, "ap", "q3"), karat.UnknownQueryError, "'q3'", "Did you mean"),
    "no query": (lambda: karat.explain(QRELS, RUN, "ap"), karat.UnknownQueryError, "Which query? There are 2"),
    "several runs to match": (lambda: karat.match(QRELS, {"a": RUN, "b": RUN}), karat.DataError, "2 runs", "a, b"),
    "queries that are not judged": (
        lambda: karat.evaluate(QRELS, {**RUN, "q9": {"d": 1}}, ["ap"], policy="unjudged_queries=error"), karat.MatchError, "'q9'"),
    "None as judgements": (lambda: karat.evaluate(None, RUN, ["ap"]), karat.DataError, "None is not judgements"),
    "a number as judgements": (lambda: karat.evaluate(5, RUN, ["ap"]), karat.DataError, "this int is not judgements"),
    "text for documents": (lambda: karat.evaluate({"q1": "d1"}, RUN, ["ap"]), karat.DataError, "query 'q1' has 'd1'"),
    "NaN as a grade": (lambda: karat.evaluate({"q1": {"d1": float("nan")}}, RUN, ["ap"]), karat.DataError, "the grade must be a finite"),
    "dicts too deep": (lambda: karat.evaluate({"q1": {"d1": {}}}, RUN, ["ap"]), karat.DataError, "grade", "not a dict"),
    "no judgements": (lambda: karat.evaluate({}, RUN, ["ap"]), karat.DataError, "the judgements: there is no query"),
    "a file that is not there": (lambda: karat.read_run("nosuch.run"), karat.DataError, "nosuch.run: there is no such file"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_every_mistake_has_its_kind_of_error_and_says_what_to_do(fault):
    call, kind, *parts = FAULTS[fault]
    with pytest.raises(karat.KaratError) as caught:
        call()
    assert type(caught.value) is kind
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


def test_hits_and_scores_cannot_be_changed():
    hits = karat.match({"q1": {"d1": 1}}, {"q1": {"d1": 0.9}})
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'max_grade'"):
        hits.max_grade = 3.0
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'max_grade'"):
        del hits.max_grade
    assert hits.max_grade == 1
    run = karat.evaluate(hits, ["ap"]).run_scores("run")
    with pytest.raises(FrozenInstanceError):
        run.means = {}
    assert run.means == {"ap": 1.0}
