"""Every measure under all pairs of choices: averages over orders, bounds, forms and engines, explanations.

The checks and the cases are those of the part `sweep` of the fuzzer. `scripts/fuzz --only sweep` runs it with any choices
at all, for as long as one likes.
"""

import math
from dataclasses import replace
from itertools import combinations, product

import pytest

import rankgold
from tests.cases import for_each
from tests.fuzz import batch
from tests.fuzz.covering import all_pairs
from tests.fuzz.forms import FORMS
from tests.fuzz.orders import mean_over_orders
from tests.fuzz.sweep import agrees, averages, bounds, check_case, evaluated, explanations, failures_of, spark_forms
from tests.fuzz.swept_cases import FIELDS, SweptCase, is_allowed, swept_cases

ROWS = all_pairs(FIELDS, is_allowed)
AVERAGED = all_pairs({**FIELDS, "ties": ("average",)}, is_allowed)
# The first case that hypothesis makes is the smallest there is, and the others are random.
CASES = 3


def sweep(rows, check):
    """Random cases of these rows: an error that has each kind of failure once, with a small case."""
    found = {}
    for number, row in enumerate(rows):
        found |= batch.run_cases(lambda data, row=row: check(data, row), f"{number}", tuple(found), CASES).new
    if found:
        raise AssertionError(f"{len(found)} kinds of failures\n\n" + "\n\n".join(found.values()))


def quick_checks(data, row):
    case = data.draw(swept_cases(row))
    if has_an_order(case):
        check_case(case)


def all_checks(data, row):
    case = data.draw(swept_cases(row))
    if has_an_order(case) or row in ROWS[:2]:
        check_case(case, data)


def has_an_order(case):
    """Whether a list has two documents. The smallest case has one, which is much the same in all rows."""
    return any(len(ranked) > 1 for ranked in case.run.values())


@pytest.mark.parametrize("rows", [AVERAGED[:2], ROWS[:2]], ids=["averaged", "any"])
def test_a_few_rows_of_the_sweep(rows):
    sweep(rows, all_checks)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_measure_is_averaged_over_orders_under_all_pairs_of_choices(part):
    sweep(AVERAGED[part::4], quick_checks)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_form_bound_and_explanation_is_right_under_all_pairs_of_choices(part):
    sweep(ROWS[part::4], all_checks)


@pytest.mark.slow
@pytest.mark.spark
def test_spark_gives_the_values_of_dicts_under_choices_of_all_kinds():
    def on_spark(data, row):
        case = data.draw(swept_cases(row, fewest=8, most=8))
        failures = [each for name, check in spark_forms(case).items() for each in failures_of(name, check, case)]
        if failures:
            raise failures[0].beside(failures[1:])

    # Rows of Spark have no order, so that none of a repeated document is the first.
    without_order = {"ties": ("descending", "ascending", "average"), "duplicates": ("error",), "chunks": ("apart",)}
    rows = all_pairs({**FIELDS, **without_order}, is_allowed)
    sweep(rows[::12], on_spark)


def test_all_pairs_have_every_pair_that_goes_together():
    fields = {"a": (1, 2, 3), "b": (1, 2), "c": ("x", "y"), "d": (None, 0)}
    rows = all_pairs(fields, lambda row: not (row.get("a") == 3 and row.get("b") == 2))
    found = {pair for row in rows for pair in combinations(row.items(), 2)}
    every = {
        pair
        for one, other in combinations(fields, 2)
        for pair in product(((one, choice) for choice in fields[one]), ((other, choice) for choice in fields[other]))
    }
    assert every - found == {(("a", 3), ("b", 2))}
    assert len(rows) < math.prod(map(len, fields.values())) / 2


# Worked by hand: the value of each order, and their mean.
@for_each(
    ("measure", "policy", "qrels", "run", "expected"),
    [
        # a first: 1 of 1 that is left. b first: the same. x first: nothing relevant is left, which scores 0.
        ("r", "unretrieved=dropped, depth=1", {"a": 1, "b": 1}, {"a": 1, "b": 1, "x": 1}, 2 / 3),
        # The same, where the order with x first is left out, or scores 1.
        ("r", "unretrieved=dropped, depth=1, no_relevant=skip", {"a": 1, "b": 1}, {"a": 1, "b": 1, "x": 1}, 1),
        ("hit", "unretrieved=dropped, depth=1, no_relevant=one", {"a": 1}, {"a": 1, "x": 1}, 1),
        # Documents are those judged or in the top 1. f first: it alone, and right. Another first: f and that one, both wrong.
        ("accuracy@1", "", {"f": 1}, {"a": 2, "f": 2, "h": 2}, (1 / 1 + 0 / 2 + 0 / 2) / 3),
        # Relevant first: its rank is 1. The other first: nothing in the top 1, undefined; or 0.
        ("mr@1", "", {"a": 1}, {"a": 1, "x": 1}, 1),
        ("mr@1", "undefined=zero", {"a": 1}, {"a": 1, "x": 1}, 1 / 2),
        # In 64 bits b is above a. In 32 they are tied.
        ("rr", "", {"a": 1}, {"a": 1.0, "b": 1 + 1e-9}, 1 / 2),
        ("rr", "score_bits=32", {"a": 1}, {"a": 1.0, "b": 1 + 1e-9}, 3 / 4),
    ],
)  # fmt: skip
def test_the_mean_over_orders_that_are_written_out_is_the_one_worked_by_hand(measure, policy, qrels, run, expected):
    sides = ({"q": list(side.items())} for side in (qrels, run))
    case = SweptCase(*sides, (measure,), f"ties=average, {policy}".rstrip(", "))
    assert mean_over_orders(case, case.parsed_measures, evaluated) == {"q": {measure: pytest.approx(expected)}}


# Two tied documents, of which one is relevant, and one that nobody judged.
TIED = SweptCase(
    {"q": [("a", 1), ("b", 0)]}, {"q": [("a", 1.0), ("b", 1.0), ("c", 0.5)]}, ("rr", "p@3", "ap"), "ties=average"
)


def kinds_of(name, check):
    return {failure.kind for failure in failures_of(name, check, TIED)}


def test_an_average_that_is_one_of_its_orders_is_found(monkeypatch):
    evaluate = rankgold.evaluate

    def in_one_order(qrels, run, measures, policy):
        return evaluate(qrels, run, measures, policy=replace(policy, ties="ascending"))

    monkeypatch.setattr(rankgold, "evaluate", in_one_order)
    # The relevant document is the first in this order; p@3 is the same in both.
    assert kinds_of("ties=average", averages) == {"ties=average: rr", "ties=average: ap"}


def test_bounds_without_what_nobody_judged_are_found(monkeypatch):
    bound = rankgold.bounds

    def of_the_judged(qrels, run, measures, policy):
        return bound({"q": {**qrels["q"], "c": 0}, **{q: row for q, row in qrels.items() if q != "q"}}, run, measures,
                     policy=policy)  # fmt: skip

    monkeypatch.setattr(rankgold, "bounds", of_the_judged)
    # With c relevant, one more of three is, which is nothing to the first relevant one; ap is (3/4 + 2/3) / 2, not 3/4.
    assert kinds_of("bounds", bounds) == {f"{what}: {name}" for what in ("bounds", "bounds of the mean") for name in ("p@k", "ap")}  # fmt: skip


def test_an_explanation_of_other_terms_is_found(monkeypatch):
    explain = rankgold.explain

    def of_the_top(hits, measure, query):
        cut = rankgold.match({"q": {"a": 1, "b": 0}}, {"q": {"b": 1.0, "a": 0.5}})
        return explain(cut, measure=measure, query=query)

    monkeypatch.setattr(rankgold, "explain", of_the_top)
    assert kinds_of("explain", explanations) == {"explain: rr", "explain: ap"}


def test_an_error_is_found_with_the_measure_that_it_is_of(monkeypatch):
    explain = rankgold.explain

    def without_ap(hits, measure, query):
        if measure == "ap":
            raise IndexError("list index out of range")
        return explain(hits, measure=measure, query=query)

    monkeypatch.setattr(rankgold, "explain", without_ap)
    (failure,) = failures_of("explain", explanations, TIED)
    assert failure.kind == "explain: IndexError outside the package"
    assert failure.case.measures == ("ap",)


def test_a_form_that_gives_other_values_is_found_in_the_sweep(monkeypatch):
    def in_one_order(case, folder, random):
        return rankgold.evaluate(*case.sides, list(case.measures), policy="ties=descending")

    form = replace(FORMS["dict of dicts"], name="broken", evaluate=in_one_order)
    # Both measures that see the order, of the query and of the mean.
    failures = list(agrees(form, 0, [], TIED))
    assert [failure.kind for failure in failures] == ["broken: rr", "broken: ap"] * 2


# Cases in which an hour of the sweep found a wrong value or bound.
FOUND = [
    SweptCase(
        qrels={"q1": [("a", {"1": 0}), ("b", {"1": 0}), ("d", {"1": 0})], "best": [("z", {"1": 1})]},
        run={"q1": [("e", 4.0), ("c", 4.0), ("a", 5.0), ("d", 4.000000001)], "best": [("z", 1.0)]},
        measures=("yaap",),
        policy="no_relevant=skip, depth=2",
    ),
    SweptCase(
        qrels={"q1": [("a", 1.0)]},
        run={"q1": [("a", 5.0), ("c", 5.0)]},
        measures=("fallout",),
        policy="ties=average, no_relevant=skip, unretrieved=dropped, depth=1",
    ),
    SweptCase(
        qrels={"q2": [("d", {"2": 2})]},
        run={"q2": [("d", 5.0), ("c", 5.0)]},
        measures=("fallout@1",),
        policy="ties=average, no_relevant=undefined, unretrieved=dropped, depth=1",
    ),
    SweptCase(
        qrels={
            "q2": [("b", {"1": 2}), ("d", {"2": 2}), ("f", {"2": 0}), ("e", {"2": 2, "1": 0})],
            "best": [("z", {"1": 2})],
        },
        run={"q2": [("d", 5.0), ("c", 5.000000001), ("b", 5.0)], "best": [("z", 1.0)]},
        measures=("fallout@2",),
        policy="ties=average, unretrieved=dropped, undefined=zero, score_bits=32, depth=2",
    ),
    SweptCase(
        qrels={
            "q2": [("b", {"1": 1.5, "2": 1})],
            "q3": [("b", {"2": 0.5, "1": 0.5}), ("c", {"2": 0.0, "1": 0.0})],
            "best": [("z", {"1": 1.5})],
        },
        run={"q2": [], "q3": [("b", 5.000000001), ("c", 5.0), ("a", 5.0), ("d", 5.000000001)], "best": [("z", 1.0)]},
        measures=("q(beta=10)@1",),
        policy="ties=average, unretrieved=dropped, duplicates=first, depth=3",
    ),
    SweptCase(
        qrels={"q2": [("c", {"1": 3}), ("a", {"1": 0, "2": 0})], "best": [("z", {"1": 3})]},
        run={"q2": [("a", 5.000000001), ("c", 5.0), ("d", 5.0), ("b", 5.0)], "best": [("z", 1.0)]},
        measures=("err(stop=sigmoid(2, 1.5))",),
        policy="ties=average, no_relevant=one, unretrieved=dropped, depth=3",
    ),
    SweptCase(
        qrels={"q1": [("a", 2), ("d", 2)], "best": [("z", 3)]},
        run={"q1": [("b", 4.0), ("d", 4.000000001), ("a", 4.0)], "best": [("z", 1.0)]},
        measures=("fallout(rel=2)@3",),
        policy="ties=average, score_bits=32, depth=2",
    ),
    SweptCase(
        qrels={"q1": [("b", {"1": 1.5, "2": 0})], "best": [("z", {"1": 1.5})]},
        run={"q1": [("b", 5.0), ("c", 5.0), ("a", 5.0)], "best": [("z", 1.0)]},
        measures=("fallout@2",),
        policy="ties=average, chunks=best",
    ),
    SweptCase(
        qrels={
            "q1": [("b", {"2": 1.5, "1": 1}), ("c", {"1": 0})],
            "q3": [("d", {"1": 0}), ("a", {"1": 0})],
            "best": [("z", {"1": 1.5})],
        },
        run={"q1": [("b", 4.0), ("d", 4.0), ("c", 5.0)], "q3": [], "best": [("z", 1.0)]},
        measures=("rndcg(discount=jk)",),
        policy="unretrieved=dropped",
    ),
    SweptCase(
        qrels={"q1": [("c", {"1": 0.0}), ("a", {"2": 1.5, "1": 1}), ("m1", {"1": 1.5})], "best": [("z", {"1": 1.5})]},
        run={"q1": [("b", 5.0), ("a", 5.000000001), ("d", 5.000000001)], "best": [("z", 1.0)]},
        measures=("ndcg_rel(discount=jk)",),
        policy="ties=input, depth=3",
    ),
    SweptCase(
        qrels={"q1": [("d", {"1": 0.0}), ("a", {"2": 1.5, "1": 1}), ("m1", {"1": 1.5})], "best": [("z", {"1": 1.5})]},
        run={"q1": [("b", 5.0), ("a", 5.000000001), ("d", 5.000000001), ("c", 5.0)], "best": [("z", 1.0)]},
        measures=("opa",),
        policy="ties=input, depth=3",
    ),
    SweptCase(
        qrels={"q2": [("c", {"1": 0})], "best": [("z", {"1": 2})]},
        run={"q2": [("b", 5.0), ("a", 5.0), ("c", 5.0)], "best": [("z", 1.0)]},
        measures=("num_nonrel_judged_ret(rel=2)",),
        policy="ties=average, no_relevant=skip, unretrieved=dropped, chunks=best, depth=2",
    ),
    SweptCase(
        qrels={"q1": [("a", {"1": 0}), ("b", {"1": 0})], "best": [("z", {"1": 1})]},
        run={"q1": [("d", 5.0), ("b", 5.0)], "best": [("z", 1.0)]},
        measures=("ap@1", "f@1", "p@1", "r(norm=min)@1"),
        policy="ties=ascending, no_relevant=skip, unretrieved=dropped",
    ),
    SweptCase(
        qrels={"q2": [("e", 0), ("b", 0), ("d", 0), ("c", 0)], "best": [("z", 1)]},
        run={"q2": [("f", 4.000000001), ("e", 5.0)], "best": [("z", 1.0)]},
        measures=("mr@1",),
        policy="no_relevant=one, duplicates=last",
    ),
    SweptCase(
        qrels={"q1": [("d", 0), ("a", 0)], "best": [("z", 1)]},
        run={"q1": [("d", 5.000000001), ("c", 5.0)], "best": [("z", 1.0)]},
        measures=("mr@1",),
        policy="no_relevant=one, undefined=zero, depth=3",
    ),
    SweptCase(
        qrels={"q2": [("c", 0)]},
        run={"q2": [("e", 5.000000001), ("d", 5.0), ("c", 4.0), ("b", 4.0)]},
        measures=("nerr(stop=sigmoid(1, 0))@2",),
        policy="ties=average, no_relevant=undefined, unretrieved=dropped, depth=3",
    ),
    SweptCase(
        qrels={"q1": [("b", -1)]},
        run={"q1": [("b", 5.000000001), ("a", 5.000000001)]},
        measures=("nerr(stop=sigmoid(1, 0))@1",),
        policy="ties=average, no_relevant=undefined, chunks=best, depth=1",
    ),
    SweptCase(
        qrels={"q2": [("e", {"2": 1}), ("a", {"2": 1}), ("d", {"1": 0}), ("c", {"1": 0})], "best": [("z", {"1": 1})]},
        run={"q2": [("a", 5.000000001), ("e", 5.000000001)], "best": [("z", 1.0)]},
        measures=("ndcg(gain=binary)@2",),
        policy="ties=average, no_relevant=skip",
    ),
]


@for_each("case", FOUND, ids=lambda case: f"{case.measures[0]}, {case.policy}")
def test_cases_that_were_wrong_are_right(case):
    check_case(case)
