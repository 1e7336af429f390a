"""trec_eval 10, the program of the TREC evaluations."""

from rankgold.dialects.table import Dialect

DIALECT = Dialect(
    name="trec_eval",
    tool="trec_eval",
    version="10.0",
    checked="outputs of the program, byte for byte",
    policy="missing=skip",
    page="trec_eval",
)
