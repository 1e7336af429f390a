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
    """SQL over `ranks` (of the relevant documents found), `relevant` (how many there are), `depth` (of the list, up to
    the cutoff), `k`, `rec` and `truth`."""
    takes_k: bool = True
    of_empty_list: str = "0.0"
    """What an empty list is worth."""

    @property
    def signature(self) -> str:
        return f"{self.name}(rec, truth{', k := NULL' if self.takes_k else ''})"

    @property
    def sql(self) -> str:
        """The body of the macro: undefined is NULL, as is the value of a list or truth that is NULL."""
        formula = self.formula
        for name, meaning in _MEANINGS.items():
            formula = formula.replace(f"{{{name}}}", meaning if self.takes_k else meaning.replace(", k)", ", NULL)"))
        return (
            "CASE WHEN rec IS NULL OR truth IS NULL OR karat_relevant(truth) = 0 THEN NULL"
            f" WHEN len(rec) = 0 THEN {self.of_empty_list} ELSE {formula} END"
        )


_MEANINGS = {
    "ranks": "karat_ranks(rec, truth, k)",
    "found": "len(karat_ranks(rec, truth, k))",
    "relevant": "karat_relevant(truth)",
    "depth": "karat_depth(rec, k)",
    "divided_by": "coalesce(k, len(rec))",
}

HELPERS = {
    "karat_depth(rec, k)": "CAST(least(k, len(rec)) AS BIGINT)",
    "karat_ranks(rec, truth, k)": (
        "list_filter(range(1, karat_depth(rec, k) + 1), lambda i: coalesce(list_contains(truth, rec[i]), false))"
    ),
    "karat_relevant(truth)": "CAST(list_unique(truth) AS BIGINT)",
}

FUNCTIONS = (
    Function("recall_at", "r", "{found} / {relevant}"),
    Function("precision_at", "p", "{found} / {divided_by}"),
    Function("f_at", "f", "2 * {found} / ({relevant} + {divided_by})"),
    Function("hitrate", "hit", "CAST({found} > 0 AS DOUBLE)"),
    Function("rprec", "rprec", "len(karat_ranks(rec, truth, {relevant})) / {relevant}", takes_k=False),
    Function(
        "average_precision",
        "ap",
        "coalesce(list_sum(list_transform({ranks}, lambda r, i: i / r)), 0) / {relevant}",
    ),
    Function("ar", "ar", "CASE WHEN {found} = 0 THEN 0.0 ELSE ({found} + 1) / 2 / {relevant} END"),
    Function(
        "auc",
        "auc",
        "(coalesce(list_sum(list_transform({ranks}, lambda r, i: {depth} - r + i)), 0) - {found} * {found})"
        " / nullif({found} * ({depth} - {found}), 0)",
    ),
    Function("mrr", "rr", "coalesce(1 / {ranks}[1], 0.0)"),
    Function("mr", "mr", "list_avg({ranks})", of_empty_list="NULL"),
    Function("frp", "frp", "CAST(coalesce({ranks}[1], k + 1) AS DOUBLE)", of_empty_list="CAST(k + 1 AS DOUBLE)"),
    Function("cg", "cg", "CAST({found} AS DOUBLE)"),
    Function("dcg", "dcg", "coalesce(list_sum(list_transform({ranks}, lambda r: 1 / log2(r + 1))), 0.0)"),
    Function(
        "ndcg",
        "ndcg",
        "coalesce(list_sum(list_transform({ranks}, lambda r: 1 / log2(r + 1))), 0)"
        " / list_sum(list_transform(range(1, CAST(least(k, {relevant}) AS BIGINT) + 1), lambda i: 1 / log2(i + 1)))",
    ),
    Function("err", "err", "coalesce(list_sum(list_transform({ranks}, lambda r, i: 0.5 ** i / r)), 0.0)"),
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
