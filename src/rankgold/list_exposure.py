"""A run of recommendations in any form in, what its lists are made of out: with a catalogue, popularity or features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rankgold.data.catalogues import feature_columns, read_items
from rankgold.data.inputs import read
from rankgold.data.named_runs import read_runs
from rankgold.data.pairs import read_pairs
from rankgold.data.parents import Parent, ParentRule
from rankgold.data.topics import Topics
from rankgold.declaration.metric import Measure
from rankgold.engines.fetched_data import DataHere, data_here
from rankgold.engines.protocol import Progress, ReadingOptions
from rankgold.errors import DataError, PolicyError
from rankgold.exposures import EXPOSURES
from rankgold.listed_items import ListedItems, ListNotes
from rankgold.matching.exclusion import Exclusion
from rankgold.matching.item_lists import KnownItems
from rankgold.matching.judgements import NOTHING_EXCLUDED
from rankgold.matching.run_pairs import SortedRun
from rankgold.matching.table_judgements import with_parents
from rankgold.policy import Policy
from rankgold.scoring.explained_scores import ExplainedScores
from rankgold.scoring.exposure_scores import score_lists
from rankgold.scoring.values import measures_by_label, policy_with_depth

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankgold.explanation.derived_value import DerivedValue


class ExposureOptions(ReadingOptions, total=False):
    """Keywords of `exposure` about its data."""

    items: Any
    train: Any
    qrels: Any
    exclude: Any


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
    engine: Any = None,
    memory_limit: str | None = None,
) -> ExplainedScores:
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
    request = _Request.of(
        run,
        items=items,
        train=train,
        qrels=qrels,
        exclude=exclude,
        policy=policy,
        columns=columns,
        parent=parent,
        depth=depth,
        topics=topics,
        engine=engine,
        memory_limit=memory_limit,
    )
    return score_lists(request.lists(progress), wanted, request.policy, partial(_explain, request))


def explain_exposure(
    run: Any, measures: Any, user: Any = None, progress: Progress | None = None, **options: Unpack[ExposureOptions]
) -> list[DerivedValue]:
    """How the values of a user, or of all lists, come about, for each measure and run.

    The other arguments are those of `exposure`.
    """
    wanted = measures_by_label(measures, EXPOSURES, DEFAULT_MEASURES)
    return _explain(_Request.of(run, **options), wanted.values(), user, None, progress)


def lists_of_runs(run: Any, **options: Unpack[ExposureOptions]) -> Iterator[tuple[str, ListedItems, ListNotes]]:
    """The lists of each run, as measures see them, with name and notes. The arguments are those of `exposure`."""
    return _Request.of(run, **options).lists(None)


def _explain(
    request: _Request, measures: Iterable[Measure], user: Any, run: str | None, progress: Progress | None = None
) -> list[DerivedValue]:
    """The derivations of the values for a user or for all lists, of one run or of all. The data are read once."""
    from rankgold.explanation.list_values import explain_lists

    runs = [(name, lists) for name, lists, _ in request.lists(progress) if run in (None, name)]
    return [explain_lists(lists, name, measure, user, request.policy) for measure in measures for name, lists in runs]


@dataclass(frozen=True, slots=True)
class _Request:
    """What the user asks for: the run, what is known of items and users, and how all this is read."""

    run: Any
    known: Mapping[str, Any]
    """The catalogue, the training set, the judgements, and what is excluded, by the names of the arguments."""
    policy: Policy
    features: Mapping[str, str]
    """The columns of the catalogue that the user named."""
    columns: Mapping[str, str]
    parent: ParentRule | None
    topics: Topics | None
    engine: Any
    memory_limit: str | None

    @classmethod
    def of(cls, run: Any, **options: Unpack[ExposureOptions]) -> _Request:
        features, named = feature_columns(options.get("columns"))
        return cls(
            run=run,
            known={name: options.get(name) for name in ("items", "train", "qrels", "exclude")},
            policy=_decided(options.get("policy"), options.get("parent"), options.get("depth")),
            features=features,
            columns=named,
            parent=ParentRule.of(options.get("parent")),
            topics=Topics.of(options.get("topics")),
            engine=options.get("engine"),
            memory_limit=options.get("memory_limit"),
        )

    def lists(self, progress: Progress | None) -> Iterator[tuple[str, ListedItems, ListNotes]]:
        """The lists of each run, as measures see them, with their names and notes."""
        report = progress or (lambda *_: None)
        report("reading the catalogue and the training set", 0.0, 0)
        sources = (self.run, *self.known.values())
        with data_here(self.engine, sources, self.columns, self.policy, self.memory_limit) as here:
            known, exclusion = self._known(here)
            run = here.runs(self.run)
        for name, rows in read_runs(run, self.columns, self.policy.repeats):
            report(f"sorting {name}", 0.0, 0)
            groups = with_parents(rows.groups(), self.parent)
            if self.topics is not None:
                chosen = self.topics.among(groups.queries.to_list())
                if not chosen.any():
                    raise DataError(f"none of the topics is a user of {name}. Check that the ids are the same.")
                groups = groups.of_queries(chosen)
            left = groups if exclusion is None else exclusion.remaining(groups)
            taken = len(groups.numbers) - len(left.numbers)
            remarks = (NOTHING_EXCLUDED,) if exclusion is not None and not taken else ()
            yield name, *known.lists(SortedRun.of(name, left, self.policy), taken, remarks)

    def _known(self, here: DataHere) -> tuple[KnownItems, Exclusion | None]:
        """What is known besides the lists, and what is taken out of them."""
        items, train, qrels, exclude = self.known.values()
        judged = None if qrels is None else read(here.table(qrels, "qrels"), "qrels", self.columns, self.policy.repeats)
        known = KnownItems(
            None if items is None else read_items(here.catalogue(items), {**self.columns, **self.features}),
            None if train is None else _read_training(here.table(train, "pairs"), self.columns),
            None if judged is None else judged.table().frame,
        )
        return known, None if exclude is None else Exclusion.of(here.table(exclude, "pairs"), self.columns)


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
