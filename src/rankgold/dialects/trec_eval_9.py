"""trec_eval 9, which most published numbers come from."""

from rankgold.dialects.tool_facts import Dialect
from rankgold.dialects.trec_eval_names import lists_of_labels

DIALECT = Dialect(
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
