"""The parameters that several measures share."""

from __future__ import annotations

from typing import Annotated

from rankgold.declaration.metric import Above, Examples

Cutoff = Annotated[int | None, "how many documents of the list count; all without it"]
Rel = Annotated[float, Above(0), "the lowest grade that counts as relevant", Examples(2)]
