"""Small collections for demonstrations and tests: searches with judgements, and recommendations of dishes."""

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """Where a file is: qrels.txt, queries.tsv, titles.trec, bm25.trec and expanded.trec of the searches; of the
    recommendations dishes.csv, orders.csv, bestsellers.csv and neighbours.csv.

    >>> path("qrels.txt").name
    'qrels.txt'
    """
    return Path(str(files(__package__).joinpath(name)))
