"""Serendipity."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.item_lists import ListedItems
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel
from rankgold.measures.registry import EXPOSURES


@measure("serendipity", registry=EXPOSURES, question="popular")
def serendipity(lists: ListedItems, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """How much higher a list ranks relevant items than a list of bestsellers would, averaged over its items.

        serendipity@k = mean over the first k items of  relevant(i) * max(p(rank) - p(popularity rank), 0)

    p(r) = (n + 1 - r) / n for a catalogue of n items: 1 for the first rank. The popularity rank is 1 for the items that
    most users had, 2 for the next lower number of users, and so on; p is 0 for an item that nobody had. It needs three
    things: the catalogue, the training set, and judgements of what was relevant (`qrels=`, `--qrels` at the shell).

    Use it where a good recommendation is one that the user would not have found among the bestsellers.

    A catalogue of 4 items, a is the most popular and b comes next. The list b c, both relevant: p(1) = 1 and
    p(2) = 3/4. b has 1 - 3/4, c, which nobody had, 3/4 - 0: (1/4 + 3/4) / 2.

    >>> facts = {"items": "a b c d", "train": {"u1": "a b", "u2": "a"}, "qrels": {"u3": "b c"}}
    >>> serendipity(lists_of({"u3": "b c"}, **facts)).values
    array([0.5])

    Ge, Delgado-Battenfeld and Jannach 2010, Beyond accuracy, doi:10.1145/1864708.1864761; in the form of RecTools.
    """
    seen, counts = lists.top(k), lists.had.counts
    n_items = int(np.count_nonzero(lists.in_catalogue))
    levels = np.unique(counts[counts > 0])
    popularity_rank = len(levels) - np.searchsorted(levels, counts)
    expected = np.where(counts > 0, (n_items + 1 - popularity_rank) / n_items, 0.0)
    chance, is_relevant = (n_items + 1 - seen.rank) / n_items, seen.judged >= rel
    surprise = np.maximum(chance - expected[seen.item], 0.0)
    working = Working("{} * max({} - {}, 0)", is_relevant, chance, expected[seen.item])
    return Derivation.mean(seen, np.where(is_relevant, surprise, 0.0), working)
