"""From whatever the user passes to Hits: reading and matching, wired for one run or many."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rankgold.data.inputs import read, runs_in, unused_name
from rankgold.data.irregular import NotRegularError
from rankgold.data.paths import stem_and_ending
from rankgold.hits import Hits
from rankgold.policy import Policy

if TYPE_CHECKING:
    from rankgold.data.chunks import Parts
    from rankgold.data.dicts import Nested
    from rankgold.data.table import Table

Progress = Callable[[str, float, int], None]
"""Called with what is being done and, from time to time, the share of it that is done and how many rows those are."""


def matched(
    qrels: Any,
    run: Any,
    policy: Policy,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Iterator[Hits]:
    """The Hits of every run, the judgements being read and prepared once."""
    tell = progress or (lambda *_: None)
    tell(f"reading {_described(qrels, 'judgements')}", 0.0, 0)
    runs = runs_in(run)
    reads: list[Callable[[], Any]] = [partial(read, source, "run", columns, policy.duplicates) for _, source in runs]
    # Standard input and pipes are waited for one by one.
    are_files = all(_is_path(one) and os.path.isfile(one) for one in (qrels, *(source for _, source in runs)))
    contents = _read_ahead(reads) if are_files else (call() for call in reads)
    judgements = _Judgements(read(qrels, "qrels", columns, policy.duplicates), policy)
    taken: list[str] = []
    for given, source in runs:
        tell(f"reading {_described(source, given or 'run')}", 0.0, 0)
        for name, one in _named(next(contents), given, source):
            for hits in _hits_of(judgements, one, name, tell):
                taken.append(unused_name(hits.name, taken))
                yield replace(hits, name=taken[-1])


def _read_ahead(reads: list[Callable[[], Any]]) -> Iterator[Any]:
    """What the calls return: the first is made at once, and each other one while the one before is being used."""
    from rankgold.data.background import in_background

    waiting = in_background(reads[0])

    def results() -> Iterator[Any]:
        result = waiting
        for call in reads[1:]:
            content = result()
            result = in_background(call)
            yield content
        yield result()

    return results()


def _hits_of(judgements: _Judgements, run: Any, name: str, tell: Progress) -> Iterator[Hits]:
    """The Hits of what was read as one run; a large file that is not regular may turn out to hold several."""
    matching = partial(tell, f"matching {name}")
    matching(0.0, 0)
    try:
        every = [judgements.hits(run, name, matching)]
    except NotRegularError:
        every = [judgements.hits(one, one.name, matching) for one in run.at_once().one_run_each()]
    yield from every


def _described(source: Any, otherwise: str) -> str:
    return os.fspath(source) if _is_path(source) else otherwise


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def _named(content: Table | Parts | Nested, given: str | None, source: Any) -> Iterator[tuple[str, Any]]:
    """The runs in what was read, each with its name."""
    if isinstance(content, dict):
        several = runs_in(content)
        if len(several) == 1 and several[0][0] is None:
            named = isinstance(source, (str, os.PathLike))
            yield given or (stem_and_ending(source)[0] if named else "run"), content
        for name, part in several:
            if name is not None:
                yield full_name(given, name, len(several)), read(part, "run")
        return
    parts = content.one_run_each()
    for table in parts:
        yield full_name(given, table.name, len(parts)), table


def full_name(given: str | None, own: str, of: int) -> str:
    """A run's name: the one given to it, with its own where several runs came under one name."""
    if given is None:
        return own
    return given if of == 1 else f"{given} {own}"


class _Judgements:
    """Judgements prepared for runs in tables, in dicts, or both, each only when it is needed."""

    def __init__(self, content: Any, policy: Policy) -> None:
        self.content = content
        self.policy = policy
        self._of_dict: Any = None
        self._of_table: Any = None

    def hits(self, run: Table | Parts | Nested, name: str, progress: Callable[[float, int], None]) -> Hits:
        if isinstance(self.content, dict) and isinstance(run, dict):
            from rankgold.matching.dicts import judged_from_dict, match_dicts

            self._of_dict = self._of_dict or judged_from_dict(self.content)
            return match_dicts(self.content, self._of_dict, run, self.policy, name)
        from rankgold.data.chunks import Parts
        from rankgold.matching.large import match_parts
        from rankgold.matching.tables import judged_from_table, match_tables
        from rankgold.matching.tabular import as_table

        if self._of_table is None:
            self._of_table = judged_from_table(as_table(self.content, "qrels"), self.policy)
        if isinstance(run, Parts):
            return match_parts(self._of_table, run, self.policy, name, progress)
        return match_tables(self._of_table, [as_table(run, "run")], self.policy, name)
