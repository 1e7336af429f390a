"""Writes rectools.json, the values of RecTools for the cases of list_cases, in an environment that has RecTools.

RecTools wants NumPy 1 before Python 3.13, so it is installed apart from the other tools:

    python -m venv rectools && rectools/bin/pip install rectools==0.19.0
    PYTHONPATH=. rectools/bin/python tests/oracles/rectools_values.py
"""

import json
from importlib.metadata import version
from pathlib import Path

import pandas as pd
from rectools.metrics import (
    AvgRecPopularity,
    CatalogCoverage,
    CoveredUsers,
    IntraListDiversity,
    MeanInvUserFreq,
    PairwiseHammingDistanceCalculator,
    Serendipity,
    SufficientReco,
)
from tests.list_cases import CUTOFFS, SEEDS, list_case, pairs

COLUMNS = ["user_id", "item_id"]


def values(seed):
    run, catalogue, train, test = list_case(seed)
    rows = [(user, item, rank) for user, listed in run.items() for rank, item in enumerate(listed, 1)]
    reco = pd.DataFrame(rows, columns=[*COLUMNS, "rank"])
    before, later = (pd.DataFrame(pairs(sets), columns=COLUMNS) for sets in (train, test))
    numbers = pd.DataFrame([(item, facts["length"], facts["year"]) for item, facts in catalogue.items()])
    distance = PairwiseHammingDistanceCalculator(numbers.set_index(0))
    found = {}
    for k in CUTOFFS:
        found[f"coverage@{k}"] = CatalogCoverage(k=k, normalize=True).calc(reco, list(catalogue))
        found[f"coverage(norm=one)@{k}"] = float(CatalogCoverage(k=k).calc(reco, list(catalogue)))
        found[f"user_coverage@{k}"] = CoveredUsers(k=k).calc(reco, before)
        by_user = {
            "miuf": MeanInvUserFreq(k=k).calc_per_user(reco, before),
            "popularity": AvgRecPopularity(k=k).calc_per_user(reco, before),
            "popularity(norm=pairs)": AvgRecPopularity(k=k, normalize=True).calc_per_user(reco, before),
            "serendipity": Serendipity(k=k).calc_per_user(reco, later, before, list(catalogue)),
            "ild(distance=hamming)": IntraListDiversity(k=k, distance_calculator=distance).calc_per_user(reco),
            "fill": SufficientReco(k=k, deep=True).calc_per_user(reco),
        }
        found |= {f"{name}@{k}": [float(column[user]) for user in run] for name, column in by_user.items()}
    return found


if __name__ == "__main__":
    facts = {"tool": f"RecTools {version('rectools')}", "values": {seed: values(seed) for seed in SEEDS}}
    path = Path(__file__).parent / "rectools.json"
    path.write_text(json.dumps(facts, separators=(",", ":")) + "\n", encoding="utf-8")
