"""Counts what was found in the data and what the policy did about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgold.data.fingerprints import Fingerprints


@dataclass(frozen=True, slots=True)
class NumberSpan:
    """How many numbers there are, the lowest and the highest of them, and whether all are whole."""

    count: int = 0
    lowest: float = math.inf
    highest: float = -math.inf
    whole: bool = True

    def __add__(self, other: NumberSpan) -> NumberSpan:
        return NumberSpan(
            self.count + other.count,
            min(self.lowest, other.lowest),
            max(self.highest, other.highest),
            self.whole and other.whole,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """Findings in the data, and what the policy did about them."""

    queries: int = 0
    without_ranking: tuple[Any, ...] = ()
    without_judgements: tuple[Any, ...] = ()
    without_relevant: tuple[Any, ...] = ()
    retrieved: int = 0
    unjudged: float = 0
    """How many of the retrieved documents have no judgement."""
    negative_grades: int = 0
    partial_grades: int = 0
    """How many judgements have a grade above 0 and below 1."""
    grades: NumberSpan = NumberSpan()
    """The grades of all judgements."""
    scores: NumberSpan = NumberSpan()
    """The scores of the judged documents that were retrieved."""
    tied_hits: int = 0
    moved_at_32_bits: int = 0
    """How many hits would have another rank if scores were compared at 32 bits, as in trec_eval 9.

    It is 0 where trec_eval cannot be meant: with another order of ties, and for arrays, which have no document ids."""
    undefined: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    excluded: int = 0
    """How many documents were taken out of the lists of judged queries before ranks were counted."""
    fingerprints: Fingerprints | None = None
    """Those of the judgements and the run, if they were asked for: it takes time to hash all rows."""
    reference: str | None = None
    """The name of the run that others are compared with; None where runs are measured by themselves."""

    @property
    def unjudged_share(self) -> float:
        """The share of the retrieved documents without a judgement; NaN if nothing was retrieved."""
        return 1 - (self.retrieved - self.unjudged) / self.retrieved if self.retrieved else math.nan

    @classmethod
    def join(cls, parts: Sequence[Notes]) -> Notes:
        """The notes on disjoint sets of queries as one."""
        undefined: Counter[str] = sum((Counter(part.undefined) for part in parts), Counter())
        return cls(
            queries=sum(part.queries for part in parts),
            without_ranking=tuple(query for part in parts for query in part.without_ranking),
            without_judgements=tuple(query for part in parts for query in part.without_judgements),
            without_relevant=tuple(query for part in parts for query in part.without_relevant),
            retrieved=sum(part.retrieved for part in parts),
            unjudged=sum(part.unjudged for part in parts),
            negative_grades=sum(part.negative_grades for part in parts),
            partial_grades=sum(part.partial_grades for part in parts),
            grades=sum((part.grades for part in parts), NumberSpan()),
            scores=sum((part.scores for part in parts), NumberSpan()),
            tied_hits=sum(part.tied_hits for part in parts),
            moved_at_32_bits=sum(part.moved_at_32_bits for part in parts),
            undefined=dict(undefined),
            remarks=tuple(dict.fromkeys(remark for part in parts for remark in part.remarks)),
            excluded=sum(part.excluded for part in parts),
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "queries": self.queries,
            "without_ranking": list(self.without_ranking),
            "without_judgements": list(self.without_judgements),
            "without_relevant": list(self.without_relevant),
            "retrieved": self.retrieved,
            "excluded": self.excluded,
            "unjudged": self.unjudged,
            "unjudged_share": self.unjudged_share if self.retrieved else None,
            "judged": self.grades.count,
            "lowest_grade": self.grades.lowest if self.grades.count else None,
            "highest_grade": self.grades.highest if self.grades.count else None,
            "negative_grades": self.negative_grades,
            "partial_grades": self.partial_grades,
            "tied_hits": self.tied_hits,
            "moved_at_32_bits": self.moved_at_32_bits,
            "undefined": dict(self.undefined),
            "remarks": list(self.remarks),
        }
