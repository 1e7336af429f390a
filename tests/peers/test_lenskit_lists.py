"""LensKit's measures of what lists are made of: 200 random collections. Those of RecTools are in test_exposure.py."""

import math

import numpy as np
import pandas as pd
import pytest
from lenskit.data import ItemList, from_interactions_df
from lenskit.metrics import ExposureGini, GeometricRankWeight, ListGini, MeanPopRank, entropy, rank_biased_entropy

import rankgold
from tests.list_cases import CUTOFFS, GENRES, SEEDS, list_case, pairs

# LensKit's weights are 0.85^(rank - 1).
GEOMETRIC = f"exponential({-math.log(0.85)!r})"


def of_all_lists(metric, lists):
    return metric.global_aggregate([metric.compute_list_data(listed, None) for listed in lists])


@pytest.mark.parametrize("k", CUTOFFS)
def test_values_are_those_of_lenskit(k):
    for seed in SEEDS:
        run, catalogue, train, _ = list_case(seed)
        lists = [ItemList(item_ids=listed, ordered=True) for listed in run.values()]
        names = [
            f"gini@{k}",
            f"exposure_gini(discount={GEOMETRIC})@{k}",
            f"pop_rank@{k}",
            f"category_entropy(smoothing=1e-6)@{k}",
            f"category_entropy(weight=rank, discount={GEOMETRIC}, smoothing=1e-6)@{k}",
        ]
        scores = rankgold.exposure(run, names, items=catalogue, train=train)
        assert scores[names[0]] == pytest.approx(of_all_lists(ListGini(k, items=len(catalogue)), lists), abs=1e-9)
        # LensKit adds up exposures at 32 bits.
        exposed = of_all_lists(ExposureGini(k, items=len(catalogue), weight=GeometricRankWeight(0.85)), lists)
        assert scores[names[1]] == pytest.approx(exposed, abs=1e-6)
        had = from_interactions_df(pd.DataFrame(pairs(train), columns=["user_id", "item_id"]))
        ranks = MeanPopRank(had, n=k)
        assert scores.values(names[2]).tolist() == pytest.approx(
            [ranks.measure_list(listed, ItemList([])) for listed in lists], abs=1e-9
        )
        # LensKit has a column for each category of the whole catalogue, and here only those that an item has count.
        genres = [genre for genre in GENRES if any(genre in facts["genres"] for facts in catalogue.values())]
        for label, of_list in ((names[3], entropy), (names[4], rank_biased_entropy)):
            wanted = []
            for listed, ids in zip(lists, run.values(), strict=True):
                matrix = np.array([[float(genre in catalogue[item]["genres"]) for genre in genres] for item in ids])
                wanted.append(of_list(listed, matrix, n=k))
            assert scores.values(label).tolist() == pytest.approx(wanted, abs=1e-9)
