"""Scores and comparisons of slices of queries: by hand, against SciPy, against the queries of a slice alone."""

import datetime
import json
import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankgold
from rankgold import Slices
from rankgold.core.errors import ComparisonError, DataError
from rankgold.data.files import sample
from rankgold.data.slice_scheme import AttributeSlices
from tests.all_measures import METRICS
from tests.cases import for_each
from tests.collections import examples
from tests.shell import printed, refused, shown
from tests.test_contract import MEASURES

SAMPLE = (str(sample("qrels.txt")), [str(sample("bm25.trec")), str(sample("expanded.trec"))])
ATTRIBUTES = str(sample("attributes.csv"))
# Slices of the sample: of text, of numbers in bins, and crossed.
BY = Slices(ATTRIBUTES, ["kind", "words", "kind*words"], bins=2)


def run_of(ranks):
    """A run that has the relevant document d of each query at a rank, so that rr is 1 / rank."""
    return {query: {f"x{i}": 10 - i for i in range(1, rank)} | {"d": 10 - rank} for query, rank in ranks.items()}


RANKS = {"q1": 1, "q2": 2, "q3": 4, "q4": 1, "q5": 2}
QRELS = {query: {"d": 1} for query in RANKS}
LANGUAGE = {"q1": "de", "q2": "de", "q3": "de", "q4": "en", "q5": "en"}


def found(by, **options):
    """Slice -> mean rr and number of queries."""
    rows = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=by, **options).slices.rows
    return {row.slice: (row.mean, row.queries) for row in rows}


EXPECTED = {"de": ((1 + 1 / 2 + 1 / 4) / 3, 3), "en": (3 / 4, 2)}

# --- values


def test_the_mean_of_each_slice_is_worked_by_hand():
    assert found(LANGUAGE) == EXPECTED


def test_every_measure_has_in_a_slice_what_it_has_for_its_queries_alone():
    slices = rankgold.evaluate(*SAMPLE, MEASURES, by=BY).slices
    kinds = pl.read_csv(ATTRIBUTES)
    for kind in ("how-to", "question"):
        alone = rankgold.evaluate(*SAMPLE, MEASURES, topics=kinds.filter(kind=kind)["query"].to_list())
        for run in alone.runs:
            assert slices["kind", kind].means[run] == pytest.approx(alone.means[run], nan_ok=True, rel=1e-15)


def test_the_intervals_of_a_slice_are_those_of_its_queries_alone_and_of_scipy():
    scores = rankgold.evaluate(*SAMPLE, ["ndcg@10", "ap"], by=Slices(ATTRIBUTES, ["kind"]))
    problems = pl.read_csv(ATTRIBUTES).filter(kind="problem")["query"].to_list()
    alone = rankgold.evaluate(*SAMPLE, ["ndcg@10", "ap"], topics=problems)
    rows = [row for row in scores.slices if row.slice == "problem"]
    assert [(row.low, row.high) for row in rows] == [
        alone.intervals()[run][measure] for run in ("bm25", "expanded") for measure in ("ndcg@10", "ap")
    ]
    values = alone.values("ap", "bm25")
    theirs = stats.t.interval(0.9, len(values) - 1, values.mean(), stats.sem(values))
    [row] = [
        row
        for row in scores.slices.intervals(0.9, "t")
        if (row.slice, row.run, row.measure) == ("problem", "bm25", "ap")
    ]
    assert (row.low, row.high) == pytest.approx(theirs, rel=1e-12)


def test_only_a_mean_has_an_interval_and_only_of_two_queries():
    rows = rankgold.evaluate(QRELS, run_of(RANKS), ["rr", "num_rel", "gmap"], by={**LANGUAGE, "q5": "fr"}).slices
    known = {(row.slice, row.measure): not math.isnan(row.low) for row in rows}
    assert [key for key, has_interval in known.items() if has_interval] == [("de", "rr")]
    assert {row.mean for row in rows if row.measure == "num_rel"} == {3, 1}


def test_the_scores_of_a_slice_are_scores():
    slices = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by={"q1": {"language": "de", "device": "de"}}).slices
    assert slices["language", "de"].per_query.rows() == [("q1", 1.0)]
    assert len(slices["language", "(none)"].queries()) == 4
    with pytest.raises(DataError, match="language, device each have a slice 'de'"):
        slices["de"]
    with pytest.raises(DataError, match=r"there is no slice 'dee'\. Did you mean 'de'\?"):
        slices["device", "dee"]


def test_scores_of_one_of_several_runs_keep_its_slices():
    scores = rankgold.evaluate(*SAMPLE, ["ap"], by=BY)
    assert {row.run for row in scores["expanded"].slices} == {"expanded"}
    assert [row.run for row in scores.sorted_by("ap").slices][:2] == ["expanded", "bm25"]


# --- comparison

# B is worse for de by 1/2, 1/4 and 0, and better for en by 1/2 and 1/2.
B_RANKS = {"q1": 2, "q2": 4, "q3": 4, "q4": 1, "q5": 1}
A_RANKS = {"q1": 1, "q2": 2, "q3": 4, "q4": 2, "q5": 2}
A_AND_B = {"a": run_of(A_RANKS), "b": run_of(B_RANKS)}


def test_slices_are_compared_with_p_values_that_allow_for_all_of_them():
    compared = rankgold.compare(QRELS, A_AND_B, ["rr"], baseline="a", by=LANGUAGE).slices
    rows = {slice_.slice: slice_.row for slice_ in compared}
    assert rows["de"].difference == pytest.approx(-1 / 4)
    assert (rows["de"].wins, rows["de"].ties, rows["de"].losses, rows["de"].queries) == (0, 1, 2, 3)
    assert rows["en"].difference == pytest.approx(1 / 2)
    # Two differences have four choices of signs, of which two are as far from 0. Holm: 2 x 0.5 for each of the two.
    assert [row.p for row in rows.values()] == [0.5, 0.5]
    assert [row.p_corrected for row in rows.values()] == [1.0, 1.0]
    b_of_en = {**A_AND_B["b"], "q5": ["x", "y", "d"]}
    [en] = [slice_.row for slice_ in rankgold.compare(
        QRELS, {"a": A_AND_B["a"], "b": b_of_en}, ["rr"], by=LANGUAGE, test="t"
    ).slices if slice_.slice == "en"]  # fmt: skip
    # 1 less 1/2, and 1/3 less 1/2.
    assert en.p == pytest.approx(stats.ttest_1samp([1 / 2, -1 / 6], 0).pvalue)
    bonferroni = rankgold.compare(QRELS, A_AND_B, ["rr", "ap"], by=LANGUAGE, correction="none").slices
    assert [slice_.row.p_corrected for slice_ in bonferroni] == [0.5] * 4
    assert "4 comparisons without a correction" in " ".join(bonferroni.comparison.doubts)


def test_slices_of_fewer_than_25_queries_are_named_and_two_queries_have_a_p_value():
    def compared(sizes, **choices):
        by = {f"{name}{i}": name for name, size in sizes.items() for i in range(size)}
        a, b = (run_of({query: 1 + (i + shift) % 2 for i, query in enumerate(by)}) for shift in (0, 1))
        return rankgold.compare({query: {"d": 1} for query in by}, {"a": a, "b": b}, ["rr"], by=by, **choices).slices

    [doubt] = compared({"x": 24, "y": 25}).comparison.doubts
    assert doubt == (
        "1 of 2 slices has fewer than 25 queries, so a real difference is easily missed there (slice = x: 24)."
    )
    found = compared({"x": 1, "y": 2, "z": 25}, correction="none")
    assert found.comparison.doubts[0].startswith("2 of 3 slices have fewer than 25 queries")
    assert found.comparison.doubts[1].startswith("3 comparisons without a correction")
    assert not compared({"x": 25}, correction="none").comparison.doubts
    # One query says nothing; of 1/2 and -1/2, all four choices of signs have a sum as far from 0.
    assert [math.isnan(row.row.p) for row in found] == [True, False, False]
    assert found.rows[1].row.p == 1.0
    assert found.frame["wins"].to_list() == [0, 1, 13]
    assert found.to_dict()["comparisons"][1]["wins"] == 1


def test_the_ten_most_certain_slices_in_which_b_is_worse_are_said_and_the_rest_is_counted():
    def worse_of(count, better=False):
        by = {f"q{i}": f"s{i:02}" for i in range(count)}
        a, b = run_of(dict.fromkeys(by, 1)), run_of(dict.fromkeys(by, 2))
        runs = {"a": b, "b": a} if better else {"a": a, "b": b}
        found = rankgold.compare({query: {"d": 1} for query in by}, runs, ["rr"], by=by).slices
        return [text for kind, text in found.document().facts if kind == "worse"]

    assert len(worse_of(10)) == 10
    assert worse_of(12)[10:] == ["2 more slices, less certain"]
    assert worse_of(2, better=True) == ["no slice: b has nowhere a worse mean than a"]


def test_progress_counts_slices_that_are_compared():
    told = []
    progress = lambda what, share, rows: told.append((what, share, rows))  # noqa: E731
    rankgold.compare(QRELS, A_AND_B, ["rr"], by=LANGUAGE, progress=progress)
    assert [step for step in told if step[0] == "comparing slices"] == [
        ("comparing slices", 0.0, 0), ("comparing slices", 0.5, 0),
    ]  # fmt: skip


def test_without_the_values_of_queries_less_is_still_better_for_some_measures():
    by = {"by": LANGUAGE, "engine": "duckdb", "per_query": False}
    sums = rankgold.evaluate(QRELS, A_AND_B, ["rr", "mr"], **by).slices.compare(baseline="a")
    # b is worse for de: rr is lower, and the mean rank is higher.
    assert {(row.slice, row.row.measure) for row in sums.worse()} == {("de", "rr"), ("de", "mr")}
    assert sums.comparison.method.draws == 0


def test_weights_of_queries_leave_out_slices_that_have_none():
    weights = {"q1": 0, "q2": 0, "q3": 0, "q4": 1, "q5": 3}
    found = rankgold.compare(QRELS, A_AND_B, ["rr"], by=LANGUAGE, units=rankgold.Units(weights=weights)).slices
    assert [(row.slice, row.row.difference) for row in found] == [("en", 0.5)]
    assert found.notes == ("slice = de: all queries have the weight 0: left out",)


def test_tables_of_slices_are_named_by_slice_and_runs():
    scores = rankgold.evaluate(QRELS, A_AND_B, ["rr"], by=LANGUAGE)
    [means] = scores.slices.document().tables
    assert means.header == ["attribute", "slice", "run", "queries", "rr", "95 % CI"]
    assert means.rows[0][:5] == ["slice", "de", "a", "3", pytest.approx((1 + 1 / 2 + 1 / 4) / 3)]
    assert (means.alignment, means.keys, means.digits) == ("lllrrr", 4, 4)
    [one] = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=LANGUAGE).slices.document(2).tables
    assert one.rows[1][:4] == ["slice", "en", "2", 0.75]
    assert (one.alignment, one.keys, one.digits) == ("llrrr", 3, 2)
    [compared] = scores.slices.compare(baseline="a").document().tables
    assert compared.rows[0][:5] == ["slice", "de", "rr", "a", "b"]
    assert compared.rows[0][-4:] == ["0", "1", "2", "3"]  # wins, ties, losses and queries
    assert (compared.keys, compared.digits, compared.strong) == (5, 4, frozenset())
    # The intervals are those of seed 0, unless another one is chosen.
    ends = [[(row.low, row.high) for row in found] for found in (scores.slices, scores.slices.intervals(seed=0))]
    assert ends[0] == ends[1] == [(row.low, row.high) for row in scores.slices.intervals()]


def test_the_finder_lists_where_b_is_worse_and_the_most_certain_slice_first():
    # x: 8 queries fall from rank 1 to 2; y: 8 queries fall, 1 rises; z: 1 query falls, w: 4 queries rise.
    sizes = {"x": (8, 0), "y": (8, 1), "z": (1, 0), "w": (0, 4)}
    ranks_a, ranks_b, by = {}, {}, {}
    for name, (losses, gains) in sizes.items():
        for i in range(losses + gains):
            query = f"{name}{i}"
            ranks_a[query], ranks_b[query] = (1, 2) if i < losses else (2, 1)
            by[query] = name
    qrels = {query: {"d": 1} for query in by}
    runs = {"a": run_of(ranks_a), "b": run_of(ranks_b)}
    compared = rankgold.evaluate(qrels, runs, ["rr"], by=by).slices.compare(baseline="a")
    worse = compared.worse()
    assert [slice_.slice for slice_ in worse] == ["x", "y", "z"]
    # All choices of signs of 8 and 9 differences: 2 of 2**8, and 1 + 9 at each end of 2**9. One query says nothing.
    assert [slice_.row.p for slice_ in worse] == pytest.approx([2 / 2**8, 20 / 2**9, math.nan], nan_ok=True)
    # Holm over three, since z is not tested: x times 3, and y times 2.
    assert [slice_.row.p_corrected for slice_ in worse][:2] == pytest.approx([6 / 2**8, 40 / 2**9])
    assert worse[0].sentence.startswith("slice = x: a is better than b by 0.500 rr")
    # The most certain one is first, even if it comes last and another difference is larger.
    # y falls from 1 to 1/4 eight times, and rises as much once: by 7/12 in the mean, and p is as it was.
    wider = {query: {1: 1, 2: 4}[rank] if by[query] == "y" else rank for query, rank in ranks_a.items()}
    fallen = {query: {1: 1, 2: 4}[rank] if by[query] == "y" else rank for query, rank in ranks_b.items()}
    found = rankgold.compare(qrels, {"a": run_of(wider), "b": run_of(fallen)}, ["rr"], by=by).slices.worse()
    assert [(slice_.slice, slice_.row.difference) for slice_ in found] == [
        ("x", -0.5), ("y", pytest.approx(-7 / 12)), ("z", -0.5),
    ]  # fmt: skip
    # With a measure of which less is better, more is worse.
    less = rankgold.evaluate(qrels, runs, ["mr"], by=by).slices.compare(baseline="a")
    assert [slice_.slice for slice_ in less.worse()] == ["x", "y", "z"]


@for_each("test", ["randomization", "bootstrap", "t", "wilcoxon", "sign", "tukey", "anova"])
def test_every_test_takes_slices_with_one_query(test):
    compared = rankgold.compare(
        QRELS, A_AND_B, ["rr"], by={**LANGUAGE, "q5": "fr"}, test=test, interval=rankgold.Interval(draws=50)
    ).slices
    [single] = [slice_.row for slice_ in compared if slice_.slice == "fr"]
    assert math.isnan(single.low)
    assert (single.queries, single.difference) == (1, 0.5)
    assert compared.frame.columns[:5] == ["attribute", "slice", "measure", "a", "b"]


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "anova"])
def test_a_slice_with_two_queries_of_which_one_is_compared_has_no_p_value(test):
    qrels = {query: {"d": 1} for query in ("q1", "q2", "q3", "q4")}
    a = {query: {"d": 1, "x": 2} for query in qrels}
    b = {query: {"d": 2, "x": 1} for query in qrels if query != "q1"}
    by = {"q1": "de", "q2": "de", "q3": "en", "q4": "en"}
    found = rankgold.compare(qrels, {"a": a, "b": b}, ["rr"], by=by, test=test, policy="missing=skip").slices
    assert [(row.slice, row.row.queries, math.isnan(row.row.p)) for row in found] == [("de", 1, True), ("en", 2, False)]


@pytest.mark.parametrize("separator", ["\t", ","])
def test_attributes_may_hold_quotes(tmp_path, separator):
    path = tmp_path / "attributes.txt"
    path.write_text(f"query{separator}size\n" + "".join(f'q{i}{separator}5" disk\n' for i in range(30)))
    qrels = {f"q{i}": {"d": 1} for i in range(30)}
    [row] = rankgold.evaluate(qrels, {query: {"d": 1} for query in qrels}, ["ap"], by=path).slices
    assert (row.slice, row.queries) == ('5" disk', 30)


def test_without_the_values_of_queries_slices_have_students_test_of_the_sums():
    options = {"engine": "duckdb", "per_query": False, "by": Slices(ATTRIBUTES, ["kind"])}
    sums = rankgold.evaluate(*SAMPLE, ["ap"], **options)
    values = rankgold.evaluate(*SAMPLE, ["ap"], by=Slices(ATTRIBUTES, ["kind"]))
    assert not sums.slices["problem"].has_queries
    ours, theirs = sums.slices.compare(), values.slices.compare(test="t", interval="t")
    columns = ["mean_a", "mean_b", "difference", "low", "high", "p", "p_corrected", "effect", "standardized"]
    np.testing.assert_allclose(ours.frame.select(columns), theirs.frame.select(columns), rtol=1e-9)
    assert ours.frame["queries"].equals(theirs.frame["queries"])
    assert ours.frame["wins"].null_count() == len(ours)
    assert ours.to_dict()["comparisons"][0]["wins"] is None
    assert "wins" not in ours.to_markdown()
    for choice in ({"test": "bootstrap"}, {"interval": "percentile"}, {"interval": rankgold.Interval(margin=0.1)}):
        with pytest.raises(ComparisonError, match="only their sums were kept"):
            sums.slices.compare(**choice)
    with pytest.raises(ComparisonError, match="only their sums were kept"):
        sums.slices.intervals(method="percentile")


def test_a_comparison_in_latex_has_the_means_first_and_then_the_slices():
    found = rankgold.compare(QRELS, {"old": run_of(RANKS), "new": run_of(RANKS)}, ["rr"], by=LANGUAGE)
    latex = found.to_latex()
    assert latex.count(r"\begin{table}") == 2
    assert latex.index(r"old & 0.6500 \\") < latex.index("& de & rr & old & new")
    assert found.slices.to_latex() in latex


def test_csv_of_slices_has_the_columns_of_the_frame():
    scores = rankgold.evaluate(QRELS, {"old": run_of(RANKS), "new": run_of(RANKS)}, ["rr"], by=LANGUAGE)
    found = scores.compare(test="sign")
    for result, text in ((scores.slices, scores.slices.to_csv()), (found.slices, found.to_csv())):
        header, *lines = text.splitlines()
        assert header.split(",") == result.frame.columns
        assert len(lines) == len(result)


def test_without_scipy_the_means_of_sums_are_there_and_a_note_says_what_is_missing(monkeypatch):
    monkeypatch.setattr("rankgold.comparison.slice_scores.find_spec", lambda name: None)
    sums = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=LANGUAGE, engine="duckdb", per_query=False).slices
    assert [(row.mean, row.queries) for row in sums] == list(EXPECTED.values())
    assert all(math.isnan(row.low) for row in sums)
    assert "pip install scipy" in sums.notes[0]
    assert rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=LANGUAGE).slices.notes == ()


# --- bins


def bins_of(values, bins=4):
    series = pl.Series(values)
    counts = series.value_counts()
    slices = AttributeSlices.of("x", counts["x" if "x" in counts.columns else ""], counts["count"].to_numpy(), bins)
    return slices, slices.codes(series)


def test_numbers_are_cut_at_their_quantiles_and_few_of_them_are_slices():
    # Half of 8 queries are reached at 7, where 2 + 1 + 1 have a value up to it.
    slices, codes = bins_of([5, 5, 6, 7, 8, 8, 8, 8], 2)
    assert slices.names == ("5 to 7", "8", "(none)")
    assert codes.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    slices, _ = bins_of([3, 1, 2, 2], 4)
    assert slices.names == ("1", "2", "3", "(none)")
    # A value that half of the queries have fills two of four bins.
    assert bins_of([0] * 10 + list(range(1, 11)), 4)[0].names == ("0", "1 to 5", "6 to 10", "(none)")
    # Numbers that look the same with six digits are written in full.
    assert bins_of([0.1, 0.1 + 1e-9, 5.0], 2)[0].names == ("0.1 to 0.100000001", "5", "(none)")


@examples(30)
@given(st.lists(st.floats(-100, 100).map(lambda x: round(x, 1)), min_size=1, max_size=60), st.integers(1, 6))
def test_bins_end_where_numpy_has_the_quantiles(values, bins):
    slices, codes = bins_of(values, bins)
    if len(set(values)) <= bins:
        assert [float(name) for name in slices.names[:-1]] == sorted(set(values))
        return
    shares = np.arange(1, bins) / bins
    edges = np.unique(np.quantile(values, shares, method="inverted_cdf"))
    expected = np.searchsorted(edges[edges < max(values)], values, side="left")
    # Rounding in NumPy moves a quantile to the next value where the share of a bin is a whole number of queries.
    if all((len(values) * j) % bins for j in range(1, bins)):
        assert codes.tolist() == expected.tolist()
    order = np.argsort(values, kind="stable")
    assert (np.diff(codes[order]) >= 0).all()
    assert len(slices.names) - 1 == len(set(codes.tolist())) <= bins


@for_each(
    ("values", "names"),
    [
        ([True, False, None, True, True], ["false", "true", "(none)"]),
        ([datetime.date(2024, 1, day) for day in (1, 2, 3, 4, 5)], ["2024-01-01 to 2024-01-03", "2024-01-04 to 2024-01-05"]),
        ([1.5, math.nan, 2.0, None, 2.0], ["1.5", "2", "(none)"]),
        (["", "b", None, "a", "B"], ["B", "a", "b", "(none)"]),
        (["(none)", "(none)", None, "a", "a"], ["(none)", "a", "((none))"]),
        ([10, 9, 2**60, -1, 10], ["-1 to 10", "1152921504606846976"]),
    ],
)  # fmt: skip
def test_attributes_of_every_type_have_their_slices(values, names):
    frame = pl.DataFrame({"query": list(RANKS), "x": values}, strict=False)
    bins = 2 if isinstance(values[0], (datetime.date, int)) else 4
    assert list(found(Slices(frame, bins=bins))) == names
    assert found(Slices(frame, bins=bins), engine="duckdb") == found(Slices(frame, bins=bins))


# --- forms of attributes


def test_every_form_of_attributes_gives_the_same_slices(tmp_path):
    frame = pl.DataFrame({"query": list(LANGUAGE), "language": list(LANGUAGE.values())})
    frame.write_csv(tmp_path / "a.csv")
    frame.write_csv(tmp_path / "a.tsv", separator="\t")
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ipc(tmp_path / "a.arrow")
    frame.write_ndjson(tmp_path / "a.jsonl")
    (tmp_path / "a.json").write_text(json.dumps(LANGUAGE))
    relation = duckdb.sql("SELECT * FROM frame")
    forms = [tmp_path / f"a.{ending}" for ending in ("csv", "tsv", "parquet", "arrow", "jsonl", "json")]
    forms += [str(tmp_path / "a.csv"), frame, frame.lazy(), frame.to_pandas(), frame.to_arrow(), frame.to_dicts()]
    forms += [
        LANGUAGE,
        {query: {"language": value} for query, value in LANGUAGE.items()},
        frame.to_dict(as_series=False),
    ]
    forms += [relation, frame.with_columns(pl.col("language").cast(pl.Categorical)), Slices(frame)]
    for form in forms:
        assert found(form) == EXPECTED, form


def test_ids_are_compared_as_text():
    ranks = {7: 1, 8: 2}
    qrels = {query: {"d": 1} for query in ranks}
    for by in ({"7": "a", "8": "b"}, {7.0: "a", 8: "b"}, pl.DataFrame({"qid": [7, 8], "x": ["a", "b"]})):
        slices = rankgold.evaluate(qrels, run_of(ranks), ["rr"], by=by).slices
        assert [(row.slice, row.mean) for row in slices] == [("a", 1.0), ("b", 0.5)]
    note = rankgold.evaluate(qrels, run_of(ranks), ["rr"], by={"07": "a", "8": "b"}).slices.notes
    assert note == (
        "1 query has no attributes (7): in the slices (none)",
        "1 query with attributes is not evaluated (07)",
    )


def test_numbers_in_text_files_are_numbers_but_codes_with_zeros_in_front_are_not(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("query,n,code\nq1,10,007\nq2,9,010\nq3,,007\nq4,1e1,100\nq5,9.0,100\n")
    slices = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=file).slices
    names = {attribute: [] for attribute in ("n", "code")}
    for row in slices:
        names[row.attribute].append(row.slice)
    assert names == {"n": ["9", "10", "(none)"], "code": ["007", "010", "100"]}


@for_each(
    ("by", "message"),
    [
        (pl.DataFrame({"query": ["q1", "q1"], "x": [1, 2]}), "query 'q1' has 2 rows of attributes. Keep one"),
        (pl.DataFrame({"name": ["q1"], "x": [1]}), "cannot tell which column holds the query. Columns found: 'name'"),
        (pl.DataFrame({"query": ["q1"]}), "there is no column besides the queries"),
        (pl.DataFrame({"query": ["q1", None], "x": [1, 2]}), "the query is missing"),
        (pl.DataFrame({"query": [], "x": []}), "there are no rows"),
        ({"zz": "de"}, "none of 5 queries has attributes"),
        (Slices(LANGUAGE, ["slise"]), "there is no attribute 'slise'. Did you mean 'slice'?"),
        (Slices({"q1": {"x": [1, 2]}}, ["x"]), "'x' is of type List"),
        ({"q1": {"x": [1, 2]}}, "x is not an attribute: it is of type List"),
        ({"q1": "a", "q2": {"x": 1}}, "some queries have a dict of attributes"),
        ("language", "by='language' is neither a file nor a column of the judgements or the run"),
        ("nosuch.csv", "nosuch.csv: there is no such file"),
        (7, "by must be a table with a column of queries"),
        ([], "there is neither a table nor an attribute"),
    ],
)
def test_attributes_that_cannot_be_read_are_an_error_that_says_what_to_do(by, message):
    with pytest.raises(DataError) as error:
        rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=by)
    assert message in str(error.value)


def test_marks_of_pandas_for_missing_values_are_no_values():
    frame = pd.DataFrame({"query": list(RANKS), "x": pd.array([1, None, 1, 2, 2], dtype="Int64")})
    frame["when"] = pd.to_datetime(["2024-01-01", None, "2024-01-01", "2024-01-02", "2024-01-02"])
    frame["text"] = ["a", math.nan, None, pd.NA, "b"]
    slices = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=frame).slices
    assert [row.queries for row in slices if row.slice == "(none)"] == [1, 1, 3]
    with pytest.raises(DataError, match=r"the query is in the index \('query'\)"):
        rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=frame.set_index("query"))
    with pytest.raises(DataError, match=r"not Series\. If its index has the queries, pass its to_dict"):
        rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=frame.set_index("query")["x"])


@for_each("choices", [{"bins": 0}, {"bins": True}, {"bins": 2.5}, {"attributes": [1]}, {"attributes": 7}])
def test_slices_with_wrong_choices_are_refused(choices):
    with pytest.raises(DataError):
        Slices(LANGUAGE, **choices)


def test_a_column_of_text_with_many_values_is_an_attribute_only_if_it_is_named():
    ranks = {f"q{i}": 1 for i in range(120)}
    frame = pl.DataFrame({"query": list(ranks), "text": [f"text {i}" for i in range(120)], "x": ["a"] * 120})
    args = ({query: {"d": 1} for query in ranks}, run_of(ranks), ["rr"])
    slices = rankgold.evaluate(*args, by=frame).slices
    assert [row.slice for row in slices] == ["a"]
    assert slices.notes == ("text is left out: it has 120 values. Name the attributes to have it too",)
    assert len(rankgold.evaluate(*args, by=Slices(frame, ["text"])).slices) == 120
    with pytest.raises(DataError, match="there is no attribute by which to divide"):
        rankgold.evaluate(*args, by=frame.drop("x"))


def test_an_attribute_may_be_called_like_a_measure_and_like_a_column_of_the_result():
    by = pl.DataFrame({"query": list(LANGUAGE), "rr": list(LANGUAGE.values()), "mean": ["x"] * 5, "text": ["y"] * 5})
    scores = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=by)
    assert scores.slices.frame["attribute"].to_list() == ["rr", "rr", "mean", "text"]
    duck = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=by, engine="duckdb")
    assert duck.slices.frame.equals(scores.slices.frame)


def test_attributes_are_crossed_only_if_asked():
    device = {"q1": "phone", "q2": "desk", "q3": "phone", "q4": "phone", "q5": "phone"}
    table = {query: {"language": LANGUAGE[query], "device": device[query]} for query in RANKS}
    assert set(found(table)) == {"de", "en", "desk", "phone"}
    crossed = found(Slices(table, ["language*device"]))
    assert crossed == {"de, desk": (1 / 2, 1), "de, phone": (5 / 8, 2), "en, phone": (3 / 4, 2)}
    starred = {query: {"language*device": value} for query, value in device.items()}
    assert set(found(Slices(starred, ["language*device"]))) == {"desk", "phone"}


# --- columns of the data


def labelled():
    """Judgements and rankings in one table, with a language in each row."""
    rows = []
    for query, ranked in run_of(RANKS).items():
        for document, score in ranked.items():
            grade = int(document == "d")
            rows.append((query, document, grade, score, LANGUAGE[query]))
    return pl.DataFrame(rows, schema=["query", "document", "grade", "score", "language"], orient="row")


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_columns_of_the_data_are_attributes(engine, tmp_path):
    table = labelled()
    run = table.select("query", "document", "score", "language")
    qrels = table.filter(grade=1).select("query", "document", "grade", "language")
    run.write_csv(tmp_path / "run.csv")
    run.write_parquet(tmp_path / "run.parquet")
    qrels.write_csv(tmp_path / "qrels.csv")
    for judged, ranked in (
        (QRELS, run),
        (QRELS, run.to_pandas()),
        (QRELS, tmp_path / "run.csv"),
        (QRELS, tmp_path / "run.parquet"),
        (qrels, run_of(RANKS)),
        (tmp_path / "qrels.csv", run_of(RANKS)),
        (table, None),
    ):
        rows = rankgold.evaluate(judged, ranked, ["rr"], by="language", engine=engine).slices
        assert {row.slice: (row.mean, row.queries) for row in rows} == EXPECTED
    with pytest.raises(DataError, match=r"nor a column of the judgements or the run\. Did you mean 'language'"):
        rankgold.evaluate(QRELS, run, ["rr"], by="langage", engine=engine)
    with pytest.raises(DataError, match=r"query 'q2' has several values of 'score': (9 and 8|8 and 9)\. An attribute"):
        rankgold.evaluate(QRELS, run, ["rr"], by="score", engine=engine)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_attributes_belong_to_the_column_of_queries_that_the_evaluation_uses(engine):
    run = labelled().select(pl.lit("someone").alias("user"), "query", "document", "score", "language")
    attributes = pl.DataFrame(
        {"user": ["someone"] * len(LANGUAGE), "query": [*LANGUAGE], "language": LANGUAGE.values()}
    )
    for ranked, by in ((run, "language"), (run_of(RANKS), Slices(attributes, "language"))):
        rows = rankgold.evaluate(QRELS, ranked, ["rr"], by=by, engine=engine).slices
        assert {row.slice: (row.mean, row.queries) for row in rows} == EXPECTED


def test_the_name_of_a_query_comes_before_an_id_however_it_is_written():
    attributes = pl.DataFrame({"id": range(len(LANGUAGE)), "Query": [*LANGUAGE], "language": LANGUAGE.values()})
    rows = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=Slices(attributes, "language")).slices
    assert {row.slice: (row.mean, row.queries) for row in rows} == EXPECTED


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_lists_in_one_source_and_text_in_another_are_no_attribute(engine):
    qrels = pl.DataFrame({"query": ["q1"], "document": ["d"], "grade": [1], "tag": [["x"]]})
    run = pl.DataFrame({"query": ["q1"], "document": ["d"], "score": [1.0], "tag": ["x"]})
    with pytest.raises(DataError, match=r"'tag' mixes types: List\(String\), String\."):
        rankgold.evaluate(qrels, run, ["rr"], by="tag", engine=engine)


def test_columns_of_duckdb_that_polars_does_not_read_may_stand_beside_attributes():
    run = labelled().select("query", "document", "score", "language")
    qrels = pl.DataFrame({"query": [*QRELS], "document": "d", "grade": 1})
    with duckdb.connect() as database:
        database.register("run", run)
        database.register("qrels", qrels)
        database.execute("CREATE TABLE judged AS SELECT *, INTERVAL 3 DAY AS age FROM qrels")
        rows = rankgold.evaluate("judged", "run", ["rr"], by="language", engine=database).slices
        assert {row.slice: (row.mean, row.queries) for row in rows} == EXPECTED
        with pytest.raises(DataError, match=r"by='lang' is neither .* Columns: 'query', 'document', 'grade', 'age',"):
            rankgold.evaluate("judged", "run", ["rr"], by="lang", engine=database)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_a_column_of_the_data_may_lack_a_value_or_be_that_of_the_queries(engine):
    qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    columns = {"query": ["q1", "q2"], "document": ["d", "d"], "score": [1.0, 1.0], "language": ["de", None]}
    scores = rankgold.evaluate(qrels, pl.DataFrame(columns), ["rr"], by="language", engine=engine)
    assert [row.slice for row in scores.slices] == ["de", "(none)"]
    assert scores.slice_notes == ("1 query has no attributes (q2): in the slices (none)",)
    scores = rankgold.evaluate(qrels, pl.DataFrame(columns), ["rr"], by="query", engine=engine)
    assert [row.slice for row in scores.slices] == ["q1", "q2"]


def test_hits_take_a_table_and_have_no_columns():
    hits = rankgold.match(QRELS, run_of(RANKS))
    rows = rankgold.evaluate(hits, ["rr"], by=LANGUAGE).slices
    assert {row.slice: (row.mean, row.queries) for row in rows} == EXPECTED
    with pytest.raises(DataError, match="Hits are matched already, and have no columns"):
        rankgold.evaluate(hits, ["rr"], by="language")


# --- queries that are missing


def test_queries_that_the_policy_leaves_out_do_not_move_the_bins():
    qrels = {**QRELS, "q6": {"d": 1}, "q7": {"d": 1}}
    by = {f"q{i}": i for i in range(1, 8)}
    kept = rankgold.evaluate(qrels, run_of(RANKS), ["rr"], by=Slices(by, bins=2)).slices
    skipped = rankgold.evaluate(qrels, run_of(RANKS), ["rr"], by=Slices(by, bins=2), policy="missing=skip").slices
    assert [(row.slice, row.queries) for row in kept] == [("1 to 4", 4), ("5 to 7", 3)]
    assert [(row.slice, row.queries) for row in skipped] == [("1 to 4", 4), ("5 to 7", 1)]
    assert [row.mean for row in kept] == [11 / 16, 1 / 6]
    assert [row.mean for row in skipped] == [11 / 16, 1 / 2]


def test_attributes_of_queries_that_were_not_selected_are_not_worth_a_note():
    for engine in ("local", "duckdb"):
        scores = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"], by=LANGUAGE, topics=["q1", "q4"], engine=engine)
        assert scores.slices.notes == ()
        assert [(row.slice, row.queries) for row in scores.slices] == [("de", 1), ("en", 1)]


def test_there_are_no_slices_without_by():
    scores = rankgold.evaluate(QRELS, run_of(RANKS), ["rr"])
    with pytest.raises(DataError, match=r"there are no slices\. Pass by="):
        _ = scores.slices
    assert "slices" not in scores.to_dict()
    assert rankgold.compare(QRELS, A_AND_B, ["rr"]).slices is None


# --- engines


def same_slices(scores, reference):
    """Whether slices have the same numbers of queries and the same means, to the last bit."""
    assert scores.slices.notes == reference.slices.notes
    for ours, theirs in zip(scores.parts, reference.parts, strict=True):
        assert (ours.attribute, ours.name) == (theirs.attribute, theirs.name)
        for run in reference.runs:
            assert ours.scores.notes[run].queries == theirs.scores.notes[run].queries
            np.testing.assert_array_equal(
                list(ours.scores.means[run].values()), list(theirs.scores.means[run].values())
            )


# With a query that has no attributes, one that is not evaluated, a missing number and a date.
UNEVEN = (
    pl.read_csv(ATTRIBUTES)
    .head(28)
    .with_columns(
        share=pl.when(pl.col("words") > 7).then(math.nan).otherwise(pl.col("words") / 3),
        day=pl.date(2024, 1, 1) + pl.duration(days=pl.col("words")),
        short=pl.col("words") < 4,
    )
)
UNEVEN = pl.concat([UNEVEN, UNEVEN.head(1).with_columns(query=pl.lit("elsewhere"))])


def uneven(table):
    return Slices(table, ["kind", "words", "share", "day", "short", "kind*short"], bins=3)


def test_duckdb_has_the_slices_of_the_local_engine_to_the_last_bit():
    measures = [str(metric()) for metric in METRICS]
    reference = rankgold.evaluate(*SAMPLE, measures, by=uneven(UNEVEN))
    with duckdb.connect() as connection:
        connection.register("attributes", UNEVEN)
        ways = [("attributes", True), ("attributes", False), (UNEVEN, False), (connection.table("attributes"), True)]
        for table, per_query in ways:
            scores = rankgold.evaluate(*SAMPLE, measures, by=uneven(table), engine=connection, per_query=per_query)
            same_slices(scores, reference)
        for query, message in (
            ("SELECT * FROM attributes UNION ALL SELECT * FROM attributes", "query 'q01' has 2 rows"),
            ("SELECT NULL::VARCHAR AS query, 1 AS x", "the query is missing"),
            ("SELECT 'q01' AS query", "there is no column besides the queries"),
        ):
            with pytest.raises(DataError, match=message):
                rankgold.evaluate(*SAMPLE, ["ap"], by=connection.sql(query), engine=connection)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("judgements_are", ["sent", "shuffled"])
def test_spark_has_the_slices_of_the_local_engine_to_the_last_bit(judgements_are, monkeypatch):
    from rankgold.engines.spark import prepared_data
    from tests.spark import sessions

    session = sessions()["classic" if judgements_are == "sent" else "connect"]
    qrels = SAMPLE[0]
    if judgements_are == "shuffled":
        monkeypatch.setattr(prepared_data, "BROADCAST_LIMIT", 0)
        qrels = session.createDataFrame(rankgold.read_qrels(qrels).to_arrow(compat_level=pl.CompatLevel.oldest()))
    on_spark = session.createDataFrame(UNEVEN.to_arrow(compat_level=pl.CompatLevel.oldest()))
    measures = ["ndcg@10", "ap", "gmap", "num_rel"]
    chosen = ["day", "kind*short"] if judgements_are == "sent" else ["share"]
    reference = rankgold.evaluate(*SAMPLE, measures, by=Slices(UNEVEN, chosen, bins=3))
    for per_query in (False, True) if judgements_are == "sent" else (False,):
        options = {"by": Slices(on_spark, chosen, bins=3), "engine": session, "per_query": per_query}
        same_slices(rankgold.evaluate(qrels, SAMPLE[1], measures, **options), reference)
    if judgements_are == "sent":
        with pytest.raises(DataError, match="query 'elsewhere' has 2 rows of attributes"):
            rankgold.evaluate(qrels, SAMPLE[1], ["ap"], by=on_spark.union(on_spark), engine=session)
        run = session.createDataFrame(labelled().drop("grade").to_arrow(compat_level=pl.CompatLevel.oldest()))
        rows = rankgold.evaluate(QRELS, run, ["rr"], by="language", per_query=False).slices
        assert {row.slice: (row.mean, row.queries) for row in rows} == EXPECTED


def test_plans_say_that_values_are_grouped():
    assert "grouped by the attributes" in rankgold.plan(QRELS, run_of(RANKS), ["rr"], by=LANGUAGE)
    assert "GROUP BY" in rankgold.plan(QRELS, run_of(RANKS), ["rr"], by=LANGUAGE, engine="duckdb")


# --- outputs


HOSTILE = {"q1": "<b>&", "q2": "<b>&", "q3": "=1+1", "q4": "中文 a|b", "q5": "\x1b[31m"}


def test_slices_are_written_in_every_format_and_nothing_in_them_is_markup():
    scores = rankgold.evaluate(QRELS, A_AND_B, ["rr"], by=HOSTILE)
    for result in (scores.slices, scores.slices.compare()):
        html, markdown, latex = result.to_html(), result.to_markdown(), result.to_latex()
        assert "<b>" not in html
        assert "&lt;b&gt;&amp;" in html
        assert "a\\|b" in markdown
        assert "\\toprule" in latex
        assert "\\&" in latex
        assert "\x1b" not in html + markdown + latex + result.to_json() + repr(result)
        # A file keeps the name as it is: only a terminal would obey it.
        assert "\x1b[31m" in result.to_csv()
        assert "'=1+1" in result.to_csv()
        assert "&lt;b&gt;&amp;" in result._repr_html_()
        assert "中文" in json.dumps(json.loads(result.to_json()), ensure_ascii=False)
    assert ",=1+1," in scores.slices.to_csv(raw_ids=True)
    assert repr(scores).endswith("slices by slice: see .slices")


def test_json_has_the_documented_keys():
    scores = rankgold.evaluate(QRELS, A_AND_B, ["rr"], by=LANGUAGE)
    content = json.loads(scores.to_json())["slices"]
    assert list(content) == ["rows", "method", "notes"]
    assert list(content["rows"][0]) == ["attribute", "slice", "run", "measure", "mean", "low", "high", "queries"]
    assert content["method"] == {"interval": "bca", "level": 0.95}
    compared = json.loads(scores.compare(baseline="a").to_json())["slices"]
    assert list(compared) == ["comparisons", "method", "sentences", "doubts", "worse", "notes"]
    assert list(compared["comparisons"][0])[:5] == ["attribute", "slice", "measure", "a", "b"]
    assert [line.partition(":")[0] for line in compared["worse"]] == ["slice = de"]


def test_the_frame_has_a_row_for_each_slice_run_and_measure():
    frame = rankgold.evaluate(QRELS, A_AND_B, ["rr", "ap"], by=LANGUAGE).slices.frame
    assert frame.columns == ["attribute", "slice", "run", "measure", "mean", "low", "high", "queries"]
    assert frame.height == 2 * 2 * 2
    assert pa.table(frame.to_arrow()).num_rows == len(pd.DataFrame(frame.to_dicts())) == 8


# --- the shell


def test_the_commands_print_slices(tmp_path):
    text = printed("evaluate", SAMPLE[0], *SAMPLE[1], "-m", "ndcg@10", "--slices", ATTRIBUTES)
    assert "attribute  slice        run       queries  ndcg@10           95 % CI" in text
    assert "kind       ingredients  bm25            3" in text
    csv = printed("evaluate", SAMPLE[0], *SAMPLE[1], "-m", "ap", "--slices", ATTRIBUTES, "--by", "kind", "-f", "csv")
    assert csv.splitlines()[0] == "attribute,slice,run,measure,mean,low,high,queries"
    assert len(csv.splitlines()) == 1 + 4 * 2
    out = tmp_path / "slices.json"
    printed("compare", SAMPLE[0], *SAMPLE[1], "-m", "ap", "--slices", ATTRIBUTES, "--bins", "2", "-o", str(out))
    rows = json.loads(out.read_text())["slices"]["comparisons"]
    assert [row["slice"] for row in rows] == ["how-to", "ingredients", "problem", "question", "2 to 4", "5 to 9"]
    text = printed("compare", SAMPLE[0], *SAMPLE[1], "-m", "ap", "--slices", ATTRIBUTES, "--baseline", "bm25")
    assert "worse   kind = ingredients: bm25 may be better than expanded" in text
    for format_ in ("markdown", "html", "latex", "csv"):
        for command in ("evaluate", "compare"):
            assert "ingredients" in printed(
                command, SAMPLE[0], *SAMPLE[1], "-m", "ap", "--slices", ATTRIBUTES, "-f", format_
            )  # fmt: skip
    narrow = shown("evaluate", SAMPLE[0], *SAMPLE[1], "-m", "ndcg@10,ap", "--slices", ATTRIBUTES, columns=60)
    assert max(map(len, narrow.splitlines())) <= 60
    duck = printed("evaluate", SAMPLE[0], SAMPLE[1][0], "-m", "ap", "--slices", ATTRIBUTES, "--engine", "duckdb")
    assert duck == printed("evaluate", SAMPLE[0], SAMPLE[1][0], "-m", "ap", "--slices", ATTRIBUTES)


def test_the_commands_say_what_is_wrong_with_slices(tmp_path):
    (tmp_path / "a.csv").write_text("query,x\nq01,1\nq01,2\n")
    command = ("evaluate", SAMPLE[0], SAMPLE[1][0], "-m", "ap")
    assert refused(*command, "--slices", str(tmp_path / "a.csv")).endswith(
        "a.csv: query 'q01' has 2 rows of attributes. Keep one of them."
    )
    assert "--bins is for attributes" in refused(*command, "--bins", "3")
    assert "bins must be a whole number from 1, not 0" in refused(*command, "--slices", ATTRIBUTES, "--bins", "0")
    assert "Did you mean 'words'?" in refused(*command, "--slices", ATTRIBUTES, "--by", "word")
    assert "None of them is a table with columns" in refused(*command, "--by", "language")
    assert "there is no such file" in refused(*command, "--slices", str(tmp_path / "b.csv"))
