"""The functions, each written once as a DuckDB macro over lists: no Python is called, and any client can run the text.

A function takes `rec`, a list of documents with the best first, `truth`, the list of relevant ones, and `k`, the
cutoff; without `k` the whole list counts. All of them are built on the ranks at which relevant documents stand.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """A SQL function and the measure whose value it gives."""

    name: str
    measure: str
    formula: str
    """SQL over the MEANINGS. No CASE stands around it, so that a query with several functions finds the ranks once:
    `{known}` is 0, or NULL where the truth is NULL or empty, and makes the sum NULL that it is added to."""
    takes_k: bool = True

    @property
    def signature(self) -> str:
        return f"{self.name}(rec, truth{', k := NULL' if self.takes_k else ''})"

    @property
    def sql(self) -> str:
        """The body of the macro: undefined is NULL, as is the value of a list or truth that is NULL."""
        formula = self.formula
        for name, meaning in MEANINGS.items():
            formula = formula.replace(f"{{{name}}}", meaning)
        return formula


MEANINGS = {
    "ranks": "karat_ranks(rec, truth, k)",
    "found": "(len(karat_ranks(rec, truth, k)) + 0 * len(rec))",
    "relevant": "nullif(karat_relevant(truth), 0)",
    "known": "0 * nullif(karat_relevant(truth), 0)",
    "depth": "least(k, len(rec))",
    "divided_by": "coalesce(k, len(rec))",
}
"""The ranks of the relevant documents found, how many these and the relevant ones are, how long the list is up to the
cutoff, and what precision divides by."""

HELPERS = {
    # Each relevant document is looked for in the list: there are fewer of them, and DuckDB's own search is fast.
    "karat_ranks(rec, truth, k)": (
        "list_sort(list_distinct(list_filter("
        "list_transform(truth, lambda t: if(t IS NULL, NULL, list_position(rec, t))),"
        " lambda p: p > 0 AND p <= coalesce(k, len(rec)))))"
    ),
    "karat_relevant(truth)": "CAST(list_unique(truth) AS BIGINT)",
}

_DCG = "coalesce(list_sum(list_transform({ranks}, lambda r: 1 / log2(r + 1))), 0 * len(rec))"

FUNCTIONS = (
    Function("recall_at", "r", "{found} / {relevant}"),
    Function("precision_at", "p", "{found} / greatest({divided_by}, 1) + {known}"),
    Function("f_at", "f", "2 * {found} / ({relevant} + {divided_by})"),
    Function("hitrate", "hit", "CAST({found} > 0 AS DOUBLE) + {known}"),
    Function("rprec", "rprec", "(len(karat_ranks(rec, truth, {relevant})) + 0 * len(rec)) / {relevant}", takes_k=False),
    Function(
        "average_precision",
        "ap",
        "coalesce(list_sum(list_transform({ranks}, lambda r, i: i / r)), 0 * len(rec)) / {relevant}",
    ),
    Function("ar", "ar", "least({found}, 1) * ({found} + 1) / 2 / {relevant}"),
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
    Function(
        "ndcg",
        "ndcg",
        f"{_DCG} / list_sum(list_transform(range(1, CAST(least(k, {{relevant}}) AS BIGINT) + 1),"
        " lambda i: 1 / log2(i + 1))) + {known}",
    ),
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
"""Measures without a function of a list and a truth, and why."""


def script(*, temporary: bool = False) -> str:
    """The statements that define all functions, as any DuckDB client takes them."""
    create = f"CREATE OR REPLACE {'TEMP ' if temporary else ''}MACRO"
    helpers = [f"{create} {signature} AS {body};" for signature, body in HELPERS.items()]
    return "\n".join([*helpers, *(f"{create} {one.signature} AS {one.sql};" for one in FUNCTIONS)]) + "\n"
