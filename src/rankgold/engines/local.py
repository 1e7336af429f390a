"""Reads and matches in this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import listing
from rankgold.core.hits import Hits
from rankgold.data.columns import Kind
from rankgold.data.dicts import DictRows
from rankgold.data.fingerprints import Fingerprints, HashedChunks, fingerprint_of
from rankgold.data.inputs import are_small, given_runs, is_file, is_path, is_pattern, read, run_name, unused_name
from rankgold.data.matching.dict_judgements import DictJudgements
from rankgold.data.matching.judgements import with_fingerprints
from rankgold.data.rows import Chunked, Rows
from rankgold.engines.protocol import Engine, Progress, Result, Work
from rankgold.engines.request import Request

if TYPE_CHECKING:
    from rankgold.data.exclusion import Exclusion
    from rankgold.data.matching.table_judgements import TableJudgements
    from rankgold.data.slice_scheme import Division
    from rankgold.data.slices import Slices


# Runs that are read and matched at the same time: one more than cores, so that none waits for a file, but only a few,
# because each takes memory.
_AT_ONCE = min((os.cpu_count() or 1) + 1, 4)


class LocalEngine:
    """The default."""

    name = "local"

    def match(self, request: Request) -> Iterator[Hits]:
        """The Hits of each run. The judgements are read and prepared once."""
        report = request.progress or (lambda *_: None)
        report(f"reading {_label(request.qrels, 'judgements')}", 0.0, 0)
        runs = given_runs(request.run, request.columns)
        if any(is_pattern(source) for _, source in runs):
            from rankgold.data.files import runs_of_patterns

            runs = runs_of_patterns(runs)
        sources = [request.qrels, *(source for _, source in runs)]
        small = are_small(sources)
        read_any = partial(read, columns=request.columns, repeats=request.policy.repeats, small=small)
        results: Iterator[Iterable[Hits]]
        # Standard input and pipes are waited for one by one, and small files are not worth a thread.
        if small or not all(map(is_file, sources)):
            judgements = _PreparedJudgements(read_any(request.qrels, "qrels"), request)
            results = (judgements.match_all(read_any(source, "run"), given, report) for given, source in runs)
        else:
            results = _match_together(request, runs, read_any, report)
        names: list[str] = []
        for given, source in runs:
            report(f"reading {_label(source, given or 'run')}", 0.0, 0)
            for hits in next(results):
                names.append(unused_name(hits.name, names))
                yield replace(hits, name=names[-1])

    def reduce(self, request: Request, work: Work[Result]) -> Result:
        divide = None if request.slices is None else partial(_division, request, request.slices)
        return work.whole(list(map(work.of_hits, self.match(request))), divide)

    def reader(self, request: Request) -> AbstractContextManager[None]:
        return nullcontext()

    def plan(self, request: Request, work: Work[Any]) -> str:
        verb = "are" if len(work.measures) > 1 else "is"
        steps = [
            "The judgements and the run are read in this process; a large file of a run in chunks.",
            "The rows of judged documents are found by their ids, and only they are ranked.",
            f"{listing(work.measures)} {verb} computed for every query, and then the mean.",
        ]
        if request.exclude is not None:
            steps.insert(1, "The rows of excluded documents are taken out.")
        if request.slices is not None:
            steps.append("The values are grouped by the attributes of their queries, and each slice has its mean.")
        return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def _division(request: Request, slices: Slices, queries: Sequence[Any]) -> Division:
    from rankgold.data.attributes import read_attributes
    from rankgold.data.files import runs_of_patterns
    from rankgold.data.slice_scheme import divide

    request.report("dividing queries into slices")
    runs = runs_of_patterns(given_runs(request.run, request.columns))
    data = (request.qrels, *(source for _, source in runs))
    return divide(read_attributes(slices, request.columns, data), queries, slices, of_all=request.topics is None)


def _match_together(
    request: Request, runs: list[tuple[str | None, Any]], read_any: Callable[[Any, Kind], Rows], report: Progress
) -> Iterator[list[Hits]]:
    """The Hits of the runs in each source. A few sources are read and matched at the same time, in threads.

    Only the source that is waited for reports its progress.
    """
    from rankgold.data.chunks import in_background, results_ahead
    from rankgold.data.temporary_files import watch_signals

    watch_signals()
    judgements = in_background(lambda: _PreparedJudgements(read_any(request.qrels, "qrels"), request))
    awaited = 0

    def work(number: int, given: str | None, source: object) -> list[Hits]:
        try:
            rows = read_any(source, "run")
        finally:
            prepared = judgements()  # a fault in them is reported before one in the run
        return list(prepared.match_all(rows, given, lambda *step: report(*step) if number == awaited else None))

    works = [partial(work, number, given, source) for number, (given, source) in enumerate(runs)]
    for result in results_ahead(works, _AT_ONCE):
        yield result
        awaited += 1


def _label(source: object, otherwise: str) -> str:
    return os.fspath(source) if is_path(source) else otherwise


class _PreparedJudgements:
    """Judgements prepared for runs in tables, in dicts, or both, each only when it is needed. Threads share them."""

    def __init__(self, rows: Rows, request: Request) -> None:
        self._rows = rows
        self._request = request
        self._fingerprint = fingerprint_of(rows) if request.fingerprint else None
        self._exclusion: Exclusion | None = None
        if request.exclude is not None:
            from rankgold.data.exclusion import Exclusion

            self._exclusion = Exclusion.of(request.exclude, request.columns)
        self._for_dicts: DictJudgements | None = None
        self._for_tables: TableJudgements | None = None
        self._lock = Lock()

    def match_all(self, rows: Rows, given: str | None, report: Progress) -> Iterator[Hits]:
        """The Hits of each run in what was read from one source, which the user may have given a name."""
        runs = rows.split_runs()
        for run in runs:
            name = run_name(given, run.name, len(runs))
            matching = partial(report, f"matching {name}")
            matching(0.0, 0)
            if self._exclusion is None and isinstance(self._rows, DictRows) and isinstance(run, DictRows):
                yield self._match_dicts(self._rows, run, name)
                continue
            chunks = run.chunks(matching)
            if (hits := self._match_chunks(chunks, name)) is not None:
                yield hits
            elif chunks.otherwise is not None:
                yield from self.match_all(chunks.otherwise, given, report)

    def _match_dicts(self, judged: DictRows, run: DictRows, name: str) -> Hits:
        request = self._request
        if self._for_dicts is None:
            self._for_dicts = DictJudgements.of(judged.as_dicts(), judged.remarks, request.topics)
        ranked = run.as_dicts() if request.parent is None else request.parent.in_dicts(run.as_dicts())
        hits = self._for_dicts.match(ranked, request.policy, name, run.remarks)
        if self._fingerprint is None:
            return hits
        return with_fingerprints(hits, Fingerprints(self._fingerprint, fingerprint_of(run)))

    def _match_chunks(self, chunks: Chunked, name: str) -> Hits | None:
        """The Hits of a run; None if reading it in chunks broke off."""
        from rankgold.data.matching.table_judgements import TableJudgements

        request = self._request
        with self._lock:
            if self._for_tables is None:
                rows = self._rows.groups()
                self._for_tables = TableJudgements.of(
                    rows, request.policy, request.parent, request.topics, self._exclusion
                )
        hashed = None if self._fingerprint is None else HashedChunks(chunks)
        with closing(chunks):
            found = self._for_tables.retrieve(hashed or chunks, request.policy)
        if chunks.broke_off:
            return None
        hits = self._for_tables.hits(*found, request.policy, name)
        if self._fingerprint is None or hashed is None:
            return hits
        return with_fingerprints(hits, Fingerprints(self._fingerprint, hashed.fingerprint))


ENGINE: Engine = LocalEngine()
