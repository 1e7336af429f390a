"""The numbers of trec_eval: pytrec_eval, which wraps its C code, is asked about the same collections."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold.data.files import sample
from tests.charts import rows
from tests.collections import collections, examples, write_trec
from tests.peers.collections import all_collections, values

CUTOFFS = (1, 3, 5, 10)
MEASURES = [
    "map", "ndcg", "recip_rank", "Rprec",
    *(f"{name}_{k}" for name in ("ndcg_cut", "P", "recall", "success") for k in CUTOFFS),
]  # fmt: skip

# Scores that differ as 64-bit floats and are the same as 32-bit ones, among others that differ in both.
SCORES_BEYOND_32_BITS = st.builds(
    lambda base, step: base + step * 1e-12, st.sampled_from([-0.3, 0.1, 0.7, 1.1, 12.3]), st.integers(-3, 3)
)


def safe(collection):
    """The collection with 0 in queries that have negative grades only: pytrec_eval writes past its memory on them."""
    qrels, run = collection
    return {q: row if max(row.values()) >= 0 else dict.fromkeys(row, 0) for q, row in qrels.items()}, run


def of_trec_eval(qrels, run):
    wanted = {
        "map", "ndcg", "recip_rank", "Rprec",
        *(f"{name}.{','.join(map(str, CUTOFFS))}" for name in ("ndcg_cut", "P", "recall", "success")),
    }  # fmt: skip
    return pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)


def of_rankgold(qrels, run, policy):
    return {
        row.pop("query"): row for row in rankgold.evaluate(qrels, run, MEASURES, policy=policy).per_query.to_dicts()
    }


def assert_same(ours, theirs):
    assert ours.keys() == theirs.keys()
    for query, row in theirs.items():
        assert ours[query] == pytest.approx({name: row[name] for name in MEASURES}, rel=0, abs=1e-9), query


def spelling(name):
    """A measure as it is written here. pytrec_eval rounds levels of recall up, as trec_eval 9; trec_eval 10 does not."""
    if name.startswith("iprec_at_recall_"):
        return f"iprec(recall={name.removeprefix('iprec_at_recall_')}, rounding=up)"
    return "iprec_mean(rounding=up)" if name == "11pt_avg" else name


def test_every_measure_of_trec_eval_scores_every_query_as_there():
    qrels, run = all_collections()
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    # The name of the run, and its grades as text: no numbers.
    names = next(iter(theirs.values())).keys() - {"runid", "relstring"}
    assert len(names) > 90
    ours = rankgold.evaluate(qrels, run, [spelling(name) for name in names], policy="pytrec_eval")
    for name in names:
        expected = {query: row[name] for query, row in theirs.items()}
        found = values(ours, spelling(name))
        if name.startswith("gm_"):
            # The logarithm of what counts in the geometric mean, which is at least 0.00001.
            found = {query: np.log(max(value, 0.00001)) for query, value in found.items()}
        assert found == pytest.approx(expected, abs=1e-9), name


@examples(300)
@given(collections().map(safe))
def test_every_query_scores_as_in_trec_eval(collection):
    qrels, run = collection
    assert_same(of_rankgold(qrels, run, "trec_eval"), of_trec_eval(qrels, run))


@examples(60)
@given(collections(scores=SCORES_BEYOND_32_BITS).map(safe))
def test_scores_that_differ_only_beyond_32_bits_are_tied_as_in_trec_eval(collection):
    qrels, run = collection
    assert_same(of_rankgold(qrels, run, "pytrec_eval"), of_trec_eval(qrels, run))


@examples(50)
@given(collections().map(safe))
def test_files_score_as_in_trec_eval(tmp_path_factory, collection):
    qrels, run = collection
    paths = write_trec(tmp_path_factory.getbasetemp(), qrels, run)
    assert_same(of_rankgold(*paths, "trec_eval"), of_trec_eval(qrels, run))


@examples(50)
@given(collections(scores=SCORES_BEYOND_32_BITS).map(safe))
def test_files_with_scores_beyond_32_bits_score_as_in_trec_eval(tmp_path_factory, collection):
    qrels, run = collection
    paths = write_trec(tmp_path_factory.getbasetemp(), qrels, run)
    assert_same(of_rankgold(*paths, "pytrec_eval"), of_trec_eval(qrels, run))


def test_a_tie_beyond_32_bits_is_broken_by_id_only_at_32_bits():
    # As 64-bit floats a stands above b; as 32-bit floats they are tied and b, the higher id, stands first.
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 0.1 + 1e-12, "b": 0.1}}
    assert np.float32(0.1 + 1e-12) == np.float32(0.1)
    assert rankgold.evaluate(qrels, run, ["rr"], policy="trec_eval")["rr"] == 1.0
    assert rankgold.evaluate(qrels, run, ["rr"], policy="pytrec_eval")["rr"] == 0.5
    assert of_trec_eval(qrels, run)["q"]["recip_rank"] == 0.5


@pytest.mark.parametrize("preset", ["trec_eval_9", "pytrec_eval"])
def test_scores_in_a_narrow_band_differ_from_pytrec_eval_unless_the_preset_is_its_own(preset):
    # Similarities as dense retrieval gives them. 32-bit floats near 0.83 are 6e-8 apart, so many of these are tied.
    random = np.random.default_rng(13)
    qrels = {f"q{i}": {f"d{j}": int(random.integers(0, 3)) for j in range(0, 300, 3)} for i in range(20)}
    run = {f"q{i}": {f"d{j}": 0.83 + 1e-5 * random.random() for j in range(300)} for i in range(20)}
    theirs = of_trec_eval(qrels, run)
    assert_same(of_rankgold(qrels, run, preset), theirs)
    mean = np.mean([values["map"] for values in theirs.values()])
    scores = rankgold.evaluate(qrels, run, ["map"], policy="trec_eval")
    assert abs(scores["map"] - mean) > 1e-5
    assert f"{scores.notes.moved_at_32_bits:,} of 2,000 judged documents would have another rank" in repr(scores)
    # Where the note is silent, both presets give the numbers of pytrec_eval.
    run = {query: {document: round(score, 6) for document, score in row.items()} for query, row in run.items()}
    assert rankgold.evaluate(qrels, run, ["map"]).notes.moved_at_32_bits == 0
    for policy in ("trec_eval", preset):
        assert_same(of_rankgold(qrels, run, policy), of_trec_eval(qrels, run))


def test_scores_beyond_the_range_of_32_bits_are_tied_as_in_trec_eval():
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 2e300, "b": 1e300}}
    assert of_trec_eval(qrels, run)["q"]["recip_rank"] == 0.5
    assert rankgold.evaluate(qrels, run, ["rr"], policy="pytrec_eval")["rr"] == 0.5


def test_the_plot_of_precision_against_recall_shows_the_points_of_trec_eval():
    qrels, run = sample("qrels.txt"), sample("bm25.trec")
    with qrels.open() as judgements, run.open() as ranking:
        judged, ranked = pytrec_eval.parse_qrel(judgements), pytrec_eval.parse_run(ranking)
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"iprec_at_recall"}).evaluate(ranked)
    points = rows(rankgold.plots.precision_recall(rankgold.match(qrels, run)), "query", "recall", "precision")
    compared = 0
    for query, recall, precision in points:
        tenths = round(recall * 10)
        relevant = sum(grade >= 1 for grade in judged[query].values())
        # trec_eval takes a recall as reached that is up to a tenth of a document below it: only others are compared.
        if int(tenths / 10 * relevant + 0.9) == -(-tenths * relevant // 10):
            assert precision == pytest.approx(theirs[query][f"iprec_at_recall_{tenths / 10:.2f}"], abs=1e-9)
            compared += 1
    assert compared > 0.9 * len(points) > 0
