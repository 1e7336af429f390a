"""Measures of diversity against pyndeval, which runs the C code of TREC's ndeval, directly and through ir_measures."""

import math
import random

import ir_measures
import pyndeval
import pytest

import rankgold

AT_CUTOFFS = ("alpha-DCG", "alpha-nDCG", "ERR-IA", "nERR-IA", "P-IA", "strec")
MEASURES = [*(f"{name}@{k}" for name in AT_CUTOFFS for k in (2, 3, 5, 20)), "NRBP", "nNRBP", "MAP-IA"]
WITH_ALPHA = ("alpha_dcg", "alpha_ndcg", "err_ia", "nerr_ia", "nrbp", "nnrbp")


def collection(seed):
    """Judgements (query, subtopic, document, grade) and a run, with at least one query in common.

    There are ties, negative grades, unjudged documents, queries that only one side has, and queries without a relevant
    document.
    """
    rng = random.Random(seed)
    documents = [f"d{i}" for i in range(rng.choice((3, 8, 40)))]
    subtopics = [str(i) for i in range(1, rng.choice((1, 2, 5, 12)) + 1)]
    judged, ranked = [], {}
    for number in range(rng.randint(1, 4)):
        query = f"q{number}"
        side = rng.choice(("both", "both", "judged", "ranked")) if number else "both"
        if side != "ranked":
            density = rng.choice((0.1, 0.4, 0.9))
            pairs = [(subtopic, document) for document in documents for subtopic in subtopics]
            chosen = [pair for pair in pairs if rng.random() < density] or pairs[:1]
            judged += [(query, *pair, rng.choice((-2, 0, 0, 1, 1, 2, 3))) for pair in chosen]
        if side != "judged":
            scores = (0.0, 0.5, 1.0) if rng.random() < 0.5 else [rng.random() for _ in range(50)]
            listed = [*rng.sample(documents, rng.randint(1, len(documents))), "unjudged1", "unjudged2"]
            ranked[query] = {document: rng.choice(scores) for document in listed}
    return judged, ranked


def nested(judged):
    qrels = {}
    for query, subtopic, document, grade in judged:
        qrels.setdefault(query, {}).setdefault(document, {})[subtopic] = grade
    return qrels


def values(judged, ranked, measures):
    """Query -> measure -> value. pyndeval ranks tied documents by ascending id."""
    frame = rankgold.evaluate(nested(judged), ranked, measures, policy="ties=ascending").per_query
    return {row["query"]: row for row in frame.to_dicts()}


def with_parameters(name, rel, alpha, beta):
    measure = rankgold.parse_measure(name)
    more = {"alpha": alpha} if measure.metric.name in WITH_ALPHA else {}
    more |= {"beta": beta} if "beta" in measure.metric.parameters else {}
    return measure.metric(rel=rel, k=measure.k, **more)


@pytest.mark.parametrize(
    ("rel", "alpha", "beta", "seeds"),
    [
        (1, 0.5, 0.5, range(200)),
        (2, 0.5, 0.5, range(40)),
        (1, 0.25, 0.8, range(40)),
        (1, 1, 0.5, range(40)),
        (1, 0, 0.1, range(40)),
    ],
)
def test_every_value_of_pyndeval_is_reproduced_on_random_collections(rel, alpha, beta, seeds):
    chosen = {name: with_parameters(name, rel, alpha, beta) for name in MEASURES}
    for seed in seeds:
        judged, ranked = collection(seed)
        found = values(judged, ranked, list(chosen.values()))
        rows = [(query, document, score) for query, scored in ranked.items() for document, score in scored.items()]
        evaluator = pyndeval.RelevanceEvaluator(judged, MEASURES, relevance_level=rel, alpha=alpha, beta=beta)
        expected = evaluator.evaluate(rows)
        assert set(expected) == {query for query, *_ in judged} & set(ranked)
        for query, row in expected.items():
            for name, value in row.items():
                # For a query without a relevant document ndeval divides 0 by 0 in nNRBP only; elsewhere it gives 0.
                known = 0.0 if math.isnan(value) else value
                assert found[query][str(chosen[name])] == pytest.approx(known, rel=1e-9, abs=1e-9), (seed, query, name)


def test_spellings_and_values_are_those_of_ir_measures():
    names = [
        "alpha_DCG@5", "alpha_nDCG(alpha=0.2)@10", "ERR_IA@3", "nERR_IA@3", "NRBP(alpha=0.3,beta=0.8)",
        "nNRBP", "AP_IA(rel=2)", "P_IA@5", "StRecall@10",
    ]  # fmt: skip
    judged, ranked = collection(11)
    qrels = [ir_measures.Qrel(query, document, grade, subtopic) for query, subtopic, document, grade in judged]
    relevant = {query for query, _, _, grade in judged if grade > 0}
    found = values(judged, ranked, names)
    # One by one: of measures with different parameters, ir_measures gives the run to the first only, and 0 for the others.
    rows = [row for name in names for row in ir_measures.iter_calc([ir_measures.parse_measure(name)], qrels, ranked)]
    compared = [row for row in rows if row.query_id in relevant and row.query_id in ranked]
    assert len(compared) >= len(names)
    for row in compared:
        ours = {rankgold.parse_measure(name): found[row.query_id][name] for name in names}[
            rankgold.parse_measure(str(row.measure))
        ]
        assert ours == pytest.approx(row.value, abs=1e-9), row


def test_ndeval_does_not_divide_at_the_cutoff_1():
    judged, ranked = [("q", "1", "a", 1), ("q", "2", "a", 1)], {"q": {"a": 1.0}}
    names = ["alpha-DCG@1", "ERR-IA@1", "alpha-nDCG@1", "nERR-IA@1"]
    assert pyndeval.RelevanceEvaluator(judged, names).evaluate([("q", "a", 1.0)])["q"] == {
        "alpha-DCG@1": 2.0, "ERR-IA@1": 2.0, "alpha-nDCG@1": 1.0, "nERR-IA@1": 1.0,
    }  # fmt: skip
    assert rankgold.evaluate(nested(judged), ranked, names).means == dict.fromkeys(names, 1.0)
