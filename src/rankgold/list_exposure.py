"""A run of recommendations in any form in, what its lists are made of out: with a catalogue, popularity or features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack

from rankgold.data.catalogues import feature_columns, read_items
from rankgold.data.inputs import read
from rankgold.data.pairs import read_pairs
from rankgold.engines.fetched_data import DataHere
from rankgold.engines.list_request import ListRequest
from rankgold.engines.protocol import ListKeywords
from rankgold.errors import DataError, PolicyError
from rankgold.evaluation import takes_keywords
from rankgold.exposures import EXPOSURES
from rankgold.listed_items import ListedItems
from rankgold.matching.exclusion import Exclusion
from rankgold.matching.item_lists import KnownItems
from rankgold.matching.judgements import NOTHING_EXCLUDED
from rankgold.matching.run_pairs import SortedRun
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import measures_by_label, score_all


class ExposureKeywords(ListKeywords, total=False):
    """The keywords of `exposure`."""

    items: Any
    train: Any
    qrels: Any
    exclude: Any


DEFAULT_MEASURES = ("coverage@10", "gini@10", "entropy@10", "personalisation@10")


@takes_keywords(ExposureKeywords)
def exposure(run: Any, measures: Any = None, **keywords: Unpack[ExposureKeywords]) -> Scores:
    """What the lists of users are made of: `coverage@10`, `gini@10`, `novelty@10`, `ild@10` and others.

    `run` is a run, or several by name, in all forms that `evaluate` takes: users are queries, items are documents.
    Measures need one or more of these, and say so:

    - `items`: the catalogue, as a list of ids, a frame, a dict from item to features, or a file. Columns of a frame may
      hold categories, an embedding or numbers, and a group of each item.
    - `train`: what users had before, as pairs of user and item, in any form of judgements or runs.
    - `qrels`: what was relevant to users, for serendipity.

    `exclude`, `policy`, `parent`, `depth` and `topics`, which selects users, are those of `evaluate`. `columns` names
    columns by role: `query`, `document`, `score`, and of the catalogue `category`, `embedding`, `group`. Some measures,
    such as gini, have only a value of all lists together: their values of single users are NaN. With `engine`, a DuckDB
    connection or a Spark session, all of these may be tables there: their rows are read, and counted in this process.

    `exposure(...).explain("u1")` shows the working behind a value, and `explain()` that of all lists.

    >>> run = {"u1": ["a", "b"], "u2": ["a", "c"]}
    >>> exposure(run, ["coverage@2", "gini@2"], items=["a", "b", "c", "d"]).means
    {'coverage@2': 0.75, 'gini@2': 0.375}
    """
    wanted = measures_by_label(measures, EXPOSURES, DEFAULT_MEASURES)
    return score_all(lists_of_runs(run, **keywords), wanted, keep=True)


def lists_of_runs(run: Any, **keywords: Unpack[ExposureKeywords]) -> Iterator[ListedItems]:
    """The lists of each run, as measures see them. The arguments are those of `exposure`."""
    return _Request.of(run, keywords).lists()


@dataclass(frozen=True, slots=True)
class _Request:
    """What the user asks for: the run, what is known of items and users, and how all this is read."""

    run: Any
    known: Mapping[str, Any]
    """The catalogue, the training set, the judgements, and what is excluded, by the names of the arguments."""
    features: Mapping[str, str]
    """The columns of the catalogue that the user named."""
    reading: ListRequest

    @classmethod
    def of(cls, run: Any, keywords: ExposureKeywords) -> _Request:
        features, named = feature_columns(keywords.get("columns"))
        reading = replace(ListRequest.of(keywords), columns=named)
        if reading.policy.ties == "average":
            raise PolicyError("Lists are not averaged over the orders of tied items. Choose another order of ties.")
        known = {name: keywords.get(name) for name in ("items", "train", "qrels", "exclude")}
        return cls(run, known, features, reading)

    def lists(self) -> Iterator[ListedItems]:
        """The lists of each run, as measures see them."""
        self.reading.report("reading the catalogue and the training set")
        with self.reading.data_here((self.run, *self.known.values())) as here:
            known, exclusion = self._known(here)
            run = here.runs(self.run)
        for name, rows in self.reading.runs(run):
            groups = self.reading.groups(name, rows, "user")
            left = groups if exclusion is None else exclusion.remaining(groups)
            taken = len(groups.numbers) - len(left.numbers)
            remarks = (NOTHING_EXCLUDED,) if exclusion is not None and not taken else ()
            yield known.lists(SortedRun.of(name, left, self.reading.policy), taken, remarks)

    def _known(self, here: DataHere) -> tuple[KnownItems, Exclusion | None]:
        """What is known besides the lists, and what is taken out of them."""
        items, train, qrels, exclude = self.known.values()
        columns, repeats = self.reading.columns or {}, self.reading.policy.repeats
        judged = None if qrels is None else read(here.table(qrels, "qrels"), "qrels", columns, repeats)
        known = KnownItems(
            None if items is None else read_items(here.catalogue(items), {**columns, **self.features}),
            None if train is None else _read_training(here.table(train, "pairs"), columns),
            None if judged is None else judged.table().frame,
        )
        return known, None if exclude is None else Exclusion.of(here.table(exclude, "pairs"), columns)


def _read_training(train: Any, columns: Mapping[str, str]) -> Any:
    pairs = read_pairs(train, columns)
    if not len(pairs):
        raise DataError("no user has an item.", "the training set")
    return pairs
