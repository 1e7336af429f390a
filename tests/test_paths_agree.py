"""Dicts, frames and files hold the same collection: they must give the same numbers, bit for bit."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import karat
from tests.collections import NUMERIC_IDS, collections, examples, rows, write_trec

MEASURES = [
    "ap", "ap(norm=retrieved)@3", "ar", "auc", "cg@3", "dcg@5", "err", "f@3", "frp@3", "frp", "gap", "hit@2", "idcg",
    "kendall", "mr(miss=last)", "ndcg", "ndcg(gain=exp, ideal=retrieved)@4", "p@3", "p", "r@5", "rprec", "rr",
    "spearman",
]  # fmt: skip

POLICIES = [
    *(f"ties={choice}" for choice in ("descending", "ascending", "input", "average")),
    *(f"ties={choice},unjudged=condensed" for choice in ("descending", "ascending", "input", "average")),
    "missing=skip",
    "missing=skip,unjudged=condensed",
    "no_relevant=skip",
    "no_relevant=undefined,undefined=zero",
    "score_bits=32",
]

# Nearly equal scores among tied ones: what is tied depends on the width at which they are compared.
SCORES = st.builds(lambda base, step: base + step * 1e-10, st.sampled_from([0.1, 1.0, 2.5]), st.integers(0, 2))


def frame(tables, number):
    return pl.DataFrame(rows(tables), schema=["query", "document", number], orient="row", infer_schema_length=None)


def interleaved(tables, number):
    """The rows of all queries in turns: each query's own stay in their order."""
    table = frame(tables, number)
    return table.with_columns(turn=pl.int_range(pl.len()).over("query")).sort("turn", maintain_order=True).drop("turn")


def numbers(qrels, run, policy):
    """Every value and every mean, as text that tells floats apart to the last bit."""
    scores = karat.evaluate(qrels, run, MEASURES, policy=policy)
    per_query = {
        str(row.pop("query")): {name: value.hex() for name, value in row.items()} for row in scores.per_query.to_dicts()
    }
    return per_query, {name: value.hex() for name, value in scores.means.items()}


def findings(qrels, run, policy):
    """What is noted about the data, remarks on its form aside."""
    notes = karat.evaluate(qrels, run, MEASURES, policy=policy).notes.to_dict()
    del notes["remarks"]
    return {name: sorted(map(str, value)) if isinstance(value, list) else value for name, value in notes.items()}


@examples(80)
@given(st.sampled_from(POLICIES), collections(scores=SCORES))
def test_dicts_frames_and_files_give_identical_numbers(tmp_path_factory, policy, collection):
    qrels, run = collection
    expected = numbers(qrels, run, policy)
    assert numbers(frame(qrels, "grade"), frame(run, "score"), policy) == expected
    assert numbers(interleaved(qrels, "grade"), interleaved(run, "score"), policy) == expected
    assert numbers(*write_trec(tmp_path_factory.getbasetemp(), qrels, run), policy) == expected


@examples(50)
@given(st.sampled_from(POLICIES), collections(scores=SCORES, ids=NUMERIC_IDS, queries=("9", "10", "100")))
def test_integer_ids_give_the_same_numbers_as_the_same_ids_in_text(policy, collection):
    as_text = collection
    qrels, run = ({int(q): {int(d): n for d, n in row.items()} for q, row in tables.items()} for tables in as_text)
    expected = numbers(*as_text, policy)
    assert numbers(qrels, run, policy) == expected
    assert numbers(frame(qrels, "grade"), frame(run, "score"), policy) == expected
    assert numbers(qrels, as_text[1], policy) == expected
    assert numbers(frame(qrels, "grade"), frame(as_text[1], "score"), policy) == expected


@examples(20)
@given(collections(scores=SCORES))
def test_a_dict_can_be_matched_with_a_frame_or_a_file(tmp_path_factory, collection):
    qrels, run = collection
    judgements_file, run_file = write_trec(tmp_path_factory.getbasetemp(), qrels, run)
    expected = numbers(qrels, run, None)
    assert numbers(qrels, frame(run, "score"), None) == expected
    assert numbers(frame(qrels, "grade"), run, None) == expected
    assert numbers(qrels, run_file, None) == expected
    assert numbers(judgements_file, run, None) == expected


@examples(25)
@given(st.sampled_from([None, "unjudged=condensed", "ties=average", "missing=skip"]), collections(scores=SCORES))
def test_dicts_frames_and_files_are_noted_alike(tmp_path_factory, policy, collection):
    qrels, run = collection
    expected = findings(qrels, run, policy)
    assert findings(frame(qrels, "grade"), frame(run, "score"), policy) == expected
    assert findings(*write_trec(tmp_path_factory.getbasetemp(), qrels, run), policy) == expected


def test_the_terms_of_tied_documents_are_added_in_the_same_order_whatever_the_form():
    # Four tied documents, two of them relevant, judged in one order and ranked in another: floats tell how they add up.
    qrels, run = {"q": {"9": 3, "101": 1}}, {"q": {"1": 0.1, "2": 0.1, "101": 0.1, "9": 0.1}}
    expected = numbers(qrels, run, "ties=average")
    assert numbers(frame(qrels, "grade"), frame(run, "score"), "ties=average") == expected
