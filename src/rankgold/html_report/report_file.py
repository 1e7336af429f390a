"""Judgements and runs in, an HTML report out: the data of all its parts, packed, within the limit of its size."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from rankgold import __version__
from rankgold.accepted import By, Measures
from rankgold.data.inputs import given_runs, is_path
from rankgold.data.texts_by_id import query_texts
from rankgold.engines.fetched_data import read_here
from rankgold.engines.request import Request
from rankgold.errors import ComparisonError, DataError, brief, check_whole_number, counted, in_a_row, listing, nearest
from rankgold.html_report import Page
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


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts that users pass with a report."""

    queries: Any
    documents: Any


def reported(
    request: Request, path: object, measures: Measures | None, choices: dict[str, Any], texts: Texts, by: By, page: Page
) -> Report:
    """The report on the data of a request. The choices are those of a comparison: baseline, test, seed."""
    _check(page)
    if path is not None:
        if not is_path(path):
            raise DataError(f"path must be the name of a file, not {type(path).__name__}.")
        check_writable(os.fspath(path))
    wanted = measures_by_label(measures, default=MEASURES, rel=request.rel, dialect=request.policy.dialect)
    known_texts, request = query_texts(texts.queries), read_here(request)
    collection = ReportData.of(request)
    baseline = choices["baseline"]
    baseline = None if baseline is None else _known_run(str(baseline), collection.names)
    request.report("measuring")
    scores = score_all(collection.hits, wanted)
    workings = workings_of(collection, scores)
    pool = pool_of(collection, page.top, counted_judgements(workings))
    sources = [request.qrels, *(run for _, run in given_runs(request.run, request.columns))]
    divide = division_by(by, request.columns, sources, of_all=request.topics is None)
    core = core_data(collection, scores, divide, {**choices, "baseline": baseline}, known_texts)
    core["title"] = page.title or _title(collection.names)
    request.report("packing")
    found = BlockSet(min(page.megabytes, _MOST_MEGABYTES) * 1e6 - page_size() - len(core["title"]) - _MARGIN)
    found.add("core", core, must=True)
    found.add("pool", pool.to_columns(), must=True)
    add_workings(found, workings, pool, len(collection.queries))
    add_documents(found, pool, texts.documents)
    if page.charts:
        add_charts(found, collection, scores)
    request.report("supposing judgements")
    add_supposed(found, collection, pool, scores, core["values"], baseline)
    if found.room < 0:
        found.left_out.append(f"This file is larger than {page.megabytes:g} MB: values and lists are never left out.")
    found.add("left-out", {"sentences": found.left_out}, must=True)
    html = page_file(core["title"], __version__, found.blocks, found.vega)
    if path is not None:
        write_atomically(html, os.fspath(path))
    return Report(html, None if path is None else os.fspath(path), len(collection.names), len(collection.queries))


def _title(names: list[str]) -> str:
    """The names of the runs: titles, bm25 and expanded."""
    if len(names) > _NAMED:
        names = [*names[:_NAMED], counted(len(names) - _NAMED, "more run")]
    return in_a_row(names)


def _known_run(name: str, names: list[str]) -> str:
    if name not in names:
        raise ComparisonError(f"There is no run {name!r}.{nearest(name, names)} There are {listing(names)}.")
    return name


def _check(page: Any) -> None:
    if not isinstance(page, Page):
        raise DataError(f"page must be rankgold.Page(...), not {type(page).__name__}.")
    check_whole_number("top", page.top, 1, _DEEPEST)
    megabytes: Any = page.megabytes
    if isinstance(megabytes, bool) or not isinstance(megabytes, (int, float)) or not megabytes > 0:
        raise DataError(f"megabytes must be a number above 0, not {brief(megabytes)}.")
