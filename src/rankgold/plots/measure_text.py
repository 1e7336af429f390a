"""A measure and its values in, the text that titles, axes and tooltips show for them out."""

import math
import re

from rankgold.declaration.metric import Measure

_MAX_METRIC_NAME = 24


def measure_name(measure: Measure, *, cutoff: bool = True) -> str:
    """The name of a measure in a title: NDCG@10, Average precision (rel=2)."""
    words = measure.metric.function.__name__.replace("_", " ")
    name = words[0].upper() + words[1:] if len(words) <= _MAX_METRIC_NAME else measure.metric.name.upper()
    return name + measure_suffix(measure, cutoff=cutoff)


def measure_suffix(measure: Measure, *, cutoff: bool = True) -> str:
    """The cutoff and the parameters of a measure, as they follow its name."""
    at = f"@{measure.k}" if cutoff and measure.k is not None else ""
    inside = re.search(r"\(.*\)", str(measure))
    return at + (f" {inside[0]}" if inside else "")


def axis_name(measure: Measure) -> str:
    """The name of a measure on an axis, with a note where lower is better."""
    return measure_name(measure) + direction(measure)


def direction(measure: Measure) -> str:
    return "" if measure.higher_is_better else ", lower is better"


def mean_name(measure: Measure) -> str:
    """The name of the aggregate over queries: MRR@10, MAP; else mean."""
    metric = measure.metric
    return metric.mean_name + measure_suffix(measure) if metric.mean_name else metric.aggregate.name


def difference_name(measure: Measure) -> str:
    """The name of the difference of two runs on an axis."""
    return f"Difference in {inside_sentence(measure_name(measure))}{direction(measure)}"


def inside_sentence(name: str) -> str:
    """The name of a measure in the middle of a line: average precision, NDCG."""
    return name if name[:2].isupper() else name[0].lower() + name[1:]


def is_bounded(measure: Measure) -> bool:
    """Whether the measure has a highest value: then its values have a fixed number of decimals."""
    return math.isfinite(measure.metric.span[1])


def number_format(measure: Measure) -> str:
    """The format of values on the chart."""
    return ".2f" if is_bounded(measure) else ".4~g"


def exact_format(measure: Measure) -> str:
    """The format of values in tooltips."""
    return ".4f" if is_bounded(measure) else ".6~g"


def title_number(value: float, measure: Measure) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:.4f}" if is_bounded(measure) else f"{value:.4g}"
