"""The parts of a report in, packed blocks out that fit into a file of limited size, and sentences on what did not."""

from __future__ import annotations

from dataclasses import dataclass, field

from rankgold.data.texts_by_id import document_texts
from rankgold.errors import MissingDependency, listing
from rankgold.html_report.charts import charts_of, vega_script
from rankgold.html_report.contributions import MeasureWorking
from rankgold.html_report.judging_queue import supposed_judgements
from rankgold.html_report.named_documents import Pool
from rankgold.html_report.plain_data import packed_text, zipped
from rankgold.html_report.report_data import ReportData
from rankgold.html_report.working_data import working_columns
from rankgold.kernels.segments import Floats
from rankgold.scoring.scores import Scores

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
