"""Maps ir_measures' names to ours, with provider conventions.

ir_measures takes each measure from one of several tools, which differ in the order of tied documents and in the width
of scores. The table says which conventions a measure has there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankgold import measures
from rankgold.compat.ir_measures.measure_classes import NOT_PROVIDED, Kind, Measure, ParamInfo
from rankgold.core.dialects import trec as orders
from rankgold.core.errors import MeasureError
from rankgold.core.policy import Policy
from rankgold.measures.metric import Measure as OwnMeasure
from rankgold.measures.metric import Metric


@dataclass(frozen=True, slots=True)
class Conventions:
    """How judgements and runs are matched for a measure. Measures of the same conventions are matched at once."""

    policy: Policy
    lowest: float = -math.inf
    """Grades below count as this grade."""
    highest: float = math.inf
    """Grades above count as this grade."""
    gains: tuple[tuple[float, float], ...] = ()
    """Grades that stand for other ones."""
    skips_undefined: bool = False
    """Whether a query without a value is left out. It has the value 0 otherwise."""
    of_subtopics: bool = False
    """Whether judgements are of subtopics."""

    def grade(self, given: float) -> float:
        """The grade used for one in the judgements. The lowest is 0."""
        if self.gains:
            return dict(self.gains).get(given, given)
        if self.lowest == -math.inf:
            return given
        return min(max(given, 0.0, self.lowest), self.highest) - self.lowest


PYTREC_EVAL, INPUT_ORDER, IDS_ASCENDING, IDS_DESCENDING = (
    Conventions(Policy.of("missing=skip, undefined=zero", matched))
    for matched in (orders.AS_PYTREC_EVAL, orders.INPUT_ORDER, orders.IDS_ASCENDING, orders.IDS_DESCENDING)
)
ANY_GRADE = replace(IDS_ASCENDING, lowest=0.0)
PAIRS = Conventions(Policy.of("missing=skip, no_relevant=undefined", orders.INPUT_ORDER), skips_undefined=True)
SUBTOPICS = replace(IDS_ASCENDING, of_subtopics=True)

CUTOFF = ParamInfo(int, desc="how many documents of the list count")
NEEDED_CUTOFF = replace(CUTOFF, required=True)
REL = ParamInfo(int, default=1, desc="the lowest grade that is relevant")
JUDGED_ONLY = ParamInfo(bool, default=False, desc="leave out documents without a judgement")
_PLAIN = {"rel": REL, "judged_only": JUDGED_ONLY}
_CUT = {"cutoff": NEEDED_CUTOFF, **_PLAIN}
_MAY_BE_CUT = {"cutoff": CUTOFF, **_PLAIN}
_SCALE = {
    "min_rel": ParamInfo(int, default=0, desc="the lowest grade of the scale"),
    "max_rel": ParamInfo(int, required=True, desc="the highest grade of the scale"),
}
_GOAL = {"T": ParamInfo(float, default=1.0, desc="the gain that a reader wants"), **_SCALE}
_SUBTOPIC = {"rel": REL, "alpha": ParamInfo(float, default=0.5, desc="how much a subtopic loses by each document")}
_BETA = {"beta": ParamInfo(float, default=0.5, desc="how patient a reader is")}
_NAMES_HERE = {"T": "t", "cutoff": "k"}
_NOT_OF_THE_FORMULA = {"judged_only", "gains", "dcg", "min_rel", "max_rel", "relative", "normalize"}


@dataclass(frozen=True, slots=True)
class Row:
    """A measure of ir_measures and its counterpart here."""

    kind: Kind
    metric: str
    """The name of the metric here."""
    conventions: Conventions
    aliases: tuple[str, ...] = ()
    fixed: Mapping[str, Any] | None = None
    """Parameters of the metric here that are always the same."""
    special: Callable[[Measure, Meaning], Meaning] | None = None
    """What parameters change that have no counterpart here."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The counterpart of a measure here."""

    metric: str
    parameters: Mapping[str, Any]
    conventions: Conventions

    @property
    def measure(self) -> OwnMeasure:
        metric: Metric = getattr(measures, self.metric)
        return metric(**self.parameters)

    def with_parameters(self, **parameters: object) -> Meaning:
        """The same with these parameters besides its own."""
        return replace(self, parameters={**self.parameters, **parameters})


def meaning(measure: Measure) -> Meaning:
    """What a measure of ir_measures is here; an error if its parameters are wrong."""
    measure.validate_params()
    row = ROWS[measure.NAME]
    given = {name: measure[name] for name in measure.kind.parameters if measure[name] is not NOT_PROVIDED}
    parameters = {_NAMES_HERE.get(name, name): v for name, v in given.items() if name not in _NOT_OF_THE_FORMULA}
    parameters |= row.fixed or {}
    conventions = row.conventions
    if "max_rel" in given:
        low, high = given["min_rel"], given["max_rel"]
        conventions = replace(conventions, lowest=low, highest=high)
        parameters["max"] = high - low
    found = Meaning(row.metric, parameters, conventions)
    if row.special is not None:
        found = row.special(measure, found)
    if given.get("judged_only"):
        policy = replace(found.conventions.policy, unjudged="condensed")
        found = replace(found, conventions=replace(found.conventions, policy=policy))
    return found


def _discounted(measure: Measure, found: Meaning) -> Meaning:
    """nDCG is pytrec_eval's with linear gains, and gdeval's with exponential ones."""
    if measure["dcg"] == "exp-log2":
        found = replace(found.with_parameters(gain="exp"), conventions=IDS_DESCENDING)
    if measure["gains"] is not NOT_PROVIDED:
        gains = tuple(sorted(measure["gains"].items()))
        found = replace(found, conventions=replace(found.conventions, gains=gains))
    return found


def _first_relevant(measure: Measure, found: Meaning) -> Meaning:
    """RR is pytrec_eval's; with a cutoff it is that of MS MARCO."""
    return found if measure["cutoff"] is NOT_PROVIDED else replace(found, conventions=IDS_ASCENDING)


def _returned(measure: Measure, found: Meaning) -> Meaning:
    return found if measure["rel"] is NOT_PROVIDED else replace(found, metric="num_rel_ret")


def _set_precision(measure: Measure, found: Meaning) -> Meaning:
    return replace(found, metric="set_relative_p") if measure["relative"] else found


def _set_f(measure: Measure, found: Meaning) -> Meaning:
    """trec_eval takes the square of beta, and ir_measures hands it beta."""
    if measure["beta"] < 0:
        raise MeasureError(f"beta of SetF must be at least 0, not {measure['beta']}.")
    return found.with_parameters(beta=math.sqrt(measure["beta"]))


def _rank_biased(measure: Measure, found: Meaning) -> Meaning:
    """Without a lowest relevant grade, grades count as shares of the highest."""
    return found.with_parameters(worth="graded") if measure["rel"] is NOT_PROVIDED else found


def _recall_level(measure: Measure, found: Meaning) -> Meaning:
    """pytrec_eval is handed two decimals, and rounds documents up as trec_eval 9 does."""
    return found.with_parameters(recall=round(measure["recall"], 2))


def _compatibility(measure: Measure, found: Meaning) -> Meaning:
    return found.with_parameters(norm="ideal" if measure["normalize"] else "depth")


_DCG = {
    "cutoff": CUTOFF,
    "dcg": ParamInfo(str, choices=("log2", "exp-log2"), default="log2", desc="the gain of a grade"),
    "gains": ParamInfo(dict, desc="the gain of each grade"),
    "judged_only": JUDGED_ONLY,
}
_BETA_OF_F = ParamInfo(float, default=1.0, desc="the importance of recall")
_RELATIVE = ParamInfo(bool, default=False, desc="divide by the highest possible value")
_P = ParamInfo(float, default=0.9, desc="the chance to go on")
_RECALL = ParamInfo(float, required=True, desc="the recall level")
_UP = {"rounding": "up"}

ROWS: dict[str, Row] = {
    row.kind.name: row
    for row in (
        Row(Kind("P", _CUT), "p", PYTREC_EVAL, ("Precision",)),
        Row(Kind("R", _CUT), "r", PYTREC_EVAL, ("Recall",)),
        Row(Kind("Success", _CUT), "hit", PYTREC_EVAL),
        Row(Kind("AP", _MAY_BE_CUT), "ap", PYTREC_EVAL, ("MAP",)),
        Row(Kind("RR", _MAY_BE_CUT), "rr", PYTREC_EVAL, ("MRR",), special=_first_relevant),
        Row(Kind("Rprec", _PLAIN), "rprec", PYTREC_EVAL, ("RPrec",)),
        Row(Kind("nDCG", _DCG), "ndcg", PYTREC_EVAL, ("NDCG",), special=_discounted),
        Row(Kind("ERR", {"cutoff": CUTOFF}), "err", IDS_DESCENDING, fixed={"max": 4}),
        Row(Kind("Bpref", {"rel": REL}), "bpref", PYTREC_EVAL, ("BPref",)),
        Row(Kind("infAP", {"rel": REL}), "infap", PYTREC_EVAL),
        Row(Kind("IPrec", {"recall": _RECALL, **_PLAIN}, at="recall"), "iprec", PYTREC_EVAL, (), _UP, _recall_level),
        Row(Kind("SetP", {**_PLAIN, "relative": _RELATIVE}), "p", PYTREC_EVAL, special=_set_precision),
        Row(Kind("SetR", {"rel": REL}), "r", PYTREC_EVAL),
        Row(Kind("SetF", {**_PLAIN, "beta": _BETA_OF_F}), "f", PYTREC_EVAL, special=_set_f),
        Row(Kind("SetAP", _PLAIN), "set_map", PYTREC_EVAL),
        Row(Kind("NumQ", {}, is_sum=True), "num_q", PYTREC_EVAL),
        Row(Kind("NumRel", {"rel": REL}, is_sum=True), "num_rel", PYTREC_EVAL),
        Row(
            Kind("NumRet", {"rel": replace(REL, default=NOT_PROVIDED)}, is_sum=True),
            "num_ret",
            PYTREC_EVAL,
            special=_returned,
        ),
        Row(Kind("Judged", {"cutoff": CUTOFF}), "judged", ANY_GRADE),
        Row(Kind("Accuracy", {"cutoff": CUTOFF, "rel": REL}), "auc", PAIRS),
        Row(
            Kind("RBP", {"cutoff": CUTOFF, "p": replace(_P, default=0.8), "rel": replace(REL, default=NOT_PROVIDED)}),
            "rbp",
            INPUT_ORDER,
            special=_rank_biased,
        ),
        Row(Kind("BPM", {"cutoff": NEEDED_CUTOFF, **_GOAL}), "bpm", INPUT_ORDER),
        Row(
            Kind("SDCG", {"cutoff": NEEDED_CUTOFF, "dcg": replace(_DCG["dcg"], choices=("log2",)), **_SCALE}),
            "sdcg",
            INPUT_ORDER,
        ),
        Row(Kind("NERR8", {"cutoff": NEEDED_CUTOFF, **_SCALE}), "nerr8", INPUT_ORDER),
        Row(Kind("NERR9", {"cutoff": NEEDED_CUTOFF, **_SCALE}), "nerr9", INPUT_ORDER),
        Row(Kind("NERR10", {"p": _P, **_SCALE}), "nerr10", INPUT_ORDER),
        Row(Kind("NERR11", _GOAL), "nerr11", INPUT_ORDER),
        Row(Kind("INST", _GOAL), "inst", INPUT_ORDER),
        Row(Kind("INSQ", _GOAL), "insq", INPUT_ORDER),
        Row(
            Kind("Compat", {"p": replace(_P, default=0.95), "normalize": replace(_RELATIVE, default=True)}),
            "compat",
            IDS_ASCENDING,
            special=_compatibility,
        ),
        Row(Kind("alpha_DCG", {**_MAY_BE_CUT, **_SUBTOPIC}), "alpha_dcg", SUBTOPICS, ("α_DCG",)),
        Row(Kind("alpha_nDCG", {**_MAY_BE_CUT, **_SUBTOPIC}), "alpha_ndcg", SUBTOPICS, ("α_nDCG",)),
        Row(Kind("ERR_IA", _MAY_BE_CUT), "err_ia", SUBTOPICS),
        Row(Kind("nERR_IA", _MAY_BE_CUT), "nerr_ia", SUBTOPICS),
        Row(Kind("NRBP", {**_SUBTOPIC, **_BETA}), "nrbp", SUBTOPICS),
        Row(Kind("nNRBP", {**_SUBTOPIC, **_BETA}), "nnrbp", SUBTOPICS),
        Row(Kind("AP_IA", _PLAIN), "ap_ia", SUBTOPICS, ("MAP_IA",)),
        Row(Kind("P_IA", _MAY_BE_CUT), "p_ia", SUBTOPICS),
        Row(Kind("StRecall", {"rel": REL, "cutoff": CUTOFF}), "strec", SUBTOPICS),
    )
}

registry: dict[str, Measure] = {
    name: Measure(row.kind) for row in ROWS.values() for name in (row.kind.name, *row.aliases)
}
"""Every name -> its measure, without parameters."""
registry["NumRelRet"] = registry["NumRet"](rel=1)
registry["SetRelP"] = registry["SetP"](relative=True)
