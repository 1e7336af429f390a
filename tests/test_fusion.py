"""Fusion: every method and norm worked by hand, runs of any form, learned weights, and the command."""

import json
import math
from typing import get_args

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgold
from rankgold.cli.command import FORMATS
from rankgold.data import chunks
from rankgold.data.files import sample
from rankgold.data.written_files import check_trec_ids
from rankgold.engines.request import Request
from rankgold.fusion import MethodName, NormName, methods
from rankgold.fusion.learned_weights import ascend, best_of_grid, weight_grid
from rankgold.fusion.normalisation import NORMS
from rankgold.fusion.registry import METHODS, QueryFolds
from rankgold.judging import candidates
from tests.cases import for_each
from tests.shell import printed, refused, shell

# Ranks: a is 1 in the first run and 3 in the second, b 2 and 1, c 3 and missing, d missing and 2.
A = {"q": {"a": 10.0, "b": 6.0, "c": 2.0}}
B = {"q": {"b": 0.9, "d": 0.7, "a": 0.4}}
RUNS = [A, B]
# min-max makes 1, 0.5, 0 of the first, and b 1, d 0.6, a 0 of the second.
WEIGHTS = [0.25, 0.75]
LN2 = math.log(2)

BY_HAND = {
    "rrf": ({"k": 1}, {"a": 1 / 2 + 1 / 4, "b": 1 / 3 + 1 / 2, "c": 1 / 4, "d": 1 / 3}),
    "isr": ({}, {"a": 2 * (1 + 1 / 9), "b": 2 * (1 / 4 + 1), "c": 1 / 9, "d": 1 / 4}),
    "logisr": ({}, {"a": LN2 * (1 + 1 / 9), "b": LN2 * (1 / 4 + 1), "c": 0, "d": 0}),
    "lognisr": (
        {"method_options": {"sigma": 1}},
        {"a": math.log(3) * (1 + 1 / 9), "b": math.log(3) * (1 / 4 + 1), "c": LN2 / 9, "d": LN2 / 4},
    ),
    "rbc": ({"method_options": {"phi": 0.5}}, {"a": 0.5 + 0.125, "b": 0.25 + 0.5, "c": 0.125, "d": 0.25}),
    "combsum": ({}, {"a": 1 + 0, "b": 0.5 + 1, "c": 0, "d": 0.6}),
    "combmnz": ({}, {"a": 2 * 1, "b": 2 * 1.5, "c": 0, "d": 0.6}),
    "combanz": ({}, {"a": 1 / 2, "b": 1.5 / 2, "c": 0, "d": 0.6}),
    "combmin": ({}, {"a": 0, "b": 0.5, "c": 0, "d": 0.6}),
    "combmax": ({}, {"a": 1, "b": 1, "c": 0, "d": 0.6}),
    "combmed": ({}, {"a": 0.5, "b": 0.75, "c": 0, "d": 0.6}),
    "combgmnz": ({"method_options": {"gamma": 3}}, {"a": 8 * 1, "b": 8 * 1.5, "c": 0, "d": 0.6}),
    "wsum": ({"weights": WEIGHTS}, {"a": 0.25, "b": 0.25 * 0.5 + 0.75, "c": 0, "d": 0.75 * 0.6}),
    "wmnz": ({"weights": WEIGHTS}, {"a": 1, "b": 1.5, "c": 0, "d": 0.75 * 0.6}),
    "mixed": (
        {"weights": WEIGHTS},
        {"a": math.sqrt(2) * 0.25, "b": math.sqrt(2) * 0.875, "c": 0, "d": 0.45},
    ),
    # Four candidates: 4, 3, 2 points; the one that a run does not rank gets the 1 that is left.
    "borda": ({}, {"a": 4 + 2, "b": 3 + 4, "c": 2 + 1, "d": 1 + 3}),
    "wborda": ({"weights": WEIGHTS}, {"a": 1 + 1.5, "b": 0.75 + 3, "c": 0.5 + 0.75, "d": 0.25 + 2.25}),
    # a and b draw, as do a and d, and c and d; a beats c, b beats c and d.
    "condorcet": ({}, {"a": 1 + 0.5 + 0.5 + 1, "b": 1 + 0.5 + 1 + 1, "c": 1 + 0.5, "d": 1 + 0.5 + 0.5}),
    # The second run decides: b, d, a; and c, which it does not rank, is last.
    "wcondorcet": ({"weights": WEIGHTS}, {"a": 2, "b": 4, "c": 1, "d": 3}),
}  # fmt: skip

# Training: one query, b and c relevant. The first run has them at ranks 2 and 3 of 3, the second b at rank 1 of 3.
TRAINED = {"q": {"b": 1, "c": 2, "a": 0}}
ODDS_A, ODDS_B, LEAST = math.log(0.4 / 0.6), math.log(0.2 / 0.8), math.log(0.001 / 0.999)
LEARNED_BY_HAND = {
    # 2 and 1 relevant documents in the first five ranks.
    "bayesfuse": ({}, {"a": ODDS_A + ODDS_B, "b": ODDS_A + ODDS_B, "c": ODDS_A + LEAST, "d": LEAST + ODDS_B}),
    # AP is (1/2 + 2/3) / 2 = 7/12 and 1/2.
    "mapfuse": ({}, {"a": 7 / 12 + 1 / 6, "b": 7 / 24 + 1 / 2, "c": 7 / 36, "d": 1 / 4}),
    # Chances by rank: 0, 1, 1 and 1, 0, 0.
    "posfuse": ({}, {"a": 0, "b": 1 + 1, "c": 1, "d": 0}),
    # Parts of two ranks and of one: 1/2, 1 / 2 and 1/2, 0.
    "probfuse": ({"method_options": {"segments": 2}}, {"a": 0.5, "b": 0.5 + 0.5, "c": 0.5, "d": 0.5}),
    # Chances of the first five ranks: 2/5 and 1/5, times the score plus 1.
    "segfuse": ({}, {"a": 0.4 * 2 + 0.2, "b": 0.4 * 1.5 + 0.2 * 2, "c": 0.4, "d": 0.2 * 1.6}),
    # Means of the ranks beside: 1/2, 2/3, 1 and 1/2, 1/3, 0.
    "slidefuse": ({"method_options": {"window": 1}}, {"a": 1 / 2 + 0, "b": 2 / 3 + 1 / 2, "c": 1, "d": 1 / 3}),
}  # fmt: skip

NORMS_BY_HAND = {
    "none": {"a": 10.4, "b": 6.9, "c": 2, "d": 0.7},
    "min-max": {"a": 1, "b": 1.5, "c": 0, "d": 0.6},
    "min-max-inverted": {"a": 0 + 1, "b": 0.5 + 0, "c": 1, "d": 0.4},
    "max": {"a": 1 + 4 / 9, "b": 0.6 + 1, "c": 0.2, "d": 7 / 9},
    "sum": {"a": 8 / 12, "b": 4 / 12 + 5 / 8, "c": 0, "d": 3 / 8},
    "rank": {"a": 1 + 1 / 3, "b": 2 / 3 + 1, "c": 1 / 3, "d": 2 / 3},
    "borda": {"a": 1 + 0.5, "b": 0.75 + 1, "c": 0.5 + 0.25, "d": 0.25 + 0.75},
    # Means 6 and 2/3, deviations sqrt(32 / 3) and sqrt(0.126666 / 3).
    "zmuv": {
        "a": 4 / math.sqrt(32 / 3) + (0.4 - 2 / 3) / math.sqrt(0.38 / 9),
        "b": (0.9 - 2 / 3) / math.sqrt(0.38 / 9),
        "c": -4 / math.sqrt(32 / 3),
        "d": (0.7 - 2 / 3) / math.sqrt(0.38 / 9),
    },
}


def scores(frame, query="q"):
    return {document: score for asked, document, score in frame.iter_rows() if asked == query}


@for_each("method", BY_HAND)
def test_a_method_gives_what_is_worked_by_hand(method):
    keywords, expected = BY_HAND[method]
    assert scores(rankgold.fuse(RUNS, method, **keywords)) == pytest.approx(expected, abs=1e-15)


@for_each("method", LEARNED_BY_HAND)
def test_a_method_that_learns_gives_what_is_worked_by_hand(method):
    keywords, expected = LEARNED_BY_HAND[method]
    assert scores(rankgold.fuse(RUNS, method, qrels=TRAINED, **keywords)) == pytest.approx(expected, abs=1e-12)


@for_each("norm", NORMS_BY_HAND)
def test_a_norm_gives_what_is_worked_by_hand(norm):
    assert scores(rankgold.fuse(RUNS, "combsum", norm=norm)) == pytest.approx(NORMS_BY_HAND[norm], abs=1e-12)


def test_every_method_and_norm_is_worked_by_hand_and_named_in_the_help():
    assert {*BY_HAND, *LEARNED_BY_HAND} == {*METHODS} == {*get_args(MethodName)}
    assert (*NORMS,) == get_args(NormName)
    assert {*NORMS_BY_HAND} == {*NORMS}


def test_the_names_of_ranx_are_known():
    theirs = "sum mnz anz min max med gmnz wsum wmnz mixed isr log_isr logn_isr rbc rrf bordafuse w_bordafuse condorcet w_condorcet"
    weighted = dict.fromkeys(("wsum", "wmnz", "mixed", "w_bordafuse", "w_condorcet"), WEIGHTS)
    for name in theirs.split():
        assert rankgold.fuse(RUNS, name, weights=weighted.get(name)).height == 4


def test_the_result_is_sorted_by_query_score_and_id():
    fused = rankgold.fuse([{"q2": {"x": 1}, "q1": {"a": 2, "b": 1}}, {"q1": {"b": 2, "a": 1}, "q0": {"z": 1}}])
    assert fused.columns == ["query", "document", "score"]
    # a and b are tied: the higher id first, as trec_eval ranks them.
    assert fused.select("query", "document").rows() == [("q2", "x"), ("q1", "b"), ("q1", "a"), ("q0", "z")]


@pytest.mark.parametrize(("ties", "order"), [("descending", "cba"), ("ascending", "abc"), ("input", "bca")])
def test_ties_in_runs_and_in_the_result_are_broken_as_the_policy_says(ties, order):
    tied = {"q": {"b": 1, "c": 1, "a": 1}}
    fused = rankgold.fuse([tied, tied], policy=f"ties={ties}", k=0)
    assert fused["document"].to_list() == list(order)
    assert fused["score"].to_list() == pytest.approx([2, 1, 2 / 3])  # ranks 1, 2, 3 in both


def test_documents_with_the_same_places_in_different_runs_are_tied_to_the_last_bit():
    places = [(1, 2, 3), (2, 3, 1), (3, 1, 2)]
    runs = [{"q": {document: -place[run] for document, place in zip("abc", places, strict=True)}} for run in range(3)]
    for method in ("rrf", "isr", "rbc"):
        fused = rankgold.fuse(runs, method)
        assert len(set(fused["score"])) == 1, method
        assert fused["document"].to_list() == ["c", "b", "a"]


def test_the_order_of_the_runs_does_not_change_a_bit():
    random = np.random.default_rng(3)
    runs = [{"q": {f"d{i}": float(s) for i, s in enumerate(random.random(30)) if s > 0.3}} for _ in range(5)]
    for method in ("rrf", "combsum", "combmnz", "borda", "combmed"):
        assert rankgold.fuse(runs, method).equals(rankgold.fuse(runs[::-1], method))


def test_distances_are_turned_round_for_ranks_too():
    near = {"q": {"a": 0.1, "b": 0.5}}
    assert scores(rankgold.fuse([near, near], "rrf", norm="min-max-inverted", k=1)) == {
        "a": 1.0,
        "b": pytest.approx(2 / 3),
    }


def test_a_list_of_equal_scores_counts_nothing_after_a_norm_of_differences():
    for norm in ("min-max", "sum", "zmuv"):
        assert scores(rankgold.fuse([{"q": {"a": 0.1, "b": 0.1, "c": 0.1}}, B], "combsum", norm=norm))["c"] == 0


FORMS = {
    "dicts": lambda folder: RUNS,
    "a dict by name": lambda folder: {"one": A, "two": B},
    "pandas": lambda folder: [pd.DataFrame(rows(run), columns=["query", "document", "score"]) for run in RUNS],
    "polars": lambda folder: [pl.DataFrame(rows(run), orient="row", schema=["query", "document", "score"]) for run in RUNS],
    "one frame with a column of runs": lambda folder: pl.DataFrame(
        [(*row, name) for run, name in zip(RUNS, "AB", strict=True) for row in rows(run)],
        orient="row", schema=["query", "document", "score", "run"]),
    "rows in any order": lambda folder: [pl.DataFrame(rows(run)[::-1], orient="row", schema=["query", "document", "score"]) for run in RUNS],
    "files": lambda folder: files(folder),
    "a pattern": lambda folder: [str(files(folder)[0].parent / "*.trec")],
    "ranked lists": lambda folder: [{"q": ["a", "b", "c"]}, {"q": ["b", "d", "a"]}],
}  # fmt: skip


def rows(run):
    return [(query, document, score) for query, found in run.items() for document, score in found.items()]


def files(folder):
    for name, run in zip("AB", RUNS, strict=True):
        lines = [f"{query} Q0 {document} 0 {score} {name}\n" for query, document, score in rows(run)]
        (folder / f"{name}.trec").write_text("".join(lines))
    return [folder / "A.trec", folder / "B.trec"]


@for_each("form", FORMS)
def test_runs_of_every_form_are_fused_alike(form, tmp_path):
    assert rankgold.fuse(FORMS[form](tmp_path), k=1).rows() == rankgold.fuse(RUNS, k=1).rows()


def test_ids_of_mixed_types_are_the_same_if_they_are_the_same_as_text():
    fused = rankgold.fuse([{1: {7: 2.0, 8: 1.0}}, {"1": {"7": 2.0, "x": 1.0}}], k=1)
    assert fused.rows() == [("1", "7", 1.0), ("1", "x", pytest.approx(1 / 3)), ("1", "8", pytest.approx(1 / 3))]
    assert rankgold.fuse([{1: {7: 2.0}}, {1: {8: 2.0}}], k=1).rows() == [(1, 8, 0.5), (1, 7, 0.5)]


def test_a_query_that_a_run_does_not_have_is_fused_from_the_others():
    fused = rankgold.fuse([{"q": {"a": 1}, "only": {"x": 2, "y": 1}}, {"q": {"b": 1}}, {"q": {}}], k=1)
    assert scores(fused, "only") == {"x": 0.5, "y": pytest.approx(1 / 3)}


def test_duplicates_are_an_error_or_dropped_as_the_policy_says():
    twice = pl.DataFrame({"query": ["q"] * 3, "document": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]})
    with pytest.raises(rankgold.DataError, match="query 'q' ranks document 'a' twice"):
        rankgold.fuse([twice, B])
    assert scores(rankgold.fuse([twice, {"q": {"c": 1}}], "combsum", norm="none", policy="duplicates=first"))["a"] == 1
    assert scores(rankgold.fuse([twice, {"q": {"c": 1}}], "combsum", norm="none", policy="duplicates=last"))["a"] == 3


def test_chunks_stand_for_their_documents():
    fused = rankgold.fuse([{"q": {"d1#1": 1.0, "d1#2": 3.0}}, {"q": {"d1": 1.0}}], "combsum", norm="none", parent="#")
    assert fused.rows() == [("q", "d1", 4.0)]


def test_depth_keeps_the_first_documents_of_each_query():
    assert rankgold.fuse(RUNS, depth=2)["document"].to_list() == ["b", "a"]


def test_parts_of_a_large_set_of_runs_are_fused_as_the_whole(monkeypatch):
    random = np.random.default_rng(1)
    runs = [
        {f"q{q}": {f"d{d}": float(random.random()) for d in random.permutation(30)[: random.integers(1, 20)]}
         for q in random.permutation(40)[:35]}
        for _ in range(3)
    ]  # fmt: skip
    whole = rankgold.fuse(runs, "combmnz", policy="ties=ascending")
    monkeypatch.setattr(candidates, "_AT_ONCE", 64)
    assert len(candidates.read_numbered_runs(Request.of({"run": runs})).parts()) > 5
    assert rankgold.fuse(runs, "combmnz", policy="ties=ascending").equals(whole)


def test_the_runs_of_a_large_file_are_fused_as_those_of_a_small_one(monkeypatch, tmp_path):
    path = tmp_path / "runs.trec"
    path.write_text("q Q0 a 1 2 one\nq Q0 b 2 1 one\nq Q0 b 1 2 two\nq Q0 c 2 1 two\n")
    monkeypatch.setattr(chunks, "LARGE", 1)
    # With k = 60: b has 1/62 + 1/61, a has 1/61, c has 1/62.
    expected = [("q", "b", 1 / 62 + 1 / 61), ("q", "a", 1 / 61), ("q", "c", 1 / 62)]
    assert rankgold.fuse(path).rows() == [
        (query, document, pytest.approx(score)) for query, document, score in expected
    ]


def test_documents_whose_hashes_collide_are_told_apart(monkeypatch):
    expected = rankgold.fuse(RUNS).rows()
    monkeypatch.setattr(
        candidates, "distinct_rows", lambda rows, *_: (rows, np.zeros(len(rows.documents), dtype=np.uint64))
    )
    by_id = []
    first_rows = candidates._first_rows_by_id
    monkeypatch.setattr(candidates, "_first_rows_by_id", lambda *given: by_id.append(1) or first_rows(*given))
    assert rankgold.fuse(RUNS).rows() == expected
    assert by_id


FAULTS = {
    "one run": (lambda: rankgold.fuse([A]), "two or more runs, and there is 1"),
    "an unknown method": (lambda: rankgold.fuse(RUNS, "rff"), "No fusion method is called 'rff'. Did you mean 'rrf'?"),
    "an unknown norm": (lambda: rankgold.fuse(RUNS, "sum", norm="minmx"), "No norm is called 'minmx'. Did you mean 'min-max'?"),
    "an unknown parameter": (lambda: rankgold.fuse(RUNS, "rrf", method_options={"phi": 1}), "rrf has no parameter 'phi'. It takes k."),
    "a parameter below its limit": (lambda: rankgold.fuse(RUNS, k=-1), "k must be at least 0, not -1."),
    "text for a parameter": (lambda: rankgold.fuse(RUNS, k="x"), "k must be a number, not 'x'."),
    "no weights": (lambda: rankgold.fuse(RUNS, "wsum"), "wsum needs a weight for each of the runs run, run (2)"),
    "weights for a method without": (lambda: rankgold.fuse(RUNS, weights=WEIGHTS), "rrf takes no weights. Methods with weights: wsum"),
    "too many weights": (lambda: rankgold.fuse(RUNS, "wsum", weights=[1, 2, 3]), "weights has 3 numbers for 2 runs"),
    "a weight below 0": (lambda: rankgold.fuse(RUNS, "wsum", weights=[1, -1]), "a weight must be a number from 0, not -1"),
    "NaN as a weight": (lambda: rankgold.fuse(RUNS, "wsum", weights=[1, math.nan]), "not nan"),
    "no weight above 0": (lambda: rankgold.fuse(RUNS, "wsum", weights=[0, 0]), "all weights are 0"),
    "a number as weights": (lambda: rankgold.fuse(RUNS, "wsum", weights=1), "weights must be a list of numbers"),
    "a weight of an unknown run": (
        lambda: rankgold.fuse({"bm25": A, "dense": B}, "wsum", weights={"bm52": 1, "dense": 1}), "'bm52'. Did you mean 'bm25'?"),
    "a run without weight": (
        lambda: rankgold.fuse({"bm25": A, "dense": B}, "wsum", weights={"bm25": 1}), "no weight for the run 'dense'"),
    "no judgements": (lambda: rankgold.fuse(RUNS, "bayesfuse"), "bayesfuse learns from judgements: pass qrels of training queries (--qrels at the shell)"),
    "judgements of no use": (lambda: rankgold.fuse(RUNS, qrels=TRAINED), "rrf does not learn from judgements"),
    "more folds than queries": (lambda: rankgold.learn_weights(HALVES, [RIGHT, WRONG], "rr", folds=9), "There are 8 judged queries that a run has, too few for 9 folds: each needs one. Pass folds=8 or fewer (--folds 8 at the shell)."),
    "no folds": (lambda: rankgold.learn_weights(HALVES, [RIGHT, WRONG], "rr", folds=1), "folds must be a whole number from 2, not 1."),
    "too many folds": (lambda: rankgold.fuse(RUNS, "posfuse", qrels=TRAINED, folds=5), "folds need two or more judged queries that a run has, and there is 1 judged query."),
    "a depth of 0": (lambda: rankgold.fuse(RUNS, depth=0), "depth must be a whole number from 1, not 0"),
    "scores that max cannot divide": (
        lambda: rankgold.fuse([{"q": {"a": -2, "b": -5}}, B], "sum", norm="max"), "that of query 'q' in run 'run' is -2. Use min-max"),
    "scores too large to be added": (
        lambda: rankgold.fuse([{"q": {"a": 1.7e308}}, {"q": {"a": 1.7e308}}], "sum", norm="none"), "too large to be added"),
    "weights of a method without": (lambda: rankgold.learn_weights(TRAINED, RUNS, method="rrf"), "rrf has no weights to learn"),
    "an unknown search": (lambda: rankgold.learn_weights(TRAINED, RUNS, search="random"), "search must be one of ascent, grid, not 'random'"),
    "a step of 0": (lambda: rankgold.learn_weights(TRAINED, RUNS, step=0), "step must be a number above 0, up to 0.5, not 0"),
    "a seed below 0": (lambda: QueryFolds.of("abcde", 2, -1), "seed must be a whole number from 0, not -1"),
    "a grid too large": (lambda: weight_grid(9, 20), "more than 20,000. Use search='ascent'"),
}  # fmt: skip


def test_an_error_about_a_run_that_teaches_weights_has_its_name():
    with pytest.raises(rankgold.DataError, match="the run 'bm25' has no query in common"):
        rankgold.learn_weights({"other": {"a": 1}}, {"bm25": A, "dense": B})


@for_each("fault", FAULTS)
def test_a_mistake_is_an_error_that_says_what_to_do(fault):
    call, part = FAULTS[fault]
    with pytest.raises(rankgold.FusionError) as caught:
        call()
    assert part in str(caught.value)


def test_averaged_ties_have_no_order_to_fuse():
    with pytest.raises(rankgold.PolicyError, match="ties=average has no single order to fuse"):
        rankgold.fuse(RUNS, policy="ties=average")


def test_the_depth_of_a_policy_is_for_evaluations():
    with pytest.raises(rankgold.PolicyError, match="Pass depth to fuse"):
        rankgold.fuse(RUNS, policy="depth=3")


def test_weights_are_learned_for_one_measure():
    with pytest.raises(rankgold.MeasureError, match="one measure, not 2: ap, rr"):
        rankgold.learn_weights(TRAINED, RUNS, ["ap", "rr"])


def test_the_grid_has_every_point_and_the_best_is_found():
    assert sorted(weight_grid(3, 2)) == [
        (0, 0, 1), (0, 0.5, 0.5), (0, 1, 0), (0.5, 0, 0.5), (0.5, 0.5, 0), (1, 0, 0),
    ]  # fmt: skip

    def nearness(points):
        return [-sum(abs(a - b) for a, b in zip(point, (0.2, 0.7, 0.1), strict=True)) for point in points]

    assert best_of_grid(nearness, 3, 10) == (0.2, 0.7, 0.1)
    assert nearness([ascend(nearness, 3, 10)])[0] > -0.1


def test_equal_points_of_the_grid_give_the_most_even_weights():
    assert best_of_grid(lambda points: [1.0] * len(points), 3, 4) == (0.25, 0.25, 0.5)
    assert ascend(lambda points: [1.0] * len(points), 2, 4) == (0.5, 0.5)


# a is relevant. Where both documents have the same fused score, z comes first.
HALVES = {f"q{n}": {"a": 1, "z": 0} for n in range(8)}
RIGHT = {f"q{n}": {"a": 2.0 if n < 6 else 1.0, "z": 1.0 if n < 6 else 2.0} for n in range(8)}
WRONG = {query: {"a": 1.0, "z": 2.0} for query in HALVES}


def test_learned_weights_prefer_the_better_run_and_the_score_is_of_unseen_queries():
    learned = rankgold.learn_weights(HALVES, {"right": RIGHT, "wrong": WRONG}, "rr", folds=4)
    # Weights above 1/2 for the run that is right in 6 of 8 queries give 6 * 1 + 2 * 1/2.
    assert learned.weights == {"right": 0.6, "wrong": 0.4}
    assert learned.score == learned.training_score == pytest.approx(7 / 8)
    assert learned.alone == {"right": pytest.approx(7 / 8), "wrong": 0.5}
    assert len(learned.folds) == 4
    assert rankgold.evaluate(HALVES, learned.fused, ["rr"])["rr"] == learned.score
    assert "0.8750 on queries that did not teach the weights (4 folds)" in str(learned)


def test_a_run_that_only_helps_the_queries_it_was_tuned_on_does_not_raise_the_honest_score():
    """Two queries, two folds: each fold prefers the run that is right for it, and is wrong for the other."""
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    first = {"q1": {"a": 2, "z": 1}, "q2": {"z": 2, "a": 1}}
    second = {"q1": {"z": 2, "a": 1}, "q2": {"a": 2, "z": 1}}
    learned = rankgold.learn_weights(qrels, [first, second], "rr", folds=2, search="grid")
    assert learned.training_score == 0.75  # one query right, one wrong
    assert learned.score == 0.5


def test_a_measure_where_lower_is_better_is_lowered():
    learned = rankgold.learn_weights(HALVES, {"right": RIGHT, "wrong": WRONG}, "mr", folds=2)
    assert learned.weights["right"] > learned.weights["wrong"]
    assert learned.training_score == (6 * 1 + 2 * 2) / 8


def test_learning_is_the_same_for_the_same_seed_only():
    runs = [sample("bm25.trec"), sample("expanded.trec"), sample("titles.trec")]
    first, again, other = (rankgold.learn_weights(sample("qrels.txt"), runs, seed=seed) for seed in (0, 0, 1))
    assert first.fused.equals(again.fused)
    assert (first.weights, first.score) == (again.weights, again.score)
    assert first.weights == other.weights
    assert first.folds != other.folds


def test_folds_of_a_method_that_learns_leave_the_judgements_of_a_query_out():
    qrels = {"q1": {"a": 1}, "q2": {"d": 1}}
    run = {"q1": {"a": 2, "b": 1}, "q2": {"c": 2, "d": 1}}
    held_out = rankgold.fuse([run, run], "posfuse", qrels=qrels, folds=2)
    # q1 is fused with what q2 taught, where rank 2 is relevant; q2 with what q1 taught.
    assert scores(held_out, "q1") == {"a": 0, "b": 2}
    assert scores(held_out, "q2") == {"c": 2, "d": 0}
    assert scores(rankgold.fuse([run, run], "posfuse", qrels=qrels), "q1") == {"a": 1, "b": 1}


SAMPLE = [str(sample("bm25.trec")), str(sample("expanded.trec"))]


@pytest.mark.parametrize("format_", FORMATS)
def test_the_file_that_the_command_writes_is_evaluated_as_the_frame(format_, tmp_path):
    file = tmp_path / f"fused.{format_}"
    assert printed("fuse", *SAMPLE, "--method", "combmnz", "-o", str(file)) == ""
    expected = rankgold.evaluate(sample("qrels.txt"), rankgold.fuse(SAMPLE, "combmnz"), ["ndcg@10", "ap"])
    assert rankgold.evaluate(sample("qrels.txt"), file, ["ndcg@10", "ap"]).means == expected.means


def test_a_trec_file_has_ranks_and_the_tag():
    lines = printed("fuse", *SAMPLE, "--tag", "both", "--depth", "2", "--parameter", "k=1").splitlines()
    assert lines[0] == "q01 Q0 bread-01 1 1.0 both"
    assert [line.split()[3] for line in lines[:4]] == ["1", "2", "1", "2"]


def test_the_command_takes_weights_by_order_and_by_name():
    by_order = printed("fuse", *SAMPLE, "--method", "wsum", "--weights", "0.2,0.8")
    assert printed("fuse", *SAMPLE, "--method", "wsum", "--weights", "expanded=0.8,bm25=0.2") == by_order
    frame = rankgold.fuse(SAMPLE, "wsum", weights=[0.2, 0.8])
    assert len(by_order.splitlines()) == frame.height


def test_the_command_learns_weights_and_reports_the_honest_score(tmp_path):
    arguments = ["fuse", *SAMPLE, "--method", "wsum", "--qrels", str(sample("qrels.txt")), "-m", "ndcg@10"]
    learned = rankgold.learn_weights(sample("qrels.txt"), SAMPLE)
    done = shell(*arguments, "-f", "json", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == f"{learned}\n"
    fused = rankgold.fuse(SAMPLE, "wsum", weights=learned.weights)
    assert json.loads(done.stdout)["q01"] == scores(fused, "q01")
    held_out = json.loads(printed(*arguments, "-f", "json", "--folds", "5", "--quiet"))
    assert rankgold.evaluate(sample("qrels.txt"), held_out, ["ndcg@10"])["ndcg@10"] == pytest.approx(learned.score)


@for_each(
    ("arguments", "message"),
    [
        (["--format", "parquet"], "Parquet cannot be printed"),
        (["--parameter", "k"], "--parameter must be written as k=60, not 'k'"),
        (["--method", "wsum", "--weights", "a=1,2"], "--weights must be written as"),
        (
            ["--method", "wsum", "--weights", "1,2", "--qrels", str(sample("qrels.txt"))],
            "--weights and --qrels cannot be combined",
        ),
        (["--tag", "two words"], "the tag 'two words' cannot be in a TREC file"),
        (["--method", "wsum"], "wsum needs a weight for each of the runs bm25, expanded"),
    ],
)
def test_a_mistake_at_the_shell_says_what_to_do(arguments, message):
    assert message in refused("fuse", *SAMPLE, *arguments)


def test_an_id_with_a_space_is_not_written_to_a_trec_file(tmp_path):
    file = tmp_path / "run.json"
    file.write_text('{"q 1": {"d": 1}}')
    assert "the query 'q 1' cannot be in a TREC file" in refused("fuse", str(file), SAMPLE[0])
    assert "q 1,d," in printed("fuse", str(file), SAMPLE[0], "-f", "csv")


DEFAULTS = {
    "rrf": {"k": 60}, "lognisr": {"sigma": 0.01}, "rbc": {"phi": 0.8}, "combgmnz": {"gamma": 1.0}, "probfuse": {"segments": 10},
    "slidefuse": {"window": 5},
}  # fmt: skip


def test_parameters_have_the_defaults_and_the_limits_of_their_papers():
    found = {name: {p: known.parameters[p].default for p in known.parameters} for name, known in METHODS.items()}
    assert {name: values for name, values in found.items() if values} == DEFAULTS
    for name, values in DEFAULTS.items():
        qrels = TRAINED if METHODS[name].learns else None
        assert rankgold.fuse(RUNS, name, qrels=qrels).equals(
            rankgold.fuse(RUNS, name, qrels=qrels, method_options=values)
        )
    for name, parameter, limit, beyond in (
        ("rrf", "k", 0, -0.1), ("lognisr", "sigma", 1, 1.1), ("lognisr", "sigma", 0, -0.1), ("rbc", "phi", 0, -0.1),
        ("rbc", "phi", 0.99, 1), ("combgmnz", "gamma", 0, -0.1),
    ):  # fmt: skip
        assert rankgold.fuse(RUNS, name, method_options={parameter: limit}).height == 4
        with pytest.raises(rankgold.FusionError, match=f"{parameter} must be "):
            rankgold.fuse(RUNS, name, method_options={parameter: beyond})
    for name, parameter, limit in (("probfuse", "segments", 1), ("slidefuse", "window", 0)):
        assert rankgold.fuse(RUNS, name, qrels=TRAINED, method_options={parameter: limit}).height == 4
        with pytest.raises(rankgold.FusionError, match=f"{parameter} must be at least {limit}, not {limit - 1}"):
            rankgold.fuse(RUNS, name, qrels=TRAINED, method_options={parameter: limit - 1})


# Of 1,001 documents those at the ranks 1, 2, 6, 21, 1000 and 1001 are relevant. The other run has one, which is not.
LONG = {"q": {f"d{rank}": 1001.0 - rank for rank in range(1, 1002)}}
LONG_TRAINED = {"q": {f"d{rank}": 1 for rank in (1, 2, 6, 21, 1000, 1001)} | {"z": 0}}


def test_bayesfuse_learns_odds_for_parts_that_grow():
    # Parts end at 5, 10, 15, 20, 30, 100, 200, 500 and 1000. Below that, and where nothing is relevant, the odds are least.
    odds = {5: 2 / 5, 6: 1 / 5, 10: 1 / 5, 21: 1 / 10, 30: 1 / 10, 501: 1 / 500, 1000: 1 / 500}
    fused = scores(rankgold.fuse([LONG, {"q": {"z": 1.0}}], "bayesfuse", qrels=LONG_TRAINED))
    for rank in (1, 5, 6, 10, 11, 15, 16, 20, 21, 30, 31, 100, 101, 200, 201, 500, 501, 1000, 1001):
        chance = odds.get(rank, 2 / 5 if rank == 1 else 0.001)
        assert fused[f"d{rank}"] == pytest.approx(math.log(chance / (1 - chance)) + LEAST), rank
    # If all five are relevant, what is left is 0.001.
    five = {"q": {letter: 9.5 - i for i, letter in enumerate("abcde")}}
    fused = scores(rankgold.fuse([five, five], "bayesfuse", qrels={"q": dict.fromkeys("abcde", 1)}))
    assert fused == pytest.approx(dict.fromkeys("abcde", 2 * math.log(1 / 0.001)))


def test_segfuse_learns_chances_for_parts_that_double():
    # Parts end at 5, 15, 35, 75 and so on, and the ninth at 1275. min-max makes (1001 - rank) / 1000 of the scores.
    chances = {
        1: 2 / 5,
        5: 2 / 5,
        6: 1 / 10,
        15: 1 / 10,
        16: 1 / 20,
        35: 1 / 20,
        36: 0,
        635: 0,
        636: 2 / 640,
        1001: 2 / 640,
    }
    fused = scores(rankgold.fuse([LONG, {"q": {"z": 1.0}}], "segfuse", qrels=LONG_TRAINED))
    for rank, chance in chances.items():
        assert fused[f"d{rank}"] == pytest.approx(chance * ((1001 - rank) / 1000 + 1), abs=1e-12), rank


def test_what_was_learned_from_short_lists_holds_for_longer_ones():
    # Of the list of two that teaches, the second is relevant. Of c, d and e, the third is at a rank that nothing is known of.
    run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 3.0, "d": 2.0, "e": 1.0}}
    qrels = {"q1": {"b": 1}}
    assert scores(rankgold.fuse([run, run], "posfuse", qrels=qrels), "q2") == {"c": 0, "d": 2, "e": 0}
    # The mean of the ranks 1 and 2, of 1 to 3, and of 2 and 3.
    slid = rankgold.fuse([run, run], "slidefuse", qrels=qrels, method_options={"window": 1})
    assert scores(slid, "q2") == pytest.approx({"c": 2 * 1 / 2, "d": 2 * 1 / 3, "e": 2 * 1 / 2})
    assert scores(rankgold.fuse([run, run], "slidefuse", qrels=qrels, method_options={"window": 0}), "q2") == {
        "c": 0,
        "d": 2,
        "e": 0,
    }


def test_the_chances_of_ranks_are_those_of_lists_that_are_long_enough():
    # Rank 1 is relevant in one of two lists, rank 2 in the only one that has it.
    run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}
    fused = rankgold.fuse([run, run], "posfuse", qrels={"q1": {"b": 1}, "q2": {"c": 1}})
    assert scores(fused, "q1") == {"a": 1, "b": 2}
    assert scores(fused, "q2") == {"c": 1}


def test_probfuse_cuts_a_list_into_parts_of_the_same_length_and_a_shorter_one():
    # Five documents in two parts: ranks 1 to 3, and 4 and 5. Relevant at 2 and 5: 1/3, and 1/2 over the number 2 of the part.
    run = {"q": {letter: 9.5 - i for i, letter in enumerate("abcde")}}
    fused = scores(rankgold.fuse([run, run], "probfuse", qrels={"q": {"b": 1, "e": 1}}, method_options={"segments": 2}))
    assert fused == pytest.approx({"a": 2 / 3, "b": 2 / 3, "c": 2 / 3, "d": 2 / 4, "e": 2 / 4})
    # Over two training queries of 5 and 2 documents, where nothing of the second is relevant, the chances are half of that.
    run["r"] = {"x": 2.0, "y": 1.0}
    fused = rankgold.fuse(
        [run, run], "probfuse", qrels={"q": {"b": 1, "e": 1}, "r": {"x": 0}}, method_options={"segments": 2}
    )
    assert scores(fused) == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3, "d": 1 / 4, "e": 1 / 4})
    assert scores(fused, "r") == pytest.approx({"x": 1 / 3, "y": 1 / 4})


def test_the_median_of_three_scores_is_the_middle_one_and_of_two_their_mean():
    runs = [{"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 9.0, "b": 2.0, "c": 4.0}}, {"q": {"a": 2.0}}]
    assert scores(rankgold.fuse(runs, "combmed", norm="none")) == {"a": 2.0, "b": 1.5, "c": 4.0}


def test_pairs_of_documents_are_compared_some_at_a_time(monkeypatch):
    random = np.random.default_rng(5)
    runs = [{"q": {f"d{i}": float(s) for i, s in enumerate(random.random(9)) if s > 0.2}} for _ in range(3)]
    whole = rankgold.fuse(runs, "condorcet")
    for pairs in (1, 20):
        monkeypatch.setattr(methods, "_PAIRS", pairs)
        assert rankgold.fuse(runs, "condorcet").equals(whole)


def test_weights_that_are_even_but_for_rounding_are_a_draw():
    # a is above b by 0.1 + 0.2, and below it by 0.3.
    above, below = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 2.0, "a": 1.0}}
    fused = rankgold.fuse([above, above, below], "wcondorcet", weights=[0.1, 0.2, 0.3])
    assert scores(fused) == {"a": 1.5, "b": 1.5}


def test_a_highest_score_of_0_can_be_divided_if_all_scores_are_0():
    assert scores(rankgold.fuse([{"q": {"x": 0.0}}, {"q": {"x": 2.0, "y": 1.0}}], "sum", norm="max")) == {
        "x": 1.0,
        "y": 0.5,
    }
    with pytest.raises(rankgold.FusionError, match="that of query 'r' in run 'run' is 0"):
        rankgold.fuse([{"q": {"x": 1.0}, "r": {"x": -1.0, "y": 0.0}}, {"q": {"x": 1.0}}], "sum", norm="max")


@for_each("norm", NORMS)
def test_a_query_without_documents_and_one_with_a_single_document_have_a_norm(norm):
    one, two = {"q": {"a": 2.0}, "empty": {}}, {"q": {"a": 2.0}, "empty": {}}
    # Where scores are differences, a single one is 0; where they are shares of the highest, or ranks, 1; else as it is.
    value = {"max": 1, "rank": 1, "borda": 1, "none": 2}.get(norm, 0)
    assert rankgold.fuse([one, two], "combsum", norm=norm).rows() == [("q", "a", 2 * value)]


def test_weights_of_runs_are_numbers_from_0():
    assert scores(rankgold.fuse(RUNS, "wsum", weights=[0, 1])) == pytest.approx({"a": 0, "b": 1, "c": 0, "d": 0.6})
    for wrong in (math.inf, -0.1, True, "x", None):
        with pytest.raises(rankgold.FusionError, match="a weight must be a number from 0, not"):
            rankgold.fuse(RUNS, "wsum", weights=[1, wrong])
    hint = r"wsum does not learn from judgements: leave out qrels and folds\. learn_weights finds its weights"
    with pytest.raises(rankgold.FusionError, match=hint):
        rankgold.fuse(RUNS, "wsum", weights=WEIGHTS, qrels=TRAINED)
    with pytest.raises(rankgold.FusionError, match=r"leave out qrels and folds\. Methods that do: bayesfuse, mapfuse"):
        rankgold.fuse(RUNS, "rrf", folds=2)


@for_each(
    ("call", "message"),
    [
        (lambda: rankgold.fuse(RUNS, depth=True), "depth must be a whole number from 1, not True"),
        (lambda: rankgold.fuse(RUNS, depth=1.5), "depth must be a whole number from 1, not 1.5"),
        (lambda: rankgold.learn_weights(TRAINED, RUNS, step=0.51), "step must be a number above 0, up to 0.5, not 0.51"),
        (lambda: rankgold.learn_weights(TRAINED, RUNS, step=True), "step must be a number above 0, up to 0.5, not True"),
        (lambda: QueryFolds.of("abc", True, 0), "folds must be a whole number from 2, not True"),
        (lambda: QueryFolds.of("abc", 2.0, 0), "folds must be a whole number from 2, not 2.0"),
        (lambda: QueryFolds.of("abc", 2, True), "seed must be a whole number from 0, not True"),
        (lambda: QueryFolds.of("abc", 4, 0), "There are 3 judged queries that a run has, too few for 4 folds"),
        (lambda: QueryFolds.of("", 2, 0), "and there is no judged query"),
    ],
)  # fmt: skip
def test_limits_of_numbers_are_kept(call, message):
    with pytest.raises(rankgold.FusionError, match=message):
        call()


def test_folds_differ_by_at_most_one_query_and_teach_each_other():
    divided = QueryFolds.of("abcdefg", 3, 0)
    assert sorted(np.bincount(divided.fold)) == [2, 2, 3]
    for number, teaches in enumerate(divided.teaching()):
        assert (teaches == (divided.fold != number)).all()
    assert sorted(np.bincount(QueryFolds.of("abc", 3, 0).fold)) == [1, 1, 1]
    assert rankgold.fuse(RUNS, depth=1).height == 1


def test_weights_are_learned_with_the_documented_defaults():
    runs = [sample("bm25.trec"), sample("expanded.trec")]
    learned = rankgold.learn_weights(sample("qrels.txt"), runs)
    same = rankgold.learn_weights(
        sample("qrels.txt"), runs, "ndcg@10", method="wsum", norm="min-max", search="ascent", step=0.1, folds=5, seed=0
    )
    assert (learned.weights, learned.folds, learned.score) == (same.weights, same.folds, same.score)
    assert learned.fused.equals(same.fused)
    held_out = [
        rankgold.fuse(runs, "mapfuse", qrels=sample("qrels.txt"), folds=3, **seed) for seed in ({}, {"seed": 0})
    ]
    assert held_out[0].equals(held_out[1])


def test_the_grid_has_up_to_twenty_thousand_points_and_a_step_up_to_a_half():
    # Two runs in n steps have n + 1 points.
    assert len(weight_grid(2, 19_999)) == 20_000
    with pytest.raises(rankgold.FusionError, match="has 20,001 points"):
        weight_grid(2, 20_000)
    learned = rankgold.learn_weights(HALVES, {"right": RIGHT, "wrong": WRONG}, "rr", folds=2, step=0.5, search="grid")
    # 0, 1/2 and 1: with even weights z wins all ties, so only the weight 1 is better.
    assert learned.weights == {"right": 1.0, "wrong": 0.0}


def test_ascent_moves_one_weight_after_the_other_and_keeps_the_proportions_of_the_others():
    tried = []

    def first_alone(points):
        tried.extend(points)
        return [point[0] for point in points]

    assert ascend(first_alone, 3, 2) == (1.0, 0.0, 0.0)
    third = round(1 / 3, 12)
    # The same for all; then 0, 1/2 and 1 for the first run, of which 1 is best; then the same for the others.
    assert tried[:4] == [(third, third, third), (0.0, 0.5, 0.5), (0.5, 0.25, 0.25), (1.0, 0.0, 0.0)]
    assert tried[4:7] == [(1.0, 0.0, 0.0), (0.5, 0.5, 0.0), (0.0, 1.0, 0.0)]
    # From a point where the others have nothing, what is left is divided evenly among them.
    assert tried[10:13] == [(0.0, 0.5, 0.5), (0.5, 0.25, 0.25), (1.0, 0.0, 0.0)]
    assert len(tried) == 1 + 2 * 3 * 3, "a round that gains nothing is the last"


def test_a_trec_file_has_no_id_that_is_empty_or_has_a_space():
    for wrong in ("", "a b", "a\tb", "a\u2028b", "a\x85b"):
        with pytest.raises(rankgold.DataError, match=r"the document .* cannot be in a TREC file"):
            check_trec_ids({"query": pl.Series(["q", "r"]), "document": pl.Series(["d", wrong])})
    check_trec_ids({"query": pl.Series([1, 2]), "document": pl.Series(["é", "-"])})


def test_a_parameter_that_is_given_twice_must_be_the_same():
    runs = [{"q": {"d": 1.0}}, {"q": {"d": 1.0}}]
    with pytest.raises(rankgold.FusionError, match="k is given twice, as k=1 and in method_options"):
        rankgold.fuse(runs, k=1, method_options={"k": 60})
    # The document is first in both runs: 2 / (60 + 1).
    assert rankgold.fuse(runs, k=60, method_options={"k": 60}).rows() == [("q", "d", 2 / 61)]
