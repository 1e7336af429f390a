"""The parts `values` and `duckdb`: a collection in any form, and the values that the plain reference gives."""

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


@cache
def folder():
    """A folder of this process for the files of its cases."""
    return Path(tempfile.mkdtemp(prefix="fuzz-"))


def values(data):
    _check_forms(data, LOCAL, 12)


def duckdb(data):
    _check_forms(data, DUCKDB, 4)


def _check_forms(data, names, most):
    """One collection in a few forms: each has the values and means of the reference."""
    case = data.draw(cases())
    random = data.draw(st.randoms(use_true_random=False))
    for name in data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=most, unique=True)):
        check(FORMS[name], case, random)


def check(form, case, random):
    """Raises a Failure if the form gives other values than the reference, or an error of another kind."""
    if not form.can_hold(case):
        return
    COUNTS[form.name] += 1
    held = form.as_held(case)
    measures = {text: reference.Measure.of(rankgold.parse(text)) for text in case.measures}
    try:
        expected = reference.evaluate(held.qrels, held.run, measures.values(), case.parsed_policy)
    except reference.Refused as reason:
        if str(reason) == reference.TOO_MANY_ORDERS:
            return
        expected = None
    with tracebacks(form.name, held):
        try:
            found = outcome(form.evaluate(held, folder(), random))
        except rankgold.RankgoldError as error:
            if expected is None:
                return
            raise Failure(f"{form.name}: refused", f"{type(error).__name__}: {error}", held) from error
    if expected is None:
        raise Failure(f"{form.name}: accepted", "an error was expected", held)
    by_text = {
        str(query): {text: row[measure] for text, measure in measures.items()} for query, row in expected.items()
    }
    by_text[None] = {text: reference.means(expected).get(measure, float("nan")) for text, measure in measures.items()}
    compare(form, held, found, by_text)


def outcome(scores):
    """{query: {measure: value}}, with the means under None."""
    rows = scores.per_query.to_dicts()
    return {**{str(row.pop("query")): row for row in rows}, None: scores.means}


def compare(form, case, found, expected):
    if found.keys() != expected.keys():
        raise Failure(f"{form.name}: queries", f"{[*found][:-1]}, and the reference has {[*expected][:-1]}", case)
    for query, row in expected.items():
        for text, value in row.items():
            COUNTS["values compared"] += 1
            if not same(found[query][text], value):
                where = "the mean" if query is None else f"query {query!r}"
                name = rankgold.parse(text).metric.name
                raise Failure(f"{form.name}: {name}", f"{text} of {where} is {found[query][text]}, not {value}", case)
