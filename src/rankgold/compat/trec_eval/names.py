"""Names of measures as trec_eval takes them in, what they stand for out: measures here, and how they are printed.

`P.5,10` stands for two measures, printed as P_5 and P_10. A name without parameters has those of trec_eval. Measures
are printed in the order of the table, whatever the order on the command line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from rankgold.declaration.metric import Measure
from rankgold.errors import MeasureError, brief, nearest
from rankgold.measures import parse

_RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(i / 10 for i in range(11))
_FIFTHS = tuple(i / 5 for i in range(1, 11))
_RELSTRING_LENGTH = 10

FORMATS = ("qrels", "prefs", "qrels_prefs", "qrels_jg")
"""What files of judgements can hold: grades, preferences, grades as preferences, grades of several judges."""


@dataclass(frozen=True, slots=True)
class Name:
    """A measure of trec_eval, with all parameters that it can have."""

    name: str
    text: str
    """The measure here, with a gap for a parameter; empty if it is not a number."""
    takes: Literal["nothing", "ranks", "numbers", "parameters", "pairs"] = "nothing"
    """Ranks and numbers: a measure for each. Parameters and pairs: they are of one measure."""
    defaults: tuple[float, ...] = ()
    is_count: bool = False
    formats: tuple[str, ...] = ("qrels",)
    """The formats of judgements that it can be computed from."""
    is_printed_by_query: bool = True
    is_printed_for_all: bool = True


NAMES = {
    name.name: name
    for name in (
        Name("runid", "", formats=FORMATS, is_printed_by_query=False),
        Name("num_q", "num_q", is_count=True, formats=FORMATS, is_printed_by_query=False),
        Name("num_ret", "num_ret", is_count=True),
        Name("num_rel", "num_rel", is_count=True),
        Name("num_rel_ret", "num_rel_ret", is_count=True),
        Name("map", "ap"),
        Name("gm_map", "gmap", is_printed_by_query=False),
        Name("Rprec", "rprec"),
        Name("bpref", "bpref"),
        Name("recip_rank", "rr"),
        Name("iprec_at_recall", "iprec(recall={}, rounding={rounding})", "numbers", _TENTHS),
        Name("P", "p@{}", "ranks", _RANKS),
        Name("relstring", "", "parameters", (_RELSTRING_LENGTH,), is_printed_for_all=False),
        Name("recall", "r@{}", "ranks", _RANKS),
        Name("infAP", "infap"),
        Name("gm_bpref", "gm_bpref", is_printed_by_query=False),
        Name("Rprec_mult", "rprec_mult(multiple={})", "numbers", _FIFTHS),
        Name("utility", "utility(worth=({}), documents={documents})", "parameters", (1, -1, 0, 0)),
        Name("11pt_avg", "iprec_mean(recalls=({}), rounding={rounding})", "parameters", _TENTHS),
        Name("binG", "bing"),
        Name("G", "g", "pairs"),
        Name("dcg", "dcg", "pairs"),
        Name("ideal_dcg", "idcg", "pairs"),
        Name("ndcg", "ndcg", "pairs"),
        Name("ndcg_rel", "ndcg_rel", "pairs"),
        Name("Rndcg", "rndcg", "pairs"),
        Name("ndcg_cut", "ndcg@{}", "ranks", _RANKS),
        Name("map_cut", "ap@{}", "ranks", _RANKS),
        Name("relative_P", "p(norm=min)@{}", "ranks", _RANKS),
        Name("success", "hit@{}", "ranks", (1, 5, 10)),
        Name("set_P", "p"),
        Name("set_relative_P", "set_relative_p"),
        Name("set_recall", "r"),
        Name("set_map", "set_map"),
        Name("set_F", "f(beta={})", "parameters", (1,)),
        Name("num_nonrel_judged_ret", "num_nonrel_judged_ret", is_count=True),
        *(
            Name(f"prefs_{name}", "", is_count=name.startswith("num_"), formats=("prefs", "qrels_prefs"))
            for name in (
                "num_prefs_poss",
                "num_prefs_ful",
                "num_prefs_ful_ret",
                "simp",
                "pair",
                "avgjg",
                "simp_ret",
                "pair_ret",
                "avgjg_ret",
                "simp_imp",
                "pair_imp",
                "avgjg_imp",
            )
        ),
        Name("map_avgjg", "ap", formats=("qrels_jg",)),
        Name("P_avgjg", "p@{}", "ranks", _RANKS, formats=("qrels_jg",)),
        Name("Rprec_mult_avgjg", "rprec_mult(multiple={})", "numbers", _FIFTHS, formats=("qrels_jg",)),
        Name("yaap", "yaap"),
        Name("rbp", "rbp(p={}, worth=graded)", "pairs", (0.9,)),
        Name("rbp_resid", "rbp_resid(p={})", "pairs", (0.9,)),
        Name("unj", "unjudged@{}", "ranks", (5, 10, 20)),
    )
}
_OFFICIAL = (
    "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P",
)  # fmt: skip
_SETS = ("set_P", "set_recall", "set_relative_P", "set_map", "set_F")
NICKNAMES = {
    "official": _OFFICIAL,
    "set": ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *_SETS),
    "all_trec": (
        *_OFFICIAL, "relstring", "recall", "unj", "rbp", "rbp_resid", "infAP", "gm_bpref", "utility", "11pt_avg",
        "ndcg", "relative_P", "Rprec_mult", "success", "map_cut", "ndcg_cut", "ndcg_rel", "Rndcg", "binG", "G", *_SETS,
        "num_nonrel_judged_ret",
    ),
    "prefs": ("runid", "num_q", *(name for name in NAMES if name.startswith("prefs_") and name.count("_") < 2),
              "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
    "all_prefs": ("runid", "num_q", *(name for name in NAMES if name.startswith("prefs_"))),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}  # fmt: skip
_NEW_IN_10 = {"unj", "rbp", "rbp_resid"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line that trec_eval prints of a query: the name on it, and the measure behind it."""

    label: str
    name: Name
    measure: Measure | None
    """None if no measure is behind it: a text, or a count of preferences."""
    gains: tuple[tuple[float, float], ...] = ()
    """Grades and what they gain, for measures that take this."""
    length: int = 0
    """The length of a relstring."""

    @property
    def is_number(self) -> bool:
        return self.name.name not in ("runid", "relstring")


@dataclass(frozen=True, slots=True)
class Settings:
    """What all measures of one command share."""

    rel: int = 1
    documents: int = 0
    format: str = "qrels"
    version: Literal[9, 10] = 10

    @property
    def gaps(self) -> dict[str, str]:
        """What is filled in where a measure depends on the version or the collection."""
        return {
            "rounding": "nearest" if self.version == 10 else "up",
            "documents": str(self.documents or "none"),
        }


def lines_of(wanted: Iterable[str], settings: Settings) -> list[Line]:
    """The lines for the measures on a command line, such as `all_trec` or `P.5,10`, in trec_eval's order."""
    given: dict[str, str] = {}
    for text in wanted:
        name, dot, parameters = text.partition(".")
        for each in NICKNAMES.get(name, (name,)):
            if settings.version == 9 and each in _NEW_IN_10 and each != name:
                continue
            if each not in NAMES:
                raise MeasureError(f"trec_eval has no measure {brief(name)}.{nearest(name, [*NAMES, *NICKNAMES])}")
            if settings.format not in NAMES[each].formats:
                raise MeasureError(f"{each} of trec_eval needs judgements in the format {NAMES[each].formats[0]}: -R.")
            if not given.get(each):
                given[each] = parameters if dot else ""
    return [line for name in NAMES.values() if name.name in given for line in _lines(name, given[name.name], settings)]


def _lines(name: Name, parameters: str, settings: Settings) -> list[Line]:
    label = f"{name.name}_{parameters}" if parameters else name.name
    if name.takes == "pairs":
        pairs = _pairs(name, parameters)
        numbers = [pairs.pop("p", default) for default in name.defaults]
        gains = tuple((float(grade), gain) for grade, gain in pairs.items() if grade.lstrip("+-").isdigit())
        return [Line(label, name, _measure(name, numbers, settings), gains)]
    numbers = _numbers(name, parameters) if parameters else list(name.defaults)
    if name.takes == "parameters":
        if not name.text:
            return [Line(label, name, None, length=max(int(numbers[0]), 0))]
        if name.name == "set_F":
            numbers = [math.sqrt(numbers[0])]  # trec_eval takes the square of beta
        return [Line(label, name, _measure(name, [", ".join(map(repr, numbers))], settings))]
    if name.takes == "nothing":
        if parameters:
            raise MeasureError(f"{name.name} of trec_eval takes no parameters, and {brief(parameters)} was given.")
        return [Line(label, name, _measure(name, [], settings) if name.text else None)]
    unique = sorted(set(numbers))
    if len(unique) < len(numbers):
        raise MeasureError(f"{name.name}.{brief(parameters)} names a cutoff twice.")
    shown = partial("{}_{}".format, name.name) if name.takes == "ranks" else partial("{}_{:.2f}".format, name.name)
    return [Line(shown(number), name, _measure(name, [number], settings)) for number in unique]


def _measure(name: Name, numbers: Iterable[object], settings: Settings) -> Measure:
    text = name.text.format(*numbers, **settings.gaps)
    measure = parse(text.replace(", documents=none", ""))
    if settings.rel == 1 or "rel" not in measure.metric.parameters or name.takes == "pairs":
        return measure
    return measure.metric(**dict(measure.chosen), rel=settings.rel, k=measure.k)


def _numbers(name: Name, parameters: str) -> list[float]:
    try:
        numbers = [float(part) for part in parameters.split(",")]
        return [int(number) for number in numbers] if name.takes == "ranks" else numbers
    except ValueError:
        raise MeasureError(
            f"{name.name} of trec_eval takes numbers with commas between, not {brief(parameters)}."
        ) from None


def _pairs(name: Name, parameters: str) -> dict[str, float]:
    try:
        return {key: float(value) for key, _, value in (part.partition("=") for part in parameters.split(",") if part)}
    except ValueError:
        raise MeasureError(
            f"{name.name} of trec_eval takes pairs such as 1=3.5,2=9, not {brief(parameters)}."
        ) from None
