"""Random collections for hypothesis: judgements and a run that do not fit together neatly, as in real life."""

import os

from hypothesis import settings
from hypothesis import strategies as st

# Text that sorts unlike numbers, unlike case-blind text, and beyond ASCII.
NUMERIC_IDS = ("1", "2", "9", "10", "11", "99", "100", "101", "1000")
TEXT_IDS = ("d1", "d2", "d10", "D1", "a", "é", "日本", "z_9", "z-10")
IDS = NUMERIC_IDS + TEXT_IDS
QUERIES = ("9", "10", "100", "q1", "Q1", "ü")

# Few values, so that ties are frequent; all of them exact in 32 bits, as pytrec_eval compares scores.
TIED_SCORES = st.sampled_from([-1.5, 0.0, 0.25, 1.0, 2.0, 3.5])
FLOAT32_SCORES = st.one_of(TIED_SCORES, st.floats(-1e6, 1e6, width=32))
GRADES = st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3])


def examples(count):
    """Settings with so many examples; ten times as many in the thorough profile."""
    return settings(max_examples=count * 10 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else count)


@st.composite
def collections(draw, scores=FLOAT32_SCORES, grades=GRADES, ids=IDS, queries=QUERIES, longest=14):
    """Judgements and a run as dicts of dicts, with at least one query in common.

    Some queries are missing on either side, some have no relevant document, some rankings are short, some documents
    are not judged, and some judged ones not retrieved.
    """
    names = draw(st.lists(st.sampled_from(queries), min_size=1, max_size=4, unique=True))
    sides = ["both", *(draw(st.sampled_from(["both", "both", "both", "judged", "ranked"])) for _ in names[1:])]
    judged = st.dictionaries(st.sampled_from(ids), grades, min_size=1, max_size=longest)
    ranked = st.dictionaries(st.sampled_from(ids), scores, min_size=1, max_size=longest)
    qrels = {name: draw(judged) for name, side in zip(names, sides, strict=True) if side != "ranked"}
    run = {name: draw(ranked) for name, side in zip(names, sides, strict=True) if side != "judged"}
    return qrels, run


@st.composite
def with_subtopics(draw, collection, names=("1", "2", "10", "b")):
    """The collection with judgements for subtopics: each document has grades for one or more of these names."""
    qrels, run = draw(collection)
    grades = st.dictionaries(st.sampled_from(names), GRADES, min_size=1, max_size=len(names))
    return {query: {document: draw(grades) for document in row} for query, row in qrels.items()}, run


def rows(tables):
    """(query, document, number) of every entry of a dict of dicts."""
    return [(query, document, number) for query, entries in tables.items() for document, number in entries.items()]


def write_trec(directory, qrels, run):
    """Both as TREC files in a directory: the two paths."""
    judgements, ranking = directory / "collection.qrels", directory / "system.run"
    judgements.write_text("".join(f"{q} 0 {d} {grade}\n" for q, d, grade in rows(qrels)), encoding="utf-8")
    ranking.write_text("".join(f"{q} Q0 {d} 1 {score!r} tag\n" for q, d, score in rows(run)), encoding="utf-8")
    return str(judgements), str(ranking)
