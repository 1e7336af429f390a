"""Makes tables of scores, sparklines and trec_eval lines."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.core.dialects import table_of
from rankgold.core.document import Document, ResultTable, check_digits
from rankgold.core.errors import MeasureError, counted, listing
from rankgold.core.notes import Notes
from rankgold.core.segments import Floats
from rankgold.data.columns import SWAPPED
from rankgold.measures.metric import Measure
from rankgold.measures.notation import parse_text
from rankgold.scoring.scores import Scores

_MOST_RUNS = 5

# Grades are hardly higher than the first, and scores that look like grades are from the second to the third.
_HIGHEST_GRADE = 100
_LOWEST_GRADE_SCORE, _HIGHEST_GRADE_SCORE = -2, 10

# Scores with many digits are the same at 32 bits now and then, by chance. This share of the hits is not by chance.
_WORTH_A_NOTE = 0.001


def score_document(scores: Scores, *, per_query: bool = False, digits: int = 4, quiet: bool = False) -> Document:
    """A table of the means; with `per_query`, a table of the values of all queries comes first. `quiet`: no notes."""
    digits = check_digits(digits)
    tables = [query_table(scores, digits)] if per_query else []
    notes = [] if quiet else [f"note: {line}" for line in note_lines(scores)]
    if not quiet and str(scores.policy) != "rankgold":
        notes.append(f"policy: {scores.policy}")
    of_slices = scores.slices.document(digits) if scores.parts else None
    if of_slices is not None:
        notes += [] if quiet else of_slices.notes
        return Document([*tables, means_table(scores, digits), *of_slices.tables], notes=notes)
    return Document([*tables, means_table(scores, digits)], notes=notes)


def means_table(scores: Scores, digits: int = 4) -> ResultTable:
    """A row per run. With several runs, the best mean of each measure is emphasised."""
    runs = scores.runs
    best = [scores.best(label) if len(runs) > 1 else set() for label in scores.measures]
    strong = {(row, column) for row, name in enumerate(runs) for column, names in enumerate(best, 1) if name in names}
    return ResultTable(
        header=["run", *scores.measures],
        rows=[[name, *scores.run_scores(name).means.values()] for name in runs],
        alignment="l" + "r" * len(scores.measures),
        keys=1,
        columns_are="measure",
        strong=frozenset(strong),
        digits=digits,
    )


def query_table(scores: Scores, digits: int = 4) -> ResultTable:
    """A row for each query of each run."""
    return ResultTable(
        header=["run", "query", *scores.measures],
        rows=[[name, str(query), *row] for name in scores.runs for query, row in scores.run_scores(name).rows()],
        alignment="ll" + "r" * len(scores.measures),
        keys=2,
        digits=digits,
    )


@dataclass(frozen=True, slots=True)
class Note:
    """A note on one run, in parts that can be joined for several runs."""

    line: str
    """The note on its own: 2 queries ranked but not judged (q1, q2): left out."""
    kind: str
    """What it is about: queries ranked but not judged."""
    amount: str = ""
    """How much of it the run has: 2 (q1, q2). Without one, notes of a kind stand beside each other as they are."""
    effect: str = ""
    """What the policy did: left out."""


def note_lines(scores: Scores) -> list[str]:
    """A line for each kind of note. If runs differ, the line gives the amount for each run."""
    notes = [(name, note) for name in scores.runs for note in _notes_of_run(scores.notes_of(name), scores)]
    lines = list(_dialect_lines(scores))
    if scores.reference not in (None, "run"):
        lines.append(f"compared with {scores.reference}")
    for kind in dict.fromkeys(note.kind for _, note in notes):
        runs_by_note: dict[Note, list[str]] = {}
        for name, note in notes:
            if note.kind == kind:
                runs_by_note.setdefault(note, []).append(name)
        lines.append(_line_of_kind(runs_by_note, len(scores.runs)))
    return lines


def _dialect_lines(scores: Scores) -> list[str]:
    """The measures whose names mean something else in the dialect of the policy."""
    dialect = scores.policy.dialect
    known = {label: str(measure) for label, measure in scores.measures.items()}
    meant = [f"{label} is {text}" for label, text in known.items() if not _is_named(label, text)]
    return [f"as in {table_of(dialect).tool}, {listing(meant, 5)}"] if meant and dialect != "rankgold" else []


def _is_named(label: str, text: str) -> bool:
    """Whether a label is a name of the measure in rankgold."""
    try:
        return str(parse_text(label)) == text
    except MeasureError:
        return False


def _line_of_kind(runs_by_note: dict[Note, list[str]], n_runs: int) -> str:
    first = next(iter(runs_by_note))
    if len(runs_by_note) == 1:
        names = runs_by_note[first]
        return first.line if len(set(names)) == n_runs else f"{listing(names, _MOST_RUNS)}: {first.line}"
    if not first.amount:
        return "; ".join(f"{listing(names, 3)}: {note.line}" for note, names in runs_by_note.items())
    amounts = [f"{name} {note.amount}" for note, names in runs_by_note.items() for name in names]
    effect = f"; {first.effect}" if first.effect else ""
    return f"{first.kind}: {listing(amounts, _MOST_RUNS)}{effect}"


def _notes_of_run(notes: Notes, scores: Scores) -> Iterator[Note]:
    policy = scores.policy
    if notes.without_ranking:
        effect = "left out" if policy.missing == "skip" else _scored_zero(scores)
        yield _on_queries(notes.without_ranking, "judged but not ranked", f"{effect} (policy missing={policy.missing})")
    if notes.without_judgements:
        yield _on_queries(notes.without_judgements, "ranked but not judged", "left out")
    if notes.without_relevant:
        effects = {"zero": _scored_zero(scores), "skip": "left out", "one": "scored 1", "undefined": "undefined"}
        thresholds = {measure.threshold for measure in scores.measures.values() if measure.metric.wants_relevant}
        document = "relevant document" if len(thresholds) == 1 else "document relevant to every measure here"
        effect = f"{effects[policy.no_relevant]} (policy no_relevant={policy.no_relevant})"
        yield _on_queries(notes.without_relevant, f"without a {document}", effect)
    if notes.excluded:
        state = "taken out by exclude before ranks were counted"
        verb = "was" if notes.excluded == 1 else "were"
        line = f"{counted(notes.excluded, 'document')} {verb} {state}"
        yield Note(line, f"documents {state}", f"{notes.excluded:,}")
    if notes.unjudged:
        amount = f"{notes.unjudged / notes.retrieved:.1%} of {notes.retrieved:,}"
        yield Note(f"{amount} retrieved documents are not judged", "retrieved documents that are not judged", amount)
    if notes.negative_grades:
        effect = "not relevant, gain 0"
        verb = "has" if notes.negative_grades == 1 else "have"
        line = f"{counted(notes.negative_grades, 'judgement')} {verb} a negative grade: {effect}"
        yield Note(line, "judgements that have a negative grade", str(notes.negative_grades), effect)
    if is_moved_at_32_bits(notes):
        hits = notes.retrieved - notes.unjudged
        state = "have another rank with scores of 32 bits"
        effect = "as in trec_eval 9 and pytrec_eval (policy score_bits=32)"
        amount = f"{notes.moved_at_32_bits:,} of {hits:,}"
        kind = f"judged documents that would {state}"
        yield Note(f"{amount} judged documents would {state}, {effect}", kind, amount, effect)
    for label, count in notes.undefined.items():
        effect = "counted as 0" if policy.undefined == "zero" else "left out of the mean"
        line = f"{label} is undefined for {counted(count, 'query')}: {effect}"
        yield Note(line, f"queries for which {label} is undefined", str(count), effect)
    for remark in dict.fromkeys(notes.remarks):
        yield Note(remark, _without_amounts(remark))


def _on_queries(queries: tuple[Any, ...], state: str, effect: str) -> Note:
    noun = "query" if len(queries) == 1 else "queries"
    names = f"({listing(queries, 3)})"
    line = f"{len(queries)} {noun} {state} {names}: {effect}"
    return Note(line, f"queries {state}", f"{len(queries)} {names}", effect)


def suspicion(notes: Notes) -> str | None:
    """What looks most wrong, in a few words; None if nothing does."""
    if finds_nothing_judged(notes):
        return "no judged document is in the lists"
    if swapped_remark(notes):
        return "the judgements and the run may be swapped"
    if 2 * len(notes.without_ranking) > notes.queries:
        return "most judged queries are not ranked"
    if is_moved_at_32_bits(notes):
        return "scores differ only beyond 32 bits"
    return None


def finds_nothing_judged(notes: Notes) -> bool:
    """True if documents were retrieved for judged queries, but none of them is judged."""
    return notes.retrieved > 0 and notes.unjudged == notes.retrieved


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
    """The remark if grades between 0 and 1 count as not relevant by default."""
    by_rel, grades = _with_threshold(measures), notes.grades
    default = _labels(by_rel, lambda measure: not _names_rel(measure))
    if not (notes.partial_grades and default):
        return ()
    return (
        f"{notes.partial_grades:,} of {grades.count:,} judgements have a grade above 0 and below 1, which is not"
        f" relevant to {listing(default, 3)}. Pass rel= to count them, as in {_with_rel(by_rel, partial_rel(notes))}",
    )


def partial_rel(notes: Notes) -> float:
    """The threshold proposed for grades between 0 and 1."""
    return 0.5 if notes.grades.highest >= 0.5 else notes.grades.highest / 2


def too_high_remark(notes: Notes, measures: Mapping[str, Measure]) -> tuple[str, ...]:
    """The remark if a measure's threshold is above all grades."""
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
    """The remark if all judged documents are relevant, although their grades differ."""
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
    """The threshold proposed where all grades are relevant."""
    grades = notes.grades
    return min(math.floor((grades.lowest + grades.highest) / 2) + 1, grades.highest)


def swapped_remark(notes: Notes) -> tuple[str, ...]:
    """The remark if judgements and run look swapped."""
    grades, scores = notes.grades, notes.scores
    grades_look_like_scores = not grades.whole or grades.highest > _HIGHEST_GRADE
    # Whole numbers, some above 0 and none far from it. Ranks become scores below 0.
    near_0 = scores.lowest >= _LOWEST_GRADE_SCORE and 0 < scores.highest <= _HIGHEST_GRADE_SCORE
    if not (grades_look_like_scores and scores.whole and near_0):
        return ()
    return (f"the grades look like scores, and the scores like grades: {SWAPPED}",)


def is_moved_at_32_bits(notes: Notes) -> bool:
    """True if more judged documents than by chance would change rank at 32 bits."""
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
    return str(measure.with_parameters(rel=float(f"{rel:.2g}") or math.ulp(0.0)))


def _scored_zero(scores: Scores) -> str:
    """The text for the policy's 0, which is the worst value: measures for which 0 is the best do not get it."""
    lower = [label for label, measure in scores.measures.items() if not measure.higher_is_better]
    return f"scored 0, but not by {listing(lower)}" if lower else "scored 0"


def _without_amounts(remark: str) -> str:
    """A remark without numbers and plural endings: remarks that are then equal are of one kind."""
    return re.sub(r"\d[\d,.]*%?|s\b", "", remark.replace("queries", "query"))


_COLUMNS = "▁▂▃▄▅▆▇█"
WIDTH = 20


def with_sparklines(document: Document, scores: Scores) -> Document:
    """The document with a table of sparklines, one for each run and measure."""
    spans = {}
    for label, measure in scores.measures.items():
        known = np.concatenate([scores.values(label, run=name) for name in scores.runs])
        low, high = measure.metric.span
        spans[label] = (
            low if math.isfinite(low) else float(np.nanmin(known, initial=0.0)),
            high if math.isfinite(high) else float(np.nanmax(known, initial=0.0)),
        )
    table = ResultTable(
        header=["run", *scores.measures],
        rows=[
            [name, *(sparkline(scores.values(label, run=name), *spans[label]) for label in scores.measures)]
            for name in scores.runs
        ],
        alignment="l" * (len(scores.measures) + 1),
        caption="The values of the queries, from the lowest to the highest:",
        keys=1,
        columns_are="measure",
    )
    return replace(document, tables=[*document.tables, table])


def sparkline(values: Floats, low: float, high: float, width: int = WIDTH) -> str:
    """The sorted values as columns, each the mean of equally many; NaN is left out.

    >>> sparkline(np.array([0.0, 1.0, 0.5, 0.5]), 0, 1, width=2)
    '▃▇'
    """
    known = np.sort(values[~np.isnan(values)])
    if not len(known):
        return "–"
    means = np.array([part.mean() for part in np.array_split(known, min(width, len(known)))])
    share = (means - low) / (high - low) if high > low else np.zeros(len(means))
    levels = np.clip(np.floor(share * len(_COLUMNS)), 0, len(_COLUMNS) - 1).astype(int)
    return "".join(_COLUMNS[level] for level in levels.tolist())
