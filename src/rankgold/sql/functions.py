"""The registry of measures in, the SQL functions out: their names and what they take, the same in every engine."""

from collections.abc import Iterator
from dataclasses import dataclass

from rankgold import measures
from rankgold.declaration.metric import Metric
from rankgold.sql.list_macros import FORMULAS


@dataclass(frozen=True, slots=True)
class Function:
    """A SQL function, called like its measure."""

    name: str
    names: tuple[str, ...]
    """All names: those of the measure, and Hivemall's."""
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


_WHY_NOT = {
    "it compares scores with grades, not a list with a truth": ("spearman", "kendall"),
    "it needs judgements of documents that are not relevant": (
        "bpref", "gm_bpref", "infap", "judged", "unjudged", "num_nonrel_judged_ret", "rbp_resid", "trec_rbp_resid",
        "lrap", "coverage_error", "ranking_loss", "opa",
    ),
    "it needs the number of documents that there are": ("accuracy", "fallout", "mcc", "utility"),
    "it is a property of the truth, or of all queries": ("num_q", "num_rel", "gmap"),
    "it needs judgements for subtopics": (
        "alpha_dcg", "alpha_ndcg", "ap_ia", "err_ia", "nerr_ia", "nnrbp", "nrbp", "p_ia", "strec",
    ),
    "it is a count, which SQL has": ("hits", "num_ret", "num_rel_ret"),
    "it is an experimental measure of trec_eval": ("bing", "g", "ndcg_rel", "rndcg", "yaap"),
    "it is made for grades, which a list of relevant documents does not have": (
        "q", "nerr", "arp", "compat",
        "sdcg", "insq", "inst", "bpm", "bpm_dynamic", "nerr8", "nerr9", "nerr10", "nerr11",
    ),
}  # fmt: skip
NOT_IN_SQL = {name: reason for reason, names in _WHY_NOT.items() for name in names}
"""Measures without a SQL function, and why."""

_NAMES_IN_HIVEMALL = {"r": ("recall_at",), "p": ("precision_at",), "f": ("f_at",)}

NAMES_OF_ENGINES = frozenset({"map", "precision"})
"""Names of measures that cannot name a function: `map` is one in every engine, `precision` a word of SQL."""


def _functions() -> Iterator[Function]:
    for metric in measures.all():
        if metric.name not in NOT_IN_SQL:
            yield Function(metric.name, tuple(_names(metric)), metric.takes_cutoff)


def _names(metric: Metric) -> Iterator[str]:
    for name in (metric.name, *metric.aliases, *_NAMES_IN_HIVEMALL.get(metric.name, ())):
        if name not in NAMES_OF_ENGINES and name.isidentifier():
            yield name


FUNCTIONS = tuple(_functions())
BY_NAME = {name: function for function in FUNCTIONS for name in function.names}
