"""Runs and their differences in, sentences out that say why one should doubt a comparison of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rankgold.comparison.result import PairRow
from rankgold.comparison.settings import ComparisonSettings
from rankgold.errors import listing
from rankgold.kernels.segments import Floats
from rankgold.scoring.scores import Scores

# With fewer queries most tests see large differences only.
_FEW_QUERIES = 25
_MANY_TIES = 0.5
# The skewness of exponential values is 2.
_SKEWED = 2.0
_MANY_COMPARISONS = 3
# Shares of judged documents, and depths, that differ by more than this favour one of the runs.
_OTHER_SHARE, _OTHER_DEPTH = 0.05, 1.1


def doubts_about(
    scores: Scores, rows: Sequence[PairRow], differences: Floats, settings: ComparisonSettings, units: int = 0
) -> list[str]:
    """A sentence for each reason; `differences` has a column for each row, and `units` is the number of clusters."""
    of_tests = doubts_about_tests(scores, rows, differences, settings, units)
    return [*of_tests, *_about_missing_rankings(scores), *doubts_about_lists(scores)]


def doubts_about_tests(
    scores: Scores, rows: Sequence[PairRow], differences: Floats, settings: ComparisonSettings, units: int = 0
) -> list[str]:
    """The reasons in the values of the queries and in the number of tests."""
    doubts = [*_about_queries(rows, differences), *_about_number(scores, rows, settings)]
    if settings.clusters is not None and units < _FEW_QUERIES:
        count = "is only 1 cluster" if units == 1 else f"are only {units} clusters"
        doubts.insert(0, f"There {count} of queries: a real difference is easily missed.")
    return doubts


def _about_queries(rows: Sequence[PairRow], differences: Floats) -> Iterator[str]:
    counts = [row.queries for row in rows if row.queries]
    if counts and min(counts) < _FEW_QUERIES:
        count = "is only 1 query" if min(counts) == 1 else f"are only {min(counts)} queries"
        yield (
            f"There {count}: a real difference is easily missed, and intervals are too narrow if a few queries decide."
        )
    tied = [f"{row.measure} of {row.a} and {row.b}" for row in rows if row.ties > _MANY_TIES * row.queries > 0]
    if tied:
        yield f"Most queries have the same value in both runs, so few decide: {listing(tied, 3)}."
    skewed = [
        f"{row.measure} of {row.a} and {row.b}"
        for row, column in zip(rows, differences.T, strict=True)
        if abs(_skewness(column[~np.isnan(column)])) > _SKEWED
    ]
    if skewed:
        yield (
            f"A few queries differ far more than the others, so the mean says little about the typical query:"
            f" {listing(skewed, 3)}."
        )


def _about_number(scores: Scores, rows: Sequence[PairRow], settings: ComparisonSettings) -> Iterator[str]:
    measures = len(scores.measures)
    if settings.is_family_test and measures > 1:
        yield f"Tukey's test allows for the number of runs, but not for the {measures} measures."
    elif not settings.is_family_test and settings.correction == "none" and len(rows) > _MANY_COMPARISONS:
        yield (
            f"{len(rows)} comparisons without a correction: about {len(rows) * 0.05:.2g} of them are below p = 0.05"
            " by chance alone. Use correction=holm."
        )


def _about_missing_rankings(scores: Scores) -> Iterator[str]:
    for name in scores.runs:
        if missing := scores.notes_of(name).without_ranking:
            effect = "not compared" if scores.policy.missing == "skip" else "scored as if nothing was found"
            queries = f"judged quer{'y' if len(missing) == 1 else 'ies'} ({listing(missing, 3)})"
            yield (
                f"{name} has no ranking for {len(missing)} {queries}:"
                f" {effect} (policy missing={scores.policy.missing})."
            )


def doubts_about_lists(scores: Scores) -> Iterator[str]:
    """Lists of some runs that are judged less than those of others, or longer."""
    notes = {name: scores.notes_of(name) for name in scores.runs}
    shares = {name: note.unjudged_share for name, note in notes.items() if note.retrieved}
    if shares and max(shares.values()) - min(shares.values()) > _OTHER_SHARE:
        most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
        yield (
            f"{shares[most]:.0%} of the documents of {most} are not judged, and {shares[least]:.0%} of {least}:"
            f" unjudged documents count as not relevant, which is to the disadvantage of {most}."
        )
    depths = {name: note.retrieved / note.queries for name, note in notes.items() if note.queries and note.retrieved}
    if depths and max(depths.values()) > _OTHER_DEPTH * min(depths.values()):
        longest, shortest = max(depths, key=depths.__getitem__), min(depths, key=depths.__getitem__)
        yield (
            f"{longest} returns {depths[longest]:.0f} documents a query, and {shortest} {depths[shortest]:.0f}:"
            " measures without a cutoff favour the longer lists."
        )


def _skewness(values: Floats) -> float:
    if len(values) < 3 or not (spread := float(np.std(values))):
        return 0.0
    return float(np.mean((values - values.mean()) ** 3) / spread**3)
