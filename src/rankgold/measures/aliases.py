"""Maps names and parameters of other tools to ours.

A name that means the same as a measure of rankgold is an alias of that measure. This table has the names that stand for
a measure with certain parameters: ndcg_burges of ranx is `ndcg(gain=exp)`.
"""

from __future__ import annotations

import math
import re
from typing import Any

NAMES: dict[str, tuple[str, dict[str, Any]]] = {
    # trec_eval and ir_measures: sets are lists without a cutoff.
    "relative_p": ("p", {"norm": "min"}),
    "set_p": ("p", {}),
    "setp": ("p", {}),
    "set_recall": ("r", {}),
    "setr": ("r", {}),
    "set_f": ("f", {}),
    "setf": ("f", {}),
    "setap": ("set_map", {}),
    "setrelp": ("set_relative_p", {}),
    # ranx
    "ndcg_burges": ("ndcg", {"gain": "exp"}),
    "dcg_burges": ("dcg", {"gain": "exp"}),
    "r-precision": ("rprec", {}),
    # RecTools
    "f1beta": ("f", {}),
    # LensKit
    "reciprank": ("rr", {}),
    "averageprecision": ("ap", {"norm": "reachable"}),
    "listlength": ("num_ret", {}),
    "testitemcount": ("num_rel", {}),
    # scikit-learn
    "ndcg_score": ("ndcg", {}),
    "dcg_score": ("dcg", {}),
    "roc_auc_score": ("auc", {}),
    "top_k_accuracy": ("hit", {}),
    "topk_accuracy": ("hit", {}),
    "top_k_accuracy_score": ("hit", {}),
    # With tied documents as one step, which is what lrap does.
    "average_precision_score": ("lrap", {}),
    "label_ranking_average_precision_score": ("lrap", {}),
    "lap": ("lrap", {}),
    # torchmetrics
    "retrievalmap": ("ap", {"norm": "retrieved"}),
    "retrievalmrr": ("rr", {}),
    "retrievalprecision": ("p", {}),
    "retrievalrecall": ("r", {}),
    "retrievalhitrate": ("hit", {}),
    "retrievalnormalizeddcg": ("ndcg", {}),
    "retrievalrprecision": ("rprec", {}),
    "retrievalfallout": ("fallout", {}),
    "retrievalauroc": ("auc", {}),
    "retrievalrecallatfixedprecision": ("r_at_p", {}),
    # TensorFlow Ranking: a list shorter than the cutoff is divided by its length.
    "precisionmetric": ("p", {"norm": "returned"}),
    "recallmetric": ("r", {}),
    "hitsmetric": ("hit", {}),
    "mrrmetric": ("rr", {}),
    "meanaverageprecisionmetric": ("ap", {}),
    "dcgmetric": ("dcg", {"gain": "exp"}),
    "ndcgmetric": ("ndcg", {"gain": "exp"}),
    "arpmetric": ("arp", {}),
    "opametric": ("opa", {}),
    "precisioniametric": ("p_ia", {}),
    "alphadcgmetric": ("alpha_dcg", {}),
}
"""A name in lower case -> the measure, and the parameters that the name stands for."""

# P_avgjg_5 is what trec_eval prints for P_avgjg.5.
_NUMBER_AFTER_LINE = re.compile(r"_(?=[\d.]+$)")

_READERS = ("sdcg", "insq", "inst", "bpm", "nerr8", "nerr9", "nerr10", "nerr11")

_PARAMETERS: dict[tuple[str, str], dict[str, dict[str, Any]]] = {
    ("ndcg", "dcg"): {"log2": {}, "exp-log2": {"gain": "exp"}},  # ir_measures
    ("sdcg", "dcg"): {"log2": {}},
    ("compat", "normalize"): {"true": {}, "false": {"norm": "depth"}},
    **{(model, "min_rel"): {"0": {}} for model in _READERS},
}


def parameter_name(metric: str, name: str) -> str:
    """The name that a parameter of another tool has in rankgold, or the name itself."""
    return "max" if name == "max_rel" and metric in _READERS else name


def parameters_meant(metric: str, name: str, value: str) -> dict[str, Any] | None:
    """The parameters of rankgold that a parameter of another tool stands for; None if no tool has it."""
    return _PARAMETERS.get((metric, name), {}).get(value.lower())


def measure_meant(name: str, number: str) -> tuple[str, dict[str, Any]] | None:
    """The measure that another tool writes with this number after its name; None if the number is a cutoff."""
    if name.lower() != "set_f" or not float(number):
        return None
    return "f", {"beta": math.sqrt(float(number))}  # trec_eval takes the square of beta


def what_to_do_about(name: str) -> str:
    """The advice for a name of another tool that is not a measure of grades; empty if unknown."""
    known = name.lower()
    if known.startswith(("runid", "relstring")):
        what, options = "It is a text in trec_eval, not a number", "-q"
    elif known.startswith("prefs_"):
        what, options = "It needs preferences between documents", "-R prefs"
    elif "_avgjg" in known:
        what, options = "It needs the grades of several judges", "-R qrels_jg"
    elif known == "lwlrap":
        return (
            "It is lrap with a mean over all relevant labels instead of queries:"
            " numpy.average(scores.values('lrap'), weights=scores.values('num_rel')) computes it."
        )
    elif known in ("official", "all_trec"):
        return f"It is a list of measures in trec_eval: 'rankgold trec_eval -m {known}' prints them."
    else:
        return ""
    return f"{what}: 'rankgold trec_eval {options} -m {_NUMBER_AFTER_LINE.sub('.', name)}' prints it."
