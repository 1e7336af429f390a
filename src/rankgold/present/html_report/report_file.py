"""Packs the report into one HTML file within its size limit.

The script is a few ES modules. In the file they are one module, in which each is a function that returns what it
exports, so that each keeps its own names. A policy in the file allows this script and the one that draws charts, and
nothing else: no text of the data can run, and no request can leave the page.
"""

from __future__ import annotations

import base64
import hashlib
import html
import os
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rankgold import __version__
from rankgold.core.accepted import By, Measures
from rankgold.core.errors import (
    ComparisonError,
    DataError,
    brief,
    check_whole_number,
    counted,
    in_a_row,
    listing,
    nearest,
)
from rankgold.data.inputs import given_runs, is_path
from rankgold.data.temporary_files import check_writable, write_atomically
from rankgold.data.texts_by_id import texts_by_id
from rankgold.engines.request import Request, read_here
from rankgold.present import Page
from rankgold.present.html_report.blocks import BlockSet, add_charts, add_documents, add_supposed, add_workings
from rankgold.present.html_report.core_data import core_data, division_by
from rankgold.present.html_report.report_data import ReportData, pool_of
from rankgold.present.html_report.workings import counted_judgements, workings_of
from rankgold.present.outputs.html import stylesheet
from rankgold.scoring.scorer import measures_by_label, score_all

MODULES = (
    "packed_data", "elements", "numbers", "state", "exports", "report_data", "controls", "summary", "leaderboard",
    "canvas", "difference_bars", "histogram", "scatter", "run_pair", "query_table", "rankings", "working", "judging",
    "what_if", "opened_query", "policies", "measure_ranks", "charts", "keyboard", "print", "main",
)  # fmt: skip
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./\w+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async function|function|const|class) (\w+)", re.MULTILINE)

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="rankgold {version}">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body class="rankgold">
<a class="skip" href="#content">Skip to the report</a>
<div id="app" aria-busy="true"><p class="loading">Loading the report.</p></div>
<noscript><p class="loading">This report needs JavaScript to be shown. Nothing is loaded from a network.</p></noscript>
{blocks}
<script type="module">{script}</script>
</body>
</html>
"""


def page_file(title: str, version: str, blocks: dict[str, str], vega: str | None) -> str:
    """The whole file. `blocks` has the packed data by name; `vega` is the script that draws charts, if it is there."""
    script = page_script()
    allowed = [_digest(script)]
    if vega is not None:
        allowed += [_digest(vega), "'unsafe-eval'"]  # charts compile expressions of their own
    policy = f"default-src 'none'; script-src {' '.join(allowed)}; style-src 'unsafe-inline'; img-src data: blob:"
    data = "\n".join(f'<script type="text/plain" id="data-{name}">{block}</script>' for name, block in blocks.items())
    return _PAGE.format(
        policy=policy,
        version=version,
        title=html.escape(title),
        style=stylesheet() + page_style(),
        blocks=data,
        script=script,
    )


def page_size() -> int:
    """The length of a file without data."""
    return len(page_file("", "", {}, None))


@cache
def page_script() -> str:
    """All modules as one."""
    script = "\n" + "".join(map(_scoped, MODULES))
    assert "</script" not in script.lower()
    return script


def _scoped(name: str) -> str:
    """A module as a function that returns its exports."""
    text = _IMPORT.sub("", _text(f"{name}.js"))
    exports = ", ".join(found[1] for found in _EXPORT.finditer(text))
    body = _EXPORT.sub(lambda found: found[0].removeprefix("export "), text)
    return f"const {{ {exports} }} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"


@cache
def page_style() -> str:
    return _text("report.css")


def _text(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode('utf-8')).digest()).decode('ascii')}'"


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
    known_texts, request = texts_by_id(texts.queries), read_here(request)
    collection = ReportData.of(request)
    baseline = choices["baseline"]
    baseline, names = None if baseline is None else str(baseline), collection.names
    if baseline is not None and baseline not in names:
        raise ComparisonError(f"There is no run {baseline!r}.{nearest(baseline, names)} There are {listing(names)}.")
    request.report("measuring")
    scores = score_all(collection.hits, wanted)
    workings = workings_of(collection, scores)
    pool = pool_of(collection, page.top, counted_judgements(workings))
    sources = [request.qrels, *(run for _, run in given_runs(request.run, request.columns))]
    divide = division_by(by, request.columns, sources, of_all=request.topics is None)
    core = core_data(collection, scores, divide, {**choices, "baseline": baseline}, known_texts)
    core["title"] = page.title or _title(names)
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


def _check(page: object) -> None:
    if not isinstance(page, Page):
        raise DataError(f"page must be rankgold.Page(...), not {type(page).__name__}.")
    check_whole_number("top", page.top, 1, _DEEPEST)
    megabytes: Any = page.megabytes
    if isinstance(megabytes, bool) or not isinstance(megabytes, (int, float)) or not megabytes > 0:
        raise DataError(f"megabytes must be a number above 0, not {brief(megabytes)}.")
