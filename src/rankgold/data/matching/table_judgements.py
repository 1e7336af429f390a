"""Matches tables: finds judged documents by hashes and ranks only them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.hits import Hits
from rankgold.core.policy import Policy
from rankgold.core.segments import Bools, Ints, groups_at, sorted_descending
from rankgold.data.ids import IdColumn, as_text, copied_ids, differ_in_type, positions_among, to_polars
from rankgold.data.matching.hash_lookup import Lookup, hashes_of, possible_repeats
from rankgold.data.matching.judgements import (
    IDS_AS_TEXT,
    Judgements,
    Retrieval,
    TableLists,
    check_overlap,
    condenses_first,
    with_exclusion_remark,
)
from rankgold.data.matching.ranks import AT_32_BITS, HitScores, Places, count_moved, count_tied_above, round_scores
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Rows

if TYPE_CHECKING:
    from rankgold.data.exclusion import Exclusion
    from rankgold.data.fingerprints import Fingerprint
    from rankgold.data.ids import Keys
    from rankgold.data.selection import ParentRule, Topics


# The rows of a larger run are not kept after it is matched. They only name unjudged documents in plots.
_MOST_KEPT = 1_000_000

# More queries than this are numbered by a join: its table takes longer to build than a dict, and less time to use.
_MANY = 100_000


@dataclass(frozen=True, slots=True)
class TableJudgements:
    """Judgements in a table, prepared for runs in tables."""

    judgements: Judgements
    queries: IdColumn
    number: dict[Any, int]
    """The position of each query among the judged ones."""
    lookup: Lookup
    parent: ParentRule | None = None
    """To which document a chunk of a run belongs."""
    exclusion: Exclusion | None = None
    """The documents to take out of the lists of a run."""
    fingerprint: Fingerprint | None = None
    """That of the judgements, if it was asked for."""

    @classmethod
    def of(
        cls,
        judged: QueryGroups,
        policy: Policy,
        parent: ParentRule | None = None,
        topics: Topics | None = None,
        exclusion: Exclusion | None = None,
    ) -> TableJudgements:
        highest = None
        if topics is not None:
            highest = float(judged.numbers.max(initial=0.0))
            judged = judged.of_queries(topics.of_judged(judged.queries.to_list()))
        subtopics = None
        if judged.subtopics is not None:
            from rankgold.data.matching.subtopic_judgements import split_subtopics  # which needs Polars

            judged, subtopics = split_subtopics(judged, policy)
        rows, hashes = distinct_rows(judged, "judges", policy)
        query = np.repeat(np.arange(len(rows.queries)), np.diff(rows.starts))
        documents = copied_ids(rows.documents)
        queries = rows.queries.to_list()
        judgements = Judgements.of(
            queries,
            query,
            rows.numbers,
            documents,
            rows.remarks,
            max_grade=highest,
            topics=topics,
            subtopics=subtopics,
        )
        number = {query: i for i, query in enumerate(queries)}
        lookup = Lookup(rows.documents, hashes, rows.starts)
        return cls(judgements, rows.queries, number, lookup, parent, exclusion)

    def with_text_ids(self) -> TableJudgements:
        queries = as_text(self.queries)
        number = {query: i for i, query in enumerate(queries.to_list())}
        lookup = Lookup.of(as_text(self.lookup.documents), self.lookup.starts)
        return replace(self, queries=queries, number=number, lookup=lookup)

    def numbers(self, queries: list[Any]) -> Ints:
        """The position of each of these queries among the judged ones; -1 for an unjudged query."""
        if len(queries) > _MANY:
            from polars import Series

            judged = to_polars(self.queries)
            return positions_among(Series(queries, dtype=judged.dtype), judged)
        return np.fromiter((self.number.get(query, -1) for query in queries), dtype=np.int64, count=len(queries))

    def find(self, rows: QueryGroups, hashes: Keys) -> FoundRows:
        """The judged documents among rows with ids of the same type; `hashes` are those of their documents."""
        queries = rows.queries.to_list()
        number = self.numbers(queries)
        at, judgement = self.lookup.find(rows.documents, hashes, rows.starts, number)
        is_judged = number >= 0
        returned = np.zeros(len(self.queries), dtype=np.int64)
        returned[number[is_judged]] = np.diff(rows.starts)[is_judged]
        unjudged = self.judgements.unjudged((queries[i] for i in np.flatnonzero(~is_judged).tolist()), ())
        group = groups_at(rows.starts, at)
        return FoundRows(self.judgements, rows, at, group, judgement, is_judged, returned, unjudged)

    def hits(self, retrieval: Retrieval, common: int, policy: Policy, name: str) -> Hits:
        """The Hits of a whole run; an error if it ranks no judged query."""
        hits = self.judgements.hits(retrieval, policy, name)
        check_overlap(common, self.judgements.queries, hits.notes.without_judgements, policy, name)
        return hits if self.exclusion is None else with_exclusion_remark(hits)

    def retrieve(self, chunks: Iterable[Rows], policy: Policy) -> tuple[Retrieval, int]:
        """What a run retrieved, in chunks of whole queries; and how many judged queries it ranks, which may be none."""
        found = [_empty_retrieval(len(self.queries))]
        common = 0
        judgements = self
        for chunk in chunks:
            # Once the judgements' ids are text they stay text, so they are converted for the first chunk only.
            judgements, rows = with_ids_of_one_type(judgements, with_parents(chunk.groups(), self.parent))
            retrieval, judged = _retrieve(judgements, rows, policy)
            # Only a run in one chunk keeps its lists: those of all chunks would be the whole run.
            found[-1] = replace(found[-1], lists=None)
            found.append(retrieval)
            common += judged
        return _join(found), common


def with_parents(rows: QueryGroups, parent: ParentRule | None) -> QueryGroups:
    """The rows with documents in place of their chunks."""
    if parent is None:
        return rows
    return replace(rows, documents=parent.in_column(to_polars(rows.documents)).rechunk())


def distinct_rows(rows: QueryGroups, verb: str, policy: Policy) -> tuple[QueryGroups, Keys]:
    """The rows with each document once in a query, and the hashes of their documents."""
    hashes = hashes_of(rows.documents)
    suspects = possible_repeats(hashes, rows.starts)
    if not len(suspects):
        return rows, hashes
    from rankgold.data.exclusion import drop_repeats  # which needs Polars

    rows = drop_repeats(rows, suspects, verb, policy)
    return rows, hashes_of(rows.documents)


@dataclass(frozen=True, slots=True, eq=False)
class FoundRows:
    """The judged documents among the rows of a run: row `at[i]` is judgement `judgement[i]`."""

    judgements: Judgements
    rows: QueryGroups
    at: Ints
    """Ascending."""
    group: Ints
    """The number of the query of each, among those of the rows."""
    judgement: Ints
    is_judged: Bools
    """Whether each query of the rows is judged."""
    returned: Ints
    """The number of rows of each judged query."""
    unjudged_queries: tuple[Any, ...]

    @property
    def common(self) -> int:
        """The number of judged queries among those of the rows."""
        return int(np.count_nonzero(self.is_judged))

    @property
    def query(self) -> Ints:
        """The number of the query of each judged document, among the judged ones."""
        return self.judgements.query[self.judgement]

    def condensed(self) -> FoundRows:
        """The same without the rows that are not judged."""
        kept = np.zeros(len(self.rows.numbers), dtype=bool)
        kept[self.at] = True
        returned = np.bincount(self.query, minlength=len(self.returned))
        return replace(self, rows=self.rows.keep(kept), at=np.arange(len(self.at)), returned=returned)


def _retrieve(judgements: TableJudgements, rows: QueryGroups, policy: Policy) -> tuple[Retrieval, int]:
    """The judged documents among rows with ids of the same type, and the number of judged queries among them."""
    ranked = np.diff(rows.starts)
    if judgements.exclusion is not None:
        rows = judgements.exclusion.remaining(rows)
    taken_out = ranked - np.diff(rows.starts)
    found = judgements.find(*distinct_rows(rows, "ranks", policy))
    if condenses_first(policy):
        found = found.condensed()
    rows = replace(found.rows, numbers=round_scores(found.rows.numbers, policy))
    at, score = found.at, rows.numbers[found.at]
    ordered = sorted_descending(rows.numbers, rows.starts)
    is_in_order = ordered is rows.numbers
    hits = HitScores(ordered, rows.starts, found.group, score, at if is_in_order else None)
    places = _places(rows, hits, at, policy)

    def at_32_bits(some: Ints) -> Places:
        rounded = hits.keep(some).at_32_bits()
        scores = rounded.ordered if is_in_order else round_scores(rows.numbers, AT_32_BITS)
        return _places(replace(rows, numbers=scores), rounded, at[some], policy)

    moved = count_moved(hits, places, policy, at_32_bits)
    lists = None
    if len(rows.numbers) <= _MOST_KEPT:
        lists = TableLists(rows.queries, rows.starts, rows.documents, rows.numbers, policy)
    retrieval = Retrieval(
        found.judgement,
        score,
        places,
        found.returned,
        found.unjudged_queries,
        rows.remarks,
        moved,
        lists,
        excluded=int(taken_out[found.is_judged].sum()),
    )
    return retrieval, found.common


def _places(rows: QueryGroups, hits: HitScores, at: Ints, policy: Policy) -> Places:
    above, tied = hits.higher_and_equal()
    within = None
    if policy.ties != "average":
        within = count_tied_above(rows, hits.group, at, above, tied, policy.ties)
    return Places(above, tied, within)


def _empty_retrieval(queries: int) -> Retrieval:
    nothing = np.zeros(0, dtype=np.int64)
    return Retrieval(nothing, np.zeros(0), Places(nothing, nothing, None), np.zeros(queries, dtype=np.int64))


def _join(parts: list[Retrieval]) -> Retrieval:
    """The joined retrievals of several chunks; no query is in two of them."""
    within = [part.places.within for part in parts if part.places.within is not None]
    places = Places(
        np.concatenate([part.places.above for part in parts]),
        np.concatenate([part.places.tied for part in parts]),
        np.concatenate(within) if within else None,
    )
    return Retrieval(
        np.concatenate([part.judgement for part in parts]),
        np.concatenate([part.score for part in parts if part.score is not None]),
        places,
        np.sum([part.returned for part in parts], axis=0),
        tuple(query for part in parts for query in part.unjudged_queries),
        tuple(dict.fromkeys(remark for part in parts for remark in part.remarks)),
        sum(part.moved_at_32_bits for part in parts),
        parts[-1].lists if len(parts) == 2 else None,  # of a run in one chunk; the first part is empty
        sum(part.excluded for part in parts),
    )


def with_ids_of_one_type(judgements: TableJudgements, run: QueryGroups) -> tuple[TableJudgements, QueryGroups]:
    """Both sides with ids of the same type: text if the two differ. A remark reports integers on one side only."""
    judged, ranked = (judgements.queries, judgements.lookup.documents), (run.queries, run.documents)
    differ = differ_in_type(judged, ranked)
    if not differ and [*map(type, judged)] == [*map(type, ranked)]:
        return judgements, run
    queries, documents = map(as_text, ranked)
    remarks = (*run.remarks, IDS_AS_TEXT) if differ else run.remarks
    return judgements.with_text_ids(), replace(run, queries=queries, documents=documents, remarks=remarks)
