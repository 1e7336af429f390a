"""Buffers that are used again: what an object was made of may change afterwards, and its numbers do not."""

import numpy as np
import polars as pl

import rankgold
from tests.cases import for_each

NAMES = ["ndcg", "ap", "rr@1", "spearman", "kendall"]
POLICIES = ["rankgold", "ties=average", "ties=input", "score_bits=32"]

# Two queries of three documents. Before: AP 1 and (1/2 + 2/3) / 2 = 7/12. Afterwards all buffers hold something else.
GRADES, SCORES = [[2, 0, 1], [1, 0, 3]], [[0.9, 0.1, 0.5], [0.2, 0.3, 0.1]]


def arrays(dtype=float):
    return np.array(GRADES, dtype=dtype), np.array(SCORES)


def overwrite(*buffers):
    for buffer in buffers:
        buffer[...] = np.arange(buffer.size).reshape(buffer.shape) % 2


def from_arrays(policy):
    grades, scores = arrays()
    return rankgold.from_arrays(grades, scores, policy=policy), [grades, scores]


def from_arrays_of_integers(policy):
    grades, scores = arrays(np.int64)
    return rankgold.from_arrays(grades, scores, policy=policy), [grades, scores]


def from_flat_arrays(policy):
    grades, scores = (array.reshape(-1) for array in arrays())
    sizes = np.array([3, 3])
    return rankgold.from_arrays(grades, scores, groups=sizes, policy=policy), [grades, scores, sizes]


def from_arrays_in_the_order_of_fortran(policy):
    grades, scores = map(np.asfortranarray, arrays())
    return rankgold.from_arrays(grades, scores, policy=policy), [grades, scores]


def from_masked_arrays(policy):
    grades, scores = arrays()
    mask = np.ones((2, 3), dtype=bool)
    return rankgold.from_arrays(grades, scores, mask=mask, policy=policy), [grades, scores, mask]


def from_read_only_views(policy):
    grades, scores = arrays()
    views = grades.view(), scores.view()
    for view in views:
        view.flags.writeable = False
    return rankgold.from_arrays(*views, policy=policy), [grades, scores]


def pandas_frames(policy):
    import pandas as pd

    rows = {"query": np.repeat([1, 2], 3), "document": np.tile([1, 2, 3], 2)}
    grades, scores = (array.reshape(-1) for array in arrays())
    qrels = pd.DataFrame({**rows, "grade": grades}, copy=False)
    run = pd.DataFrame({**rows, "score": scores}, copy=False)
    return rankgold.match(qrels, run, policy=policy), [*rows.values(), grades, scores]


def polars_frames(policy):
    rows = {"query": np.repeat([1, 2], 3), "document": np.tile([1, 2, 3], 2)}
    grades, scores = (array.reshape(-1) for array in arrays())
    qrels, run = pl.DataFrame({**rows, "grade": grades}), pl.DataFrame({**rows, "score": scores})
    return rankgold.match(qrels, run, policy=policy), [*rows.values(), grades, scores]


def arrow_tables(policy):
    import pyarrow as pa

    rows = {"query": np.repeat([1, 2], 3), "document": np.tile([1, 2, 3], 2)}
    grades, scores = (array.reshape(-1) for array in arrays())
    qrels, run = pa.table({**rows, "grade": grades}), pa.table({**rows, "score": scores})
    return rankgold.match(qrels, run, policy=policy), [*rows.values(), grades, scores]


def dicts_of_arrays(policy):
    ids = np.array([1, 3, 2])
    return rankgold.match({1: {1: 2, 2: 0, 3: 1}, 2: {1: 1, 3: 3}}, {1: ids, 2: ids}, policy=policy), [ids]


def from_labels(policy):
    labels, ideal, relevant = np.array(GRADES), np.array([[2, 0, 1, 1], [1, 0, 3, 1]]), np.array([3, 3])
    if policy == "ties=input":
        return rankgold.from_labels(labels, n_relevant=relevant, policy=policy), [labels, relevant]
    return rankgold.from_labels(labels, ideal=ideal, policy=policy), [labels, ideal]


def from_lists_of_arrays(policy):
    ranked, truth, names = np.array([[1, 2, 3], [4, 5, 6]]), np.array([[3, 1], [6, 7]]), np.array([8, 9])
    return rankgold.from_lists(ranked, truth, queries=names, policy=policy), [ranked, truth, names]


FORMS = [
    from_arrays, from_arrays_of_integers, from_flat_arrays, from_arrays_in_the_order_of_fortran, from_masked_arrays,
    from_read_only_views, pandas_frames, polars_frames, arrow_tables, dicts_of_arrays, from_labels, from_lists_of_arrays,
]  # fmt: skip


def everything(hits):
    """All numbers of the hits, with their working, as text: NaN is equal to itself there."""
    scores = rankgold.evaluate(hits, NAMES)
    working = [rankgold.explain(hits, name, query=query) for name in NAMES for query in hits.queries]
    return "\n".join(map(str, (scores.per_query.to_dicts(), scores.means, scores.notes.to_dict(), *working)))


@for_each("policy", POLICIES)
@for_each("form", FORMS, ids=lambda form: form.__name__)
def test_hits_keep_their_numbers_when_the_buffers_they_came_from_are_used_again(form, policy):
    expected = everything(form(policy)[0])
    hits, buffers = form(policy)
    overwrite(*buffers)
    assert everything(hits) == expected


def test_every_batch_of_a_loop_that_fills_the_same_buffers_keeps_its_own_numbers():
    # The relevant document is moved down from rank 1 to rank 4: RR 1, 1/2, 1/3, 1/4.
    grades, scores, batches = np.zeros((1, 4)), np.array([[4.0, 3.0, 2.0, 1.0]]), []
    for place in range(4):
        grades[:] = 0
        grades[0, place] = 1
        batches.append(rankgold.from_arrays(grades, scores))
    assert [rankgold.evaluate(hits, ["rr"])["rr"] for hits in batches] == [1, 1 / 2, 1 / 3, 1 / 4]


def test_dicts_and_lists_that_change_afterwards_change_nothing():
    # The relevant document stands at rank 2 in each: RR 1/2.
    qrels, run, ranked, truth, queries = {"q": {"a": 1}}, {"q": {"a": 0.1, "b": 0.5}}, [["b", "a"]], [["a"]], ["q"]
    labels, relevant = [[0, 1]], [1]
    batches = rankgold.Accumulator(["rr"], per_query=True)
    batches.update(qrels, run)
    made = [
        rankgold.match(qrels, run),
        rankgold.from_lists(ranked, truth, queries=queries),
        rankgold.from_labels(labels, relevant, queries=queries),
        rankgold.from_arrays(labels, [[2, 1]], queries=queries),
    ]
    for row in (qrels["q"], run["q"], ranked[0], truth[0], queries, labels[0], relevant):
        row.clear()
    for scores in (batches.scores(), *(rankgold.evaluate(hits, ["rr"]) for hits in made)):
        assert scores.per_query.to_dicts() == [{"query": "q", "rr": 0.5}]


def test_an_accumulator_keeps_the_columns_it_was_given():
    columns = {"document": "url"}
    batches = rankgold.Accumulator(["rr"], columns=columns)
    columns["document"] = "title"
    qrels = pl.DataFrame({"query": ["q"], "url": ["a"], "title": ["b"], "grade": [1]})
    run = pl.DataFrame({"query": ["q"], "url": ["a"], "title": ["c"], "score": [1.0]})
    batches.update(qrels, run)
    assert batches.scores().means == {"rr": 1.0}
