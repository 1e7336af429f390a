"""Saves scores with version and fingerprints, and reads them back."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from rankgold.core.errors import DataError, MeasureError, PolicyError, RankgoldError, brief
from rankgold.core.exact_sums import Moments
from rankgold.core.notes import Notes, NumberSpan
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats
from rankgold.data.fingerprints import Fingerprint
from rankgold.measures.metric import Measure
from rankgold.measures.rankings import parse_text
from rankgold.scoring.run_scores import HOW_TO_FINGERPRINT, Provenance, RunScores, family_of
from rankgold.scoring.score_document import number_remarks
from rankgold.scoring.scores import Scores

KIND, FORMAT = "rankgold scores", 1

# A mean that is further from the mean of its values was not computed of them.
_ROUNDING = 1e-9
# The kind is the first thing that `to_json` writes. Other programs may write it in another place.
_HEAD = 200
_HOW = f"Save scores with {HOW_TO_FINGERPRINT}, whose to_json() is the text of the file."


def scores_dict(scores: Scores, per_query: bool) -> dict[str, Any]:
    """Everything as plain dicts and numbers; an undefined value is None."""
    runs: dict[str, Any] = {}
    for run in scores.run_list:
        runs[run.name] = {"means": _defined(run.means, run.means.values())}
        if per_query and scores.has_queries:
            runs[run.name]["per_query"] = {query: _defined(run.values, row) for query, row in run.rows()}
    content = {
        **({} if scores.reference is None else {"reference": scores.reference}),
        "runs": runs,
        "measures": list(scores.measures),
        "policy": scores.policy.to_dict(),
        "notes": {name: scores.notes_of(name).to_dict() for name in runs},
        **({"slices": scores.slices.to_dict()} if scores.parts else {}),
    }
    return _with_provenance(scores, content)


def _defined(labels: Iterable[str], values: Iterable[float]) -> dict[str, float | None]:
    return {label: None if math.isnan(value) else float(value) for label, value in zip(labels, values, strict=True)}


def _with_provenance(scores: Scores, content: dict[str, Any]) -> dict[str, Any]:
    """The content of scores against judgements, with the version, canonical measures and fingerprints."""
    if family_of(scores.measures).name != "measures":
        return content
    known = scores.provenance
    runs = {name: known.run(name) for name in scores.runs}
    first = next((query for name in scores.runs for query in scores.run_scores(name).queries), "")
    notes = {name: scores.run_scores(name).notes for name in scores.runs}
    return {
        "kind": KIND,
        "format": FORMAT,
        "version": known.version,
        **content,
        "canonical": {label: str(measure) for label, measure in scores.measures.items()},
        "options": dict(known.options),
        "query_ids": "integer" if isinstance(first, int) else "text",
        "spans": {name: {"grades": _span(of.grades), "scores": _span(of.scores)} for name, of in notes.items()},
        "fingerprints": {
            "judgements": _fingerprint(known.judgements),
            "runs": {name: _fingerprint(fingerprint) for name, fingerprint in runs.items()},
        },
    }


def _fingerprint(fingerprint: Fingerprint | None) -> dict[str, Any] | None:
    return None if fingerprint is None else fingerprint.to_dict()


def _span(span: NumberSpan) -> list[Any] | None:
    return [span.count, span.lowest, span.highest, span.whole] if span.count else None


def is_saved_scores(source: object) -> bool:
    """True if this is the text or a file of saved scores; reading shows whether it is complete."""
    if isinstance(source, str) and source.lstrip()[:1] == "{":
        return KIND in source
    if not isinstance(source, (str, os.PathLike)) or not os.path.isfile(source):
        return False
    is_json = os.fspath(source).lower().endswith(".json")
    with open(source, "rb") as file:
        return KIND.encode() in file.read(-1 if is_json else _HEAD)


def scores_from_json(source: str | os.PathLike[str]) -> Scores:
    """The scores in a text or in a file."""
    if isinstance(source, str) and source.lstrip()[:1] in ("{", "["):
        text, place = source, "saved scores"
    elif isinstance(source, (str, os.PathLike)):
        place = os.fspath(source)
        text = _read(place)
    else:
        raise DataError(f"saved scores must be text or the path of a file, not {type(source).__name__}. {_HOW}")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f" from line {error.lineno} on" if isinstance(error, json.JSONDecodeError) else ""
        raise DataError(f"this is not JSON, or only a part of it{line}. {_HOW}", place) from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise DataError(f"these are not saved scores. {_HOW}", place)
    version = content.get("version")
    if content.get("format") != FORMAT:
        raise DataError(
            f"these scores have the format {brief(content.get('format'))} of version {version} of rankgold, and this"
            f" version reads format {FORMAT}. Install the newest version, or save the scores again.",
            place,
        )
    try:
        return _scores(content)
    except (MeasureError, PolicyError) as error:
        message = str(error).partition("\n")[0]
        fault = f"version {version} of rankgold saved what this version does not know: {message}"
        raise DataError(fault, place) from None
    except DataError as error:
        raise DataError(f"the file is damaged: {str(error).rstrip('.')}. Save the scores again.", place) from None


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except UnicodeDecodeError:
        raise DataError(f"this is not UTF-8 text. {_HOW}", path) from None
    except (OSError, ValueError) as error:
        raise DataError(f"{getattr(error, 'strerror', None) or error}.", path) from None


def _scores(content: dict[str, Any]) -> Scores:
    with _part("measures"):
        measures = {label: parse_text(content["canonical"][label]) for label in content["measures"]}
    with _part("runs"):
        names = list(content["runs"])
    if not measures or not names:
        raise DataError("there is no measure, or no run")
    with _part("policy"):
        unknown = set(content["policy"]) - set(Policy().to_dict())
        if unknown:
            raise PolicyError(f"the choice {min(unknown)!r} of a policy.")
        policy = Policy(**content["policy"])
    with _part("query_ids"):
        has_integers = content["query_ids"] == "integer"
    runs = []
    for name in names:
        with _part(f"run {brief(name)}"):
            runs.append(_run(name, content, measures, has_integers))
    with _part("fingerprints"):
        prints = content["fingerprints"]
        provenance = Provenance(
            str(content["version"]),
            _saved_fingerprint(prints["judgements"]),
            {name: _saved_fingerprint(fingerprint) for name, fingerprint in prints["runs"].items()},
            dict(content["options"]),
        )
        return Scores(runs, measures, policy, provenance=provenance)


@contextmanager
def _part(name: str) -> Iterator[None]:
    """Turns Python's errors about this part of the content into one that names the part."""
    try:
        yield
    except RankgoldError:
        raise
    except KeyError as error:
        raise DataError(f"{name} cannot be read, since there is no {brief(error.args[0])}") from None
    except (TypeError, ValueError, AttributeError, IndexError, OverflowError):
        raise DataError(f"{name} cannot be read") from None


def _saved_fingerprint(content: object) -> Fingerprint | None:
    return None if content is None else Fingerprint.from_dict(content)


def _run(name: str, content: Mapping[str, Any], measures: dict[str, Measure], has_integers: bool) -> RunScores:
    saved = content["runs"][name]
    means = {label: _number(saved["means"][label]) for label in measures}
    notes = _notes(content["notes"][name], content["spans"][name], measures)
    if "per_query" not in saved:
        return RunScores(name, [], {}, means, notes, {label: Moments() for label in measures})
    rows = saved["per_query"]
    queries = [int(query) if has_integers else query for query in rows]
    values: dict[str, Floats] = {
        label: np.array([_number(row[label]) for row in rows.values()], dtype=np.float64) for label in measures
    }
    for label, measure in measures.items():
        mean = measure.metric.aggregate(values[label])
        if not (math.isclose(mean, means[label], rel_tol=_ROUNDING) or (math.isnan(mean) and math.isnan(means[label]))):
            raise DataError(f"the mean of {label} of run {name!r} is {means[label]}, and that of its values is {mean}")
    return RunScores(name, queries, values, means, notes)


def _number(value: Any) -> float:
    if value is None:
        return math.nan
    if type(value) not in (int, float):
        raise DataError(f"a value is {brief(value)}, which is not a number")
    return float(value)


def _notes(content: Mapping[str, Any], spans: Mapping[str, Any], measures: dict[str, Measure]) -> Notes:
    grades, scores = (NumberSpan(*(spans[name] or ())) for name in ("grades", "scores"))
    notes = Notes(
        queries=int(content["queries"]),
        without_ranking=tuple(content["without_ranking"]),
        without_judgements=tuple(content["without_judgements"]),
        without_relevant=tuple(content["without_relevant"]),
        retrieved=int(content["retrieved"]),
        unjudged=int(content["unjudged"]),
        negative_grades=int(content["negative_grades"]),
        partial_grades=int(content["partial_grades"]),
        grades=grades,
        scores=scores,
        tied_hits=int(content["tied_hits"]),
        moved_at_32_bits=int(content["moved_at_32_bits"]),
        undefined=dict(content["undefined"]),
        excluded=int(content["excluded"]),
    )
    # Remarks that depend on the measures are made again when somebody reads the notes.
    made_again = number_remarks(notes, measures)
    return replace(notes, remarks=tuple(remark for remark in content["remarks"] if remark not in made_again))
