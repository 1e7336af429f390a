"""Every measure has a page in the documentation, with all that a reader looks for."""

import re
from pathlib import Path

import pytest

import rankgold
from rankgold.measures.description import QUESTIONS
from rankgold.measures.registry import FAMILIES
from tests.cases import for_each

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
METRICS = [metric for family in FAMILIES.values() for metric in family.all()]
SECTIONS = [
    "When to use it, and when not", "Worked by hand", "Parameters", "Facts", "Pitfalls", "In other tools",
    "Related measures", "Reference",
]  # fmt: skip
WRITE = (
    "Run python scripts/generate_docs.py, which makes the page, and replace every TODO: docs/how-to-add.md says how."
)


def page_of(metric):
    path = REFERENCE / metric.family / f"{metric.name}.md"
    assert path.exists(), f"The measure {metric.name} has no page. {WRITE}"
    return path.read_text(encoding="utf-8")


def section(text, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


@for_each("metric", METRICS, ids=lambda metric: f"{metric.family}-{metric.name}")
def test_the_page_of_a_measure_is_whole(metric):
    text = page_of(metric)
    assert "TODO" not in text, f"The page of {metric.name} is not finished. {WRITE}"
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == SECTIONS
    assert re.findall(r"^# (.*)$", text, re.MULTILINE) == [metric.title]
    assert metric.summary in text.replace("\n", " ")


@for_each("metric", METRICS, ids=lambda metric: f"{metric.family}-{metric.name}")
def test_the_page_of_a_measure_has_a_formula(metric):
    text = page_of(metric)
    formulas = re.findall(r"^```math\n(.+?)\n```$", text, re.MULTILINE | re.DOTALL)
    assert formulas
    assert all(formula.count("{") == formula.count("}") for formula in formulas)
    assert text.count("$`") == text.count("`$")


@for_each("metric", rankgold.measures.all(), ids=lambda metric: metric.name)
def test_the_page_of_a_measure_of_judged_rankings_has_a_picture_of_its_own(metric):
    text = page_of(metric)
    ((about, picture),) = re.findall(r"!\[(.+?)\]\((.+?)\)", text)
    assert len(about) > 20, "The text of the picture says what it shows."
    assert picture == f"../../images/plots/measure-{metric.name}.svg"
    assert (REFERENCE / "measures" / picture).exists()
    assert len(re.findall(r"^>>> chart = rankgold\.plots\.", text, re.MULTILINE)) == 1


@for_each("metric", METRICS, ids=lambda metric: f"{metric.family}-{metric.name}")
def test_the_page_of_a_measure_warns_compares_and_leads_on(metric):
    text = page_of(metric)
    pitfalls = re.findall(r"^- \*\*.+?\.\*\*", section(text, "Pitfalls"), re.MULTILINE | re.DOTALL)
    assert 2 <= len(pitfalls) <= 5, "Pitfalls are 2 to 5 list items, each with a bold first sentence."
    assert "conventions.md" in section(text, "In other tools"), "There is a link to differences between tools."
    related = re.findall(r"\[[\w]+\]\((\w+)\.md\)", section(text, "Related measures"))
    assert related, "Related measures has a link to another measure."
    assert set(related) <= set(FAMILIES[metric.family]) - {metric.name}


@for_each("metric", METRICS, ids=lambda metric: f"{metric.family}-{metric.name}")
def test_what_is_the_same_here_is_this_measure(metric):
    rows = re.findall(r"^\|.*\| (.*?) \|$", section(page_of(metric), "In other tools"), re.MULTILINE)
    for text in re.findall(r"`([^`]+)`", " ".join(rows)):
        if "=..." not in text and not text.startswith("ties="):
            assert rankgold.parse_measure(text.replace("@k", "@10"), FAMILIES[metric.family]).metric is metric, text


@for_each("metric", METRICS, ids=lambda metric: f"{metric.family}-{metric.name}")
def test_a_measure_has_a_full_name_and_answers_a_question(metric):
    assert re.fullmatch(r"[A-Z][A-Za-z' -]+", metric.title)
    assert metric.question in QUESTIONS, f"@measure({metric.name!r}, question=...) names one of {', '.join(QUESTIONS)}."


@pytest.mark.parametrize("family", FAMILIES.values(), ids=str)
def test_no_page_is_left_of_a_measure_that_is_gone(family):
    assert {path.stem for path in (REFERENCE / family.name).glob("*.md")} == {metric.name for metric in family.all()}


@pytest.mark.parametrize("family", FAMILIES.values(), ids=str)
def test_the_page_of_a_family_lists_all_its_measures(family):
    text = (REFERENCE / f"{family.name}.md").read_text(encoding="utf-8")
    for metric in family.all():
        assert f"| [{metric.title}]({family.name}/{metric.name}.md) | `{metric.name}` | {metric.summary} |" in text


def test_the_readme_says_how_many_measures_there_are():
    readme = " ".join((REFERENCE.parent.parent / "README.md").read_text(encoding="utf-8").split())
    counts = {name: len(family) for name, family in FAMILIES.items()}
    assert f"every ranking measure in use, {sum(counts.values())} of them" in readme
    assert f"{counts['measures']} of rankings against judgements" in readme
    assert f"by {counts['similarities']} measures" in readme
    assert f"with {counts['exposures']} measures" in readme
