"""Tied documents averaged over their orders: a value is the mean over all orders, written out one by one."""

import math
import tracemalloc
from contextlib import nullcontext
from itertools import chain, permutations, product
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold.core.derivation import Derivation, Working, decide
from tests.all_measures import declared, measures
from tests.collections import TIED_SCORES, collections, examples

# From the lowest cutoff on: the orders that are kept for one cutoff would be too few for the next.
ALL = sorted(measures(cutoffs=(1, 2, 4)), key=lambda measure: measure.k or math.inf)
AVERAGED = [measure for measure in ALL if not measure.metric.handles_ties]
NOT_AVERAGED = [measure for measure in ALL if measure.metric.handles_ties]

UNJUDGED = None
GRADES = st.sampled_from([-1, 0, 1, 1, 2, 3, UNJUDGED])
GROUPS = st.lists(st.lists(GRADES, min_size=1, max_size=4), min_size=1, max_size=4).filter(
    lambda groups: sum(map(len, groups)) <= 6
)
MISSED = st.lists(st.integers(0, 3), max_size=2)
# A few queries at once, each with groups of its own: a measure costs the same for one as for several.
CASES = st.lists(st.tuples(GROUPS, MISSED), min_size=1, max_size=8)


def orders(groups):
    """Every ranking that breaks the ties in some way."""
    return [sum(choice, ()) for choice in product(*map(permutations, groups))]


class Cases:
    """Queries with tied documents, matched as they are, and again with a query for each order of their documents.

    A case is groups of grades of documents with equal scores, the best group first; and grades of documents that are
    not retrieved.
    """

    def __init__(self, cases):
        self.cases, self.qrels, self.tied = cases, {}, {}
        judged, ranked, counts = {}, {}, []
        for case, (groups, missed) in enumerate(cases):
            named = [[(f"d{i}.{j}", grade) for j, grade in enumerate(group)] for i, group in enumerate(groups)]
            grades = {document: grade for group in named for document, grade in group if grade is not UNJUDGED}
            grades |= {f"missed{i}": grade for i, grade in enumerate(missed)} or {"no hit": 0}
            self.qrels[case] = grades
            self.tied[case] = {document: -i for i, group in enumerate(named) for document, _ in group}
            rankings = orders(named)
            counts.append(len(rankings))
            for number, ranking in enumerate(rankings):
                judged[case, number] = grades
                ranked[case, number] = {document: -rank for rank, (document, _) in enumerate(ranking)}
        names = {pair: f"{pair[0]} {pair[1]}" for pair in judged}
        self.in_order = rankgold.match(*({names[pair]: rows[pair] for pair in rows} for rows in (judged, ranked)))
        assert list(self.in_order.queries) == list(names.values())
        self.starts = np.cumsum([0, *counts[:-1]])

    def averaged(self):
        return rankgold.match(self.qrels, self.tied, policy="ties=average")

    def not_the_mean(self, averaged, in_order):
        """The cases where a value is not the mean of the values of all orders that have one."""
        count = np.add.reduceat(~np.isnan(in_order), self.starts)
        total = np.add.reduceat(np.nan_to_num(in_order), self.starts)
        expected = np.where(count, total / np.maximum(count, 1), np.nan)
        same = np.isclose(averaged, expected, rtol=0, atol=1e-11, equal_nan=True)
        return [self.cases[case] for case in np.flatnonzero(~same)]


def values(measure, hits):
    return decide(measure, hits, measure(hits)).values


def not_the_mean_over_orders(measures, cases, shared=(False, True)):
    """(measure, case, whether rows are shared) where a value is not the mean over all orders of the tied documents."""
    made = Cases(cases)
    in_order = [values(measure, made.in_order) for measure in measures]
    found = []
    for sharing in shared:
        with rows_are_shared() if sharing else nullcontext():
            averaged = made.averaged()
            for measure, expected in zip(measures, in_order, strict=True):
                found += [(measure, case, sharing) for case in made.not_the_mean(values(measure, averaged), expected)]
    return found


def rows_are_shared():
    """As in very large groups: one row stands for all documents that are alike to the measure."""
    return patch("rankgold.core.ties._ROWS_OF_SINGLE_DOCUMENTS", 0)


@examples(10)
@given(CASES)
def test_the_value_is_the_mean_over_all_orders_of_the_tied_documents(cases):
    assert not_the_mean_over_orders(AVERAGED, cases) == []


@examples(4)
@given(
    st.lists(
        st.tuples(st.lists(GRADES, min_size=4, max_size=5).map(lambda group: [group]), MISSED), min_size=1, max_size=5
    )
)
def test_the_value_is_the_mean_over_all_orders_where_the_whole_list_is_tied(cases):
    assert not_the_mean_over_orders(AVERAGED, cases) == []


def bpref_blind_to_ties(hits):
    """Counts rows above a relevant document, of which tied ones have several."""
    seen = hits.system.whole
    found = seen.relevant(1)
    relevant, nonrelevant = (
        hits.relevant(1)[found.query],
        hits.ideal.at_least(-9)[found.query] - hits.relevant(1)[found.query],
    )
    above = np.array([np.sum(seen.rank[seen.grade < 1] < rank) for rank in found.rank])
    pairs = np.maximum(np.minimum(relevant, nonrelevant), 1)
    term = 1 - np.minimum(above, relevant) / pairs
    return Derivation.of_hits(found, term, Working("{}", term), hits.relevant(1), "R")


def reciprocal_rank_of_the_group(hits):
    """Takes every tied document for the first of its group."""
    found = hits.system.whole.relevant(1)
    first = found.first
    term = first / (found.rank if found.ties is None else found.ties.start)
    return Derivation.of_hits(found, term, Working("{}", term), 1.0, "1")


def gain_of_relevant_documents(hits):
    """Reads the grades of documents that were asked for as relevant, hence as alike."""
    found = hits.system.relevant(1)
    return Derivation.of_hits(found, found.grade, Working("{}", found.grade), 1.0, "1")


def average_over_rows(hits):
    """Divides by the rows found, of which tied documents have several."""
    found = hits.system.whole.relevant(1)
    rows = np.bincount(found.query, minlength=len(hits)).astype(np.float64)
    return Derivation.of_hits(found, 1 / found.rank, Working("1/{}", found.rank), rows, "rows")


@pytest.mark.parametrize("function", [bpref_blind_to_ties, reciprocal_rank_of_the_group, average_over_rows])
def test_a_measure_that_is_wrong_only_where_documents_are_tied_is_found(function):
    wrong = declared(function, closed_form=True)()
    for ranking in permutations([0, 1, 2, 0]):
        assert not_the_mean_over_orders([wrong], [([[grade] for grade in ranking], [1])], shared=[False]) == []
    tied = ([[1, 0, 0], [2, 0]], [1])
    assert not_the_mean_over_orders([wrong], [tied], shared=[False]) == [(wrong, tied, False)]


def test_a_measure_that_reads_grades_of_documents_it_asked_for_as_alike_is_found():
    wrong = declared(gain_of_relevant_documents, closed_form=True)()
    case = ([[1, 2, 0]], [])
    assert not_the_mean_over_orders([wrong], [case]) == [(wrong, case, True)]


@examples(5)
@given(st.lists(GROUPS, min_size=1, max_size=5))
def test_arrays_are_averaged_like_dicts(queries):
    grades = [[grade or 0 for group in groups for grade in group] for groups in queries]
    scores = [[-i for i, group in enumerate(groups) for _ in group] for groups in queries]
    names = list(map(str, ALL))
    qrels, run = ({q: dict(enumerate(row)) for q, row in enumerate(rows)} for rows in (grades, scores))
    as_dicts = rankgold.evaluate(qrels, run, names, policy="ties=average").per_query
    flat = (list(chain.from_iterable(rows)) for rows in (grades, scores))
    hits = rankgold.from_arrays(*flat, groups=list(map(len, grades)), policy="ties=average")
    as_arrays = rankgold.evaluate(hits, names).per_query
    for name in names:
        expected = pytest.approx(as_dicts[name].to_list(), rel=1e-12, abs=1e-12, nan_ok=True)
        assert as_arrays[name].to_list() == expected, name


@examples(12)
@given(collections(scores=TIED_SCORES))
def test_a_formula_that_handles_ties_gives_the_same_whatever_the_policy(collection):
    names = list(map(str, NOT_AVERAGED))
    expected = rankgold.evaluate(*collection, names).means
    for ties in ("ascending", "input", "average"):
        found = rankgold.evaluate(*collection, names, policy=f"ties={ties}").means
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def test_a_tied_pair_at_the_top_stands_half_and_half_at_ranks_1_and_2():
    # Relevant first: RR 1, P@1 1, AP 1. Relevant second: RR 1/2, P@1 0, AP 1/2.
    scores = rankgold.evaluate({"q": {"a": 1}}, {"q": {"a": 5, "b": 5}}, ["rr", "p@1", "ap"], policy="ties=average")
    assert scores.means == {"rr": 0.75, "p@1": 0.5, "ap": 0.75}


def test_two_relevant_of_three_tied_are_averaged_by_hand():
    # The orders 110, 101, 011 are as likely: AP = (1 + 5/6 + 7/12) / 3 = 29/36, RR = (1 + 1 + 1/2) / 3 = 5/6,
    # Hit@1 = 2/3, AUC = (2/2 + 1/2 + 0/2) / 3 = 1/2, FRP@1 = (1 + 1 + 2) / 3 = 4/3.
    hits = rankgold.from_arrays([1, 0, 1], [7, 7, 7], policy="ties=average")
    expected = {"ap": 29 / 36, "rr": 5 / 6, "hit@1": 2 / 3, "auc": 1 / 2, "frp@1": 4 / 3}
    assert rankgold.evaluate(hits, list(expected)).means == pytest.approx(expected, rel=1e-15)


def test_a_cutoff_inside_a_tied_group_counts_each_document_by_its_chance_of_being_above():
    # Grades 3, 0, 0, 2 tied at the ranks 1 to 4: each stands in the top 2 with chance 1/2, so CG@2 = 5/2.
    # DCG@2 = 5/4 * (1/1 + 1/log2(3)).
    hits = rankgold.from_arrays([3, 0, 0, 2], [1, 1, 1, 1], policy="ties=average")
    expected = {"cg@2": 5 / 2, "dcg@2": 5 / 4 * (1 + 1 / np.log2(3))}
    assert rankgold.evaluate(hits, list(expected)).means == pytest.approx(expected, rel=1e-15)


def averaged(qrels, run, measure, policy="", depth=None):
    """The value of a query with averaged ties; `run` is text such as "abx", all of the same score."""
    tied = {"q": dict.fromkeys(run, 1.0)}
    return rankgold.evaluate({"q": qrels}, tied, [measure], policy=f"ties=average,{policy}", depth=depth)[measure]


@pytest.mark.parametrize("measure", ["r", "ap", "ndcg"])
def test_each_order_drops_the_documents_that_it_cuts_off(measure):
    # One of three documents is left: a or b in four of six orders, and then it is all that there was to find.
    assert averaged({"a": 1, "b": 1}, "abx", measure, "unretrieved=dropped", 1) == pytest.approx(2 / 3, rel=1e-15)


def test_documents_that_are_alike_are_dropped_too_where_they_are_cut_off():
    # Whichever of the two is left, it is the only relevant document.
    assert averaged({"a": 1, "b": 1}, "ab", "r", "unretrieved=dropped", 1) == 1.0


def test_each_order_has_an_ideal_ranking_of_its_own():
    # The orders ab, ba, ax, xa, bx, xb. DCG: 3 + 1/l, 1 + 3/l, 3, 3/l, 1, 1/l; ideal: 3 + 1/l twice, 3 twice, 1 twice.
    log = math.log2(3)
    expected = (1 + (1 + 3 / log) / (3 + 1 / log) + 1 + 1 / log + 1 + 1 / log) / 6
    found = averaged({"a": 3, "b": 1}, "abx", "ndcg(ideal=retrieved)", depth=2)
    assert found == pytest.approx(expected, rel=1e-15)


def test_what_a_depth_leaves_below_the_cutoff_counts_in_the_ideal_ranking():
    # c has the best score; of a and x one is left at rank 2. Relevant are c and a: r@1 is 1/2 with a left, 1 without.
    run = {"q": {"c": 2.0, "a": 1.0, "x": 1.0}}
    scores = rankgold.evaluate(
        {"q": {"a": 1, "c": 1}}, run, ["r@1"], policy="ties=average,unretrieved=dropped", depth=2
    )
    assert scores["r@1"] == 3 / 4


def test_the_number_of_documents_to_choose_from_depends_on_the_order():
    # f on top: one document is known, and rightly returned, 1/1. a or h on top: a and f are known, both wrong, 0/2.
    assert averaged({"f": 1}, "afh", "accuracy@1") == pytest.approx(1 / 3, rel=1e-15)


def test_orders_in_which_nothing_is_found_have_no_mean_rank_and_are_left_out():
    # f at rank 1, 2 or 3. In the top 2 it has the mean rank 1 or 2, else none: (1 + 2) / 2, or (1 + 2 + 0) / 3.
    assert averaged({"f": 1}, "afh", "mr@2") == 1.5
    assert averaged({"f": 1}, "afh", "mr@2", "undefined=zero") == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize(("choice", "expected"), [("zero", 1 / 3), ("one", 1), ("skip", 1), ("undefined", 1)])
def test_an_order_without_relevant_documents_is_worth_what_the_policy_says(choice, expected):
    # Only f is relevant. Of the three orders it is left in one, where r is 1.
    policy = f"unretrieved=dropped,no_relevant={choice}"
    assert averaged({"f": 1}, "afh", "r", policy, 1) == pytest.approx(expected, rel=1e-15)


def test_average_recall_at_a_cutoff_is_averaged_by_values():
    # Relevant are a and b of four. In the top 2 stand both in 1 of 6 sets, (1/2 + 2/2) / 2 = 3/4; one in 4 of 6, 1/2.
    assert averaged({"a": 1, "b": 1}, "abxy", "ar@2") == pytest.approx((3 / 4 + 4 / 2) / 6, rel=1e-15)


@pytest.mark.parametrize("measure", ["idcg", "idcg@1"])
def test_a_measure_of_the_ideal_ranking_needs_no_order(measure):
    # z is judged and not retrieved; what is not dropped counts.
    expected = 1 + (measure == "idcg") / math.log2(3)
    assert averaged({"a": 1, "z": 1}, "ax", measure, depth=1) == pytest.approx(expected, rel=1e-15)
    difference = rankgold.diff({"q": {"a": 1, "z": 1}}, {"q": {"a": 1, "x": 1}}, {"q": {"a": 2, "x": 1}}, measure,
                               policy="ties=average", depth=1)  # fmt: skip
    assert [change.difference for change in difference.changes] == [0.0]


def test_a_measure_that_says_nothing_is_averaged_by_the_values_of_its_orders():
    def share_of_the_best(hits):
        found = hits.system.top(1)
        norm = 1 + np.bincount(found.query, weights=found.grade, minlength=len(hits))
        return Derivation.of_hits(found, found.grade, Working("{}", found.grade), norm, "1 + the grade on top")

    # a on top: 3 / (1 + 3). b on top: 1 / (1 + 1). Sums and norms averaged apart would give 2 / 3.
    hits = rankgold.match({"q": {"a": 3, "b": 1}}, {"q": {"a": 1, "b": 1}}, policy="ties=average")
    assert declared(share_of_the_best)()(hits).values.tolist() == [(3 / 4 + 1 / 2) / 2]


def test_only_the_ranks_that_count_are_written_out():
    # Of 40 tied documents 20 are relevant. They have C(40, 20) orders, but the top 2 has four: 11, 10, 01, 00.
    grades = dict.fromkeys(map(str, range(20)), 1)
    hits = rankgold.match({"q": grades}, {"q": dict.fromkeys(map(str, range(40)), 1.0)}, policy="ties=average")
    chances = {"11": 20 / 40 * 19 / 39, "10": 20 / 40 * 20 / 39, "01": 20 / 40 * 20 / 39}
    expected = chances["11"] * 1 + chances["10"] * 1 + chances["01"] / 2
    found = rankgold.evaluate(hits, ["ap(norm=retrieved)@2"])["ap(norm=retrieved)@2"]
    assert found == pytest.approx(expected, rel=1e-12)
    with pytest.raises(rankgold.MeasureError, match=r"query 'q' has 1,048,576, which is too many"):
        rankgold.evaluate(hits, ["ap(norm=retrieved)@20"])


@pytest.mark.parametrize("measure", ["spearman", "kendall"])
def test_correlations_handle_ties_themselves_whatever_the_policy(measure):
    # Scores 1, 1, 0 for grades 3, 2, 1. Spearman: ranks 1.5, 1.5, 3 against 1, 2, 3, so 1.5 / sqrt(1.5 * 2).
    # Kendall: 2 agreeing pairs, 2 not tied in score, 3 not tied in grade, so 2 / sqrt(2 * 3).
    expected = {"spearman": 1.5 / 3**0.5, "kendall": 2 / 6**0.5}[measure]
    for policy in ("ties=descending", "ties=average"):
        hits = rankgold.from_arrays([3, 2, 1], [1, 1, 0], policy=policy)
        assert rankgold.evaluate(hits, [measure])[measure] == pytest.approx(expected, rel=1e-15)


def test_a_tied_list_of_relevant_documents_only_has_no_pairs_and_no_area():
    # Five times 1/5, added up five times, is not quite 5 in floats; the non-relevant documents must still be 0.
    scores = rankgold.evaluate(rankgold.from_arrays([1] * 5, [7] * 5, policy="ties=average"), ["auc"])
    assert np.isnan(scores["auc"])
    assert scores.notes.undefined == {"auc": 1}


# 100,000 tied documents, grades 0 to 4 as often; below them one more document of grade 4, with a lower score.
MANY = 100_000
MANY_GRADES, MANY_SCORES = np.append(np.arange(MANY) % 5, 4), np.append(np.zeros(MANY), -1.0)
DISCOUNT = [math.log2(rank + 1) for rank in range(1, MANY + 2)]


def mean_over_orders_of_many():
    """Values by closed forms: 80,000 of the tied documents are relevant; R counts the last document too."""
    relevant, gain, n = 80_000, 200_000, MANY
    ideal = sorted(MANY_GRADES.tolist(), reverse=True)
    ordinal = [1 + (rank - 1) * (relevant - 1) / (n - 1) for rank in range(1, n + 1)]
    none_above = [1.0]
    for rank in range(1, 60):
        none_above.append(none_above[-1] * (n - relevant - rank + 1) / (n - rank + 1))
    expected_rank = math.fsum((none_above[i] - none_above[i + 1]) * (i + 1) for i in range(59))
    dcg = math.fsum(gain / n / discount for discount in DISCOUNT[:n]) + 4 / DISCOUNT[n]
    return {
        "ndcg": dcg / math.fsum(grade / discount for grade, discount in zip(ideal, DISCOUNT, strict=True)),
        "ndcg@10": math.fsum(gain / n / discount for discount in DISCOUNT[:10])
        / math.fsum(4 / discount for discount in DISCOUNT[:10]),
        "cg": 200_004,
        "ap": (math.fsum(relevant / n * o / (i + 1) for i, o in enumerate(ordinal)) + 80_001 / 100_001) / 80_001,
        "p@1000": 0.8,
        "r": 1.0,
        "hit@3": 1 - none_above[3],
        "rr": math.fsum((none_above[i] - none_above[i + 1]) / (i + 1) for i in range(59)),
        "frp": expected_rank,
        "mr": (80_000 * (n + 1) / 2 + 100_001) / 80_001,
    }


@pytest.mark.parametrize("form", ["arrays", "dicts"])
def test_a_hundred_thousand_tied_documents_need_little_memory_and_give_the_closed_forms(form):
    expected = mean_over_orders_of_many()
    if form == "arrays":
        # The second query has no ties: its ndcg is 1, as is its ap.
        grades = [*MANY_GRADES, 2, 1]
        scores = [*MANY_SCORES, 0.5, 0.25]
        hits = rankgold.from_arrays(grades, scores, groups=[MANY + 1, 2], policy="ties=average")
    else:
        names = list(map(str, range(MANY + 1)))
        qrels = {1: dict(zip(names, MANY_GRADES.tolist(), strict=True)), 2: {"a": 2, "b": 1}}
        run = {1: dict(zip(names, MANY_SCORES.tolist(), strict=True)), 2: {"a": 0.5, "b": 0.25}}
        hits = rankgold.match(qrels, run, policy="ties=average")
    tracemalloc.start()
    scores = rankgold.evaluate(hits, list(expected))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert scores.per_query.drop("query").row(0, named=True) == pytest.approx(expected, rel=1e-10)
    assert scores.per_query["ap"][1] == scores.per_query["ndcg"][1] == 1.0
    assert peak < 60e6


def test_many_tied_documents_of_different_grades_have_closed_forms_too():
    # Grades 0.01, 0.02, ... 1,000: 99,901 of them are at least 1. Their mean is 500.005.
    hits = rankgold.from_arrays(np.arange(1, MANY + 1) / 100, np.zeros(MANY), policy="ties=average")
    scores = rankgold.evaluate(hits, ["cg", "dcg", "p@7", "mr"])
    expected = {"cg": 500.005 * MANY, "dcg": 500.005 * math.fsum(1 / d for d in DISCOUNT[:MANY]), "p@7": 0.99901}
    assert scores.means == pytest.approx({**expected, "mr": (MANY + 1) / 2}, rel=1e-10)


def test_what_has_no_closed_form_is_refused_before_memory_or_time_are_gone():
    graded = rankgold.from_arrays(np.arange(MANY) % 5, np.zeros(MANY), policy="ties=average")
    with pytest.raises(rankgold.MeasureError, match="100,000 judged documents share a score, and averaging"):
        rankgold.evaluate(graded, ["err"])
    different = rankgold.from_arrays(np.arange(MANY), np.zeros(MANY), policy="ties=average")
    with pytest.raises(rankgold.MeasureError, match="Documents of 100,000 different grades share a score"):
        rankgold.evaluate(different, ["gap"])


def test_the_chance_to_reach_many_tied_documents_is_worked_by_hand_for_two_ranks():
    # Half of n documents stop a reader with 1/2 (max=1), so ERR@2 = 1/2 * 1/2 / 1 + 1/2 * 1/2 * reach / 2.
    # Given a relevant one at rank 2, rank 1 has one with chance (n/2 - 1) / (n - 1).
    n = 2_000
    hits = rankgold.from_arrays(np.arange(n) % 2, np.zeros(n), policy="ties=average")
    expected = 1 / 4 + 1 / 4 * (1 - (n / 2 - 1) / (n - 1) / 2) / 2
    with rows_are_shared():
        assert rankgold.evaluate(hits, ["err(max=1)@2"])["err(max=1)@2"] == pytest.approx(expected, rel=1e-12)


def test_rows_are_the_same_however_queries_are_grouped(monkeypatch):
    rng = np.random.default_rng(5)
    grades, scores = rng.integers(0, 4, (300, 40)), rng.integers(0, 3, (300, 40))
    names = ["ndcg", "ap@5", "err", "rr", "auc"]
    hits = rankgold.from_arrays(grades, scores, policy="ties=average")
    whole = rankgold.evaluate(hits, names).per_query
    monkeypatch.setattr("rankgold.core.segments._CELLS", 100)
    assert rankgold.evaluate(hits, names).per_query.equals(whole)


def test_a_query_of_relevant_documents_alone_has_no_fallout_whatever_stands_beside_it():
    # q has no document that is not relevant. In p, the numbers depend on the order: every order is written out.
    run = {query: dict.fromkeys("abc", 1.0) for query in "qp"}
    scores = rankgold.evaluate({"q": dict.fromkeys("abc", 1), "p": {"a": 1}}, run, ["fallout@2"], policy="ties=average")
    assert np.isnan(scores.values("fallout@2")).tolist() == [True, False]
