"""The parts `values`, `duckdb` and `spark`: a collection in any form, and the values that the plain reference gives."""

import math
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

import rankgold
from tests import reference
from tests.fuzz.cases import cases, same
from tests.fuzz.failure import COUNTS, Failure, tracebacks
from tests.fuzz.forms import FORMS

LOCAL = [name for name, form in FORMS.items() if form.engine == "local"]
DUCKDB = [name for name, form in FORMS.items() if form.engine == "duckdb"]
SPARK = [name for name, form in FORMS.items() if form.engine == "spark"]


@cache
def folder():
    """A folder of this process for the files of its cases."""
    return Path(tempfile.mkdtemp(prefix="fuzz-"))


def values(data):
    _check_forms(data, LOCAL, 12)


def duckdb(data):
    _check_forms(data, DUCKDB, 4)


def spark(data):
    _check_forms(data, SPARK, 3)


def _check_forms(data, names, most):
    """One collection in a few forms: each has the values and means of the reference, and all have the same last bits."""
    case = data.draw(cases())
    random = data.draw(st.randoms(use_true_random=False))
    names = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=most, unique=True))
    checked = []
    for form in map(FORMS.__getitem__, names):
        if form.can_hold(case):
            held = form.as_held(case)
            found = check(form, held, random)
            _compare_bits(form, held, found, checked)
            checked.append((form, held, found))


def check(form, case, random):
    """The values of a form; a Failure if they are not those of the reference, or an error of another kind is raised."""
    COUNTS[form.name] += 1
    measures = {text: reference.Measure.of(measure) for text, measure in case.parsed_measures.items()}
    expected = _expected(case, measures)
    with tracebacks(form.name, case):
        try:
            scores = form.evaluate(case, folder(), random)
            found = outcome(scores)
        except rankgold.RankgoldError as error:
            if expected == {}:
                return None
            raise Failure(f"{form.name}: refused", f"{type(error).__name__}: {error}", case) from error
    if expected == {}:
        raise Failure(f"{form.name}: accepted", "an error was expected", case)
    if expected is not None:
        _compare(form, case, found, expected)
    _compare_notes(form, case, scores)
    return found


def _expected(case, measures):
    """{query: {measure: value}} with the means under None; empty if an error is expected, None if it is not known."""
    try:
        values = reference.evaluate(case.qrels, case.run, measures.values(), case.parsed_policy)
    except reference.Refused as reason:
        return None if str(reason) == reference.TOO_MANY_ORDERS else {}
    means = reference.means(values)
    rows = {str(query): {text: row[measure] for text, measure in measures.items()} for query, row in values.items()}
    return {**rows, None: {text: means.get(measure, math.nan) for text, measure in measures.items()}}


def outcome(scores):
    """{query: {measure: value}}, with the means under None."""
    rows = scores.per_query.to_dicts()
    return {**{str(row.pop("query")): row for row in rows}, None: scores.means}


def _compare(form, case, found, expected):
    if found.keys() != expected.keys():
        raise Failure(f"{form.name}: queries", f"{[*found][:-1]}, and the reference has {[*expected][:-1]}", case)
    for query, row in expected.items():
        for text, value in row.items():
            COUNTS["values compared"] += 1
            if not same(found[query][text], value):
                name = rankgold.parse_measure(text).metric.name
                what = f"{text} of {_place(query)} is {found[query][text]}, not {value}"
                raise Failure(f"{form.name}: {name}", what, case)


def _place(query):
    return "the mean" if query is None else f"query {query!r}"


def _compare_notes(form, case, scores):
    if (noted := getattr(scores, "notes", None)) is None or not form.has_all_notes:
        return
    for name, value in reference.notes(case.qrels, case.run, case.parsed_policy).items():
        reported = noted.to_dict()[name]
        reported = set(map(str, reported)) if isinstance(value, set) else reported
        if reported != value and not (name == "unjudged_share" and reported is not None and same(reported, value)):
            raise Failure(f"{form.name}: note {name}", f"{reported}, not {value}", case)


def _compare_bits(form, case, found, checked):
    """Forms that hold the same collection give the same floats, to the last bit."""
    for other, held, values in checked:
        if found is None or values is None or held != case:
            continue
        for query, row in found.items():
            for text, value in row.items():
                if value.hex() != values[query][text].hex():
                    what = f"{text} of {_place(query)} is {value!r}, and {values[query][text]!r} in {other.name}"
                    raise Failure(f"{form.name}: last bit of {rankgold.parse_measure(text).metric.name}", what, case)
