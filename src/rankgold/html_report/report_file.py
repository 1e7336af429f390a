"""Judgements and runs in, an HTML report out: the data of all its parts, packed, within the limit of its size."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Unpack

from rankgold import __version__
from rankgold.data.inputs import given_runs, is_path
from rankgold.data.texts_by_id import query_texts
from rankgold.engines.protocol import ListKeywords
from rankgold.engines.request import Request
from rankgold.errors import ComparisonError, DataError, brief, check_whole_number, counted, in_a_row, listing, nearest
from rankgold.evaluation import takes_keywords
from rankgold.html_report.block_sizes import BlockSet, add_charts, add_documents, add_supposed, add_workings
from rankgold.html_report.core_data import core_data
from rankgold.html_report.named_documents import pool_of
from rankgold.html_report.page_file import page_file, page_size
from rankgold.html_report.report_data import ReportData
from rankgold.html_report.slices import division_by
from rankgold.html_report.working_data import counted_judgements, workings_of
from rankgold.output.atomic_file import check_writable, write_atomically
from rankgold.scoring.values import measures_by_label, score_all

MEASURES = ("ndcg@10", "ndcg@5", "ndcg@20", "ap", "rr", "p@5", "p@10", "r@10", "r@100")
"""The measures of a report, if no others are chosen. The first is shown first."""

_DEEPEST = 1000
_NAMED = 4
# For the names of blocks, and the sentences on what was left out.
_MARGIN = 5000
# More than any report has; also what an infinite limit means.
_MOST_MEGABYTES = 1e6


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A report: the text of its file, and where it was written."""

    html: str
    path: str | None
    runs: int
    queries: int

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file (atomically)."""
        write_atomically(self.html, os.fspath(path))

    def __repr__(self) -> str:
        where = "" if self.path is None else f" in {self.path}"
        size = len(self.html.encode("utf-8", "replace")) / 1e6
        about = f"{counted(self.runs, 'run')} and {counted(self.queries, 'query')}"
        return f"<Report of {about}, {size:.1f} MB{where}>"


class ReportKeywords(ListKeywords, total=False):
    """Keywords of `report` that are those of `evaluate` and `compare`."""

    exclude: Any
    rel: float | None
    draws: int | None
    seed: int


@takes_keywords(ReportKeywords)
def report(
    qrels: Any,
    runs: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    measures: Any = None,
    baseline: str | None = None,
    queries: Any = None,
    docs: Any = None,
    slices: Any = None,
    title: str | None = None,
    top: int = 20,
    charts: bool = True,
    megabytes: float = 15,
    **keywords: Unpack[ReportKeywords],
) -> Report:
    """One self-contained HTML file that compares runs: leaderboard, run against run, every query, every document.

    It is written to `path`, if there is one. It needs no network, and opens from disk.

    - `baseline` is the run that all others are compared with; otherwise each run is compared with each.
    - `queries` has the text of queries: a dict, or a TSV file of id and text. `docs` has titles and texts of documents:
      a dict, a JSONL file or a TSV file.
    - `slices` has attributes of queries, such as their language: a table with a column of queries.
    - `top` is how many ranks of each list are shown.
    - `charts` adds charts of cutoffs and distributions, which need Altair.
    - `megabytes` limits the size of the file. The file lists what was left out.
    - `draws` and `seed` are those of `compare`.

    Other keywords are those of `evaluate` and `compare`. With `engine`, a DuckDB connection or a Spark session,
    judgements, runs and `exclude` may be tables there: their rows are read, and the report is made in this process.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> old = {"q1": {"d1": 1, "x": 2}, "q2": {"d2": 1}}
    >>> new = {"q1": {"d1": 3, "x": 2}, "q2": {"d2": 1}}
    >>> page = report(qrels, {"old": old, "new": new}, measures=["rr"], queries={"q1": "first query"})
    >>> page.html.startswith("<!DOCTYPE html>")
    True
    """
    _check(top, megabytes)
    if path is not None:
        if not is_path(path):
            raise DataError(f"path must be the name of a file, not {type(path).__name__}.")
        check_writable(os.fspath(path))
    draws, seed = keywords.pop("draws", None), keywords.pop("seed", 0)
    reading = Request.of({"qrels": qrels, "run": runs}, **keywords)
    wanted = measures_by_label(measures, default=MEASURES, rel=reading.rel, dialect=reading.policy.dialect)
    texts = query_texts(queries)
    with reading.data_here() as here:
        qrels, runs, exclude = here.table(qrels, "qrels"), here.runs(runs), here.table(reading.exclude, "pairs")
        collection = ReportData.of(qrels, runs, exclude, reading)
    baseline = None if baseline is None else _known_run(str(baseline), collection.names)
    reading.report("measuring")
    scores = score_all(collection.hits, wanted)
    workings = workings_of(collection, scores)
    pool = pool_of(collection, top, counted_judgements(workings))
    sources = [qrels, *(run for _, run in given_runs(runs, reading.columns))]
    divide = division_by(slices, reading.columns, sources, of_all=reading.topics is None)
    choices = {"baseline": baseline, "draws": draws, "seed": seed}
    core = core_data(collection, scores, divide, choices, texts)
    core["title"] = title or _title(collection.names)
    reading.report("packing")
    found = BlockSet(min(megabytes, _MOST_MEGABYTES) * 1e6 - page_size() - len(core["title"]) - _MARGIN)
    found.add("core", core, must=True)
    found.add("pool", pool.to_columns(), must=True)
    add_workings(found, workings, pool, len(collection.queries))
    add_documents(found, pool, docs)
    if charts:
        add_charts(found, collection, scores)
    reading.report("supposing judgements")
    add_supposed(found, collection, pool, scores, core["values"], baseline)
    if found.room < 0:
        found.left_out.append(f"This file is larger than {megabytes:g} MB: values and lists are never left out.")
    found.add("left-out", {"sentences": found.left_out}, must=True)
    page = page_file(core["title"], __version__, found.blocks, found.vega)
    if path is not None:
        write_atomically(page, os.fspath(path))
    return Report(page, None if path is None else os.fspath(path), len(collection.names), len(collection.queries))


def _title(names: list[str]) -> str:
    """The names of the runs: titles, bm25 and expanded."""
    if len(names) > _NAMED:
        names = [*names[:_NAMED], counted(len(names) - _NAMED, "more run")]
    return in_a_row(names)


def _known_run(name: str, names: list[str]) -> str:
    if name not in names:
        raise ComparisonError(f"There is no run {name!r}.{nearest(name, names)} There are {listing(names)}.")
    return name


def _check(top: Any, megabytes: Any) -> None:
    check_whole_number("top", top, 1, _DEEPEST)
    if isinstance(megabytes, bool) or not isinstance(megabytes, (int, float)) or not megabytes > 0:
        raise DataError(f"megabytes must be a number above 0, not {brief(megabytes)}.")
