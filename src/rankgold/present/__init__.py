"""Shows results: report, plots, and every format of output.

Every number is worked out here, by the measures and comparisons of the library. The page shows, sorts, adds up and
subtracts them; it has no formula of a measure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from rankgold.comparison import DrawnTest, TestName
    from rankgold.core.accepted import By, EngineLike, Judgements, Measures, QueryIds, Runs, SeenDocuments, TextsById
    from rankgold.core.policy import Policy
    from rankgold.data.selection import Parent
    from rankgold.engines.protocol import Progress
    from rankgold.present.html_report.report_file import Report


@dataclass(frozen=True, slots=True)
class Page:
    """What the file of a report looks like."""

    title: str | None = None
    """None for the names of the runs."""
    top: int = 20
    """How many ranks of each list are shown."""
    charts: bool = True
    """Whether there are charts of cutoffs and distributions, which need Altair."""
    megabytes: float = 15
    """The limit of its size. The file says what was left out for it."""


def report(
    qrels: Judgements,
    runs: Runs,
    path: str | os.PathLike[str] | None = None,
    *,
    measures: Measures | None = None,
    baseline: str | None = None,
    test: TestName | DrawnTest = "randomization",
    seed: int = 0,
    query_texts: TextsById | None = None,
    doc_texts: TextsById | None = None,
    page: Page = Page(),
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> Report:
    """One self-contained HTML file that compares runs: leaderboard, run against run, every query, every document.

    It is written to `path`, if there is one. It needs no network, and opens from disk.

    - `baseline` is the run that all others are compared with; otherwise each run is compared with each.
    - `test` and `seed` are those of `compare`.
    - `query_texts` has the text of queries: a dict, or a TSV file of id and text. `doc_texts` has titles and texts of
      documents: a dict, a JSONL file or a TSV file.
    - `page=Page(title=..., top=20, charts=True, megabytes=15)` has its title, how many ranks of each list it shows,
      whether it has charts (which need Altair), and the limit of its size.
    - `by` has attributes of queries, such as their language: a table with a column of queries.

    Other keywords are those of `evaluate`. With `engine`, a DuckDB connection or a Spark session, judgements, runs and
    `exclude` may be tables there: their rows are read, and the report is made in this process.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> old = {"q1": {"d1": 1, "x": 2}, "q2": {"d2": 1}}
    >>> new = {"q1": {"d1": 3, "x": 2}, "q2": {"d2": 1}}
    >>> page = report(qrels, {"old": old, "new": new}, measures=["rr"], query_texts={"q1": "first query"})
    >>> page.html.startswith("<!DOCTYPE html>")
    True
    """
    from rankgold.engines.request import Request
    from rankgold.present.html_report.report_file import Texts, reported

    request = Request.of({"qrels": qrels, "run": runs}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    choices = {"baseline": baseline, "test": test, "seed": seed}
    return reported(request, path, measures, choices, Texts(query_texts, doc_texts), by, page)
