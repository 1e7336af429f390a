"""The package as a whole: one version, and layers that are the tree."""

import importlib.metadata
import re
import tomllib
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


def test_the_package_declares_that_it_has_types():
    assert (ROOT / "src" / "rankgold" / "py.typed").exists()
    assert "Typing :: Typed" in PROJECT["project"]["classifiers"]


def test_the_map_of_contributing_has_every_part_of_the_source_and_every_test():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| ")]
    sources = {name.rstrip("/") for source, _ in rows for name in re.findall(r"`([\w./]+)`", source)}
    tests = {name for _, listed in rows for name in re.findall(r"`(test_\w+\.py)`", listed)}
    package = ROOT / "src" / "rankgold"
    parts = {path.name for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert {name for name in sources if "/" not in name} - {"src"} == parts
    assert all((package / name).exists() for name in sources - {"src/rankgold"})
    assert tests == {path.name for path in (ROOT / "tests").glob("test_*.py")}


def test_no_page_installs_the_package_from_pypi_where_it_is_not_yet():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    hint = re.compile(r"(pip|uv|pipx|uvx)\b[^\n`]*(install|add|run|uvx) +['\"]?rankgold\b")
    assert [page.name for page in pages if hint.search(page.read_text(encoding="utf-8"))] == []
