"""The statements that find the judged documents of a run and count what stands above them.

A run is first brought to three columns, `query`, `document` and `score`. Judged documents are found by a join. Then the
scores of each query are gathered into a list and sorted, and a hit's place in that list says how many documents stand
above it and how many share its score: no row of the run is ranked, and none leaves the database.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rankgold.engines.duckdb.database import quoted
from rankgold.errors import DataError
from rankgold.policy import Policy

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_FLOATS = ("FLOAT", "DOUBLE")
_NUMBERS = (*_INTEGERS, *_FLOATS, "UBIGINT", "HUGEINT", "UHUGEINT")
_AS_TEXT = re.compile(r"VARCHAR|ENUM\(.*\)|BOOLEAN|DATE|TIME.*|UUID|DECIMAL\(.*\)|UBIGINT|U?HUGEINT|JSON", re.DOTALL)
_LARGEST_FLOAT = "3.4028234663852886e38"
_LARGEST_ID = "9.2e18"

ORDERS = {
    "descending": "CAST(other.document AS VARCHAR) > CAST(hit.document AS VARCHAR)",
    "ascending": "CAST(other.document AS VARCHAR) < CAST(hit.document AS VARCHAR)",
    "input": "other.number < hit.number",
}
"""Which of two documents with the same score stands above, by the policy's tie rule."""


@dataclass(frozen=True, slots=True)
class Run:
    """The rows of one run as a query with the columns query, document and score, and perhaps `run` and `number`."""

    relation: str
    columns: Mapping[str, str]
    """Name -> expression."""
    raw: Mapping[str, str]
    """Name -> the column as it was found, which errors show."""
    score_is: str
    """What errors call the score: that, or a rank."""
    numbered: bool = False
    """Whether rows have their number, from 1, in the column `number`."""
    kept: str = "true"
    """Which of the rows count."""

    @property
    def sql(self) -> str:
        listed = ", ".join(f"{expression} AS {name}" for name, expression in self.columns.items())
        at = ", row_number() OVER () AS number" if self.numbered and "number" not in self.columns else ""
        return f"(SELECT * FROM (SELECT {listed}{at} FROM {self.relation}) WHERE {self.kept})"

    def of_table(self, table: str) -> Run:
        """The same rows where they are in a table already."""
        names = [*self.columns, *(["number"] if self.numbered else [])]
        return replace(self, relation=table, columns={name: name for name in dict.fromkeys(names)}, kept="true")


def id_type(kind: str, role: str, place: str) -> str:
    """What ids of this type are compared as."""
    if kind in (*_INTEGERS, *_FLOATS):
        return "BIGINT"
    if _AS_TEXT.fullmatch(kind) and not kind.endswith("]"):
        return "VARCHAR"
    raise DataError(f"the {role} column is of type {kind}. Ids are integers or text.", place)


def id_column(column: str, kind: str, wanted: str) -> str:
    """An id as integer or text; NULL for a number that is no integer."""
    if kind in _FLOATS:
        is_whole = f"{quoted(column)} = floor({quoted(column)}) AND abs({quoted(column)}) < {_LARGEST_ID}"
        return f"CAST(CASE WHEN {is_whole} THEN CAST({quoted(column)} AS BIGINT) END AS {wanted})"
    return f"CAST({quoted(column)} AS {wanted})"


def number_column(column: str, kind: str, role: str, place: str) -> str:
    """A score as a float; NULL for text that is no number."""
    if kind == "VARCHAR":
        return f"CASE WHEN NOT contains({quoted(column)}, '_') THEN TRY_CAST(trim({quoted(column)}) AS DOUBLE) END"
    if kind not in _NUMBERS and not kind.startswith("DECIMAL"):
        raise DataError(f"the {role} is a number, and this column is of type {kind}.", place)
    return f"CAST({quoted(column)} AS DOUBLE)"


def at_width(score: str, policy: Policy) -> str:
    """The score at the width at which the policy compares it."""
    if policy.score_bits == 64:
        return score
    return f"CAST(CAST(greatest(least({score}, {_LARGEST_FLOAT}), -{_LARGEST_FLOAT}) AS FLOAT) AS DOUBLE)"


def checks(run: Run) -> str:
    """How many rows there are, and how many of these have a query, a document, and a score that is a number."""
    return f"SELECT count(*), count(query), count(document), count_if(coalesce(isfinite(score), false)) FROM {run.sql}"


def runs(run: Run) -> str:
    """The runs in the column of runs, in the order in which they come."""
    return f"SELECT run FROM {replace(run, numbered=True).sql} GROUP BY run ORDER BY min(number)"


def holds_several(run: Run) -> str:
    """Whether a query has rows of more than one run."""
    return f"SELECT count(DISTINCT (query, run)) > count(DISTINCT query) FROM {run.sql}"


def first_wrong(run: Run, is_right: str) -> str:
    """The number of the first row for which it does not hold."""
    return f"SELECT min(number) FROM {replace(run, numbered=True).sql} WHERE NOT coalesce({is_right}, false)"


def raw_value(run: Run, column: str, number: int) -> str:
    """What stands in a column of the row of this number."""
    numbered = f"SELECT {run.raw[column]} AS value, row_number() OVER () AS number FROM {run.relation}"
    return f"SELECT value FROM ({numbered}) WHERE number = {number}"


def first_repeated(run: Run, places: str) -> str:
    """The first document that stands twice in a query, and the numbers of its first two rows."""
    return (
        f"SELECT query, document, list_sort(list(number))[1:2] FROM {replace(run, numbered=True).sql}"
        f" WHERE query IN (SELECT query FROM {places} WHERE documents < returned)"
        " GROUP BY query, document HAVING count(*) > 1 ORDER BY min(number) LIMIT 1"
    )


def repeats(run: Run, keep: str) -> str:
    """The rows that repeat a document of a query, but for the first or last of each."""
    order = "ASC" if keep == "first" else "DESC"
    place = f"row_number() OVER (PARTITION BY query, document ORDER BY number {order})"
    return f"SELECT number FROM {run.sql} QUALIFY {place} > 1"


def found(run: Run, judgements: str) -> str:
    """The rows of judged documents."""
    return (
        f"SELECT judged.judgement, run.* FROM {run.sql} AS run"
        f" JOIN {judgements} AS judged ON run.query = judged.query AND run.document = judged.document"
    )


def places(run: Run, hits: str, part: int, of: int) -> str:
    """For each query of one part of them: how many documents it has, how many different ones, and where the hits stand.

    `above` and `below` count the documents that score higher and lower than each hit.
    """
    some = f" WHERE hash(query) % {of} = {part}" if of > 1 else ""
    return f"""
WITH lists AS (
  SELECT query, count(*) AS returned, list_unique(list(hash(document))) AS documents,
         list_reverse_sort(list(score)) AS falling
  FROM {run.sql}{some} GROUP BY query
), hits AS (
  SELECT query, list(judgement) AS judgements, list(score) AS scores FROM {hits}{some} GROUP BY query
), together AS (
  SELECT *, list_reverse(falling) AS rising FROM lists LEFT JOIN hits USING (query)
)
SELECT query, returned, documents, judgements, scores,
       list_transform(scores, lambda score: list_position(falling, score) - 1) AS above,
       list_transform(scores, lambda score: list_position(rising, score) - 1) AS below
FROM together"""


def tied_above(run: Run, hits: str, places: str, ties: str) -> str:
    """How many of the documents that share its score the tie rule puts above each hit, where that is any."""
    return f"""
WITH tied AS (
  SELECT judgement FROM (
    SELECT returned, unnest(judgements) AS judgement, unnest(above) AS above, unnest(below) AS below FROM {places}
  ) WHERE returned - above - below > 1
)
SELECT hit.judgement AS judgement, count(*) AS above
FROM (SELECT * FROM {hits} SEMI JOIN tied USING (judgement)) AS hit
JOIN {run.sql} AS other ON other.query = hit.query AND other.score = hit.score AND {ORDERS[ties]}
GROUP BY hit.judgement"""
