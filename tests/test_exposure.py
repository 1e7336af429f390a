"""What lists are made of: values by hand, a slow reference, RecTools, what holds for the whole family, forms, errors."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgold
from rankgold.measures.metric import TOGETHER
from rankgold.measures.notation import parse_measure
from rankgold.measures.registry import EXPOSURES
from tests.cases import for_each
from tests.list_cases import CUTOFFS, SEEDS, list_case, pairs
from tests.reference_of_lists import NAMES, expected
from tests.shell import printed, refused

METRICS = EXPOSURES.all()
RECTOOLS = json.loads((Path(__file__).parent / "oracles" / "rectools.json").read_text(encoding="utf-8"))["values"]

RUN = {"u1": ["a", "b", "c"], "u2": ["a", "d"]}
ITEMS = {
    "a": {"genres": ["x", "y"], "group": "red", "embedding": [1.0, 0.0]},
    "b": {"genres": ["x"], "group": "blue", "embedding": [0.0, 1.0]},
    "c": {"genres": ["z"], "group": "blue", "embedding": [3.0, 4.0]},
    "d": {"genres": ["x", "y"], "group": "red", "embedding": [2.0, 0.0]},
    "e": {"genres": ["y"], "group": "blue", "embedding": [1.0, 1.0]},
}
# a was had by 4 of 5 users, b by 2, c and x by 1, d and e by nobody: 8 pairs.
TRAIN = {"u1": ["a", "b"], "u2": ["x"], "u3": ["a"], "u4": ["a", "c"], "u5": ["a", "b"]}
TEST = {"u1": {"b": 2, "c": 1}, "u2": {"d": 1, "a": 0}}
KNOWN = {"items": ITEMS, "train": TRAIN, "qrels": TEST}

# The weights of ranks 1, 2, 3 are 1, 0.6309 and 0.5.
W2 = 1 / math.log2(3)
BY_HAND = {
    "coverage": 4 / 5,
    "coverage@1": 1 / 5,
    "coverage(norm=one)": 4.0,
    # u1 and u2 of u1, u2, u3, u4, u5.
    "user_coverage": 2 / 5,
    "user_coverage(least=3)": 1 / 5,
    # Counts 0 1 1 1 2 of 5 items: (-4*0 - 2 + 0 + 2 + 4*2) / (5 * 5).
    "gini": 8 / 25,
    # Exposures 0, 0.5 (c), W2 (b), W2 (d), 2 (a).
    "exposure_gini": (-2 * 0.5 + 2 * W2 + 4 * 2) / (5 * (2.5 + 2 * W2)),
    # Linear: c 1/3, b and d 1/2, a 2.
    "exposure_gini(discount=linear)": (-2 / 3 + 2 * 0.5 + 8) / (5 * (2 + 1 + 1 / 3)),
    # 2/5 once, 1/5 three times.
    "entropy": -(0.4 * math.log2(0.4) + 0.6 * math.log2(0.2)),
    "entropy(norm=items)": -(0.4 * math.log2(0.4) + 0.6 * math.log2(0.2)) / math.log2(5),
    # u1: x 2, y 1, z 1; u2: x 2, y 2.
    "category_entropy": [1.5, 1.0],
    # u1: x 1 + W2, y 1, z 0.5 of 2.5 + W2.
    "category_entropy(weight=rank)": [
        -sum(v / (2.5 + W2) * math.log2(v / (2.5 + W2)) for v in (1 + W2, 1.0, 0.5)),
        1.0,
    ],
    # x 2.5, y 1.5, z 1.5 of 5.5; x 2.5, y 2.5, z 0.5 of 5.5.
    "category_entropy(smoothing=0.5)": [
        -sum(v / 5.5 * math.log2(v / 5.5) for v in (2.5, 1.5, 1.5)),
        -sum(v / 5.5 * math.log2(v / 5.5) for v in (2.5, 2.5, 0.5)),
    ],
    # a 4/8, b 2/8, c 1/8, d as if 1/8: 1, 2, 3 and 1, 3.
    "novelty": [2.0, 2.0],
    "novelty@1": [1.0, 1.0],
    "miuf": [(math.log2(5 / 4) + math.log2(5 / 2) + math.log2(5)) / 3, (math.log2(5 / 4) + math.log2(5)) / 2],
    "popularity": [7 / 3, 2.0],
    "popularity(norm=pairs)": [7 / 24, 2 / 8],
    "popularity(norm=users)": [7 / 15, 2 / 5],
    # From the rarest: c and x share places 1 and 2, b 3, a 4 of 4.
    "pop_rank": [(4 / 4 + 3 / 4 + 1.5 / 4) / 3, (1 + 0) / 2],
    # 80 % of 8 are 6.4: a and b have 6, so the head goes on to c and x, which are equally popular.
    "aplt": [0.0, 1 / 2],
    "aplt(head=0.75)": [1 / 3, 1 / 2],
    "aclt": [0.0, 1.0],
    "aclt(head=0.5)": [2.0, 1.0],
    # a b 1/2, a c 1, b c 1; a d 0.
    "ild": [2.5 / 3, 0.0],
    "ild@2": [0.5, 0.0],
    # a b 1, a c 1 - 3/5, b c 1 - 4/5; a d 0.
    "ild(distance=cosine)": [(1 + 0.4 + 0.2) / 3, 0.0],
    "ild(distance=euclidean)": [(math.sqrt(2) + math.sqrt(20) + math.sqrt(18)) / 3, 1.0],
    # a b differ in 2 numbers, a c in 2, b c in 2; a d in 1.
    "ild(distance=hamming)": [2.0, 1.0],
    # b at rank 2: 4/5, expected at popularity rank 2: 4/5, so 0. c at rank 3: 3/5, popularity rank 3: 3/5. d: 4/5 - 0.
    "serendipity": [0.0, 0.4],
    "serendipity(rel=2)": [0.0, 0.0],
    "fill@4": [3 / 4, 2 / 4],
    # One item is in both lists.
    "personalisation": [1 - 1 / math.sqrt(6)] * 2,
    "personalisation@2": [0.5, 0.5],
    "personalisation(distance=jaccard)": [3 / 4] * 2,
    "personalisation(distance=jaccard, seed=7)": [3 / 4] * 2,
    "group_exposure(group=red)": [1 / (1.5 + W2), 1.0],
    "group_exposure(group=red, discount=linear)": [1 / (1 + 1 / 2 + 1 / 3), 1.0],
    # red has 2 + W2 of the exposure and 2/5 of the items.
    "exposure_disparity": (2 + W2) / (2.5 + 2 * W2) - 2 / 5,
    "exposure_disparity(target=equal)": (2 + W2) / (2.5 + 2 * W2) - 1 / 2,
    # blue: 0.5 + W2 of 3 items, red: 2 + W2 of 2.
    "exposure_parity": (0.5 + W2) / 3 / ((2 + W2) / 2),
}


def no_group(name):
    return "group=" not in name


@for_each("name", BY_HAND)
def test_values_are_those_worked_by_hand(name):
    scores = rankgold.exposure(RUN, name, **KNOWN)
    by_hand = BY_HAND[name]
    if isinstance(by_hand, list):
        assert scores.values(name).tolist() == pytest.approx(by_hand, abs=1e-12)
        assert scores[name] == pytest.approx(np.mean(by_hand), abs=1e-12)
    else:
        assert scores[name] == pytest.approx(by_hand, abs=1e-12)
        assert np.isnan(scores.values(name)).all()


def test_every_measure_and_every_parameter_has_a_value_by_hand():
    measures = [parse_measure(name, EXPOSURES) for name in BY_HAND]
    assert {measure.metric.name for measure in measures} == {metric.name for metric in METRICS}
    for metric in METRICS:
        chosen = {name for measure in measures if measure.metric is metric for name, _ in measure.chosen}
        # The discount of a measure is tried with one of them; it is the same function in all.
        assert chosen | {"discount"} >= {*metric.parameters}, metric.name


def test_values_are_those_of_a_slow_reference():
    for seed in SEEDS[::4]:
        run, catalogue, train, test = list_case(seed)
        names = NAMES if "x" in {facts["group"] for facts in catalogue.values()} else [*filter(no_group, NAMES)]
        cuts = {f"{name}@{k}": (name, k) for name in names for k in CUTOFFS}
        scores = rankgold.exposure(run, list(cuts), items=catalogue, train=train, qrels=test)
        for label, (name, k) in cuts.items():
            wanted = expected(name, run, catalogue, train, test, k)
            found = scores.values(label).tolist() if isinstance(wanted, list) else scores[label]
            assert found == pytest.approx(wanted, abs=1e-9, nan_ok=True), (seed, label)


def test_values_are_those_of_rectools():
    for seed in SEEDS:
        run, catalogue, train, test = list_case(seed)
        of_case = RECTOOLS[str(seed)]
        # RecTools gives a list of one item the diversity 0; here it is undefined, and this policy makes it 0.
        known = {"items": catalogue, "train": train, "qrels": test, "policy": "undefined=zero"}
        scores = rankgold.exposure(run, list(of_case), **known)
        for label, wanted in of_case.items():
            found = scores.values(label).tolist() if isinstance(wanted, list) else scores[label]
            assert found == pytest.approx(wanted, abs=1e-9), (seed, label)


def test_the_whole_family_stays_in_its_bounds_and_sees_only_the_first_k():
    for seed in range(40):
        run, catalogue, train, test = list_case(seed)
        known = {"items": catalogue, "train": train, "qrels": test}
        measures = [
            f"{metric.name}{'(group=' + next(iter(catalogue.values()))['group'] + ')' if 'group' in metric.parameters else ''}@3"
            for metric in METRICS
        ]
        scores = rankgold.exposure(run, measures, **known)
        cut = rankgold.exposure({user: listed[:3] for user, listed in run.items()}, measures, **known)
        turned = rankgold.exposure(dict(reversed(run.items())), measures, **known)
        for label, measure in scores.measures.items():
            low, high = measure.metric.span
            values = [scores[label], *scores.values(label)]
            assert all(math.isnan(value) or low <= value <= high + 1e-12 for value in values), label
            assert scores[label] == pytest.approx(cut[label], nan_ok=True), label
            assert scores[label] == pytest.approx(turned[label], nan_ok=True, abs=1e-12), label
            assert scores.values(label)[::-1].tolist() == pytest.approx(
                turned.values(label).tolist(), nan_ok=True, abs=1e-12
            ), label
            if measure.metric.aggregate is TOGETHER:
                assert np.isnan(scores.values(label)).all()


@for_each("metric", METRICS, ids=lambda metric: metric.name)
def test_a_declaration_is_complete(metric):
    blocks = metric.documentation.split("\n\n")
    assert metric.question
    assert metric.takes_cutoff
    assert blocks[1].startswith("    ")
    assert metric.name in blocks[1]
    assert any(block.startswith("Use it") for block in blocks)
    assert blocks[-2].startswith(">>>")
    assert any(year in blocks[-1] for year in map(str, range(1940, 2027)))
    for text in (metric.name, *metric.aliases):
        assert parse_measure(f"{text.upper()}@5", EXPOSURES) == metric @ 5
    for parameter in metric.parameters.values():
        for value in (*parameter.choices, *parameter.examples):
            measure = metric(**{parameter.name: value}) @ 3
            assert parse_measure(str(measure), EXPOSURES) == measure


def test_forms_of_runs_catalogues_and_training_sets_agree(tmp_path):
    run, catalogue, train, test = list_case(11)
    names = [f"{name}@3" for name in filter(no_group, NAMES)]
    wanted = rankgold.exposure(run, names, items=catalogue, train=train, qrels=test).to_dict()["runs"]["run"]
    rows = [(user, item, rank) for user, listed in run.items() for rank, item in enumerate(listed, 1)]
    ranked = pl.DataFrame(rows, schema=["user", "item", "rank"], orient="row")
    had, later = (pl.DataFrame(pairs(sets), schema=["user", "item"], orient="row") for sets in (train, test))
    items = pl.DataFrame([{"item": item, **facts} for item, facts in catalogue.items()])
    flat = items.with_columns(pl.col("genres").list.join("|"))
    ranked.write_csv(tmp_path / "run.csv")
    had.write_csv(tmp_path / "had.tsv", separator="\t")
    later.write_parquet(tmp_path / "later.parquet")
    flat.write_csv(tmp_path / "items.csv")
    items.write_parquet(tmp_path / "items.parquet")
    items.write_ipc(tmp_path / "items.arrow", compression="uncompressed")
    items.write_ndjson(tmp_path / "items.jsonl")
    (tmp_path / "items.json").write_text(json.dumps(catalogue))
    (tmp_path / "run.trec").write_text("".join(f"{u} Q0 {i} {rank} {-rank} run\n" for u, i, rank in rows))
    files = {
        name: str(tmp_path / name)
        for name in ("items.csv", "items.parquet", "items.arrow", "items.jsonl", "items.json")
    }
    runs = [
        ranked,
        ranked.to_pandas(),
        ranked.sample(fraction=1, shuffle=True, seed=1),
        tmp_path / "run.csv",
        tmp_path / "run.trec",
    ]
    for number, form in enumerate(
        [catalogue, items, flat, items.to_arrow(), items.to_pandas(), items.to_dicts(), *files.values()]
    ):
        known = {"items": form, "train": [train, had, tmp_path / "had.tsv", pairs(train)][number % 4]}
        known["qrels"] = [test, later, tmp_path / "later.parquet"][number % 3]
        scores = rankgold.exposure(runs[number % len(runs)], names, **known)
        found = next(iter(scores.to_dict()["runs"].values()))
        assert found["means"] == pytest.approx(wanted["means"], nan_ok=True), number
        for user, values in wanted["per_query"].items():
            assert found["per_query"][user] == pytest.approx(values), (number, user)


def test_a_catalogue_may_be_ids_alone(tmp_path):
    (tmp_path / "items.txt").write_text("a\nb\n\nc\nd\n")
    (tmp_path / "header.csv").write_text("item_id\na\nb\nc\nd\n")
    ids = ["a", "b", "c", "d"]
    forms = [ids, {*ids}, tuple(ids), np.array(ids), pl.Series(ids), pl.Series(ids).to_pandas(), [*ids, "a"]]
    for form in [*forms, pl.DataFrame({"sku": ids}), str(tmp_path / "items.txt"), str(tmp_path / "header.csv")]:
        assert rankgold.exposure({"u": ["a"]}, "coverage", items=form)["coverage"] == 1 / 4
    numbers = {1: [10, 11], 2: ["10"]}
    assert rankgold.exposure(numbers, "coverage", items=["10", "11", "12", "13"])["coverage"] == 1 / 2
    assert rankgold.exposure({"u": ["07", "7"]}, "coverage", items=[7, 8])["coverage"] == 1 / 2


def test_a_catalogue_may_be_a_dict_from_item_to_categories_or_numbers():
    lists = {"u": ["a", "b"]}
    assert rankgold.exposure(lists, "ild", items={"a": "x|y", "b": "x"})["ild"] == 1 / 2
    assert rankgold.exposure(lists, "ild", items={"a": {"x", "y"}, "b": ["x"]})["ild"] == 1 / 2
    vectors = {"a": np.array([0.0, 1.0]), "b": np.array([2.0, 1.0])}
    assert rankgold.exposure(lists, "ild(distance=euclidean)", items=vectors)["ild(distance=euclidean)"] == 2.0
    table = pl.DataFrame({"item": ["a", "b"], "embedding": ["[0, 3]", "[4.0 0]"]})
    assert rankgold.exposure(lists, "ild(distance=euclidean)", items=table)["ild(distance=euclidean)"] == 5.0
    # Without numbers, categories are zeros and ones: they differ in y.
    assert rankgold.exposure(lists, "ild(distance=hamming)", items={"a": "x|y", "b": "x"}).means == {
        "ild(distance=hamming)": 1.0
    }


def test_items_without_features_are_left_out_of_pairs():
    items = {"a": ["x"], "b": ["y"], "c": [], "d": []}
    scores = rankgold.exposure({"u1": ["a", "b", "c"], "u2": ["a", "c"], "u3": ["c", "d"]}, "ild", items=items)
    assert scores.values("ild").tolist() == pytest.approx([1.0, math.nan, math.nan], nan_ok=True)
    assert "ild is undefined for 2 queries: left out of the mean" in str(scores)


def test_excluded_items_are_taken_out_before_ranks_are_counted():
    scores = rankgold.exposure(RUN, ["coverage@1", "fill@3"], items=ITEMS, exclude={"u2": ["a"], "u1": ["c"]})
    # The first items are a and d.
    assert scores["coverage@1"] == 2 / 5
    assert scores.values("fill@3").tolist() == pytest.approx([2 / 3, 1 / 3])
    assert scores.notes.excluded == 2
    assert "2 documents were taken out by exclude" in str(scores)


def test_an_empty_list_has_no_values_of_its_own():
    scores = rankgold.exposure(RUN, ["novelty", "personalisation"], train=TRAIN, exclude=[("u2", "a"), ("u2", "d")])
    assert np.isnan(scores.values("novelty")[1])
    assert "1 user has an empty list (u2)" in str(scores)
    scores = rankgold.exposure(
        {"u1": ["a"], "u2": ["a"], "u3": ["b"]}, ["personalisation"], exclude=[("u1", "a"), ("u2", "a")]
    )
    assert "2 users have an empty list (u1, u2)" in str(scores)


def test_personalisation_of_many_users_is_exact_or_drawn_with_a_seed():
    run = {user: [user % 50, 1000 + user] for user in range(2500)}
    # Every user shares one of two items with 49 others of 2,499.
    assert rankgold.exposure(run, "personalisation")["personalisation"] == pytest.approx(1 - 49 / 2499 / 2)
    names = ["personalisation(distance=jaccard)", "personalisation(distance=jaccard, seed=1)"]
    scores = rankgold.exposure(run, names)
    for name in names:
        assert np.count_nonzero(~np.isnan(scores.values(name))) == 2000
        assert scores[name] == pytest.approx(1 - 49 / 2499 / 3, abs=1e-3)
    assert scores[names[0]] != scores[names[1]]
    assert scores[names[0]] == rankgold.exposure(run, names[0])[names[0]]


def test_users_may_be_selected_and_lists_cut_off():
    assert rankgold.exposure(RUN, "coverage", items=ITEMS, topics=["u2"])["coverage"] == 2 / 5
    assert rankgold.exposure(RUN, "coverage", items=ITEMS, depth=1)["coverage"] == 1 / 5
    # What is excluded is taken out before lists are cut off: b and d are left.
    cut = rankgold.exposure(RUN, "coverage", items=ITEMS, depth=1, exclude=[("u1", "a"), ("u2", "a")])
    assert cut["coverage"] == 2 / 5
    with pytest.raises(rankgold.DataError, match="none of the topics is a user of run"):
        rankgold.exposure(RUN, "coverage", items=ITEMS, topics="u9")


def test_ties_are_in_the_order_of_the_policy():
    tied = {"u": {"a": 1.0, "b": 1.0}}
    for policy, first in (("ties=descending", "b"), ("ties=ascending", "a"), ("ties=input", "a")):
        scores = rankgold.exposure(tied, "popularity@1", train={"x": [first]}, policy=policy)
        assert scores["popularity@1"] == 1.0
    with pytest.raises(rankgold.PolicyError, match="not averaged over the orders of tied items"):
        rankgold.exposure(tied, "gini", items=["a"], policy="ties=average")


def test_several_runs_stand_side_by_side():
    scores = rankgold.exposure({"one": RUN, "two": {"u1": ["a"], "u2": ["a"]}}, ["coverage", "gini"], items=ITEMS)
    assert scores["coverage"] == {"one": 4 / 5, "two": 1 / 5}
    assert scores.best("gini") == {"one"}
    assert scores.sorted_by("coverage").runs == ["one", "two"]


def test_notes_say_what_the_catalogue_lacks():
    scores = rankgold.exposure(RUN, ["coverage", "novelty"], items=["a", "b"], train={"u1": ["a"]})
    assert scores["coverage"] == 1.0
    assert "2 of 4 recommended items are not in the catalogue" in str(scores)
    assert "3 of 4 recommended items are new: nobody had them before" in str(scores)
    notes = scores.to_dict()["notes"]["run"]
    assert [notes[name] for name in ("users", "recommended", "items", "outside", "cold")] == [2, 4, 2, 2, 3]
    assert "the catalogue is the 1 items of train" in str(rankgold.exposure(RUN, "coverage", train={"u1": ["a"]}))


NEEDS = {
    "novelty": "novelty needs train=, what users had before",
    "coverage": "coverage needs items=, the catalogue",
    "user_coverage": "user_coverage needs train=",
    "serendipity@5": "serendipity@5 needs (qrels=|train=)",
    "ild": "ild needs categories of the items",
    "ild(distance=cosine)": r"ild\(distance=cosine\) needs features of the items",
    "exposure_parity": "exposure_parity needs groups of the items",
    "fill": "fill needs a cutoff, such as fill@10",
    "gain": "No measure is called 'gain'",
    "ndcg": "pass it to rankgold.evaluate",
}


@for_each("name", NEEDS)
def test_a_measure_says_what_it_needs(name):
    with pytest.raises(rankgold.RankgoldError, match=NEEDS[name]):
        rankgold.exposure(RUN, name)


def test_faults_of_a_catalogue_are_named(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "digits.jsonl").write_text('{"item": "a", "price": ' + "1" * 5000 + "}")
    faults = {
        "cannot tell which column holds the item": pl.DataFrame({"sku": ["a"], "price": [1]}),
        "item 'a' is in the catalogue twice": pl.DataFrame({"item": ["a", "a"], "price": [1, 2]}),
        "there are no items": [],
        "there is no such file": str(tmp_path / "nowhere.csv"),
        "the file is empty": str(tmp_path / "empty.csv"),
        r"bad\.json: this is not JSON": str(tmp_path / "bad.json"),
        r"digits\.jsonl:1: this is not JSON": str(tmp_path / "digits.jsonl"),
        "an embedding has 1 number, and others have 2": {"a": [1.0, 2.0], "b": [1.0]},
        "an embedding is not a list of numbers": pl.DataFrame({"item": ["a"], "embedding": ["[1, two]"]}),
        "this int is not a catalogue": 7,
        "some items have a dict of features": {"a": {"group": "x"}, "b": "y"},
        "the item is missing": pl.DataFrame({"item": ["a", None], "price": [1, 2]}),
    }
    for fault, items in faults.items():
        with pytest.raises(rankgold.DataError, match=fault):
            rankgold.exposure({"u": ["a", "b"]}, "ild(distance=cosine)", items=items)
    with pytest.raises(rankgold.DataError, match="there is no column 'artist'"):
        rankgold.exposure(RUN, "gini", items=pl.DataFrame({"item": ["a"], "x": [1]}), columns={"group": "artist"})
    with pytest.raises(rankgold.MeasureError, match=r"There is no group 'rad'\. Did you mean 'red'"):
        rankgold.exposure(RUN, "group_exposure(group=rad)", items=ITEMS)


def test_a_single_category_among_lists_is_a_list_of_one():
    mixed = {"a": "x", "b": ["x", "y"], "c": []}
    records = [{"item": item, "category": category or None} for item, category in mixed.items()]
    for items in (mixed, records, pd.DataFrame(records), pd.DataFrame(records).fillna(float("nan"))):
        scores = rankgold.exposure({"u": ["a", "b", "c"]}, ["category_entropy@3"], items=items)
        # x twice and y once: 2/3 * log2(3/2) + 1/3 * log2(3)
        assert scores["category_entropy@3"] == pytest.approx(2 / 3 * math.log2(3 / 2) + math.log2(3) / 3)


def test_a_quotation_mark_within_a_field_of_a_catalogue_is_read_as_it_stands(tmp_path):
    (tmp_path / "items.csv").write_text('item,title\na,5" disk\nb,plain\nc,7" and 8" disks\n5",\n')
    scores = rankgold.exposure({"u": ["a", "c", '5"']}, ["coverage@3"], items=tmp_path / "items.csv")
    assert scores["coverage@3"] == 0.75  # three of four items


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"a": [{"b": 0}], "c": [{"d": [1, 2]}]}',
            "the column of categories is of type List.*Categories must be text or lists",
        ),
        ('[{"item": "a", "group": [1]}, {"item": "b", "group": [2]}]', "the column of groups is of type List"),
        (
            '[{"item": "a", "category": [[], ["x"]]}, {"item": "b", "category": ["y"]}]',
            "types that cannot be mixed",
        ),
    ],
)
def test_lists_and_dicts_where_a_catalogue_has_texts_are_an_error(tmp_path, content, message):
    (tmp_path / "items.json").write_text(content)
    with pytest.raises(rankgold.DataError, match=message):
        rankgold.exposure({"u": ["a"]}, ["coverage@1"], items=tmp_path / "items.json")


def test_columns_of_a_catalogue_are_named_by_their_role():
    items = pl.DataFrame({"sku": ["a", "b"], "maker": ["m", "n"], "kind": ["x", "x|y"]})
    columns = {"item": "sku", "group": "maker", "category": "kind"}
    scores = rankgold.exposure({"u": ["a", "b"]}, ["ild", "exposure_parity@1"], items=items, columns=columns)
    assert scores.means == {"ild": 0.5, "exposure_parity@1": 0.0}


def test_the_name_of_an_item_comes_before_an_id_however_it_is_written():
    items = pl.DataFrame({"id": [1, 2, 3, 4], "Item": ["a", "b", "c", "d"]})
    assert rankgold.exposure({"u": ["a", "b"]}, "coverage", items=items).means == {"coverage": 0.5}


def test_the_command_prints_what_the_function_returns():
    folder = printed("demo", "--path").strip()
    runs = [f"{folder}/{name}.csv" for name in ("bestsellers", "neighbours")]
    options = ["--items", f"{folder}/dishes.csv", "--train", f"{folder}/orders.csv"]
    measures = ["coverage@10", "novelty@10", "gini@10"]
    scores = rankgold.exposure(runs, measures, items=options[1], train=options[3])
    content = json.loads(printed("exposure", *runs, *options, "-m", ",".join(measures), "-f", "json", "-q"))
    assert content == json.loads(scores.to_json())
    table = printed("exposure", *runs, *options, "-m", "coverage@10", "--sort", "coverage@10")
    assert [line.split()[:1] for line in table.splitlines()] == [["run"], ["neighbours"], ["bestsellers"]]
    lines = printed("exposure", runs[0], *options, "-m", "gini@10,novelty@10", "-q", "-f", "csv").splitlines()
    assert lines[0] == "run,query,gini@10,novelty@10"
    assert lines[1].startswith("bestsellers,u01,,")
    assert refused("exposure", runs[0], "-m", "novelty").startswith("novelty needs train=")
    excluded = printed("exposure", runs[0], *options, "--exclude", options[3], "-m", "coverage@10", "--quiet")
    assert excluded != printed("exposure", runs[0], *options, "-m", "coverage@10", "--quiet")


def test_bestsellers_for_everyone_are_not_personal_at_all():
    from rankgold.data.files import sample

    scores = rankgold.exposure(
        sample("bestsellers.csv"), ["personalisation@10", "coverage@10"], items=sample("dishes.csv")
    )
    # The same 10 of 36 dishes for each user.
    assert scores.means == {"personalisation@10": pytest.approx(0.0, abs=1e-12), "coverage@10": 10 / 36}


def test_lists_of_the_same_single_item_are_not_personal_at_all():
    names = ["personalisation", "personalisation(distance=jaccard)"]
    assert rankgold.exposure({"u1": ["a"], "u2": ["a"]}, names).means == dict.fromkeys(names, 0)


def test_a_training_set_without_an_item_is_an_error():
    with pytest.raises(rankgold.DataError, match="the training set: no user has an item"):
        rankgold.exposure({"u": ["a"]}, "user_coverage", train={"u": []})


def test_an_infinite_feature_is_an_error_that_names_the_item():
    with pytest.raises(rankgold.DataError, match="item 'b' has an infinite number"):
        rankgold.exposure({"u": ["a", "b"]}, "ild", items={"a": [1.0, 2.0], "b": [float("inf"), 0.0]})


def test_a_text_among_numbers_of_the_catalogue_is_noted(tmp_path):
    rows = ["item,title,price", "a,1984,3", "b,Up,n/a", "c,Alien,4"]
    (tmp_path / "items.csv").write_text("\n".join(rows) + "\n")
    scores = rankgold.exposure({"u": ["a", "b"]}, "coverage", items=str(tmp_path / "items.csv"))
    expected = f"{tmp_path}/items.csv, row 2: 'n/a' is not a number, so the column 'price' is not used"
    assert scores.notes.remarks == (expected,)
    assert expected in str(scores)
    with pytest.raises(rankgold.DataError, match="needs features of the items"):
        rankgold.exposure({"u": ["a", "b"]}, "ild(distance=cosine)", items=str(tmp_path / "items.csv"))


def test_very_high_and_very_low_numbers_have_a_distance():
    for scale in (1e200, 1e-200):
        items = {"a": [scale, 0.0], "b": [0.0, scale], "c": [scale, scale]}
        measures = ["ild(distance=cosine)", "ild(distance=euclidean)"]
        found = rankgold.exposure({"u": ["a", "b", "c"]}, measures, items=items)
        # a and b are at a right angle, c is at 45 degrees to both; the sides are 1, 1 and sqrt(2).
        assert found[measures[0]] == pytest.approx((1 + 2 * (1 - math.sqrt(0.5))) / 3)
        assert found[measures[1]] / scale == pytest.approx((math.sqrt(2) + 1 + 1) / 3)


def test_users_that_were_not_drawn_are_noted_and_are_not_undefined():
    run = {user: [user % 50, 1000 + user] for user in range(2100)}
    names = ["personalisation(distance=jaccard, seed=3)", "personalisation(seed=3)", "personalisation"]
    scores = rankgold.exposure(run, names, policy="undefined=zero")
    assert scores.notes.undefined == {}
    assert scores.notes.remarks == ("personalisation(distance=jaccard) is that of 2,000 users, drawn with seed 3",)
    assert np.count_nonzero(~np.isnan(scores.values(names[0]))) == 2000
    assert scores[names[0]] == pytest.approx(1 - 41 / 2099 / 3, abs=1e-3)
    # The cosine needs no pairs of users, so nobody is drawn: each user shares one of two items with 41 others.
    assert scores[names[1]] == scores[names[2]] == pytest.approx(1 - 41 / 2099 / 2)


def test_rel_is_for_measures_that_ask_what_is_relevant_and_do_not_say_it():
    known = {"items": ["a", "b", "c", "d"], "train": {"u1": ["a", "b"], "u2": ["a"]}, "qrels": {"u3": {"b": 1, "c": 2}}}
    names = ["serendipity@2", "serendipity(rel=1)@2", "serendipity(rel=2)@2"]
    one, of_one, of_two = rankgold.exposure({"u3": ["b", "c"]}, names, rel=2, **known).means.values()
    assert one == of_two != of_one
