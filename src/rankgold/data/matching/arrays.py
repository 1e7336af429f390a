"""Makes Hits of arrays of grades and scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.accepted import Array
from rankgold.core.errors import DataError
from rankgold.core.hits import SMALLEST_GRADE, Hits, Ranking
from rankgold.core.notes import Notes, NumberSpan
from rankgold.core.policy import Policy
from rankgold.core.segments import Bools, Ints, changes, starts_of
from rankgold.core.ties import TiedRanking
from rankgold.data.matching.array_rows import QueryDivision, divide_documents, divide_rows, pair_cells, pair_queries
from rankgold.data.matching.judgements import number_span
from rankgold.data.matching.lazy_ranking import (
    LazyIdealRanking,
    LazySystemRanking,
    Numbers,
    ScoredDocuments,
    tied_ranking,
)
from rankgold.data.matching.ranks import round_scores

if TYPE_CHECKING:
    from scipy.sparse import spmatrix


def from_arrays(
    y_true: Array,
    y_score: Array,
    groups: Array | None = None,
    mask: Array | None = None,
    qid: Array | None = None,
    *,
    queries: Sequence[Any] | None = None,
    policy: Policy | str | None = None,
) -> Hits:
    """Hits from grades and scores in arrays of the same shape: anything NumPy reads, PyTorch's CPU tensors too.

    Either 2-D, one query per row; or flat, with the query of every document as `qid`, in any order, or the number of
    documents of each query as `groups`, as LightGBM and XGBoost use it. Flat arrays without these are one query, which
    a note reports. A cell where `mask` is false holds no document. Documents with the same score are ordered by their
    position: with `ties="descending"` the later one is first. Rows of pandas objects belong together by their index.
    `y_true` may be a sparse matrix, whose other grades are 0.

    >>> import rankgold
    >>> rankgold.evaluate(rankgold.from_arrays([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), ["ndcg"]).means
    {'ndcg': 0.6956940443813076}
    >>> hits = rankgold.from_arrays([0, 1, 1], [0.9, 0.8, 0.7], qid=["b", "a", "b"])
    >>> rankgold.evaluate(hits, ["rr"]).per_query.rows()
    [('b', 0.5), ('a', 1.0)]
    """
    parts = pair_cells({"y_true": y_true, "y_score": y_score, "mask": mask, "qid": qid})
    is_sparse = hasattr(parts["y_true"], "tocsr")
    grade = np.empty(0) if is_sparse else _array(parts["y_true"], "y_true")
    score = _array(parts["y_score"], "y_score")
    if is_sparse:
        grade = _array(_dense_grades(parts["y_true"], score.shape), "y_true")
    if grade.shape != score.shape:
        raise DataError(f"y_true has shape {grade.shape} and y_score {score.shape}. They must be the same.")
    if grade.ndim not in (1, 2):
        raise DataError(f"y_true and y_score must be 1-D or 2-D, not {grade.ndim}-D.")
    if grade.ndim == 2:
        if groups is not None or qid is not None:
            name = "qid" if groups is None else "groups"
            raise DataError(f"{name} is only for flat arrays; in 2-D arrays each row is a query.")
        _, queries = pair_queries(parts, queries)
        division = divide_rows(grade.shape[0], grade.shape[1], queries)
    else:
        if groups is not None and parts["y_score"] is not y_score:
            raise DataError("the indexes of y_true and y_score differ in order, and groups has none. Pass qid=.")
        division = divide_documents(grade.size, groups, parts["qid"], queries)
    lengths, order = _present(division, _mask(parts["mask"], grade))
    grade, score = grade.reshape(-1), score.reshape(-1)
    if order is not None:
        grade, score = grade[order], score[order]
    _require_finite(grade, "y_true", order)
    _require_finite(score, "y_score", order)
    return _cut_at_depth(_hits(grade, score, lengths, division, Policy.of(policy)))


def _present(division: QueryDivision, here: Bools | None) -> tuple[Ints, Ints | None]:
    """The number of documents of each query that are there, and their positions; None if all stand in order."""
    lengths, order = division.lengths, division.order
    if here is None:
        return lengths, order
    order = np.flatnonzero(here) if order is None else order[here[order]]
    query = np.repeat(np.arange(len(lengths)), lengths)
    here = here if division.order is None else here[division.order]
    return np.bincount(query[here], minlength=len(lengths)), order


def _hits(grade: Numbers, score: Numbers, lengths: Ints, division: QueryDivision, policy: Policy) -> Hits:
    documents = ScoredDocuments(grade, round_scores(score, policy), starts_of(lengths))
    names, span = division.names, number_span(grade)
    notes = Notes(
        queries=len(names),
        without_ranking=tuple(names[i] for i in np.flatnonzero(lengths == 0).tolist()),
        without_relevant=tuple(names[i] for i in np.flatnonzero(documents.at_least(SMALLEST_GRADE) == 0).tolist()),
        retrieved=len(grade),
        negative_grades=int(np.count_nonzero(grade < 0)),
        partial_grades=0 if span.whole else int(np.count_nonzero((grade > 0) & (grade < 1))),
        grades=span,
        scores=number_span(score),
        tied_hits=documents.tied,
        remarks=division.remarks,
    )
    highest = max(span.highest, 0.0)
    ideal = LazyIdealRanking(documents)
    if policy.ties == "average" and documents.tied:
        return Hits(names, tied_ranking(documents), ideal.whole, lengths, highest, policy, notes)
    system = LazySystemRanking(documents, policy.ties == "descending")
    return Hits(names, system, ideal, lengths, highest, policy, notes)


def _cut_at_depth(hits: Hits) -> Hits:
    """The same with each ranking cut off at the policy's depth. The others count as not retrieved.

    Other Hits are made of a `Retrieval`, which is cut before they are made.
    """
    depth, system = hits.policy.depth, hits.system
    if depth is None:
        return hits
    if isinstance(system, TiedRanking):
        system = system.cut(depth)
        left, tied = system.single, int(np.count_nonzero(system.group_size > 1))
    else:
        system, tied = system.top(depth), _tied_down_to(depth, system.top(depth + 1))
        left = system
    returned = np.minimum(hits.returned, depth)
    span = NumberSpan() if left.score is None else number_span(left.score)
    notes = replace(hits.notes, retrieved=int(returned.sum()), tied_hits=tied, scores=span)
    cut = replace(hits, system=system, returned=returned, notes=notes)
    if hits.policy.unretrieved == "counted":
        return cut
    left = left.keep(np.argsort(left.row))
    return replace(cut, ideal=left.in_best_order(), max_grade=float(left.grade.max(initial=0.0)))


def _tied_down_to(depth: int, ranking: Ranking) -> int:
    """The number of documents down to a rank that share their score with another one. One rank more is given."""
    assert ranking.score is not None
    is_first = np.append(changes(ranking.query, ranking.score), True)
    is_alone = is_first[:-1] & is_first[1:]
    return int(np.count_nonzero(~is_alone & (ranking.rank <= depth)))


def _dense_grades(given: spmatrix, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """A sparse matrix of grades as an array, 0 elsewhere. It is no larger than the array of scores."""
    if given.shape != shape:
        raise DataError(f"y_true has shape {given.shape} and y_score {shape}. They must be the same.")
    grades: np.ndarray[Any, Any] = given.toarray()
    return grades


def _array(given: object, what: str) -> Numbers:
    """A copy of the numbers: as integers or narrow floats if these hold them exactly, else as 64-bit floats.

    It is a copy because documents are ranked later, and the user may fill the same array with the next batch by then.
    """
    if type(given).__name__ == "MaskedArray":
        raise DataError(f"{what} is a masked array. Pass its data, and mask=~{what}.mask.")
    if hasattr(given, "tocsr"):
        raise DataError(
            f"{what} is a sparse matrix, which does not say what the scores are that it does not hold. Pass both to"
            f" evaluate(y_true, y_score, measures) if these documents were not retrieved, or {what}.toarray() here."
        )
    try:
        array = np.asarray(given.detach() if hasattr(given, "detach") else given)
        if array.dtype.kind in "cmMV":
            raise TypeError(f"it holds {array.dtype}")
        return array.astype(_type_of_copy(array), order="C")
    except (TypeError, ValueError, OverflowError) as error:
        hint = " Convert it with .float()." if "BFloat16" in str(error) else ""
        raise DataError(f"{what} cannot be read as an array of numbers: {error}.{hint}") from None


def _type_of_copy(array: Numbers) -> np.dtype[Any]:
    """Floats as they are, integers as narrow as they can be: grades often fit into a byte, which is copied fast."""
    if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        return array.dtype
    if array.dtype.kind in "iu" and array.size:
        low, high = int(array.min()), int(array.max())
        for narrow in (np.int8, np.int16, np.int32):
            if np.iinfo(narrow).min <= low and high <= np.iinfo(narrow).max:
                return np.dtype(narrow)
        if low >= -(2**53) and high <= 2**53:
            return array.dtype
    return np.dtype(np.float64)


def _mask(mask: object, grade: Numbers) -> Bools | None:
    if mask is None:
        return None
    here = np.asarray(mask)
    if here.shape != grade.shape:
        raise DataError(f"mask has shape {here.shape}, and y_true has {grade.shape}. They must be the same.")
    if here.dtype.kind not in "biuf" or not ((here == 0) | (here == 1)).all():
        raise DataError("mask must hold true and false, or 1 and 0.")
    return here.astype(bool).reshape(-1)


def _require_finite(values: Numbers, what: str, order: Ints | None) -> None:
    if values.dtype.kind != "f":
        return
    with np.errstate(all="ignore"):
        if np.isfinite(values.sum()):
            return
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        at = bad[0] if order is None else bad[np.argmin(order[bad])]
        document = at if order is None else order[at]
        raise DataError(
            f"{what} holds {values[at]} (document {document}, counted from 0). Numbers must be finite;"
            " leave documents out with mask=."
        )
