"""Several runs in one evaluation: read and matched at the same time, and each scores as if it were alone."""

import random
import threading

import pytest

import rankgold
from rankgold.data import chunks, inputs
from rankgold.engines import local

MEASURES = ["ap", "ndcg@10", "rr", "p@3", "bpref"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Judgements and twelve runs of different sizes, all of which count as large."""
    monkeypatch.setattr(inputs, "SMALL", -1)
    monkeypatch.setattr(local, "_AT_ONCE", 3)
    choose = random.Random(4)
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"q{q} 0 d{d} {choose.randint(0, 3)}\n" for q in range(20) for d in range(0, 40, 3)))
    runs = []
    for number in range(12):
        runs.append(tmp_path / f"{number:02}.trec")
        documents = choose.sample(range(40), 5 + 3 * (11 - number) % 30)
        lines = [f"q{q} Q0 d{d} 0 {choose.randint(0, 9)} sys{number}\n" for q in range(20) for d in documents]
        runs[-1].write_text("".join(lines))
    return qrels, runs


def test_each_run_scores_as_alone_to_the_last_bit_and_in_the_order_given(files):
    qrels, runs = files
    together = rankgold.evaluate(qrels, runs, MEASURES)
    assert list(together.runs) == [f"sys{number}" for number in range(12)]
    for number, run in enumerate(runs):
        alone = rankgold.evaluate(qrels, run, MEASURES)
        for measure in MEASURES:
            assert together[measure][f"sys{number}"] == alone[measure]


def test_a_fault_in_a_later_run_is_reported_with_its_line(files):
    qrels, runs = files
    runs[7].write_text("q1 Q0 d1 0 high sys7\n")
    with pytest.raises(rankgold.DataError, match=r"07\.trec:1: .*high"):
        rankgold.evaluate(qrels, runs, MEASURES)


def test_a_fault_in_the_judgements_comes_before_one_in_a_run(files):
    qrels, runs = files
    qrels.write_text("q1 0 d1 good\n")
    runs[0].write_text("q1 Q0 d1 0 high sys0\n")
    with pytest.raises(rankgold.DataError, match=r"qrels\.txt:1: .*good"):
        rankgold.evaluate(qrels, runs, MEASURES)


def test_progress_is_of_the_run_that_is_waited_for(files):
    qrels, runs = files
    steps = []
    rankgold.evaluate(qrels, runs, MEASURES, progress=lambda step, share, rows: steps.append(step))
    read = [step for step in steps if step.startswith("reading")]
    assert read == [f"reading {path}" for path in (qrels, *runs)]
    # A run is matched between the step of its own reading and that of the next run.
    for place, step in enumerate(steps):
        if step.startswith("matching"):
            last = [earlier for earlier in steps[:place] if earlier.startswith("reading")][-1]
            assert last == f"reading {runs[int(step.removeprefix('matching sys'))]}"


def test_only_a_few_works_run_at_the_same_time_and_results_keep_their_order():
    running, most, lock = [0], [0], threading.Lock()
    turn = threading.Barrier(2)

    def work(number):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        turn.wait(timeout=60)  # each work waits for one other: two must run at the same time
        with lock:
            running[0] -= 1
        return number

    works = [lambda number=number: work(number) for number in range(6)]
    results = chunks.results_ahead(works, 2)
    assert list(results) == [0, 1, 2, 3, 4, 5]
    assert most == [2]
