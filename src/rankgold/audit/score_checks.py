"""Checks scores: ties, direction, precision, copies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import polars as pl

from rankgold.audit.examined_data import (
    ExaminedData,
    ExaminedRun,
    check_of_collection,
    check_of_run,
    largest_effect_of_ties,
)
from rankgold.audit.findings import Effect, Finding, is_worth_a_finding
from rankgold.core.errors import counted
from rankgold.scoring.score_document import is_moved_at_32_bits
from rankgold.scoring.scorer import measures_by_label, score_all

_SHORTEST = 3


@check_of_run(order=180)
def constant_scores(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Lists of three or more documents with the same score: their ids decide the order."""
    constant = constant_queries(run)
    if not constant.height:
        return
    query, documents, score = constant.select("query", "documents", "low").row(0)
    yield Finding(
        "error" if 2 * constant.height > run.by_query.height else "warning",
        f"all documents of {counted(constant.height, 'query')} have the same score, so that their ids decide the order",
        f"query {query!r}: {documents:,} documents with the score {score:g}",
        "Write the scores of the system. If only the order is known, give falling scores, or pass --policy ties=input.",
        largest_effect_of_ties(collection, run),
    )


def constant_queries(run: ExaminedRun) -> pl.DataFrame:
    return run.by_query.filter((pl.col("documents") >= _SHORTEST) & (pl.col("low") == pl.col("high")))


@check_of_run(order=170)
def rising_scores(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Scores that rise from one rank to the next, such as distances. Without ranks, from row to row of all queries."""
    has_ranks = "rank" in run.frame.columns
    rows = run.frame.with_row_index("row")
    if has_ranks:
        rows = rows.with_columns(pl.col("rank").cast(pl.Float64, strict=False)).drop_nulls("rank")
        rows = rows.sort("query", "rank", maintain_order=True)
    # Of two documents with the same rank, neither is above the other: some tools write 0 or 1 in all lines.
    is_below = pl.col("rank").diff().over("query") > 0 if has_ranks else pl.lit(True)
    change = pl.when(is_below).then(pl.col("score").diff().over("query"))
    by_query = (
        rows.with_columns(change=change)
        .group_by("query", maintain_order=True)
        .agg(
            rises=(pl.col("change") > 0).sum(),
            falls=(pl.col("change") < 0).sum(),
            documents=pl.len(),
            low=pl.col("score").first(),
            high=pl.col("score").last(),
        )
    )
    long = by_query.filter(pl.col("documents") >= _SHORTEST)
    only_rise = long.filter((pl.col("rises") > 0) & (pl.col("falls") == 0))
    rising = by_query.filter(pl.col("rises") > 0) if has_ranks else only_rise
    if not rising.height or (not has_ranks and only_rise.height < long.height):
        return
    if has_ranks:
        ranked = rows.sort("row").drop("row").with_columns(score=-pl.col("rank"))
        effect = collection.effect(run, "with the ranks in place of the scores", ranked=ranked)
    else:
        effect = collection.effect(run, "with the scores turned round", ranked=run.frame.with_columns(-pl.col("score")))
        # A file may be sorted from the worst document to the best. Then the scores are right.
        if not any(after > now for now, after in effect.values.values()):
            return
    query, low, high = rising.sort("rises", descending=True, maintain_order=True).select("query", "low", "high").row(0)
    is_all = 2 * only_rise.height > by_query.height
    yield Finding(
        "error" if is_all else "warning",
        f"scores rise with {'rank' if has_ranks else 'the order of rows'} in {counted(rising.height, 'query')} of"
        f" {by_query.height:,}, and a higher score is ranked first",
        f"query {query!r}: the score of the first document is {low:g}, of the last {high:g}",
        "If low is good, as with distances, turn the scores round (-score). Otherwise correct the ranks.",
        effect,
    )


@check_of_run(order=200)
def score_bits(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Scores that differ in 64 bits and are equal in 32: trec_eval 9 and pytrec_eval see ties."""
    notes = run.notes
    if not is_moved_at_32_bits(notes):
        return
    effect = collection.effect(run, "with score_bits=32", policy={"score_bits": 32})
    rows = run.frame.with_columns(short=pl.col("score").cast(pl.Float32))
    equal = rows.group_by("query", "short", maintain_order=True).agg(pl.col("score").unique(maintain_order=True))
    query, low, high = (
        equal.filter(pl.col("score").list.len() > 1)
        .select("query", pl.col("score").list.get(0), pl.col("score").list.get(1).alias("other"))
        .row(0)
    )
    yield Finding(
        "warning" if is_worth_a_finding(effect) else "note",
        f"{notes.moved_at_32_bits:,} of {notes.retrieved - notes.unjudged:,} judged documents in the lists would have"
        " another rank with scores of 32 bits",
        f"query {query!r}: {low!r} and {high!r} are the same number in 32 bits",
        "For other tools, subtract what all scores have in common, or write ranks as scores.",
        effect,
    )


@check_of_run(order=190)
def ties(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Documents with the same score, if another order of them changes a mean by 0.005 or more."""
    if not run.notes.tied_hits or 2 * constant_queries(run).height > run.by_query.height:
        return
    effect = largest_effect_of_ties(collection, run)
    if effect is None or not is_worth_a_finding(effect):
        return
    tied = run.frame.group_by("query", "score", maintain_order=True).agg(pl.len(), pl.col("document").head(2))
    query, score, count, documents = tied.sort("len", descending=True, maintain_order=True).row(0)
    hits = run.notes.retrieved - run.notes.unjudged
    yield Finding(
        "warning",
        f"{run.notes.tied_hits:,} of {hits:,} judged documents in the lists are tied with others, and their order moves"
        " the measures",
        f"query {query!r}: {count:,} documents with the score {score:g}, such as {', '.join(map(repr, documents))}",
        "Write scores with more digits. Or pass --policy ties=average, the mean over all orders.",
        effect,
    )


# So many queries, and this share of them, in which all relevant documents come first and others follow.
_FEWEST, _SHARE = 5, 0.95


@check_of_run(order=260)
def too_perfect(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Rankings with all relevant documents first in nearly all queries: a leak of the judgements."""
    if run.hits is None:
        return
    scores = score_all([run.hits], measures_by_label(["ap", "num_rel", "num_ret"]))
    values = scores.per_query
    ap, relevant, returned = (values[label].to_numpy() for label in scores.measures)
    tested = (relevant > 0) & (returned > relevant)
    perfect = tested & (ap == 1)
    if perfect.sum() < _FEWEST or perfect.sum() < _SHARE * np.count_nonzero(relevant > 0):
        return
    at = int(np.flatnonzero(perfect)[0])
    names = values["query"].to_list()
    others = [name for name, is_perfect in zip(names, perfect, strict=True) if not is_perfect]
    hint = "; the scores of judged documents are their grades" if _has_copied_grades(collection, run) else ""
    yield Finding(
        "warning",
        f"{counted(int(perfect.sum()), 'query')} of {len(names):,} have all relevant documents first, then"
        f" others{hint}",
        f"query {names[at]!r}: {relevant[at]:.0f} relevant documents at the first {relevant[at]:.0f} of"
        f" {returned[at]:.0f} ranks",
        "Check that the system does not see the judgements: test queries in training, grades or clicks as features.",
        collection.effect(run, "with the perfect queries left out", topics=others),
    )


def _has_copied_grades(collection: ExaminedData, run: ExaminedRun) -> bool:
    """True if the score of each judged document in the lists is its grade."""
    ids = ["query", "document"]
    if collection.judgements.select(ids).schema != run.frame.select(ids).schema:
        return False
    pairs = collection.judgements.join(run.frame, on=ids)
    return pairs.height > 0 and bool((pairs["grade"] == pairs["score"]).all())


@check_of_collection(order=240)
def same_runs(collection: ExaminedData) -> Iterator[Finding]:
    """Two runs with the same documents and scores."""
    for first, second in combinations(collection.runs, 2):
        if not _are_same(first, second):
            continue
        effect = None
        if first.scores is not None and second.scores is not None:
            means, others = first.scores.means, second.scores.means
            values = {label: (means[label], others[label]) for label in means}
            effect = Effect(f"with {second.name} in its place", first.name, values)
        query, document, score = first.frame.select("query", "document", "score").row(0)
        yield Finding(
            "warning",
            f"{first.name} and {second.name} are the same run: {first.frame.height:,} equal rows",
            f"query {query!r}, document {document!r}, score {score:g} in both",
            "Check that the right file was copied.",
            effect,
        )


def _are_same(first: ExaminedRun, second: ExaminedRun) -> bool:
    rows, others = (run.frame.select("query", "document", "score") for run in (first, second))
    # Nearly all runs that differ do so in their sizes or sums, which are faster to compare than sorted rows.
    may_be_same = 0 < rows.height == others.height and rows.schema == others.schema
    if not may_be_same or rows["score"].sum() != others["score"].sum():
        return False
    return rows.sort(rows.columns).equals(others.sort(others.columns))
