"""A ranked list and a list of relevant documents in, a measure's value out: each function as a DuckDB macro.

The macros call no Python, so any DuckDB client can run them. A function takes `rec`, a list of documents with the best
first, `truth`, the list of relevant documents, and `k`, the cutoff (default: the whole list). All functions are built
on the ranks of the relevant documents.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """A SQL function and the measure that it computes."""

    name: str
    measure: str
    formula: str
    """SQL with the names of MEANINGS in braces. It is not wrapped in a CASE, so that a query with several functions
    computes the ranks once. Instead `{known}` is added: 0, or NULL where the value is undefined."""
    takes_k: bool = True

    @property
    def parameters(self) -> str:
        return f"rec, truth{', k := NULL' if self.takes_k else ''}"

    @property
    def sql(self) -> str:
        """The body of the macro. It is NULL where the value is undefined, or where the list or the truth is NULL."""
        formula = self.formula
        for name, meaning in (MEANINGS if self.takes_k else MEANINGS | WITHOUT_CUTOFF).items():
            formula = formula.replace(f"{{{name}}}", meaning)
        return formula


MEANINGS = {
    "ranks": "rankgold_ranks(rec, rankgold_relevant(truth), k)",
    "found": "(len(rankgold_ranks(rec, rankgold_relevant(truth), k)) + 0 * len(rec))",
    "relevant": "nullif(len(rankgold_relevant(truth)), 0)",
    "known": "0 * nullif(len(rankgold_relevant(truth)), 0) * nullif(greatest(coalesce(k, 1), 0), 0)",
    "depth": "least(k, len(rec))",
    "divided_by": "coalesce(k, len(rec))",
}
"""The ranks of the relevant documents found; their number; the number of relevant documents; 0, or NULL if the value is
undefined (no relevant document, or a cutoff below 1); the length down to the cutoff; the denominator of precision."""

WITHOUT_CUTOFF = {"known": "0 * nullif(len(rankgold_relevant(truth)), 0)"}

_INTEGER = "U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?"


def _ranks_of_common_type() -> str:
    """SQL that finds documents in a list of another type: as numbers if both are numbers, else as text.

    DuckDB checks the types in every branch, also in those not taken. So one list is cast to the type of the other; for
    equal types this does nothing, and the search is the same expression as in other functions, computed once. The
    types are known before a query runs, so DuckDB drops the branches that do not apply.
    """

    def both(pattern: str) -> str:
        return " AND ".join(f"regexp_full_match(typeof({list_}), '({pattern})\\[\\]')" for list_ in ("rec", "relevant"))

    def ranks(kind: str) -> str:
        return f"rankgold_ranks(TRY_CAST(rec AS {kind}[]), TRY_CAST(relevant AS {kind}[]), k, repeats)"

    return (
        "CASE WHEN typeof(rec) = typeof(relevant)"
        " THEN rankgold_ranks(rec, cast_to_type(relevant, coalesce(rec, [])), k, repeats)"
        f" WHEN {both(_INTEGER)} THEN {ranks('HUGEINT')}"
        f" WHEN {both(f'{_INTEGER}|FLOAT|DOUBLE|DECIMAL.*')} THEN {ranks('DOUBLE')} ELSE {ranks('VARCHAR')} END"
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
    # A document counts at its first place, or at every place with `repeats`, a constant, so that DuckDB drops the CASE.
    "rankgold_ranks(rec, relevant, k, repeats := false)": (
        "CASE WHEN repeats THEN list_filter(CAST(range(1, CAST(least(k, len(rec)) AS BIGINT) + 1) AS INTEGER[]),"
        " lambda i: list_contains(relevant, rec[i]))"
        " ELSE list_filter(rankgold_places(rec, relevant), lambda p: p <= coalesce(k, len(rec))) END"
    ),
    # The ranks for ndcg, whose list may also hold structs, which are not searched.
    "rankgold_ranks_of_ids(rec, relevant, k, repeats := false)": _ranks_of_common_type(),
    "rankgold_has_grades(rec)": "starts_with(typeof(rec), 'STRUCT')",
    "rankgold_grades(rec)": (
        "list_transform(CAST(rec AS STRUCT(relscore DOUBLE, itemid VARCHAR)[]),"
        " lambda x: greatest(struct_extract(x, 'relscore'), 0))"
    ),
    # The discounted gains of grades in ranked order.
    "rankgold_graded_dcg(grades, k)": (
        "list_sum(list_transform(grades[1:coalesce(k, len(grades))], lambda g, i: (2 ** g - 1) / log2(i + 1)))"
    ),
}

_DCG = "coalesce(list_sum(list_transform({ranks}, lambda r: 1 / log2(r + 1))), 0 * len(rec))"

_BINARY = (
    f"{_DCG.replace('{ranks}', 'rankgold_ranks_of_ids(rec, rankgold_relevant(truth), k)')}"
    " / list_sum(list_transform(range(1, CAST(least(k, {relevant}) AS BIGINT) + 1), lambda i: 1 / log2(i + 1)))"
)
_GRADED = (
    "coalesce(rankgold_graded_dcg(rankgold_grades(rec), k), 0 * len(rec)) / nullif(rankgold_graded_dcg("
    "list_sort(list_transform(CAST(truth AS DOUBLE[]), lambda g: greatest(g, 0)), 'DESC', 'NULLS LAST'), k), 0)"
)
GRADED_MEASURE = "ndcg(gain=exp)"
"""The measure of `ndcg` for a list of struct(relscore, itemid), where the truth is a list of all grades."""

FUNCTIONS = (
    Function("recall_at", "r", "{found} / {relevant} + {known}"),
    Function("precision_at", "p", "{found} / greatest({divided_by}, 1) + {known}"),
    Function("f_at", "f", "2 * {found} / ({relevant} + {divided_by}) + {known}"),
    Function("hitrate", "hit", "CAST({found} > 0 AS DOUBLE) + {known}"),
    Function(
        "rprec",
        "rprec",
        "(len(rankgold_ranks(rec, rankgold_relevant(truth), {relevant})) + 0 * len(rec)) / {relevant} + {known}",
        takes_k=False,
    ),
    Function(
        "average_precision",
        "ap",
        "coalesce(list_sum(list_transform({ranks}, lambda r, i: i / r)), 0 * len(rec)) / {relevant} + {known}",
    ),
    Function("ar", "ar", "least({found}, 1) * ({found} + 1) / 2 / {relevant} + {known}"),
    Function(
        "auc",
        "auc",
        "(coalesce(list_sum(list_transform({ranks}, lambda r, i: {depth} - r + i)), 0) - {found} * {found})"
        " / nullif({found} * ({depth} - {found}) + CAST(len(rec) = 0 AS BIGINT), 0) + {known}",
    ),
    Function("mrr", "rr", "coalesce(1 / {ranks}[1], 0 * len(rec)) + {known}"),
    Function("mr", "mr", "list_avg({ranks}) + {known}"),
    Function("frp", "frp", "CAST(coalesce({ranks}[1], k + 1 + 0 * len(rec)) AS DOUBLE) + {known}"),
    Function("cg", "cg", "CAST({found} AS DOUBLE) + {known}"),
    Function("dcg", "dcg", f"{_DCG} + {{known}}"),
    Function("ndcg", "ndcg", f"CASE WHEN rankgold_has_grades(rec) THEN {_GRADED} ELSE {_BINARY} END + {{known}}"),
    Function(
        "err", "err", "coalesce(list_sum(list_transform({ranks}, lambda r, i: 0.5 ** i / r)), 0 * len(rec)) + {known}"
    ),
)

NOT_IN_SQL = {
    "gap": "it is for grades, and with a list of relevant documents it is average_precision",
    "idcg": "it is a property of the truth alone",
    "spearman": "it compares scores with grades, not a list with a truth",
    "kendall": "it compares scores with grades, not a list with a truth",
}
"""Measures without a SQL function, and why."""
