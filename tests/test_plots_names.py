"""What plots write: long names, titles, numbers over lines, the names of means, and the ids of unjudged documents."""

import re
import xml.etree.ElementTree as ET
from functools import cache

import polars as pl
import pytest

import rankgold
from rankgold.data.files import sample
from rankgold.present.plots import PLOTS
from rankgold.present.plots.chart_labels import LABEL_WIDTH, short_labels
from rankgold.present.plots.inputs import documents_by_rank
from rankgold.present.plots.labels import cut_middle, pixel_width, wrapped
from rankgold.present.plots.theme import DARK, THEMES
from tests.cases import for_each
from tests.charts import rows, svg, tables

pytestmark = pytest.mark.plots

plots = rankgold.plots
NAMES = sorted(PLOTS)
WITH_DATA = [name for name in NAMES if PLOTS[name].max_runs != 0]
SAMPLES = {name: rankgold.match(sample("qrels.txt"), sample(f"{name}.trec")) for name in ("bm25", "expanded")}

# 25 queries, 10 documents and 2 runs whose names have more than 80 characters, and differ in the middle only.
BEGINNING = "https://www.example.org/collections/archive/2021/the-same-beginning/"
END = "/the-same-end-of-every-name/index.html"
QUERIES = [f"{BEGINNING}query-{i:02}{END}" for i in range(25)]
DOCUMENTS = [f"{BEGINNING}document-{i:02}{END}" for i in range(10)]
RUNS = [f"{BEGINNING}run-{i}{END}" for i in range(2)]
QRELS = {query: {document: i % 3 for i, document in enumerate(DOCUMENTS)} for query in QUERIES}
LONG = {
    run: rankgold.match(
        QRELS, {query: {document: float((i * step) % 10) for i, document in enumerate(DOCUMENTS)} for query in QUERIES}
    )
    for run, step in zip(RUNS, (3, 7), strict=True)
}


def draw(name, hits=LONG, query=QUERIES[0], **options):
    plot = PLOTS[name]
    if plot.max_runs == 0:
        return plot.function(**options)
    data = dict(list(hits.items())[: plot.max_runs])
    return plot.function(data, **({"query": query} if plot.is_of_one_query else {}), **options)


@cache
def chart_of_long_names(name):
    return draw(name)


@cache
def picture_of_long_names(name):
    return ET.fromstring(svg(chart_of_long_names(name)))


def picture(chart):
    return ET.fromstring(svg(chart))


def texts(picture):
    """Everything that a picture writes."""
    return ["".join(part.itertext()) for part in picture.iter() if part.tag.endswith("}text")]


def width(picture):
    return float(picture.get("width"))


# --- text that fits


def test_a_long_text_keeps_its_beginning_and_its_end():
    cut = cut_middle("abcdefghij" * 20, 100)
    start, end = cut.split("…")
    assert ("abcdefghij" * 20).startswith(start)
    assert ("abcdefghij" * 20).endswith(end)
    assert abs(len(start) - len(end)) <= 2
    assert 80 < pixel_width(cut) <= 100
    assert cut_middle("short", 100) == "short"


def test_text_of_other_scripts_is_taken_as_wider():
    assert pixel_width("文字" * 10) > 1.5 * pixel_width("ab" * 10)
    assert pixel_width(cut_middle("😀" * 50, 100)) <= 100


def test_a_title_is_broken_between_words_and_keeps_them_all():
    text = "Expected reciprocal rank of query 17 in a run with a name"
    lines = wrapped(text, 120)
    assert len(lines) > 1
    assert " ".join(lines) == text
    assert all(pixel_width(line) <= 120 for line in lines)
    assert wrapped("x" * 300, 120) == [cut_middle("x" * 300, 120)]


def test_estimated_widths_are_near_those_of_the_renderer():
    # 165 units is what a label may take; the axis starts to the right of the widest label.
    for text in ("Wikipedia-MMM/", "illicit-title/", "document 0123456789 ", "ABCDEFGHIJ/"):
        query = (text * 20)[:22]
        chart = plots.per_query({"run": rankgold.match({query: {"a": 1}}, {query: {"a": 1.0}})}, "rr")
        short = plots.per_query({"run": rankgold.match({"q": {"a": 1}}, {"q": {"a": 1.0}})}, "rr")
        drawn = width(picture(chart)) - width(picture(short)) + pixel_width("q")
        assert drawn == pytest.approx(pixel_width(query), rel=0.2)


# --- long names


def test_a_long_document_and_its_ranks_are_cut_once():
    first, second = (f"https://example.org/a/very/long/path/of/a/document/number/{i}" for i in (1, 2))
    old = rankgold.match({"q": {first: 1, second: 2}}, {"q": {first: 2, second: 1}})
    new = rankgold.match({"q": {first: 1, second: 2}}, {"q": {first: 1, second: 2}})
    labels = [label for (label,) in rows(plots.attribution({"old": old, "new": new}, "ndcg"), "label")]
    assert [label[-8:] for label in labels[1:-1]] == [" (2 → 1)", " (1 → 2)"]
    assert all(label.count("…") == 1 and pixel_width(label) <= LABEL_WIDTH for label in labels[1:-1])


@pytest.mark.parametrize("differing", ["beginning", "middle", "end", "nowhere near"])
def test_labels_of_different_names_differ_and_fit(differing):
    parts = {
        "beginning": lambda i: f"{i:03}" + "x" * 100,
        "middle": lambda i: "x" * 60 + f"{i:03}" + "x" * 60,
        "end": lambda i: "x" * 100 + f"{i:03}",
        "nowhere near": lambda i: "x" * 30 + "ab"[i % 2] + "x" * 30 + "cd"[i // 2 % 2] + "x" * 30 + str(i // 4) + "x" * 30,
    }  # fmt: skip
    names = [parts[differing](i) for i in range(40)]
    labels = short_labels(names)
    assert len(set(labels)) == 40
    assert max(map(pixel_width, labels)) < 190
    assert short_labels(["short", "other"]) == ["short", "other"]


SHOWN = {
    "per-query": QUERIES, "difference": QUERIES, "grid": QUERIES, "bump": DOCUMENTS, "waterfall": DOCUMENTS,
    "curves": RUNS, "leaderboard": RUNS, "distribution": RUNS, "precision-recall": RUNS, "judged": RUNS,
}  # fmt: skip


@for_each("name", SHOWN)
def test_names_with_equal_beginnings_and_ends_can_be_told_apart_in_the_picture(name):
    chart = chart_of_long_names(name)
    mark = {"q": "ry-", "d": "nt-", "r": "un-"}[SHOWN[name][0].removeprefix(BEGINNING)[0]]
    written = {
        found[0] for text in texts(picture_of_long_names(name)) for found in [re.search(rf"{mark}\d+", text)] if found
    }
    held = {str(value) for table in tables(chart) for row in table for value in row.values()}
    expected = {name for name in SHOWN[name] if any(name in value for value in held)}
    assert len(expected) >= 2
    # Everything that the data hold in full is written, cut, at an axis, in a legend or beside a mark.
    assert {f"{mark}{found[1]}" for found in (re.search(rf"{mark}(\d+)", name) for name in expected)} <= written


@for_each("name", WITH_DATA)
def test_no_text_is_long_and_tooltips_have_whole_names(name):
    chart = chart_of_long_names(name)
    assert max(map(len, texts(picture_of_long_names(name)))) < 130
    held = [str(value) for table in tables(chart) for row in table for value in row.values()]
    # The histogram of first ranks counts queries, and correlations name runs.
    if name != "reciprocal-rank":
        assert any(value.endswith(END) for value in held)


@for_each("name", NAMES)
def test_a_title_never_widens_the_picture(name):
    short = chart_of_long_names(name).properties(title="T")
    assert width(picture_of_long_names(name)) == pytest.approx(width(picture(short)), abs=1)


def test_a_name_that_javascript_knows_is_only_a_name():
    names = ["constructor", "__proto__", "toString", "x" * 100]
    hits = {name: rankgold.from_labels([[1, 0]]) for name in names}
    shown = texts(picture(plots.leaderboard(hits, ["rr"])))
    assert set(names[:3]) <= set(shown)


# --- numbers


def layers(part):
    """Groups of layers that are drawn over each other."""
    if isinstance(part, list):
        return [group for inner in part for group in layers(inner)]
    if not isinstance(part, dict):
        return []
    own = [part["layer"]] if "layer" in part else []
    return own + [group for key, inner in part.items() if key not in ("data", "layer") for group in layers(inner)]


@for_each("theme", [THEMES["light"], DARK], ids=lambda theme: theme.name)
@for_each("name", NAMES)
def test_numbers_are_never_struck_through_by_lines(name, theme):
    """Behind a number is an outline in the colour of the background, with no line or rule above it."""
    chart = draw(name, SAMPLES, "q20", theme=theme.name)
    for group in layers(chart.to_dict()):
        for layer in group:
            mark, encoding = layer["mark"], layer["encoding"]
            is_number = "text" in encoding and (
                encoding["text"].get("format") or encoding["text"].get("field") == "text"
            )
            if mark["type"] != "text" or "fill" in encoding or not is_number or name == "bump":
                continue
            outlines = [
                j
                for j, other in enumerate(group)
                if other["mark"].get("stroke") == theme.background
                and other["mark"].get("strokeWidth", 0) >= 5
                and other["encoding"].get("text") == encoding["text"]
            ]
            is_above_the_chart = isinstance(mark.get("y"), (int, float))
            assert outlines or is_above_the_chart, (name, encoding["text"])
            for j in outlines:
                assert not [other for other in group[j:] if other["mark"]["type"] in ("line", "rule")]


def test_means_have_the_names_that_people_use():
    hits = rankgold.from_labels([[1, 0, 1], [0, 1, 0]])
    names = {
        measure: rows(plots.per_query(hits, measure), "text")[0][0]
        for measure in ("rr", "ap", "ap@2", "p@2", "rr(rel=2)@3")
    }
    # RR 1 and 1/2; AP (1 + 2/3) / 2 and 1/2, at 2 (1 + 0) / 2 and 1/2; P@2 1/2 and 1/2; no document has grade 2.
    assert names == {
        "rr": "MRR 0.7500", "ap": "MAP 0.6667", "ap@2": "MAP@2 0.5000", "p@2": "mean 0.5000",
        "rr(rel=2)@3": "MRR@3 (rel=2) 0.0000",
    }  # fmt: skip


def test_values_of_queries_and_runs_have_four_decimals():
    hits = rankgold.from_labels([[1, 0, 1], [0, 0, 1]])
    assert {"0.8333", "0.3333"} <= set(texts(picture(plots.per_query(hits, "ap"))))
    assert "0.5833" in texts(picture(plots.leaderboard(hits, ["ap"])))
    assert {"1.0000", "0.3333"} <= set(texts(picture(plots.reciprocal_rank(depth=3))))
    assert "0.3333" in texts(picture(plots.correlation([3, 1, 2])))


# --- plots that changed their form


def test_a_bump_chart_has_a_legend_of_grades_and_words_that_fit_a_dark_page():
    drawn = svg(draw("bump", SAMPLES, "q20", theme="dark"))
    written = texts(ET.fromstring(drawn))
    assert "Grade" in written
    assert {"0", "1", "3"} <= set(written)
    fills = set(re.findall(r'<text[^>]*fill="([^"]*)"', drawn))
    assert fills <= {DARK.ink, DARK.muted}


def test_a_leaderboard_shows_every_measure_that_was_asked_for():
    measures = [f"p@{k}" for k in range(1, 12)]
    chart = plots.leaderboard({"a": [[1, 0]], "b": [[0, 1]]}, measures)
    drawn = picture(chart)
    assert {f"Precision@{k}" for k in range(1, 12)} <= set(texts(drawn))
    assert len(tables(chart)) == 11
    assert width(drawn) < 900


@for_each("depth", [5, 20, 30, 31, 200])
@for_each("name", ["curve", "ndcg", "average-precision"])
def test_documents_stand_below_the_curve_on_the_same_axis(name, depth):
    labels = rankgold.from_labels([[1, 0] * 100])
    above, below = PLOTS[name].function(labels, depth=depth).to_dict()["vconcat"]
    assert above["width"] == below["width"]
    assert below["height"] < above["height"] / 2
    scales = [layer["encoding"]["x"]["scale"] for part in (above, below) for layer in part["layer"]]
    assert all(scale == scales[0] for scale in scales)
    cells = below["data"]["values"]
    assert [cell["rank"] for cell in cells] == list(range(1, depth + 1))
    assert all(cell["from"] < cell["rank"] < cell["to"] for cell in cells)


# --- documents that are not judged

JUDGED = {"q": {"b": 1}}
RANKED = {"q": {"x": 3.0, "b": 2.0, "z": 1.0, "y": 1.0}}
# Tied documents are in descending order of their ids.
EXPECTED = [(1, None, "x"), (2, 1.0, "b"), (3, None, "z"), (4, None, "y")]


def as_frame(nested, number):
    triples = [(query, document, value) for query, row in nested.items() for document, value in row.items()]
    return pl.DataFrame(triples, schema=["query", "document", number], orient="row")


def test_unjudged_documents_have_their_ids_in_tooltips(tmp_path):
    (tmp_path / "qrels").write_text("q 0 b 1\n")
    run = tmp_path / "run"
    run.write_text("".join(f"q Q0 {d} 1 {score} tag\n" for d, score in RANKED["q"].items()))
    frames = as_frame(JUDGED, "grade"), as_frame(RANKED, "score")
    for hits in (
        rankgold.match(JUDGED, RANKED), rankgold.match(*frames), rankgold.match(tmp_path / "qrels", run),
        rankgold.from_lists([["x", "b", "z", "y"]], [["b"]], queries=["q"]),
    ):  # fmt: skip
        assert documents_by_rank(hits, 0, 9) == EXPECTED
        assert documents_by_rank(hits, 0, 1) == EXPECTED[:1]
    assert rows(plots.curve(rankgold.match(JUDGED, RANKED), "p"), "rank", "document")[0] == (1, "x")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("ties=ascending", "xbyz"), ("ties=input", "xbzy"), ("ties=descending", "xbzy"), ("unjudged=condensed", "b")],
)
def test_unjudged_documents_are_in_the_order_of_the_policy(policy, expected):
    for hits in (
        rankgold.match(JUDGED, RANKED, policy=policy),
        rankgold.match(as_frame(JUDGED, "grade"), as_frame(RANKED, "score"), policy=policy),
    ):
        assert "".join(document for *_, document in documents_by_rank(hits, 0, 9)) == expected


def test_integer_ids_on_one_side_find_their_text_on_the_other():
    hits = rankgold.match({7: {1: 1}}, {"7": {"5": 2.0, "1": 1.0}})
    assert [str(document) for *_, document in documents_by_rank(hits, 0, 9)] == ["5", "1"]


def test_a_run_that_was_changed_after_matching_names_no_wrong_document():
    run = {"q": {"x": 3.0, "b": 2.0}}
    hits = rankgold.match(JUDGED, run)
    run["q"]["x"] = 1.0
    assert documents_by_rank(hits, 0, 9) == [(1, None, None), (2, 1.0, "b")]


def test_large_runs_are_not_kept_for_their_ids(monkeypatch):
    monkeypatch.setattr("rankgold.data.matching.table_judgements._MOST_KEPT", 3)
    hits = rankgold.match(as_frame(JUDGED, "grade"), as_frame(RANKED, "score"))
    assert hits.lists is None
    assert documents_by_rank(hits, 0, 9) == [(1, None, None), (2, 1.0, "b"), (3, None, None), (4, None, None)]
