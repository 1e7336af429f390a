"""Lists all measures; `measures.ndcg` is the measure.

`rankgold.measures.ndcg(gain="exp") @ 10` builds a measure; `rankgold.measures.all()` lists them. They are in three
folders: `rankings` against judgements, which are found here too, `pairs` of rankings, and `lists` of items. Importing a
file of this room loads none of them: that is left to the first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgold.measures.metric import Metric

    def all() -> list[Metric]: ...

    def __getattr__(name: str) -> Metric: ...
else:

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name.startswith("__") or not hasattr(rankings := import_module("rankgold.measures.rankings"), name):
            raise AttributeError(f"module 'rankgold.measures' has no attribute {name!r}")
        value = globals()[name] = getattr(rankings, name)
        return value
