"""Parses measures and TREC lines as ir_measures does."""

from __future__ import annotations

import ast
import io
import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TextIO

from rankgold.compat.ir_measures.measure_classes import Measure
from rankgold.compat.ir_measures.names import registry
from rankgold.compat.trec_eval.lenient_files import split_fields
from rankgold.core.dialects.trec import NAMES, NICKNAMES
from rankgold.core.errors import DataError, MeasureError, brief, nearest
from rankgold.data.inputs import numbered_lines

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


Source = str | os.PathLike[str] | TextIO
"""A path, an open file, or the text of a file."""


class Qrel(NamedTuple):
    """A judgement. The iteration is the subtopic, for measures of diversity."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A document of a run."""

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for a query."""

    query_id: str
    measure: Measure
    value: float


class CalcResults(NamedTuple):
    """The values for all queries together, and the value of each query."""

    aggregated: dict[Measure, float] | float
    per_query: list[Metric]


def read_trec_qrels(file: Source) -> Iterator[Qrel]:
    """The judgements of a file in TREC's format: query, iteration, document, grade."""
    for query, iteration, document, grade in _rows(file, 4):
        yield Qrel(query, document, int(_number(grade, "grade")), iteration)


def read_trec_run(file: Source) -> Iterator[ScoredDoc]:
    """The documents of a run in TREC's format: query, Q0, document, rank, score, tag."""
    for query, _, document, _, score, _ in _rows(file, 6):
        yield ScoredDoc(query, document, _number(score, "score"))


def _rows(file: Source, count: int) -> Iterator[list[str]]:
    """The fields of all lines that are not empty."""
    if isinstance(file, str) and "\n" in file:
        lines: Iterable[tuple[int, str]] = enumerate(io.StringIO(file), start=1)
    elif isinstance(file, (str, os.PathLike)):
        lines = numbered_lines(os.fspath(file))
    else:
        lines = enumerate(file, start=1)
    return (split_fields(line, number, count) for number, line in lines if line.strip())


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(f"the {what} must be a number, not {text!r}.") from None
