"""trec_eval 9, which most published numbers come from."""

from rankgold.dialects import trec_eval
from rankgold.dialects.tool_facts import Dialect

DIALECT = Dialect(
    name="trec_eval_9",
    tool="trec_eval 9",
    version="9.0.8",
    checked="pytrec_eval, which contains its code, on 200 random collections",
    measures=trec_eval.DIALECT.measures,
    policy="missing=skip, score_bits=32",
    defaults={"iprec": {"rounding": "up"}, "iprec_mean": {"rounding": "up"}},
    page="trec_eval",
)
