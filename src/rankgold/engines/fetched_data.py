"""Data of any form and the reader of an engine in; the same data out, with what lives in the engine read here.

Measures of whole lists need all rows of a run in one place. So an engine only reads its tables, views and frames here,
and everything else happens in this process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgold.data.columns import Kind
from rankgold.data.inputs import given_runs
from rankgold.engines.protocol import EngineReader
from rankgold.engines.registry import Local
from rankgold.policy import Policy

if TYPE_CHECKING:
    from rankgold.engines.request import Request
    from rankgold.matching.exclusion import Exclusion

_KINDS: dict[str, Kind] = {"qrels": "qrels", "train": "pairs"}


@dataclass(frozen=True, slots=True)
class DataHere:
    """Reads what lives in an engine. Everything else stays as the user passed it."""

    reader: EngineReader | None
    columns: Mapping[str, str] | None
    policy: Policy

    def runs(self, source: object) -> Any:
        """A run, or several by name or in a list."""
        if self.reader is None:
            return source
        runs = given_runs(source, self.columns)
        if not any(self.reader.holds(run) for _, run in runs):
            return source
        read = [(name, self.table(run, "run")) for name, run in runs]
        return dict(read) if isinstance(source, Mapping) else [rows for _, rows in read]

    def table(self, source: object, kind: Kind) -> Any:
        """Judgements, or pairs of users and items."""
        if self.reader is None or not self.reader.holds(source):
            return source
        return self.reader.rows(source, kind, self.columns, self.policy)

    def exclusion(self, source: object) -> Exclusion | None:
        """What is taken out of lists, if anything is."""
        if source is None:
            return None
        from rankgold.matching.exclusion import Exclusion

        return Exclusion.of(self.table(source, "pairs"), self.columns)

    def catalogue(self, source: object) -> Any:
        """A table of items with all its columns."""
        return source if self.reader is None or not self.reader.holds(source) else self.reader.all_columns(source)


def read_here(request: Request) -> Request:
    """The same request, with what lives in its engine read into this process."""
    if isinstance(request.engine, Local):
        return request
    with request.data_here() as here:
        data = dict(request.data)
        for name, kind in _KINDS.items():
            if name in data:
                data[name] = here.table(data[name], kind)
        if "run" in data:
            data["run"] = here.runs(data["run"])
        return replace(request, data=data, exclude=here.table(request.exclude, "pairs"), engine=Local())
