"""`rankgold trec_eval --version9` prints the numbers of pytrec_eval, which has the C code of trec_eval 9, to every digit."""

import math
import random

import pytrec_eval

from rankgold.cli.app import run as rankgold

DOCUMENTS = [f"d{i}" for i in range(40)]


def collection(seed):
    """Judgements and a run with ties, negative and missing grades, unjudged documents, and queries on one side only.

    A query with negative grades only makes pytrec_eval write past its memory, so each has a grade of 0.
    """
    chosen = random.Random(seed)
    qrels = {
        f"q{i}": {d: chosen.choice([-1, 0, 0, 1, 1, 2, 3]) for d in chosen.sample(DOCUMENTS, chosen.randint(1, 15))}
        | {"d40": 0}
        for i in range(5)
    }
    run = {
        f"q{i}": {
            d: chosen.choice([1.0, 2.0, 3.5, 0.83, 0.83 + 1e-9])
            for d in chosen.sample([*DOCUMENTS, "d41"], chosen.randint(1, 30))
        }
        for i in range(1, 7)
    }
    return qrels, run


def printed(capsys, folder, qrels, run, *options):
    """Query -> label -> what is printed."""
    judged = [f"{query} 0 {d} {grade}\n" for query, row in qrels.items() for d, grade in row.items()]
    ranked = [f"{query} Q0 {d} 1 {score!r} tag\n" for query, row in run.items() for d, score in row.items()]
    (folder / "qrels").write_text("".join(judged))
    (folder / "run").write_text("".join(ranked))
    rankgold(["trec_eval", "--version9", "-q", "-m", "all_trec", *options, str(folder / "qrels"), str(folder / "run")])
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    found = {}
    for label, query, text in lines:
        found.setdefault(query, {})[label.strip()] = text
    return found


def in_order(values):
    """A sum with the rounding of every step, as C has it."""
    total = 0.0
    for value in values:
        total += value
    return total


def expected(label, values):
    """What trec_eval prints of the values of some queries: the sum of counts, else a mean."""
    if label.startswith("num_"):
        return f"{int(in_order(values))}"
    mean = in_order(values) / len(values)
    if math.isnan(mean):
        return "  -nan"
    return f"{math.exp(mean) if label.startswith('gm_') else mean:6.4f}"


def test_every_digit_is_that_of_pytrec_eval_on_200_collections(tmp_path, capsys):
    for seed in range(200):
        qrels, run = collection(seed)
        level, judged_only = random.Random(seed).choice([(1, False), (1, False), (2, False), (1, True)])
        options = ["-l", str(level), *(["-J"] if judged_only else [])]
        theirs = pytrec_eval.RelevanceEvaluator(
            qrels, pytrec_eval.supported_measures, relevance_level=level, judged_docs_only_flag=judged_only
        ).evaluate(run)
        ours = printed(capsys, tmp_path, qrels, run, *options)
        assert ours.keys() == {"all", *theirs}
        labels = theirs["q1"].keys() - {"runid", "relstring"}
        for query in theirs:
            shown = {label: text for label, text in ours[query].items() if label != "relstring"}
            wanted = {label: expected(label, [theirs[query][label]]) for label in labels if label in shown}
            assert shown == wanted, (seed, query)
            assert labels - shown.keys() == {"num_q", "gm_map", "gm_bpref"}
        totals = {label: expected(label, [theirs[query][label] for query in sorted(theirs)]) for label in labels}
        assert {label: text for label, text in ours["all"].items() if label != "runid"} == totals, seed
