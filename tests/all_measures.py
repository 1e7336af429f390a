"""The registry -> every measure to try: all choices of all parameters, as their declarations have them."""

import rankgold
from rankgold.measures.metric import measure
from rankgold.measures.registry import Registry

METRICS = rankgold.measures.all()


def declared(function, **facts):
    """A function as a metric with these facts, in a family of its own."""
    family = Registry("others", "Other measures", "evaluate")
    measure("new", registry=family, **facts)(function)
    return family["new"]


def values_to_try(parameter):
    """Every named choice of a parameter, and the examples that its declaration gives."""
    return [*(parameter.functions.members if parameter.functions else parameter.choices), *parameter.examples]


def variants(metric):
    """The metric with its defaults, and with every choice of each of its parameters."""
    chosen = [{p.name: value} for p in metric.parameters.values() for value in values_to_try(p)]
    return list(dict.fromkeys([metric(), *(metric(**choice) for choice in chosen)]))


def measures(cutoffs, metrics=METRICS):
    """The variants of all metrics, uncut and at these cutoffs."""
    uncut = [measure for metric in metrics for measure in variants(metric)]
    return [*uncut, *(measure @ k for measure in uncut if measure.metric.takes_cutoff for k in cutoffs)]
