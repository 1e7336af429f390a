"""Rankings against rankings: what holds for every measure of the family, values worked by hand, runs in any form."""

import json
import math
from itertools import permutations, product
from math import log, sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold import similarities, similarity
from rankgold.core.segments import OrderCounts
from rankgold.data import chunks, inputs
from rankgold.data.files import sample
from rankgold.measures.registry import SIMILARITIES
from tests.all_measures import measures
from tests.cases import for_each
from tests.collections import examples
from tests.shell import printed, refused

MEASURES = measures(cutoffs=(1, 3), metrics=similarities.all())
RUN_FILES = [str(sample(f"{name}.trec")) for name in ("bm25", "expanded", "titles")]
ORACLES = Path(__file__).parent / "oracles"
NOT_SYMMETRIC = {"tau_ap", "compat"}

SCORES = st.sampled_from([1.0, 2.0, 2.5, 3.0, 7.0])
LISTS = st.dictionaries(st.sampled_from("abcdefg"), SCORES, min_size=1)
RUNS = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), LISTS, min_size=1)


def run_of(*texts):
    """A run with a query for each text, in which documents are in ranked order, and + stands between tied ones."""
    return {
        f"q{number}": {
            document: float(-place) for place, group in enumerate(text.split()) for document in group.split("+")
        }
        for number, text in enumerate(texts, start=1)
    }


# Measure -> two rankings, and the value.
BY_HAND = [
    ("overlap@2", "a b c", "b d a", 1 / 2),
    ("overlap", "a b c", "b d a", 2 / 3),
    ("overlap(norm=shortest)", "a b", "c b a d", 2 / 2),
    ("overlap(norm=longest)@10", "a b", "c b a d", 2 / 4),
    ("overlap(norm=k)@10", "a b", "c b a d", 2 / 10),
    ("overlap(norm=k)", "a b", "c b a d", 2 / 4),
    ("jaccard@2", "a b c", "b d a", 1 / 3),
    ("jaccard", "a b", "a b", 1),
    ("jaccard", "a b", "c", 0),
    ("kendall", "a b c d", "b a c d", (5 - 1) / 6),
    # Of the pairs ab, ac, bc the first is tied in one list: 2 agree, of 3 pairs in one and 2 in the other.
    ("kendall", "a b c", "a+b c", 2 / sqrt(3 * 2)),
    ("kendall", "a b c", "a+b+c", math.nan),
    ("kendall", "a b", "a c", math.nan),
    ("kendall", "x a b y", "a z b", 1),
    # a b x* against x a b*, where * is tied at the end: ranks 1 2 3 and 2 3 1; ab agrees, ax and bx do not.
    ("kendall(documents=all)", "a b", "x a b", (1 - 2) / 3),
    ("kendall@2", "a b c", "b a c", -1),
    ("spearman", "a b c d", "b a c d", 1 - 6 * 2 / (4 * 15)),
    # Ranks 1 2 3 and 1.5 1.5 3: deviations -1 0 1 and -0.5 -0.5 1.
    ("spearman", "a b c", "a+b c", 1.5 / sqrt(2 * 1.5)),
    ("spearman(documents=all)", "a b", "x a b", 1 - 6 * (1 + 1 + 4) / (3 * 8)),
    ("weighted_tau", "a b c", "b a c", 2 / 11),
    # By both lists a, b, c weigh 1, 1/2, 1/3. ac and bc agree: 4/3 + 5/6; ab with 3/2 is tied in the second list.
    ("weighted_tau", "a b c", "a+b c", (4 / 3 + 5 / 6) / sqrt((3 / 2 + 4 / 3 + 5 / 6) * (4 / 3 + 5 / 6))),
    ("tau_ap", "a b c d", "b a c d", 2 / 3 * (0 / 1 + 2 / 2 + 3 / 3) - 1),
    ("tau_ap", "a b c d", "a b d c", 2 / 3 * (1 / 1 + 2 / 2 + 2 / 3) - 1),
    ("tau_ap", "a b c", "c b a", -1),
    # Against c a b, the ranking a b c has none of its one above b wrong, and both above c: 1/1 and 0/2.
    ("tau_ap(reference=second)", "a b c", "c a b", 2 / 2 * (1 / 1 + 0 / 2) - 1),
    ("tau_ap", "a b c", "c a b", 2 / 2 * (0 / 1 + 1 / 2) - 1),
    ("tau_ap(reference=both)", "a b c", "c a b", (0 - 1 / 2) / 2),
    ("tau_ap", "a", "a", math.nan),
    ("compat(p=0.5)", "a b c", "b a c", (0 + 1 / 2 + 1 / 4) / (1 + 1 / 2 + 1 / 4)),
    # b comes first in the ideal ranking of a+b c, since the second ranking has it first.
    ("compat(p=0.5)", "a+b c", "b a c", 1),
    ("compat(p=0.5)", "a b", "x a", (1 / 2 / 2) / (1 + 1 / 2)),
    ("rbo", "a b c", "b a d", 0.1 * (0 + 0.9 * 1 + 0.81 * 2 / 3) + 0.729 * 2 / 3),
    ("rbo(p=0.5)", "a b", "c d", 0),
    # The shorter list ends at rank 1 with the agreement 1, which goes on: a half, then the unseen rank is the same.
    ("rbo(p=0.5)", "a", "a b", 1),
    ("rbo(p=0.5)@1", "a b", "a c", 1),
    ("rbo(p=1e-320)", "a b", "a c", 1),
    ("rbo(p=1e-320, form=min)", "a b", "a c", 1),
    ("rbo(p=0.5, form=min)", "a b", "a c", (1 / 2 + 1 / 4 * 1 / 2) + (log(2) - 1 / 2 - 1 / 4 / 2)),
    # At depth 3 each list can have found what the other has: 3 of 3 documents, and all from there on.
    ("rbo(p=0.5, form=max)", "a b", "a c", 1 / 2 + 1 / 4 * 1 / 2 + 1 / 4),
    ("rbo(p=0.5, form=res)", "a b", "a c", 1 / 4 - (log(2) - 1 / 2 - 1 / 4 / 2)),
    # At depth 1 the first list has both a and b, of which the second has a: 2 * 1 / (2 + 1).
    ("rbo(p=0.5)", "a+b", "a b", 1 / 2 * 2 / 3 + 1 / 2),
    # Half of a and half of b, of which the second list has a; with the norm sqrt(1/2 * 1) for b.
    ("rbo(p=0.5, ties=a)", "a+b", "a b", 1 / 2 * 1 / 2 + 1 / 2),
    ("rbo(p=0.5, ties=b)", "a+b", "a b", 1 / 2 * (1 / 2) / sqrt(1 / 2) + 1 / 2),
    # By the policy, b comes first: by id, descending.
    ("rbo(p=0.5, ties=order)", "a+b", "a b", 1 / 2 * 0 + 1 / 2),
    ("rbo(p=0.5, ties=a)", "a+b", "a+b", 1 / 2 * 1 / 2 + 1 / 2),
    ("rbo(p=0.5, ties=b)", "a+b", "a+b", 1),
]


@for_each(("measure", "first", "second", "expected"), BY_HAND)
def test_values_that_were_worked_by_hand(measure, first, second, expected):
    assert similarity(run_of(first), run_of(second), measure)[measure] == pytest.approx(
        expected, rel=1e-12, nan_ok=True
    )


def test_every_measure_has_a_value_by_hand():
    assert {rankgold.parse_measure(text, SIMILARITIES).metric.name for text, *_ in BY_HAND} == set(SIMILARITIES)


def test_the_overlaps_of_the_example_of_webber_moffat_and_zobel():
    # Their example of average overlap: the agreement of <a b c d e f g> and <z c a v w x y> at the depths 1 to 7.
    first, second = run_of("a b c d e f g"), run_of("z c a v w x y")
    found = similarity(first, second, [f"overlap@{depth}" for depth in range(1, 8)]).means
    assert [round(value, 3) for value in found.values()] == [0, 0, 0.667, 0.5, 0.4, 0.333, 0.286]


@pytest.mark.parametrize("ties", ["w", "a", "b"])
def test_rankings_with_ties_have_the_values_of_corsi_and_urbano(ties):
    for case in json.loads((ORACLES / "rbo_ties.json").read_text())["cases"]:
        wanted = {form: f"rbo(p={case['p']}, ties={ties}, form={form})" for form in ("ext", "min", "max", "res")}
        found = similarity(run_of(case["first"]), run_of(case["second"]), list(wanted.values()))
        assert {form: found[measure] for form, measure in wanted.items()} == pytest.approx(case[ties], abs=1e-12), case


def ordered(lists):
    """The documents of a list, best first, tied ones by id, descending."""
    return sorted(sorted(lists, reverse=True), key=lambda document: -lists[document])


def all_orders(lists):
    """The documents of a list, best first, in every order of tied ones."""
    groups = {}
    for document in ordered(lists):
        groups.setdefault(lists[document], []).append(document)
    return [sum(order, ()) for order in product(*(permutations(group) for group in groups.values()))]


def plain_tau_ap(true, ranked):
    shared = [document for document in ranked if document in true]
    right = [
        sum(true.index(above) < true.index(document) for above in shared[:place]) / place
        for place, document in enumerate(shared)
        if place
    ]
    return 2 * np.mean(right) - 1 if right else math.nan


def plain_overlap(one, other, p):
    depths = range(1, max(len(one), len(other)) + 1)
    return sum(p ** (depth - 1) * len({*one[:depth]} & {*other[:depth]}) / depth for depth in depths)


@examples(60)
@given(LISTS, LISTS)
def test_values_are_those_of_the_definitions_written_out(first, second):
    one, other = ordered(first), ordered(second)
    # The ideal ranking of compat is the order of tied documents that gives the highest value.
    highest = max(plain_overlap(other, ideal, 0.8) for ideal in all_orders(first))
    depths = range(1, max(len(one), len(other)) + 1)
    found = similarity({"q": first}, {"q": second}, ["overlap@2", "jaccard@2", "tau_ap", "compat(p=0.8)"]).means
    both, either = {*one[:2]} & {*other[:2]}, {*one[:2]} | {*other[:2]}
    assert found == pytest.approx(
        {
            "overlap@2": len(both) / max(len(one[:2]), len(other[:2])),
            "jaccard@2": len(both) / len(either),
            "tau_ap": plain_tau_ap(one, other),
            "compat(p=0.8)": highest / sum(0.8 ** (d - 1) * min(d, len(one)) / d for d in depths),
        },
        nan_ok=True,
    )


def test_the_average_of_ties_is_the_mean_over_all_orders():
    # The first list has the orders a b c and b a c at the same chance, the second c a and a c, and d at its end.
    orders = [(first, second) for first in ("a b c", "b a c") for second in ("c a d", "a c d")]
    for form in ("ext", "min", "max", "res"):
        values = [similarity(run_of(*[x]), run_of(*[y]), f"rbo(form={form})")[f"rbo(form={form})"] for x, y in orders]
        averaged = f"rbo(form={form}, ties=a)"
        assert similarity(run_of("a+b c"), run_of("a+c d"), averaged)[averaged] == pytest.approx(np.mean(values))


@examples(40)
@given(LISTS, LISTS)
def test_the_average_of_ties_is_the_mean_over_all_orders_of_lists_of_one_length_and_always_for_min(first, second):
    forms = ["min", *(["max", "res", "ext"] if len(first) == len(second) else [])]
    orders = [
        {f"q{i}": dict(zip(order, range(0, -9, -1), strict=False)) for i, order in enumerate(column)}
        for column in zip(*product(all_orders(first), all_orders(second)), strict=True)
    ]
    means = similarity(*orders, [f"rbo(form={form})" for form in forms]).means
    averaged = similarity({"q": first}, {"q": second}, [f"rbo(form={form}, ties=a)" for form in forms]).means
    assert list(averaged.values()) == pytest.approx(list(means.values()), abs=1e-12)


def test_the_extrapolation_of_a_shorter_list_is_not_the_mean_over_all_orders():
    # The agreement is 1 down to depth 2, the end of the shorter list. At depth 3, c and d are reached to a half, and the
    # mean of both counts for the unseen document: (2 + 1/2) / 3. From depth 4 on it is 1. Each order agrees everywhere.
    measure = "rbo(p=0.5, ties=a)"
    expected = 0.5 * 1 + 0.25 * 1 + 0.125 * 2.5 / 3 + 0.125 * 1
    assert similarity(run_of("a b c+d"), run_of("a b"), measure)[measure] == pytest.approx(expected)
    for order in ("a b c d", "a b d c"):
        assert similarity(run_of(order), run_of("a b"), "rbo(p=0.5)")["rbo(p=0.5)"] == pytest.approx(1)


def values(first, second, wanted=MEASURES, policy=None):
    frame = similarity(first, second, wanted, policy=policy).per_query
    return {measure: np.array(frame[str(measure)].to_list(), dtype=float) for measure in wanted}


@examples(15)
@given(RUNS, RUNS)
def test_values_are_within_the_declared_span_and_a_batch_is_the_mean_of_its_queries(first, second):
    common = first.keys() & second.keys()
    if not common:
        with pytest.raises(rankgold.MatchError, match="no query in common"):
            similarity(first, second, MEASURES)
        return
    found = similarity(first, second, MEASURES)
    assert set(found.per_query["query"]) == common
    assert set(found.notes.only_first) == first.keys() - common
    for label, measure in found.measures.items():
        low, high = measure.metric.span
        column = found.values(label)
        known = column[~np.isnan(column)]
        assert ((low - 1e-12 <= known) & (known <= high + 1e-12)).all(), label
        assert found.means[label] == pytest.approx(np.mean(known) if len(known) else math.nan, nan_ok=True)
    for number, query in enumerate(found.queries()):
        alone = similarity({query: first[query]}, {query: second[query]}, MEASURES)
        for label in found.measures:
            assert alone.values(label)[0] == pytest.approx(found.values(label)[number], abs=1e-12, nan_ok=True), label


@examples(15)
@given(LISTS, LISTS)
def test_the_order_of_the_two_runs_does_not_matter_to_symmetric_measures(first, second):
    there, back = values({"q": first}, {"q": second}), values({"q": second}, {"q": first})
    for measure in MEASURES:
        if measure.metric.name not in NOT_SYMMETRIC or str(measure) in ("tau_ap(reference=both)",):
            assert there[measure] == pytest.approx(back[measure], abs=1e-12, nan_ok=True), measure
    swapped = values({"q": second}, {"q": first}, [similarities.tau_ap(reference="second")])
    assert there[similarities.tau_ap()] == pytest.approx(*swapped.values(), nan_ok=True)


@examples(15)
@given(LISTS)
def test_a_ranking_is_fully_like_itself(lists):
    for measure, (value,) in values({"q": lists}, {"q": lists}).items():
        if dict(measure.chosen).get("form") == "res" or str(measure).startswith("rbo(ties=a)"):
            continue
        if dict(measure.chosen).get("form") == "min" or "norm" in dict(measure.chosen):
            assert value <= 1 + 1e-12
        elif not math.isnan(value):
            assert value == pytest.approx(1), measure


@examples(15)
@given(LISTS, LISTS, st.sampled_from(["w", "a", "b", "order"]), st.sampled_from([0.1, 0.8, 0.98]))
def test_the_extrapolated_value_lies_between_the_bounds_and_the_residual_is_their_difference(first, second, ties, p):
    wanted = [f"rbo(p={p}, ties={ties}, form={form})" for form in ("min", "ext", "max", "res")]
    low, value, high, residual = similarity({"q": first}, {"q": second}, wanted).means.values()
    assert low - 1e-12 <= value <= high + 1e-12
    assert residual == pytest.approx(high - low, abs=1e-12)


@examples(15)
@given(st.permutations("abcdefgh"), st.permutations("abcdefghij"))
def test_the_treatments_of_ties_differ_only_where_there_are_ties(first, second):
    for form in ("ext", "min", "max"):
        wanted = [f"rbo(form={form}, ties={ties})" for ties in ("w", "a", "b", "order")]
        found = list(similarity({"q": list(first)}, {"q": list(second)}, wanted).means.values())
        assert found == pytest.approx([found[0]] * 4, abs=1e-12)


@examples(60)
@given(st.lists(st.integers(0, 9), max_size=12), st.lists(st.integers(0, 300), max_size=12))
def test_numbers_before_and_after_are_counted(first, second):
    counts = OrderCounts.of(
        np.array([*first, *second], dtype=np.int64), np.array([0, len(first), len(first), len(first + second)])
    )
    expected = [
        tuple(
            sum(check(other, value) for other in part)
            for part in (group[:at], group[at + 1 :])
            for check in (lambda a, b: a < b, lambda a, b: a > b)
        )
        for group in (first, second)
        for at, value in enumerate(group)
    ]
    columns = (counts.lower_before, counts.higher_before, counts.lower_after, counts.higher_after)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


def test_runs_in_every_form_give_the_same(tmp_path):
    first = {"q1": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}, "q2": {"x": 5.0, "y": 4.0}}
    second = {"q1": {"b": 9.0, "a": 8.0, "e": 8.0}, "q2": {"y": 2.0}}
    expected = values(first, second)
    rows = {
        number: [(query, document, score) for query, row in run.items() for document, score in row.items()]
        for number, run in enumerate((first, second))
    }
    frames = [pl.DataFrame(rows[n], schema=["query", "document", "score"], orient="row") for n in (0, 1)]
    files = []
    for number, frame in enumerate(frames):
        trec, parquet = tmp_path / f"{number}.trec", tmp_path / f"{number}.parquet"
        trec.write_text("".join(f"{query} Q0 {document} 1 {score} tag\n" for query, document, score in rows[number]))
        frame.write_parquet(parquet)
        files.append((str(trec), parquet))
    forms = [frames, [frame.sample(fraction=1, shuffle=True, seed=1) for frame in frames], [pd.DataFrame(f.to_dicts()) for f in frames],
             [frame.to_arrow() for frame in frames], [trec for trec, _ in files], [parquet for _, parquet in files],
             [frames[0], second], [files[0][0], frames[1]]]  # fmt: skip
    for form in forms:
        found = similarity(*form, MEASURES)
        order = [found.queries().index(query) for query in ("q1", "q2")]
        for measure in MEASURES:
            assert found.values(measure)[order] == pytest.approx(expected[measure], abs=0, nan_ok=True)


def test_large_files_are_compared_as_small_ones(tmp_path, monkeypatch):
    first, several = tmp_path / "first.trec", tmp_path / "several.trec"
    first.write_text("q1 Q0 a 1 3 x\nq2 Q0 c 1 5 x\nq1 Q0 b 2 2 x\n")
    several.write_text("q1 Q0 b 1 3 y\nq2 Q0 c 1 5 y\nq1 Q0 a 1 9 z\nq2 Q0 c 1 5 z\n")
    expected = similarity(first, several, ["overlap", "rbo"])
    # Of q1, y and z have one of two documents; of q2, the same one.
    assert expected["overlap"] == {"y": 3 / 4, "z": 3 / 4}
    monkeypatch.setattr(inputs, "SMALL", -1)
    monkeypatch.setattr(chunks, "LARGE", 10)
    monkeypatch.setattr(chunks, "ROWS_AT_ONCE", 2)
    assert similarity(first, several, ["overlap", "rbo"]).to_dict() == expected.to_dict()


def test_many_queries_are_compared_as_few_are():
    # More documents than are looked at together.
    random = np.random.default_rng(3)
    runs = [
        {f"q{i}": dict(zip(map(str, random.permutation(400)[:250]), random.integers(0, 99, 250).tolist(), strict=True)) for i in range(400)}
        for _ in range(2)
    ]  # fmt: skip
    whole = similarity(*runs, [metric() for metric in similarities.all()])
    few = similarity(*({query: run[query] for query in ("q0", "q200", "q399")} for run in runs), list(whole.measures))
    for label in whole.measures:
        assert whole.values(label)[[0, 200, 399]] == pytest.approx(few.values(label), abs=1e-12)


def test_ids_are_the_same_if_they_are_the_same_as_text():
    found = similarity({1: {7: 2.0, 8: 1.0}}, {"1": {"7": 2.0, "9": 1.0}}, "overlap")
    assert found["overlap"] == 1 / 2
    assert "compared as text" in found.notes.remarks[0]


@pytest.mark.parametrize(("ties", "expected"), [("descending", 0.0), ("ascending", 1.0), ("input", 1.0)])
def test_tied_documents_are_in_the_order_of_the_policy(ties, expected):
    run = {"q": {"a": 1.0, "c": 1.0, "b": 1.0}}
    assert similarity({"q": ["a"]}, run, "overlap@1", policy=f"ties={ties}")["overlap@1"] == expected
    table = pl.DataFrame({"query": ["q"] * 3, "document": ["a", "c", "b"], "score": [1.0] * 3})
    assert similarity({"q": ["a"]}, table, "overlap@1", policy=f"ties={ties}")["overlap@1"] == expected


def test_an_average_over_orders_is_refused_where_there_is_none():
    run = {"q": {"a": 1.0, "b": 1.0}}
    for measure in ("overlap@1", "tau_ap", "compat", "rbo(ties=order)"):
        with pytest.raises(rankgold.PolicyError, match="not averaged over the orders"):
            similarity(run, run, measure, policy="ties=average")
    assert similarity(run, run, ["rbo"], policy="ties=average")["rbo"] == 1


def test_notes_name_what_was_left_out_and_what_differs():
    first = {"q1": {"a": 2.0, "b": 2.0}, "q2": {"a": 1.0}, "q4": {}}
    second = {"q1": {"a": 1.0}, "q3": {"a": 1.0}, "q4": {"a": 1.0}}
    found = similarity(first, second, ["kendall"])
    assert found.notes.to_dict() == {
        "queries": 1, "only_first": ["q2"], "only_second": ["q3", "q4"], "different_length": 1, "tied_documents": 2,
        "undefined": {"kendall": 1},
        "remarks": [
            "1 query ranked only by the first run (q2): left out", "2 queries ranked only by the second run (q3, q4): left out",
            "the lists of 1 of 1 queries differ in length", "2 of 3 documents are tied with another one of their list",
        ],
    }  # fmt: skip
    assert similarity(first, second, ["kendall"], policy="undefined=zero")["kendall"] == 0


def test_several_runs_are_compared_with_the_first():
    base, other = run_of("a b c"), {"same": run_of("a b c"), "new": run_of("a x y")}
    found = similarity(base, other, ["overlap@3", "rbo"])
    assert found["overlap@3"] == {"same": 1.0, "new": 1 / 3}
    assert found["new"]["overlap@3"] == found.means["new"]["intersection@3"] == 1 / 3
    assert found["new"].reference == found.sorted_by("rbo").reference == "run"
    assert found.best("rbo") == set()
    alone = similarity({"old": base, **other}, measures=["overlap@3"])
    assert (alone.reference, alone["overlap@3"]) == ("old", {"same": 1.0, "new": 1 / 3})
    assert json.loads(alone.to_json())["reference"] == "old"
    assert repr(alone).endswith("compared with old")


def test_depth_cuts_the_lists_and_topics_select_queries():
    first, second = run_of("a b c", "x"), run_of("b a+d e", "y")
    # Of a and d, the id puts d first: the lists are a b and b d, whose order of ties is known no more.
    found = similarity(first, second, ["overlap", "rbo(p=0.5, ties=a)"], depth=2, topics=["q1"])
    assert found.queries() == ["q1"]
    assert found.means == {"overlap": 1 / 2, "rbo(p=0.5, ties=a)": 1 / 2 * 0 + 1 / 2 * 1 / 2}
    assert similarity(first, second, "overlap", policy="depth=2")["overlap"] == 1 / 4


def test_parent_rolls_chunks_up():
    first, second = {"q": {"d1#1": 3.0, "d1#2": 2.0, "d2#1": 1.0}}, {"q": {"d1": 3.0, "d2": 2.0}}
    assert similarity(first, second, "overlap", parent="#")["overlap"] == 1


@for_each(
    ("arguments", "message"),
    [
        (({"q": {"a": 1.0}}, {"q": {"a": 1.0}}, ["ndcg@10"]), "ndcg is one of the measures of rankings against judgements"),
        (({"q": {"a": 1.0}}, {"q": {"a": 1.0}}, [rankgold.measures.ap()]), "pass it to rankgold.evaluate"),
        (({"q": {"a": 1.0}}, {"q": {"a": 1.0}}, ["rb"]), "No measure is called 'rb'. Did you mean 'rbo'?"),
        (({"q": {"a": 1.0}}, {"q": {"a": 1.0}}, []), "such as 'rbo'"),
        (({"q": {"a": 1.0}},), "there is one run"),
        (({"x": {"q": {"a": 1.0}}, "y": {"q": {"a": 1.0}}}, {"q": {"a": 1.0}}), "holds several runs (x, y, ...)"),
        (({"q": {"a": 1.0}}, {"p": {"a": 1.0}}), "the runs have no query in common: the first run has 'q', the second run has 'p'."),
        (({"q": {}}, {"q": {"a": 1.0}}), "the first run has none, the second run has 'q'"),
        (({"q": {"a": 1.0}}, {"q": {"a": math.nan}}), "the score must be a finite number"),
        (({"q": [("a", 1.0), ("a", 2.0)]}, {"q": {"a": 1.0}}), "'a'"),
        (({"q": {"a": 1.0}}, None, ["rbo"]), "there is one run"),
        (({"q": {"a": 1.0}}, 7, ["rbo"]), "this int is not a run"),
    ],
)  # fmt: skip
def test_mistakes_are_answered_with_what_to_do(arguments, message):
    with pytest.raises(rankgold.RankgoldError) as error:
        similarity(*arguments)
    assert message in str(error.value)


def test_a_measure_of_two_rankings_is_refused_by_evaluate():
    with pytest.raises(
        rankgold.MeasureError, match=r"rbo is one of the measures of rankings against rankings.*similarity"
    ):
        rankgold.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["rbo(p=0.8)"])


def test_the_text_of_a_measure_is_its_identity():
    for measure in MEASURES:
        assert rankgold.parse_measure(str(measure), SIMILARITIES) == measure


def test_spellings_of_other_tools():
    assert [str(rankgold.parse_measure(text, SIMILARITIES)) for text in ("RBO_min", "rbo.95", "rbo(p=0.9)", "tauap", "overlap_5")] == [
        "rbo(form=min)", "rbo(p=0.95)", "rbo", "tau_ap", "overlap@5",
    ]  # fmt: skip
    assert similarities.rbo(p=0.8) @ 10 == rankgold.parse_measure("rank_biased_overlap(p=0.8)@10", SIMILARITIES)


def test_the_command_prints_what_python_returns(tmp_path):
    scores = similarity(RUN_FILES[0], RUN_FILES[1:], ["rbo", "tau_ap"])
    call = ("similarity", *RUN_FILES, "-m", "rbo,tau_ap")
    assert json.loads(printed(*call, "-f", "json")) == json.loads(scores.to_json(per_query=False))
    assert printed(*call, "-q", "-f", "csv") == scores.to_csv(per_query=True) + "\n"
    assert printed(*call, "-f", "md") == scores.to_markdown() + "\n"
    assert printed(*call, "--quiet").splitlines() == repr(scores).splitlines()[:3]
    assert "\nnote: compared with bm25\n" in printed(*call)
    assert printed(*call, "-o", str(tmp_path / "out.tex")) == ""
    assert (tmp_path / "out.tex").read_text() == scores.to_latex() + "\n"


def test_the_command_answers_mistakes_in_one_line():
    assert refused("similarity", RUN_FILES[0]).endswith("there is one run. Pass another one to compare it with.")
    assert refused("similarity", RUN_FILES[0], "rbo") == "rbo: there is no such file. Did you mean -m rbo?"
    assert "ndcg is one of the measures of rankings against judgements" in refused(
        "similarity", *RUN_FILES, "-m", "ndcg"
    )


def test_topics_that_a_run_does_not_have_are_an_error(tmp_path):
    run = tmp_path / "run.trec"
    run.write_text("q1 Q0 a 1 1 t\n")
    for source in (str(run), {"q1": {"a": 1}}):
        with pytest.raises(rankgold.DataError, match="none of the topics is a query of"):
            rankgold.similarity(source, source, "rbo", topics=["zz"])
