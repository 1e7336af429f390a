"""Every measure has a page in the documentation, with all that a reader looks for."""

import re
from pathlib import Path

import pytest

import rankgold
from rankgold.declaration.questions import QUESTIONS

PAGES = Path(__file__).parent.parent / "docs" / "reference" / "measures"
SECTIONS = [
    "When to use it, and when not", "Worked by hand", "Parameters", "Facts", "Pitfalls", "In other tools",
    "Related measures", "Reference",
]  # fmt: skip
WRITE = (
    "Run python scripts/generate_docs.py, which makes the page, and replace every TODO: docs/how-to-add.md says how."
)


def page_of(metric):
    path = PAGES / f"{metric.name}.md"
    assert path.exists(), f"The measure {metric.name} has no page. {WRITE}"
    return path.read_text(encoding="utf-8")


def section(text, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


@pytest.mark.parametrize("metric", rankgold.measures.all(), ids=lambda metric: metric.name)
def test_the_page_of_a_measure_is_whole(metric):
    text = page_of(metric)
    assert "TODO" not in text, f"The page of {metric.name} is not finished. {WRITE}"
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == SECTIONS
    assert re.findall(r"^# (.*)$", text, re.MULTILINE) == [metric.title]
    assert metric.summary in text.replace("\n", " ")


@pytest.mark.parametrize("metric", rankgold.measures.all(), ids=lambda metric: metric.name)
def test_the_page_of_a_measure_has_a_formula_and_a_picture_of_its_own(metric):
    text = page_of(metric)
    (formula,) = re.findall(r"^```math\n(.+?)\n```$", text, re.MULTILINE | re.DOTALL)
    assert formula.count("{") == formula.count("}")
    assert text.count("$`") == text.count("`$")
    ((about, picture),) = re.findall(r"!\[(.+?)\]\((.+?)\)", text)
    assert len(about) > 20, "The text of the picture says what it shows."
    assert picture == f"../../images/plots/measure-{metric.name}.svg"
    assert (PAGES / picture).exists()
    assert len(re.findall(r"^>>> chart = rankgold\.plots\.", text, re.MULTILINE)) == 1


@pytest.mark.parametrize("metric", rankgold.measures.all(), ids=lambda metric: metric.name)
def test_the_page_of_a_measure_warns_compares_and_leads_on(metric):
    text = page_of(metric)
    pitfalls = re.findall(r"^- \*\*.+?\.\*\*", section(text, "Pitfalls"), re.MULTILINE | re.DOTALL)
    assert 2 <= len(pitfalls) <= 5, "Pitfalls are 2 to 5 list items, each with a bold first sentence."
    assert "conventions.md" in section(text, "In other tools"), "There is a link to differences between tools."
    related = re.findall(r"\[[\w]+\]\((\w+)\.md\)", section(text, "Related measures"))
    assert related, "Related measures has a link to another measure."
    assert set(related) <= {other.name for other in rankgold.measures.all()} - {metric.name}


@pytest.mark.parametrize("metric", rankgold.measures.all(), ids=lambda metric: metric.name)
def test_what_is_the_same_here_is_this_measure(metric):
    rows = re.findall(r"^\|.*\| (.*?) \|$", section(page_of(metric), "In other tools"), re.MULTILINE)
    for text in re.findall(r"`([^`]+)`", " ".join(rows)):
        if "=..." not in text and not text.startswith("ties="):
            assert rankgold.parse(text.replace("@k", "@10")).metric is metric, text


@pytest.mark.parametrize("metric", rankgold.measures.all(), ids=lambda metric: metric.name)
def test_a_measure_has_a_full_name_and_answers_a_question(metric):
    assert re.fullmatch(r"[A-Z][A-Za-z' -]+", metric.title)
    assert metric.question in QUESTIONS, f"@measure({metric.name!r}, question=...) names one of {', '.join(QUESTIONS)}."


def test_no_page_is_left_of_a_measure_that_is_gone():
    assert {path.stem for path in PAGES.glob("*.md")} == {metric.name for metric in rankgold.measures.all()}
