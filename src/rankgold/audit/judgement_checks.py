"""Checks grades and what was judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from rankgold.audit.examined_data import ExaminedData, ExaminedRun, check_of_collection, check_of_run
from rankgold.audit.findings import Finding, Severity, agreed
from rankgold.core.errors import counted, listing
from rankgold.engines.request import with_policy
from rankgold.scoring.score_document import (
    finds_nothing_judged,
    lenient_remark,
    middle_rel,
    partial_rel,
    partial_remark,
    too_high_remark,
)
from rankgold.scoring.scorer import measures_by_label, score_all


@check_of_collection(order=160)
def all_relevant(collection: ExaminedData) -> Iterator[Finding]:
    """Different grades that are all relevant, such as ratings from 1 to 5; or a threshold above all grades."""
    notes = collection.grade_notes
    for remark in lenient_remark(notes, collection.measures):
        yield _finding(collection, remark.partition(". If")[0], middle_rel(notes))
    for remark in too_high_remark(notes, collection.measures):
        yield _finding(collection, remark.partition(". Pass")[0], notes.grades.highest)


def _finding(collection: ExaminedData, what: str, rel: float) -> Finding:
    query, document, grade = (
        collection.judgements.sort("grade", maintain_order=True).select("query", "document", "grade").row(0)
    )
    return Finding(
        "warning",
        what,
        f"the lowest grade: query {query!r}, document {document!r}, grade {grade:g}",
        f"Say from which grade on a document is relevant, such as --rel {rel:g}.",
        collection.effect_of_rel(rel),
    )


# Without a scale, a top grade is an outlier if it is so many times the grade below it, and so rare.
_TIMES, _RARE = 5, 0.05


@check_of_collection(order=140)
def grades_outside(collection: ExaminedData) -> Iterator[Finding]:
    """Grades outside the scale that was given; without one, negative grades, and a top grade far above all others."""
    grades = collection.judgements["grade"]
    if collection.scale is not None:
        yield from _finding_outside(
            collection, *collection.scale, "warning", "outside the scale from {low:g} to {high:g}"
        )
        return
    highest = float(grades.max() or 0)  # type: ignore[arg-type]
    below = grades.filter(grades < highest)
    second = float(below.max() or 0)  # type: ignore[arg-type]
    count = int((grades == highest).sum())
    if second >= 1 and highest >= _TIMES * second and count <= max(1, _RARE * len(grades)):
        yield from _finding_outside(collection, -float("inf"), second, "warning", "far above the grade below, {high:g}")
    yield from _finding_outside(collection, 0, float("inf"), "note", "below 0: not relevant, gain 0")


def _finding_outside(
    collection: ExaminedData, low: float, high: float, severity: Severity, what: str
) -> Iterator[Finding]:
    frame = collection.judgements
    outside = (frame["grade"] < low) | (frame["grade"] > high)
    if not outside.any():
        return
    at, count = outside.arg_true()[0], int(outside.sum())
    query, document, grade = frame.select("query", "document", "grade").row(at)
    clipped = frame.with_columns(pl.col("grade").clip(low, high))
    yield Finding(
        severity,
        f"{counted(count, 'grade')} of {len(frame):,} {agreed(count, 'is', 'are')} {what.format(low=low, high=high)}",
        f"{collection.judged.table.place(at)}: query {query!r}, document {document!r}, grade {grade:g}",
        "Correct the grades. If they are meant so, give the scale with --scale.",
        collection.largest_effect("with these grades moved to the end of the scale", judged=clipped),
    )


@check_of_collection(order=130)
def no_relevant(collection: ExaminedData) -> Iterator[Finding]:
    """Queries without a relevant document: no ranking of them is better than another."""
    thresholds = [m.threshold for m in collection.measures.values() if m.metric.wants_relevant]
    rel = max(thresholds, default=1.0)
    by_query = collection.judgements.group_by("query", maintain_order=True).agg(highest=pl.col("grade").max())
    empty = [query for queries_ in collection.judged.table.nothing.values() for query in queries_]
    without = [*by_query.filter(pl.col("highest") < rel)["query"], *empty]
    judged = by_query.height + len(empty)
    if not without:
        return
    then = "skip" if collection.policy.no_relevant == "zero" else "zero"
    yield Finding(
        "warning",
        f"{counted(len(without), 'query')} of {judged:,} {agreed(len(without), 'has', 'have')} no relevant document"
        f" (no grade from {rel:g} on)",
        listing(map(repr, without), 3),
        "Judge more documents, or leave these queries out for all systems: --policy no_relevant=skip.",
        collection.largest_effect(f"with no_relevant={then}", policy={"no_relevant": then}),
    )


@check_of_collection(order=150)
def partial_grades(collection: ExaminedData) -> Iterator[Finding]:
    """Grades above 0 and below 1, which are not relevant by default."""
    notes = collection.grade_notes
    for remark in partial_remark(notes, collection.measures):
        rel = partial_rel(notes)
        row = collection.judgements.filter((pl.col("grade") > 0) & (pl.col("grade") < 1)).row(0, named=True)
        yield Finding(
            "warning",
            remark.partition(". Pass")[0],
            f"query {row['query']!r}, document {row['document']!r}, grade {row['grade']:g}",
            f"Say from which grade on a document is relevant, such as --rel {rel:g}; or write whole grades.",
            collection.effect_of_rel(rel),
        )


# From these shares on, at 10 and at 100. Deep lists have many unjudged documents, so at 100 the effect decides.
_MUCH_AT_10, _MUCH_AT_100, _MOVES = 0.25, 0.5, 0.05


@check_of_run(order=210)
def unjudged(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Many documents without a judgement among the first 10 or 100, where others were judged not relevant."""
    if run.hits is None or finds_nothing_judged(run.notes) or not collection.is_pooled:
        return
    ranked = with_policy(run.hits, replace(run.hits.policy, missing="skip"))
    judged = score_all([ranked], measures_by_label(["judged@10", "judged@100"]))
    at_10, at_100 = (1 - judged.means[label] for label in ("judged@10", "judged@100"))
    if not (at_10 >= _MUCH_AT_10 or at_100 >= _MUCH_AT_100):
        return
    effect = collection.effect(
        run, "with unjudged=condensed (unjudged documents taken out)", policy={"unjudged": "condensed"}
    )
    deep = [label for label, measure in collection.measures.items() if measure.k is None or measure.k > 10]
    deep_effect = replace(effect, values={label: effect.values[label] for label in deep})
    if at_10 < _MUCH_AT_10 and not deep_effect.largest >= _MOVES:
        return
    by_query = judged.per_query.sort("judged@10", maintain_order=True)
    query, share = by_query["query"][0], 1 - by_query["judged@10"][0]
    yield Finding(
        "warning",
        f"{at_10:.0%} of the first 10 documents are not judged, and {at_100:.0%} of the first 100: they count as not"
        " relevant",
        f"query {query!r}: {share:.0%} of its first 10",
        "Judge the top of the lists. Until then use bpref or condensed lists, and give judged@10 beside scores.",
        effect,
    )


@check_of_run(order=120)
def queries_not_judged(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Queries that a run ranks but nobody judged."""
    unjudged = run.notes.without_judgements
    if not unjudged:
        return
    # A judgement that finds no document makes the query one without relevant documents.
    rows = {"query": pl.Series(map(str, unjudged), dtype=pl.String), "document": "", "grade": 0.0}
    added = pl.DataFrame(rows).with_columns(subtopic=pl.lit("0"), weight=1.0)
    judged = collection.judgements.with_columns(pl.col("query", "document").cast(pl.String))
    judged = pl.concat([judged, added], how="diagonal").select(judged.columns)
    yield Finding(
        "note",
        f"{counted(len(unjudged), 'query')} {agreed(len(unjudged), 'is', 'are')} ranked but not judged: left out",
        listing(map(repr, unjudged), 3),
        "Nothing, if only some queries were judged. Otherwise check that the judgements are complete.",
        collection.effect(run, "with these queries scored 0", judged=judged, policy={"no_relevant": "zero"}),
    )


@check_of_run(order=110)
def queries_not_ranked(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Judged queries without a list in a run."""
    missing = run.notes.without_ranking
    if not missing:
        return
    now, then = ("scored 0", "skip") if collection.policy.missing == "zero" else ("left out", "zero")
    yield Finding(
        "warning",
        f"{counted(len(missing), 'query')} of {run.notes.queries:,} {agreed(len(missing), 'is', 'are')} judged but not"
        f" ranked: {now}",
        listing(map(repr, missing), 3),
        "Rank them; if the system returned nothing for them, leave them at 0 for all systems alike.",
        collection.effect(run, f"with missing={then}", policy={"missing": then}),
    )
