"""Scores what lists of items are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rankgold.core.accepted import Measures
from rankgold.core.errors import DataError, PolicyError
from rankgold.core.item_lists import ListedItems
from rankgold.data.catalogues import feature_columns, read_items
from rankgold.data.exclusion import Exclusion, read_pairs
from rankgold.data.inputs import read
from rankgold.data.matching.item_lists import KnownItems
from rankgold.data.matching.judgements import NOTHING_EXCLUDED
from rankgold.data.matching.run_pairs import SortedRun
from rankgold.engines.request import DataHere, Request
from rankgold.measures.lists import EXPOSURES
from rankgold.scoring.scorer import measures_by_label, score_all
from rankgold.scoring.scores import Scores

DEFAULT_MEASURES = ("coverage@10", "gini@10", "entropy@10", "personalisation@10")


def scored_lists(request: Request, measures: Measures | None) -> Scores:
    """The exposure scores of the lists of a request."""
    wanted = measures_by_label(measures, EXPOSURES, DEFAULT_MEASURES, rel=request.rel)
    return score_all(lists_of_runs(request), wanted, keep=True)


def lists_of_runs(request: Request) -> Iterator[ListedItems]:
    """The lists of each run, as measures see them."""
    if request.policy.ties == "average":
        raise PolicyError("Lists are not averaged over the orders of tied items. Choose another order of ties.")
    features, named = feature_columns(request.columns)
    return _lists(replace(request, columns=named), features)


def _lists(request: Request, features: Mapping[str, str]) -> Iterator[ListedItems]:
    """The lists of each run. The features are the columns of the catalogue that the user named."""
    request.report("reading the catalogue and the training set")
    with request.data_here() as here:
        known, exclusion = _known(request, here, features)
        run = here.runs(request.run)
    for name, rows in request.runs(run):
        groups = request.groups(name, rows, "user")
        left = groups if exclusion is None else exclusion.remaining(groups)
        taken = len(groups.numbers) - len(left.numbers)
        remarks = (NOTHING_EXCLUDED,) if exclusion is not None and not taken else ()
        yield known.lists(SortedRun.of(name, left, request.policy), taken, remarks)


def _known(request: Request, here: DataHere, features: Mapping[str, str]) -> tuple[KnownItems, Exclusion | None]:
    """The facts known besides the lists, and the exclusions."""
    items, train, qrels = (request.data[name] for name in ("items", "train", "qrels"))
    columns = request.columns or {}
    judged = None if qrels is None else read(here.table(qrels, "qrels"), "qrels", columns, request.policy.repeats)
    known = KnownItems(
        None if items is None else read_items(here.catalogue(items), {**columns, **features}),
        None if train is None else _read_training(here.table(train, "pairs"), columns),
        None if judged is None else judged.table().frame,
    )
    return known, here.exclusion(request.exclude)


def _read_training(train: object, columns: Mapping[str, str]) -> Any:
    pairs = read_pairs(train, columns)
    if not len(pairs):
        raise DataError("no user has an item.", "the training set")
    return pairs
