"""Ids of different kinds on the two sides, and ids that look alike."""

import pandas as pd
import pytest

import karat


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"q": {1: 1, "1": 0}}, {"q": {"1": 1.0, "x": 0.5}}),
        ({"q": {"1": 1}}, {"q": {1: 1.0, "1": 0.5, "x": 0.7}}),
        ({1: {"a": 1}, "1": {"a": 0}}, {"1": {"a": 1.0}}),
    ],
)
def test_two_ids_that_are_the_same_as_text_are_an_error(qrels, run):
    with pytest.raises(karat.DataError, match="the same id as text"):
        karat.evaluate(qrels, run, ["ap"])


def test_whole_floats_are_the_integers_they_equal():
    assert karat.evaluate(karat.from_lists([[1.0, 2.0]], [[2]]), "rr")["rr"] == 0.5


def test_a_pandas_series_by_document_holds_scores():
    scores = karat.evaluate({"q": {"b": 1}}, {"q": pd.Series([1.0, 2.0], index=["a", "b"])}, "rr")
    assert scores["rr"] == 1.0


@pytest.mark.parametrize("run", [{"q": {None: 1.0}}, {None: {"a": 1.0}}, {"q": ["a", None]}])
def test_none_is_no_id(run):
    with pytest.raises(karat.DataError, match="None"):
        karat.evaluate({"q": {"a": 1}}, run, ["ap"])


def test_keys_that_collide_are_told_apart_by_the_ids(monkeypatch):
    # With only 2 bits of each key left, nearly all documents share theirs with others; the numbers stay the same.
    import numpy as np
    import polars as pl

    from karat.matching import keys, tables

    qrels = {f"q{q}": {f"d{d}": d % 3 for d in range(12)} for q in range(5)}
    run = pl.DataFrame(
        [(f"q{q}", f"d{(d * 7) % 40}", float(-d)) for q in range(6) for d in range(40)],
        schema=["query", "doc", "score"],
        orient="row",
    )
    expected = karat.evaluate(qrels, run, ["ap", "ndcg"]).per_query
    true_hashes = keys.hashes_of
    for module in (keys, tables):
        monkeypatch.setattr(module, "hashes_of", lambda documents: true_hashes(documents) & np.uint64(3))
    monkeypatch.setattr(keys, "_MIX", np.uint64(1))
    assert karat.evaluate(qrels, run, ["ap", "ndcg"]).per_query.equals(expected)
