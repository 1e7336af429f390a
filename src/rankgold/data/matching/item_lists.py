"""Sorts the lists of items, and reads them beside a catalogue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from rankgold.core.errors import listing
from rankgold.core.item_lists import Catalogue, ListedItems, ListNotes, Sets, TrainingCounts
from rankgold.core.segments import Floats, Ints, starts_of
from rankgold.data.ids import of_one_type, positions_among, to_polars

if TYPE_CHECKING:
    from rankgold.data.catalogues import ItemTable
    from rankgold.data.matching.run_pairs import SortedRun


@dataclass(frozen=True, slots=True, eq=False)
class KnownItems:
    """The facts besides the lists: the catalogue, what users had before, and what was relevant to them."""

    items: ItemTable | None = None
    train: pl.DataFrame | None = None
    """Pairs of query and document."""
    qrels: pl.DataFrame | None = None
    """Query, document and grade."""

    def lists(self, run: SortedRun, excluded: int = 0, remarks: tuple[str, ...] = ()) -> ListedItems:
        """The lists of a run, with notes on them."""
        users, items = self._numberings(run)
        item = items.of(to_polars(run.documents))
        catalogue, training = self._catalogue(items), None
        if self.train is not None:
            counts = np.bincount(items.of(self.train["document"]), minlength=len(items))
            before = self.train["query"].unique()
            is_known = np.isin(users.of(to_polars(run.queries)), users.of(before))
            training = TrainingCounts(counts, len(before), is_known)
        grade = None if self.qrels is None else self._grades(run, users, items, item)
        names = run.queries.to_list()
        lists = ListedItems(names, run.starts, item, catalogue, training, grade, run.name, run.policy)
        return replace(lists, notes=self._notes(lists, run, excluded, remarks))

    def _numberings(self, run: SortedRun) -> tuple[_Numbering, _Numbering]:
        """The numbers of all users and of all items, wherever they occur."""
        users, items = [to_polars(run.queries)], [to_polars(run.documents)]
        for pairs in (self.train, self.qrels):
            if pairs is not None:
                users.append(pairs["query"])
                items.append(pairs["document"])
        if self.items is not None:
            items.insert(0, self.items.ids)
        return _Numbering.of_columns(users), _Numbering.of_columns(items)

    def _catalogue(self, items: _Numbering) -> Catalogue:
        table, n_items = self.items, len(items)
        if table is None:
            return Catalogue(n_items, ids=items.ids)
        at = items.of(table.ids)
        listed = np.zeros(n_items, dtype=bool)
        listed[at] = True
        vectors = None
        if table.vectors is not None:
            vectors = np.full((n_items, table.vectors.shape[1]), np.nan)
            vectors[at] = table.vectors
        group, groups = None, ()
        if table.group is not None:
            names = table.group.drop_nulls().unique().sort()
            group, groups = np.full(n_items, -1), tuple(names.to_list())
            group[at] = _Numbering(names).of(table.group)
        categories = None if table.categories is None else _sets(table.categories, at, n_items)
        return Catalogue(n_items, listed, categories, vectors, group, groups, items.ids)

    def _grades(self, run: SortedRun, users: _Numbering, items: _Numbering, item: Ints) -> Floats:
        """The grade of each row of the run; NaN if it is not judged."""
        assert self.qrels is not None
        user = np.repeat(users.of(to_polars(run.queries)), np.diff(run.starts))
        judged = pl.DataFrame(
            {
                "user": users.of(self.qrels["query"]),
                "item": items.of(self.qrels["document"]),
                "grade": self.qrels["grade"],
            }
        )
        rows = pl.DataFrame({"user": user, "item": item})
        found = rows.join(judged, on=["user", "item"], how="left", maintain_order="left")
        return found["grade"].fill_null(np.nan).to_numpy()

    def _notes(self, lists: ListedItems, run: SortedRun, excluded: int, remarks: tuple[str, ...]) -> ListNotes:
        shown = np.unique(lists.item)
        outside = cold = n_items = 0
        lines = [*run.remarks, *remarks, *(() if self.items is None else self.items.remarks)]
        listed = lists.catalogue.listed
        if listed is not None:
            n_items = int(np.count_nonzero(listed))
        if listed is not None and (outside := int(np.count_nonzero(~listed[shown]))):
            lines.append(
                f"{outside:,} of {len(shown):,} recommended items are not in the catalogue: they do not count in"
                " coverage, gini and groups"
            )
        if lists.training is not None and (cold := int(np.count_nonzero(lists.training.counts[shown] == 0))):
            lines.append(f"{cold:,} of {len(shown):,} recommended items are new: nobody had them before")
        empty = int(np.count_nonzero(lists.sizes == 0))
        if empty:
            names = [lists.queries[i] for i in np.flatnonzero(lists.sizes == 0).tolist()]
            lines.append(f"{empty:,} user{'s have' if empty > 1 else ' has'} an empty list ({listing(names, 3)})")
        return ListNotes(
            queries=len(lists),
            retrieved=len(lists.item),
            remarks=tuple(dict.fromkeys(lines)),
            excluded=excluded,
            recommended=len(shown),
            items=n_items,
            outside=outside,
            cold=cold,
            empty_lists=empty,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Numbering:
    """A number for each id. Ids of different types are compared as text."""

    ids: pl.Series

    @classmethod
    def of_columns(cls, columns: list[pl.Series]) -> _Numbering:
        known = [column.unique(maintain_order=True).rename("id") for column in of_one_type(columns)]
        return cls(pl.concat(known).unique(maintain_order=True))

    def __len__(self) -> int:
        return len(self.ids)

    def of(self, column: pl.Series) -> Ints:
        """The number of each id; -1 for a null."""
        return positions_among(column.cast(self.ids.dtype), self.ids)


def _sets(lists: pl.Series, at: Ints, n_items: int) -> Sets:
    """The categories of each item, by the number of the item."""
    lengths = np.zeros(n_items, dtype=np.int64)
    lengths[at] = lists.list.len().fill_null(0).to_numpy()
    table = pl.DataFrame({"item": at, "category": lists}).filter(pl.col("category").list.len() > 0).explode("category")
    names = table["category"].unique().sort()
    members = _Numbering(names).of(table["category"])
    order = np.lexsort((members, table["item"].to_numpy()))
    return Sets(starts_of(lengths), members[order], len(names), names)
