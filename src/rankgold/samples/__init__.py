"""A small search collection, judged and ranked by three systems, for demonstrations and tests."""

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """Where a file of the collection is: qrels.txt, queries.tsv, titles.trec, bm25.trec or expanded.trec.

    >>> path("qrels.txt").name
    'qrels.txt'
    """
    return Path(str(files(__package__).joinpath(name)))
