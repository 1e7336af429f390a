"""Warns about weak comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from rankgold.comparison.choices import ComparisonSettings
from rankgold.comparison.comparison_result import ALPHA, PairRow
from rankgold.comparison.intervals import FEW_QUERIES, NARROW_OF_FEW
from rankgold.core.errors import counted, listing
from rankgold.core.segments import Floats
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import slice_title

_MANY_TIES = 0.5
# The skewness of exponential values is 2.
_SKEWED = 2.0
_MANY_COMPARISONS = 3
# Shares of judged documents, and depths, that differ by more than this favour one of the runs.
_OTHER_SHARE, _OTHER_DEPTH = 0.05, 1.1


def doubts_about(
    scores: Scores, rows: Sequence[PairRow], differences: Floats, settings: ComparisonSettings, units: int
) -> list[str]:
    """A sentence for each reason; `differences` has a column for each row, and `units` is the number of clusters."""
    of_tests = doubts_about_tests(scores, rows, differences, settings, units)
    return [*of_tests, *_about_missing_rankings(scores), *doubts_about_lists(scores)]


def doubts_about_tests(
    scores: Scores, rows: Sequence[PairRow], differences: Floats, settings: ComparisonSettings, units: int
) -> list[str]:
    """The reasons in the values of the queries and in the number of tests."""
    doubts = [*_about_queries(rows, differences, settings), *_about_number(scores, rows, settings)]
    if settings.clusters is not None and units < FEW_QUERIES:
        doubts.insert(0, f"{_only(units, 'cluster')} of queries: a real difference is easily missed.")
    return doubts


def doubts_about_slices(
    titles: Sequence[tuple[str, str]], rows: Sequence[PairRow], settings: ComparisonSettings
) -> list[str]:
    """The reasons in the size and the number of slices; `titles` has the attribute and the slice of each row."""
    doubts = []
    few = {title: row.queries for title, row in zip(titles, rows, strict=True) if row.queries < FEW_QUERIES}
    if few:
        sizes = [f"{slice_title(attribute, name)}: {queries}" for (attribute, name), queries in few.items()]
        doubts.append(
            f"{len(few)} of {len(set(titles))} slices {'has' if len(few) == 1 else 'have'} fewer than {FEW_QUERIES}"
            f" queries, so a real difference is easily missed there ({listing(sizes, 5)})."
        )
    if settings.correction == "none" and len(rows) > 1:
        doubts.append(_without_correction(len(rows)))
    return doubts


def _about_queries(rows: Sequence[PairRow], differences: Floats, settings: ComparisonSettings) -> Iterator[str]:
    counts = [row.queries for row in rows if row.queries]
    if counts and min(counts) < FEW_QUERIES:
        of_intervals = _of_few_queries(settings) if min(counts) > 1 else ""
        yield f"{_only(min(counts), 'query')}: a real difference is easily missed{of_intervals}."
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


def _of_few_queries(settings: ComparisonSettings) -> str:
    """The effect of few queries on intervals, and on p-values derived from them."""
    if settings.interval not in NARROW_OF_FEW:
        return ", and intervals are too narrow if a few queries decide"
    p_values = ", p-values are too low" if settings.test == "bootstrap" else ""
    return f"{p_values}, and {settings.interval} intervals are too narrow"


def _about_number(scores: Scores, rows: Sequence[PairRow], settings: ComparisonSettings) -> Iterator[str]:
    measures = len(scores.measures)
    if settings.is_family_test and measures > 1:
        yield f"Tukey's test allows for the number of runs, but not for the {measures} measures."
    elif not settings.is_family_test and settings.correction == "none" and len(rows) > _MANY_COMPARISONS:
        yield _without_correction(len(rows))


def _only(count: int, noun: str) -> str:
    return f"There {'is' if count == 1 else 'are'} only {counted(count, noun)}"


def _without_correction(comparisons: int) -> str:
    return (
        f"{comparisons} comparisons without a correction: about {comparisons * ALPHA:.2g} of them are below p = {ALPHA}"
        " by chance alone. Use correction=holm."
    )


def _about_missing_rankings(scores: Scores) -> Iterator[str]:
    for name in scores.runs:
        if missing := scores.notes_of(name).without_ranking:
            effect = "not compared" if scores.policy.missing == "skip" else "scored as if nothing was found"
            yield (
                f"{name} has no ranking for {counted(len(missing), 'judged query')} ({listing(missing, 3)}):"
                f" {effect} (policy missing={scores.policy.missing})."
            )


def doubts_about_lists(scores: Scores) -> Iterator[str]:
    """Caveats about runs whose lists are judged less, or longer, than others."""
    notes = {name: scores.notes_of(name) for name in scores.runs}
    shares = {name: note.unjudged_share for name, note in notes.items() if note.retrieved}
    least, most = _ends(shares)
    if shares and shares[most] - shares[least] > _OTHER_SHARE:
        yield (
            f"{shares[most]:.0%} of the documents of {most} are not judged, and {shares[least]:.0%} of {least}:"
            f" unjudged documents count as not relevant, which counts against {most}."
        )
    depths = {name: note.retrieved / note.queries for name, note in notes.items() if note.queries and note.retrieved}
    shortest, longest = _ends(depths)
    if depths and depths[longest] > _OTHER_DEPTH * depths[shortest]:
        yield (
            f"{longest} returns {_depth(depths[longest])} documents a query, and {shortest} {_depth(depths[shortest])}:"
            " measures without a cutoff favour the longer lists."
        )


def _depth(documents: float) -> str:
    """'1.3', '12', '1,000': short lists differ by parts of a document."""
    return f"{documents:.2g}" if documents < 9.95 else f"{documents:,.0f}"


def _ends(numbers: Mapping[str, float]) -> tuple[str, str]:
    """The runs with the least and the greatest number; no names if there is none."""
    return min(numbers, key=numbers.__getitem__, default=""), max(numbers, key=numbers.__getitem__, default="")


def _skewness(values: Floats) -> float:
    if len(values) < 3 or not (spread := float(np.std(values))):
        return 0.0
    return float(np.mean((values - values.mean()) ** 3) / spread**3)
