"""What holds for every measure of the registry, with all of its choices, at several cutoffs."""

import math
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankgold
from tests.collections import GRADES, IDS, TIED_SCORES, collections, examples

METRICS = rankgold.measures.all()
CUTOFFS = (1, 4)

# What is tried for a parameter that takes numbers. A new one has to be added here, by its name or its metric's.
NUMBERS = {
    "rel": [2],
    "beta": [0.5, 2],
    "max": [5],
    "thresholds": [(0.2, 0.8), (1, 0, 3)],
    "frp.miss": [20],
    "discount": ["log(e)", "log(10)", "exponential(0.1)", "zipf(1, 0.5)"],
    "stop": ["sigmoid(2, 1.5)"],
}


def choices(metric, parameter):
    """The values to try for a parameter."""
    own = NUMBERS.get(f"{metric.name}.{parameter.name}", NUMBERS.get(parameter.name, []))
    named = parameter.family.members if parameter.family else parameter.choices
    assert own or named, f"add numbers to try for {parameter.name} of {metric.name}"
    return [*named, *own]


def uncut(metric):
    """The metric with its defaults, and with every choice of each of its parameters."""
    return [
        metric(),
        *(metric(**{p.name: choice}) for p in metric.parameters.values() for choice in choices(metric, p)),
    ]


def cut(metric):
    return [measure @ k for measure in uncut(metric) for k in CUTOFFS] if metric.takes_cutoff else []


MEASURES = list({measure: None for metric in METRICS for measure in (*uncut(metric), *cut(metric))})
WITH_CUTOFF = [measure for measure in MEASURES if measure.k is not None]


def ideal_of(measure):
    return measure.parameter("ideal") if measure.metric.name == "ndcg" else None


def values(qrels, run, measures=MEASURES, policy=None):
    """Query -> measure -> value, as text that tells floats apart to the last bit and NaN not from itself."""
    rows = rankgold.evaluate(qrels, run, measures, policy=policy).per_query.to_dicts()
    return {row.pop("query"): {name: value.hex() for name, value in row.items()} for row in rows}


def columns(hits, measures, policy=None):
    """Each measure with its values, query by query."""
    frame = rankgold.evaluate(hits, measures, policy=policy).per_query
    return [(measure, frame[str(measure)].to_list()) for measure in measures]


def differing(before, after):
    return [name for name in before if before[name] != after[name]]


@pytest.mark.parametrize("policy", [None, "ties=average", "unjudged=condensed"])
@examples(20)
@given(collections())
def test_values_are_within_the_declared_span(policy, collection):
    # ideal=ones asks for grades up to 1, and has a test of its own.
    measures = [measure for measure in MEASURES if ideal_of(measure) != "ones"]
    for measure, column in columns(rankgold.match(*collection, policy=policy), measures):
        low, high = measure.metric.span
        assert all(math.isnan(value) or low - 1e-12 <= value <= high + 1e-12 for value in column), measure


@examples(20)
@given(collections(grades=st.sampled_from([-1, 0, 0.5, 1])))
def test_values_of_ndcg_against_ones_are_within_the_span_for_grades_up_to_1(collection):
    against_ones = [measure for measure in MEASURES if ideal_of(measure) == "ones"]
    for measure, column in columns(rankgold.match(*collection), against_ones):
        assert all(-1e-12 <= value <= 1 + 1e-12 for value in column), measure


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(10)
@given(collections(), st.randoms(use_true_random=False))
def test_the_order_of_the_queries_changes_nothing(policy, collection, random):
    qrels, run = collection
    shuffled = [{query: table[query] for query in random.sample(list(table), len(table))} for table in collection]
    before, after = values(qrels, run, policy=policy), values(*shuffled, policy=policy)
    for query in before:
        assert differing(before[query], after[query]) == []
    means = [rankgold.evaluate(*both, MEASURES, policy=policy).means for both in (collection, shuffled)]
    assert {name: value.hex() for name, value in means[0].items()} == {n: v.hex() for n, v in means[1].items()}


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(10)
@given(collections(), collections(queries=("more", "and more")))
def test_another_query_changes_nothing_for_the_others(policy, collection, more):
    qrels, run = collection
    # err and gap read the top of the scale from the judgements: the added ones have the same.
    top = max((0, *(grade for row in qrels.values() for grade in row.values())))
    added = {query: {d: min(grade, top) for d, grade in row.items()} for query, row in more[0].items()}
    before, after = values(qrels, run, policy=policy), values({**added, **qrels}, {**run, **more[1]}, policy=policy)
    for query in before:
        assert differing(before[query], after[query]) == []


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(12)
@given(collections(longest=9), st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_documents_below_the_cutoff_change_nothing(policy, collection, lower):
    qrels, run = collection
    # Lists of 4 and more, since norm=returned does see that a list is shorter than k.
    run = {q: {**row, **{f"fill{i}": -2.0e6 - i for i in range(4 - len(row))}} for q, row in run.items()}
    unjudged = {f"new{i}": -3.0e6 - score for i, score in enumerate(lower)}
    longer = {query: {**row, **unjudged} for query, row in run.items()}
    judged = {q: {**row, **{d: -4.0e6 for d in qrels.get(q, ()) if d not in row}} for q, row in longer.items()}
    # The ideal of ideal=retrieved holds every retrieved document, those below the cutoff too.
    blind = [measure for measure in WITH_CUTOFF if ideal_of(measure) != "retrieved"]
    before = values(qrels, run, WITH_CUTOFF, policy)
    for wanted, changed in ((WITH_CUTOFF, longer), (blind, judged)):
        after = values(qrels, changed, wanted, policy)
        for query in after:
            assert differing(after[query], before[query]) == []


def is_monotone(measure):
    """Whether it is declared so; over what is found in the top k, one more document there can lower the average."""
    forgiving = measure.metric.name == "ap" and measure.parameter("norm") == "retrieved" and measure.k is not None
    return measure.metric.monotone and not forgiving


@examples(50)
@given(st.lists(GRADES, min_size=2, max_size=12), st.lists(GRADES, max_size=3), st.data())
def test_a_better_document_moved_up_never_makes_the_value_worse(labels, missed, data):
    rises = [i for i in range(len(labels) - 1) if labels[i] < labels[i + 1]]
    assume(rises)
    i = data.draw(st.sampled_from(rises))
    better = [*labels[:i], labels[i + 1], labels[i], *labels[i + 2 :]]
    hits = rankgold.from_labels([labels, better], ideal=[labels + missed] * 2)
    for measure, (before, after) in columns(hits, list(filter(is_monotone, MEASURES)), "undefined=zero"):
        gain = after - before if measure.higher_is_better else before - after
        assert gain >= -1e-12, measure


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(12)
@given(collections(scores=TIED_SCORES))
def test_the_terms_over_the_norm_are_the_value(policy, collection):
    hits = rankgold.match(*collection, policy=policy)
    for measure in MEASURES:
        parts = measure(hits)
        chance = [1.0] * len(parts.term) if parts.of.chance is None else parts.of.chance
        for i, value in enumerate(parts.values):
            total = math.fsum(t * c for t, c, q in zip(parts.term, chance, parts.of.query, strict=True) if q == i)
            total += 0 if parts.missed is None else parts.missed[i]
            norm = parts.norm if isinstance(parts.norm, float) else parts.norm[i]
            assert math.isnan(value) if norm == 0 else value == pytest.approx(total / norm, rel=1e-12, abs=1e-12), (
                measure
            )


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(12)
@given(collections(scores=TIED_SCORES))
def test_what_the_working_writes_out_comes_to_the_term(policy, collection):
    hits = rankgold.match(*collection, policy=policy)
    for measure in MEASURES:
        parts = measure(hits)
        for i, term in enumerate(parts.term):
            written = parts.working.pattern.format(*(repr(float(number)) for number in parts.working.numbers(i)))
            assert eval(written) == pytest.approx(term, rel=1e-12, abs=1e-12), f"{measure}: {written}"


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_text_of_a_measure_is_its_identity(measure):
    again = rankgold.parse(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)


def test_different_measures_have_different_texts():
    assert len({str(measure) for measure in MEASURES}) == len(MEASURES)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_documentation_is_whole(metric):
    paragraphs = metric.documentation.split("\n\n")
    assert re.fullmatch(r"[A-Z][^.]+\.( [A-Z][^.]+\.)?", metric.summary)
    assert any(re.match(r" {4}\S", part) for part in paragraphs), "no formula, indented by four spaces"
    assert "Use it" in metric.documentation
    assert any(part.startswith(">>> ") for part in paragraphs), "no example"
    assert re.search(r"\b(1[89]|20)\d\d\b", paragraphs[-1]), "no reference with a year at the end"


def test_every_name_and_alias_is_that_of_one_metric():
    names = [name.lower() for metric in METRICS for name in (metric.name, *metric.aliases)]
    assert len(set(names)) == len(names)
    for metric in METRICS:
        for name in (metric.name, *metric.aliases, metric.name.upper()):
            assert rankgold.parse(name) == metric()


def test_the_ids_tried_here_sort_unlike_numbers():
    assert sorted(IDS[:9]) != sorted(IDS[:9], key=int)
