"""Lists the conventions of trec_eval, pytrec_eval, ir_measures and ranx, and trec_eval's names of measures.

Measures are printed in the order of the table, whatever the order on the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rankgold.core.dialects import Dialect, NotRepeated

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


TREC_EVAL = Dialect(
    name="trec_eval",
    tool="trec_eval",
    version="10.0",
    checked="outputs of the program, byte for byte",
    measures=(
        "ap bing bpref dcg f g gm_bpref gmap hit idcg infap iprec iprec_mean ndcg ndcg_rel num_nonrel_judged_ret num_q"
        " num_rel num_rel_ret num_ret p r rbp rndcg rprec rprec_mult rr set_map set_relative_p trec_rbp_resid unjudged"
        " utility yaap"
    ),
    policy="missing=skip",
    defaults={"rbp": {"p": "0.9", "worth": "relative"}},
    names={"rbp_resid": "trec_rbp_resid"},
    lists=lists_of_labels(),
)


TREC_EVAL_9 = Dialect(
    name="trec_eval_9",
    tool="trec_eval 9",
    version="9.0.8",
    checked="pytrec_eval, which contains its code, on 200 random collections",
    measures=(
        "ap bing bpref f g gm_bpref gmap hit infap iprec iprec_mean ndcg ndcg_rel num_nonrel_judged_ret num_q"
        " num_rel num_rel_ret num_ret p r rndcg rprec rprec_mult rr set_map set_relative_p utility"
    ),
    policy="missing=skip, score_bits=32",
    defaults={"iprec": {"rounding": "up"}, "iprec_mean": {"rounding": "up"}},
    lists=lists_of_labels(version=9),
    page="trec_eval",
)


PYTREC_EVAL = Dialect(
    name="pytrec_eval",
    tool="pytrec_eval",
    version="0.5.11",
    checked="the tool itself, on 200 random collections",
    measures=TREC_EVAL_9.measures,
    policy="missing=skip, score_bits=32",
    defaults={"iprec": {"rounding": "up"}, "iprec_mean": {"rounding": "up"}},
    not_repeated=(
        NotRepeated("a query with negative grades only: it writes past its memory", "a crash", "0"),
        NotRepeated("`gm_map` of one query: it is the logarithm of `map`", "-0.6931 for a `map` of 0.5", "0.5"),
    ),
)


# How the providers of ir_measures order documents: as pytrec_eval; as cwl_eval and accuracy, which keep the order of
# the input; as compat, judged, msmarco and pyndeval; as gdeval.
AS_PYTREC_EVAL = "score_bits=32"
INPUT_ORDER = "ties=input, score_bits=64"
IDS_ASCENDING = "ties=ascending, score_bits=64"
IDS_DESCENDING = "score_bits=64"

IR_MEASURES = Dialect(
    name="ir_measures",
    tool="ir_measures",
    version="0.4.3",
    checked="the tool itself, on 200 random collections",
    measures=(
        "ap auc bpm bpref err f hit infap insq inst iprec judged ndcg nerr10 nerr11 nerr8 nerr9 num_q num_rel"
        " num_rel_ret num_ret p r rbp rprec rr sdcg set_map set_relative_p"
    ),
    policy=f"undefined=zero, {AS_PYTREC_EVAL}",
    matched={
        **dict.fromkeys(
            ["auc", "bpm", "insq", "inst", "nerr10", "nerr11", "nerr8", "nerr9", "rbp", "sdcg"], INPUT_ORDER
        ),
        **dict.fromkeys(["compat", "judged", "rr@k"], IDS_ASCENDING),
        **dict.fromkeys(
            ["alpha_dcg", "alpha_ndcg", "ap_ia", "err_ia", "nerr_ia", "nnrbp", "nrbp", "p_ia", "strec"], IDS_ASCENDING
        ),
        **dict.fromkeys(("err", "ndcg(gain=exp)"), IDS_DESCENDING),
    },
    defaults={
        "err": {"max": "4"},
        "iprec": {"rounding": "up"},
    },
    names={
        "Accuracy": "auc",
        "ERR": "err(max=4)",
        "IPrec": "iprec(rounding=up)",
        "nDCG(dcg=exp-log2)": "ndcg(gain=exp)",
    },
    not_repeated=(
        NotRepeated("`Judged@1` of a document with a negative grade, which marks what was not judged", "1", "0"),
        NotRepeated("`NumRel` of a query that is not in the run, and has 7 relevant documents", "0", "7"),
        NotRepeated("`ERR@20` and `nDCG(dcg='exp-log2')@20`: five digits only", "0.33333", "0.3333333333333333"),
        NotRepeated("`Accuracy`, if only relevant documents were retrieved", "ZeroDivisionError", "0"),
        NotRepeated("`RBP(rel=1, p=0.999)` of 1,000 relevant documents: as if no reader went on", "1", "0.6323"),
    ),
)


RANX = Dialect(
    name="ranx",
    tool="ranx",
    version="0.3.21",
    checked="the tool itself, on 200 random collections",
    measures="ap bpref dcg f hit hits ndcg p r rbp rprec rr",
    policy="ties=input",
    not_repeated=(
        NotRepeated("more than 15 documents with the same score: its sort is not stable", "any order", "the input's"),
        NotRepeated("`rbp.80` of one document of grade 3 at rank 1: it multiplies by the grade", "0.6", "0.2"),
        NotRepeated("`bpref`, where no document was judged not relevant: 0/0", "NaN", "1"),
        NotRepeated("`bpref`, where a document with a negative grade is above the relevant one", "0", "1"),
        NotRepeated("`ndcg@10-l2`: grades below 2 gain nothing there", "0 for grade 1", "an error"),
    ),
)
