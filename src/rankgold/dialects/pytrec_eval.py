"""pytrec_eval, the code of trec_eval 9 in Python."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
    name="pytrec_eval",
    tool="pytrec_eval",
    version="0.5.11",
    checked="the tool itself, on 200 random collections",
    measures=(
        "ap bing bpref f g gm_bpref gmap hit infap iprec iprec_mean ndcg ndcg_rel num_nonrel_judged_ret num_q"
        " num_rel num_rel_ret num_ret p r rndcg rprec rprec_mult rr set_map set_relative_p utility"
    ),
    policy="missing=skip, score_bits=32",
    defaults={"iprec": {"rounding": "up"}, "iprec_mean": {"rounding": "up"}},
    not_repeated=(
        NotRepeated("a query with negative grades only: it writes past its memory", "a crash", "0"),
        NotRepeated("`gm_map` of one query: it is the logarithm of `map`", "-0.6931 for a `map` of 0.5", "0.5"),
    ),
    page="pytrec_eval",
)
