"""Where an evaluation notes the fingerprints of what it reads, if they are asked for: hashing rows takes time."""

from __future__ import annotations

from dataclasses import dataclass, field

from rankgold.data.fingerprints import Fingerprint


@dataclass(slots=True)
class DataLog:
    """The fingerprints of the judgements and the runs, in the order in which they are evaluated."""

    judgements: Fingerprint | None = None
    runs: list[Fingerprint] = field(default_factory=list)
