"""Computes trec_eval's values from grades."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankgold.compat.trec_eval.gain_values import NO_QUOTIENT, GainedList, over, worths
from rankgold.compat.trec_eval.lenient_files import TrecEvalData
from rankgold.compat.trec_eval.measure_lines import Line, LineSettings
from rankgold.compat.trec_eval.printed_queries import ValuesOfQueries
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats, Ints, sums
from rankgold.measures.metric import Measure
from rankgold.measures.rankings import parse_measure
from rankgold.measures.rankings.iprec import level

NOT_IN_POOL, NOT_JUDGED = -1, -2
"""In place of a grade: a document without a judgement, and one with a negative grade."""


def ranked_grades(hits: Hits, depth: int | None = None) -> Iterator[tuple[str, Ints]]:
    """Each query, and the grades of its documents down to this rank."""
    for number, query in enumerate(hits.queries):
        of_query = hits.of_query(number)
        returned = int(of_query.returned[0])
        grades = np.full(returned if depth is None else min(returned, depth), NOT_IN_POOL)
        if len(grades):
            seen = of_query.system.top(len(grades))
            grades[seen.rank - 1] = np.where(seen.grade >= 0, seen.grade, NOT_JUDGED)
        yield query, grades


def relstring(grades: Ints) -> str:
    """A character for each document: its grade, `>` above 9, `-` if it is not in the pool, `.` if it is not judged."""
    signs = {NOT_IN_POOL: "-", NOT_JUDGED: "."}
    return "".join(signs.get(grade) or (">" if grade > 9 else str(grade)) for grade in grades.tolist())


Values = dict[str, float]


@dataclass(frozen=True)
class GradeValues(ValuesOfQueries):
    """The values of measures over grades.

    Most are those of the measure here. Where trec_eval has an arithmetic of its own, which shows in the last digit or
    in special cases, it is done here.
    """

    collection: TrecEvalData
    settings: LineSettings

    @cached_property
    def _hits(self) -> Hits:
        return self.collection.hits()

    @cached_property
    def _queries(self) -> list[str]:
        judged: list[str] = self.collection.qrels["query"].unique().to_list()
        return judged

    def values(self, line: Line) -> Values:
        special: dict[str, Callable[[Line], Values]] = {
            "utility": self._utility, "set_F": self._set_f, "rbp": self._rank_biased_precision,
            "rbp_resid": self._residual, "Rndcg": self._rndcg,
            "iprec_at_recall": self._interpolated, "11pt_avg": self._interpolated, "yaap": self._yaap,
        }  # fmt: skip
        compute = special.get(line.entry.name, self._gained if line.gains else self._scored)
        return dict.fromkeys(self._queries, float(line.entry.name == "num_q")) | compute(line)

    def total(self, line: Line) -> float | None:
        # With -c, every grade above 0 is relevant here, whatever the lowest grade that is relevant elsewhere.
        return float((self.collection.qrels["grade"] > 0).sum()) if line.entry.name == "num_rel" else None

    def texts(self, line: Line) -> dict[str, str]:
        depth = max(int(line.numbers[0]), 0)
        texts = {query: relstring(grades) for query, grades in ranked_grades(self._hits, depth)}
        return dict.fromkeys(self._queries, "") | texts

    @cached_property
    def _hits_by_relevance(self) -> Hits:
        """The hits for measures that tell relevant documents from others. With -l 0, a grade of 0 is relevant."""
        return self._hits if self.settings.rel else self.collection.with_zero_as_one().hits()

    def _scored(self, line: Line) -> Values:
        assert line.measure is not None
        return _scores(line.measure, self._hits_by_relevance if line.counts_relevant else self._hits)

    @cached_property
    def _counts(self) -> dict[str, tuple[float, float, float]]:
        """The numbers of documents that are returned, relevant, and both."""
        rel = max(self.settings.rel, 1)
        names = "num_ret", f"num_rel(rel={rel})", f"num_rel_ret(rel={rel})"
        returned, relevant, found = (_scores(parse_measure(name), self._hits_by_relevance) for name in names)
        return {query: (returned[query], relevant[query], found[query]) for query in returned}

    def _utility(self, line: Line) -> Values:
        a, b, c, d = line.numbers
        size = self.settings.documents
        values = {}
        for query, (returned, relevant, found) in self._counts.items():
            neither = size + found - returned - relevant
            values[query] = a * found + b * (returned - found) + c * (relevant - found) + d * neither
        return values

    def _set_f(self, line: Line) -> Values:
        """The parameter is the square of beta, and may be any number."""
        return {query: _f(*counts, line.numbers[0]) if counts[2] else 0.0 for query, counts in self._counts.items()}

    def _yaap(self, line: Line) -> Values:
        """One logarithm of all precisions, and not a sum of logarithms."""
        hits = self._hits_by_relevance
        precisions = parse_measure(f"ap(rel={max(self.settings.rel, 1)})")(hits).sums.tolist()
        return {
            query: math.log((1.0 + total) / (1.0 + self._counts[query][1] - total))
            for query, total in zip(hits.queries, precisions, strict=True)
        }

    def _interpolated(self, line: Line) -> Values:
        """An empty list has a precision of 0/0, which is NaN and not 0, at recall levels that come to no document."""
        values = self._scored(line)
        for query, (returned, relevant, _) in self._counts.items():
            if not returned:
                levels = [level(np.array([relevant]), recall, self.settings.rounding)[0] for recall in line.numbers]
                values[query] = NO_QUOTIENT if 0 in levels else 0.0
        return values

    def _rank_biased_precision(self, line: Line) -> Values:
        """Gains become shares of the highest one of the query, where this is above 1."""
        (p,) = line.numbers
        levels = self.collection.levels()
        values = {}
        for query, grades in ranked_grades(self._hits):
            worth = worths(grades, levels.get(query, {}), line.gains)
            values[query] = (1 - p) * _sum(worth * _powers(p, len(grades)))
        return values

    def _residual(self, line: Line) -> Values:
        """trec_eval prints 0 if every document of the list is judged, although the list could go on."""
        (p,) = line.numbers
        values = {}
        for query, grades in ranked_grades(self._hits):
            powers = _powers(p, len(grades) + 1)
            unjudged = grades < 0
            rest = float(powers[-1]) + (1 - p) * _sum(powers[:-1][unjudged])
            values[query] = rest if unjudged.any() else 0.0
        return values

    def _rndcg(self, line: Line) -> Values:
        """It looks at gains, and yet is 0 without a relevant document. With -l 0, there may be one without a gain."""
        values = self._gained(line) if line.gains or not self.settings.rel else self._scored(line)
        return {query: value if self._counts[query][1] else 0.0 for query, value in values.items()}

    def _gained(self, line: Line) -> Values:
        levels = self.collection.levels()
        return {
            query: GainedList.of(grades, levels.get(query, {}), line.gains).value(line.entry.name)
            for query, grades in ranked_grades(self._hits)
        }


def _scores(measure: Measure, hits: Hits) -> Values:
    """The values by the formula alone, where 0/0 is 0: a list that is empty with -J is a list like others."""
    values = measure(hits).values
    return dict(zip(hits.queries, np.where(np.isnan(values), 0.0, values).tolist(), strict=True))


def _f(returned: float, relevant: float, found: float, x: float) -> float:
    precision, recall = found / returned, found / relevant
    return over((x + 1.0) * precision * recall, x * precision + recall)


def _powers(p: float, length: int) -> Floats:
    """1, p, p * p and so on, each made of the one before."""
    factors: Floats = np.full(length, p, dtype=np.float64)
    factors[:1] = 1.0
    return factors.cumprod()


def _sum(values: Floats) -> float:
    """Added in order: NumPy's own sum adds pairs."""
    return float(sums(values, np.zeros(len(values), dtype=np.int64), 1)[0])
