"""Lists the SQL functions, and writes each as a DuckDB macro over lists.

The macros call no Python, so any DuckDB client can run them. A function takes `rec`, a list of documents with the best
first, `truth`, the list of relevant documents, and `k`, the cutoff (default: the whole list). All functions are built
on the ranks of the relevant documents.

A formula is SQL with the names of MEANINGS in braces. It is not wrapped in a CASE, so that a query with several
functions computes the ranks once. Instead `{known}` is added: 0, or NULL where the value is undefined.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rankgold import measures
from rankgold.measures.metric import Metric

_RANKS = "rankgold_ranks_of_ids(rec, rankgold_relevant(truth), k)"

MEANINGS = {
    "ranks": _RANKS,
    "found": f"(len({_RANKS}) + 0 * len(rec))",
    "relevant": "nullif(len(rankgold_relevant(truth)), 0)",
    "known": "0 * nullif(len(rankgold_relevant(truth)), 0) * nullif(greatest(coalesce(k, 1), 0), 0)",
    "depth": "least(k, len(rec))",
    "divided_by": "coalesce(k, len(rec))",
}
"""The ranks of the relevant documents found; their number; the number of relevant documents; 0, or NULL if the value is
undefined (no relevant document, or a cutoff below 1); the length down to the cutoff; the denominator of precision."""

_ALL_RANKS = "rankgold_ranks_of_ids(rec, rankgold_relevant(truth), NULL)"

WITHOUT_CUTOFF = {
    "ranks": _ALL_RANKS,
    "found": f"(len({_ALL_RANKS}) + 0 * len(rec))",
    "known": "0 * nullif(len(rankgold_relevant(truth)), 0)",
}

_INTEGER = "U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?"
_NESTED = r"STRUCT|TUPLE|MAP|UNION|\]\["


def ranks_of_common_type(search: str) -> str:
    """SQL that finds documents in a list of another type: as numbers if both are numbers, else as text.

    DuckDB checks the types in every branch, also in those not taken. So one list is cast to the type of the other; for
    equal types this does nothing, and the search is the same expression in all functions, computed once. The types are
    known before a query runs, so DuckDB drops the branches that do not apply. `search` is the macro that searches.
    """

    def both(pattern: str) -> str:
        return " AND ".join(f"regexp_full_match(typeof({list_}), '({pattern})\\[\\]')" for list_ in ("rec", "relevant"))

    def ranks(kind: str) -> str:
        return f"{search}(TRY_CAST(rec AS {kind}[]), TRY_CAST(relevant AS {kind}[]), k)"

    return (
        f"CASE WHEN typeof(rec) = typeof(relevant) THEN {search}(rec, cast_to_type(relevant, coalesce(rec, [])), k)"
        f" WHEN {both(_INTEGER)} THEN {ranks('HUGEINT')}"
        f" WHEN {both(f'{_INTEGER}|FLOAT|DOUBLE|DECIMAL.*')} THEN {ranks('DOUBLE')}"
        f" WHEN regexp_matches(typeof(rec) || typeof(relevant), '{_NESTED}') THEN error('rec is a list of type '"
        " || typeof(rec) || ' and truth of type ' || typeof(relevant) || ', whose documents cannot be compared')"
        f" ELSE {ranks('VARCHAR')} END"
    )


HELPERS = {
    # Each relevant document once. For a short list, comparing it with those before it is faster than hashing.
    "rankgold_relevant(truth)": (
        "CASE WHEN len(truth) > 100 THEN list_distinct(truth)"
        " ELSE list_filter(truth, lambda t, i: t IS NOT NULL AND list_position(truth, t) = i) END"
    ),
    # Searches the list for each relevant document: there are few of them, and DuckDB's own search is fast. What is not
    # found is NULL and comes last. The cutoff is applied later, so that functions with different ones share the search.
    "rankgold_places(rec, relevant)": (
        "list_sort(list_transform(relevant, lambda t: list_position(rec, t)), 'ASC', 'NULLS LAST')"
    ),
    "rankgold_ranks(rec, relevant, k)": (
        "list_filter(rankgold_places(rec, relevant), lambda p: p <= coalesce(k, len(rec)))"
    ),
    "rankgold_ranks_of_ids(rec, relevant, k)": ranks_of_common_type("rankgold_ranks"),
    "rankgold_has_grades(rec)": "starts_with(typeof(rec), 'STRUCT')",
    "rankgold_grades(rec)": (
        "CASE WHEN regexp_matches(typeof(rec), '([(]|, )\"?relscore\"? ', 'i')"
        " THEN list_transform(CAST(rec AS STRUCT(relscore DOUBLE, itemid VARCHAR)[]),"
        " lambda x: greatest(struct_extract(x, 'relscore'), 0))"
        " ELSE error('rec must be a list of structs with a grade in the field relscore, not ' || typeof(rec)) END"
    ),
    # NULL for a list without grades, whose truth may not be numbers.
    "rankgold_all_grades(rec, truth)": "CAST(CASE WHEN rankgold_has_grades(rec) THEN truth END AS DOUBLE[])",
    "rankgold_best_order(grades)": (
        "list_sort(list_transform(grades, lambda g: greatest(g, 0)), 'DESC', 'NULLS LAST')"
    ),
    # The discounted sum of gains in ranked order, and that of a number of documents with a gain of 1.
    "rankgold_discounted(gains, k)": (
        "list_sum(list_transform(gains[1:coalesce(k, len(gains))], lambda g, i: g / log2(i + 1)))"
    ),
    "rankgold_discounted_ones(number)": (
        "list_sum(list_transform(range(1, CAST(number AS BIGINT) + 1), lambda i: 1 / log2(i + 1)))"
    ),
    # 0, or an error. DuckDB knows the types before it runs a query: list_zip refuses what is not a list, and the rest
    # is dropped where k is an integer.
    "rankgold_checked(rec, truth, k)": (
        "CASE WHEN typeof(list_zip(rec)) = typeof(list_zip(truth)) AND false THEN NULL"
        f" WHEN regexp_full_match(typeof(k), '\"NULL\"|{_INTEGER}') THEN 0"
        " WHEN typeof(k) IN ('VARCHAR', 'BOOLEAN') OR CAST(TRY_CAST(k AS BIGINT) AS DOUBLE) <> TRY_CAST(k AS DOUBLE)"
        " THEN error('k must be a whole number, not ' || CAST(k AS VARCHAR)) ELSE 0 END"
    ),
}

_DCG = "coalesce(list_sum(list_transform({ranks}, lambda r: 1 / log2(r + 1))), 0 * len(rec))"
_IDEAL_DCG = "rankgold_discounted_ones(least(k, {relevant}))"
_BINARY_NDCG = f"{_DCG} / {_IDEAL_DCG}"
_GRADED_NDCG = (
    "coalesce(rankgold_discounted(rankgold_grades(rec), k), 0 * len(rec))"
    " / nullif(rankgold_discounted(rankgold_best_order(rankgold_all_grades(rec, truth)), k), 0)"
)
_PRECISIONS = "list_transform({ranks}, lambda r, i: i / r)"
_AVERAGE_PRECISION = f"coalesce(list_sum({_PRECISIONS}), 0 * len(rec)) / {{relevant}}"
_R_PRECISION = "(len(rankgold_ranks_of_ids(rec, rankgold_relevant(truth), {relevant})) + 0 * len(rec)) / {relevant}"
# Of each relevant document, how many of the first ten others are below it.
_PAIRS_WON = "list_transform({ranks}, lambda r, i: greatest(10 - (r - i), 0))"

FORMULAS = {
    "r": "{found} / {relevant}",
    "p": "{found} / greatest({divided_by}, 1)",
    "f": "2 * {found} / ({relevant} + {divided_by})",
    "hit": "CAST({found} > 0 AS DOUBLE)",
    "rprec": _R_PRECISION,
    "rprec_mult": _R_PRECISION,
    "set_map": "{found} * {found} / (greatest(len(rec), 1) * {relevant})",
    "set_relative_p": "{found} / greatest(least(len(rec), {relevant}), 1)",
    "iprec": f"coalesce(list_max({_PRECISIONS}), 0 * len(rec))",
    "iprec_mean": (
        "list_avg(list_transform(range(11), lambda x: coalesce(list_max(list_transform({ranks}, lambda r, i:"
        " CASE WHEN i >= floor(x / 10 * {relevant} + 0.5) THEN i / r ELSE 0 END)), 0 * len(rec))))"
    ),
    "r_at_p": (
        "coalesce(list_max(list_transform({ranks}, lambda r, i: CASE WHEN i / r >= 0.5 THEN i ELSE 0 END)),"
        " 0 * len(rec)) / {relevant}"
    ),
    "pauc": f"coalesce(list_sum({_PAIRS_WON}), 0 * len(rec)) / (10 * {{relevant}})",
    "pap": f"coalesce(list_sum({_PAIRS_WON}[1:10]), 0 * len(rec)) / (10 * least({{relevant}}, 10))",
    "rbp": (
        "(1 - CAST(0.8 AS DOUBLE)) * coalesce(list_sum(list_transform({ranks},"
        " lambda r: CAST(0.8 AS DOUBLE) ** (r - 1))), 0 * len(rec))"
    ),
    "ap": _AVERAGE_PRECISION,
    # With relevant documents of one grade, both are the same.
    "gap": _AVERAGE_PRECISION,
    "ar": "least({found}, 1) * ({found} + 1) / 2 / {relevant}",
    "auc": (
        "(coalesce(list_sum(list_transform({ranks}, lambda r, i: {depth} - r + i)), 0) - {found} * {found})"
        " / nullif({found} * ({depth} - {found}) + CAST(len(rec) = 0 AS BIGINT), 0)"
    ),
    "rr": "coalesce(1 / {ranks}[1], 0 * len(rec))",
    "mr": "list_avg({ranks})",
    "frp": "CAST(coalesce({ranks}[1], CAST(k AS BIGINT) + 1 + 0 * len(rec)) AS DOUBLE)",
    "cg": "CAST({found} AS DOUBLE)",
    "dcg": _DCG,
    # Like every measure, 0 for a list without documents.
    "idcg": f"{_IDEAL_DCG} * CAST(len(rec) > 0 AS DOUBLE)",
    "ndcg": f"CASE WHEN rankgold_has_grades(rec) THEN {_GRADED_NDCG} ELSE {_BINARY_NDCG} END",
    "err": "coalesce(list_sum(list_transform({ranks}, lambda r, i: 0.5 ** i / r)), 0 * len(rec))",
}


def measure_macro(measure: str, *, takes_k: bool) -> str:
    """The body of a macro. It is NULL where the value is undefined, or where the list or the truth is NULL."""
    return with_meanings(f"{FORMULAS[measure]} + {{known}}", MEANINGS if takes_k else MEANINGS | WITHOUT_CUTOFF)


def with_meanings(formula: str, meanings: Mapping[str, str]) -> str:
    """A formula with the meaning of each name in place of the name in braces."""
    for name, meaning in meanings.items():
        formula = formula.replace(f"{{{name}}}", meaning)
    return formula


@dataclass(frozen=True, slots=True)
class Function:
    """A SQL function, called like its measure."""

    name: str
    names: tuple[str, ...]
    """All names: those of the measure, and those of SQL alone, as in Hivemall."""
    takes_k: bool

    @property
    def in_duckdb(self) -> bool:
        """Whether DuckDB has the function: one needs a formula in SQL there. Spark has all."""
        return self.name in FORMULAS

    @property
    def parameters(self) -> str:
        return "rec, truth, k" if self.takes_k else "rec, truth"

    def wrong_number(self, name: str) -> str:
        """The error message for a call with too few or too many arguments."""
        arguments = "a list, its truth and k" if self.takes_k else "a list and its truth"
        return f"{name} takes {arguments}: {name}({self.parameters})"


NOT_IN_SQL = {metric.name: metric.no_sql for metric in measures.all() if metric.no_sql}
"""Measures without a SQL function, and why."""

NAMES_OF_ENGINES = frozenset({"map", "precision"})
"""Names of measures that cannot name a function: `map` is one in every engine, `precision` a word of SQL."""


def _functions() -> Iterator[Function]:
    for metric in measures.all():
        if not metric.no_sql:
            yield Function(metric.name, tuple(_names(metric)), metric.takes_cutoff)


def _names(metric: Metric) -> Iterator[str]:
    for name in (metric.name, *metric.aliases, *metric.sql_names):
        if name not in NAMES_OF_ENGINES and name.isidentifier():
            yield name


FUNCTIONS = tuple(_functions())
BY_NAME = {name: function for function in FUNCTIONS for name in function.names}
