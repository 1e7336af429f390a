"""The page "How to add": its measure and its output are added as the page says, and everything takes them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to-add.md").read_text(encoding="utf-8")

CONTRACT = ("tests/test_contract.py", "tests/test_ties_averaged.py", "tests/test_declared_grades.py")
# The contract is tested for few measures, the new one among them: that it holds for the others is tested elsewhere.
FEW = """
import with_hlu, rankgold.measures
from rankgold.measures.registry import REGISTRY
rankgold.measures.all = lambda: [REGISTRY[name] for name in ("hlu", "rr", "spearman")]
"""


@pytest.fixture
def run(tmp_path):
    """A function that runs Python with the measure or the output of the page added, and returns what it prints."""
    measure, output = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "hlu.py").write_text(measure, encoding="utf-8")
    (tmp_path / "more_outputs").mkdir()
    (tmp_path / "more_outputs" / "tsv.py").write_text(output, encoding="utf-8")
    with_tsv = f"import rankgold.present.outputs\nrankgold.present.outputs.__path__.append({str(tmp_path / 'more_outputs')!r})\n"
    (tmp_path / "with_tsv.py").write_text(with_tsv, encoding="utf-8")
    (tmp_path / "with_hlu.py").write_text("import rankgold.measures, hlu\n", encoding="utf-8")
    (tmp_path / "few_measures.py").write_text(FEW, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(ROOT / "src"), str(ROOT)])

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_the_measure_of_the_page_is_parsed_evaluated_explained_and_described(run):
    # Ranks 1 and 3 relevant, half-life 3: (1 + 0.5) / (1 + 0.5**0.5) = 0.8787; at the cutoff 1 it is 1 / 1.
    code = """
import with_hlu, rankgold
qrels, run = {"q": {"a": 1, "c": 1}}, {"q": {"a": 3, "b": 2, "c": 1}}
assert str(rankgold.parse_measure("Half_Life_Utility(half_life=3)@7")) == "hlu(half_life=3)@7"
scores = rankgold.evaluate(qrels, run, ["hlu(half_life=3)", "hlu@1"])
assert {name: round(value, 4) for name, value in scores.means.items()} == {"hlu(half_life=3)": 0.8787, "hlu@1": 1.0}
print(rankgold.explain(qrels, run, "hlu(half_life=3)", "q"))
"""
    explained = run("-c", code)
    assert "HLU = sum over relevant hits of" in explained
    assert "0.5**1 = 0.5000" in explained
    assert "1.5000 / 1.7071 = 0.8787" in explained


def test_the_command_line_lists_and_describes_the_measure_of_the_page(run):
    command = "import with_hlu; from rankgold.cli.app import run; run(['measures'{}])"
    assert re.search(r"^ *hlu +The share of readers", run("-c", command.format("")), re.MULTILINE)
    described = run("-c", command.format(", 'hlu'"))
    assert described.startswith("hlu(rel=1, half_life=5)[@k]\n")
    assert "the rank that half of the readers reach" in described
    assert "\nHalf life utility.\n" in described
    assert "Also called: half_life_utility." in described
    assert "Answers: How high do all the relevant documents stand?" in described


def test_the_generator_makes_a_page_for_the_measure_of_the_page_and_says_what_to_write(run):
    code = """
import sys, with_hlu
sys.path.insert(0, "scripts")
import measure_pages
from rankgold.measures.rankings import parse_measure
metric = parse_measure("hlu").metric
parts = measure_pages.generated_parts(metric)
assert parts["title"].startswith("\\n# Half life utility\\n")
assert "| `half_life` | `5` | `number` | the rank that half of the readers reach |" in parts["parameters"]
print(measure_pages.page_start(metric))
"""
    page = run("-c", code)
    assert "TODO: the formula in LaTeX" in page
    assert '>>> chart = rankgold.plots.waterfall([1, 0, 1], "hlu")' in page


@pytest.mark.slow
def test_the_contract_holds_for_the_measure_of_the_page(run):
    printed = run("-m", "pytest", "-v", "-p", "few_measures", "-p", "no:cacheprovider", *CONTRACT)
    assert "test_the_text_of_a_measure_is_its_identity[hlu(half_life=10)@4] PASSED" in printed
    assert re.search(r"= \d+ passed in", printed)


def test_a_false_claim_about_grades_is_found_with_the_grades_that_show_it(run):
    # The documents d1 to d4 are ranked, m1 is not. A relevant m1 lowers the share that d1 is, so hlu does not only rise.
    code = """
import with_hlu, hlu
from rankgold.measures.facts import Grades
from tests.all_measures import declared
from tests.test_declared_grades import false_responses
assert list(false_responses([declared(hlu.half_life_utility, grades=Grades("shares"))()])) == []
print(*false_responses([declared(hlu.half_life_utility, grades=Grades("ends"))()]))
"""
    printed = run("-c", code)
    assert "new is not 'ends' with rankgold: it falls and rises with a grade: {'d1': " in printed


def test_the_measure_of_the_page_is_a_function_of_sql_unless_it_gives_a_reason(run):
    code = """
import with_hlu, rankgold.engines.sql
from rankgold.engines.sql.functions import BY_NAME, NOT_IN_SQL
assert BY_NAME["half_life_utility"].name == "hlu" and not BY_NAME["hlu"].in_duckdb
assert "hlu" not in NOT_IN_SQL and "q" in NOT_IN_SQL and "q" not in BY_NAME
"""
    run("-c", code)


def test_the_example_of_the_measure_of_the_page_is_right(run):
    code = """
import doctest, with_hlu, hlu, rankgold
result = doctest.testmod(hlu, extraglobs={"one_query": lambda labels: rankgold.from_labels([labels])})
assert (result.failed, result.attempted) == (0, 1)
"""
    run("-c", code)


def test_every_result_has_the_output_of_the_page_and_nothing_else_was_told_of_it(run, tmp_path):
    # Of q, the relevant document is at rank 2: rr is 1/2. The second run does not rank it.
    code = f"""
import with_tsv, rankgold
runs = {{"a\\tb": {{"q": {{"x": 2, "d": 1}}}}, "none": {{"q": {{"x": 2}}}}}}
scores = rankgold.evaluate({{"q": {{"d": 1}}}}, runs, ["rr", "frp"])
assert scores.write("tsv") == "run\\trr\\tfrp\\na b\\t0.5\\t2.0\\nnone\\t0.0\\t", scores.write("tsv")
scores.save({str(tmp_path / "scores.tab")!r})
assert open({str(tmp_path / "scores.tab")!r}).read() == scores.write("tsv") + "\\n"
explained = rankgold.explain({{"q": {{"d": 1}}}}, runs["none"], "rr")
assert explained.write("tab").split("\\t")[:2] == ["rank", "document"]
"""
    run("-c", code)


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (["evaluate", "qrels.txt", "bm25.trec", "-m", "rr", "-f", "tsv"], "run\trr"),
        (["evaluate", "qrels.txt", "bm25.trec", "-m", "rr", "-q", "--format", "tab"], "run\tquery\trr"),
        (["power", "qrels.txt", "bm25.trec", "titles.trec", "-m", "rr", "-f", "tsv"], "measure\ta\tb\tqueries"),
    ],
)
def test_the_command_line_offers_the_output_of_the_page(run, arguments, first):
    code = f"""
import with_tsv, os, rankgold.data.files
from rankgold.cli.app import run
os.chdir(rankgold.data.files.sample("qrels.txt").parent)
run({arguments!r})
"""
    assert run("-c", code).startswith(first)
    shown = run(
        "-c",
        "import with_tsv; from rankgold.cli.app import run\ntry: run(['evaluate', '--help'])\nexcept SystemExit: pass",
    )
    assert "--format table|json|csv|markdown|latex|html|tsv|trec_eval" in shown


def test_digits_and_sparklines_do_not_go_with_the_output_of_the_page(run):
    code = """
import with_tsv, os, rankgold, rankgold.data.files
from rankgold.cli.app import run
os.chdir(rankgold.data.files.sample("qrels.txt").parent)
for option in (["--digits", "2"], ["--sparkline"]):
    try:
        run(["evaluate", "qrels.txt", "bm25.trec", "-m", "rr", "-f", "tsv", *option])
    except rankgold.DataError as error:
        print(error)
"""
    digits, sparkline = run("-c", code).splitlines()
    assert digits == "--digits is for formats that people read; tsv has all digits. Leave it out."
    assert sparkline.startswith("tsv cannot show --sparkline.")
