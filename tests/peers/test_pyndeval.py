"""Measures of diversity against pyndeval, which runs the C code of TREC's ndeval."""

import math
import random

import pyndeval
import pytest

import rankgold

CUTOFFS = (2, 3, 5, 10, 20)
AT_CUTOFFS = ("alpha-DCG", "alpha-nDCG", "ERR-IA", "nERR-IA", "P-IA", "strec")
MEASURES = [*(f"{name}@{k}" for name in AT_CUTOFFS for k in CUTOFFS), "NRBP", "nNRBP", "MAP-IA"]
COLLECTIONS = 200


def collection(seed):
    """Judgements (query, subtopic, document, grade) and a run: ties, negative grades, unjudged documents, lost queries."""
    rng = random.Random(seed)
    documents = [f"d{i}" for i in range(rng.choice((3, 8, 40)))]
    subtopics = [str(i) for i in range(1, rng.choice((1, 2, 5, 12)) + 1)]
    judged, ranked = [], {}
    for query in (f"q{i}" for i in range(rng.randint(1, 5))):
        side = rng.choice(("both", "both", "both", "judged", "ranked"))
        if side != "ranked":
            density = rng.choice((0.1, 0.4, 0.9))
            judged += [
                (query, subtopic, document, rng.choice((-2, 0, 0, 1, 1, 2, 3)))
                for document in documents
                for subtopic in subtopics
                if rng.random() < density
            ]
        if side != "judged":
            scores = (0.0, 0.5, 1.0) if rng.random() < 0.5 else [rng.random() for _ in range(50)]
            listed = rng.sample(documents, rng.randint(1, len(documents)))
            ranked[query] = {document: rng.choice(scores) for document in [*listed, "unjudged1", "unjudged2"]}
    return judged, ranked


def nested(judged):
    qrels = {}
    for query, subtopic, document, grade in judged:
        qrels.setdefault(query, {}).setdefault(document, {})[subtopic] = grade
    return qrels


def common_queries(seed):
    judged, ranked = collection(seed)
    return judged, ranked, {query for query, *_ in judged} & set(ranked)


@pytest.mark.parametrize(
    ("rel", "alpha", "beta"), [(1, 0.5, 0.5), (2, 0.5, 0.5), (1, 0.25, 0.8), (1, 1, 0.5), (1, 0, 0.5)]
)
def test_every_value_of_pyndeval_is_reproduced_on_random_collections(rel, alpha, beta):
    shared = ("alpha_dcg", "alpha_ndcg", "err_ia", "nerr_ia", "nrbp", "nnrbp")
    parsed = [rankgold.parse(name) for name in MEASURES]
    chosen = {
        str(name): measure.metric(
            rel=rel,
            **({"alpha": alpha} if measure.metric.name in shared else {}),
            **({"beta": beta} if "nrbp" in measure.metric.name else {}),
            k=measure.k,
        )
        for name, measure in zip(MEASURES, parsed, strict=True)
    }
    compared = 0
    for seed in range(COLLECTIONS):
        judged, ranked, common = common_queries(seed)
        if not common:
            continue
        # pyndeval ranks tied documents by ascending id.
        scores = rankgold.evaluate(nested(judged), ranked, list(chosen.values()), policy="ties=ascending").per_query
        found = {row["query"]: row for row in scores.to_dicts()}
        rows = [(query, document, score) for query, scored in ranked.items() for document, score in scored.items()]
        expected = pyndeval.RelevanceEvaluator(judged, MEASURES, relevance_level=rel, alpha=alpha, beta=beta).evaluate(
            rows
        )
        assert set(expected) == common
        for query, values in expected.items():
            for name, value in values.items():
                # For a query without a relevant document ndeval divides 0 by 0 in nNRBP only; elsewhere it gives 0.
                value = 0.0 if math.isnan(value) else value
                assert found[query][str(chosen[name])] == pytest.approx(value, rel=1e-9, abs=1e-9), (seed, query, name)
                compared += 1
    assert compared > 10_000
