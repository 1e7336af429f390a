"""Writes the SQL that finds judged documents and counts what ranks above them.

The query of a run selects three columns, `query`, `document` and `score`. Judged documents are found by a join. Then
the scores of each query are collected into a sorted list. A hit's position in that list gives the number of documents
above it and the number with the same score: no row of the run is ranked, and no row leaves the database.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rankgold.core.errors import DataError
from rankgold.core.policy import Policy
from rankgold.data.matching.ranks import AT_32_BITS, BEYOND_32_BITS
from rankgold.data.value_faults import id_type_fault
from rankgold.engines.duckdb.database import literal, quoted

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_FLOATS = ("FLOAT", "DOUBLE")
UNSURE_IDS = (*_FLOATS, "BLOB")
"""Types of which some values are ids and others are not."""
_NUMBERS = (*_INTEGERS, *_FLOATS, "UBIGINT", "HUGEINT", "UHUGEINT")
_AS_TEXT = re.compile(r"VARCHAR|BLOB|ENUM\(.*\)|DATE|TIME.*|UUID|DECIMAL\(.*\)|UBIGINT|U?HUGEINT", re.DOTALL)
_LARGEST_FLOAT = "3.4028234663852886e38"
# From here on a number is rounded to infinity at 32 bits, which matching takes for a number beyond all others.
_BEYOND_FLOATS = "3.4028235677973366e38"
_IN_UTC = {
    "TIMESTAMP WITH TIME ZONE": "make_timestamp(epoch_us({}))",
    "TIMESTAMPTZ_NS": "make_timestamp_ns(epoch_ns({}))",
}
_LARGEST_ID = "9.223372036854775808e18"

ORDERS = {
    "descending": "CAST(other.document AS VARCHAR) > CAST(hit.document AS VARCHAR)",
    "ascending": "CAST(other.document AS VARCHAR) < CAST(hit.document AS VARCHAR)",
    "input": "other.number < hit.number",
}
"""When another document with the score of a hit ranks above it, by the policy's tie rule."""


@dataclass(frozen=True, slots=True)
class RunQuery:
    """The rows of one run as a query with the columns query, document and score, and perhaps `run` and `number`."""

    relation: str
    columns: Mapping[str, str]
    """Name -> expression."""
    raw: Mapping[str, str]
    """Name -> the column as it is in the relation, which errors show."""
    score_role: str
    """What errors call the number that ranks: score, or rank."""
    numbered: bool = False
    """Whether there is a column `number` with the number of each row, from 1."""
    kept: str = "true"
    """The condition for a row to count."""

    @property
    def sql(self) -> str:
        listed = ", ".join(f"{expression} AS {name}" for name, expression in self.columns.items())
        number = ", row_number() OVER () AS number" if self.numbered and "number" not in self.columns else ""
        return f"(SELECT * FROM (SELECT {listed}{number} FROM {self.relation}) WHERE {self.kept})"

    def of_table(self, table: str) -> RunQuery:
        """The same columns of rows that are in a table already."""
        names = [*self.columns, *(["number"] if self.numbered else [])]
        return replace(self, relation=table, columns={name: name for name in dict.fromkeys(names)}, kept="true")


def id_type(kind: str, role: str, place: str) -> str:
    """The type in which ids of this type are compared."""
    if kind in (*_INTEGERS, *_FLOATS):
        return "BIGINT"
    if (_AS_TEXT.fullmatch(kind) or kind == "JSON") and not kind.endswith("]"):
        return "VARCHAR"
    raise DataError(id_type_fault(role, kind), place)


def id_column(column: str, kind: str, wanted: str) -> str:
    """An id as integer or text; NULL for a number that is not an integer, and for bytes that are not text."""
    expression = _id_of(column, kind, wanted)
    return as_written(expression) if wanted == "VARCHAR" else expression


def as_written(text: str) -> str:
    """Text that is compared as it is written, whatever collation the column or the connection has."""
    return f"({text} COLLATE c)"


def _id_of(column: str, kind: str, wanted: str) -> str:
    if kind in _FLOATS:
        is_whole = f"{quoted(column)} = floor({quoted(column)}) AND abs({quoted(column)}) < {_LARGEST_ID}"
        return f"CAST(CASE WHEN {is_whole} THEN CAST({quoted(column)} AS BIGINT) END AS {wanted})"
    if kind == "JSON":
        return f"CAST({_json_id(column)} AS {wanted})"
    if kind == "BLOB":
        # Bytes with control characters are not text, but perhaps numbers of a type that DuckDB does not know.
        text = text_of(column, kind)
        return f"(CASE WHEN NOT regexp_matches({text}, '[\\x00-\\x1f]') THEN {text} END)"
    if kind in _IN_UTC:
        return f"(CAST({_IN_UTC[kind].format(quoted(column))} AS VARCHAR) || '+00:00')"
    return f"CAST({quoted(column)} AS {wanted})"


def text_of(column: str, kind: str) -> str:
    """A column that may be JSON or bytes as text; any other as it is."""
    return f"TRY(decode({quoted(column)}))" if kind == "BLOB" else plain_column(column, kind)


def plain_column(column: str, kind: str) -> str:
    """A column that may be JSON as text; any other as it is."""
    return _unquoted_json(column) if kind == "JSON" else quoted(column)


def _json_id(column: str) -> str:
    """The text of an id in JSON; NULL for what is neither text nor an integer. 7.0 is 7."""
    text = _unquoted_json(column)
    number = f"TRY_CAST({text} AS DOUBLE)"
    return (
        f"CASE WHEN json_type({quoted(column)}) = 'VARCHAR' OR regexp_full_match({text}, '-?[0-9]+') THEN {text}"
        f" WHEN json_type({quoted(column)}) = 'DOUBLE' AND {number} = floor({number}) AND abs({number}) < {_LARGEST_ID}"
        f" THEN CAST(CAST({number} AS BIGINT) AS VARCHAR) END"
    )


def _unquoted_json(column: str) -> str:
    """A value of JSON as text, without quotes."""
    return f"({quoted(column)} ->> '$')"


def document_of(chunk: str, pattern: str) -> str:
    """The document in the id of a chunk: what the first group of a pattern finds, else the whole id."""
    return as_written(f"coalesce(nullif(regexp_extract({chunk}, {literal(pattern)}, 1), ''), {chunk})")


def are_json_integers(relation: str, column: str) -> str:
    """Whether all ids in a column of JSON are integers of 64 bits."""
    is_integer = f"json_type({quoted(column)}) != 'VARCHAR' AND TRY_CAST({_json_id(column)} AS BIGINT) IS NOT NULL"
    return f"SELECT coalesce(bool_and(coalesce({is_integer}, false)), false) FROM {relation}"


def number_column(column: str, kind: str, role: str, place: str) -> str:
    """A score as a float; NULL for text that is not a number."""
    if kind in ("VARCHAR", "JSON") or kind.startswith("ENUM"):
        text = f"CAST({text_of(column, kind)} AS VARCHAR)"
        return f"CASE WHEN NOT contains({text}, '_') THEN TRY_CAST(trim({text}) AS DOUBLE) END"
    if kind not in _NUMBERS and not kind.startswith("DECIMAL"):
        raise DataError(f"the {role} must be a number, and this column is of type {kind}.", place)
    return f"CAST({quoted(column)} AS DOUBLE)"


def compared_score(score: str, policy: Policy) -> str:
    """The score rounded to the number of bits with which the policy compares it."""
    if policy.score_bits == 64:
        return score
    within = f"CAST(CAST(greatest(least({score}, {_LARGEST_FLOAT}), -{_LARGEST_FLOAT}) AS FLOAT) AS DOUBLE)"
    return f"CASE WHEN abs({score}) < {_BEYOND_FLOATS} THEN {within} ELSE sign({score}) * {BEYOND_32_BITS} END"


def row_counts(run: RunQuery) -> str:
    """How many rows there are, and how many of them have a query, a document, and a score that is a number."""
    return f"SELECT count(*), count(query), count(document), count_if(coalesce(isfinite(score), false)) FROM {run.sql}"


def run_names(run: RunQuery) -> str:
    """The names in the column `run`, in the order of their first rows."""
    return f"SELECT run FROM {replace(run, numbered=True).sql} GROUP BY run ORDER BY min(number) ASC"


def has_irregular_lines(table: str) -> str:
    """Whether a table of TREC lines has comments, or ids with blanks because both kinds of blanks separate fields."""
    has_blank = " OR ".join(
        f"contains({column}, {blank})" for column in ("query", "document") for blank in ("' '", "chr(9)")
    )
    return f"SELECT coalesce(bool_or(starts_with(query, '#') OR {has_blank}), false) FROM {table}"


def has_shared_queries(run: RunQuery) -> str:
    """Whether any query has rows of more than one run."""
    return f"SELECT count(DISTINCT (query, run)) > count(DISTINCT query) FROM {run.sql}"


def first_bad_row(run: RunQuery, is_right: str) -> str:
    """The number of the first row that does not meet a condition."""
    return f"SELECT min(number) FROM {replace(run, numbered=True).sql} WHERE NOT coalesce({is_right}, false)"


def raw_value(run: RunQuery, column: str, number: int) -> str:
    """The value in a column of the row of this number."""
    numbered = f"SELECT {run.raw[column]} AS value, row_number() OVER () AS number FROM {run.relation}"
    return f"SELECT value FROM ({numbered}) WHERE number = {number}"


def first_duplicate(run: RunQuery, places: str) -> str:
    """The first document that a query ranks twice, and the numbers of its first two rows."""
    return (
        f"SELECT query, document, list_sort(list(number), 'ASC')[1:2] FROM {replace(run, numbered=True).sql}"
        f" WHERE query IN (SELECT query FROM {places} WHERE documents < returned)"
        " GROUP BY query, document HAVING count(*) > 1 ORDER BY min(number) ASC LIMIT 1"
    )


def duplicate_rows(run: RunQuery, keep: str) -> str:
    """The numbers of the rows to drop if a query ranks a document several times: all but the first, last or best."""
    order = {"first": "number ASC", "last": "number DESC", "best": "score DESC, number ASC"}[keep]
    occurrence = f"row_number() OVER (PARTITION BY query, document ORDER BY {order})"
    return f"SELECT number FROM {run.sql} QUALIFY {occurrence} > 1"


def remaining_rows(run: RunQuery, excluded: str) -> RunQuery:
    """The rows of a run that are not among the excluded documents, whose ids are text."""
    return replace(run, kept=f"({run.kept}) AND NOT {_is_excluded(excluded)}")


def counts_of_excluded(run: RunQuery, excluded: str) -> str:
    """For each query with excluded documents: their number, and whether no others are left."""
    taken = f"count_if({_is_excluded(excluded)})"
    return f"SELECT query, {taken}, {taken} = count(*) FROM {run.sql} GROUP BY query HAVING {taken} > 0"


def _is_excluded(excluded: str) -> str:
    ids = "(CAST(query AS VARCHAR), CAST(document AS VARCHAR))"
    return f"({ids} IN (SELECT (query, document) FROM {excluded}))"


def join_judgements(run: RunQuery, judgements: str) -> str:
    return (
        f"SELECT judged.judgement, run.* FROM {run.sql} AS run"
        f" JOIN {judgements} AS judged ON run.query = judged.query AND run.document = judged.document"
    )


def place_lists(run: RunQuery, hits: str, part: int, of: int) -> str:
    """For each query: how many documents it has, how many different ones, and lists of the places of its hits.

    `above` and `below` count the documents that score higher and lower than each hit, and `higher` and `lower` are the
    nearest of their scores, NaN if there are none. The queries are split into `of` parts by their hash, and the
    statement covers one of these parts.
    """
    some = f" WHERE hash(query) % {of} = {part}" if of > 1 else ""
    return f"""
WITH lists AS (
  SELECT query, count(*) AS returned, list_unique(list(hash(document))) AS documents,
         list_sort(list(score), 'DESC') AS falling
  FROM {run.sql}{some} GROUP BY query
), hits AS (
  SELECT query, list(judgement) AS judgements, list(score) AS scores FROM {hits}{some} GROUP BY query
), together AS (
  SELECT *, list_reverse(falling) AS rising FROM lists LEFT JOIN hits USING (query)
), counted AS (
  SELECT *, list_transform(scores, lambda score: list_position(falling, score) - 1) AS above,
         list_transform(scores, lambda score: list_position(rising, score) - 1) AS below
  FROM together
)
SELECT query, returned, documents, judgements, scores, above, below,
       list_transform(above, lambda count: coalesce(falling[count], 'nan')) AS higher,
       list_transform(below, lambda count: coalesce(rising[count], 'nan')) AS lower
FROM counted"""


def ties_above_hits(run: RunQuery, hits: str, places: str, ties: str) -> str:
    """For each hit: the number of documents of the same score that the tie rule puts above it."""
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


def moved_at_32_bits(run: RunQuery, hits: str, close: str) -> str:
    """How many of some hits would have another rank if scores were compared at 32 bits.

    Only the documents with the same score at 32 bits may change their order, from that of scores to that of ids.
    """
    at_64_bits = f"other.score > hit.score OR (other.score = hit.score AND {ORDERS['descending']})"
    other_score, hit_score = (compared_score(f"{name}.score", AT_32_BITS) for name in ("other", "hit"))
    return f"""
SELECT count(*) FROM (
  SELECT hit.judgement FROM (SELECT * FROM {hits} SEMI JOIN {close} USING (judgement)) AS hit
  JOIN {run.sql} AS other ON other.query = hit.query AND {other_score} = {hit_score}
  GROUP BY hit.judgement HAVING count_if({at_64_bits}) != count_if({ORDERS["descending"]})
)"""
