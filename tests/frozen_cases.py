"""Fixed seeds -> fifty random collections, and each of them in every form that a package takes.

Nothing here comes from the package under test, which is a parameter: another version can be given the same data.
"""

import gzip
import json
import random
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np

POLICIES = (
    "default", "trec_eval", "hivemall", "ties=ascending", "ties=input", "ties=average", "unjudged_queries=error",
    "no_relevant=skip", "no_relevant=one", "no_relevant=undefined", "unjudged=condensed", "duplicates=first",
    "duplicates=last", "undefined=zero", "score_bits=32", "ties=average, unjudged=condensed",
    "ties=input, unjudged=condensed",
)  # fmt: skip
ALL_PARTS = range(len(POLICIES))
# The scores were frozen when the policy of this name did not change the parameters of measures, as the dialect does.
HIVEMALL = "ties=input, missing=skip, duplicates=first"


@dataclass(frozen=True)
class Collection:
    """Judgements and a run as rows, the same wherever Python is the same."""

    qrels: list[tuple[object, object, float]]
    run: list[tuple[object, object, float]]
    repeated: list[tuple[object, object, float]] = field(default_factory=list)
    """Documents that the run holds once more, for policies that allow it."""

    @cached_property
    def n_queries(self):
        return len({query for query, _, _ in self.qrels})


def collections():
    """Fifty of them: 48 small ones that differ in ids, grades, scores and lengths, and two larger."""
    for number in range(48):
        yield _collection(
            random.Random(f"small {number}"), number, queries=1 + number % 7, longest=(3, 8, 25)[number % 3]
        )
    yield _collection(random.Random("larger"), 48, queries=90, longest=60)
    # More hits and judgements than are worked on at once.
    yield _collection(random.Random("large"), 52, queries=700, longest=150)


def _collection(chance, number, *, queries, longest):
    ids = _ids(chance, number % 4, longest * 2)
    names = _ids(chance, (number // 4) % 4, queries + 2)
    grades = ((0, 1), (0, 0, 1, 2, 3), (-2, -1, 0, 1, 2, 4), (0, 0.25, 0.5, 1, 1.5, 2.75))[(number // 2) % 4]
    qrels, run = [], []
    for place, name in enumerate(names):
        judged = [] if place == 1 and queries > 3 else chance.sample(ids, chance.randint(1, longest))
        ranked = [] if place == 2 and queries > 3 else chance.sample(ids, chance.randint(1, longest))
        only_poor = place > 3 and chance.random() < 0.1
        qrels += [
            (name, document, min(chance.choice(grades), 0) if only_poor else chance.choice(grades))
            for document in judged
        ]
        run += [(name, document, _score(chance, number % 5)) for document in ranked]
    if number % 2:
        chance.shuffle(run)
    repeated = [(name, document, _score(chance, 2)) for name, document, _ in chance.sample(run, min(len(run), 4))]
    return Collection(qrels, run, repeated)


def _ids(chance, kind, count):
    """Ids of one kind: numbers, numbers as text, plain text, text beyond ASCII."""
    numbers = chance.sample(range(1, 40 * count), count)
    if kind == 0:
        return numbers
    return [(str, "d{:04d}".format, "é{}-日本".format)[kind - 1](number) for number in numbers]


def _score(chance, kind):
    """Scores of one kind: distinct, few values, halves, whole numbers, or equal as 32-bit numbers."""
    return (
        chance.uniform(-50, 50),
        chance.choice((0.1, 0.2, 0.7)),
        chance.randint(-6, 6) / 2,
        float(chance.randint(0, 9)),
        1 + chance.randint(0, 3) / 4 + chance.randint(0, 2) * 2.0**-40,
    )[kind]


class Forms:
    """A collection in every form that the package takes, as a policy has it: each method gives scores."""

    def __init__(self, package, case, measures, folder):
        self.package, self.measures, self.folder = package, measures, folder
        names = {"default": package.__name__, "hivemall": HIVEMALL}
        self.policy = names.get(case.policy, case.policy)
        self.repeats = "duplicates" in case.policy or case.policy == "hivemall"
        self.qrels = case.collection.qrels
        self.run = case.collection.run + (case.collection.repeated if self.repeats else [])

    def polars_frame(self):
        return self._evaluate(self._frame("grade"), self._frame("score"))

    def dict_of_dicts(self):
        return None if self.repeats else self._evaluate(_tables(self.qrels), _tables(self.run))

    def dict_of_lists(self):
        return self._evaluate(_tables(self.qrels), self._lists())

    def pandas_frame(self):
        return self._evaluate(self._frame("grade").to_pandas(), self._frame("score").to_pandas())

    def arrow_table(self):
        return self._evaluate(self._frame("grade").to_arrow(), self._frame("score").to_arrow())

    def records(self):
        return self._evaluate(self._frame("grade").to_dicts(), self._frame("score").to_dicts())

    def trec_file(self):
        return self._evaluate(*self._trec(lambda path, text: path.write_text(text, encoding="utf-8"), ""))

    def trec_file_packed(self):
        return self._evaluate(*self._trec(lambda path, text: path.write_bytes(gzip.compress(text.encode())), ".gz"))

    def csv_file(self):
        return self._evaluate(*self._written("csv", lambda frame, path: frame.write_csv(path)))

    def json_lines_file(self):
        return self._evaluate(*self._written("jsonl", lambda frame, path: frame.write_ndjson(path)))

    def parquet_file(self):
        return self._evaluate(*self._written("parquet", lambda frame, path: frame.write_parquet(path)))

    def arrow_file(self):
        return self._evaluate(*self._written("arrow", lambda frame, path: frame.write_ipc(path)))

    def json_file(self):
        if self.repeats:
            return None
        for name, rows in (("qrels", self.qrels), ("run", self.run)):
            (self.folder / f"{name}.json").write_text(json.dumps(_tables(rows)), encoding="utf-8")
        return self._evaluate(self.folder / "qrels.json", self.folder / "run.json")

    def duckdb_frame(self):
        return self._evaluate(self._frame("grade"), self._frame("score"), engine="duckdb")

    def duckdb_parquet_file(self):
        paths = self._written("parquet", lambda frame, path: frame.write_parquet(path))
        return self._evaluate(*paths, engine="duckdb")

    def duckdb_trec_file(self):
        paths = self._trec(lambda path, text: path.write_text(text, encoding="utf-8"), "")
        return self._evaluate(*paths, engine="duckdb")

    def lists(self):
        qrels, ranked = _tables(self.qrels), self._lists()
        hits = self.package.from_lists(
            [ranked.get(query, []) for query in qrels], list(qrels.values()), queries=list(qrels), policy=self.policy
        )
        return self.package.evaluate(hits, self.measures)

    def labels(self):
        qrels, ranked = _tables(self.qrels), self._lists()
        labels = [[qrels[query].get(document, 0) for document in ranked.get(query, [])] for query in qrels]
        ideal = [
            [*row, *(grade for document, grade in qrels[query].items() if document not in ranked.get(query, []))]
            for query, row in zip(qrels, labels, strict=True)
        ]
        hits = self.package.from_labels(labels, ideal=ideal, queries=list(qrels), policy=self.policy)
        return self.package.evaluate(hits, self.measures)

    def arrays(self):
        qrels, run = _tables(self.qrels), _tables(self.run)
        rows = [
            (qrels[query].get(document, 0), score) for query in qrels for document, score in run.get(query, {}).items()
        ]
        hits = self.package.from_arrays(
            *(np.array(column, dtype=float) for column in zip(*rows, strict=True)),
            groups=[len(run.get(query, {})) for query in qrels],
            queries=list(qrels),
            policy=self.policy,
        )
        return self.package.evaluate(hits, self.measures)

    def batches(self):
        """In three batches; the highest grade of all judgements is unknown to each, so its measures are left out."""
        if self.repeats:
            return None
        known = [text for text in self.measures if not self.package.parse_measure(text).takes_scale_from_judgements]
        accumulator = self.package.Accumulator(known, self.policy, per_query=True)
        qrels, run = _tables(self.qrels), _tables(self.run)
        unjudged = {query: row for query, row in run.items() if query not in qrels}
        for queries in filter(None, (list(qrels)[first::3] for first in range(3))):
            rankings = {query: run[query] for query in queries if query in run}
            accumulator.update({query: qrels[query] for query in queries}, {**rankings, **unjudged})
            unjudged = {}
        return accumulator.scores()

    def _evaluate(self, qrels, run, **options):
        return self.package.evaluate(qrels, run, self.measures, policy=self.policy, **options)

    def _frame(self, number):
        import polars

        rows = self.qrels if number == "grade" else self.run
        queries, documents, numbers = zip(*rows, strict=True)
        return polars.DataFrame({"query": queries, "document": documents, number: list(map(float, numbers))})

    def _lists(self):
        """The documents of each query from the best score down, as they stand where scores are equal."""
        ranked = {}
        for query, document, _ in sorted(self.run, key=lambda row: -row[2]):
            ranked.setdefault(query, []).append(document)
        return ranked

    def _trec(self, write, ending):
        qrels = "".join(f"{query} 0 {document} {grade}\n" for query, document, grade in self.qrels)
        run = "".join(f"{query} Q0 {document} 1 {score!r} run\n" for query, document, score in self.run)
        paths = self.folder / f"collection.qrels{ending}", self.folder / f"run.trec{ending}"
        for path, text in zip(paths, (qrels, run), strict=True):
            write(path, text)
        return paths

    def _written(self, ending, write):
        paths = self.folder / f"qrels.{ending}", self.folder / f"run.{ending}"
        for path, number in zip(paths, ("grade", "score"), strict=True):
            write(self._frame(number), path)
        return paths


def _tables(rows):
    tables = {}
    for query, document, number in rows:
        tables.setdefault(query, {})[document] = number
    return tables


@dataclass(frozen=True)
class Case:
    """A collection under a policy, and the forms it is given in."""

    number: int
    collection: Collection
    policy: str
    forms: list[str]

    def __str__(self):
        return f"{self.number} {self.policy}"


def cases(parts=ALL_PARTS, first=0, step=1):
    """Every collection under every policy, as a frame and in a fifth of the other forms.

    They come in as many parts as there are policies; each part has all collections, policies and forms. With a step,
    only so many of the collections are taken, from the first on.
    """
    frame, *others = (name for name in vars(Forms) if not name.startswith("_"))
    for number, collection in islice(enumerate(collections()), first, None, step):
        for i, policy in enumerate(POLICIES):
            if (number + i) % len(POLICIES) in parts:
                forms = [form for j, form in enumerate(others) if (number + 2 * i + j) % 5 == 0]
                yield Case(number, collection, policy, [frame, *forms])
