"""Ranked lists of ids and the relevant ids of each in, Hits out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankgold.data.dicts import nested
from rankgold.data.query_lists import ListReader
from rankgold.data.series import has_numbers, is_series
from rankgold.errors import DataError, counted
from rankgold.hits import Hits
from rankgold.matching.dict_judgements import DictJudgements
from rankgold.matching.index_alignment import as_rows, pair_queries
from rankgold.matching.query_names import query_names
from rankgold.policy import Policy


def from_lists(
    ranked: Sequence[Sequence[Any]],
    truth: Sequence[Any],
    *,
    queries: Sequence[Any] | None = None,
    policy: Policy | str | None = None,
) -> Hits:
    """Hits from lists of document ids, best first, and for each the relevant ids, or a mapping from id to grade.

    The entries belong together by position. Those of two pandas Series belong together by their index, which then
    names the queries too.

    >>> import rankgold
    >>> rankgold.evaluate(rankgold.from_lists([[1, 3, 2, 6]], [[1, 2, 4]]), ["recall@4", "ap"]).means
    {'recall@4': 0.6666666666666666, 'ap': 0.5555555555555555}
    """
    for given, what in ((ranked, "ranked"), (truth, "truth")):
        if isinstance(given, (str, bytes, Mapping)) or not hasattr(given, "__len__"):
            raise DataError(f"{what} must be a list with one entry per query, not {type(given).__name__}.")
    paired, queries = pair_queries({"ranked": ranked, "truth": truth}, queries)
    ranked, truth = (as_rows(part) for part in paired.values())
    if len(ranked) != len(truth):
        raise DataError(
            f"ranked has {counted(len(ranked), 'query')} and truth has {len(truth)}."
            " They need one entry per query each."
        )
    names = query_names(queries, len(ranked))
    for i, (query, entry) in enumerate(zip(names, ranked, strict=True)):
        if isinstance(entry, Mapping) or (is_series(entry) and has_numbers(entry, query, "ranked")):
            raise DataError(
                f"ranked[{i}] has numbers for its documents. ranked holds lists of ids, best first; truth may hold"
                " grades. The two may be swapped."
            )
    policy = Policy.of(policy)
    relevant, listed = ListReader("qrels", "first", "truth"), ListReader("run", policy.repeats, "ranked")
    qrels = nested(dict(zip(names, map(_plain, truth), strict=True)), relevant)
    run = nested(dict(zip(names, map(_plain, ranked), strict=True)), listed)
    return DictJudgements.of(qrels, relevant.remarks).match(run, policy, remarks=listed.remarks)


def _plain(entry: object) -> object:
    """Columns as lists. An array stays one: -1 at its end is no document. A Series may have documents in its index."""
    if hasattr(entry, "tolist") and type(entry).__name__ != "ndarray" and not is_series(entry):
        return entry.tolist()
    return entry
