"""A run of recommendations in any form in, what its lists are made of out: with a catalogue, popularity or features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rankgold.data.catalogues import feature_columns, read_items
from rankgold.data.inputs import read
from rankgold.data.named_runs import read_runs
from rankgold.data.pairs import read_pairs
from rankgold.data.parents import Parent, ParentRule
from rankgold.data.topics import Topics
from rankgold.engines.protocol import Progress
from rankgold.errors import DataError, PolicyError
from rankgold.exposures import EXPOSURES
from rankgold.listed_items import ListedItems, ListNotes
from rankgold.matching.exclusion import Exclusion
from rankgold.matching.item_lists import KnownItems
from rankgold.matching.judgements import NOTHING_EXCLUDED
from rankgold.matching.run_pairs import SortedRun
from rankgold.matching.tables import with_parents
from rankgold.policy import Policy
from rankgold.scoring.exposure_scores import score_lists
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import measures_by_label, policy_with_depth

DEFAULT_MEASURES = ("coverage@10", "gini@10", "entropy@10", "personalisation@10")


def exposure(
    run: Any,
    measures: Any = None,
    *,
    items: Any = None,
    train: Any = None,
    qrels: Any = None,
    exclude: Any = None,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    parent: Parent | None = None,
    depth: int | None = None,
    topics: Any = None,
) -> Scores:
    """What the lists of users are made of: `coverage@10`, `gini@10`, `novelty@10`, `ild@10` and others.

    `run` is a run, or several by name, in all forms that `evaluate` takes: users are queries, items are documents.
    Measures need one or more of these, and say so:

    - `items`: the catalogue, as a list of ids, a frame, a dict from item to features, or a file. Columns of a frame may
      hold categories, an embedding or numbers, and a group of each item.
    - `train`: what users had before, as pairs of user and item, in any form of judgements or runs.
    - `qrels`: what was relevant to users, for serendipity.

    `exclude`, `policy`, `parent`, `depth` and `topics`, which selects users, are those of `evaluate`. `columns` names
    columns by role: `query`, `document`, `score`, and of the catalogue `category`, `embedding`, `group`. Some measures,
    such as gini, have only a value of all lists together: their values of single users are NaN.

    >>> run = {"u1": ["a", "b"], "u2": ["a", "c"]}
    >>> exposure(run, ["coverage@2", "gini@2"], items=["a", "b", "c", "d"]).means
    {'coverage@2': 0.75, 'gini@2': 0.375}
    """
    wanted = measures_by_label(measures, EXPOSURES, DEFAULT_MEASURES)
    decided = _decided(policy, parent, depth)
    report = progress or (lambda *_: None)
    runs = lists_of_runs(
        run,
        decided,
        items=items,
        train=train,
        qrels=qrels,
        exclude=exclude,
        columns=columns,
        parent=parent,
        topics=topics,
        report=report,
    )
    return score_lists(runs, wanted, decided)


def lists_of_runs(
    run: Any,
    policy: Policy | str | None = None,
    *,
    items: Any = None,
    train: Any = None,
    qrels: Any = None,
    exclude: Any = None,
    columns: Mapping[str, str] | None = None,
    parent: Parent | None = None,
    topics: Any = None,
    report: Progress = lambda *_: None,
) -> Iterator[tuple[str, ListedItems, ListNotes]]:
    """The lists of each run, as measures see them, with their names and notes."""
    decided, rule, selected = _decided(policy, parent), ParentRule.of(parent), Topics.of(topics)
    features, named = feature_columns(columns)
    report("reading the catalogue and the training set", 0.0, 0)
    known = KnownItems(
        None if items is None else read_items(items, {**named, **features}),
        None if train is None else _read_training(train, named),
        None if qrels is None else read(qrels, "qrels", named, decided.repeats).table().frame,
    )
    exclusion = None if exclude is None else Exclusion.of(exclude, named)
    for name, rows in read_runs(run, named, decided.repeats):
        report(f"sorting {name}", 0.0, 0)
        groups = with_parents(rows.groups(), rule)
        if selected is not None:
            chosen = selected.among(groups.queries.to_list())
            if not chosen.any():
                raise DataError(f"none of the topics is a user of {name}. Check that the ids are the same.")
            groups = groups.of_queries(chosen)
        left = groups if exclusion is None else exclusion.remaining(groups)
        taken = len(groups.numbers) - len(left.numbers)
        remarks = (NOTHING_EXCLUDED,) if exclusion is not None and not taken else ()
        yield name, *known.lists(SortedRun.of(name, left, decided), taken, remarks)


def _read_training(train: Any, columns: Mapping[str, str]) -> Any:
    pairs = read_pairs(train, columns)
    if not len(pairs):
        raise DataError("no user has an item.", "the training set")
    return pairs


def _decided(policy: Policy | str | None, parent: Parent | None, depth: int | None = None) -> Policy:
    decided = policy_with_depth(policy, depth)
    if decided.ties == "average":
        raise PolicyError("Lists are not averaged over the orders of tied items. Choose another order of ties.")
    return decided if parent is None else replace(decided, chunks="best")
