"""Every example in the documentation is run: Python sessions, and commands with what they print."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rankgold.data.files import sample
from tests.shell import completed
from tests.spark import own_processes, sessions

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
# Shown for reading: set-up that the scripts themselves are tested with, and text that is no example of ours.
NOT_RUN = {"", "text", "math", "sh", "toml", "yaml", "latex", "html", "markdown", "json", "sql"}


def blocks(page: Path, language: str) -> str:
    found = [match[3] for match in FENCE.finditer(page.read_text(encoding="utf-8")) if match[2] == language]
    return "\n".join(re.sub(r"^ {4}(?=\S)", "", block) for block in found)


@pytest.fixture
def samples_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the sample files, as the examples assume it."""
    searches = ("qrels.txt", "titles.trec", "bm25.trec", "expanded.trec", "queries.tsv", "attributes.csv")
    for name in (*searches, "dishes.csv", "orders.csv", "bestsellers.csv", "neighbours.csv"):
        (tmp_path / name).write_bytes(sample(name).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_block_is_of_a_known_language() -> None:
    languages = {(page.name, match[2]) for page in PAGES for match in FENCE.finditer(page.read_text(encoding="utf-8"))}
    # The code of how-to-add.md has a test of its own.
    assert {language for _, language in languages - {("how-to-add.md", "python")}} <= NOT_RUN | {"pycon", "console"}


def pages(language: str, *marks_of_spark: pytest.MarkDecorator) -> list[object]:
    """The pages with examples in a language."""
    # The page on training loops needs large libraries: tests/peers/test_training_page.py runs it.
    found = [page for page in PAGES if blocks(page, language) and page.name != "training-loop.md"]
    return [pytest.param(page, marks=_marks(page, *marks_of_spark), id=str(page.relative_to(ROOT))) for page in found]


def _marks(page: Path, *marks_of_spark: pytest.MarkDecorator) -> tuple[pytest.MarkDecorator, ...]:
    if page.name == "spark.md":
        return (pytest.mark.spark, *marks_of_spark)
    return (pytest.mark.plots,) if "rankgold.plots." in blocks(page, "pycon") else ()


@pytest.mark.parametrize("page", pages("pycon"))
def test_python_sessions_print_what_they_show(page: Path, samples_here: Path) -> None:
    if page.name == "spark.md":
        sessions()  # the one that the page's own getOrCreate then gets
    session = doctest.DocTestParser().get_doctest(blocks(page, "pycon"), {}, page.name, str(page), 0)
    out: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(session, out=out.append)
    assert not out, "".join(out)


@pytest.mark.parametrize("page", pages("console", own_processes))
def test_commands_print_what_they_show(page: Path, samples_here: Path) -> None:
    for command, expected in commands(blocks(page, "console")):
        # Spark has a process of its own, and the demo shows how it was called.
        is_alone = is_rankgold_alone(command) and "spark" not in command and command != "rankgold demo"
        done = completed(*shlex.split(command)[1:], env={"COLUMNS": "80"}) if is_alone else in_shell(command)
        assert lines(done.stdout + done.stderr) == lines(expected), command


def is_rankgold_alone(command: str) -> bool:
    """Whether a line calls rankgold, without pipes, redirections and other commands."""
    unquoted = re.sub(r"""'[^']*'|"[^"]*\"""", "", command)
    return command.startswith("rankgold ") and not re.search(r"[|&;<>()$*?]", unquoted)


def in_shell(command: str) -> subprocess.CompletedProcess[str]:
    kept = ("JAVA_HOME", "SPARK_SUBMIT_OPTS", "PYTHONPYCACHEPREFIX")
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        env={
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "COLUMNS": "80",
            "LC_ALL": "C.UTF-8",
            **{name: os.environ[name] for name in kept if name in os.environ},
        },
        check=False,
    )


def test_the_home_page_links_every_page_but_those_of_single_measures() -> None:
    home = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    linked = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+\.md[^)]*)\)", home)}
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    others = {page for page in pages if not re.match("reference/.*/", page)} - {"index.md"}
    assert others <= linked


def luminance(colour: str) -> float:
    """The relative luminance of a colour such as #8a4b00, as the guidelines for accessibility define it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("scheme", "background"), [("default", "#ffffff"), ("slate", "#1e2129")])
def test_links_can_be_read_on_the_background_of_the_site(scheme: str, background: str) -> None:
    style = (ROOT / "docs" / "stylesheets" / "extra.css").read_text(encoding="utf-8")
    link = re.search(rf'"{scheme}"\] {{ --md-typeset-a-color: (#\w{{6}});', style)
    assert link
    dark, light = sorted(map(luminance, (link[1], background)))
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def commands(text: str) -> list[tuple[str, str]]:
    """The commands after `$ `, each with what is shown below it."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]
