"""The engine DuckDB: runs are matched in the database, out of core if need be, and only hits come back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rankgold.data.inputs import given_runs, run_name, unused_name
from rankgold.engines import Work
from rankgold.engines.duckdb import statements
from rankgold.engines.duckdb.database import Database, opened
from rankgold.engines.duckdb.inputs import Prepared, judgements, runs
from rankgold.engines.duckdb.matching import judgements_table, match_run
from rankgold.hits import Hits
from rankgold.matching.tables import TableJudgements
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import score_run

OPTIONS = frozenset({"memory_limit"})


def scores(work: Work) -> Scores:
    """The scores of every run."""
    with opened(work.session, work.memory_limit) as database:
        measured = [score_run(hits, work.measures) for hits in _matched(database, work)]
    return Scores(measured, work.measures, work.policy)


def plan(work: Work) -> str:
    """The statements that the first run is matched with, and what DuckDB makes of the one that finds the hits."""
    with opened(work.session, work.memory_limit) as database:
        judged = judgements(database, work)
        _, source = given_runs(work.run)[0]
        one = next(runs(database, work, judged, source))
        view = judgements_table(database, judged.with_text_ids() if one.as_text else judged)
        find = statements.found(one.run, view)
        explained = database.rows(f"EXPLAIN {find}")[0][1]
        told = {
            "1. How many rows there are, and whether any of them lacks something": statements.checks(one.run),
            "2. The judged documents among them, kept as the temporary table HITS": find,
            "3. Where these stand among the scores of their query, kept as PLACES": statements.places(
                one.run, "HITS", 0, 1
            ),
        }
        if work.policy.ties != "average":
            title = "4. Which of the documents with the score of a hit stand above it, if there are any"
            told[title] = statements.tied_above(one.run, "HITS", "PLACES", work.policy.ties)
        parts = [f"-- {title}\n{sql.strip()};\n" for title, sql in told.items()]
        return "\n".join([*parts, "-- DuckDB's plan for 2", explained.rstrip(), ""])


def _matched(database: Database, work: Work) -> Iterator[Hits]:
    tell = work.progress or (lambda *_: None)
    tell("reading judgements", 0.0, 0)
    judged = judgements(database, work)
    views: dict[bool, tuple[TableJudgements, str]] = {}
    taken: list[str] = []
    for given, source in given_runs(work.run):
        prepared = list(runs(database, work, judged, source))
        for one in prepared:
            name = run_name(given, one.name, len(prepared))
            tell(f"matching {name}", 0.0, 0)
            if one.as_text not in views:
                same = judged.with_text_ids() if one.as_text else judged
                views[one.as_text] = same, judgements_table(database, same)
            hits = _hits_of(database, one, *views[one.as_text], work)
            taken.append(unused_name(name, taken))
            yield replace(hits, name=taken[-1])


def _hits_of(database: Database, one: Prepared, judged: TableJudgements, view: str, work: Work) -> Hits:
    hits = match_run(database, judged, view, one.run, work.policy, one.name, one.label)
    return replace(hits, notes=replace(hits.notes, remarks=hits.notes.remarks + one.remarks))
