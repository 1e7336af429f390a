"""Defines a convention and every single deviation from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from rankgold.core.policy import Policy
from rankgold.measures.metric import Measure
from rankgold.measures.parameters import Parameter

Order = Literal["scores", "reversed", "file"]
Ids = Literal["text", "numbers"]
Summary = Literal["mean", "median", "geometric mean", "sum", "pooled", "above zero"]


@dataclass(frozen=True, slots=True)
class Convention:
    """Everything that decides the number of a measure over all queries."""

    measure: Measure
    policy: Policy
    order: Order = "scores"
    """Documents from high to low scores, from low to high, or as they are in the file."""
    ids: Ids = "text"
    summary: Summary = "mean"
    """What one number is made of; `mean` stands for the measure's own way."""
    unjudged_queries_count: bool = False
    """Whether ranked queries without judgements count 0 in the mean."""

    @property
    def ranking(self) -> tuple[Any, ...]:
        """The choices that ranks depend on."""
        policy = self.policy
        matching = (policy.unjudged, policy.unretrieved, policy.duplicates, policy.score_bits, policy.depth)
        return (self.order, self.ids, policy.ties, *matching)

    def with_parameter(self, name: str, value: object) -> Convention:
        """The same with another value of a parameter of the measure."""
        return replace(self, measure=self.measure.with_parameters(**{name: value}))

    def with_cutoff(self, k: int | None) -> Convention:
        return replace(self, measure=replace(self.measure, k=k))

    def with_choice(self, /, **choice: Any) -> Convention:
        """The same with other choices of the policy."""
        return replace(self, policy=replace(self.policy, **choice))


@dataclass(frozen=True, slots=True)
class Deviation:
    """One change of a convention."""

    axis: str
    """What is changed: two deviations of the same axis exclude each other."""
    choice: str
    sentence: str
    """What the convention does, as the end of a sentence that starts with "It"."""
    change: Callable[[Convention], Convention]
    preparation: str = ""
    """What to do before or after an evaluation, if no measure or policy expresses it."""
    is_measure: bool = False
    """Whether it is a parameter of the measure."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A convention to try, and how it is reached."""

    convention: Convention
    deviations: tuple[Deviation, ...] = ()
    dialect: str = ""
    """The name of the tool that has it, if it is tried for that reason."""

    @property
    def steps(self) -> int:
        """How far it is from the convention as it was written."""
        return len(self.deviations) + bool(self.dialect)


_CUTOFFS = (5, 10, 20, 100, 1000)

_OF_PARAMETERS = {
    ("norm", "relevant"): "divides by all relevant documents",
    ("norm", "retrieved"): "divides by the relevant documents that were found",
    ("norm", "min"): "divides by min(k, R), the smaller of the cutoff and the relevant documents",
    ("norm", "k"): "divides by the cutoff",
    ("norm", "returned"): "divides by the documents returned",
    ("norm", "reachable"): "divides by the most relevant documents that a list of this length can hold",
    ("gain", "linear"): "takes the grade as the gain",
    ("gain", "exp"): "takes 2^grade - 1 as the gain",
    ("gain", "binary"): "takes 1 as the gain of every relevant document",
    ("discount", "log2"): "divides gains by log2(rank + 1)",
    ("discount", "jk"): "does not discount the ranks 1 and 2, as the paper of 2002",
    ("ideal", "judged"): "holds the list against the best order of all judged documents",
    ("ideal", "retrieved"): "holds the list against the best order of the retrieved documents only",
    ("ideal", "ones"): "holds the list against k documents of grade 1",
    ("ideal", "reachable"): "holds the list against an ideal list of the same length",
}

_OF_POLICIES = {
    ("ties", "descending"): "puts tied documents in descending order of their ids",
    ("ties", "ascending"): "puts tied documents in ascending order of their ids",
    ("ties", "input"): "keeps tied documents in the order of the input",
    ("ties", "average"): "averages over all orders of tied documents",
    ("missing", "zero"): "counts judged queries that are not in the run as 0",
    ("missing", "skip"): "leaves out judged queries that are not in the run",
    ("no_relevant", "zero"): "counts queries without relevant documents as 0",
    ("no_relevant", "one"): "counts queries without relevant documents as 1",
    ("no_relevant", "skip"): "leaves out queries without relevant documents",
    ("unjudged", "nonrelevant"): "keeps documents without a judgement in the list",
    ("unjudged", "condensed"): "takes documents without a judgement out of the list",
    ("unretrieved", "counted"): "counts relevant documents that were not retrieved",
    ("unretrieved", "dropped"): "does not know relevant documents that were not retrieved",
    ("duplicates", "first"): "takes the first row of a document that is in a list twice",
    ("duplicates", "last"): "takes the last row of a document that is in a list twice",
    ("undefined", "nan"): "leaves out queries whose value is 0/0",
    ("undefined", "zero"): "counts queries whose value is 0/0 as 0",
    ("score_bits", "64"): "compares scores at 64 bits",
    ("score_bits", "32"): "compares scores at 32 bits",
}

_OF_DATA = (
    Deviation(
        "order",
        "reversed",
        "ranks low scores above high ones",
        partial(replace, order="reversed"),
        "Give the run with the signs of its scores changed.",
    ),
    Deviation(
        "order",
        "file",
        "takes documents in the order of the file, whatever their scores are",
        partial(replace, order="file"),
        "Give the run as lists of documents, or with scores that fall from row to row.",
    ),
    Deviation(
        "ids",
        "numbers",
        "compares ids as numbers, so that 007 is 7 and 9 comes before 10",
        partial(replace, ids="numbers"),
        "Give ids that are filled up with zeros to the same length.",
    ),
    Deviation(
        "unjudged queries",
        "counted",
        "counts ranked queries without judgements as 0",
        partial(replace, unjudged_queries_count=True),
        "Divide the sum of the values by the number of all ranked queries.",
    ),
)

_SUMMARIES = {
    "median": ("gives the median of the queries", "Take the median of scores.values(measure)."),
    "geometric mean": (
        "gives the geometric mean of the queries, with at least 0.00001 for each",
        "Take the geometric mean of scores.values(measure).",
    ),
    "sum": ("adds up the queries instead of averaging them", "Take the sum of scores.values(measure)."),
    "pooled": (
        "adds up numerators and denominators of all queries before dividing (a micro average)",
        "Divide the sum of the sums by the sum of the norms that rankgold.explain gives for each query.",
    ),
    "above zero": ("averages over the queries with a value above 0 only", "Take the mean of the values above 0."),
}
_OF_SUMMARIES = tuple(
    Deviation("summary", summary, sentence, partial(replace, summary=summary), preparation)
    for summary, (sentence, preparation) in _SUMMARIES.items()
)


def single_deviations(base: Convention, grades: list[float]) -> list[Deviation]:
    """All single changes of a convention, whether or not they matter. `grades` are those in the data."""
    return [*_of_measure(base, grades), *_of_cutoff(base), *_of_policy(base), *_OF_DATA, *_OF_SUMMARIES]


def choice_sentence(field: str, choice: object) -> str:
    """What a convention with this choice does."""
    return _OF_POLICIES.get((field, str(choice))) or f"has {field}={choice}"


def _of_measure(base: Convention, grades: list[float]) -> Iterator[Deviation]:
    for name, parameter in base.measure.metric.parameters.items():
        now = base.measure.parameter(name)
        for value in _values(parameter, grades):
            checked = parameter.value(value)
            if str(checked) != str(now):
                text = parameter.text(checked)
                change = partial(Convention.with_parameter, name=name, value=value)
                yield Deviation(name, text, parameter_sentence(name, text), change, is_measure=True)


def _values(parameter: Parameter, grades: list[float]) -> list[Any]:
    if parameter.name == "rel":
        return [grade for grade in grades if grade > 0]
    if parameter.name == "max":
        return [grade for grade in (*grades, 4) if grade > 0]
    return [
        *(parameter.functions.members if parameter.functions else parameter.choices),
        parameter.default,
        *parameter.examples,
    ]


def parameter_sentence(name: str, text: str) -> str:
    """What a convention with this parameter of the measure does."""
    if name == "rel":
        return f"counts documents of grade {text} and better as relevant"
    return _OF_PARAMETERS.get((name, text)) or f"has {name}={text}"


def _of_cutoff(base: Convention) -> Iterator[Deviation]:
    if not base.measure.metric.takes_cutoff:
        return
    k = base.measure.k
    for other in (*_CUTOFFS, None) if k is None else (k - 1, k + 1, None):
        if other == k or other == 0:
            continue
        if other is None:
            sentence = "looks at the whole list, without a cutoff"
        else:
            off = f", one {'less' if other < k else 'more'} than {k}" if k is not None else ""
            sentence = f"cuts the list off after {other} document{'s' if other > 1 else ''}{off}"
        yield Deviation("cutoff", str(other), sentence, partial(Convention.with_cutoff, k=other), is_measure=True)


def _of_policy(base: Convention) -> Iterator[Deviation]:
    for (field, choice), sentence in _OF_POLICIES.items():
        if str(getattr(base.policy, field)) != choice:
            yield Deviation(field, choice, sentence, partial(Convention.with_choice, **{field: choice}))
    if base.measure.k is not None and base.policy.depth is None:
        yield Deviation(
            "unjudged",
            "condensed after the cutoff",
            f"takes documents without a judgement out of the first {base.measure.k}",
            partial(Convention.with_choice, unjudged="condensed", depth=base.measure.k),
        )
