"""Notes on a run in, what its grades and scores tell out: which grades are relevant, and whether they are scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from rankgold.data.columns import SWAPPED
from rankgold.declaration.metric import Measure
from rankgold.errors import listing
from rankgold.hits import Notes, NumberSpan

# Grades are hardly higher than the first, and scores that look like grades are from the second to the third.
_HIGHEST_GRADE = 100
_LOWEST_GRADE_SCORE, _HIGHEST_GRADE_SCORE = -2, 10

# Scores with many digits are the same at 32 bits now and then, by chance. This share of the hits is not by chance.
_WORTH_A_NOTE = 0.001


def number_remarks(notes: Notes, measures: Mapping[str, Measure]) -> tuple[str, ...]:
    """All remarks on the numbers of a run.

    No number of the run is in the text, so that the lines of several runs are the same, and given once.
    """
    remarks = []
    other = {label: m.threshold for label, m in measures.items() if "rel" in dict(m.chosen) and "rel" not in m.given}
    if other:
        rel = next(iter(other.values()))
        remarks.append(f"grades from {rel:g} on are relevant to {listing(other)} (rel={rel:g})")
    for remark in (partial_remark, too_high_remark, lenient_remark):
        remarks += remark(notes, measures)
    return (*remarks, *swapped_remark(notes))


def partial_remark(notes: Notes, measures: Mapping[str, Measure]) -> tuple[str, ...]:
    """What is to be said if grades between 0 and 1 are not relevant, because nobody said which are."""
    by_rel, grades = _with_threshold(measures), notes.grades
    default = _labels(by_rel, lambda measure: not _names_rel(measure))
    if not (notes.partial_grades and default):
        return ()
    return (
        f"{notes.partial_grades:,} of {grades.count:,} judgements have a grade above 0 and below 1, which is not"
        f" relevant to {listing(default, 3)}. Pass rel= to count them, as in {_with_rel(by_rel, partial_rel(notes))}",
    )


def partial_rel(notes: Notes) -> float:
    """The threshold that is proposed for grades between 0 and 1."""
    return 0.5 if notes.grades.highest >= 0.5 else notes.grades.highest / 2


def too_high_remark(notes: Notes, measures: Mapping[str, Measure]) -> tuple[str, ...]:
    """What is to be said if a measure's threshold is above all grades."""
    highest = notes.grades.highest
    too_high = _labels(
        _with_threshold(measures), lambda measure: _names_rel(measure) and measure.threshold > highest > 0
    )
    if not too_high:
        return ()
    return (
        f"no judged document is relevant to {listing(too_high, 3)}: the highest grade is {highest:g}. Pass"
        " a lower rel=",
    )


def lenient_remark(notes: Notes, measures: Mapping[str, Measure]) -> tuple[str, ...]:
    """What is to be said if all judged documents are relevant, although their grades differ."""
    by_rel, grades = _with_threshold(measures), notes.grades
    lenient = _labels(by_rel, lambda measure: measure.threshold <= grades.lowest)
    if not (grades.lowest < grades.highest and lenient):
        return ()
    span = f"{grades.lowest:g} to {grades.highest:g}"
    return (
        f"all {grades.count:,} judged documents are relevant to {listing(lenient, 3)}: their grades are {span}."
        f" If low grades are not relevant, pass rel=, as in {_with_rel(by_rel, middle_rel(notes))}",
    )


def middle_rel(notes: Notes) -> float:
    """The threshold that is proposed where all grades are relevant."""
    grades = notes.grades
    return min(math.floor((grades.lowest + grades.highest) / 2) + 1, grades.highest)


def swapped_remark(notes: Notes) -> tuple[str, ...]:
    """What is to be said if each side looks like the other one."""
    if not (_look_like_scores(notes.grades) and _look_like_grades(notes.scores)):
        return ()
    return (f"the grades look like scores, and the scores like grades: {SWAPPED}",)


def is_moved_at_32_bits(notes: Notes) -> bool:
    """Whether more judged documents than by chance would have another rank with scores of 32 bits."""
    return notes.moved_at_32_bits >= _WORTH_A_NOTE * (notes.retrieved - notes.unjudged) > 0


def _with_threshold(measures: Mapping[str, Measure]) -> dict[str, Measure]:
    return {label: measure for label, measure in measures.items() if "rel" in measure.metric.parameters}


def _labels(measures: Mapping[str, Measure], condition: Callable[[Measure], bool]) -> list[str]:
    return [label for label, measure in measures.items() if condition(measure)]


def _names_rel(measure: Measure) -> bool:
    return "rel" in dict(measure.chosen)


def _with_rel(measures: Mapping[str, Measure], rel: float) -> str:
    """The first measure with another threshold."""
    measure = next(iter(measures.values()))
    chosen = {**dict(measure.chosen), "rel": float(f"{rel:.2g}") or math.ulp(0.0)}
    return str(Measure.of(measure.metric, chosen, measure.k))


def _look_like_scores(grades: NumberSpan) -> bool:
    return not grades.whole or grades.highest > _HIGHEST_GRADE


def _look_like_grades(scores: NumberSpan) -> bool:
    """Whether they are whole numbers, some above 0 and none far from it. Ranks become scores below 0."""
    return scores.whole and scores.lowest >= _LOWEST_GRADE_SCORE and 0 < scores.highest <= _HIGHEST_GRADE_SCORE
