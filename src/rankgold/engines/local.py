"""The engine `local`: reads and matches judgements and runs of any form in this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from rankgold.data.columns import Kind
from rankgold.data.dicts import DictRows
from rankgold.data.fingerprints import Fingerprint, HashedChunks, fingerprint_of
from rankgold.data.inputs import are_small, given_runs, is_file, is_path, is_pattern, read, run_name, unused_name
from rankgold.data.rows import ReadAgain, ReportProgress, Rows
from rankgold.engines.protocol import Engine, Progress, Result, Task, Work
from rankgold.errors import listing
from rankgold.hits import Hits
from rankgold.matching.dict_judgements import DictJudgements

if TYPE_CHECKING:
    from rankgold.data.slice_queries import Division
    from rankgold.data.slices import Slices
    from rankgold.matching.exclusion import Exclusion
    from rankgold.matching.table_judgements import TableJudgements

# Runs that are read and matched at the same time: one more than cores, so that none waits for a file, but only a few,
# because each takes memory.
_AT_ONCE = min((os.cpu_count() or 1) + 1, 4)


class LocalEngine:
    """The default. It takes no options."""

    name = "local"
    options = frozenset[str]()

    def match(self, task: Task) -> Iterator[Hits]:
        """The Hits of each run. The judgements are read and prepared once."""
        report = task.progress or (lambda *_: None)
        report(f"reading {_label(task.qrels, 'judgements')}", 0.0, 0)
        runs = given_runs(task.run, task.columns)
        if any(is_pattern(source) for _, source in runs):
            from rankgold.data.patterns import runs_of_patterns

            runs = runs_of_patterns(runs)
        sources = [task.qrels, *(source for _, source in runs)]
        small = are_small(sources)
        read_any = partial(read, columns=task.columns, repeats=task.policy.repeats, small=small)
        results: Iterator[Iterable[tuple[Hits, Fingerprint | None]]]
        # Standard input and pipes are waited for one by one, and small files are not worth a thread.
        if small or not all(map(is_file, sources)):
            judgements = _PreparedJudgements(read_any(task.qrels, "qrels"), task)
            results = (judgements.match_all(read_any(source, "run"), given, report) for given, source in runs)
        else:
            results = _match_together(task, runs, read_any, report)
        names: list[str] = []
        for given, source in runs:
            report(f"reading {_label(source, given or 'run')}", 0.0, 0)
            for hits, fingerprint in next(results):
                if task.log is not None and fingerprint is not None:
                    task.log.runs.append(fingerprint)
                names.append(unused_name(hits.name, names))
                yield replace(hits, name=names[-1])

    def reduce(self, task: Task, work: Work[Result]) -> Result:
        divide = None if task.slices is None else partial(_division, task, task.slices)
        return work.whole(list(map(work.of_hits, self.match(task))), divide)

    def reader(self, session: Any, memory_limit: str | None) -> AbstractContextManager[None]:
        return nullcontext()

    def plan(self, task: Task) -> str:
        verb = "are" if len(task.measures) > 1 else "is"
        steps = [
            "The judgements and the run are read in this process; a large file of a run in chunks.",
            "The rows of judged documents are found by their ids, and only they are ranked.",
            f"{listing(task.measures)} {verb} computed for every query, and then the mean.",
        ]
        if task.exclude is not None:
            steps.insert(1, "The rows of excluded documents are taken out.")
        if task.slices is not None:
            steps.append("The values are grouped by the attributes of their queries, and each slice has its mean.")
        return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def _division(task: Task, slices: Slices, queries: Sequence[Any]) -> Division:
    """The slices of these queries."""
    from rankgold.data.attributes import read_attributes
    from rankgold.data.patterns import runs_of_patterns
    from rankgold.data.slice_queries import divide

    task.report("dividing queries into slices")
    runs = runs_of_patterns(given_runs(task.run, task.columns))
    data = (task.qrels, *(source for _, source in runs))
    return divide(read_attributes(slices, task.columns, data), queries, slices, of_all=task.topics is None)


def _match_together(
    task: Task, runs: list[tuple[str | None, Any]], read_any: Callable[[Any, Kind], Rows], report: Progress
) -> Iterator[list[tuple[Hits, Fingerprint | None]]]:
    """The Hits of the runs in each source. A few sources are read and matched at the same time, in threads.

    Only the source that is waited for reports its progress.
    """
    from rankgold.data.background import in_background, results_ahead
    from rankgold.data.temporary_files import watch_signals

    watch_signals()
    judgements = in_background(lambda: _PreparedJudgements(read_any(task.qrels, "qrels"), task))
    awaited = 0

    def work(number: int, given: str | None, source: Any) -> list[tuple[Hits, Fingerprint | None]]:
        try:
            rows = read_any(source, "run")
        finally:
            prepared = judgements()  # a fault in them is reported before one in the run
        return list(prepared.match_all(rows, given, lambda *step: report(*step) if number == awaited else None))

    works = [partial(work, number, given, source) for number, (given, source) in enumerate(runs)]
    for result in results_ahead(works, _AT_ONCE):
        yield result
        awaited += 1


def _label(source: Any, otherwise: str) -> str:
    return os.fspath(source) if is_path(source) else otherwise


class _PreparedJudgements:
    """Judgements prepared for runs in tables, in dicts, or both, each only when it is needed. Threads share them."""

    def __init__(self, rows: Rows, task: Task) -> None:
        self._rows = rows
        self._task = task
        if task.log is not None:
            task.log.judgements = fingerprint_of(rows)
        self._exclusion: Exclusion | None = None
        if task.exclude is not None:
            from rankgold.matching.exclusion import Exclusion

            self._exclusion = Exclusion.of(task.exclude, task.columns)
        self._for_dicts: DictJudgements | None = None
        self._for_tables: TableJudgements | None = None
        self._lock = Lock()

    def match_all(self, rows: Rows, given: str | None, report: Progress) -> Iterator[tuple[Hits, Fingerprint | None]]:
        """The Hits of each run in what was read from one source, which the user may have given a name.

        With them comes the fingerprint of the rows, if the task wants it.
        """
        runs = rows.split_runs()
        for run in runs:
            name = run_name(given, run.name, len(runs))
            matching = partial(report, f"matching {name}")
            matching(0.0, 0)
            try:
                yield self._match(run, name, matching)
            except ReadAgain as again:
                yield from self.match_all(again.rows, given, report)

    def _match(self, run: Rows, name: str, report: ReportProgress) -> tuple[Hits, Fingerprint | None]:
        task = self._task
        if self._exclusion is None and isinstance(self._rows, DictRows) and isinstance(run, DictRows):
            if self._for_dicts is None:
                self._for_dicts = DictJudgements.of(self._rows.as_dicts(), self._rows.remarks, task.topics)
            ranked = run.as_dicts() if task.parent is None else task.parent.in_dicts(run.as_dicts())
            hits = self._for_dicts.match(ranked, task.policy, name, run.remarks)
            return hits, None if task.log is None else fingerprint_of(run)
        from rankgold.matching.table_judgements import TableJudgements

        with self._lock:
            if self._for_tables is None:
                rows = self._rows.groups()
                self._for_tables = TableJudgements.of(rows, task.policy, task.parent, task.topics, self._exclusion)
        with closing(run.chunks(report)) as chunks:
            if task.log is None:
                return self._for_tables.match(chunks, task.policy, name), None
            hashed = HashedChunks(chunks)
            return self._for_tables.match(hashed, task.policy, name), hashed.fingerprint


ENGINE: Engine = LocalEngine()
