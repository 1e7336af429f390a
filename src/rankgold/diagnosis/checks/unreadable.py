"""Sources that cannot be read at all."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_collection


@check_of_collection
def unreadable(collection: ExaminedData) -> Iterator[Finding]:
    """A file or an object that cannot be read as judgements or as a run."""
    for error in collection.unreadable:
        place = error.place or "the data"
        reason = str(error).removeprefix(f"{place}: ")
        yield Finding("error", f"{place} cannot be read", reason, "Mend what the example says, and look again.")
