"""Says what is true of a measure: how it answers to grades, what it is called elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Response = Literal["ends", "shares", "exchanges", "free"]
"""How a value responds to the grades of unjudged documents.

`ends`: a higher grade of any document never makes the value lower, or never higher.

`shares`: the value is a share of what could be reached. Of two documents, a better one in the higher place never makes
it worse; a better one that is not in the list never makes it better.

`exchanges`: only the first of the two is true.

`free`: nothing is claimed, so every assignment of grades is tried.
"""


@dataclass(frozen=True, slots=True)
class Grades:
    """How the value responds to the grades of unjudged documents: bounds, expected scores and judge_next read it.

    The contract test tries each claim with all grades of a small query.
    """

    response: Response = "free"
    separable: bool = False
    """Whether sum and norm grow with every relevant document: between two numbers of them, values have bounds."""
    additive: bool = False
    """Whether the sum adds up what each document is worth by its own grade and rank: more at a higher rank."""
    lowest_at_ends: bool = False
    """Whether the lowest value has no grades between 0 and the highest, though the measure counts them."""
    exceeds_span: bool = False
    """Whether high grades give values above the span of the measure."""
    without_relevant: Response | None = None
    """What holds instead if the policy gives a query without a relevant document a value other than 0. If not
    given, `ends` becomes `shares`, since the first relevant document may then make the value lower."""
    unless: Mapping[str, Grades] = field(default_factory=dict)
    """What holds instead with a choice of a parameter, such as `ideal=ones`."""

    @property
    def is_sum_of_gains(self) -> bool:
        """True if the value is a sum of gains of single documents and the normaliser does not depend on grades."""
        return self.response == "ends" and self.additive


FREE = Grades()


class NoSql(StrEnum):
    """Why a measure has no SQL function: a list and its relevant documents are not enough."""

    SCORES = "it compares scores with grades, not a list with a truth"
    NONRELEVANT = "it needs judgements of documents that are not relevant"
    DOCUMENTS = "it needs the number of documents that there are"
    TRUTH = "it is a property of the truth, or of all queries"
    SUBTOPICS = "it needs judgements for subtopics"
    COUNT = "it is a count, which SQL has"
    EXPERIMENTAL = "it is an experimental measure of trec_eval"
    GRADES = "it is made for grades, which a list of relevant documents does not have"
