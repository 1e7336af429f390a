"""What notebooks show: styled, as text only, the same numbers as everywhere else."""

import html.parser
import re

import rankgold
from rankgold.data.files import sample
from tests.cases import for_each

HITS = rankgold.match(sample("qrels.txt"), sample("bm25.trec"))
SCORES = rankgold.evaluate(sample("qrels.txt"), [sample("bm25.trec"), sample("expanded.trec")], ["ndcg@10", "ap"])
SHOWN = {
    "Scores": SCORES,
    "Comparison": SCORES.compare(test=rankgold.Randomization(draws=50)),
    "Explanation": rankgold.explain(HITS, measure="ap", query="q18"),
    "Hits": HITS,
    "Measure": rankgold.parse_measure("ndcg(gain=exp)@10"),
    "Diagnosis": rankgold.doctor(sample("qrels.txt"), sample("bm25.trec")),
    "Diff": rankgold.diff(sample("qrels.txt"), sample("bm25.trec"), sample("expanded.trec"), "ap"),
}


class Text(html.parser.HTMLParser):
    """The text of a fragment, and the elements that were opened and not closed."""

    def __init__(self, fragment):
        super().__init__()
        self.texts, self.opened = [], []
        self.feed(fragment)
        self.text = " ".join(self.texts)

    def handle_starttag(self, tag, attrs):
        self.opened.append(tag)

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag

    def handle_data(self, data):
        if self.opened[-1:] != ["style"] and data.strip():
            self.texts.append(data.strip())


@for_each("name", SHOWN)
def test_every_result_has_a_styled_fragment(name):
    fragment = SHOWN[name]._repr_html_()
    assert fragment.startswith('<div class="rankgold">\n<style>')
    assert "<html" not in fragment
    assert Text(fragment).opened == []


def test_fragments_take_their_colours_from_the_notebook():
    """Jupyter, marimo and VS Code each tell a dark theme in their own way: no colour may be fixed."""
    style = SHOWN["Scores"]._repr_html_().partition("<style>")[2].partition("</style>")[0]
    rules = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgb\(|prefers-color-scheme", rules) == []
    assert "currentColor" in rules


def test_hits_show_how_many_documents_are_judged_and_relevant():
    text = Text(HITS._repr_html_()).text
    assert "Hits of bm25: 30 queries, 306 documents returned, 174 of them judged" in text
    # q18: 13 documents, 7 of them judged, 2 of the 3 relevant ones among them.
    listed = Text(rankgold.match(sample("qrels.txt"), sample("bm25.trec"), topics="q18")._repr_html_()).texts
    assert listed[listed.index("q18") : listed.index("q18") + 5] == ["q18", "13", "7", "2", "3"]
    assert "20 more queries" in text


def test_a_measure_shows_its_formula_and_the_values_of_its_parameters():
    text = Text(SHOWN["Measure"]._repr_html_()).text
    assert "ndcg(gain=exp)@10: Normalised discounted cumulative gain" in text
    assert "gain exp" in text
    assert "discount log2" in text
    assert "range 0 to 1, higher is better." in text


def test_results_are_written_as_pages():
    for name in ("Scores", "Comparison", "Explanation"):
        page = SHOWN[name].to_html()
        assert page.startswith("<!DOCTYPE html>")
        assert Text(re.sub(r"<!DOCTYPE html>|<meta[^>]*>", "", page)).opened == []
    assert "0.5988" in SHOWN["Scores"].to_html()
