"""A package and a file of frozen scores in, differences out: every number must be what it was, to the last bit.

The package under test is a parameter, so that an older version can make the file and this one be compared with it:

    python -m tests.frozen check rankgold     # all of it; the tests compare some parts

`make` in place of `check` writes the file. It belongs to a change of scores that the changelog names. With policies
after it, such as `no_relevant=one`, only their scores are made again, and all others stay as they are in the file.
"""

import hashlib
import json
import sys
import tempfile
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import numpy as np

from tests import all_measures
from tests.frozen_cases import ALL_PARTS, Forms, cases

FILE = Path(__file__).parent / "data" / "frozen_scores.npz"

CUTOFFS = (1, 4, 10)

# Of more queries only the means are kept, and a digest of the values.
MOST_QUERIES = 12
# Collections of more queries are evaluated with the measures that have no parameters.
FEW_QUERIES = 40


def measures_for(collection, measures):
    """All of them, but of a larger collection only those without parameters."""
    return measures if collection.n_queries < FEW_QUERIES else [text for text in measures if "(" not in text]


@dataclass(frozen=True)
class Outcome:
    """What came out: the name of an error, or for each measure the values by query, and last the mean."""

    queries: tuple[str, ...] = ()
    values: dict[str, np.ndarray] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    """Of the values of each measure, where there are many and only the mean is kept."""
    error: str = ""

    def differing(self, other, tolerance=0.0):
        """The measures whose values are not the same as in the other; with a tolerance, not nearly the same."""
        if (self.error, self.queries) != (other.error, other.queries):
            return [f"{self.error or self.queries} and {other.error or other.queries}"]
        return [text for text in self.values if not self._agrees(other, text, tolerance)]

    def _agrees(self, other, text, tolerance):
        mine, theirs = self.values[text], other.values[text]
        if tolerance:
            return np.allclose(mine, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)
        return mine.tobytes() == theirs.tobytes() and self.digests.get(text) == other.digests.get(text)


def outcome(forms, name):
    """What a form gives; None where the collection cannot be had in it."""
    try:
        scores = getattr(forms, name)()
    except (forms.package.DataError, forms.package.MatchError) as error:
        return Outcome(error=type(error).__name__)
    if scores is None:
        return None
    frame = scores.per_query
    names = list(map(str, frame["query"].to_list()))
    order = sorted(range(len(names)), key=names.__getitem__)
    queries = tuple(names[place] for place in order)
    values = {}
    for label in scores.measures:
        column = np.append(frame[label].to_numpy()[order], scores.means[label]).astype("<f8")
        column[np.isnan(column)] = np.nan
        values[label] = column
    if len(queries) <= MOST_QUERIES:
        return Outcome(queries, values)
    digests = {label: _digest(column.tobytes()) for label, column in values.items()}
    return Outcome(
        (_digest(repr(queries).encode()),), {label: column[-1:] for label, column in values.items()}, digests
    )


def _digest(content):
    return hashlib.sha256(content).hexdigest()[:12]


def probe():
    """A digest of the functions whose last bit depends on the processor."""
    numbers = np.linspace(0.01, 60, 5000)
    results = [function(numbers) for function in (np.log2, np.exp2, np.exp, np.log)]
    return _digest(b"".join(result.tobytes() for result in (*results, numbers**0.7)))


class Frozen:
    """The file: for every collection and policy the outcomes that differ, and which of them each form has."""

    def __init__(self):
        content = np.load(FILE)
        facts = json.loads(content["facts"].tobytes())
        self.measures, self.tolerance = facts["measures"], 0.0 if facts["probe"] == probe() else 1e-13
        self._cases, self._numbers = facts["cases"], content["distinct"].view("<f8")[content["places"]]

    def expected(self, case):
        """Form -> outcome."""
        known = self._cases[str(case)]
        outcomes = [self._outcome(measures_for(case.collection, self.measures), **entry) for entry in known["outcomes"]]
        return {form: outcomes[place] for form, place in known["forms"].items()}

    def _outcome(self, measures, at=0, queries=(), digests=(), error=""):
        if error:
            return Outcome(error=error)
        rows = 1 if digests else len(queries) + 1
        columns = self._numbers[at : at + rows * len(measures)].reshape(len(measures), rows)
        return Outcome(
            tuple(queries), dict(zip(measures, columns, strict=True)), dict(zip(measures, digests, strict=False))
        )

    def differences(self, package, folder, parts=ALL_PARTS, first=0, step=1):
        """What is not as in the file, in words."""
        for case in cases(parts, first, step):
            given = Forms(package, case, measures_for(case.collection, self.measures), folder)
            expected = self.expected(case)
            for form in case.forms:
                found = outcome(given, form)
                if (found is None) != (form not in expected):
                    yield f"{case}, {form}: {'nothing' if found is None else 'something'} comes out"
                elif found is not None and (differing := found.differing(expected[form], self.tolerance)):
                    yield f"{case}, {form}: {', '.join(differing[:5])}"


def make(package, folder, *policies):
    kept = Frozen() if policies else None
    current = [str(measure) for measure in all_measures.measures(CUTOFFS, package.measures.all())]
    measures = kept.measures if kept else current
    entries, numbers, size = {}, [], 0
    for case in cases():
        given = Forms(package, case, measures_for(case.collection, measures), folder)
        distinct, stored, chosen = [], [], {}
        known = kept.expected(case) if kept and case.policy not in policies else None
        for form in case.forms:
            if (found := outcome(given, form) if known is None else known.get(form)) is None:
                continue
            chosen[form] = next((i for i, other in enumerate(distinct) if not found.differing(other)), len(distinct))
            if chosen[form] < len(distinct):
                continue
            distinct.append(found)
            stored.append({"error": found.error})
            if not found.error:
                assert list(found.values) == given.measures, form
                stored[-1] = {"at": size, "queries": found.queries, "digests": list(found.digests.values())}
                numbers += found.values.values()
                size += sum(map(len, found.values.values()))
        entries[str(case)] = {"outcomes": stored, "forms": chosen}
    facts = json.dumps({"probe": probe(), "measures": measures, "cases": entries}, ensure_ascii=False)
    # Most numbers occur many times, so each is stored once, as bits: there are two zeros, and NaN is not itself.
    distinct, places = np.unique(np.concatenate(numbers).view("<u8"), return_inverse=True)
    np.savez_compressed(
        FILE, distinct=distinct, places=places.astype("<u4"), facts=np.frombuffer(facts.encode(), dtype=np.uint8)
    )


def check(package, folder):
    frozen, differing = Frozen(), 0
    for difference in frozen.differences(package, folder):
        differing += 1
        print(difference, flush=True)
    print(f"{differing} of {sum(len(case.forms) for case in cases())} differ, with a tolerance of {frozen.tolerance}.")
    return bool(differing)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        package = import_module(sys.argv[2])
        sys.exit({"make": make, "check": check}[sys.argv[1]](package, Path(directory), *sys.argv[3:]))
