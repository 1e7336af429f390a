"""The parameters that several measures share."""

from __future__ import annotations

from typing import Annotated

Cutoff = Annotated[int | None, "how many documents of the list count; all without it"]
Rel = Annotated[float, "the lowest grade that counts as relevant"]
