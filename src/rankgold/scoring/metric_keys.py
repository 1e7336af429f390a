"""Names of measures and runs in, keys out that experiment trackers and training libraries take: `ndcg_at_10`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping


def metric_key(text: str) -> str:
    """The text with only letters, digits and underscores, as MLflow and W&B require.

    >>> metric_key("ndcg(gain=exp)@10")
    'ndcg_gain_exp_at_10'
    """
    key = re.sub(r"[^A-Za-z0-9]+", "_", text.replace("@", "_at_")).strip("_") or "_"
    return f"_{key}" if key[0].isdigit() else key


def distinct_keys(texts: Iterable[str]) -> dict[str, str]:
    """Text -> its key, with a number at its end if an earlier text has the same key.

    >>> distinct_keys(["bm25+rm3", "bm25 rm3"])
    {'bm25+rm3': 'bm25_rm3', 'bm25 rm3': 'bm25_rm3_2'}
    """
    keys: dict[str, str] = {}
    for text in texts:
        key, number = metric_key(text), 1
        while (f"{key}_{number}" if number > 1 else key) in keys.values():
            number += 1
        keys[text] = f"{key}_{number}" if number > 1 else key
    return keys


def metrics_of(means_of_runs: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Key -> mean, of all runs; with several runs, the run comes first: `bm25/ndcg_at_10`."""
    runs = distinct_keys(means_of_runs)
    labels = distinct_keys(next(iter(means_of_runs.values())))
    return {
        f"{runs[run]}/{labels[label]}" if len(runs) > 1 else labels[label]: float(mean)
        for run, means in means_of_runs.items()
        for label, mean in means.items()
    }
