"""What an evaluation read in, what is needed to trust its scores a year later out: the version and fingerprints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rankgold import __version__
from rankgold.data.fingerprints import Fingerprint, Fingerprints

if TYPE_CHECKING:
    from rankgold.data.parents import ParentRule
    from rankgold.data.topics import Topics

OPTION_NAMES = ("parent", "topics", "exclude")
"""The options of an evaluation that decide which rows count."""

HOW_TO_FINGERPRINT = "`rankgold evaluate ... --save FILE`, or evaluate(..., fingerprint=True) in Python"


@dataclass(frozen=True, slots=True, eq=False)
class Provenance:
    """The version and data that scores were computed with."""

    version: str = __version__
    judgements: Fingerprint | None = None
    """The fingerprint of the judgements; None if it was not asked for."""
    runs: Mapping[str, Fingerprint | None] = field(default_factory=dict)
    """Run -> its fingerprint."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What else decided which rows counted, under OPTION_NAMES; of `exclude`, only whether there was one."""

    @classmethod
    def of(
        cls,
        runs: Mapping[str, Fingerprints | None],
        parent: ParentRule | None,
        topics: Topics | None,
        has_exclude: bool,
    ) -> Provenance:
        options = options_of(parent, topics, has_exclude)
        known = {name: found for name, found in runs.items() if found is not None}
        judgements = next((found.judgements for found in known.values()), None)
        return cls(judgements=judgements, runs={name: found.run for name, found in known.items()}, options=options)

    def run(self, name: str) -> Fingerprint | None:
        """The fingerprint of a run; None if it was not asked for."""
        return self.runs.get(name)


def options_of(parent: ParentRule | None, topics: Topics | None, has_exclude: bool) -> dict[str, Any]:
    """The options that decide which rows count; a chunk rule is kept if it is a separator."""
    options: dict[str, Any] = {}
    if parent is not None:
        options["parent"] = parent.separator
    if topics is not None:
        options["topics"] = list(topics.ids)
    if has_exclude:
        options["exclude"] = True
    return options
