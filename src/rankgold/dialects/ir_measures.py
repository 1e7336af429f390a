"""ir_measures, with the conventions of the tools that it hands measures to."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

# How the providers of ir_measures order documents: as pytrec_eval; as cwl_eval and accuracy, which keep the order of
# the input; as compat, judged, msmarco and pyndeval; as gdeval.
PYTREC_EVAL = "score_bits=32"
INPUT_ORDER = "ties=input, score_bits=64"
IDS_ASCENDING = "ties=ascending, score_bits=64"
IDS_DESCENDING = "score_bits=64"

DIALECT = Dialect(
    name="ir_measures",
    tool="ir_measures",
    version="0.4.3",
    checked="the tool itself, on 200 random collections",
    measures=(
        "ap auc bpm bpref err f hit infap insq inst iprec judged ndcg nerr10 nerr11 nerr8 nerr9 num_q num_rel"
        " num_rel_ret num_ret p r rbp rprec rr sdcg set_map set_relative_p"
    ),
    policy=f"undefined=zero, {PYTREC_EVAL}",
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
