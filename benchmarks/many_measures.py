"""What many measures at once cost, as a ratio to one: python benchmarks/many_measures.py [ROUNDS]

The measures that trec_eval and ir_measures have are computed together, and ndcg@10 alone, in turn in one process: from
TREC files of 1,000 queries with 1,000 documents each, from the same as dicts, and from matched hits, where nothing is
read. The CPU time of the process is taken, since other processes do not change it much.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import rankgold
from made_data import trec_files

ALONE = ["ndcg@10"]
# Fifty that came with the names of trec_eval and ir_measures, with their usual cutoffs.
FIFTY = [
    "ap", "rr", "ndcg", "p@10", "r@100", "hit@10", "rprec", "bpref", "infap", "gmap", "gm_bpref", "judged@10",
    "unjudged@10", "num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "p", "r", "f", "set_map",
    "set_relative_p", "p(norm=min)@10", "rprec_mult(multiple=0.2)", "rprec_mult(multiple=1)", "iprec(recall=0)",
    "iprec(recall=0.5)", "iprec(recall=1)", "iprec_mean", "utility", "bing", "g", "rndcg", "ndcg_rel", "yaap",
    "rbp", "rbp(p=0.95)", "rbp_resid", "err(max=3)@20", "nerr@20", "q", "sdcg(max=3)@10", "insq(max=3)",
    "inst(max=3)", "bpm(max=3)@10", "nerr8(max=3)@10", "nerr9(max=3)@10", "nerr10(max=3)", "nerr11(max=3)",
]  # fmt: skip


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(name: str, evaluate: Callable[[list[str]], object], rounds: int) -> None:
    """Prints the median of both times, and the median ratio of neighbours."""
    evaluate(FIFTY)
    pairs = [(seconds(lambda: evaluate(ALONE)), seconds(lambda: evaluate(FIFTY))) for _ in range(rounds)]
    one, many = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(fifty / alone for alone, fifty in pairs)
    print(f"{name:<12} one {1000 * one:8.1f} ms   fifty {1000 * many:8.1f} ms   ratio {ratio:.2f}")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    assert len(set(map(rankgold.parse_measure, FIFTY))) == 50
    qrels, run = trec_files(1000, 1000)
    compare("TREC files", lambda measures: rankgold.evaluate(qrels, run, measures), rounds)
    judged = {query: dict(rows) for query, rows in _by_query(qrels, 2, 3)}
    ranked = {query: dict(rows) for query, rows in _by_query(run, 2, 4)}
    compare("dicts", lambda measures: rankgold.evaluate(judged, ranked, measures), rounds)
    hits = rankgold.match(qrels, run)
    compare("matched hits", lambda measures: rankgold.evaluate(hits, measures), rounds)


def _by_query(path: object, document: int, number: int) -> list[tuple[str, list[tuple[str, float]]]]:
    rows: dict[str, list[tuple[str, float]]] = {}
    with open(str(path), encoding="ascii") as file:
        for line in file:
            fields = line.split()
            rows.setdefault(fields[0], []).append((fields[document], float(fields[number])))
    return list(rows.items())


if __name__ == "__main__":
    main()
