"""A case in, Scores out: the same collection in every form that the package takes, and by every way through it.

Not every form holds all of a collection: a table has no query without rows, a list has no scores. `as_held` says what
of the case a form holds, and the reference is asked about that.
"""

import contextlib
import gzip
import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pandas
import polars as pl

import rankgold
from rankgold.data import chunks, inputs
from tests.fuzz.cases import with_text_ids


@dataclass(frozen=True)
class Form:
    name: str
    evaluate: Callable
    """(case, folder, random) -> Scores."""
    as_held: Callable
    can_hold: Callable
    engine: str = "local"
    has_all_notes: bool = True
    """Whether its notes are about the collection as it was given."""


FORMS: dict[str, Form] = {}


def form(as_held, can_hold=lambda case: True, **facts):
    def add(function):
        name = function.__name__.replace("_", " ")
        FORMS[name] = Form(name, function, as_held, can_hold, **facts)
        return function

    return add


# What a form holds of a case.


def whole(case):
    return case


def in_rows(case):
    """Without queries that have no rows."""
    return replace(
        case, **{side: {q: rows for q, rows in getattr(case, side).items() if rows} for side in ("qrels", "run")}
    )


def in_one_type(case):
    """With all ids as text, where some are integers and others text."""
    queries = {type(query) for side in (case.qrels, case.run) for query in side}
    documents = {type(d) for side in (case.qrels, case.run) for rows in side.values() for d, _ in rows}
    if len(queries) < 2 and len(documents) < 2:
        return case
    return replace(case, qrels=with_text_ids(case.qrels), run=with_text_ids(case.run))


def ranked_lists(case):
    """Ranked documents without scores: equal scores stand in the order of the input."""
    run = {
        q: [(d, -place) for place, (d, _) in enumerate(sorted(rows, key=lambda row: -row[1]), 1)]
        for q, rows in case.run.items()
    }
    return replace(case, run=run)


def relevant_lists(case):
    """Ranked documents, and the relevant documents without grades."""
    return replace(
        ranked_lists(case), qrels={q: [(d, 1) for d, grade in rows if grade >= 1] for q, rows in case.qrels.items()}
    )


def labels(case):
    """The grades of ranked documents: every returned document is judged, and no other query is known."""
    case = ranked_lists(in_one_type(case))
    run = {q: case.run.get(q, []) for q in case.qrels}
    qrels = {q: rows + [(d, 0) for d, _ in run[q] if d not in dict(rows)] for q, rows in case.qrels.items()}
    return replace(case, qrels=qrels, run=run)


def arrays(case):
    """Grades and scores of the returned documents alone, which are named by their places."""
    case = in_one_type(case)
    qrels, run = {}, {}
    for query, judged in case.qrels.items():
        rows = [(f"{place:06d}", document, score) for place, (document, score) in enumerate(case.run.get(query, []))]
        qrels[query] = [(place, dict(judged).get(document, 0)) for place, document, _ in rows]
        run[query] = [(place, score) for place, _, score in rows]
    return replace(case, qrels=qrels, run=run)


# What a form can hold at all.


def without_repeats(case):
    return not case.has_repeats


def _run_repeats_only(case):
    return all(len({d for d, _ in rows}) == len(rows) for rows in case.qrels.values())


def trec_ids(case):
    """Fields are separated by spaces and tabs, and a line that starts with # is a comment."""
    return not any(set(id_) & set(" \t\r\n") or id_.startswith("#") or not id_ for id_ in case.ids)


# Dicts, lists and frames.


def tables(side):
    return {query: dict(rows) for query, rows in side.items()}


def evaluated(case, qrels, run, **options):
    return rankgold.evaluate(qrels, run, list(case.measures), policy=case.policy, **options)


def frame(side, number, random=None):
    """The rows of one side as a Polars frame; in any order of the queries, if random."""
    rows = [(query, document, number) for query, rows in side.items() for document, number in rows]
    if random is not None:
        rows = interleaved(rows, random)
    columns = {"query": _ids(row[0] for row in rows), "document": _ids(row[1] for row in rows)}
    return pl.DataFrame({**columns, number: pl.Series([float(row[2]) for row in rows], dtype=pl.Float64)})


def interleaved(rows, random):
    """The rows of all queries mixed; those of one query stay in their order."""
    of_query = {}
    for row in rows:
        of_query.setdefault(row[0], []).append(row)
    turns = [query for query, own in of_query.items() for _ in own]
    random.shuffle(turns)
    return [of_query[query].pop(0) for query in turns]


def _ids(ids):
    """A column of ids: text, unless all of them are integers."""
    ids = list(ids)
    if ids and all(isinstance(id_, int) for id_ in ids):
        return pl.Series(ids, dtype=pl.Int64)
    return pl.Series(list(map(str, ids)), dtype=pl.String)


def frames(case, random=None):
    return frame(case.qrels, "grade", random), frame(case.run, "score", random)


@form(whole, without_repeats)
def dict_of_dicts(case, folder, random):
    return evaluated(case, tables(case.qrels), tables(case.run))


@form(ranked_lists, _run_repeats_only)
def dict_of_lists(case, folder, random):
    return evaluated(case, tables(case.qrels), {query: [d for d, _ in rows] for query, rows in case.run.items()})


@form(relevant_lists, without_repeats)
def lists_of_relevant_documents(case, folder, random):
    lists = ({query: [d for d, _ in rows] for query, rows in side.items()} for side in (case.qrels, case.run))
    return evaluated(case, *lists)


@form(whole, without_repeats)
def matched_first(case, folder, random):
    hits = rankgold.match(tables(case.qrels), tables(case.run), policy=case.policy)
    return rankgold.evaluate(hits, list(case.measures))


@form(whole, without_repeats)
def two_runs(case, folder, random):
    other = {query: [(f"other {d}", n) for d, n in rows] for query, rows in case.run.items()}
    scores = evaluated(case, tables(case.qrels), {"this": tables(case.run), "that": tables(other)})
    return only_run(scores, "this")


def only_run(scores, name):
    """The scores of one run among several, as far as they are compared."""
    rows = [{k: v for k, v in row.items() if k != "run"} for row in scores.per_query.to_dicts() if row["run"] == name]
    return SimpleNamespace(per_query=SimpleNamespace(to_dicts=lambda: rows), means=scores.means[name])


@form(in_rows)
def polars_frame(case, folder, random):
    return evaluated(case, *frames(case))


@form(in_rows)
def polars_frame_mixed(case, folder, random):
    return evaluated(case, *frames(case, random))


@form(in_rows)
def pandas_frame(case, folder, random):
    return evaluated(case, *(table.to_pandas() for table in frames(case)))


@form(in_rows)
def pandas_frame_of_objects(case, folder, random):
    frames = []
    for side, number in ((case.qrels, "grade"), (case.run, "score")):
        rows = [(query, document, value) for query, rows in side.items() for document, value in rows]
        frames.append(pandas.DataFrame(rows, columns=["query", "document", number], dtype=object))
    return evaluated(case, *frames)


@form(in_rows)
def arrow_table(case, folder, random):
    return evaluated(case, *(table.to_arrow() for table in frames(case)))


@form(in_rows)
def records(case, folder, random):
    sides = (case.qrels, "grade"), (case.run, "score")
    return evaluated(
        case,
        *(
            [{"query": q, "document": d, name: value} for q, rows in side.items() for d, value in rows]
            for side, name in sides
        ),
    )


@form(in_rows, without_repeats)
def dict_and_frame(case, folder, random):
    return evaluated(case, tables(case.qrels), frame(case.run, "score"))


@form(in_rows, without_repeats)
def frame_and_dict(case, folder, random):
    return evaluated(case, frame(case.qrels, "grade"), tables(case.run))


@form(in_rows, without_repeats)
def integers_as_text_on_one_side(case, folder, random):
    run = {str(query): {str(d): score for d, score in rows} for query, rows in case.run.items()}
    return evaluated(case, frame(case.qrels, "grade"), run)


# Lists of ids, of grades, arrays.


def _has_queries(case):
    return bool(case.qrels) and without_repeats(case)


@form(labels, _has_queries)
def from_labels(case, folder, random):
    grades = tables(case.qrels)
    ranked = [[grades[query][d] for d, _ in rows] for query, rows in case.run.items()]
    ideal = [list(grades[query].values()) for query in case.run]
    hits = rankgold.from_labels(ranked, ideal=ideal, queries=list(case.run), policy=case.policy)
    return rankgold.evaluate(hits, list(case.measures))


@form(labels, _has_queries)
def from_lists(case, folder, random):
    hits = rankgold.from_lists(
        [[d for d, _ in rows] for rows in case.run.values()], list(tables(case.qrels).values()),
        queries=list(case.qrels), policy=case.policy,
    )  # fmt: skip
    return rankgold.evaluate(hits, list(case.measures))


@form(arrays, _has_queries)
def flat_arrays(case, folder, random):
    rows = [
        (grade, score)
        for query, run in case.run.items()
        for (_, grade), (_, score) in zip(case.qrels[query], run, strict=True)
    ]
    grade, score = (np.array([row[i] for row in rows], dtype=float) for i in (0, 1))
    hits = rankgold.from_arrays(
        grade, score, groups=[len(rows) for rows in case.run.values()], queries=list(case.run), policy=case.policy
    )
    return rankgold.evaluate(hits, list(case.measures))


@form(arrays, _has_queries)
def padded_arrays(case, folder, random):
    width = max(1, max(map(len, case.run.values())))
    grade, score, mask = (
        np.full((len(case.run), width), 7.0),
        np.full((len(case.run), width), 1e300),
        np.zeros((len(case.run), width), bool),
    )
    for i, query in enumerate(case.run):
        for j, ((_, judged), (_, scored)) in enumerate(zip(case.qrels[query], case.run[query], strict=True)):
            grade[i, j], score[i, j], mask[i, j] = judged, scored, True
    hits = rankgold.from_arrays(grade, score, mask=mask, queries=list(case.run), policy=case.policy)
    grade[:], score[:], mask[:] = -5, np.arange(width), False  # the caller uses the memory again
    return rankgold.evaluate(hits, list(case.measures))


# Batches.


def _in_batches(case):
    """An unjudged query must not come with every batch, and a scale must not differ between batches."""
    return (
        without_repeats(case)
        and bool(case.qrels)
        and not any(measure.takes_scale_from_judgements for measure in case.parsed_measures.values())
        and bool(set(map(str, case.qrels)) & set(map(str, case.run)))
    )


@form(in_one_type, _in_batches)
def accumulator(case, folder, random):
    """The queries in random batches, added to accumulators that are then merged."""
    queries = random.sample(list(case.qrels), len(case.qrels))
    unjudged = {query: dict(rows) for query, rows in case.run.items() if query not in case.qrels}
    parts = []
    while queries:
        batch = [queries.pop() for _ in range(min(len(queries), random.randint(1, 3)))]
        part = rankgold.Accumulator(list(case.measures), case.policy, per_query=True)
        run = {query: dict(case.run[query]) for query in batch if query in case.run}
        part.update({query: dict(case.qrels[query]) for query in batch}, {**run, **unjudged} if run else {})
        unjudged = {} if run else unjudged
        parts.append(part)
    total = parts.pop()
    while parts:
        total.merge(parts.pop())
    return total.scores()


# Files.


def trec_text(case, random, separator=" "):
    """Both sides as TREC files; with other separators than one space, untidy ones."""
    qrels = [(q, "0", d, grade) for q, rows in case.qrels.items() for d, grade in rows]
    run = [(q, "Q0", d, 1, float(score), "tag") for q, rows in case.run.items() for d, score in rows]
    texts = []
    for rows in (qrels, run):
        lines = [separator.join(map(str, row)) for row in interleaved(rows, random)]
        texts.append("".join(f"{line}\n" for line in lines))
    return texts


def trec_files(case, folder, random, ending="", pack=bytes, separator=" "):
    paths = folder / f"judged.qrels{ending}", folder / f"system.run{ending}"
    for path, text in zip(paths, trec_text(case, random, separator), strict=True):
        path.write_bytes(pack(text.encode()))
    return [str(path) for path in paths]


@form(in_rows, trec_ids)
def trec_file(case, folder, random):
    return evaluated(case, *trec_files(case, folder, random))


@form(in_rows, trec_ids)
def trec_file_by_polars(case, folder, random):
    with patch.object(inputs, "SMALL", -1):
        return evaluated(case, *trec_files(case, folder, random))


@form(in_rows, trec_ids)
def untidy_trec_file(case, folder, random):
    return evaluated(case, *trec_files(case, folder, random, separator=" \t"))


@form(in_rows, trec_ids)
def packed_trec_file(case, folder, random):
    return evaluated(case, *trec_files(case, folder, random, ".gz", gzip.compress))


@contextlib.contextmanager
def in_parts(rows_in_memory=1000):
    """Every file is large and read in small chunks; through files on disk, if no row may be kept in memory."""
    with patch.object(inputs, "SMALL", -1), contextlib.ExitStack() as patches:
        sizes = {"LARGE": 10, "LARGE_TABLE": 3, "ROWS_AT_ONCE": 4, "ROWS_IN_MEMORY": rows_in_memory}
        for name, size in sizes.items():
            patches.enter_context(patch.object(chunks, name, size))
        yield


@form(in_rows, trec_ids)
def trec_file_in_chunks(case, folder, random):
    with in_parts():
        return evaluated(case, *trec_files(case, folder, random))


@form(in_rows, trec_ids)
def trec_file_through_disk(case, folder, random):
    with in_parts(rows_in_memory=0):
        return evaluated(case, *trec_files(case, folder, random))


@form(in_rows, trec_ids)
def standard_input(case, folder, random):
    qrels, run = trec_files(case, folder, random)
    with open(run, "rb") as content, patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.read()))):
        return evaluated(case, qrels, "-")


WRITERS = {
    "csv": lambda table, path: table.write_csv(path),
    "tsv": lambda table, path: table.write_csv(path, separator="\t"),
    "jsonl": lambda table, path: table.write_ndjson(path),
    "parquet": lambda table, path: table.write_parquet(path),
    "arrow": lambda table, path: table.write_ipc(path),
}


def written(case, folder, random, ending):
    paths = folder / f"judged.{ending}", folder / f"system.{ending}"
    for path, table in zip(paths, frames(case, random), strict=True):
        WRITERS[ending](table, path)
    return [str(path) for path in paths]


def _add_table_files():
    """A form for each kind of file that holds a table: at once, in chunks, through disk, and by DuckDB."""
    for ending in WRITERS:

        def at_once(case, folder, random, ending=ending):
            return evaluated(case, *written(case, folder, random, ending))

        def in_chunks(case, folder, random, ending=ending):
            with in_parts(random.choice([0, 1000])):
                return evaluated(case, *written(case, folder, random, ending))

        def by_duckdb(case, folder, random, ending=ending):
            return evaluated(case, *written(case, folder, random, ending), engine="duckdb")

        ways = (
            (at_once, "file", "local"),
            (in_chunks, "file in chunks", "local"),
            (by_duckdb, "file by duckdb", "duckdb"),
        )
        for function, how, engine in ways:
            function.__name__ = f"{ending} {how}"
            form(in_rows, engine=engine)(function)


_add_table_files()


@form(whole, without_repeats)
def json_file(case, folder, random):
    paths = folder / "judged.json", folder / "system.json"
    for path, side in zip(paths, (case.qrels, case.run), strict=True):
        path.write_text(json.dumps(tables(side), ensure_ascii=random.random() < 0.5), encoding="utf-8")
    return evaluated(case, *map(str, paths))


@form(in_rows)
def json_records_file(case, folder, random):
    paths = folder / "judged.json", folder / "system.json"
    for path, table in zip(paths, frames(case), strict=True):
        path.write_text(json.dumps(table.to_dicts(), ensure_ascii=False), encoding="utf-8")
    return evaluated(case, *map(str, paths))


# DuckDB.


@form(in_rows, engine="duckdb")
def frames_by_duckdb(case, folder, random):
    return evaluated(case, *frames(case, random), engine="duckdb")


@form(whole, without_repeats, engine="duckdb")
def dicts_by_duckdb(case, folder, random):
    return evaluated(case, tables(case.qrels), tables(case.run), engine="duckdb")


@form(in_rows, engine="duckdb")
def duckdb_tables(case, folder, random):
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        for name, table in zip(("judged", "system"), frames(case, random), strict=True):
            connection.register("given", table)
            connection.execute(f"create table {name} as select * from given")
        return evaluated(case, "judged", "system", engine=connection)


@form(in_rows, trec_ids, engine="duckdb")
def trec_file_by_duckdb(case, folder, random):
    return evaluated(case, *trec_files(case, folder, random), engine="duckdb")


# Spark, whose frames have no order.


def has_no_order(case):
    """Whether the case needs no order of the rows."""
    policy = case.parsed_policy
    return without_repeats(case) and policy.ties != "input" and policy.duplicates == "error"


def spark_frame(table):
    from tests.spark import sessions

    session = sessions()["classic"]
    return session.createDataFrame(table.to_arrow(compat_level=pl.CompatLevel.oldest())).repartition(2)


@form(in_rows, lambda case: has_no_order(case) and any(case.qrels.values()) and any(case.run.values()), engine="spark")
def spark_frames(case, folder, random):
    return evaluated(case, *map(spark_frame, frames(case)))


@form(in_rows, lambda case: has_no_order(case) and any(case.run.values()), engine="spark")
def dict_and_spark_frame(case, folder, random):
    return evaluated(case, tables(case.qrels), spark_frame(frame(case.run, "score")))


@form(in_rows, has_no_order, engine="spark")
def parquet_file_by_spark(case, folder, random):
    from tests.spark import sessions

    return evaluated(case, *written(case, folder, random, "parquet"), engine=sessions()["classic"])


@form(in_rows, lambda case: has_no_order(case) and trec_ids(case), engine="spark")
def trec_file_by_spark(case, folder, random):
    from tests.spark import sessions

    return evaluated(case, *trec_files(case, folder, random), engine=sessions()["classic"])


@form(whole, has_no_order, engine="spark")
def dicts_by_spark(case, folder, random):
    from tests.spark import sessions

    return evaluated(case, tables(case.qrels), tables(case.run), engine=sessions()["classic"])
