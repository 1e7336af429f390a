"""What measures declare of their response to grades, tried with all grades of the documents of a small query."""

import itertools
import math

import numpy as np
import pytest

import rankgold
from rankgold.core.derivation import Derivation, Working
from rankgold.core.policy import Policy
from rankgold.judging.extremes import sums_and_norms
from rankgold.measures.facts import FREE, Grades
from rankgold.measures.parameters import Cutoff
from rankgold.scoring.scorer import values_of_queries
from tests.all_measures import METRICS, declared, variants

NEAR = 1e-12
RANKED, MISSED = ["d1", "d2", "d3", "d4"], ["m1"]
DOCUMENTS = RANKED + MISSED
OPTIONS = (None, 0, 1, 3)
"""What a document can be: not judged, or one of these grades."""
ALL = list(itertools.product(OPTIONS, repeat=len(DOCUMENTS)))
QRELS = {
    str(number): {d: grade for d, grade in zip(DOCUMENTS, grades, strict=True) if grade is not None}
    for number, grades in enumerate(ALL)
}
TRIED = [
    measure
    for metric in METRICS
    if not metric.over_subtopics
    for uncut in variants(metric)
    for measure in ([uncut, uncut @ 2] if metric.takes_cutoff else [uncut])
]
POLICIES = [Policy(no_relevant=choice) for choice in ("zero", "one", "undefined")]


def hits_of(policy):
    """The query with every choice of grades, each as a query of its own."""
    return rankgold.match(QRELS, dict.fromkeys(QRELS, RANKED), policy=policy)


HITS = {policy: hits_of(policy) for policy in POLICIES}
ROWS = np.argsort([int(query) for query in HITS[POLICIES[0]].queries])


def table(values):
    """Values of all queries as an array with an axis for each document: the place on it is the option."""
    return values[ROWS].reshape((len(OPTIONS),) * len(DOCUMENTS))


def grades_of(place, options=OPTIONS):
    return dict(zip(DOCUMENTS, (options[i] for i in place), strict=True))


def falls(values, axes, pairs=None):
    """The first choice of grades whose value falls when one of these documents gets a higher grade; None if none does."""
    for axis in axes:
        for lower, higher in pairs or itertools.combinations(range(values.shape[axis]), 2):
            before, after = values.take(lower, axis), values.take(higher, axis)
            for place in np.argwhere(before > after + NEAR)[:1]:
                first, second = ((*place[:axis], option, *place[axis:]) for option in (lower, higher))
                options = OPTIONS[-values.shape[axis] :]
                shown = (f"{grades_of(grades, options)}: {values[grades]:.4f}" for grades in (first, second))
                return ", ".join(shown)
    return None


def not_ends(values, measure):
    """Why the value is not always lowest or highest at the ends; None if it is."""
    axes = range(len(DOCUMENTS))
    if all(np.array_equal(values.take(0, axis), values.take(3, axis)) for axis in axes):
        # Not judged and the highest grade are the same end, a grade of 0 is the other one.
        values = values[(slice(1, None),) * len(DOCUMENTS)]
    up, down = falls(values, axes), falls(-values, axes)
    return up and down and f"it falls and rises with a grade: {up}; {down}"


def not_exchanges(values, measure):
    """Why a better document in the higher place makes the value worse, or a judgement of 0 changes it; None if not."""
    axes = range(len(DOCUMENTS))
    changed = falls(values, axes, [(0, 1)]) or falls(-values, axes, [(0, 1)])
    if changed is not None and measure.grades.response != "ends":
        return f"the number of judged documents counts: {changed}"
    better = values if measure.higher_is_better else -values
    places = range(len(RANKED))
    inside = [place for place in places if measure.k is None or place < measure.k]
    for upper, lower in itertools.combinations(inside, 2):
        swapped = np.swapaxes(better, upper, lower)
        for place in np.argwhere(swapped > better + NEAR):
            if place[upper] > place[lower]:
                other = place.copy()
                other[[upper, lower]] = place[[lower, upper]]
                return (
                    f"a better document in the higher place makes it worse: {grades_of(place)}:"
                    f" {values[tuple(place)]:.4f}, {grades_of(other)}: {values[tuple(other)]:.4f}"
                )
    return None


def not_shares(values, measure):
    """Why the value is not a share of what could be reached; None if it is."""
    better = values if measure.higher_is_better else -values
    outside = [i for i in range(len(DOCUMENTS)) if i >= min(len(RANKED), measure.k or len(RANKED))]
    missed = falls(-better, outside)
    return not_exchanges(values, measure) or (
        missed and f"a document that is not in the list makes it better: {missed}"
    )


COUNTEREXAMPLES = {"ends": not_ends, "shares": not_shares, "exchanges": not_exchanges, "free": lambda *_: None}


def false_responses(measures):
    """Each measure and policy with which the declared response is not true, and the grades that show it."""
    for policy, hits in HITS.items():
        for measure, values in values_of_queries(hits, measures).items():
            response = measure.response(policy)
            if (fault := COUNTEREXAMPLES[response](table(values), measure)) is not None:
                yield f"{measure} is not {response!r} with {policy}: {fault}"


def false_sums(measures):
    """Each measure whose sum, norm or lowest value is not as declared, and the grades that show it."""
    for measure in measures:
        hits = HITS[POLICIES[0]]
        sums, norms = map(table, sums_and_norms(measure, hits))
        values = table(values_of_queries(hits, [measure])[measure])
        axes = range(len(DOCUMENTS))
        if measure.grades.separable:
            for name, grown in (("sum", sums), ("norm", norms)):
                if (fault := falls(grown, axes, [(0, 3), (1, 3)])) is not None:
                    yield f"{measure} is not separable: its {name} falls with a relevant document: {fault}"
        if measure.grades.additive and (fault := not_additive(sums)) is not None:
            yield f"{measure} is not additive: {fault}"
        if measure.grades.lowest_at_ends:
            for axis in axes:
                between = values.take(2, axis) < np.minimum(values.take(0, axis), values.take(3, axis)) - NEAR
                for place in np.argwhere(between)[:1]:
                    fault = grades_of((*place[:axis], 2, *place[axis:]))
                    yield f"{measure} is lower with a grade between 0 and the highest: {fault}"
        if (np.nanmax(values) > measure.metric.span[1] + NEAR) != measure.grades.exceeds_span:
            yield f"{measure} has values up to {np.nanmax(values)}, and exceeds_span={measure.grades.exceeds_span}"


def not_additive(sums):
    """The document whose worth depends on more than its grade and rank, or is less than that of a lower one."""
    lower = None
    for axis in reversed(range(len(RANKED))):
        added = sums - sums.take([0], axis)
        worth = np.moveaxis(added, axis, 0).reshape(len(OPTIONS), -1)
        for option, row in zip(OPTIONS, worth, strict=True):
            if np.ptp(row) > NEAR:
                return f"{DOCUMENTS[axis]} of grade {option} adds from {row.min():.4f} to {row.max():.4f}"
        if lower is not None and (worth[:, 0] < lower - NEAR).any():
            return f"{DOCUMENTS[axis]} adds {worth[:, 0]}, and the one below it {lower}"
        lower = worth[:, 0]
    return None


def test_the_declared_response_to_grades_is_true_with_all_grades_of_a_small_query():
    assert list(false_responses(TRIED)) == []


def test_the_declared_sums_norms_and_lowest_values_are_true_with_all_grades_of_a_small_query():
    assert list(false_sums(TRIED)) == []


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_exceptions_name_choices_of_the_measure(metric):
    for choice, grades in metric.grades.unless.items():
        name, _, chosen = choice.partition("=")
        assert metric(**{name: chosen}).grades is grades
        assert metric().grades is metric.grades


def misses(hits, *, k: Cutoff = None):
    """1 for each document that is not relevant down to rank k: more relevant ones make it lower."""
    found = hits.system.top(k)
    term = (found.grade <= 0).astype(float)
    return Derivation.of_hits(found, term, Working("{}", term), 1.0, "1")


def test_a_measure_that_declares_nothing_is_right_and_one_that_declares_too_much_is_found():
    assert declared(misses).grades is FREE
    assert list(false_responses([declared(misses)()])) == []
    # Judged and not relevant adds 1, not judged or relevant adds 0: it rises from no judgement to 0, and falls to 1.
    for response in ("ends", "shares", "exchanges"):
        fault, *_ = false_responses([declared(misses, grades=Grades(response))()])
        assert f"new is not '{response}'" in fault
        assert "{'d1': None" in fault
    fault, *_ = false_sums([declared(misses, grades=Grades(separable=True), span=(0.0, math.inf))()])
    assert "its sum falls with a relevant document: {'d1': 0, 'd2': None" in fault
