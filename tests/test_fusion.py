"""Fusion: every method and norm worked by hand, runs of any form, learned weights, and the command."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgold
from rankgold.cli import fuse as command
from rankgold.cli.file_format import FORMATS
from rankgold.data import chunks
from rankgold.fusion import candidates, run_rows
from rankgold.fusion.normalisation import NORMS
from rankgold.fusion.registry import METHODS
from rankgold.fusion.training import QueryFolds
from rankgold.fusion.weight_search import ascend, best_of_grid, weight_grid
from rankgold.policy import Policy
from rankgold.samples import path as sample
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
        {"sigma": 1},
        {"a": math.log(3) * (1 + 1 / 9), "b": math.log(3) * (1 / 4 + 1), "c": LN2 / 9, "d": LN2 / 4},
    ),
    "rbc": ({"phi": 0.5}, {"a": 0.5 + 0.125, "b": 0.25 + 0.5, "c": 0.125, "d": 0.25}),
    "combsum": ({}, {"a": 1 + 0, "b": 0.5 + 1, "c": 0, "d": 0.6}),
    "combmnz": ({}, {"a": 2 * 1, "b": 2 * 1.5, "c": 0, "d": 0.6}),
    "combanz": ({}, {"a": 1 / 2, "b": 1.5 / 2, "c": 0, "d": 0.6}),
    "combmin": ({}, {"a": 0, "b": 0.5, "c": 0, "d": 0.6}),
    "combmax": ({}, {"a": 1, "b": 1, "c": 0, "d": 0.6}),
    "combmed": ({}, {"a": 0.5, "b": 0.75, "c": 0, "d": 0.6}),
    "combgmnz": ({"gamma": 3}, {"a": 8 * 1, "b": 8 * 1.5, "c": 0, "d": 0.6}),
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
    "probfuse": ({"segments": 2}, {"a": 0.5, "b": 0.5 + 0.5, "c": 0.5, "d": 0.5}),
    # Chances of the first five ranks: 2/5 and 1/5, times the score plus 1.
    "segfuse": ({}, {"a": 0.4 * 2 + 0.2, "b": 0.4 * 1.5 + 0.2 * 2, "c": 0.4, "d": 0.2 * 1.6}),
    # Means of the ranks beside: 1/2, 2/3, 1 and 1/2, 1/3, 0.
    "slidefuse": ({"window": 1}, {"a": 1 / 2 + 0, "b": 2 / 3 + 1 / 2, "c": 1, "d": 1 / 3}),
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


@pytest.mark.parametrize("method", BY_HAND)
def test_a_method_gives_what_is_worked_by_hand(method):
    keywords, expected = BY_HAND[method]
    assert scores(rankgold.fuse(RUNS, method, **keywords)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("method", LEARNED_BY_HAND)
def test_a_method_that_learns_gives_what_is_worked_by_hand(method):
    keywords, expected = LEARNED_BY_HAND[method]
    assert scores(rankgold.fuse(RUNS, method, qrels=TRAINED, **keywords)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("norm", NORMS_BY_HAND)
def test_a_norm_gives_what_is_worked_by_hand(norm):
    assert scores(rankgold.fuse(RUNS, "combsum", norm=norm)) == pytest.approx(NORMS_BY_HAND[norm], abs=1e-12)


def test_every_method_and_norm_is_worked_by_hand_and_named_in_the_help():
    assert {*BY_HAND, *LEARNED_BY_HAND} == {*METHODS} == {*command.METHODS.split(", ")}
    assert [*NORMS] == command.NORMS.split(", ")
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


@pytest.mark.parametrize("form", FORMS)
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
    monkeypatch.setattr(run_rows, "_AT_ONCE", 64)
    assert len(run_rows.read_numbered_runs(runs, Policy(), None, None).parts()) > 5
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
        run_rows, "distinct_rows", lambda rows, *_: (rows, np.zeros(len(rows.documents), dtype=np.uint64))
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
    "an unknown parameter": (lambda: rankgold.fuse(RUNS, "rrf", phi=1), "rrf has no parameter 'phi'. It takes k."),
    "a mistyped keyword": (lambda: rankgold.fuse(RUNS, polcy="trec_eval"), "Did you mean 'policy'?"),
    "a parameter below its limit": (lambda: rankgold.fuse(RUNS, k=-1), "k is at least 0, not -1."),
    "text for a parameter": (lambda: rankgold.fuse(RUNS, k="x"), "k is a number, not 'x'."),
    "no weights": (lambda: rankgold.fuse(RUNS, "wsum"), "wsum needs a weight for each of the runs run, run (2)"),
    "weights for a method without": (lambda: rankgold.fuse(RUNS, weights=WEIGHTS), "rrf takes no weights. Methods with weights: wsum"),
    "too many weights": (lambda: rankgold.fuse(RUNS, "wsum", weights=[1, 2, 3]), "weights has 3 numbers for 2 runs"),
    "a weight below 0": (lambda: rankgold.fuse(RUNS, "wsum", weights=[1, -1]), "a weight is a number from 0, not -1"),
    "NaN as a weight": (lambda: rankgold.fuse(RUNS, "wsum", weights=[1, math.nan]), "not nan"),
    "no weight above 0": (lambda: rankgold.fuse(RUNS, "wsum", weights=[0, 0]), "all weights are 0"),
    "a number as weights": (lambda: rankgold.fuse(RUNS, "wsum", weights=1), "weights is a list of numbers"),
    "a weight of an unknown run": (
        lambda: rankgold.fuse({"bm25": A, "dense": B}, "wsum", weights={"bm52": 1, "dense": 1}), "'bm52'. Did you mean 'bm25'?"),
    "a run without weight": (
        lambda: rankgold.fuse({"bm25": A, "dense": B}, "wsum", weights={"bm25": 1}), "no weight for the run 'dense'"),
    "no judgements": (lambda: rankgold.fuse(RUNS, "bayesfuse"), "bayesfuse learns from judgements: pass qrels of training queries (--qrels at the shell)"),
    "judgements of no use": (lambda: rankgold.fuse(RUNS, qrels=TRAINED), "rrf does not learn from judgements"),
    "more folds than queries": (lambda: rankgold.learn_weights(HALVES, [RIGHT, WRONG], "rr", folds=9), "There are 8 judged queries that a run has, too few for 9 folds: each needs one. Pass folds=8 or fewer (--folds 8 at the shell)."),
    "no folds": (lambda: rankgold.learn_weights(HALVES, [RIGHT, WRONG], "rr", folds=1), "folds is a whole number from 2, not 1."),
    "too many folds": (lambda: rankgold.fuse(RUNS, "posfuse", qrels=TRAINED, folds=5), "folds need two or more judged queries that a run has, and there is 1 judged query."),
    "a depth of 0": (lambda: rankgold.fuse(RUNS, depth=0), "depth is a whole number from 1, not 0"),
    "scores that max cannot divide": (
        lambda: rankgold.fuse([{"q": {"a": -2, "b": -5}}, B], "sum", norm="max"), "that of query 'q' in run 'run' is -2. Use min-max"),
    "scores too large to be added": (
        lambda: rankgold.fuse([{"q": {"a": 1.7e308}}, {"q": {"a": 1.7e308}}], "sum", norm="none"), "too large to be added"),
    "weights of a method without": (lambda: rankgold.learn_weights(TRAINED, RUNS, method="rrf"), "rrf has no weights to learn"),
    "an unknown search": (lambda: rankgold.learn_weights(TRAINED, RUNS, search="random"), "search is one of ascent, grid, not 'random'"),
    "a step of 0": (lambda: rankgold.learn_weights(TRAINED, RUNS, step=0), "step is a number above 0, up to 0.5, not 0"),
    "a seed below 0": (lambda: QueryFolds.of("abcde", 2, -1), "seed is a whole number from 0, not -1"),
    "a grid too large": (lambda: weight_grid(9, 20), "more than 20,000. Use search='ascent'"),
}  # fmt: skip


def test_an_error_about_a_run_that_teaches_weights_has_its_name():
    with pytest.raises(rankgold.DataError, match="the run 'bm25' has no query in common"):
        rankgold.learn_weights({"other": {"a": 1}}, {"bm25": A, "dense": B})


@pytest.mark.parametrize("fault", FAULTS)
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "parquet"], "Parquet is not text"),
        (["--parameter", "k"], "--parameter is written as k=60, not 'k'"),
        (["--method", "wsum", "--weights", "a=1,2"], "--weights is written as"),
        (["--method", "wsum", "--weights", "1,2", "--qrels", str(sample("qrels.txt"))], "Leave one of the two out"),
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
