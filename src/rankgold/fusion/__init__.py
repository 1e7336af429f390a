"""Fuses several runs into one: fuse, learn_weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars

    from rankgold.core.accepted import By, EngineLike, Judgements, QueryIds, Runs, SeenDocuments
    from rankgold.core.policy import Policy
    from rankgold.data.selection import Parent
    from rankgold.engines.protocol import Progress
    from rankgold.fusion.learned_weights import LearnedWeights
    from rankgold.measures.metric import Measure


MethodName = Literal[
    "rrf", "combsum", "combmnz", "combanz", "combmin", "combmax", "combmed", "combgmnz", "wsum", "wmnz", "mixed", "isr",
    "logisr", "lognisr", "rbc", "borda", "wborda", "condorcet", "wcondorcet", "bayesfuse", "mapfuse", "posfuse",
    "probfuse", "segfuse", "slidefuse",
]  # fmt: skip
NormName = Literal["min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda", "none"]
Search = Literal["ascent", "grid"]


def fuse(
    runs: Runs,
    method: MethodName | str = "rrf",
    *,
    k: float | None = None,
    method_options: Mapping[str, Any] | None = None,
    norm: NormName | str | None = None,
    weights: Iterable[float] | Mapping[str, float] | None = None,
    qrels: Judgements | None = None,
    folds: int | None = None,
    seed: int = 0,
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> polars.DataFrame:
    """One run out of several, as a Polars frame: query, document, score. The best document of a query comes first.

    `runs` is a list, or a dict by name, of what `evaluate` takes as a run. `method` is one of those of the page on
    fusing; `k` is the parameter of rrf, 60 unless given, and `method_options` has the parameters of any method, such as
    `{"phi": 0.9}` for rbc. `norm` makes scores of different systems comparable; default: min-max for methods that add
    scores. `weights` are for wsum and other weighted methods: a list, or a dict by run.

    Methods such as bayesfuse learn from the judgements `qrels`. With `folds`, each judged query is fused with what the
    other folds taught, so that the fused run can be evaluated with the same judgements; `seed` decides the folds.

    A query that a run does not have is fused from the others. Documents with the same fused score are sorted by id, as
    the policy says: `ties=descending` is the default. `depth` cuts off the fused rankings. The other keywords are those
    of `evaluate`, but for `by`.

    >>> bm25 = {"q1": {"d1": 9.1, "d2": 7.4, "d3": 2.0}}
    >>> dense = {"q1": {"d2": 0.8, "d4": 0.7}}
    >>> fuse([bm25, dense], k=60).rows()
    [('q1', 'd2', 0.03252247488101534), ('q1', 'd1', 0.01639344262295082), ('q1', 'd4', 0.016129032258064516), \
('q1', 'd3', 0.015873015873015872)]
    """
    from rankgold.core.errors import FusionError, refuse
    from rankgold.engines.request import Request
    from rankgold.fusion.fused_run import FusionSettings, fused, top

    refuse("fuse", by=by)
    options = {**(method_options or {})}
    if k is not None and options.setdefault("k", k) != k:
        raise FusionError(f"k is given twice, as k={k} and in method_options. Leave out one of them.")
    settings = FusionSettings.of(method, norm, options)
    request = Request.of({"qrels": qrels, "run": runs}, policy=policy, topics=topics, rel=rel, exclude=exclude,
        parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return top(fused(request, settings, weights, folds, seed), depth)


def learn_weights(
    qrels: Judgements,
    runs: Runs,
    measure: str | Measure = "ndcg@10",
    *,
    method: MethodName | str = "wsum",
    method_options: Mapping[str, Any] | None = None,
    norm: NormName | str | None = None,
    search: Search = "ascent",
    step: float = 0.1,
    folds: int = 5,
    seed: int = 0,
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> LearnedWeights:
    """Learns the weights that maximise a measure of the fused run, with cross-validation.

    `fuse(runs, "wsum", weights=learned.weights)` then fuses the runs. `learned.score` is an honest value: the judged
    queries are divided into `folds` at random (by `seed`), and each is fused with weights that the other folds taught.
    `learned.training_score` is the value on the queries that taught the weights, which is too good.

    `search` is "ascent", one weight after the other, or "grid", all combinations. Weights are multiples of `step` that
    add up to 1; ascent scales the others, so they can be finer. `method` is wsum, wmnz, mixed, wborda or wcondorcet.
    The other arguments are those of `fuse`; `depth` cuts off the fused rankings before they are measured.

    >>> qrels = {"q1": {"a": 1}, "q2": {"c": 1}, "q3": {"e": 1}}
    >>> good = {"q1": {"a": 3, "b": 2}, "q2": {"c": 3, "d": 2}, "q3": {"e": 3, "f": 2}}
    >>> bad = {"q1": {"b": 5, "a": 4}, "q2": {"d": 5, "c": 4}, "q3": {"f": 5, "e": 4}}
    >>> learned = learn_weights(qrels, {"good": good, "bad": bad}, "rr", folds=3)
    >>> learned.weights, learned.score
    ({'good': 0.6, 'bad': 0.4}, 1.0)
    """
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request
    from rankgold.fusion.fused_run import FusionSettings
    from rankgold.fusion.learned_weights import WeightSearch, learned

    refuse("learn_weights", by=by)
    settings = FusionSettings.of(method, norm, method_options or {})
    request = Request.of({"qrels": qrels, "run": runs}, policy=policy, topics=topics, rel=rel, exclude=exclude,
        parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return learned(request, measure, settings, WeightSearch(search, step, folds, seed), depth)
