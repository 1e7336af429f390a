"""trec_eval 10, the program of the TREC evaluations."""

from rankgold.dialects.tool_facts import Dialect
from rankgold.dialects.trec_eval_names import lists_of_labels

DIALECT = Dialect(
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
