"""Charts of many queries, documents or runs: all of them are shown, or the chart says what it leaves out."""

import re

import numpy as np
import pytest

import rankgold
from rankgold.present.plots.theme import DARK, LIGHT, THEMES
from tests.cases import for_each
from tests.charts import pixels, rows, svg, tables, title

pytestmark = pytest.mark.plots

plots = rankgold.plots
FIRST_AT_RANK = np.eye(100, dtype=int)
"""Query i has its relevant document at rank i."""


def named(chart):
    """The queries that are named beside their bars, from top to bottom."""
    return [name for name, _ in sorted(rows(chart, "name", "bar"), key=lambda row: row[1])]


# --- average precision


def test_every_relevant_rank_of_a_deep_list_is_marked():
    relevant = [1, 5, 10, 78, 301, 874]
    chart = plots.average_precision([int(rank in relevant) for rank in range(1, 1001)])
    points = rows(chart, "rank", "precision", "relevant")
    # The precision at the i-th relevant document is i over its rank.
    marked = [(rank, pytest.approx(i / rank)) for i, rank in enumerate(relevant, start=1)]
    assert [(rank, precision) for rank, precision, is_relevant in points if is_relevant] == marked
    # The line turns at the rank above each of them: 4 relevant documents down to rank 300.
    assert (300, pytest.approx(4 / 300), False) in points
    assert title(chart)[1] == f"precision at {len(points)} of 874 ranks, marked where the document is relevant"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_relevant_document_far_down_can_be_seen_in_the_strip(theme):
    chart = plots.average_precision([*([0] * 899), 1], theme=theme.name)
    wanted = np.array([int(theme.shade(0.5)[i : i + 2], 16) for i in (1, 3, 5)])
    near = np.abs(pixels(chart).astype(int) - wanted).max(axis=2) < 60
    # The strip is 26 high, at 2 pixels each; the legend's square and the letters are lower.
    rows_of_strip = np.lib.stride_tricks.sliding_window_view(near, 45, axis=0)
    assert rows_of_strip.all(axis=2).any()


def test_relevant_documents_below_the_depth_are_reported_with_what_they_add():
    # Relevant at ranks 1, 3 and 5: (1 + 2/3 + 3/5) / 3, of which the last two add (2/3 + 3/5) / 3 = 0.4222.
    chart = plots.average_precision([1, 0, 1, 0, 1], depth=2)
    assert title(chart)[0] == "Average precision: 0.7556"
    assert title(chart)[2] == "2 relevant documents below rank 2, not shown: 0.4222 of the score"
    assert rows(chart, "rank", "relevant") == [(1, True), (2, False)]


@pytest.mark.parametrize("plot", [plots.average_precision, plots.waterfall])
def test_relevant_documents_below_the_cutoff_of_the_measure_are_reported(plot):
    chart = plot(rankgold.from_labels([[1, 0, 1, 0, 1]], n_relevant=4), "ap@2")
    assert title(chart)[-2:] == ["2 relevant documents below rank 2, the cutoff", "1 relevant document not found"]


# --- values of many queries


def test_many_queries_all_have_a_bar_from_the_worst_to_the_best_and_the_ends_are_named():
    chart = plots.per_query(FIRST_AT_RANK, "rr")
    bars = rows(chart, "query", "value", "top", "bottom")
    assert [query for query, *_ in bars] == [str(i) for i in range(100, 0, -1)]
    assert [value for _, value, *_ in bars] == pytest.approx([1 / i for i in range(100, 0, -1)])
    assert [(top, bottom) for *_, top, bottom in bars] == [
        (pytest.approx(i + 0.15), pytest.approx(i + 0.85)) for i in range(100)
    ]
    assert title(chart)[1:] == ["100 queries, from the worst to the best", "worst: 0.0100 in 1; best: 1.0000 in 1"]
    assert named(chart) == [str(i) for i in (*range(100, 92, -1), *range(8, 0, -1))]
    assert rows(chart, "mean", "text")[0][0] == pytest.approx(sum(1 / i for i in range(1, 101)) / 100)
    # Where lower is better, the worst are the highest.
    assert [value for _, value in rows(plots.per_query(FIRST_AT_RANK, "frp"), "query", "value")] == [*range(100, 0, -1)]


def test_the_number_of_queries_at_each_end_is_given_because_only_some_of_them_are_named():
    labels = [[1, 0]] * 30 + [[0, 1]] * 20 + [[0, 0]] * 10
    assert title(plots.per_query(labels, "rr"))[2] == "worst: 0.0000 in 10; best: 1.0000 in 30"


def test_queries_without_a_value_have_no_bar_and_are_counted():
    labels = [*FIRST_AT_RANK.tolist(), *([[0, 0]] * 5)]
    chart = plots.per_query(labels, "frp")
    assert len(rows(chart, "query", "value")) == 100
    assert title(chart)[1:] == [
        "100 queries, from the worst to the best",
        "worst: 100 in 1; best: 1 in 1",
        "5 queries without a value",
    ]


def test_of_very_many_queries_both_ends_and_even_steps_are_shown_and_it_is_said():
    # The only document of query i has grade i, which is its cumulative gain.
    chart = plots.per_query([[i] for i in range(1, 3001)], "cg")
    shown = [value for (value,) in rows(chart, "value")]
    assert len(shown) == 1000
    assert shown[:8] == [*range(1, 9)]
    assert shown[-8:] == [*range(2993, 3001)]
    # 984 bars for the 2,984 queries between: a step of three, or of four where the rest is spread.
    assert set(np.diff(shown[8:-8]).tolist()) == {3, 4}
    assert title(chart)[1] == "1,000 of 3,000 queries in even steps, from the worst to the best"
    # The bars leave no gap: each begins where the one above ends, and the last ends at the last place.
    edges = rows(chart, "top", "bottom")
    assert [top for top, _ in edges] == [0, *(bottom for _, bottom in edges[:-1])]
    assert edges[-1][1] == 3000


@pytest.fixture
def unbalanced():
    """Of 60 queries, the second run is better on 50, the same on 7 and worse on 3."""
    old = [[0, 1]] * 50 + [[1, 0]] * 10
    new = [[1, 0]] * 57 + [[0, 1]] * 3
    return {"old": rankgold.from_labels(old), "new": rankgold.from_labels(new)}


def test_all_differences_are_drawn_so_that_their_balance_can_be_seen(unbalanced):
    chart = plots.difference(unbalanced, "rr")
    assert [change for (change,) in rows(chart, "difference")] == [1 / 2] * 50 + [0] * 7 + [-1 / 2] * 3
    # (50 * 1/2 + 10) / 60 and (57 + 3 * 1/2) / 60
    assert title(chart)[3].startswith("mean difference 0.3917, 95 % interval 0.3")
    assert title(chart)[1:3] == [
        "better in 50, worse in 3, the same in 7; 0.5833 → 0.9750 in the mean",
        "60 queries, from the greatest gain to the greatest loss",
    ]


def test_only_gains_and_losses_are_named_as_such(unbalanced):
    assert named(plots.difference(unbalanced, "rr")) == [*map(str, range(1, 9)), "58", "59", "60"]
    same = {name: rankgold.from_labels([[1, 0]] * 60) for name in ("old", "new")}
    chart = plots.difference(same, "rr")
    assert not any("name" in table[0] for table in tables(chart) if table)
    assert title(chart)[1].startswith("better in 0, worse in 0, the same in 60;")
    assert title(chart)[2] == "60 queries, all the same"


def test_a_difference_without_losses_or_without_gains_does_not_speak_of_them():
    low, high = rankgold.from_labels([[0, 1]] * 60), rankgold.from_labels([[1, 0]] * 60)
    gains = plots.difference({"old": low, "new": high}, "rr")
    assert title(gains)[2] == "60 queries, from the greatest gain to the smallest gain"
    losses = plots.difference({"old": high, "new": low}, "rr")
    assert title(losses)[2] == "60 queries, from the smallest loss to the greatest loss"


def test_gains_are_at_the_top_where_lower_is_better():
    old, new = rankgold.from_labels(FIRST_AT_RANK[::-1]), rankgold.from_labels(FIRST_AT_RANK)
    chart = plots.difference({"old": old, "new": new}, "frp")
    # Query i has its document at rank 101 - i, then at rank i: from 99 ranks up to 99 ranks down, in steps of 2.
    assert [change for (change,) in rows(chart, "difference")] == [*range(-99, 100, 2)]


def test_queries_of_only_one_run_are_counted():
    first = rankgold.from_labels([[1], [1]], queries=["a", "b"])
    second = rankgold.from_labels([[1], [1], [1]], queries=["b", "c", "d"])
    assert title(plots.difference({"1": first, "2": second}, "rr"))[2] == (
        "3 queries without a value in one of the runs"
    )


def test_a_grid_of_many_queries_has_all_their_grades():
    labels = [[2, 0, 0, 1]] * 30 + [[0, 0, 0, 0]] * 20
    chart = plots.grid(labels, "rr")
    # From the worst: a query without a relevant document has one cell over four ranks of the same grade.
    cells = rows(chart, "query", "ranks", "grade")
    assert cells[:2] == [("31", "1 to 4", 0), ("32", "1 to 4", 0)]
    assert cells[20:23] == [("1", "1", 2), ("1", "2 to 3", 0), ("1", "4", 1)]
    assert len(cells) == 20 + 30 * 3
    assert title(chart)[1:] == ["50 queries, from the worst to the best", "worst: 0.0000 in 20; best: 1.0000 in 30"]


@for_each("theme", THEMES)
@for_each("name", ["per_query", "grid", "difference"])
def test_thin_bars_are_drawn_in_their_colours(name, theme):
    runs = {"old": rankgold.from_labels(FIRST_AT_RANK[::-1]), "new": rankgold.from_labels(FIRST_AT_RANK)}
    chart = getattr(plots, name)(runs if name == "difference" else runs["new"], "frp", theme=theme)
    colours = (THEMES[theme].gain, THEMES[theme].loss) if name == "difference" else (THEMES[theme].series[0],)
    picture = pixels(chart)
    for colour in colours:
        wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert (picture == wanted).all(axis=2).mean() > 0.02


@pytest.mark.parametrize("theme", THEMES)
def test_one_query_among_hundreds_can_be_seen_in_the_histograms_of_a_scatter(theme):
    labels = [[1, 0]] * 400 + [[0, 1]]  # rr is 1 in 400 queries, and 1/2 in one
    picture = pixels(plots.scatter(labels, ["rr", "p@1"], theme=theme))
    # The bar of the one query is above the middle of the chart, where nothing else is blue; a bar is 16 * 2 pixels wide.
    height, width, _ = picture.shape
    red, _, blue = np.moveaxis(picture[: height // 4, width // 4 : 3 * width // 4].astype(int), 2, 0)
    assert (blue - red > 60).any(axis=0).sum() > 20


# --- lists that go on below the chart


def test_ranks_below_the_chart_are_reported():
    labels = [1] + [0] * 49
    cut = "the first 20 of 50 ranks"
    assert title(plots.curve(labels, "p"))[1:] == [cut]
    assert title(plots.ndcg(labels))[1:] == [cut]
    assert title(plots.average_precision(labels))[2:] == [cut]
    assert title(plots.curves({"a": labels, "b": labels}, "p"))[-1] == cut
    assert title(plots.judged(labels))[-1] == cut
    assert title(plots.grid([labels], "rr"))[-1] == cut
    # Nothing below the cutoff of the measure could be shown.
    assert title(plots.curve(labels, "p@20"))[1:] == []
    assert title(plots.curve(labels, "p@30", depth=10))[1:] == ["the first 10 of 50 ranks"]


def test_curves_that_leave_out_cutoffs_say_so():
    labels = [1] + [0] * 999
    count = len(rows(plots.curve(labels, "p", depth=1000), "k", "value"))
    assert 20 < count < 40
    note = f"values at {count} of 1,000 cutoffs"
    assert title(plots.curve(labels, "p", depth=1000))[1:] == [note]
    assert title(plots.curves(labels, "p", depth=1000))[-1] == note
    assert title(plots.judged(labels, depth=1000))[-1] == note
    # Scores have the cutoffs that were evaluated, and all of them are drawn.
    scores = rankgold.evaluate(rankgold.from_labels([labels]), ["p@5", "p@50"])
    assert title(plots.curves(scores, "p@50"))[1:] == []


def test_runs_over_different_numbers_of_queries_are_not_given_one_mean():
    chart = plots.curves({"a": [[1, 0]], "b": [[1, 0], [0, 1], [1, 1]]}, "p")
    assert title(chart)[1] == "mean of 1 to 3 queries"


def test_a_scatter_reports_queries_without_a_value():
    # The last query has no relevant document, so no first relevant position.
    assert title(plots.scatter([[1, 0], [0, 1], [0, 0]], ["frp", "rr"]))[1:] == [
        "2 queries",
        "1 query without a value of one of the measures",
    ]


# --- the colours of grades


def colour_of_grades(chart):
    """The colours of the grades in each scale of a chart, by the text of the grade."""
    found = []

    def look(part):
        if isinstance(part, dict):
            if part.get("field") == "level" and "scale" in part:
                found.append(dict(zip(part["scale"]["domain"], part["scale"]["range"], strict=True)))
            for inner in part.values():
                look(inner)
        elif isinstance(part, list):
            for inner in part:
                look(inner)

    look(chart.to_dict())
    return found


GRADED = {"q1": {"a": 1, "b": 0}, "q2": {"c": 3, "d": 2}}
ONE = rankgold.match(GRADED, {"q1": {"a": 2, "b": 1}, "q2": {"d": 2}})
OTHER = rankgold.match(GRADED, {"q1": {"b": 2, "a": 1}, "q2": {"d": 2}})


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_grade_has_the_same_colour_in_every_plot_of_a_collection(theme):
    # Grades are 0 to 3, so 2 is halfway from the lowest relevant grade to the highest, though no chart shows a 3.
    expected = {"0": theme.not_relevant, "1": theme.shades[0], "2": theme.shade(0.5), "3": theme.shades[1]}
    charts = [plots.grid(ONE, theme=theme.name)]
    for query in ("q1", "q2"):
        charts += [
            plot(ONE, query=query, theme=theme.name)
            for plot in (plots.curve, plots.average_precision, plots.ndcg, plots.stopping)
        ]
    for chart in charts:
        assert colour_of_grades(chart)
        assert all(colours == expected for colours in colour_of_grades(chart))
    for colours in colour_of_grades(plots.bump({"a": ONE, "b": OTHER}, query="q1", theme=theme.name)):
        assert {grade: colour for grade, colour in colours.items() if grade != "0"} == {
            grade: colour for grade, colour in expected.items() if grade != "0"
        }


def test_among_many_grades_those_that_are_not_relevant_keep_their_colour():
    hits = rankgold.match({"q": {f"d{i}": i - 3 for i in range(12)}}, {"q": {f"d{i}": i for i in range(12)}})
    layers = [layer for panel in plots.ndcg(hits).to_dict()["vconcat"] for layer in panel["layer"]]
    (colour,) = (layer["encoding"]["color"] for layer in layers if layer["encoding"].get("color", {}).get("scale"))
    assert colour["scale"]["domain"] == [1, 8]
    assert colour["condition"] == [
        {"test": "datum.grade === null", "value": LIGHT.not_judged},
        {"test": "datum.grade <= 0", "value": LIGHT.not_relevant},
    ]


# --- many runs


def facets(chart):
    """The parts of a chart that are a panel for each run."""
    content = chart.to_dict()
    return [part for part in content.get("hconcat", content.get("vconcat", [])) if "facet" in part]


@pytest.mark.parametrize("name", ["judged", "correlation"])
def test_runs_beyond_the_colours_have_a_panel_each(name):
    runs = {f"run {i:02}": [3, 1, 2] for i in range(len(LIGHT.series) + 1)}
    (panels,) = facets(getattr(plots, name)(runs))
    assert panels["facet"]["field"] == "run"
    assert panels["facet"]["sort"] == list(runs)
    assert panels["spec"]["width"] == panels["spec"]["height"]
    few = dict(list(runs.items())[: len(LIGHT.series)])
    assert facets(getattr(plots, name)(few)) == []


def test_the_panels_of_many_runs_hold_the_values_of_each():
    runs = {f"run {i}": [3, 1, 2] for i in range(11)} | {"reversed": [1, 2, 3]}
    chart = plots.correlation(runs)
    points = [row for table in tables(chart) for row in table if row.get("run") == "reversed" and "by_grade" in row]
    assert [(point["by_grade"], point["by_score"]) for point in points] == [(1, 3), (2, 2), (3, 1)]
    shares = rows(plots.judged(runs), "run", "kind", "k", "share")
    assert [row for row in shares if row[0] == "reversed" and row[1] == "judged"] == [
        ("reversed", "judged", k, 1) for k in (1, 2, 3)
    ]


def test_rank_against_rank_is_square_and_the_legend_names_the_true_ranking():
    panel = plots.correlation({"mixed": [3, 1, 2], "reversed": [1, 2, 3]}).to_dict()["hconcat"][1]
    assert panel["width"] == panel["height"]
    scale = panel["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == ["True ranking", "mixed", "reversed"]
    assert scale["range"] == [LIGHT.not_relevant, *LIGHT.series[:2]]
    # A run may have that name too.
    panel = plots.correlation({"True ranking": [3, 1, 2]}).to_dict()["hconcat"][1]
    assert panel["layer"][0]["encoding"]["color"]["scale"]["domain"] == ["True ranking (2)", "True ranking"]


# --- counts


def test_deep_first_relevant_ranks_are_counted_in_ranges():
    # The only relevant document is at rank 3, 15, 20, 21, 60 and 70.
    labels = np.zeros((6, 70), dtype=int)
    labels[range(6), np.array([3, 15, 20, 21, 60, 70]) - 1] = 1
    bars = {rank: count for rank, count in rows(plots.reciprocal_rank(labels, depth=65), "rank", "queries") if count}
    assert bars == {"3": 1, "11–20": 2, "21–50": 1, "51–65": 1, "> 65": 1}


def test_few_queries_are_counted_in_whole_numbers():
    chart = plots.reciprocal_rank([[1, 0], [1, 0], [0, 1]])
    assert chart.to_dict()["layer"][0]["encoding"]["y"]["axis"]["values"] == [0, 1, 2]


def test_a_deep_curve_of_the_reciprocal_rank_has_some_ranks_to_the_last():
    shown = rows(plots.reciprocal_rank(depth=1000), "rank", "value")
    assert shown[0] == (1, 1)
    assert shown[-1] == (1000, 1 / 1000)
    assert len(shown) < 40


def test_stacks_of_all_runs_have_one_scale_and_the_highest_has_its_count():
    runs = {"good": [[1, 0]] * 21, "poor": [[1, 0]] * 6 + [[0, 1]] * 15}
    chart = plots.distribution(runs, "rr")
    heights = {}
    for run, value, height in rows(chart, "run", "value", "height"):
        heights[run, value] = max(height, heights.get((run, value), 0))
    # The highest stack has 21 dots, so 20 steps to the top; one of 6 dots has 5, one of 15 has 14.
    expected = {("good", 1): 1, ("poor", 1): 5 / 20, ("poor", 1 / 2): 14 / 20}
    assert heights == {place: pytest.approx(height) for place, height in expected.items()}
    assert rows(chart, "run", "middle", "count") == [("good", 1, 21), ("poor", 1 / 2, 15)]


def test_columns_count_every_query_where_dots_would_be_too_many():
    labels = [[1, 0]] * 200 + [[0, 1]] * 100 + [[0, 0]] * 50
    chart = plots.distribution(labels, "rr")
    columns = {(middle, queries, height) for middle, queries, height in rows(chart, "middle", "queries", "height")}
    tops = {(0, 50, 0.25), (1 / 2, 100, 0.5), (1, 200, 1)}
    assert columns == tops | {(middle, queries, 0) for middle, queries, _ in tops}
    assert title(chart)[2].startswith("columns: how many queries")


def test_labels_of_ranks_in_small_panels_do_not_touch():
    runs = {f"run{i}": np.roll(np.arange(12), i).tolist() for i in range(12)}
    drawn = re.findall(r"<text([^>]*)>(1[0-2])</text>", svg(plots.correlation(runs)))
    visible = {label for attributes, label in drawn if 'opacity="0"' not in attributes}
    # Of 12 labels on 150 pixels every other one is left: 1, 3, 5, 7, 9, 11.
    assert visible == {"11"}
