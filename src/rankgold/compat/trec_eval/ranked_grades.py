"""Hits in, the grades of each list from the top down out, as trec_eval has them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankgold.hits import Hits
from rankgold.kernels.segments import Ints

NOT_IN_POOL, NOT_JUDGED = -1, -2
"""In place of a grade: a document without a judgement, and one with a negative grade."""


def ranked_grades(hits: Hits, depth: int | None = None) -> Iterator[tuple[str, Ints]]:
    """Each query, and the grades of its documents down to this rank."""
    for number, query in enumerate(hits.queries):
        of_query = hits.of_query(number)
        returned = int(of_query.returned[0])
        grades = np.full(returned if depth is None else min(returned, depth), NOT_IN_POOL)
        if len(grades):
            seen = of_query.system.top(len(grades))
            grades[seen.rank - 1] = np.where(seen.grade >= 0, seen.grade, NOT_JUDGED)
        yield query, grades


def relstring(grades: Ints) -> str:
    """A character for each document: its grade, `>` above 9, `-` if it is not in the pool, `.` if it is not judged."""
    signs = {NOT_IN_POOL: "-", NOT_JUDGED: "."}
    return "".join(signs.get(grade) or (">" if grade > 9 else str(grade)) for grade in grades.tolist())
