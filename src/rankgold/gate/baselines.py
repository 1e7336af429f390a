"""Saved scores in, those of one run out that can be compared with the scores of now: the same judgements and policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankgold.data.fingerprints import Fingerprint
from rankgold.declaration.metric import Measure
from rankgold.errors import CheckError, MeasureError, counted, listing
from rankgold.policy import Policy
from rankgold.scoring.provenance import OPTION_NAMES
from rankgold.scoring.run_scores import RunScores, label_of
from rankgold.scoring.scores import Scores

_SAVE = "rankgold evaluate QRELS OLD_RUN --save FILE"


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the current scores are computed."""

    measures: Mapping[str, Measure]
    policy: Policy
    judgements: Fingerprint | None
    options: Mapping[str, Any]
    """As in Provenance."""


def run_of_saved(saved: Scores, run: str, now: Conditions, *, other_judgements: bool = False) -> RunScores:
    """The saved scores of a run, under the current labels; of several runs, the one with the same name."""
    _check_policy(saved, now)
    if not other_judgements:
        _check_judgements(saved.provenance.judgements, now.judgements)
    if len(saved.runs) > 1 and run not in saved.runs:
        raise CheckError(
            f"The baseline has the scores of several runs, {listing(saved.runs)}, and none of them is called {run!r}."
            " Save the scores of one run."
        )
    known = saved.run_scores(run if run in saved.runs else saved.runs[0])
    labels = {label: _label(saved, measure) for label, measure in now.measures.items()}
    return replace(
        known,
        means={label: known.means[saved_label] for label, saved_label in labels.items()},
        values={label: known.values[saved_label] for label, saved_label in labels.items() if known.totals is None},
        totals=None if known.totals is None else {label: known.totals[old] for label, old in labels.items()},
    )


def _label(saved: Scores, measure: Measure) -> str:
    try:
        return label_of(measure, saved.measures)
    except MeasureError:
        raise CheckError(
            f"The baseline has no {measure}; it has {listing(map(str, saved.measures.values()))}. Save it again with"
            f" this measure: {_SAVE} -m '{measure}'."
        ) from None


def _check_policy(saved: Scores, now: Conditions) -> None:
    if saved.policy != now.policy:
        raise CheckError(
            f"The baseline was saved with the policy {saved.policy}, and the policy is {now.policy}. Pass the same"
            f" policy, or save the baseline again: {_SAVE} --policy ..."
        )
    for name in OPTION_NAMES:
        then, today = saved.provenance.options.get(name), now.options.get(name)
        if then != today:
            raise CheckError(
                f"The baseline was saved {_with(name, then)}, and now it is {_with(name, today)}. Do the same in both."
            )


def _with(name: str, value: object) -> str:
    return f"without {name}" if value is None else f"with {name}={value!r}"[:100]


def _check_judgements(before: Fingerprint | None, now: Fingerprint | None) -> None:
    if before is not None and now is not None and before != now:
        raise CheckError(
            f"The judgements are not those of the baseline: {counted(before.rows, 'row')} then, {now.rows:,} now, with"
            " other content. So the scores cannot be compared."
            f" Save the baseline again with these judgements ({_SAVE}), or pass the old run itself as the baseline."
            " To compare all the same, pass Baseline(..., other_judgements=True) (--other-judgements)."
        )
