"""The pages for users of other tools: every measure in the column "here" exists, and every tool has its page."""

import re
from pathlib import Path

from rankgold.core.dialects import all_tables
from rankgold.measures.notation import is_measure
from rankgold.measures.registry import FAMILIES
from tests.cases import for_each

PAGES = sorted((Path(__file__).parent.parent / "docs" / "coming-from").glob("*.md"))
MEASURE = re.compile(r"[A-Za-z]\w*(\([^()]*(\([^()]*\))?[^()]*\))?(@\d+)?")
NO_MEASURES = {"judged", "y_true"}  # a plot, an argument


def measures_here(page):
    """The measures that the last column of a table names."""
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            *_, there, here = line.strip("|").split("|")
            yield from re.findall(r"`([^`]+)`", there if here.strip() == "the same" else here)


@for_each("page", PAGES, ids=lambda page: page.stem)
def test_the_measures_of_the_table_exist(page):
    texts = {text for text in measures_here(page) if MEASURE.fullmatch(text)} - NO_MEASURES
    assert texts
    for text in texts:
        assert any(is_measure(text, family) for family in FAMILIES.values() if family.all()), text


@for_each("page", PAGES, ids=lambda page: page.stem)
def test_the_page_has_an_example_a_table_and_the_differences(page):
    text = page.read_text(encoding="utf-8")
    assert re.search(r"^```(pycon|console)$", text, re.MULTILINE)
    assert "| there | here" in text
    assert "## What differs" in text
    assert len(text.splitlines()) < 110


def test_the_tools_that_people_come_from_have_pages():
    assert {page.stem for page in PAGES} == {table.page for table in all_tables()}
