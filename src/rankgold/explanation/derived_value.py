"""The terms of a value in, the working behind it out: what each term comes from, their sum, the norm and the value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgold.declaration.metric import Measure
from rankgold.explanation.term_text import fixed_number, short_number, term_text
from rankgold.output.document import Document, ResultTable
from rankgold.output.result_forms import Result, known_number, record_frame
from rankgold.output.text import check_digits

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class DerivedTerm:
    """One term of a sum."""

    comes_from: tuple[str, ...]
    """Its source, such as a document and its ranks: a text for each column."""
    pattern: str
    """How the term is written, with a gap for each of `numbers`."""
    numbers: tuple[float, ...]
    term: float
    running_sum: float


@dataclass(frozen=True, slots=True, repr=False)
class DerivedValue(Result):
    """The worked derivation of a value without judgements: of similarity or exposure."""

    measure: Measure
    subject: str
    """The subject of the value, such as `query q1`."""
    columns: tuple[tuple[str, str], ...]
    """The columns for the source of each term: name, and `l` or `r` for alignment."""
    terms: tuple[DerivedTerm, ...]
    rest: float
    """What is added to the sum besides the terms."""
    rest_is: str
    sum: float
    norm: float
    norm_is: str
    value: float
    decided_by: str | None = None
    """The policy case that decided the value, if the formula did not."""
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        names = [name for name, _ in self.columns]
        return {
            "measure": str(self.measure),
            "of": self.subject,
            "formula": self.measure.metric.formula_text,
            "value": known_number(self.value),
            "sum": known_number(self.sum),
            "rest": self.rest,
            "rest_is": self.rest_is,
            "norm": known_number(self.norm),
            "norm_is": self.norm_is,
            "decided_by": self.decided_by,
            "terms": [
                {**dict(zip(names, term.comes_from, strict=True)), "term": term.term, "running_sum": term.running_sum}
                for term in self.terms
            ],
            "remarks": list(self.remarks),
        }

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame of the terms: what each comes from, term, running_sum."""
        names = [name for name, _ in self.columns]
        types = {**dict.fromkeys(names, str), "term": float, "running_sum": float}
        numbers = [{"term": term.term, "running_sum": term.running_sum} for term in self.terms]
        rows = zip(self.terms, numbers, strict=True)
        return record_frame([dict(zip(names, term.comes_from, strict=True)) | row for term, row in rows], types)

    def document(self, digits: int = 4) -> Document:
        digits = check_digits(digits)
        value = "undefined" if math.isnan(self.value) else f"{self.value:.{digits}f}"
        return Document(
            [self._table(digits)] if self.terms else [],
            title=f"{self.measure} of {self.subject}: {value}",
            formula=self.measure.metric.formula_text,
            facts=self._facts(digits),
            notes=[f"note: {remark}" for remark in self.remarks],
        )

    def _table(self, digits: int) -> ResultTable:
        rows = [
            [
                *term.comes_from,
                term_text(term.pattern, term.numbers, term.term, 1, 1, digits),
                fixed_number(term.running_sum, digits),
            ]
            for term in self.terms
        ]
        names, sides = zip(*self.columns, strict=True)
        return ResultTable([*names, "term", "running sum"], rows, "".join(sides) + "rr")

    def _facts(self, digits: int) -> list[tuple[str, str]]:
        """The lines below the table, by name."""
        norm = short_number(self.norm, digits) if math.isfinite(self.norm) else "undefined"
        facts = [] if self.terms else [("terms", "none")]
        if self.rest_is:
            facts.append(("rest", f"{fixed_number(self.rest, digits)} ({self.rest_is})"))
        facts.append(("sum", fixed_number(self.sum, digits)))
        facts.append(("norm", norm if self.norm_is == norm else f"{norm} ({self.norm_is})"))
        if self.decided_by is not None:
            facts.append(("value", f"{short_number(self.value, digits)}: {self.decided_by}"))
        elif math.isnan(self.value):
            facts.append(("value", "undefined"))
        else:
            facts.append(("value", f"{fixed_number(self.sum, digits)} / {norm} = {self.value:.{digits}f}"))
        return facts
