"""Packs parts and charts, and cuts what does not fit.

4 bytes the length of the JSON JSON a column is {"$": number}; "columns" has the type, position and length of each
columns byte planes: all first bytes of the numbers, then all second bytes, which compresses better
"""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from rankgold.core.errors import MissingDependency, RankgoldError, listing
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats
from rankgold.data.texts_by_id import document_texts
from rankgold.present.html_report.report_data import Pool, ReportData
from rankgold.present.html_report.workings import MeasureWorking, supposed_judgements, working_columns
from rankgold.present.plots.theme import DARK, LIGHT, Theme
from rankgold.scoring.scores import Scores

_TYPES: dict[str, Any] = {"u1": np.uint8, "u2": np.uint16, "u4": np.uint32, "i4": np.int32}


def packed_text(value: object) -> str:
    """The value as base64 of gzip."""
    columns: list[bytes] = []
    about: list[list[Any]] = []

    def place(column: object) -> dict[str, int]:
        name, numbers = _smallest(column)
        about.append([name, len(numbers)])
        columns.append(numbers.view(np.uint8).reshape(len(numbers), numbers.itemsize).T.tobytes())
        return {"$": len(about) - 1}

    content = json.dumps(value, ensure_ascii=False, allow_nan=False, default=place)
    text = f'{{"content": {content}, "columns": {json.dumps(about)}}}'.encode("utf-8", "replace")
    data = len(text).to_bytes(4, "little") + text + b"".join(columns)
    return zipped(data)


def zipped(data: bytes) -> str:
    """Bytes as base64 of gzip; the same text every time."""
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode("ascii")


def _smallest(column: Any) -> tuple[str, Any]:
    """The smallest type that holds a column exactly, and the column in it."""
    if column.dtype.kind == "f":
        return "f8", np.ascontiguousarray(column, dtype="<f8")
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    for name, type_ in _TYPES.items():
        span = np.iinfo(type_)
        if span.min <= low and high <= span.max:
            return name, np.ascontiguousarray(column, dtype=np.dtype(type_).newbyteorder("<"))
    return "f8", np.ascontiguousarray(column, dtype="<f8")


def charts_of(hits: list[Hits], scores: Scores) -> dict[str, Any]:
    """Label -> name of the plot -> theme -> specification; a curve is shared by the cutoffs of a measure."""
    from rankgold.present.plots import curves, distribution

    by_name = {run.name: run for run in hits}
    found: dict[str, Any] = {}
    curves_of: dict[str, dict[str, Any] | None] = {}
    for label, measure in scores.measures.items():
        base = str(replace(measure, k=None))
        if base not in curves_of:
            curves_of[base] = _specifications(curves, by_name, measure)
        plots = {"curves": curves_of[base], "distribution": _specifications(distribution, scores, label)}
        found[label] = {name: plot for name, plot in plots.items() if plot}
    return found


def _specifications(plot: Any, data: Any, measure: Any) -> dict[str, Any] | None:
    """A specification in each theme; None for a measure that the plot cannot show."""
    from altair.utils.schemapi import debug_mode

    try:
        with debug_mode(False):
            content = plot(data, measure, theme="light").to_dict(validate=False)
    except RankgoldError:
        return None
    # The page has a background of its own.
    content["config"]["background"] = None
    return {"light": content, "dark": in_other_theme(content, LIGHT, DARK)}


def in_other_theme(content: object, theme: Theme, other: Theme) -> Any:
    """A specification in the colours of another theme: much faster than drawing the plot again."""
    text = json.dumps(content)
    for colour in fields(theme):
        old, new = getattr(theme, colour.name), getattr(other, colour.name)
        for before, after in zip(*((c,) if isinstance(c, str) else c for c in (old, new)), strict=True):
            if before.startswith("#"):
                text = text.replace(f'"{before}"', f'"{after}"')
    return json.loads(text)


def vega_script() -> str:
    """The script that draws the charts."""
    from rankgold.present.plots.chart_files import libraries

    return libraries()


_LONGEST_TEXTS = (300, 120, 60)
# What a supposed value takes in the file, packed, at most.
_BYTES_PER_VALUE = 9
_SHARE_OF_SUPPOSED = 0.5


@dataclass(slots=True, eq=False)
class BlockSet:
    """The blocks so far, and what was left out."""

    room: float
    """How many characters are left."""
    blocks: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    vega: str | None = None
    """The script that draws charts, if there are any."""

    def add(self, name: str, content: object, *, must: bool = False) -> bool:
        """Adds a block if there is room; returns whether there was."""
        block = content if isinstance(content, str) else packed_text(content)
        if not must and len(block) > self.room:
            return False
        self.room -= len(block)
        self.blocks[name] = block
        return True


def add_workings(found: BlockSet, workings: dict[str, list[MeasureWorking]], pool: Pool, n_queries: int) -> None:
    """The working of each measure, in the order of the measures."""
    absent = [
        label
        for number, (label, runs) in enumerate(workings.items())
        if not found.add(f"working-{number}", working_columns(runs, pool, n_queries))
    ]
    if absent:
        found.left_out.append(f"The working of {listing(absent)}, and the contributions of documents to it.")


def add_supposed(
    found: BlockSet,
    collection: ReportData,
    pool: Pool,
    scores: Scores,
    values: dict[str, list[Floats]],
    baseline: str | None,
) -> None:
    """The scores if unjudged documents were relevant, for as many queries as fit."""
    most = int(max(found.room, 0) * _SHARE_OF_SUPPOSED / _BYTES_PER_VALUE)
    number = None if baseline is None else collection.names.index(baseline)
    supposed = supposed_judgements(collection, pool, scores, values, number, most)
    if supposed is None:
        return
    found.add("supposed", supposed.to_columns(), must=True)
    if supposed.left_out:
        found.left_out.append(
            f"What measures would become if a document were relevant, for {supposed.left_out:,} of"
            f" {supposed.left_out + len(supposed.rows):,} unjudged documents: those whose judgement matters least."
        )


def add_documents(found: BlockSet, pool: Pool, docs: object) -> None:
    """Titles and texts, shortened until there is room for them."""
    if docs is None:
        return
    texts = document_texts(docs, set(pool.ids), _LONGEST_TEXTS[0])
    for longest in _LONGEST_TEXTS:
        known = [texts.get(name) for name in pool.ids]
        columns = [["" if text is None else _cut(text[i], longest) for text in known] for i in (0, 1)]
        if found.add("documents", {"titles": columns[0], "texts": columns[1]}):
            if longest < _LONGEST_TEXTS[0]:
                found.left_out.append(f"Texts of documents after {longest} characters.")
            return
    found.left_out.append("Titles and texts of documents.")


def add_charts(found: BlockSet, collection: ReportData, scores: Scores) -> None:
    """Charts that are drawn by Vega, if Altair is installed."""
    try:
        charts, vega = charts_of(collection.hits, scores), vega_script()
    except (ImportError, MissingDependency):
        found.left_out.append(
            "Charts of cutoffs and distributions: Altair is not installed (pip install altair vl-convert-python)."
        )
        return
    script = zipped(vega.encode("utf-8"))
    if len(script) > found.room or not found.add("charts", charts):
        found.left_out.append("Charts of cutoffs and distributions.")
        return
    found.add("vega", script, must=True)
    found.vega = vega


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
