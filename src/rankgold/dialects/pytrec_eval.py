"""pytrec_eval, the code of trec_eval 9 in Python."""

from rankgold.dialects import trec_eval_9
from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
    name="pytrec_eval",
    tool="pytrec_eval",
    version="0.5.11",
    checked="the tool itself, on 200 random collections",
    measures=trec_eval_9.DIALECT.measures,
    policy="missing=skip, score_bits=32",
    defaults={"iprec": {"rounding": "up"}, "iprec_mean": {"rounding": "up"}},
    not_repeated=(
        NotRepeated("a query with negative grades only: it writes past its memory", "a crash", "0"),
        NotRepeated("`gm_map` of one query: it is the logarithm of `map`", "-0.6931 for a `map` of 0.5", "0.5"),
    ),
)
