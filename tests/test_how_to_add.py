"""The page "How to add": every example is added to a copy of the package as the page says, and used."""

import ast
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.cases import for_each

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to-add.md").read_text(encoding="utf-8")
STEP = r"(Write|Append to|Add to `(\w+)` in) `([\w/.]+)`:\n\n```python\n(.*?)^```"

CONTRACT = ("tests/test_contract.py", "tests/test_ties_averaged.py", "tests/test_declared_grades.py")
# The contract is tested for few measures, the new one among them: that it holds for the others is tested elsewhere.
FEW = """
import rankgold.measures
from rankgold.measures.registry import REGISTRY
FEW = [metric for metric in REGISTRY.all() if metric.name in ("hlu", "rr", "spearman")]
rankgold.measures.all = lambda: FEW
"""


def add_example(folder, step, name, path, code):
    """Carries out one step of the page in a folder with a copy of the sources."""
    file = folder / path
    if step == "Write":
        assert not file.exists(), f"{path} is there already."
        file.write_text(code, encoding="utf-8")
        return
    text = file.read_text(encoding="utf-8")
    if step == "Append to":
        file.write_text(f"{text}\n\n{code}", encoding="utf-8")
        return
    added, count = re.subn(
        rf"^{name} = \(\n.*?(?=^\)$)", lambda found: f"{found[0]}    {code.rstrip()},\n", text, flags=re.M | re.S
    )
    assert count == 1, f"{path} has no {name}."
    file.write_text(added, encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the sources, with every example of the page added."""
    folder = tmp_path_factory.mktemp("added")
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    steps = re.findall(STEP, PAGE, re.MULTILINE | re.DOTALL)
    assert len(steps) == PAGE.count("```python"), "There is code of which the page does not say where it goes."
    for step, name, path, code in steps:
        add_example(folder, step.split(" `")[0], name, path, code)
    door = folder / "src" / "rankgold" / "comparison" / "__init__.py"
    door.write_text(
        door.read_text(encoding="utf-8").replace('"sign", "tukey"', '"sign", "z", "tukey"'), encoding="utf-8"
    )
    (folder / "few_measures.py").write_text(FEW, encoding="utf-8")
    return folder


@pytest.fixture
def run(folder):
    """A function that runs Python with everything on the page added, and returns what it prints."""
    path = os.pathsep.join([str(folder / "src"), str(folder), str(ROOT)])

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
import rankgold
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
    command = "from rankgold.cli.app import run; run(['measures'{}])"
    assert re.search(r"^ *hlu +The share of readers", run("-c", command.format("")), re.MULTILINE)
    described = run("-c", command.format(", 'hlu'"))
    assert described.startswith("hlu(rel=1, half_life=5)[@k]\n")
    assert "the rank that half of the readers reach" in described
    assert "\nHalf life utility.\n" in described
    assert "Also called: half_life_utility." in described
    assert "Answers: How high do all the relevant documents stand?" in described


def test_the_generator_makes_a_page_for_the_measure_of_the_page_and_says_what_to_write(run):
    code = """
import sys
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
    printed = run("-m", "pytest", "-p", "few_measures", "-p", "no:cacheprovider", "-p", "no:randomly", *CONTRACT)
    assert re.search(r"= \d+ passed in", printed)
    code = "import few_measures; from tests.test_contract import MEASURES; print(*MEASURES, sep='\\n')"
    assert "hlu(half_life=10)@4" in run("-c", code).splitlines()


def test_a_false_claim_about_grades_is_found_with_the_grades_that_show_it(run):
    # The documents d1 to d4 are ranked, m1 is not. A relevant m1 lowers the share that d1 is, so hlu does not only rise.
    code = """
from sys import modules
import rankgold.measures.rankings.hlu
hlu = modules["rankgold.measures.rankings.hlu"]
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
import rankgold.engines.sql
from rankgold.engines.sql.functions import BY_NAME, NOT_IN_SQL
assert BY_NAME["half_life_utility"].name == "hlu" and not BY_NAME["hlu"].in_duckdb
assert "hlu" not in NOT_IN_SQL and "q" in NOT_IN_SQL and "q" not in BY_NAME
"""
    run("-c", code)


def test_the_example_of_the_measure_of_the_page_is_right(run):
    code = """
import doctest, rankgold
from sys import modules
import rankgold.measures.rankings.hlu
hlu = modules["rankgold.measures.rankings.hlu"]
result = doctest.testmod(hlu, extraglobs={"one_query": lambda labels: rankgold.from_labels([labels])})
assert (result.failed, result.attempted) == (0, 1)
"""
    run("-c", code)


def test_every_result_has_the_output_of_the_page_and_nothing_else_was_told_of_it(run, tmp_path):
    # Of q, the relevant document is at rank 2: rr is 1/2. The second run does not rank it.
    code = f"""
import rankgold
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
import os, rankgold.data.files
from rankgold.cli.app import run
os.chdir(rankgold.data.files.sample("qrels.txt").parent)
run({arguments!r})
"""
    assert run("-c", code).startswith(first)
    shown = run(
        "-c",
        "from rankgold.cli.app import run\ntry: run(['evaluate', '--help'])\nexcept SystemExit: pass",
    )
    assert "--format table|json|csv|markdown|latex|html|tsv|trec_eval" in shown


def test_digits_and_sparklines_do_not_go_with_the_output_of_the_page(run):
    code = """
import os, rankgold, rankgold.data.files
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


def test_a_file_of_the_format_of_the_page_is_read_and_messages_list_it(run, tmp_path):
    # The relevant document is second: rr is 1/2.
    code = f"""
import polars, rankgold
from rankgold.data.formats.registry import READABLE
run = polars.DataFrame({{"query": ["q", "q"], "document": ["x", "d"], "score": [2.0, 1.0]}})
for name in ("run.avro", "run"):
    run.write_avro({str(tmp_path)!r} + "/" + name)
    for engine in ("local", "duckdb"):
        assert rankgold.evaluate({{"q": {{"d": 1}}}}, {str(tmp_path)!r} + "/" + name, "rr", engine=engine)["rr"] == 0.5
run.drop("score").write_avro({str(tmp_path)!r} + "/no_score.avro")
try:
    rankgold.read_run({str(tmp_path)!r} + "/no_score.avro")
except rankgold.DataError as error:
    print(error, READABLE)
"""
    printed = run("-c", code)
    assert "no_score.avro: " in printed
    assert ", Arrow and Avro, text also" in printed


@pytest.mark.plots
def test_the_plot_of_the_page_is_drawn_by_name_and_listed(run):
    code = """
import rankgold
from rankgold.cli.app import run
hits = rankgold.match({"q": {"d": 1}, "p": {"d": 1}}, {"q": {"d": 2, "x": 1}, "p": {"d": 1}})
chart = rankgold.plots.list_lengths(hits, theme="dark")
assert {row["query"]: row["documents"] for row in chart.data.values} == {"q": 2, "p": 1}
assert hits.plot("list-lengths").to_dict()["title"] == "Documents returned"
assert "list_lengths" in rankgold.plots.__all__
run(["plot", "--list"])
"""
    assert re.search(r"list-lengths .*The number of documents that a run returned", run("-c", code))


def test_the_fusion_method_of_the_page_fuses_under_all_its_names(run):
    # d2 is second and first, d1 first, d4 second: 1, 1 and 1/2. Tied documents are sorted by id, descending.
    code = """
import rankgold
runs = [{"q": {"d1": 9.1, "d2": 7.4}}, {"q": {"d2": 0.8, "d4": 0.7}}]
for name in ("bestrank", "best_rank", "Best-Rank"):
    print(rankgold.fuse(runs, method=name).rows())
"""
    assert run("-c", code).splitlines() == ["[('q', 'd2', 1.0), ('q', 'd1', 1.0), ('q', 'd4', 0.5)]"] * 3


def test_the_test_of_the_page_is_taken_by_compare_and_by_the_command_line(run):
    # The differences of rr are 1/2, 1/2, 1/2 and -1/2: mean 1/4, deviation 1/2, z = 1/4 / (1/2 / 2) = 1, p = 0.3173.
    code = """
import os, rankgold, rankgold.data.files
from rankgold.cli.app import run
first, second = {"d": 2, "x": 1}, {"d": 1, "x": 2}
runs = {"a": dict(zip("pqrs", [second] * 3 + [first])), "b": dict(zip("pqrs", [first] * 3 + [second]))}
compared = rankgold.compare({query: {"d": 1} for query in "pqrs"}, runs, "rr", test="z")
assert round(compared.frame["p"][0], 4) == 0.3173, compared.frame
assert "paired z-test" in str(compared)
os.chdir(rankgold.data.files.sample("qrels.txt").parent)
run(["compare", "qrels.txt", "bm25.trec", "titles.trec", "-m", "rr", "--test", "z"])
"""
    assert "paired z-test" in run("-c", code)


def test_the_doctor_finds_the_fault_of_the_page_and_no_other_file_has_it(run):
    code = """
import rankgold
qrels = {"q": {"1": 1, "d": 1}, "p": {"2": 1}}
planted, sound = {"q": {"1": 3, "2": 2, "3": 1}, "p": {"1": 3, "2": 2}}, {"q": {"1": 3, "d": 2}, "p": {"1": 2, "2": 1}}
found, other = (rankgold.doctor(qrels, run) for run in (planted, sound))
assert "ranks_as_ids" not in [finding.check for finding in other.findings]
assert "ranks_as_ids" not in [finding.check for finding in rankgold.doctor(qrels, planted, ignore="ranks_as_ids").findings]
print(found)
"""
    printed = run("-c", code)
    assert "ranks_as_ids" in printed
    assert "Write the id of each document" in printed
    assert "the ids are not known" in printed


def test_the_dialect_of_the_page_is_a_policy_and_is_tried_by_reconcile(run):
    # Grades 1 and 2 at ranks 1 and 2, gain 2^g - 1: (1 + 3/log2(3)) / (3 + 1/log2(3)) = 0.7967.
    code = """
import rankgold
qrels, run = {"q": {"a": 1, "b": 2}, "none": {"a": 0}}, {"q": {"a": 2, "b": 1}, "none": {"a": 1}}
for text in ("ndcg", "Quality"):
    assert round(rankgold.evaluate(qrels, run, text, policy="acme")[text], 4) == 0.7967
assert rankgold.Policy(dialect="acme").dialect == "acme"
for wrong in ("akme", "dialect=akme"):
    try:
        rankgold.evaluate(qrels, run, policy=wrong)
    except rankgold.PolicyError as error:
        print(error)
print(rankgold.reconcile(qrels, run, "ndcg", 0.7967))
"""
    unknown, refused, *found = run("-c", code).splitlines()
    assert "Did you mean 'acme'?" in unknown
    assert "ml_metrics, acme, not 'akme'" in refused
    assert "acme" in "".join(found)


@cache
def names_in_code():
    """Every name that our code defines, or has as text or as the name of a file."""
    names = set()
    files = [ROOT / "conftest.py"]
    files += [file for folder in ("src", "tests", "scripts", "benchmarks") for file in (ROOT / folder).rglob("*.py")]
    for file in files:
        names |= {file.stem, file.parent.name}
        names.update(_defined(file.read_text(encoding="utf-8")))
    for script in (file for file in (ROOT / "scripts").iterdir() if file.suffix in ("", ".sh") and file.is_file()):
        names.update(re.findall(r"[A-Z_]{3,}", script.read_text(encoding="utf-8")))
    for code in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        names.update(_defined(code))
    return names


def _defined(code):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


ENDINGS = (".py", ".pyi", ".md", ".toml", ".yml")
HOMES = ("", "src/rankgold", "tests", "scripts", "benchmarks", "src/rankgold/audit", "src/rankgold/measures/rankings")
NOT_OURS = ("pytest.", "doi:", ".venv/")


@for_each("page", ["docs/how-to-add.md", "docs/architecture.md", "CONTRIBUTING.md"])
def test_every_path_and_name_on_the_page_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    made = {"docs/reference/measures/hlu.md", "docs/coming-from/acme.md"}
    made |= {path for _, _, path, _ in re.findall(STEP, text, re.MULTILINE | re.DOTALL)}
    without_code = re.sub(r"^```.*?^```|``.*?``", "", text, flags=re.MULTILINE | re.DOTALL)
    quoted = [words for words in re.findall(r"`([^`\n]+)`", without_code) if not words.startswith(NOT_OURS)]
    assert [words for words in quoted if not _paths_exist(words, made)] == []
    assert [words for words in quoted if not _is_defined(words)] == []
    for name, path in re.findall(r"`@?(\w+)` in\s+`([\w/.]+)`", without_code):
        file = next(ROOT / home / path for home in HOMES if (ROOT / home / path).exists())
        assert re.search(rf"^((def|class) )?{name}\b", file.read_text(encoding="utf-8"), re.MULTILINE), (name, path)


def _paths_exist(quoted, made):
    paths = re.findall(r"[\w./-]*\w/[\w./-]*|[\w.]+\.(?:py|pyi|md|toml|yml)\b", quoted)
    # NAME is to be replaced, and `tests/test_*.py` are several.
    fixed = [path for path in paths if path not in made and "NAME" not in path and not path.endswith("_")]
    return all(any((ROOT / home / path).exists() for home in HOMES) for path in fixed)


def _is_defined(quoted):
    """False for a lone name that is not one of our code."""
    found = re.fullmatch(r"@?([A-Za-z_][\w.]*)(\(.*\)|=.*)?", quoted)
    if found is None or found[1].endswith(ENDINGS):
        return True
    return all(name in names_in_code() for name in found[1].split("."))
