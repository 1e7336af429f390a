"""Maps trec_eval measure names and nicknames to rankgold measures, and says how they are printed.

Measures are printed in the order of the table, whatever the order on the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(i / 10 for i in range(11))
_FIFTHS = tuple(i / 5 for i in range(1, 11))
_RELSTRING_LENGTH = 10

FORMATS = ("qrels", "prefs", "qrels_prefs", "qrels_jg")
"""What files of judgements can hold: grades, preferences, grades as preferences, grades of several judges."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A measure of trec_eval, with all parameters that it can have."""

    name: str
    text: str
    """The measure here, with a gap for a parameter; empty if it is not a number."""
    takes: Literal["nothing", "ranks", "numbers", "parameters", "pairs"] = "nothing"
    """Ranks and numbers: a measure for each. Parameters and pairs: they are of one measure."""
    defaults: tuple[float, ...] = ()
    is_count: bool = False
    formats: tuple[str, ...] = ("qrels",)
    """The formats of judgements that it can be computed from."""
    is_printed_by_query: bool = True
    is_printed_for_all: bool = True
    is_new_in_10: bool = False

    @property
    def is_geometric(self) -> bool:
        """Whether the number for all queries is a geometric mean."""
        return self.name.startswith("gm_")

    def label(self, numbers: Sequence[float], text: str = "") -> str:
        """The name on a line: with the number that it is for, or with the parameters as the user wrote them, if any.

        trec_eval has room for nine characters after the name, if a number has decimals.
        """
        if self.takes == "ranks":
            return f"{self.name}_{numbers[0]}"
        if self.takes == "numbers":
            return f"{self.name}_{numbers[0]:.2f}"[: len(self.name) + 9]
        return f"{self.name}_{text}" if text else self.name

    @property
    def labels(self) -> tuple[str, ...]:
        """The names on its lines, if no parameters are given; none if it has no number that grades give."""
        if not self.text or "qrels" not in self.formats:
            return ()
        has_line_each = self.takes in ("ranks", "numbers")
        return tuple(self.label([number]) for number in self.defaults) if has_line_each else (self.name,)


NAMES = {
    entry.name: entry
    for entry in (
        Entry("runid", "", formats=FORMATS, is_printed_by_query=False),
        Entry("num_q", "num_q", is_count=True, formats=FORMATS, is_printed_by_query=False),
        Entry("num_ret", "num_ret", is_count=True),
        Entry("num_rel", "num_rel", is_count=True),
        Entry("num_rel_ret", "num_rel_ret", is_count=True),
        Entry("map", "ap"),
        Entry("gm_map", "gmap", is_printed_by_query=False),
        Entry("Rprec", "rprec"),
        Entry("bpref", "bpref"),
        Entry("recip_rank", "rr"),
        Entry("iprec_at_recall", "iprec(recall={}, rounding={rounding})", "numbers", _TENTHS),
        Entry("P", "p@{}", "ranks", _RANKS),
        Entry("relstring", "", "parameters", (_RELSTRING_LENGTH,), is_printed_for_all=False),
        Entry("recall", "r@{}", "ranks", _RANKS),
        Entry("infAP", "infap"),
        Entry("gm_bpref", "gm_bpref", is_printed_by_query=False),
        Entry("Rprec_mult", "rprec_mult(multiple={})", "numbers", _FIFTHS),
        Entry("utility", "utility(worth=({}))", "parameters", (1, -1, 0, 0)),
        Entry("11pt_avg", "iprec_mean(recalls=({}), rounding={rounding})", "parameters", _TENTHS),
        Entry("binG", "bing"),
        Entry("G", "g", "pairs"),
        Entry("dcg", "dcg", "pairs", is_new_in_10=True),
        Entry("ideal_dcg", "idcg", "pairs", is_new_in_10=True),
        Entry("ndcg", "ndcg", "pairs"),
        Entry("ndcg_rel", "ndcg_rel", "pairs"),
        Entry("Rndcg", "rndcg", "pairs"),
        Entry("ndcg_cut", "ndcg@{}", "ranks", _RANKS),
        Entry("map_cut", "ap@{}", "ranks", _RANKS),
        Entry("relative_P", "p(norm=min)@{}", "ranks", _RANKS),
        Entry("success", "hit@{}", "ranks", (1, 5, 10)),
        Entry("set_P", "p"),
        Entry("set_relative_P", "set_relative_p"),
        Entry("set_recall", "r"),
        Entry("set_map", "set_map"),
        Entry("set_F", "f(beta={})", "parameters", (1,)),
        Entry("num_nonrel_judged_ret", "num_nonrel_judged_ret", is_count=True),
        *(
            Entry(f"prefs_{name}", "", is_count=name.startswith("num_"), formats=("prefs", "qrels_prefs"))
            for name in (
                "num_prefs_poss",
                "num_prefs_ful",
                "num_prefs_ful_ret",
                "simp",
                "pair",
                "avgjg",
                "avgjg_Rnonrel",
                "simp_ret",
                "pair_ret",
                "avgjg_ret",
                "avgjg_Rnonrel_ret",
                "simp_imp",
                "pair_imp",
                "avgjg_imp",
            )
        ),
        Entry("map_avgjg", "ap", formats=("qrels_jg",)),
        Entry("P_avgjg", "p@{}", "ranks", _RANKS, formats=("qrels_jg",)),
        Entry("Rprec_mult_avgjg", "rprec_mult(multiple={})", "numbers", _FIFTHS, formats=("qrels_jg",)),
        Entry("yaap", "yaap"),
        Entry("rbp", "rbp(p={}, worth=relative)", "pairs", (0.9,), is_new_in_10=True),
        Entry("rbp_resid", "trec_rbp_resid(p={})", "pairs", (0.9,), is_new_in_10=True),
        Entry("unj", "unjudged@{}", "ranks", (5, 10, 20), is_new_in_10=True),
    )
}
_OFFICIAL = (
    "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P",
)  # fmt: skip
_SETS = ("set_P", "set_recall", "set_relative_P", "set_map", "set_F")
NICKNAMES = {
    "official": _OFFICIAL,
    "set": ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *_SETS),
    "all_trec": (
        *_OFFICIAL, "relstring", "recall", "unj", "rbp", "rbp_resid", "infAP", "gm_bpref", "utility", "11pt_avg",
        "ndcg", "relative_P", "Rprec_mult", "success", "map_cut", "ndcg_cut", "ndcg_rel", "Rndcg", "binG", "G", *_SETS,
        "num_nonrel_judged_ret",
    ),
    "prefs": ("runid", "num_q", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp",
              "prefs_pair", "prefs_avgjg"),
    "all_prefs": ("runid", "num_q", *(name for name in NAMES if name.startswith("prefs_"))),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}  # fmt: skip


def lists_of_labels(*, version: Literal[9, 10] = 10) -> dict[str, tuple[str, ...]]:
    """The names that stand for several numbers, such as P and all_trec, and the names on the lines of these numbers."""
    known = {name: entry.labels for name, entry in NAMES.items() if version == 10 or not entry.is_new_in_10}
    several = {name: labels for name, labels in known.items() if NAMES[name].takes in ("ranks", "numbers") and labels}
    nicknames = {
        nickname: tuple(label for name in known if name in names for label in known[name])
        for nickname, names in NICKNAMES.items()
        if nickname in ("official", "set", "all_trec")
    }
    return several | nicknames
