"""What holds for every measure of the registry, with all of its choices, at several cutoffs."""

import inspect
import itertools
import math
import re
from functools import cache
from typing import Annotated

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankgold
from rankgold.measures.parameters import Examples
from tests.all_measures import METRICS, declared, measures
from tests.cases import for_each
from tests.collections import GRADES, IDS, TIED_SCORES, collections, examples, with_subtopics

MEASURES = measures(cutoffs=(1, 4))
WITH_CUTOFF = [measure for measure in MEASURES if measure.k is not None]


def values(qrels, run, measures=MEASURES, policy=None):
    """Query -> measure -> value, as text that tells floats apart to the last bit and NaN not from itself."""
    return as_text(rankgold.evaluate(qrels, run, measures, policy=policy))


def as_text(scores):
    rows = scores.per_query.to_dicts()
    return {row.pop("query"): {name: value.hex() for name, value in row.items()} for row in rows}


def columns(hits, measures, policy=None):
    """Each measure with its values, query by query."""
    frame = rankgold.evaluate(hits, measures, policy=policy).per_query
    return [(measure, frame[str(measure)].to_list()) for measure in measures]


def differing(before, after):
    return [name for name in before if before[name] != after[name]]


def near(value, expected):
    return math.isclose(value, expected, rel_tol=1e-12, abs_tol=1e-12)


def best_of_the_ideal(parts):
    """The best grade that each query's ideal ranking knows; any grade, for a measure without one."""
    best = np.full(parts.n_values, np.inf if parts.ideal is None else 0.0)
    if parts.ideal is not None:
        np.maximum.at(best, parts.ideal.ranking.query, parts.ideal.ranking.grade)
    return best


@pytest.mark.parametrize("policy", [None, "ties=average", "unjudged=condensed"])
@pytest.mark.parametrize("grades", [GRADES, st.sampled_from([-1, 0, 0.5, 1])], ids=["whole", "shares"])
@examples(10)
@given(st.data())
def test_values_are_within_the_declared_span(policy, grades, data):
    hits = rankgold.match(*data.draw(collections(grades=grades)), policy=policy)
    best = np.zeros(len(hits))
    np.maximum.at(best, hits.system.whole.query, hits.system.whole.grade)
    for measure, column in columns(hits, MEASURES, policy):
        low, high = measure.metric.span
        outside = np.array([not math.isnan(value) and not low - 1e-12 <= value <= high + 1e-12 for value in column])
        # A ranking may be better than an ideal that does not know its grades, such as that of ideal=ones.
        assert not outside.any() or (best > best_of_the_ideal(measure(hits)))[outside].all(), measure


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(8)
@given(collections(), st.randoms(use_true_random=False))
def test_the_order_of_the_queries_changes_nothing(policy, collection, random):
    shuffled = [{query: table[query] for query in random.sample(list(table), len(table))} for table in collection]
    scores = [rankgold.evaluate(*tables, MEASURES, policy=policy) for tables in (collection, shuffled)]
    before, after = map(as_text, scores)
    for query in before:
        assert differing(before[query], after[query]) == []
    means = [{name: value.hex() for name, value in both.means.items()} for both in scores]
    assert differing(*means) == []


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(8)
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
@examples(8)
@given(collections())
def test_only_the_order_of_the_scores_counts(policy, collection):
    qrels, run = collection
    places = {query: {score: i for i, score in enumerate(sorted(set(row.values())))} for query, row in run.items()}
    other = {query: {d: 1000.0 * places[query][score] - 7 for d, score in row.items()} for query, row in run.items()}
    before, after = values(qrels, run, policy=policy), values(qrels, other, policy=policy)
    for query in before:
        assert differing(before[query], after[query]) == []


@examples(8)
@given(collections(), st.randoms(use_true_random=False))
def test_the_names_of_documents_do_not_count_where_ties_are_averaged(collection, random):
    names = dict(zip(IDS, random.sample([f"new {i}" for i in range(len(IDS))], len(IDS)), strict=True))
    renamed = [{query: {names[d]: n for d, n in row.items()} for query, row in table.items()} for table in collection]
    before, after = (values(*tables, policy="ties=average") for tables in (collection, renamed))
    for query in before:
        # Tied documents are added up in the order of their names.
        for name, value in before[query].items():
            pair = float.fromhex(value), float.fromhex(after[query][name])
            assert near(*pair) or all(map(math.isnan, pair)), name


@examples(8)
@given(collections())
def test_every_query_twice_doubles_sums_and_keeps_means(collection):
    once = rankgold.evaluate(*collection, MEASURES).means
    twice = rankgold.evaluate(*({**table, **{f"{q} again": table[q] for q in table}} for table in collection), MEASURES)
    for measure in MEASURES:
        times = 2 if measure.metric.aggregate.name == "sum" else 1
        before, after = once[str(measure)], twice.means[str(measure)]
        assert near(after, times * before) or (math.isnan(after) and math.isnan(before)), measure


@pytest.mark.parametrize(("choice", "value"), [("zero", 0.0), ("one", 1.0), ("undefined", math.nan)])
@examples(8)
@given(collections(grades=st.sampled_from([-1, 0])))
def test_a_query_without_relevant_documents_has_the_value_of_the_policy(choice, value, collection):
    qrels, run = collection
    scores = rankgold.evaluate({**qrels, "other": {"a": 3}}, run, MEASURES, policy=f"no_relevant={choice}")
    frame = scores.per_query.filter(scores.per_query["query"].is_in(list(run)))
    for measure in MEASURES:
        # Where lower is better, 0 would be the best value of all.
        if measure.metric.wants_relevant and measure.higher_is_better:
            assert {each.hex() for each in frame[str(measure)]} <= {value.hex()}, measure


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(8)
@given(collections())
def test_a_query_without_ranking_scores_as_one_with_an_empty_ranking(policy, collection):
    qrels, run = collection
    qrels = {**qrels, "missing": {"a": 2, "b": 1, "c": 0}}
    before, after = (values(qrels, table, policy=policy)["missing"] for table in (run, {**run, "missing": {}}))
    assert differing(before, after) == []
    for measure in MEASURES:
        if measure.higher_is_better and not measure.metric.defines_empty:
            assert float.fromhex(before[str(measure)]) == 0, measure


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(8)
@given(collections(longest=9), st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_documents_below_the_cutoff_change_nothing(policy, collection, lower):
    qrels, run = collection
    # Lists of 4 and more, since norm=returned does see that a list is shorter than k.
    run = {q: {**row, **{f"fill{i}": -2.0e6 - i for i in range(4 - len(row))}} for q, row in run.items()}
    unjudged = {f"new{i}": -3.0e6 - score for i, score in enumerate(lower)}
    longer = {query: {**row, **unjudged} for query, row in run.items()}
    judged = {q: {**row, **{d: -4.0e6 for d in qrels.get(q, ()) if d not in row}} for q, row in longer.items()}
    before = values(qrels, run, WITH_CUTOFF, policy)
    blind = [measure for measure in WITH_CUTOFF if not sees_all_retrieved(measure)]
    for wanted, changed in ((WITH_CUTOFF, longer), (blind, judged)):
        after = values(qrels, changed, wanted, policy)
        for query in after:
            assert differing(after[query], before[query]) == []


@cache
def sees_all_retrieved(measure):
    """Whether its ideal is made of retrieved documents, those below the cutoff too, as that of ideal=retrieved."""
    ideal = measure(rankgold.from_labels([[3]], ideal=[[3, 5]])).ideal
    return ideal is not None and ideal.ranking.grade.tolist() == [3]


@examples(40)
@given(st.lists(GRADES, min_size=2, max_size=12), st.lists(GRADES, max_size=3), st.data())
def test_a_better_document_moved_up_never_makes_the_value_worse(labels, missed, data):
    rises = [i for i in range(len(labels) - 1) if labels[i] < labels[i + 1]]
    assume(rises)
    i = data.draw(st.sampled_from(rises))
    better = [*labels[:i], labels[i + 1], labels[i], *labels[i + 2 :]]
    hits = rankgold.from_labels([labels, better], ideal=[labels + missed] * 2)
    for measure, (before, after) in columns(hits, MEASURES, "undefined=zero"):
        gain = after - before if measure.higher_is_better else before - after
        if gain < -1e-12 and measure.metric.monotone:
            # Over what is found in the top k, one more document there can lower an average.
            assert np.ptp(np.broadcast_to(measure(hits).norm, 2)) > 0, measure


@cache
def pairs_of_short_lists():
    """Hits of all lists of up to 4 grades with a better document below a worse one, each before the list with both swapped.

    All of these documents are judged, or a document with grade 1 or 3 besides, which is in neither list.
    """
    lists, ideals = [], []
    for labels in itertools.chain.from_iterable(itertools.product(range(4), repeat=length) for length in (2, 3, 4)):
        for i, (grade, below) in enumerate(itertools.pairwise(labels)):
            if grade < below:
                for missed in ((), (1,), (3,)):
                    lists += [labels, (*labels[:i], below, grade, *labels[i + 2 :])]
                    ideals += [labels + missed] * 2
    return rankgold.from_labels(lists, ideal=ideals)


def losses_in_short_lists(metric):
    """The measures of a metric, uncut and at 2 and 3, that are worse for a swapped list, over the same norm or another."""
    hits = pairs_of_short_lists()
    for measure, column in columns(hits, measures(cutoffs=(2, 3), metrics=[metric])):
        before, after = np.reshape(column, (-1, 2)).T
        is_worse = (after - before if measure.higher_is_better else before - after) < -1e-12
        norm = np.broadcast_to(measure(hits).norm, len(hits)).reshape(-1, 2)
        for over_the_same_norm in np.unique((norm[:, 0] == norm[:, 1])[is_worse]):
            yield str(measure), bool(over_the_same_norm)


@for_each("metric", METRICS, ids=lambda metric: metric.name)
def test_a_measure_is_monotone_unless_a_better_document_moved_up_makes_a_short_list_worse(metric):
    losses = list(losses_in_short_lists(metric))
    if metric.monotone:
        # Over what is found in the top k, one more document there can lower an average.
        assert [measure for measure, over_the_same_norm in losses if over_the_same_norm] == []
    else:
        assert losses != []


def test_graded_g_falls_when_a_better_document_moves_up():
    # The best order is 3, 2, 1, so that the costs down to the ranks are 3, 5 and 6. Grades 1, 2, 3 have the discounts
    # log2(2 + 3 - 1) = 2, log2(2 + 5 - 3) = 2 and log2(2 + 6 - 6) = 1: 1/2 + 2/2 + 3 = 4.5. Grades 1, 3, 2 have
    # log2(4), log2(2 + 5 - 4) = 1.585 and 1: 1/2 + 3/1.585 + 2 = 4.3928.
    scores = rankgold.evaluate(rankgold.from_labels([[1, 2, 3], [1, 3, 2]]), ["g"])
    assert scores.per_query["g"].to_list() == pytest.approx([4.5 / 6, 4.3928 / 6], abs=1e-4)
    assert not rankgold.parse_measure("g").metric.monotone


@cache
def worked_out(written):
    return eval(written)


def check_working(measure, parts):
    """What the working writes out comes to the term."""
    for i, term in enumerate(parts.terms.term):
        written = parts.terms.working.pattern.format(*(repr(number) for number in parts.terms.working.numbers(i)))
        assert near(worked_out(written), term), f"{measure}: {written}"


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(8)
@given(collections(scores=TIED_SCORES))
def test_the_terms_over_the_norm_are_the_value_and_the_working_comes_to_the_terms(policy, collection):
    hits = rankgold.match(*collection, policy=policy)
    for measure in MEASURES:
        parts = measure(hits)
        term, chance = parts.terms.term, parts.ranking.chance
        for i, value in enumerate(parts.values):
            total = math.fsum((term if chance is None else term * chance)[parts.ranking.query == i])
            total += 0 if parts.rest is None else parts.rest[i]
            norm = parts.norms[i]
            assert math.isnan(value) if norm == 0 else near(value, total / norm), measure
        check_working(measure, parts)


OVER_SUBTOPICS = [measure for measure in MEASURES if measure.metric.over_subtopics]
# Others take the highest grade of a document.
WITH_SUBTOPICS = [*OVER_SUBTOPICS, rankgold.parse_measure("p")]


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(12)
@given(with_subtopics(collections(longest=6)), with_subtopics(collections(queries=("more", "and more"), longest=3)))
def test_with_subtopics_values_are_in_the_span_and_do_not_depend_on_other_queries(policy, collection, more):
    qrels, run = collection
    before = values(qrels, run, WITH_SUBTOPICS, policy)
    turned = [dict(reversed(table.items())) for table in ({**qrels, **more[0]}, {**run, **more[1]})]
    after = values(*turned, WITH_SUBTOPICS, policy)
    for query, row in before.items():
        assert differing(row, after[query]) == []
        for measure in WITH_SUBTOPICS:
            low, high = measure.metric.span
            assert low <= float.fromhex(row[str(measure)]) <= high + 1e-12, measure


@pytest.mark.parametrize("policy", [None, "ties=average"])
@examples(10)
@given(with_subtopics(collections(scores=TIED_SCORES, longest=6)))
def test_with_subtopics_the_terms_and_what_the_working_writes_out_come_to_the_value(policy, collection):
    hits = rankgold.match(*collection, policy=policy)
    for measure in OVER_SUBTOPICS:
        parts = measure(hits)
        assert len(parts.terms.subtopic) == len(parts.terms.term)
        for i, value in enumerate(parts.values):
            total = math.fsum(parts.terms.term[parts.ranking.query == i])
            assert math.isnan(value) if parts.norm[i] == 0 else near(value, total / parts.norm[i])
        check_working(measure, parts)


def untried(metric):
    """What the declaration of a metric leaves untried: numbers that never differ from the default."""
    for parameter in metric.parameters.values():
        tried = [parameter.value(example) for example in parameter.examples]
        if parameter.functions:
            for name, function in parameter.functions.members.items():
                default = parameter.functions.parse(name)
                if default.numbers and not any(value.name == name and value != default for value in tried):
                    yield f"{parameter.name}={name}({', '.join(inspect.signature(function).parameters)})"
        elif not parameter.choices and not any(value != parameter.default for value in tried):
            yield parameter.name


@for_each("metric", METRICS, ids=lambda metric: metric.name)
def test_every_parameter_is_described_and_tried(metric):
    assert [parameter.name for parameter in metric.parameters.values() if not parameter.about] == []
    assert list(untried(metric)) == [], "give values to try, as in Annotated[float, 'what it is', Examples(0.5, 2)]"


def test_a_parameter_without_examples_is_found():
    def undeclared(
        hits, *, p: float = 0.8, some: tuple[float, ...] = (1,), fine: Annotated[float, Examples(2)] = 1
    ): ...

    assert list(untried(declared(undeclared))) == ["p", "some"]


@for_each("measure", MEASURES, ids=str)
def test_the_text_of_a_measure_is_its_identity(measure):
    again = rankgold.parse_measure(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)


def test_different_measures_have_different_texts():
    assert len({str(measure) for measure in MEASURES}) == len(MEASURES)


@for_each("metric", METRICS, ids=lambda metric: metric.name)
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
            assert rankgold.parse_measure(name) == metric()


def test_the_ids_tried_here_sort_unlike_numbers():
    assert sorted(IDS[:9]) != sorted(IDS[:9], key=int)
