"""Reads limits from arguments and TOML.

A file of its own has the choices at its top, or in the table `tool.rankgold.check`, as `pyproject.toml` has them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rankgold.audit import Baseline
from rankgold.core.errors import CheckError, brief, nearest
from rankgold.core.policy import DEFAULT, Policy
from rankgold.data.slices import Slices
from rankgold.measures.metric import Measure
from rankgold.measures.notation import parse_in_dialect

Kind = Literal["min", "max", "max_drop"]
KINDS: tuple[Kind, ...] = ("min", "max", "max_drop")

# Numbers that differ by less are equal: a fall from 0.36 to 0.35 is no more than 0.01.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit that a measure must not cross."""

    kind: Kind
    """min and max limit the mean; max_drop limits how far it may fall below the baseline."""
    measure: Measure
    limit: float

    def __str__(self) -> str:
        return f"{self.kind.replace('_', '-')} {self.measure}={self.limit:g}"

    def drop(self, before: float, value: float) -> float:
        """How much worse a mean is than before; below 0 if it is better."""
        return before - value if self.measure.higher_is_better else value - before

    def is_crossed(self, before: float, value: float) -> bool:
        """True if the mean, or its drop, is beyond the limit or undefined."""
        beyond = {
            "min": self.limit - value,
            "max": value - self.limit,
            "max_drop": self.drop(before, value) - self.limit,
        }[self.kind]
        return not beyond <= _ROUNDING


def thresholds_of(kind: Kind, given: object, dialect: str = "rankgold") -> list[Threshold]:
    """The thresholds in a dict from measure to limit, or in texts such as `ndcg@10=0.35`, in the dialect of a tool."""
    if given is None:
        return []
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        pairs: Iterable[tuple[Any, Any]] = given.items()
    elif isinstance(given, Iterable):
        pairs = [_split(kind, text) for text in given]
    else:
        raise CheckError(f"{kind} must be a dict such as {{'ndcg@10': 0.35}}, not {type(given).__name__}.")
    return [_threshold(kind, parse_in_dialect(name, dialect), limit) for name, limit in pairs]


def _split(kind: Kind, text: object) -> tuple[str, str]:
    measure, equals, limit = str(text).rpartition("=")
    if not equals or not measure.strip() or measure.count("(") != measure.count(")"):
        raise CheckError(
            f"{kind.replace('_', '-')} must be written as MEASURE=NUMBER, such as ndcg@10=0.35, not {text!r}."
        )
    return measure.strip(), limit.strip()


def _threshold(kind: Kind, measure: Measure, given: Any) -> Threshold:
    try:
        limit = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        limit = math.nan
    if not math.isfinite(limit):
        raise CheckError(f"The limit of {measure} must be a number, not {brief(given)}.")
    if kind == "max_drop" and limit < 0:
        raise CheckError(f"The allowed drop of {measure} must be a number from 0, not {limit:g}.")
    if kind != "max_drop" and (kind == "min") != measure.higher_is_better:
        less, right = ("less", "max") if kind == "min" else ("more", "min")
        raise CheckError(f"{less.capitalize()} is better for {measure}. Use {right}: {right} {measure}={limit:g}.")
    return Threshold(kind, measure, limit)


_PROJECT = "pyproject.toml"
_SECTION = ("tool", "rankgold", "check")
_PATHS = ("baseline", "slices")
_KNOWN = (*KINDS, *_PATHS, "significant", "policy")
_EXAMPLE = "such as --min ndcg@10=0.35, or --baseline OLD --max-drop ndcg@10=0.01"


@dataclass(frozen=True, slots=True, eq=False)
class CheckSettings:
    """The settings of a check."""

    thresholds: tuple[Threshold, ...]
    baseline: Any = None
    significant: bool = False
    slices: Slices | None = None
    policy: Policy = DEFAULT
    other_judgements: bool = False
    """Whether saved scores may be of other judgements."""

    @classmethod
    def of(cls, given: Mapping[str, Any], config: str | os.PathLike[str] | None = None) -> CheckSettings:
        """The given choices, completed from a file; thresholds come all from one of the two.

        Without a file, the nearest `pyproject.toml` is looked at, in this folder and above.
        """
        if config is not None and not isinstance(config, str | os.PathLike):
            raise CheckError(f"config must be the path of a TOML file, not {brief(config)}.")
        found = _read(os.fspath(config)) if config is not None else _of_project()
        is_replaced = any(given.get(kind) for kind in KINDS)
        if is_replaced:
            found = {name: value for name, value in found.items() if name not in KINDS}
        chosen = {**found, **{name: value for name, value in given.items() if value is not None and value is not False}}
        policy = Policy.of(chosen.get("policy"))
        thresholds = tuple(line for kind in KINDS for line in thresholds_of(kind, chosen.get(kind), policy.dialect))
        baseline, other_judgements = chosen.get("baseline"), False
        if isinstance(baseline, Baseline):
            baseline, other_judgements = baseline.source, baseline.other_judgements
        for name, choice in (("significant", given["significant"]), ("other_judgements", other_judgements)):
            if not isinstance(choice, bool):
                raise CheckError(f"{name} must be True or False, not {brief(choice)}.")
        if not thresholds and baseline is None:
            raise CheckError(f"There is nothing to check. Give a threshold, {_EXAMPLE}; or write it into {_PROJECT}.")
        compares = any(line.kind == "max_drop" for line in thresholds)
        if compares and baseline is None:
            raise CheckError("--max-drop needs a baseline. Add --baseline OLD, a run or saved scores.")
        wanted = given if is_replaced else chosen  # a file may have more than the thresholds that replace its own need
        if thresholds and not compares and wanted.get("baseline") is not None:
            raise CheckError("A baseline needs --max-drop, such as --max-drop ndcg@10=0.01.")
        if thresholds and not compares:
            baseline = None  # of the file, whose thresholds were replaced
        if baseline is None and wanted.get("slices") is not None:
            raise CheckError("Slices are checked for drops, which needs a baseline. Add --baseline OLD.")
        slices = None if baseline is None else Slices.of(chosen.get("slices"))
        return cls(thresholds, baseline, bool(chosen.get("significant")), slices, policy, other_judgements)


def _of_project() -> dict[str, Any]:
    """The choices in the nearest `pyproject.toml`; none if it has none."""
    folder = os.getcwd()
    while True:
        path = os.path.join(folder, _PROJECT)
        if os.path.isfile(path):
            return _read(path, must_have=False)
        if folder == (folder := os.path.dirname(folder)):
            return {}


def _read(path: str, *, must_have: bool = True) -> dict[str, Any]:
    import tomllib

    try:
        with open(path, "rb") as file:
            content: Any = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CheckError(f"{path}: this is not TOML: {error}.") from None
    except OSError as error:
        raise CheckError(f"{path}: {error.strerror}.") from None
    if os.path.basename(path) == _PROJECT or _SECTION[0] in content:
        for name in _SECTION:
            content = content.get(name) if isinstance(content, dict) else None
        if content is None and must_have:
            raise CheckError(f"{path}: there is no table [{'.'.join(_SECTION)}].")
    if content is None:
        return {}
    return _checked(content, path)


def _checked(content: object, path: str) -> dict[str, Any]:
    """The choices under the names of Python, with paths from the folder of the file."""
    if not isinstance(content, dict):
        raise CheckError(f"{path}: the choices of a check must be a table, not {brief(content)}.")
    choices: dict[str, Any] = {}
    for written, value in content.items():
        name = written.replace("-", "_")
        if name not in _KNOWN:
            known = [known.replace("_", "-") for known in _KNOWN]
            raise CheckError(
                f"{path}: there is no choice {written!r}.{nearest(written, known)} There are {', '.join(known)}."
            )
        wanted = dict if name in KINDS else bool if name == "significant" else str
        if not isinstance(value, wanted):
            kind = {dict: "a table from measure to number", bool: "true or false", str: "a text"}[wanted]
            raise CheckError(f"{path}: {written} must be {kind}, not {brief(value)}.")
        if name in choices:
            raise CheckError(f"{path}: {name.replace('_', '-')} is there twice, also as {name}. Remove one of them.")
        choices[name] = os.path.join(os.path.dirname(path), str(value)) if name in _PATHS else value
    return choices
