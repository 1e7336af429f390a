"""A measure in, how it responds to the grades of open documents out: which of their grades make it lowest and highest.

What is stated here of each measure is tested against all grades that the open documents of small queries can have.
"""

from __future__ import annotations

import math
from typing import Literal

from rankgold.declaration.metric import Measure
from rankgold.policy import DEFAULT, Policy

Response = Literal["ends", "shares", "exchanges", "free"]
"""`ends`: a higher grade of any document never makes the value lower, or never higher.

`shares`: the value is a share of what could be reached. Of two documents, a relevant one in the higher place never
makes it worse; one that is relevant and not in the list never makes it better.

`exchanges`: only the first of the two is true.

`free`: neither is, or the number of judged documents counts.
"""

_MEASURES: dict[Response, frozenset[str]] = {
    "ends": frozenset([
        "cg", "dcg", "err", "hit", "hits", "idcg", "insq", "judged", "num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret",
        "num_ret", "rbp", "rbp_resid", "rr", "sdcg", "trec_rbp_resid", "unjudged",
    ]),
    "shares": frozenset([
        "ap", "ar", "arp", "bing", "f", "frp", "g", "gap", "gmap", "iprec", "iprec_mean", "mr", "ndcg", "nerr", "p",
        "pap", "pauc", "q", "r", "r_at_p", "set_map", "set_relative_p", "yaap",
    ]),
    "exchanges": frozenset(["rprec", "rprec_mult"]),
}  # fmt: skip
"""The measures of each kind; all others are free."""

# Choices of parameters with which a measure is of another kind than with its defaults.
_OTHERWISE: dict[str, dict[tuple[str, str], Response]] = {
    "arp": {("miss", "last"): "free"},
    "mr": {("miss", "last"): "free"},
    "ndcg": {("ideal", "ones"): "ends"},
    "p": {("norm", "k"): "ends", ("norm", "returned"): "ends"},
    "rbp": {("worth", "relative"): "free"},
}

_SEPARABLE = frozenset(["ap", "bing", "f", "gmap", "mr", "ndcg", "p", "r"])

# The sum is linear in the gains and the norm convex, so that the lowest value has no grades between 0 and the highest.
_LOWEST_AT_ENDS = frozenset(["ndcg"])

# Worth of a document depends on its own grade and rank alone, and higher ranks are worth more.
_ADDITIVE = frozenset(["cg", "dcg", "f", "hits", "insq", "ndcg", "num_rel_ret", "p", "r", "rbp", "sdcg"])


def response_of(measure: Measure, policy: Policy = DEFAULT) -> Response:
    """How the measure responds to the grades of open documents.

    If a query without a relevant document does not score 0, the first relevant document may make its value lower. If
    each order of tied documents drops other ones, any grade may do anything.
    """
    if policy.ties == "average" and policy.unretrieved == "dropped" and policy.depth is not None:
        return "free"
    response = _response(measure)
    if response == "ends" and measure.metric.wants_relevant and policy.no_relevant != "zero":
        return "free" if measure.metric.name == "idcg" else "shares"
    return response


def _response(measure: Measure) -> Response:
    name = measure.metric.name
    for (parameter, choice), response in _OTHERWISE.get(name, {}).items():
        if str(measure.parameter(parameter)) == choice:
            return response
    if name == "nerr" and measure.parameter("stop").name == "sigmoid":
        return "free"
    return next((response for response, names in _MEASURES.items() if name in names), "free")


def ignores_degrees(measure: Measure) -> bool:
    """Whether only relevant and not relevant are told apart."""
    if measure.metric.name == "rbp" and measure.parameter("worth") != "binary":
        return False
    return "rel" in measure.metric.parameters


def is_lowest_at_ends(measure: Measure) -> bool:
    """Whether the lowest value has no grades between 0 and the highest."""
    return ignores_degrees(measure) or (measure.metric.name in _LOWEST_AT_ENDS and not _has_fixed_norm(measure))


def is_separable(measure: Measure) -> bool:
    """Whether sum and norm grow with every relevant document: between two numbers of them, values have bounds."""
    return measure.metric.name in _SEPARABLE and not _has_fixed_norm(measure)


def _has_fixed_norm(measure: Measure) -> bool:
    """Whether no grade changes the norm of what otherwise is a share."""
    return measure.metric.name == "ndcg" and measure.parameter("ideal") == "ones"


def limits(measure: Measure) -> tuple[float, float]:
    """The lowest and highest value of any ranking. Grades above 1 can beat an ideal ranking of ones."""
    low, high = measure.metric.span
    return low, math.inf if _has_fixed_norm(measure) else high


def is_additive(measure: Measure) -> bool:
    """Whether the sum adds up what each document is worth by itself: more at a higher rank."""
    return measure.metric.name in _ADDITIVE


def is_sum_of_gains(measure: Measure) -> bool:
    """Whether the value adds up gains of single documents over a norm that no grade changes."""
    return response_of(measure) == "ends" and is_additive(measure)
