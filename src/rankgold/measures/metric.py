"""Declares a measure (`@measure`) with all its facts, and decides its parameters.

`@measure` turns a function into a `Metric`: its parameters come from the signature, its documentation from the
docstring. A `Measure` is a metric with its parameters decided. Its text, such as `ndcg(gain=exp)@10`, is its identity.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np

from rankgold.core.derivation import Derivation, Matched, decide
from rankgold.core.errors import MeasureError, brief
from rankgold.core.exact_sums import Moments
from rankgold.core.hits import SMALLEST_GRADE, Hits, OrderMattersError
from rankgold.core.permutations import average_over_orders
from rankgold.core.policy import Policy
from rankgold.core.segments import Bools, Floats
from rankgold.core.ties import TiedRanking
from rankgold.measures.facts import FREE, Grades, NoSql, Response
from rankgold.measures.parameters import Parameter, parameters_of, unknown_parameter
from rankgold.measures.registry import REGISTRY, Registry

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Ranks are 64-bit integers.
_DEEPEST = 2**63 - 1

# A single 0 would make a geometric mean 0, so lower values count as this one, as in trec_eval.
LOWEST_IN_GEOMETRIC_MEAN = 0.00001


@dataclass(frozen=True, slots=True)
class Aggregate:
    """How to aggregate the values of all queries.

    It is made of exact sums, so that it is the same in any order and in any split of the queries. In miniature: the
    geometric mean of 0.1 and 0.4 adds up log(0.1) and log(0.4), and is exp of half of the sum, 0.2.
    """

    name: str
    finish: Callable[[Moments], float]
    """From the sums of the prepared values to the result."""
    prepare: Callable[[Floats], Floats] | None = None
    """From values to what is added up; None if these are the values themselves."""

    def moments(self, values: Floats) -> Moments:
        """The sums of the values of some queries; NaN is left out."""
        return Moments.of(values if self.prepare is None else self.prepare(values))

    def __call__(self, values: Floats) -> float:
        return self.finish(self.moments(values))


@dataclass(frozen=True, slots=True)
class _Mean(Aggregate):
    """The mean, by the fastest way to its exact sum."""

    def __call__(self, values: Floats) -> float:
        known = values[~np.isnan(values)]
        try:
            return math.fsum(known) / len(known) if len(known) else math.nan
        except OverflowError:
            return self.finish(Moments.of(known))


def _logarithm(values: Floats) -> Floats:
    prepared: Floats = np.log(np.maximum(values, LOWEST_IN_GEOMETRIC_MEAN))
    return prepared


def _mean(sums: Moments) -> float:
    return sums.mean


def _sum(sums: Moments) -> float:
    return sums.sum if sums.count else math.nan


def _no_value(_: Moments) -> float:
    return math.nan


def _exponential_of_mean(sums: Moments) -> float:
    return math.exp(sums.mean)


MEAN = _Mean("mean", _mean)
SUM = Aggregate("sum", _sum)
GEOMETRIC_MEAN = Aggregate("geometric mean", _exponential_of_mean, _logarithm)
TOGETHER = Aggregate("value of all lists together", _no_value)
"""For a measure that has one value for all lists together, and none for single users."""


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A measure without its parameters: call it with them, or cut it with `@`.

    `@measure` makes it, and has the defaults of these facts.
    """

    name: str
    function: Callable[..., Any]
    """The formula. It takes what the measures of its family are computed of, such as Hits."""
    aliases: tuple[str, ...]
    span: tuple[float, float]
    higher_is_better: bool
    monotone: bool
    """Whether moving a better document up never makes the value worse."""
    wants_relevant: bool
    """Whether a query without a relevant document is a case for the policy."""
    defines_empty: bool
    """Whether the formula defines the value of an unranked query, as counts do. Otherwise it scores 0."""
    handles_ties: bool
    """Whether the formula handles tied documents itself, so that the policy's choice does not matter."""
    closed_form: bool
    """Whether the formula gives the mean over all orders of tied documents, from the chance of each rank. Otherwise it
    is evaluated in every order."""
    binary: bool
    """Whether it only distinguishes relevant documents from others: fewer orders of ties differ then."""
    over_subtopics: bool
    """Whether it uses subtopics. Other measures do not see them."""
    suffix: str | None
    """The parameter that a number after the name sets, as in `rbp.95` or `iprec_at_recall_0.10`."""
    scale: str | None
    """The parameter that names the highest grade, or makes it unimportant. If the user does not give it, the measure
    takes the highest grade of the judgements."""
    aggregate: Aggregate = field(repr=False)
    """How to aggregate the values of all queries."""
    mean_name: str
    """The name of this number on plots, such as MAP; the name of the aggregate if empty."""
    title: str
    """The full name, such as "Average precision"."""
    question: str
    """The short name of the question that it answers: one of `QUESTIONS`."""
    grades: Grades = field(repr=False, compare=False)
    """How it responds to the grades of unjudged documents, with the defaults of its parameters."""
    no_sql: str
    """Why it has no SQL function; empty if it has one."""
    sql_names: tuple[str, ...]
    """Names that its SQL function has besides those of the measure."""
    family: str
    """The name of its family: one of `FAMILIES`."""

    def __call__(self, *, k: int | None = None, **parameters: object) -> Measure:
        return Measure.of(self, parameters, k)

    def __matmul__(self, k: int) -> Measure:
        return self() @ k

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters besides the cutoff, in the order of the signature."""
        return {name: parameter for name, parameter in parameters_of(self.function).items() if name != "k"}

    @cached_property
    def takes_cutoff(self) -> bool:
        return "k" in inspect.signature(self.function).parameters

    @property
    def usual_span(self) -> tuple[float, float]:
        """The range of nearly all values: a list is rarely better than an ideal list that is put together greedily."""
        return (self.span[0], 1.0) if self.over_subtopics else self.span

    @property
    def documentation(self) -> str:
        return inspect.getdoc(self.function) or ""

    @property
    def formula_text(self) -> str:
        """The formula, from the documentation; empty if that has none."""
        return next((block.strip() for block in self.documentation.split("\n\n") if block.startswith("    ")), "")

    @property
    def summary(self) -> str:
        return self.documentation.partition("\n\n")[0].replace("\n", " ")

    def __repr__(self) -> str:
        return f"<measure {self.name}: {self.summary}>"


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters decided.

    >>> from rankgold import measures, parse_measure
    >>> measures.ndcg(gain="exp") @ 10 == parse_measure("ndcg(gain=exp, discount=log2)@10")
    True
    >>> str(parse_measure("ndcg_cut_10")), str(parse_measure("F1@5")), str(parse_measure("f(beta=2)@5"))
    ('ndcg@10', 'f@5', 'f(beta=2)@5')
    """

    metric: Metric
    chosen: tuple[tuple[str, Any], ...] = ()
    """The parameters that differ from their defaults, in the order of the signature."""
    k: int | None = None
    given: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The parameters that were given, even with the value of their defaults."""

    @classmethod
    def of(cls, metric: Metric, parameters: dict[str, Any], k: int | None = None) -> Measure:
        for name in parameters:
            if name not in metric.parameters:
                raise MeasureError(unknown_parameter(metric.name, metric.parameters, name))
        values = {
            name: parameter.value(parameters[name])
            for name, parameter in metric.parameters.items()
            if name in parameters
        }
        chosen = tuple((name, value) for name, value in values.items() if value != metric.parameters[name].default)
        return cls(metric, chosen, cutoff(metric, k), frozenset(values))

    def __matmul__(self, k: int) -> Measure:
        return Measure(self.metric, self.chosen, cutoff(self.metric, k), self.given)

    def with_parameters(self, **parameters: object) -> Measure:
        """The same measure with these parameters besides its own."""
        changed = Measure.of(self.metric, dict(self.chosen) | parameters, self.k)
        return replace(changed, given=self.given | parameters.keys())

    def relevant_from(self, rel: object) -> Measure:
        """The same measure with this lowest relevant grade, if it takes one and none was given."""
        if "rel" not in self.metric.parameters or "rel" in self.given:
            return self
        return replace(self.with_parameters(rel=rel), given=self.given)

    def __call__(self, hits: Matched) -> Derivation:
        """The values of all queries or users, with their terms."""
        if not isinstance(hits, Hits):
            return hits.derived(self)
        system = hits.system
        has_formula = self.metric.closed_form or self.metric.handles_ties
        # A closed form is for whole groups of tied documents.
        if not isinstance(system, TiedRanking) or (has_formula and not system.is_cut):
            with suppress(OrderMattersError):
                derived: Derivation = self.formula(hits)
                return derived
        if hits.subtopics is not None and not self.metric.over_subtopics:
            hits = replace(hits, subtopics=None)
        rel = self.threshold if self.metric.binary else None
        return average_over_orders(hits, self.formula, self._decided, str(self), self.k, rel)

    def _decided(self, hits: Hits, derived: Derivation) -> Floats:
        return np.where(hits.kept, decide(self, hits, derived).values, np.nan)

    @property
    def formula(self) -> Callable[[Any], Any]:
        """The function of the metric with its parameters: it takes what the measures of the family are computed of."""
        depth = {"k": self.k} if self.metric.takes_cutoff else {}
        return partial(self.metric.function, **depth, **dict(self.chosen))

    def parameter(self, name: str) -> Any:
        return dict(self.chosen).get(name, self.metric.parameters[name].default)

    def without_relevant(self, hits: Hits, derived: Derivation) -> Bools:
        """The queries without a document that is relevant to this measure: the policy decides their value."""
        if not self.metric.wants_relevant:
            return np.zeros(len(hits), dtype=bool)
        nothing: Bools = hits.relevant(self.threshold) == 0
        if "rel" not in self.metric.parameters and isinstance(derived.norm, np.ndarray):
            nothing |= derived.norm == 0
        return nothing

    @property
    def ignores_degrees(self) -> bool:
        """True if it only distinguishes relevant from non-relevant."""
        parameters = self.metric.parameters
        is_graded = "worth" in parameters and self.parameter("worth") in ("graded", "relative")
        return "rel" in parameters and not is_graded

    @property
    def threshold(self) -> float:
        """The lowest relevant grade of this measure; anything above 0 if grades themselves count."""
        return float(self.parameter("rel")) if self.ignores_degrees else SMALLEST_GRADE

    @property
    def grades(self) -> Grades:
        """How it responds to the grades of unjudged documents, with its parameters."""
        for choice, grades in self.metric.grades.unless.items():
            name, _, chosen = choice.partition("=")
            # A function is meant with all its numbers: sigmoid(2, 1.5) by sigmoid.
            if str(self.parameter(name)).partition("(")[0] == chosen:
                return grades
        return self.metric.grades

    def response(self, policy: Policy) -> Response:
        """How it responds to the grades of unjudged documents under a policy.

        If each order of tied documents drops different ones, nothing is claimed.
        """
        grades = self.grades
        if policy.ties == "average" and policy.unretrieved == "dropped" and policy.depth is not None:
            return "free"
        if not self.metric.wants_relevant or policy.no_relevant == "zero":
            return grades.response
        return grades.without_relevant or ("shares" if grades.response == "ends" else grades.response)

    @property
    def orders_ties(self) -> bool:
        """True if the policy orders tied documents, and not the formula itself."""
        own_choice = "ties" in self.metric.parameters and self.parameter("ties") == "order"
        return own_choice or not self.metric.handles_ties

    @property
    def takes_scale_from_judgements(self) -> bool:
        """Whether a value depends on the highest grade of all judgements, including those of other queries."""
        if "worth" in self.metric.parameters and self.parameter("worth") == "binary":
            return False
        return self.metric.scale is not None and self.parameter(self.metric.scale) is None

    @property
    def higher_is_better(self) -> bool:
        return self.metric.higher_is_better

    def __str__(self) -> str:
        inside = ", ".join(f"{name}={self.metric.parameters[name].text(value)}" for name, value in self.chosen)
        return self.metric.name + (f"({inside})" if inside else "") + ("" if self.k is None else f"@{self.k}")

    def _repr_html_(self) -> str:
        """What notebooks show: the formula, the parameters and the range."""
        from rankgold.core.result import notebook_html
        from rankgold.measures.description import measure_document

        return notebook_html(measure_document(self))

    def __repr__(self) -> str:
        return f"<measure {self}>"


def cutoff(metric: Metric, k: object) -> int | None:
    if k is None:
        return None
    if not metric.takes_cutoff:
        raise MeasureError(f"{metric.name} takes no cutoff.")
    if isinstance(k, bool) or not hasattr(k, "__index__") or k.__index__() < 1:
        raise MeasureError(f"A cutoff must be a whole number from 1, not {brief(k)}.")
    if k.__index__() > _DEEPEST:
        raise MeasureError(f"A cutoff must be at most {_DEEPEST:,}, not {brief(k)}.")
    return int(k.__index__())


def measure(
    name: str,
    *,
    registry: Registry = REGISTRY,
    aliases: tuple[str, ...] = (),
    span: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool = True,
    monotone: bool = True,
    wants_relevant: bool = True,
    defines_empty: bool = False,
    handles_ties: bool = False,
    closed_form: bool = False,
    binary: bool = False,
    over_subtopics: bool = False,
    suffix: str | None = None,
    scale: str | None = None,
    aggregate: Aggregate = MEAN,
    mean_name: str = "",
    title: str = "",
    question: str = "",
    grades: Grades = FREE,
    no_sql: str = "",
    sql_names: tuple[str, ...] = (),
) -> Callable[[_Function], _Function]:
    """Declares a function of Hits, or of what another family is computed of, as a measure. The function stays as it is.

    `Metric` explains the facts. The title is the name of the function in words, unless another one is given.
    """

    def declare(function: _Function) -> _Function:
        metric = Metric(
            name=name,
            function=function,
            aliases=aliases,
            span=span,
            higher_is_better=higher_is_better,
            monotone=monotone,
            wants_relevant=wants_relevant,
            defines_empty=defines_empty,
            handles_ties=handles_ties,
            closed_form=closed_form,
            binary=binary,
            over_subtopics=over_subtopics,
            suffix=suffix,
            scale=scale,
            aggregate=aggregate,
            mean_name=mean_name,
            title=title or function.__name__.replace("_", " ").capitalize(),
            question=question,
            grades=grades,
            no_sql=no_sql or (NoSql.SUBTOPICS if over_subtopics else ""),
            sql_names=sql_names,
            family=registry.name,
        )
        registry.add(metric)
        return function

    return declare
