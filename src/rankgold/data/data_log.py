"""What an evaluation reads in, its fingerprints out: at once if they are asked for, else when the scores are saved.

Hashing rows takes time that an evaluation without a saved result need not spend. Small data are kept until somebody
asks, and large data are not: their fingerprints are there only if they were asked for in advance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rankgold.data.fingerprints import Fingerprint, fingerprint_of
from rankgold.data.rows import Rows

MOST_KEPT = 100_000
"""So many rows of judgements and runs together are kept."""


class DataSource:
    """Judgements or a run that was read: its fingerprint, or the rows of which it can be made, or neither."""

    __slots__ = ("_known", "_rows")

    def __init__(self, known: Fingerprint | None = None, rows: Rows | None = None) -> None:
        self._known, self._rows = known, rows

    @property
    def fingerprint(self) -> Fingerprint | None:
        if self._rows is not None:
            self._known, self._rows = fingerprint_of(self._rows), None
        return self._known

    def __reduce__(self) -> tuple[Any, ...]:
        return DataSource, (self.fingerprint,)


@dataclass(slots=True)
class DataLog:
    """The judgements and the runs, in the order in which they were evaluated."""

    asked: bool = False
    """Whether fingerprints are wanted at once, and of large data too."""
    is_wanted: bool = True
    """Whether anybody may want them later."""
    judgements: DataSource = field(default_factory=DataSource)
    runs: list[DataSource] = field(default_factory=list)
    _kept: int = 0

    def source(self, rows: Rows) -> DataSource:
        """What is kept of judgements or of a run."""
        if self.asked:
            return DataSource(fingerprint_of(rows))
        size = rows.size if self.is_wanted else None
        if size is None or self._kept + size > MOST_KEPT:
            return DataSource()
        self._kept += size
        return DataSource(rows=rows)
