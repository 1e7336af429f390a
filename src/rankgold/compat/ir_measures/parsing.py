"""The text of a measure in, the measure out: as ir_measures writes it, or as trec_eval does."""

from __future__ import annotations

import ast
import re

from rankgold.compat.ir_measures.measure_classes import Measure
from rankgold.compat.ir_measures.names import registry
from rankgold.dialects.trec_eval_names import NAMES, NICKNAMES
from rankgold.errors import MeasureError, brief, nearest

_FORM = "A measure must be written as Name(parameter=value)@cutoff, such as nDCG@10 or P(rel=2)@5"
_LONGEST = 4000

# A name of trec_eval with numbers after it: P.5,10 or iprec_at_recall_0.1.
_NUMBERED = re.compile(r"(.+?)[._](\d{1,18}(?:\.\d+)?(?:,\d{1,18}(?:\.\d+)?)*)")

# Names of trec_eval, and the parameter that a number after them sets.
_TREC = {
    "map": ("AP", None),
    "map_cut": ("AP", "cutoff"),
    "P": ("P", "cutoff"),
    "recall": ("R", "cutoff"),
    "success": ("Success", "cutoff"),
    "ndcg": ("nDCG", None),
    "ndcg_cut": ("nDCG", "cutoff"),
    "Rprec": ("Rprec", None),
    "recip_rank": ("RR", None),
    "bpref": ("Bpref", None),
    "infAP": ("infAP", None),
    "iprec_at_recall": ("IPrec", "recall"),
    "set_P": ("SetP", None),
    "set_relative_P": ("SetRelP", None),
    "set_recall": ("SetR", None),
    "set_map": ("SetAP", None),
    "set_F": ("SetF", "beta"),
    "num_q": ("NumQ", None),
    "num_ret": ("NumRet", None),
    "num_rel": ("NumRel", None),
    "num_rel_ret": ("NumRelRet", None),
}


def parse_measure(measure: str | Measure) -> Measure:
    """The measure that a text such as `nDCG(dcg='exp-log2')@10` names.

    >>> parse_measure("P(rel=2)@5")
    P(rel=2)@5
    """
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str) or len(measure) > _LONGEST:
        raise MeasureError(f"{_FORM}, not {brief(measure)}.")
    try:
        node, at = ast.parse(measure.strip(), mode="eval").body, None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            at, node = ast.literal_eval(node.right), node.left
        call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        parameters = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise MeasureError(f"{_FORM}, not {brief(measure)}.") from None
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise MeasureError(f"Parameters need names. {_FORM}.")
    if not isinstance(call.func, ast.Name):
        raise MeasureError(f"{_FORM}, not {brief(measure)}.")
    name = call.func.id
    if name not in registry:
        raise MeasureError(f"ir_measures has no measure {name!r}.{nearest(name, registry)}")
    found = registry[name](**parameters)
    return found if at is None else found @ at


def parse_trec_measure(measure: str) -> list[Measure]:
    """The measures that a name of trec_eval stands for: `P.5,10`, `ndcg_cut_10`, `official`.

    >>> parse_trec_measure("P.5,10")
    [P@5, P@10]
    """
    if measure in NICKNAMES:
        return [each for name in sorted(NICKNAMES[measure]) if name in _TREC for each in parse_trec_measure(name)]
    base, numbers = measure, None
    if measure not in _TREC and (found := _NUMBERED.fullmatch(measure)):
        base, numbers = found[1], found[2]
    if base not in _TREC:
        known = " yet" if measure in NAMES else ""
        raise MeasureError(f"ir_measures has no measure for {measure!r} of trec_eval{known}.{nearest(measure, _TREC)}")
    name, parameter = _TREC[base]
    if parameter is None:
        if numbers is not None:
            raise MeasureError(f"{base} of trec_eval takes no number, and {numbers} was given.")
        return [registry[name]]
    values = NAMES[base].defaults if numbers is None else map(float, numbers.split(","))
    kind = int if parameter == "cutoff" else float
    return [registry[name](**{parameter: kind(value)}) for value in values]
