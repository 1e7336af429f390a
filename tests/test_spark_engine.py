"""Evaluation on Spark against evaluation here: the same numbers, whatever the path the rows take."""

import math
from functools import reduce

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import karat
from karat.engines.spark import judgements
from tests.collections import NUMERIC_IDS, collections, examples
from tests.spark import frame, sessions
from tests.test_contract import MEASURES

pytestmark = pytest.mark.xdist_group("spark")

# A failure is told as it was found: to look for a smaller one would start hundreds of jobs.
tried = settings(examples(2), phases=(Phase.explicit, Phase.generate))
FIVE = ["ap", "ndcg@10", "p@5", "rr", "err"]


@pytest.fixture(scope="module", params=["classic", "connect"])
def session(request):
    return sessions()[request.param]


@pytest.fixture(scope="module")
def classic():
    return sessions()["classic"]


@pytest.fixture(scope="module", params=["sent", "shuffled"])
def way(request):
    """How the judgements get to the tasks."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "shuffled":
            patch.setattr(judgements, "FEW", 0)
        yield request.param


def united(made):
    """Many small collections as one large one, each under its own names of queries."""
    return reduce(
        lambda one, other: ({**one[0], **other[0]}, {**one[1], **other[1]}),
        [
            tuple({f"{i}{name}": rows for name, rows in side.items()} for side in both)
            for i, both in enumerate(made, start=1)
        ],
    )


MANY = st.lists(collections(), min_size=25, max_size=25).map(united)
MANY_OF_INTEGERS = st.lists(
    collections(ids=NUMERIC_IDS, queries=("10", "200", "3000", "40000")), min_size=25, max_size=25
).map(united)


def assert_same_values(ours, theirs):
    assert ours.runs == theirs.runs
    frames = [scores.per_query.with_columns(pl.col("query").cast(pl.String)).sort("query") for scores in (ours, theirs)]
    keys = [name for name in ("run", "query") if name in frames[0].columns]
    ours_frame, theirs_frame = (one.sort(keys) for one in frames)
    assert ours_frame.columns == theirs_frame.columns
    assert ours_frame.select(keys).equals(theirs_frame.select(keys))
    for label in ours.measures:
        values = zip(ours_frame[label], theirs_frame[label], strict=True)
        apart = [(a, b) for a, b in values if not (abs(a - b) <= 1e-12 or (math.isnan(a) and math.isnan(b)))]
        assert not apart, label


def assert_same_notes(ours, theirs):
    for one, other in zip(_notes(ours), _notes(theirs), strict=True):
        for name, value in other.items():
            same = (
                sorted(map(str, one[name])) == sorted(map(str, value))
                if isinstance(value, list)
                else one[name] == value
            )
            assert same, (name, one[name], value)


def _notes(scores):
    return [{**run["notes"]} for run in ({"notes": note} for note in scores.to_dict()["notes"].values())]


@tried
@given(MANY)
def test_every_measure_of_every_query_is_that_of_the_local_engine(session, way, collection):
    qrels, run = collection
    ours = karat.evaluate(frame(session, qrels, "grade"), frame(session, run, "score"), MEASURES)
    theirs = karat.evaluate(qrels, run, MEASURES)
    assert_same_values(ours, theirs)
    assert_same_notes(ours, theirs)


@tried
@given(MANY_OF_INTEGERS)
def test_ids_may_be_integers(session, way, collection):
    qrels, run = collection
    ours = karat.evaluate(
        frame(session, qrels, "grade", as_integers=True), frame(session, run, "score", as_integers=True), MEASURES
    )
    assert ours.per_query["query"].dtype == pl.Int64
    assert_same_values(ours, karat.evaluate(qrels, run, MEASURES))
