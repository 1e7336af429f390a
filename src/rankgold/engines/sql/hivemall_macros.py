"""Writes the macros where Hivemall differs.

Hivemall's ideal ranking is no longer than the list, a document counts as often as the list has it, and no value is
undefined. `{list}` is the list, empty where it is NULL; `{size}` is k, or the length of the list.
"""

from rankgold.engines.sql.functions import ranks_of_common_type, with_meanings

_LIST = "coalesce(rec, [])"
_SIZE = f"rankgold_hivemall_size(k, len({_LIST}))"
_DEPTH = f"least({_SIZE}, len({_LIST}))"
_RANKS = f"rankgold_hivemall_ranks_of_ids({_LIST}, truth, {_SIZE})"

MEANINGS = {
    "list": _LIST,
    "size": _SIZE,
    "depth": _DEPTH,
    "ranks": _RANKS,
    "found": f"len({_RANKS})",
    "none": f"CAST(len({_LIST}) = 0 AS DOUBLE)",
    "known": "0 * len(truth)",
}
"""`{none}` is 1 for an empty list, used where the truth is empty too; `{known}` is 0, or NULL as the truth."""

HELPERS = {
    # A document counts at every place.
    "rankgold_hivemall_ranks(rec, relevant, k)": (
        "list_filter(CAST(range(1, CAST(least(k, len(rec)) AS BIGINT) + 1) AS INTEGER[]),"
        " lambda i: list_contains(relevant, rec[i]))"
    ),
    "rankgold_hivemall_ranks_of_ids(rec, relevant, k)": ranks_of_common_type("rankgold_hivemall_ranks"),
    "rankgold_exponential_gains(grades)": (
        "list_transform(grades, lambda g: CASE WHEN g > 1000"
        " THEN error('2^' || g || ' is beyond what a number can hold') ELSE 2 ** g - 1 END)"
    ),
    "rankgold_hivemall_size(k, length)": (
        "CASE WHEN k < 0 THEN error('k must be a whole number from 0, not ' || k) ELSE coalesce(k, length) END"
    ),
    "rankgold_hivemall_ratio(sum, norm)": (
        "CASE WHEN norm > 0 THEN sum / norm WHEN sum > 0 THEN CAST('Infinity' AS DOUBLE)"
        " WHEN norm = 0 THEN CAST('NaN' AS DOUBLE) END"
    ),
}

_PRECISIONS = "coalesce(list_sum(list_transform({ranks}, lambda r, i: i / r)), 0)"
_AVERAGE_PRECISION = f"if(len(truth) = 0, {{none}}, {_PRECISIONS} / {{norm}}) + {{known}}"

_BINARY_NDCG = (
    "coalesce(list_sum(list_transform({ranks}, lambda r: 1 / log2(r + 1)))"
    " / rankgold_discounted_ones(least(len(truth), {depth})), 0)"
)
_GRADED_NDCG = (
    "rankgold_hivemall_ratio("
    "coalesce(rankgold_discounted(rankgold_exponential_gains(rankgold_grades({list})), {size}), 0),"
    " coalesce(rankgold_discounted(rankgold_exponential_gains(rankgold_all_grades({list}, truth)), {size}), 0))"
)

FORMULAS = {
    "r": "if(len(truth) = 0, {none}, {found} / len(truth)) + {known}",
    "p": ("if(len({list}) = 0, CAST(len(truth) = 0 AS DOUBLE), rankgold_hivemall_ratio({found}, {depth})) + {known}"),
    "ap": _AVERAGE_PRECISION.replace("{norm}", "len(truth)"),
    "auc": (
        "coalesce((list_sum(list_transform({ranks}, lambda r, i: {depth} - r + i)) - {found} * {found})"
        " / nullif({found} * ({size} - {found}), 0), 0.5) + {known}"
    ),
    "rr": "coalesce(1 / {ranks}[1], 0) + {known}",
    "ndcg": f"CASE WHEN rankgold_has_grades({{list}}) THEN {_GRADED_NDCG} ELSE {_BINARY_NDCG} END + {{known}}",
    "hit": "CAST({found} > 0 AS DOUBLE) + {known}",
}

AVERAGE_PRECISION_OF_FOUND = _AVERAGE_PRECISION.replace("{norm}", "greatest({found}, 1)")
"""Average precision divided by the number of relevant documents found, as in Hivemall's code since 2017."""


def macro_body(formula: str) -> str:
    """The body of a macro."""
    return with_meanings(formula, MEANINGS)
