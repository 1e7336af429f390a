"""The package as a whole: one version, and layers that are the tree."""

import ast
import importlib.metadata
import re
import tomllib
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import rankgold
from tests.shell import printed

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_is_the_same_wherever_it_is_asked_for():
    assert re.fullmatch(r"\d+\.\d+\.\d+", rankgold.__version__)
    assert importlib.metadata.version("rankgold") == rankgold.__version__
    assert printed("--version") == f"rankgold {rankgold.__version__}\n"


def test_the_version_is_written_in_one_place():
    assert PROJECT["project"]["dynamic"] == ["version"]
    files = [*ROOT.glob("*.toml"), *(ROOT / "src").rglob("*.py"), *(ROOT / "scripts").iterdir()]
    written = [file.name for file in files if file.is_file() and rankgold.__version__ in file.read_text("utf-8")]
    assert written == ["__init__.py"]


def test_the_layers_of_import_linter_are_the_tree():
    (layers,) = [c for c in PROJECT["tool"]["importlinter"]["contracts"] if c["type"] == "layers"]
    named = [module for layer in layers["layers"] for module in re.split(r" *[:|] *", layer)]
    package = ROOT / "src" / "rankgold"
    folders = [path.parent.name for path in package.glob("*/__init__.py")]
    files = [path.stem for path in package.glob("*.py") if path.stem != "__init__"]
    assert sorted(named) == sorted(folders + files)
    assert layers["exhaustive"] is True


# What users type: a measure, a dialect, a command or a plot has the name that they know, and a file called like it.
TYPED_BY_USERS = {"measures", "similarities", "exposures", "dialects", "cli", "plots", "checks"}
INTERFACES_OF_OTHER_TOOLS = "compat"


def _modules() -> list[Path]:
    package = ROOT / "src" / "rankgold"
    paths = [path.relative_to(package) for path in package.rglob("*.py") if path.name != "__init__.py"]
    return [path for path in paths if not TYPED_BY_USERS & {*path.parts}]


def test_no_two_modules_have_names_that_differ_by_an_ending():
    def stem(name: str) -> str:
        return re.sub(r"(ings?|eds?|es|s|e)$", "", name)

    names = sorted({path.stem for path in _modules()})
    assert stem("tables") == stem("table")
    assert [pair for pair in combinations(names, 2) if stem(pair[0]) == stem(pair[1])] == []


def test_no_two_public_classes_or_functions_share_a_name():
    places = defaultdict(list)
    for path in _modules():
        if INTERFACES_OF_OTHER_TOOLS in path.parts:
            continue
        tree = ast.parse((ROOT / "src" / "rankgold" / path).read_text(encoding="utf-8"))
        for name in {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}:
            if not name.startswith("_"):
                places[name].append(str(path))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


# They collect what is added one by one.
COLLECTORS = {
    "_Shares", "Aggregator", "MeanAgg", "RowFaults", "ListReader", "BlockSet", "WorkingRows", "MeasureWorking",
    "Extremes",
}  # fmt: skip


def test_no_dataclass_can_be_changed_but_those_that_collect():
    changeable = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for decorator in node.decorator_list if isinstance(node, ast.ClassDef) else ():
                text = ast.unparse(decorator)
                if text.startswith("dataclass") and "frozen=True" not in text:
                    changeable.add(node.name)
    assert changeable == COLLECTORS


def test_few_parameters_and_results_may_be_anything():
    anything = 0
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            hint = node.annotation if isinstance(node, ast.arg) else getattr(node, "returns", None)
            anything += hint is not None and ast.unparse(hint).strip("'") == "Any"
    assert 0 < anything <= 150


def test_the_package_declares_that_it_has_types():
    assert (ROOT / "src" / "rankgold" / "py.typed").exists()
    assert "Typing :: Typed" in PROJECT["project"]["classifiers"]


def test_every_test_begins_with_what_it_is_about_and_those_of_contributing_exist():
    files = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py")}
    assert [name for name, text in files.items() if not re.match(r'"""\S[^\n]{20,}\.("""|\n)', text)] == []
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:tests/)?(test_\w+\.py)`", page))
    assert len(named) > 30
    assert named <= set(files)


def test_no_page_installs_the_package_from_pypi_where_it_is_not_yet():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    hint = re.compile(r"(pip|uv|pipx|uvx)\b[^\n`]*(install|add|run|uvx) +['\"]?rankgold\b")
    assert [page.name for page in pages if hint.search(page.read_text(encoding="utf-8"))] == []
