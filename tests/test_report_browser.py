"""A report in a real browser: what people click and type, every number of an opened query, limits, hostile text."""

import csv
import re

import numpy as np
import pytest

import rankgold
from rankgold.data.files import sample
from tests.report_page import (
    EVIL,
    FILES,
    RUNS,
    started_browser,
    write_hostile_report,
    write_large_report,
    write_sample_report,
)

# One process has the browser and the reports.
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]

MEASURES = ["ndcg@10", "ndcg@5", "ndcg@20", "ap", "rr", "p@5", "p@10", "r@10", "r@100"]


@pytest.fixture(scope="module")
def browser():
    with started_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    write_sample_report(folder / "sample.html")
    return folder


class Visit:
    """A page with the report, and all that went wrong on it."""

    def __init__(self, browser, file, **options):
        self.context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        self.page = self.context.new_page()
        self.file = file
        self.problems = []
        self.page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: self.problems.append(dialog.message))
        self.page.on("request", lambda request: self._note(request.url))

    def _note(self, url):
        if not url.startswith(("file:", "blob:", "data:")):
            self.problems.append(url)

    def open(self, state=""):
        self.page.goto(f"file://{self.file}{state}")
        self.page.wait_for_selector("html[data-ready=all]")
        return self.page

    def open_query(self, query):
        """Opens a query that is in the address, and waits until all of it is there."""
        self.page.evaluate("query => { location.hash = `query=${encodeURIComponent(query)}` }", query)
        self.page.wait_for_function(
            "query => document.querySelector('dialog[open]')?.dataset.shown === query", arg=query
        )


@pytest.fixture
def visit(browser, files):
    visits = []

    def start(name="sample.html", **options):
        visits.append(Visit(browser, files / name, **options))
        return visits[-1]

    yield start
    for one in visits:
        one.context.close()
        assert one.problems == []


@pytest.fixture(scope="module")
def scores():
    return rankgold.evaluate(sample("qrels.txt"), FILES, MEASURES)


def names_in(page, selector):
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def number(text):
    return float("nan") if text == "–" else float(text.replace("−", "-").replace("+", ""))


def test_it_loads_without_errors_and_requests_and_says_who_leads(visit):
    page = visit().open()
    assert page.locator("#summary .lead").inner_text() == "expanded leads with ndcg@10 0.7298 over 30 queries."
    assert names_in(page, "main h2") == [
        "Summary", "Leaderboard", "expanded against bm25", "Queries", "Judging queue", "Policies", "Measures",
    ]  # fmt: skip
    page.locator("#measures").scroll_into_view_if_needed()
    page.wait_for_selector(".vega svg[role=img]")
    assert page.locator(".vega svg[role=img]").count() == 2


def test_a_header_of_the_leaderboard_sorts_it_and_chooses_the_measure(visit, scores):
    page = visit().open()
    for measure in ("rr", "r@100", "ndcg@5"):
        page.locator(".leaderboard thead button", has_text=re.compile(f"^{measure}$")).click()
        assert names_in(page, ".leaderboard tbody .run") == scores.sorted_by(measure).runs
        assert f"measure={measure.replace('@', '%40')}" in page.url
        assert page.locator("#summary .lead").inner_text().startswith(f"expanded leads with {measure} ")
        means = dict(
            zip(names_in(page, ".leaderboard tbody .run"), names_in(page, ".leaderboard tbody td.chosen"), strict=True)
        )
        assert {run: text[:6] for run, text in means.items()} == {
            run: f"{mean:.4f}" for run, mean in scores[measure].items()
        }


def test_many_letters_are_a_range_and_tied_runs_keep_their_order(visit, files):
    """Run i has the relevant document of every query at rank 7 - i: rr is 1 for the last run, and r@10 for all."""
    qrels = {f"q{i}": {"d": 1} for i in range(40)}
    runs = {f"run{i}": {query: {"d": i + 0.5, **{f"x{n}": n for n in range(7)}} for query in qrels} for i in range(7)}
    rankgold.report(
        qrels, runs, files / "ranges.html", measures=["rr", "r@10"], test=rankgold.Randomization(draws=2000)
    )
    page = visit("ranges.html").open()
    assert names_in(page, ".leaderboard tbody td.chosen sup") == ["b–g", "c–g", "d–g", "efg", "fg", "g", ""]
    lines = [line.get_attribute("points").split() for line in page.locator(".bump polyline").all()]
    assert all(first.split(",")[1] == second.split(",")[1] for first, second in lines)
    titles = page.locator(".bump .line").last.locator("title").all_text_contents()
    assert titles == ["run6: rr 1.0000, place 1", "run6: r@10 1.0000, place 1, shared by 7 runs"]
    # The letters end before the next column begins.
    boxes = [
        page.locator(f".leaderboard tbody tr:first-child {cell}").bounding_box()
        for cell in ("td.chosen sup", "td:last-child")
    ]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]


def test_measure_cutoff_slice_and_runs_change_everything_below(visit, scores):
    page = visit().open()
    page.get_by_label("Cutoff").select_option("ndcg@5")
    page.get_by_role("combobox", name="Queries").select_option("kind = odd")
    odd = rankgold.evaluate(
        sample("qrels.txt"), FILES, ["ndcg@5"], topics=",".join(f"q{i:02}" for i in range(1, 31, 2))
    )
    assert (
        page.locator(".leaderboard tbody tr")
        .first.locator("td.chosen")
        .inner_text()
        .startswith(f"{odd['ndcg@5']['expanded']:.4f}")
    )
    assert "15 queries of 30" in page.locator("#queries").inner_text()
    page.get_by_role("combobox", name="against").select_option("titles")
    assert page.locator("#runs h2").inner_text() == "expanded against titles"
    page.get_by_role("combobox", name="Run").select_option("titles")
    assert page.locator("#runs h2").inner_text() == "titles against expanded"
    assert "slice=kind" in page.url


def test_queries_are_searched_filtered_and_sorted(visit, scores):
    page = visit().open()
    gains = scores.values("ndcg@10", run="expanded") - scores.values("ndcg@10", run="bm25")
    order = np.argsort(gains, kind="stable")
    queries = scores.queries("bm25")
    assert names_in(page, ".queries tbody th")[:3] == [queries[i] for i in order[:3]]
    page.get_by_role("button", name="difference").click()
    assert names_in(page, ".queries tbody th")[0] == queries[order[-1]]
    page.get_by_role("button", name="Losses").click()
    assert page.locator(".queries tbody tr[data-place]").count() == int((gains < 0).sum())
    assert names_in(page, ".queries tbody th")[0] == queries[order[0]], "the largest loss is first"
    page.get_by_role("button", name="Gains").click()
    assert names_in(page, ".queries tbody th")[0] == queries[order[-1]], "the largest gain is first"
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_label("Search queries by id or text").fill("coffee bitter")
    assert names_in(page, ".queries tbody th") == ["q18"]
    assert "search=coffee+bitter" in page.url


def test_every_number_of_an_opened_query_is_the_librarys(visit, scores):
    one = visit()
    page = one.open()
    for query in ("q18", "q22", "q17", "q27"):
        one.open_query(query)
        at = scores.queries("bm25").index(query)
        for run in RUNS:
            for measure in MEASURES:
                cell = page.locator(f'dialog .values td[data-run="{run}"][data-measure="{measure}"]')
                assert cell.inner_text() == f"{scores.values(measure, run=run)[at]:.4f}"
        _check_rankings(page, query)
        _check_difference(page, query)
        _check_working(page, query)
        page.keyboard.press("Escape")


def _check_rankings(page, query):
    """The number beside a document is its part of the value."""
    for place, run in enumerate(("bm25", "expanded")):
        explanation = rankgold.explain(sample("qrels.txt"), sample(f"{run}.trec"), "ndcg@10", query)
        parts = {step.document: f"{step.term / explanation.norm:.4f}" for step in explanation.steps}
        items = page.locator("dialog .ranking").nth(place).locator("li .document")
        shown = {item.locator(".id").inner_text(): item.locator(".adds").inner_text().strip() for item in items.all()}
        assert {name: text for name, text in shown.items() if text} == parts
        rows = [line.split() for line in sample(f"{run}.trec").read_text().splitlines()]
        assert list(shown) == [row[2] for row in rows if row[0] == query][:20]


def _check_difference(page, query):
    found = rankgold.diff(sample("qrels.txt"), sample("bm25.trec"), sample("expanded.trec"), "ndcg@10")
    (change,) = [change for change in found.changes if change.query == query]
    part = page.locator("dialog .part", has=page.get_by_role("heading", name="Where the difference comes from"))
    rows = [row.locator("td").all_inner_texts() for row in part.locator("tbody tr").all()]
    assert {row[0]: number(row[-1]) for row in rows} == {
        movement.document: pytest.approx(movement.change, abs=5.1e-5)
        for movement in change.movements
        if abs(movement.change) > 1e-12
    }
    if rows:
        assert number(part.locator("tfoot td").last.inner_text()) == pytest.approx(change.difference, abs=5.1e-5)


def _check_working(page, query):
    """Terms, running sums, sum, norm and value stand in the text of explain."""
    explanation = rankgold.explain(sample("qrels.txt"), sample("expanded.trec"), "ndcg@10", query)
    part = page.locator("dialog .part", has=page.get_by_role("heading", name="How ndcg@10 is worked out"))
    rows = (
        [row.locator("td").all_inner_texts() for row in part.locator("table").first.locator("tbody tr").all()]
        if explanation.steps
        else []
    )
    text = explanation.to_text()
    assert [(row[0], row[1]) for row in rows] == [(str(step.rank), step.document) for step in explanation.steps]
    lines = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    for row in rows:
        assert row in lines
    facts = dict(zip(names_in(part, "dl dt"), names_in(part, "dl dd"), strict=True))
    for name in ("sum", "norm", "value"):
        assert re.search(rf"^{name} +{re.escape(facts[name])}$", text, re.MULTILINE)


def test_what_measures_would_become_is_the_evaluation_with_one_more_judgement(visit):
    one = visit()
    page = one.open()
    one.open_query("q18")
    part = page.locator("dialog .part", has=page.get_by_role("heading", name="If an unjudged document were relevant"))
    rows = part.locator("tbody tr").all()
    assert len(rows) > 3
    judged = sample("qrels.txt").read_text()
    for row in rows[:4]:
        document = row.locator("th").inner_text()
        qrels = {}
        for line in [*judged.splitlines(), f"q18 0 {document} 1"]:
            query, _, name, grade = line.split()
            qrels.setdefault(query, {})[name] = int(grade)
        found = rankgold.evaluate(qrels, sample("expanded.trec"), MEASURES)
        at = found.queries().index("q18")
        cells = [text.split("\n")[0] for text in row.locator("td").all_inner_texts()]
        assert cells[2:] == [f"{found.values(measure)[at]:.4f}" for measure in MEASURES]


def test_a_link_opens_the_same_query_measure_and_runs(visit):
    page = visit().open("#measure=ap&a=titles&b=bm25&query=q20&theme=dark")
    assert page.locator("dialog[open] h2").inner_text().startswith("q20")
    assert names_in(page, "dialog .ranking h4 .run") == ["titles", "bm25"]
    assert page.locator("dialog .values th.chosen").inner_text() == "ap"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 25, 30)"
    page.keyboard.press("Escape")
    assert "query=" not in page.url
    page.go_back()
    assert page.locator("dialog[open] h2").inner_text().startswith("q20")


def test_the_place_of_an_open_query_is_that_of_the_chosen_measure(visit, scores):
    page = visit().open("#query=q18")
    at = scores.queries("bm25").index("q18")
    for measure in ("ap", "rr"):
        page.locator("dialog .values").get_by_role("button", name=measure, exact=True).click()
        gains = scores.values(measure, run="expanded") - scores.values(measure, run="bm25")
        before = sum(
            gain < gains[at] - 1e-12 or (abs(gain - gains[at]) <= 1e-12 and i < at) for i, gain in enumerate(gains)
        )
        assert page.locator("dialog nav .muted").inner_text() == f"{before + 1} of 30"


def test_a_link_to_what_is_not_there_opens_the_report(visit):
    page = visit().open("#measure=nothing&a=x&query=nowhere&theme=pink&sort=y&brush=1+2")
    assert page.locator("#summary .lead").inner_text().startswith("expanded leads with ndcg@10")
    assert page.locator("dialog[open]").count() == 0


def test_light_and_dark_follow_the_system_and_a_button(visit):
    page = visit(color_scheme="dark").open()
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(21, 25, 30)"
    page.locator("#theme").click()
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    page.locator("#theme").click()
    assert page.evaluate(background) == "rgb(21, 25, 30)"
    assert "theme=dark" in page.url


def test_the_keyboard_is_enough(visit):
    page = visit().open()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("4")
    assert page.evaluate("document.activeElement.id") == "queries-title"
    page.keyboard.press("/")
    page.keyboard.type("fre")
    # From the search to the filters, the headers and the first row.
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.queries tbody button')"):
            break
    shown = names_in(page, ".queries tbody th")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == shown[1]
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    assert page.locator("dialog[open] h2").inner_text().startswith(shown[1])
    page.keyboard.press("k")
    assert page.locator("dialog[open] h2").inner_text().startswith(shown[0])
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press("?")
    assert page.locator("dialog.help[open]").bounding_box()["height"] < 500
    page.keyboard.press("Escape")
    page.locator("difference-bars canvas").focus()
    page.keyboard.press("End")
    assert page.locator(".reading").inner_text().startswith("q22")
    page.keyboard.press("Enter")
    assert page.locator("dialog[open] h2").inner_text().startswith("q22")


def test_bars_and_dots_open_queries_and_dragging_selects_some(visit):
    page = visit().open()
    canvas = page.locator("difference-bars canvas")
    canvas.click(position={"x": 3, "y": 60})
    assert page.locator("dialog[open] h2").inner_text().startswith("q10")
    page.keyboard.press("Escape")
    box = page.locator("run-scatter canvas").bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 120)
    page.mouse.up()
    selected = page.locator(".queries tbody tr[data-place]").count()
    assert 0 < selected < 14
    page.get_by_label("Show queries outside the selection too").click()
    assert "30 queries" in page.locator("#queries").inner_text()


def test_documents_are_judged_on_the_spot_and_downloaded_as_qrels(visit):
    page = visit().open()
    row = page.locator("#judging tbody tr").first
    query, document = row.locator("td").first.locator("button").inner_text(), row.locator("td").nth(1).inner_text()
    row.get_by_label("grade 2").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download qrels").click()
    assert waiting.value.path().read_text(encoding="utf-8") == f"{query} 0 {document} 2\n"
    page.locator("#judging tbody tr").first.get_by_label("grade 2").click()
    assert page.get_by_role("button", name="Download qrels").is_disabled()


def test_tables_are_copied_as_markdown_and_downloaded_as_csv(visit, scores):
    page = visit(permissions=["clipboard-read", "clipboard-write"]).open()
    with page.expect_download() as waiting:
        page.locator("#leaderboard").get_by_role("button", name="Download CSV").click()
    rows = list(csv.reader(waiting.value.path().read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["run", *MEASURES]
    assert {row[0]: list(map(float, row[1:])) for row in rows[1:]} == {
        run: [scores[measure][run] for measure in MEASURES] for run in RUNS
    }
    page.locator("#leaderboard").get_by_role("button", name="Copy as Markdown").click()
    page.wait_for_function("document.getElementById('announcer').textContent.includes('Copied')")
    assert page.evaluate("navigator.clipboard.readText()").splitlines()[2].startswith("| expanded | 0.7298 |")


def test_screen_readers_and_contrast_have_no_serious_problem(visit):
    from axe_core_python.sync_playwright import Axe

    def serious(page, part="html", rules=None):
        options = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
        found = Axe().run(page, options=options)
        assert [rule["message"] for rule in found["incomplete"] if "stack" in rule] == [], "every rule was applied"
        return [
            (rule["id"], [node["html"][:200] for node in rule["nodes"]])
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
        ]

    light, dark = visit(color_scheme="light"), visit(color_scheme="dark")
    assert serious(light.open()) == []
    light.open_query("q18")
    assert serious(light.page) == []
    assert serious(dark.open(), ["color-contrast"]) == []
    dark.open_query("q18")
    assert serious(dark.page, rules=["color-contrast"]) == []


def test_no_width_makes_the_page_scroll_sideways(visit):
    for width in (400, 1000, 1600):
        one = visit(viewport={"width": width, "height": 900})
        page = one.open()
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(overflow) <= 0, width
        one.open_query("q18")
        assert page.evaluate("(d => d.scrollWidth - d.clientWidth)(document.querySelector('dialog[open]'))") <= 0, width


def start_print(page):
    """The page as paper has it, and as wide as A4 paper between its margins."""
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.set_viewport_size({"width": 718, "height": 1000})


def test_print_has_no_controls_and_all_rows_of_a_small_table(visit):
    page = visit().open()
    start_print(page)
    assert page.locator(".controls").is_visible() is False
    assert page.locator(".queries tbody tr[data-place]").count() == 30
    assert (
        page.evaluate("document.querySelector('.tall').scrollHeight - document.querySelector('.tall').clientHeight")
        <= 1
    )
    assert page.locator("main button:visible:not(.sort)").count() == 0


def test_print_cuts_nothing_off_and_is_dark_on_white(visit):
    page = visit(viewport={"width": 1300, "height": 900}).open("#query=q18&theme=dark")
    page.wait_for_function("document.querySelector('dialog[open]')?.dataset.shown")
    start_print(page)
    for table in page.locator("dialog .scroll > table").all():
        assert table.evaluate("table => table.getBoundingClientRect().right") <= 718
    sheet = "dialog => dialog.getBoundingClientRect().height >= dialog.scrollHeight - 1"
    assert page.locator("dialog[open]").evaluate(sheet), "it is not cut off at the height of the window"
    assert page.evaluate("getComputedStyle(document.querySelector('dialog[open]')).color") == "rgb(31, 36, 43)"
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("dialog:modal").count() == 1


def test_a_link_within_the_page_to_what_is_not_there_changes_nothing(visit):
    page = visit().open("#measure=ap")
    page.evaluate("location.hash = 'measure=nothing&a=x&query=nowhere'")
    page.wait_for_function("document.querySelector('#summary .lead').textContent.includes('ndcg@10')")
    assert page.locator("dialog[open]").count() == 0


def test_a_run_is_chosen_in_an_opened_query(visit):
    one = visit()
    page = one.open()
    one.open_query("q18")
    page.locator("dialog .values").get_by_role("button", name="titles: look at this run").click()
    assert names_in(page, "dialog .ranking h4 .run") == ["bm25", "titles"]


def test_a_search_without_a_match_says_so(visit):
    page = visit().open("#search=nowhere")
    assert names_in(page, ".queries tbody tr") == ["No query matches."]
    assert "0 queries of 30" in page.locator("#queries").inner_text()


def test_a_phone_shows_differences_and_judges_without_scrolling_sideways(visit):
    page = visit(viewport={"width": 400, "height": 900}).open()
    inside = "cell => cell.getBoundingClientRect().right <= cell.closest('.scroll').getBoundingClientRect().right + 1"
    assert page.locator(".queries tbody td.difference").first.evaluate(inside)
    assert page.locator("#judging td.judge").first.evaluate(inside)
    page.locator("#measures").scroll_into_view_if_needed()
    page.wait_for_selector(".vega svg[role=img]")
    for chart in page.locator(".vega svg[role=img]").all():
        assert chart.evaluate("chart => chart.getBoundingClientRect().right") <= 400


def test_one_run_and_one_query_have_no_empty_panels(visit, files):
    rankgold.report(
        {"q": {"d": 1}},
        {"q": {"d": 1.0, "x": 0.5}},
        files / "one.html",
        measures=["rr"],
        page=rankgold.Page(charts=False),
    )
    page = visit("one.html").open()
    assert page.locator("header p").inner_text() == "1 run · 1 query · 1 judgement · policy rankgold"
    assert page.locator(".tall").bounding_box()["height"] < 100
    assert names_in(page, ".leaderboard thead th") == ["run", "95 % interval", "rr"]


def test_long_ids_keep_their_ends_in_sight(visit, files):
    ids = [f"collection/with-a-long-name/and-a-folder/{'x' * 40}-{i:04}" for i in range(3)]
    qrels = {query: {ids[0]: 1} for query in ids}
    runs = {name: {query: {ids[0]: 1.0, ids[1]: 0.5} for query in ids} for name in ids[:2]}
    rankgold.report(
        qrels,
        runs,
        files / "long.html",
        measures=["rr"],
        test=rankgold.Randomization(draws=50),
        page=rankgold.Page(charts=False),
    )
    page = visit("long.html").open()
    for cells in (".leaderboard tbody .run bdi", ".queries tbody th bdi"):
        for cell in page.locator(cells).all():
            assert cell.text_content() in ids, "a copy of it is whole"
            assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth + 1"), "its end is not cut off"
            assert cell.locator(".start").evaluate("start => start.scrollWidth > start.clientWidth")


def test_hostile_text_shows_as_text_and_runs_nowhere(visit, files):
    write_hostile_report(files / "hostile.html")
    one = visit("hostile.html")
    page = one.open()
    shown = EVIL.replace("\0", "\\u{0}").replace("\u202e", "\\u{202e}").replace("\u2066", "\\u{2066}")
    assert page.locator("h1").inner_text() == shown
    assert shown in page.locator("#summary").inner_text()
    one.open_query(EVIL)
    assert page.locator("dialog[open] h2").inner_text().startswith(shown)
    for item in page.locator("dialog .ranking .document").all()[:3]:
        item.click()
        assert shown in page.locator("dialog .card").inner_text()
    page.keyboard.press("Escape")
    page.locator("#measures").scroll_into_view_if_needed()
    page.wait_for_selector(".vega svg[role=img]")
    page.get_by_role("button", name="Show more").click() if page.get_by_role(
        "button", name="Show more"
    ).count() else None
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_ten_thousand_queries_are_small_and_fast(visit, files):
    """In one of a few tries: other processes may use the machine."""
    write_large_report(files / "large.html")
    assert (files / "large.html").stat().st_size < 14e6
    for _ in range(3):
        page = visit("large.html").open()
        interactive = page.evaluate("performance.getEntriesByName('interactive')[0].startTime")
        if interactive < 2000:
            break
    assert interactive < 2000
    assert page.locator(".queries tbody tr").count() < 60
    for place in range(6):
        opening = page.evaluate(
            """async (place) => {
                const start = performance.now();
                document.querySelectorAll("tr[data-place] button")[place].click();
                await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                return document.querySelectorAll("dialog[open] .document").length ? performance.now() - start : Infinity;
            }""",
            place,
        )
        page.keyboard.press("Escape")
        if opening < 100:
            break
    assert opening < 100
    page.locator(".tall").evaluate("view => { view.scrollTop = 5000 * 34 }")
    page.wait_for_selector('.queries tr[data-place="5000"]')
    assert "matters least" in page.locator("footer").inner_text()
