"""The note on scores that are the same at 32 bits: which hits it counts, on every way through matching, and when it is shown."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from tests.cases import for_each
from tests.collections import collections, examples, write_trec

# Some differ at 32 bits, some only at 64: 1e-12 is below the distance of 32-bit floats near all of these but 0.
CLOSE_SCORES = st.builds(lambda base, step: base + step * 1e-12, st.sampled_from([-0.3, 0.1, 0.7]), st.integers(-2, 2))
SHOWN = "judged documents would have another rank with scores of 32 bits, as in trec_eval 9 and pytrec_eval"


def frame(dicts, number):
    rows = [(query, document, float(value)) for query, row in dicts.items() for document, value in row.items()]
    return pl.DataFrame(rows, schema=["query", "document", number], orient="row")


def of_frames(qrels, run, **options):
    return rankgold.evaluate(frame(qrels, "grade"), frame(run, "score"), ["rr"], **options)


WAYS = {
    "dicts": lambda qrels, run, **options: rankgold.evaluate(qrels, run, ["rr"], **options),
    "frames": of_frames,
    "DuckDB": lambda qrels, run, **options: of_frames(qrels, run, engine="duckdb", **options),
}
# As 32-bit floats 1 and 1 + 2^-30 are equal.
LOW, HIGH = 1.0, 1 + 2**-30


@for_each("way", WAYS)
@for_each(
    ("ranking", "moved"),
    [
        pytest.param({"a": HIGH, "b": LOW, "c": 0.5}, 1, id="b would come first, by its id: a moves and c does not"),
        pytest.param({"a": HIGH, "c": LOW, "b": 0.5}, 2, id="c and a would change places"),
        pytest.param({"c": HIGH, "a": LOW, "b": 0.5}, 0, id="the order of the ids is that of the scores"),
        pytest.param({"b": HIGH, "x": LOW, "c": 0.5}, 0, id="none of those that would move is judged"),
        pytest.param({"a": 1 + 2**-20, "c": LOW}, 0, id="they differ at 32 bits too"),
        pytest.param({"a": LOW, "c": LOW}, 0, id="they are tied at 64 bits already"),
        pytest.param({"a": 3e300, "b": 2e300, "c": 1e300}, 2, id="all beyond 32 bits: c, b, a"),
    ],
)
def test_hits_whose_rank_would_change_are_counted(way, ranking, moved):
    # q0 and q2 stand beside it, with the same scores: no document is compared with those of other queries.
    run = {"q0": {"a": LOW}, "q1": ranking, "q2": {"a": HIGH}}
    scores = WAYS[way]({"q0": {"a": 1}, "q1": {"a": 1, "c": 1}, "q2": {"a": 1}}, run)
    assert scores.notes.moved_at_32_bits == scores.notes.to_dict()["moved_at_32_bits"] == moved
    hits = 2 + len({"a", "c"} & ranking.keys())
    assert (f"{moved} of {hits} {SHOWN} (policy score_bits=32)" in repr(scores)) == (moved > 0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
@examples(12)
@given(collection=collections(scores=CLOSE_SCORES))
def test_it_is_the_number_of_hits_with_other_ranks_under_the_other_policy(way, unjudged, collection):
    qrels, run = collection
    wide, narrow = (
        rankgold.match(qrels, run, policy=f"unjudged={unjudged}, score_bits={bits}").system.whole for bits in (64, 32)
    )
    ranks = [dict(zip(ranking.row.tolist(), ranking.rank.tolist(), strict=True)) for ranking in (wide, narrow)]
    expected = sum(rank != ranks[1][row] for row, rank in ranks[0].items())
    assert WAYS[way](qrels, run, policy=f"unjudged={unjudged}").notes.moved_at_32_bits == expected


@for_each("way", WAYS)
@for_each("policy", ["trec_eval_9", "pytrec_eval", "score_bits=32", "ties=average", "ties=input", "hivemall"])
def test_policies_that_are_not_those_of_trec_eval_10_get_no_note(way, policy):
    # In the order of the input and in that of the ids from z to a, b would come first.
    scores = WAYS[way]({"q": {"a": 1}}, {"q": {"b": LOW, "a": HIGH}}, policy=policy)
    assert (scores.notes.moved_at_32_bits, scores.notes.tied_hits > 0) == (0, "32" in policy or "eval" in policy)


def test_files_in_chunks_add_up(tmp_path):
    # Two queries of which each has one hit that moves.
    run = {query: {"a": HIGH, "b": LOW} for query in ("q1", "q2")}
    paths = write_trec(tmp_path, {"q1": {"a": 1}, "q2": {"a": 1}}, run)
    assert rankgold.evaluate(*paths, ["rr"]).notes.moved_at_32_bits == 2


def test_batches_of_an_accumulator_add_up():
    accumulator = rankgold.Accumulator(["rr"])
    for query in ("q1", "q2"):
        accumulator.update({query: {"a": 1}}, {query: {"a": HIGH, "b": LOW}})
    assert f"2 of 2 {SHOWN}" in repr(accumulator.scores())


def test_chance_among_many_scores_is_counted_and_not_shown():
    # Of 2,000 hits, only a0 has a score at a distance of 2^-30 from another: 0 would stand below it, by its id.
    documents = [f"a{i}" for i in range(2000)]
    run = {document: float(i + 1) for i, document in enumerate(documents)} | {"0": HIGH}
    scores = rankgold.evaluate({"q": dict.fromkeys(documents, 1)}, {"q": run}, ["rr"])
    assert scores.notes.moved_at_32_bits == 1
    assert SHOWN not in repr(scores)


@pytest.mark.parametrize("digits", [3, 6])
def test_scores_as_run_files_have_them_are_silent(digits):
    random = np.random.default_rng(0)
    run = {"q": {f"d{i}": round(float(score), digits) for i, score in enumerate(random.uniform(0, 30, 1000))}}
    scores = rankgold.evaluate({"q": {f"d{i}": 1 for i in range(0, 1000, 7)}}, run, ["rr"])
    assert scores.notes.moved_at_32_bits == 0
