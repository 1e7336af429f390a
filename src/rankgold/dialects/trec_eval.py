"""trec_eval 10, the program of the TREC evaluations."""

from rankgold.dialects.tool_facts import Dialect

DIALECT = Dialect(
    name="trec_eval",
    tool="trec_eval",
    version="10.0",
    checked="outputs of the program, byte for byte",
    measures=(
        "ap bing bpref f g gm_bpref gmap hit infap iprec iprec_mean ndcg ndcg_rel num_nonrel_judged_ret num_q"
        " num_rel num_rel_ret num_ret p r rndcg rprec rprec_mult rr set_map set_relative_p utility"
    ),
    policy="missing=skip",
)
