"""The HTML pages of plots: what screen readers, narrow screens and dark pages need, and legends that can be clicked."""

import html.parser
import json
import re

import pytest

import rankgold
from rankgold.data.files import sample
from rankgold.present.plots import PLOTS
from rankgold.present.plots.chart_files import render_chart
from rankgold.present.plots.chart_labels import add_highlights
from rankgold.present.plots.theme import DARK, LIGHT

pytestmark = pytest.mark.plots

HITS = {name: rankgold.match(sample("qrels.txt"), sample(f"{name}.trec")) for name in ("bm25", "expanded")}
EVIL = '</title></script><script>alert(1)</script>" onload="alert(1)'


class Page(html.parser.HTMLParser):
    """The tags of a page with their attributes, and the text of those that hold one."""

    def __init__(self, text):
        super().__init__()
        self.attributes, self.texts = {}, {}
        self.tags, self.opened = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.setdefault(tag, []).append(dict(attrs))
        if tag not in ("meta", "link"):
            self.opened.append(tag)

    def handle_endtag(self, tag):
        self.opened.pop()

    def handle_data(self, data):
        if self.opened:
            self.texts[self.opened[-1]] = self.texts.get(self.opened[-1], "") + data

    def meta(self, name):
        (content,) = [tag["content"] for tag in self.attributes["meta"] if tag.get("name") == name]
        return content


def page_of(chart):
    return Page(render_chart(chart, "html").decode("utf-8"))


def chart_in(page):
    """The chart that the script of a page draws."""
    found = re.search(r'vegaEmbed\("#chart", ', page.texts["script"])
    content, _ = json.JSONDecoder().raw_decode(page.texts["script"], found.end())
    return content


@pytest.fixture(scope="module")
def page():
    return page_of(rankgold.plots.curves(HITS, "ndcg@10"))


def test_a_page_says_its_language_its_title_and_what_it_shows(page):
    assert page.attributes["html"] == [{"lang": "en"}]
    assert page.texts["title"] == "NDCG at k"
    described = page.meta("description")
    assert described.startswith("NDCG at k. mean of 30 queries. A measure at every cutoff, a line for each run.")
    assert "Where two lines cross" in described


def test_screen_readers_get_the_description_as_the_name_of_the_drawing(page):
    assert chart_in(page)["description"] == page.meta("description")
    (figure,) = page.attributes["figure"]
    assert figure == {"aria-label": "NDCG at k", "aria-describedby": "about"}
    assert page.attributes["figcaption"] == [{"id": "about"}]
    assert "A measure at every cutoff" in page.texts["p"]


def test_a_page_fits_narrow_screens_or_scrolls_within(page):
    assert page.meta("viewport") == "width=device-width, initial-scale=1"
    style = page.texts["style"]
    assert "#chart { display: block; overflow-x: auto;" in style
    assert "height: auto" in style
    # The drawing is scalable, and the place that scrolls can be reached by keyboard.
    assert '"renderer": "svg"' in page.texts["script"]
    assert "svg.style.maxWidth" in page.texts["script"]
    assert page.attributes["div"] == [{"id": "chart", "tabindex": "0"}]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_theme_fills_the_page(theme):
    page = page_of(rankgold.plots.discount(theme=theme.name))
    assert f"html {{ background: {theme.background};" in page.texts["style"]
    assert page.meta("color-scheme") == theme.name
    assert f'"tooltip": {{"theme": "{theme.name}"}}' in page.texts["script"]


def test_every_plot_is_described():
    for name, plot in PLOTS.items():
        data = [] if plot.max_runs == 0 else [dict(list(HITS.items())[: plot.max_runs])]
        chart = plot.function(*data, **({"query": "q20"} if plot.is_of_one_query else {}))
        assert chart.to_dict()["description"] == f"{plot.summary} {plot.how_to_read}", name


def test_names_cannot_leave_the_text_that_they_stand_in():
    hits = {EVIL: rankgold.from_labels([[1, 0]], queries=[EVIL])}
    evil, plain = (page_of(rankgold.plots.per_query(runs, "rr")) for runs in (hits, {"run": [[1, 0]]}))
    assert evil.tags == plain.tags
    assert {tag: len(found) for tag, found in evil.attributes.items()} == {
        tag: len(found) for tag, found in plain.attributes.items()
    }
    assert "onload" not in str([list(tag) for found in evil.attributes.values() for tag in found])


def test_a_chart_saved_in_python_is_the_same_page(tmp_path):
    chart = rankgold.plots.curves(HITS, "p", theme="dark")
    chart.save(tmp_path / "chart.html")
    assert (tmp_path / "chart.html").read_bytes() == render_chart(chart, "html")
    chart.save(str(tmp_path / "chart.svg"))
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")
    # Altair's own page stays within reach.
    chart.save(tmp_path / "altair.html", inline=False)
    assert "cdn.jsdelivr.net" in (tmp_path / "altair.html").read_text()


# --- legends


def highlighted(chart):
    content = chart.to_dict()
    return content, add_highlights(content)


def test_a_click_on_a_name_makes_the_other_lines_faint(page):
    chart = chart_in(page)
    lines, points = chart["layer"]
    assert lines["params"] == [
        {"name": "highlighted_run", "select": {"type": "point", "fields": ["run"]}, "bind": "legend"}
    ]
    chosen = {"test": {"and": [{"param": "highlighted_run"}]}, "value": 1}
    for layer in (lines, points):
        assert layer["encoding"]["opacity"]["condition"] == chosen
        assert layer["encoding"]["opacity"]["value"] < 0.2
    assert "Click a name in the legend" in page.texts["p"]


def test_a_chart_without_a_legend_has_no_hint():
    page = page_of(rankgold.plots.per_query(HITS["bm25"], "ap"))
    assert "Click a name" not in page.texts["p"]
    assert "params" not in json.dumps(chart_in(page))


def test_two_legends_are_chosen_from_together():
    content, _ = highlighted(rankgold.plots.judged(HITS))
    tests = [layer["encoding"]["opacity"]["condition"]["test"] for layer in content["layer"]]
    assert all(
        {tuple(part.values()) for part in test["and"]} == {("highlighted_run",), ("highlighted_kind",)}
        for test in tests
    )


def test_cells_of_a_strip_are_highlighted_by_grade_and_the_curve_stays():
    content, has_legend = highlighted(rankgold.plots.curve(HITS["bm25"], "p", query="q20"))
    line, strip = content["vconcat"]
    assert has_legend
    assert not [layer for layer in line["layer"] if "opacity" in layer["encoding"]]
    assert [layer for layer in strip["layer"] if "opacity" in layer["encoding"]]


def test_an_opacity_of_its_own_is_kept():
    # Points are drawn at 85 percent; they still are, where nothing is chosen.
    content, _ = highlighted(rankgold.plots.correlation({"a": [3, 1, 2], "b": [1, 2, 3]}))
    opacities = [
        part["encoding"]["opacity"] for part in content["hconcat"][1]["layer"] if "opacity" in part["encoding"]
    ]
    assert 0.85 in [opacity["condition"]["value"] for opacity in opacities]
    # Both charts are what they were: the static picture is not changed by a legend.
    assert "params" not in json.dumps(rankgold.plots.correlation({"a": [3, 1, 2]}).to_dict())
