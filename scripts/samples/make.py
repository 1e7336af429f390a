"""Ranks the sample collection with three small systems and writes the files of src/rankgold/data/samples.

    python scripts/samples/make.py

`titles` counts query words in titles. `bm25` is Okapi BM25 over title and text, with stems. `expanded` adds synonyms to
the query and counts a title word twice. The same files come out every time.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from collection import Document, Query, documents, queries

TARGET = Path(__file__).resolve().parents[2] / "src" / "rankgold" / "samples"
DEPTH = 20

# Okapi's usual constants: how soon repetition stops paying, and how far long documents are held back.
K1, B = 1.2, 0.75

SYNONYM_WEIGHT = 0.5
TITLE_BOOST = 2

STOP_WORDS = """
    a about after all an and any are as at be before but by can could do does done for from get getting give has have
    how i if in into is it its know less many me more much my no not of off on one only or out so some something than
    that the them then there they this to too until up use what when where which while why will with without won't
    you your
"""

# Words a cook would exchange for one another, a line for each set.
SYNONYMS = """
    bread loaf
    fridge refrigerator chill
    freeze frozen freezer ice
    keep store
    leftovers yesterday
    pan skillet pot saucepan
    sticky gluey
    stick stuck cling
    sharp sharpen hone keen
    blunt dull
    knife blade
    collapse sink
    cake sponge
    substitute replace
    chicken poultry bird
    salty salt seasoned
    curdle split separate
    burnt black charred
    quickly fast quick
    dinner supper
    crispy crisp crunchy
    oven roast
    tender soft juicy
    thicken thick bind
    sauce gravy
    vegan dairy
    remove descale dissolve
    smell odour stink
    scraps peelings
    spicy fiery chilli
    poison safe germ bacteria
    ripe overripe
    harsh bitter
    rise prove
    boil simmer
    soup broth stock
"""

Score = Callable[[Query], dict[str, float]]


def words(text: str) -> list[str]:
    """The words of a text in lower case, without stop words.

    >>> words("Is the pan too hot?")
    ['pan', 'hot']
    """
    stopped = STOP_WORDS.split()
    return [word for word in re.findall(r"[a-z0-9']+", text.lower()) if word not in stopped]


def stem(word: str) -> str:
    """A word without its commonest endings; what is left need not be a word.

    >>> [stem(word) for word in ("freezing", "freeze", "stopped", "stop", "berries", "berry")]
    ['freez', 'freez', 'stop', 'stop', 'berr', 'berr']
    """
    word = word.removesuffix("'s")
    for ending in ("ing", "ies", "ed", "es", "s", "ly", "e", "y"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and not word.endswith("ss"):
            doubled = ending in ("ing", "ed") and root[-1] == root[-2] and root[-1] not in "lsz"
            return root[:-1] if doubled else root
    return word


def stems(text: str) -> list[str]:
    """The stems of the words of a text, in order."""
    return [stem(word) for word in words(text)]


def titles(collection: Iterable[Document]) -> Score:
    """How many query words the title of a document has, as they were typed."""
    bags = {document.id: set(words(document.title)) for document in collection}
    return lambda query: {id: float(sum(word in bag for word in words(query.text))) for id, bag in bags.items()}


def bm25(collection: Iterable[Document]) -> Score:
    """Okapi BM25 over title and text."""
    weight = _okapi({document.id: stems(f"{document.title} {document.text}") for document in collection})
    return lambda query: weight(dict.fromkeys(stems(query.text), 1.0))


def expanded(collection: Iterable[Document]) -> Score:
    """Okapi BM25 with titles counted again and the query widened by synonyms, which weigh less than its own words."""
    bags = {document.id: stems(f"{document.title} " * TITLE_BOOST + document.text) for document in collection}
    weight, wider = _okapi(bags), _synonyms()

    def scores(query: Query) -> dict[str, float]:
        own = dict.fromkeys(stems(query.text), 1.0)
        added = {other: SYNONYM_WEIGHT for word in own for other in wider.get(word, ())}
        return weight(added | own)

    return scores


def _okapi(bags: Mapping[str, list[str]]) -> Callable[[Mapping[str, float]], dict[str, float]]:
    """A function from weighted query stems to the BM25 score of every document."""
    counts = {id: Counter(bag) for id, bag in bags.items()}
    holders = Counter(word for count in counts.values() for word in count)
    mean_length = sum(map(len, bags.values())) / len(bags)

    def rarity(word: str) -> float:
        return math.log(1 + (len(bags) - holders[word] + 0.5) / (holders[word] + 0.5))

    def saturated(id: str, word: str) -> float:
        held_back = K1 * (1 - B + B * len(bags[id]) / mean_length)
        return counts[id][word] * (K1 + 1) / (counts[id][word] + held_back)

    return lambda query: {
        id: sum(weight * rarity(word) * saturated(id, word) for word, weight in query.items()) for id in bags
    }


def _synonyms() -> dict[str, list[str]]:
    """The stems that may stand for a stem."""
    rows = [list(dict.fromkeys(stems(row))) for row in SYNONYMS.strip().splitlines()]
    return {word: [other for other in row if other != word] for row in rows for word in row}


def ranking(scores: Mapping[str, float]) -> list[tuple[str, str]]:
    """The best documents with their scores as written; documents whose written scores tie stand by id, descending."""
    written = [(f"{score:.4f}", id) for id, score in scores.items() if score > 0]
    return [(id, score) for score, id in sorted(written, key=lambda row: (float(row[0]), row[1]), reverse=True)][:DEPTH]


def run_lines(tag: str, score: Score, asked: Iterable[Query]) -> list[str]:
    """A system's rankings in TREC form."""
    return [
        f"{query.id} Q0 {document} {rank} {value} {tag}"
        for query in asked
        for rank, (document, value) in enumerate(ranking(score(query)), start=1)
    ]


def files() -> dict[str, list[str]]:
    """The lines of each file, by its name."""
    collection, asked = documents(), queries()
    systems = {"titles": titles, "bm25": bm25, "expanded": expanded}
    return {
        "queries.tsv": ["query\ttext", *(f"{query.id}\t{query.text}" for query in asked)],
        "qrels.txt": [f"{query.id} 0 {id} {grade}" for query in asked for id, grade in query.grades.items()],
        **{f"{tag}.trec": run_lines(tag, system(collection), asked) for tag, system in systems.items()},
    }


if __name__ == "__main__":
    for name, lines in files().items():
        (TARGET / name).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
