"""Finds the convention that gives a number which another tool printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rankgold.data.parents import Parent
    from rankgold.declaration.metric import Measure
    from rankgold.engines.protocol import Progress
    from rankgold.policy import Policy
    from rankgold.reconciliation.result import Reconciliation


def reconcile(
    qrels: Any,
    run: Any,
    measure: str | Measure = "ndcg@10",
    value: float | str | None = None,
    *,
    per_query: Any = None,
    digits: int | None = None,
    exhaustive: bool = False,
    policy: Policy | str | None = None,
    topics: Any = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: Any = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: Any = None,
    engine: Any = None,
    progress: Progress | None = None,
) -> Reconciliation:
    """Finds the convention that gives a number, trying the dialects of all tools, single deviations, then pairs.

    Pairs are tried if nothing simpler gives the number, or if the search is `exhaustive`.

    `value` is the number that another tool gave, with as many digits as it is known with: 0.412 stands for all numbers
    that are rounded to it. As text it keeps zeros at the end, and `digits` says how many decimals count otherwise.
    `per_query` has the values of queries: a dict, or a file as trec_eval -q and other tools write it. `policy` is where
    the search starts. The other keywords are those of `evaluate`, but for `by`.

    >>> found = reconcile({"u": [1, 2, 4]}, {"u": [1, 3, 2, 6]}, "ap@2", 0.5)
    >>> found.matches[0].measure, "spark" in found.matches[0].tools
    ('ap(norm=min)@2', True)
    """
    from rankgold.engines.request import Request
    from rankgold.errors import refuse
    from rankgold.reconciliation.search import reconciled

    refuse("reconcile", by=by)
    request = Request.of({"qrels": qrels, "run": run}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return reconciled(request, measure, value, per_query, digits, exhaustive=exhaustive)
