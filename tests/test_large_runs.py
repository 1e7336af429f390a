"""Runs read in parts: the same numbers to the last bit, whatever the order of the file."""

import gzip
import random

import pytest

import karat
from karat.data import parts

MEASURES = ["ap", "ndcg@10", "rr", "p@3", "auc", "err", "spearman"]


@pytest.fixture
def small_parts(monkeypatch):
    """Every file counts as large, and parts are tiny."""
    monkeypatch.setattr(parts, "LARGE", 10)
    monkeypatch.setattr(parts, "ROWS_AT_ONCE", 7)


def lines_of_a_run(queries=12, documents=9, tag="sys"):
    choose = random.Random(3)
    return [
        f"q{query} Q0 d{document} 0 {choose.randint(0, 5) / 2} {tag}\n"
        for query in range(queries)
        for document in choose.sample(range(30), documents)
    ]


@pytest.fixture
def qrels(tmp_path):
    choose = random.Random(4)
    path = tmp_path / "qrels.txt"
    path.write_text(
        "".join(f"q{q} 0 d{d} {choose.randint(-1, 3)}\n" for q in range(14) for d in choose.sample(range(30), 8))
    )
    return path


def both_ways(qrels, path, monkeypatch, policy=None):
    at_once = karat.evaluate(qrels, path, MEASURES, policy=policy)
    monkeypatch.setattr(parts, "LARGE", 10)
    monkeypatch.setattr(parts, "ROWS_AT_ONCE", 7)
    return at_once, karat.evaluate(qrels, path, MEASURES, policy=policy)


@pytest.mark.parametrize(
    "policy", ["karat", "trec_eval", "ties=average", "ties=input", "unjudged=condensed", "score_bits=32"]
)
@pytest.mark.parametrize("order", ["by query", "interleaved"])
@pytest.mark.parametrize("packing", ["", ".gz"])
def test_a_run_in_parts_scores_the_same_to_the_last_bit(tmp_path, qrels, monkeypatch, policy, order, packing):
    lines = lines_of_a_run()
    if order == "interleaved":
        random.Random(5).shuffle(lines)
    path = tmp_path / f"run.trec{packing}"
    content = "".join(lines).encode()
    path.write_bytes(gzip.compress(content) if packing else content)
    at_once, in_parts = both_ways(qrels, path, monkeypatch, policy)
    assert in_parts.per_query.equals(at_once.per_query)
    assert in_parts.to_json() == at_once.to_json()


def test_a_query_longer_than_a_part_stays_whole(tmp_path, qrels, monkeypatch):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run(queries=2, documents=29)))
    at_once, in_parts = both_ways(qrels, path, monkeypatch)
    assert in_parts.to_json() == at_once.to_json()


def test_blanks_in_any_number_are_read_at_once_instead(tmp_path, qrels, monkeypatch):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run()).replace("q7 Q0", "q7   Q0"))
    at_once, in_parts = both_ways(qrels, path, monkeypatch)
    assert in_parts.to_json() == at_once.to_json()


def test_several_tags_are_several_runs_in_large_files_too(tmp_path, qrels, small_parts):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run(tag="a") + lines_of_a_run(tag="b")))
    assert karat.evaluate(qrels, path, ["ap"]).runs == ["a", "b"]


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_document_twice_is_named_with_both_lines(tmp_path, qrels, small_parts, shuffled):
    lines = [f"q{query} Q0 d{document} 0 1.5 sys\n" for query in range(6) for document in range(5)]
    if shuffled:
        lines = lines[::2] + lines[1::2]
    twice = lines[11]
    path = tmp_path / "run.trec"
    path.write_text(
        "".join([*lines[:13], twice, *lines[13:]]) if shuffled else "".join([*lines[:12], twice, *lines[12:]])
    )
    second = 14 if shuffled else 13
    query, _, document, *_ = twice.split()
    with pytest.raises(karat.DataError) as caught:
        karat.evaluate(qrels, path, ["ap"])
    assert str(caught.value).startswith(
        f"{path}:{second}: query '{query}' ranks document '{document}' twice (first at line 12)"
    )


@pytest.mark.parametrize(
    ("fault", "said"), [("0.5 sys", "the score must be a finite number, not 'x'"), ("sys", "has 5")]
)
def test_a_fault_far_down_is_told_with_its_line(tmp_path, qrels, small_parts, fault, said):
    lines = lines_of_a_run()
    lines[80] = "q8 Q0 d1 0 x sys\n" if fault == "0.5 sys" else "q8 Q0 d1 0 0.5\n"
    path = tmp_path / "run.trec"
    path.write_text("".join(lines))
    with pytest.raises(karat.DataError, match=f"run.trec:81: .*{said}"):
        karat.evaluate(qrels, path, ["ap"])


def test_progress_goes_from_nothing_to_all(tmp_path, qrels, small_parts):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run()))
    shares = []
    karat.evaluate(qrels, path, ["ap"], progress=lambda what, share, rows: shares.append((what, share, rows)))
    matching = [share for what, share, _ in shares if what == "matching sys"]
    assert max(rows for _, _, rows in shares) == len(lines_of_a_run())
    assert matching == sorted(matching)
    assert matching[0] == 0
    assert len(matching) > 5
