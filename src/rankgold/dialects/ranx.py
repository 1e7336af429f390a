"""ranx."""

from rankgold.dialects.tool_facts import Dialect, NotRepeated

DIALECT = Dialect(
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
