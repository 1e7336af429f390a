"""The part `sweep`: every measure under any choices of the policy, on small collections with ties.

Four things hold whatever the choices are. `ties=average` is the mean over all orders, written out; bounds contain the
values of all grades that unjudged documents can have; every form and engine gives the same; an explanation adds up.
"""

import math
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random
from unittest.mock import patch

import numpy as np
from hypothesis import strategies as st

import rankgold
from rankgold.judging import extremes, grade_assignments
from tests.fuzz.failure import COUNTS, Failure, tracebacks
from tests.fuzz.forms import FORMS
from tests.fuzz.orders import mean_over_orders
from tests.fuzz.swept_cases import SUBTOPIC_FORMS, SUBTOPICS, is_allowed, swept_cases
from tests.fuzz.values import folder, outcome

NEAR = 1e-12
ADDS_UP = 1e-9
# How many unjudged documents of a query get all grades.
MOST_OPEN = 2


def sweep(data):
    check_case(data.draw(swept_cases()), data)


def check_case(case, data=None):
    """All checks of a case: a Failure, if any, that has all others beside it.

    Without data to draw forms from, only those that are quick: averages and explanations.
    """
    values = values_once()
    checks = {"ties=average": partial(averages, values=values), "explain": partial(explanations, values=values)}
    if not is_allowed(case.parsed_policy.to_dict()):
        checks = {"refused": refusal}
    elif data is not None:
        completed = values_once()
        bounding = {"bounds": bounds, "wide bounds": wide_bounds}
        checks |= {name: partial(check, values=completed) for name, check in bounding.items()} | forms(case, data)
    failures = [failure for name, check in checks.items() for failure in failures_of(name, check, case)]
    if failures:
        raise failures[0].beside(failures[1:])


def failures_of(name, check, case):
    """What a check finds wrong with a case; one measure at a time if it ends with an error."""
    COUNTS[name] += 1
    try:
        failures = list(check(case))
    except Exception:
        failures = []
        for text in case.measures:
            alone = replace(case, measures=(text,))
            try:
                with tracebacks(name, alone):
                    failures += check(alone)
            except Failure as failure:
                failures.append(failure)
    for failure in failures:
        failure.again = partial(failures_of, name, check)
    return failures


def metric_name(case, text):
    """The name of a measure without its parameters, for kinds of failures: `ap@k`, with the choices that often matter."""
    measure, policy = case.parsed_measures[text], case.parsed_policy
    choices = {"depth": policy.depth, "dropped": policy.unretrieved == "dropped"}
    return ", ".join([measure.metric.name + "@k" * (measure.k is not None), *filter(choices.get, choices)])


def wrong(name, case, query, text, what):
    place = "the mean" if query is None else f"query {query!r}"
    return Failure(f"{name}: {metric_name(case, text)}", f"{text} of {place}: {what}", replace(case, measures=(text,)))


def evaluated(qrels, run, measures, policy):
    """{query: {text: value}}."""
    scores = rankgold.evaluate(qrels, run, list(measures), policy=policy)
    return {str(row.pop("query")): row for row in scores.per_query.to_dicts()}


def values_of(case):
    return evaluated(*case.sides, case.measures, case.parsed_policy)


def values_once():
    """`values_of` for several checks of a case: the case before is not evaluated again."""
    before = []

    def values(case):
        if not before or before[0] != case:
            before[:] = case, values_of(case)
        return before[1]

    return values


def refusal(case):
    """Choices that do not go together where a depth cuts off some of tied documents: an error there, else the average."""
    try:
        values_of(case)
    except rankgold.PolicyError:
        return
    yield from averages(case)


# The mean over all orders.


def averages(case, values=values_of):
    if case.parsed_policy.ties != "average":
        return
    found = values(case)
    expected = mean_over_orders(case, case.parsed_measures, evaluated)
    if found.keys() != expected.keys():
        what = f"the queries are {[*found]}, and {[*expected]} have a value in some order"
        yield Failure("ties=average: queries", what, replace(case, measures=case.measures[:1]))
    for query in found.keys() & expected.keys():
        for text, value in expected[query].items():
            COUNTS["values averaged"] += 1
            if not near(found[query][text], value, NEAR):
                yield wrong("ties=average", case, query, text, f"{found[query][text]}, and its orders have {value}")


def near(found, expected, tolerance):
    if math.isnan(found) or math.isnan(expected):
        return math.isnan(found) and math.isnan(expected)
    return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)


# All grades of unjudged documents.


def wide_bounds(case, values=values_of):
    """The same where most grades are not tried, as with many unjudged documents: limits take their place."""
    limits = {"FEW": 2, "MOST": 2, "SMALL_COUNTS": 1}
    with ExitStack() as patches:
        for module in (grade_assignments, extremes):
            patches.enter_context(patch.multiple(module, **limits))
        patches.enter_context(patch.multiple(grade_assignments, STEP=2))
        patches.callback(grade_assignments._some_counts.cache_clear)
        grade_assignments._some_counts.cache_clear()
        yield from bounds(case, values, "wide bounds")


def bounds(case, values=values_of, kind="bounds"):
    """Values with all grades of the first unjudged documents of each query are within the bounds, and so is the mean."""
    if case.parsed_policy.unjudged == "condensed":
        return
    grades, top = possible_grades(case)
    case = with_few_open(case)
    # Whatever is dropped, a document of the highest grade is left, so that the scale is the same with all grades.
    best = [("z", {SUBTOPICS[0]: top} if case.has_subtopics else top)]
    case = replace(case, qrels={**case.qrels, "best": best}, run={**case.run, "best": [("z", 1.0)]})
    [bounded] = rankgold.bounds(*case.sides, list(case.measures), policy=case.parsed_policy).runs
    place = {str(query): i for i, query in enumerate(bounded.queries)}
    completed, of_query = completions(case, grades)
    run = {name: case.run[query] for name, query in of_query.items() if query in case.run}
    found = values(replace(case, qrels=completed, run=run))
    for name, row in found.items():
        for text, value in row.items():
            COUNTS["values bounded"] += 1
            low, high = (side[text][place[of_query[name]]] for side in (bounded.low, bounded.high))
            if not math.isnan(value) and not low - NEAR <= value <= high + NEAR:
                what = f"{value} with the judgements {dict(completed[name])} is not from {low} to {high}"
                yield wrong(kind, case, of_query[name], text, what)
    yield from bounds_of_means(case, bounded, found, of_query, kind)


def completions(case, grades):
    """Judgements with a query for each choice of grades, and the query of the case that each of them is."""
    completed, of_query = {}, {}
    for query, judgements in case.qrels.items():
        unjudged = open_documents(case, query)
        for number, choice in enumerate(product(grades, repeat=len(unjudged))):
            given = [(d, grade) for d, grade in zip(unjudged, choice, strict=True) if grade is not None]
            completed[f"{query} {number}"] = [*judgements, *given]
            of_query[f"{query} {number}"] = query
    return completed, of_query


def bounds_of_means(case, bounded, values, of_query, kind):
    """The same of the mean, where only one query has unjudged documents."""
    opened = [query for query in case.qrels if open_documents(case, query)]
    if len(opened) != 1:
        return
    [query] = opened
    others = [name for name, other in of_query.items() if other != query and name in values]
    measures = case.parsed_measures
    for name in [name for name, other in of_query.items() if other == query]:
        for text, measure in measures.items():
            column = [values[each][text] for each in [*others, name] if each in values]
            mean = measure.metric.aggregate(np.array(column, dtype=float))
            low, high = bounded.mean_low[text], bounded.mean_high[text]
            if not math.isnan(mean) and not low - NEAR <= mean <= high + NEAR:
                yield wrong(f"{kind} of the mean", case, None, text, f"{mean} is possible, not from {low} to {high}")


def with_few_open(case):
    """The case with at most so many unjudged documents in each query: further ones are not relevant."""
    qrels = {}
    for query, judgements in case.qrels.items():
        zero = {SUBTOPICS[0]: 0} if case.has_subtopics else 0
        qrels[query] = judgements + [(d, zero) for d in open_documents(case, query)[MOST_OPEN:]]
    return replace(case, qrels=qrels)


def open_documents(case, query):
    judged = dict(case.qrels.get(query, []))
    return list(dict.fromkeys(d for d, _ in case.run.get(query, []) if d not in judged))


def possible_grades(case):
    """What an unjudged document can be given, None for nothing; and the highest grade. As the documentation has it."""
    judged = [grade for rows in case.qrels.values() for _, grade in rows]
    given = {g for grade in judged for g in (grade.values() if isinstance(grade, dict) else [grade]) if g > 0} or {1}
    top = max(given)
    levels = range(int(top) + 1) if all(grade == int(grade) for grade in given) else [0, *sorted(given)]
    if case.has_subtopics:
        return [None, *({subtopic: level} for level in levels for subtopic in SUBTOPICS)], top
    return [None, *levels], top


# Every form and engine.


def forms(case, data):
    """Name -> check, for a few of the forms that can hold the case."""
    known = SUBTOPIC_FORMS if case.has_subtopics else FORMS
    local, duckdb = (
        [name for name in known if known[name].engine == engine and known[name].can_hold(case)]
        for engine in ("local", "duckdb")
    )
    chosen = [
        *data.draw(st.lists(st.sampled_from(local), min_size=1, max_size=3, unique=True)),
        *data.draw(st.lists(st.sampled_from(duckdb), max_size=1)),
    ]
    seed, evaluated_already = data.draw(st.integers(0, 2**32)), []
    return {name: partial(agrees, known[name], seed, evaluated_already) for name in chosen}


def spark_forms(case):
    """Name -> check, for the forms on Spark that can hold the case: few, for each takes seconds."""
    known = SUBTOPIC_FORMS if case.has_subtopics else {"spark frames": FORMS["spark frames"]}
    chosen = [form for form in known.values() if form.engine == "spark" and form.can_hold(case)]
    return {form.name: partial(agrees, form, 0, []) for form in chosen}


def agrees(form, seed, evaluated_already, case):
    """The form gives the same floats as dicts of the same collection."""
    held = form.as_held(case)
    values = outcome(form.evaluate(held, folder(), Random(seed)))
    expected = next((found for same, found in evaluated_already if same == held), None)
    if expected is None:
        expected = outcome(rankgold.evaluate(*held.sides, list(held.measures), policy=held.parsed_policy))
        evaluated_already.append((held, expected))
    if values.keys() != expected.keys():
        yield Failure(f"{form.name}: queries", f"{[*values]}, and dicts have {[*expected]}", held)
        return
    for query, row in values.items():
        for text, value in row.items():
            COUNTS["values of forms"] += 1
            if value.hex() != expected[query][text].hex():
                yield wrong(form.name, held, query, text, f"{value!r}, and {expected[query][text]!r} in dicts")


# Explanations.


def explanations(case, values=values_of):
    """The terms over the norm are the value in an evaluation, unless the policy decided it."""
    hits = rankgold.match(*case.sides, policy=case.parsed_policy)
    for query, row in values(case).items():
        for text, value in row.items():
            COUNTS["values explained"] += 1
            explained = rankgold.explain(hits, measure=text, query=query).to_dict()
            for what, found, expected in numbers_of(explained, value):
                if not near(found, expected, ADDS_UP):
                    yield wrong("explain", case, query, text, f"{what} {found}, not {expected}")


def numbers_of(explained, value):
    """(what it is, as explained, as it must be)."""
    known = {name: math.nan if explained[name] is None else explained[name] for name in ("value", "sum", "norm")}
    norm, total = known["norm"], sum_of(explained["terms"]) + (explained["missed"] or 0)
    yield "value", known["value"], value
    yield "sum", known["sum"], total
    if explained["decided_by"] is None:
        yield "sum over norm", total / norm if norm else math.nan, value
    if explained["ideal"] is not None:
        yield "norm", norm, sum_of(explained["ideal"])


def sum_of(terms):
    return math.fsum(term["term"] * term["chance"] for term in terms)
