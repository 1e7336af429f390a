"""The engine `duckdb`: matches runs in DuckDB, and fetches the attributes of queries."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from rankgold.data.fingerprints import Fingerprints
from rankgold.data.inputs import given_runs, run_name, unused_name
from rankgold.data.slice_queries import Division, divide
from rankgold.data.slices import Slices
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, database_for
from rankgold.engines.duckdb.fingerprints import fingerprint_of_run
from rankgold.engines.duckdb.inputs import excluded_documents, matchable_runs, read_judgements
from rankgold.engines.duckdb.matching import judgements_table, match_run
from rankgold.engines.duckdb.query_slices import attributes_of_queries, lowest_and_highest
from rankgold.engines.duckdb.transfer import DuckDBReader
from rankgold.engines.protocol import Engine, EngineReader, Result, Work
from rankgold.engines.request import Request
from rankgold.hits import Hits
from rankgold.matching.judgements import with_fingerprints
from rankgold.matching.table_judgements import TableJudgements


class DuckDBEngine:
    """Runs are matched in the database, on disk where they exceed its memory. Only hits come back."""

    name = "duckdb"

    def match(self, request: Request) -> Iterator[Hits]:
        with database_for(request.engine) as database:
            yield from _hits_by_run(database, request)

    def reduce(self, request: Request, work: Work[Result]) -> Result:
        with database_for(request.engine) as database:
            find = None if request.slices is None else partial(_division, database, request, request.slices)
            return work.whole(list(map(work.of_hits, _hits_by_run(database, request))), find)

    def plan(self, request: Request, work: Work[Any]) -> str:
        """The statements that match the first run, and DuckDB's plan for the one that finds the hits."""
        with database_for(request.engine) as database:
            judged = read_judgements(database, request)
            _, data = given_runs(request.run, request.columns)[0]
            run = next(matchable_runs(database, request, judged, data))
            judgements = judgements_table(database, judged.with_text_ids() if run.as_text else judged)
            count, excluded = statements.row_counts(run.query), excluded_documents(database, request)
            ranked = run.query if excluded is None else statements.remaining_rows(run.query, excluded)
            find, places = statements.join_judgements(ranked, judgements), statements.place_lists(ranked, "HITS", 0, 1)
            steps = {
                "1. Count the rows, and those that have a query, a document and a score": count,
                "2. Find the judged documents among them; kept as the temporary table HITS": find,
                "3. Find their places among the scores of their query; kept as PLACES": places,
            }
            if request.policy.ties != "average":
                title = "4. Where other documents have the score of a hit: count those that stand above it"
                steps[title] = statements.ties_above_hits(ranked, "HITS", "PLACES", request.policy.ties)
            if request.slices is not None:
                title = "5. If attributes are columns of these data: find those of each query; several are an error"
                steps[title] = lowest_and_highest("ROWS", "QUERY", {"QUERY": "QUERY", "ATTRIBUTE": "ATTRIBUTE"})
            own_plan = database.rows(f"EXPLAIN {find}")[0][1]
            parts = [f"-- {title}\n{sql.strip()};\n" for title, sql in steps.items()]
            return "\n".join([*parts, "-- DuckDB's plan for 2", own_plan.rstrip(), ""])

    @contextmanager
    def reader(self, request: Request) -> Iterator[EngineReader]:
        with database_for(request.engine) as database:
            yield DuckDBReader(database)


def _division(database: Database, request: Request, slices: Slices, queries: Sequence[Any]) -> Division:
    """The slices of these queries."""
    request.report("dividing queries into slices")
    attributes = attributes_of_queries(database, request, slices)
    return divide(attributes, queries, slices, of_all=request.topics is None)


def _hits_by_run(database: Database, request: Request) -> Iterator[Hits]:
    request.report("reading judgements")
    judged = read_judgements(database, request)
    excluded = excluded_documents(database, request)
    # Where ids are compared as text, and where they are not: the judgements, and the table that holds them.
    judgements: dict[bool, tuple[TableJudgements, str]] = {}
    names: list[str] = []
    for given, data in given_runs(request.run, request.columns):
        runs = list(matchable_runs(database, request, judged, data))
        for run in runs:
            name = run_name(given, run.name, len(runs))
            request.report(f"matching {name}")
            if run.as_text not in judgements:
                alike = judged.with_text_ids() if run.as_text else judged
                judgements[run.as_text] = alike, judgements_table(database, alike)
            hits = match_run(database, *judgements[run.as_text], replace(run, name=name), request.policy, excluded)
            if judged.fingerprint is not None:
                hits = with_fingerprints(hits, Fingerprints(judged.fingerprint, fingerprint_of_run(database, run)))
            names.append(unused_name(name, names))
            yield replace(hits, name=names[-1])


ENGINE: Engine = DuckDBEngine()
