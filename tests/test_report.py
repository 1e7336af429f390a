"""The data of a report: every number is the library's, nothing is left out in silence, no text gets out of its place."""

import base64
import gzip
import hashlib
import math
import re
from functools import partial

import duckdb
import numpy as np
import pytest

import rankgold
from rankgold.data.files import sample
from rankgold.measures.registry import REGISTRY
from rankgold.present.html_report import blocks as block_sizes
from rankgold.present.html_report import workings
from rankgold.present.html_report.report_file import MODULES, page_script
from rankgold.present.html_report.summary import policy_sentences
from rankgold.present.html_report.workings import _of_best_queries
from tests.cases import for_each
from tests.report_blocks import blocks_of, pool_documents, starts_of
from tests.shell import printed, shell

# Charts take a second, and are looked at in a browser.
make_report = partial(rankgold.report, page=rankgold.Page(charts=False))
RUNS = ("titles", "bm25", "expanded")
FILES = [sample(f"{name}.trec") for name in RUNS]
# Every measure that the sample has judgements for.
MEASURES = [str(metric()) for metric in REGISTRY.all() if not metric.over_subtopics]


@pytest.fixture(scope="module")
def scores():
    return rankgold.evaluate(sample("qrels.txt"), FILES, MEASURES)


@pytest.fixture(scope="module")
def report():
    queries = sample("queries.tsv")
    return make_report(
        sample("qrels.txt"), FILES, measures=MEASURES, query_texts=queries, test=rankgold.Randomization(draws=200)
    )


@pytest.fixture(scope="module")
def blocks(report):
    return blocks_of(report.html)


def test_values_are_those_of_an_evaluation_to_the_last_bit_for_every_measure(blocks, scores):
    assert blocks["core"]["runs"] == list(RUNS)
    for label in MEASURES:
        for run, column in zip(RUNS, blocks["core"]["values"][label], strict=True):
            np.testing.assert_array_equal(column, scores.values(label, run=run))


def test_a_depth_cuts_off_the_lists():
    # The relevant document is at rank 2: its reciprocal rank is 1/2, and 0 if lists end at rank 1.
    qrels, run = {"q1": {"a": 1}}, {"q1": {"x": 2.0, "a": 1.0}}
    for depth, value in ((None, 0.5), (1, 0.0)):
        core = blocks_of(make_report(qrels, run, measures=["rr"], depth=depth).html)["core"]
        assert [float(column[0]) for column in core["values"]["rr"]] == [value]


def test_contributions_over_norms_add_up_to_the_value_for_every_measure(blocks):
    core = blocks["core"]
    for number, label in enumerate(MEASURES):
        working = blocks[f"working-{number}"]
        for run, rows in enumerate(working["rows"]):
            norms = working["norm"][min(run, len(working["norm"]) - 1)]
            starts = starts_of(rows["sizes"])
            decided = set(working["decided"][run]["queries"].tolist())
            for query, value in enumerate(core["values"][label][run]):
                norm = norms["constant"] if isinstance(norms, dict) else norms[query]
                missed = 0 if working["missed"][run] is None else working["missed"][run][query]
                terms = rows["term"][starts[query] : starts[query + 1]]
                total = float(sum(rows["parts"][terms].tolist())) + missed
                if query not in decided and norm and not math.isnan(value):
                    assert total / norm == pytest.approx(value, abs=1e-12), (label, query)


def test_the_working_of_a_query_is_what_explain_writes(blocks):
    """The texts of the terms, and the documents that they belong to."""
    query = blocks["core"]["queries"].index("q18")
    documents = [name for name, _, _ in pool_documents(blocks["pool"], query)]
    for number, label in enumerate(MEASURES):
        rows = blocks[f"working-{number}"]["rows"][1]
        explanation = rankgold.explain(sample("qrels.txt"), sample("bm25.trec"), label, "q18")
        first = int(rows["sizes"][:query].sum())
        own = range(first, first + int(rows["sizes"][query]))
        assert [documents[rows["place"][i]] for i in own] == [step.document for step in explanation.steps]
        assert [int(rows["rank"][i]) for i in own] == [step.rank for step in explanation.steps]
        for i in own:
            assert rows["texts"][rows["term"][i]] in explanation.to_text()


def test_lists_and_grades_are_those_of_the_files(blocks):
    run = {}
    for line in sample("bm25.trec").read_text().splitlines():
        query, _, document, rank, *_ = line.split()
        run.setdefault(query, {})[document] = int(rank)
    grades = {
        tuple(line.split()[0:3:2]): float(line.split()[3]) for line in sample("qrels.txt").read_text().splitlines()
    }
    for number, query in enumerate(blocks["core"]["queries"]):
        documents = pool_documents(blocks["pool"], number)
        ranks = {name: ranks[1] for name, _, ranks in documents if ranks[1]}
        listed = {name: rank for name, rank in run[query].items() if rank <= 20}
        assert listed.items() <= ranks.items()
        assert all(grade == grades.get((query, name)) for name, grade, _ in documents)


def test_a_supposed_judgement_gives_the_value_of_an_evaluation_with_it(blocks):
    """Every measure, every unjudged document of three queries: the judgements are changed, and evaluated again."""
    supposed, pool, core = blocks["supposed"], blocks["pool"], blocks["core"]
    starts = starts_of(pool["sizes"])
    qrels = {}
    for line in sample("qrels.txt").read_text().splitlines():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    labels = list(supposed["values"])
    assert labels == MEASURES
    tried = 0
    for query in ("q18", "q09", "q17"):
        number = core["queries"].index(query)
        for place, row in enumerate(supposed["rows"].tolist()):
            if not starts[number] <= row < starts[number + 1]:
                continue
            document = pool_documents(pool, number)[row - starts[number]][0]
            changed = {**qrels, query: {**qrels[query], document: int(supposed["grade"])}}
            found = rankgold.evaluate(changed, FILES, labels)
            at = found.queries(RUNS[0]).index(query)
            for label in labels:
                for run, name in enumerate(RUNS):
                    assert supposed["values"][label][run][place] == pytest.approx(
                        found.values(label, run=name)[at], abs=1e-12, nan_ok=True
                    ), (label, query, document)
            tried += 1
    assert tried > 20


def test_the_judging_queue_has_the_order_and_effects_of_judge_next(blocks):
    """Of a measure that does not use grades, so that relevant is as good as the highest grade."""
    supposed, pool, queries = blocks["supposed"], blocks["pool"], blocks["core"]["queries"]
    starts = starts_of(pool["sizes"])
    expected = rankgold.judge_next(sample("qrels.txt"), FILES, "ap", n=400).frame
    effects = dict(zip(expected.select("query", "document").rows(), expected["effect"], strict=True))
    queue = supposed["queue"]["ap"]
    assert len(queue["place"]) == 100
    for place, effect in zip(queue["place"], queue["effect"], strict=True):
        query = int(np.searchsorted(starts, supposed["rows"][place], side="right")) - 1
        document = pool_documents(pool, query)[supposed["rows"][place] - starts[query]][0]
        assert effect == pytest.approx(effects[queries[query], document], abs=1e-12)
    assert queue["effect"][0] == pytest.approx(max(effects.values()), abs=1e-12)


def test_the_judging_queue_has_whole_queries_of_the_largest_effects_and_nothing_without_one():
    # The largest effect is that of query 1, then 2, then 0: their rows are 2, 1 and 3, so 1 and 2 together are 3 rows.
    query, effect = np.array([0, 0, 0, 1, 1, 2]), np.array([0.1, 0.2, 0.1, 0.0, 0.5, 0.3])
    for most, kept in ((1, []), (2, [13, 14]), (3, [13, 14, 15]), (5, [13, 14, 15]), (6, [10, 11, 12, 13, 14, 15])):
        assert _of_best_queries(np.arange(10, 16), query, effect, most).tolist() == kept
    # rr: of x, 1 for 1/2. y is below d, the first relevant document.
    supposed = blocks_of(make_report({"q": {"d": 1}}, {"q": {"x": 3, "d": 2, "y": 1}}, measures=["rr"]).html)[
        "supposed"
    ]
    assert supposed["values"]["rr"][0].tolist() == [1.0, 0.5]
    assert (supposed["queue"]["rr"]["place"].tolist(), supposed["queue"]["rr"]["effect"].tolist()) == ([0], [0.5])


@pytest.mark.parametrize(("room", "many", "left"), [(11, 10, 11), (10, 11, 0), (10, 10, 10)])
def test_of_many_unjudged_documents_those_of_the_first_10_ranks_are_supposed(room, many, left, monkeypatch):
    """11 unjudged documents: all of them if there is room; else whole queries; of many, those of 10 ranks, which fit."""
    supposed = workings.supposed_judgements
    monkeypatch.setattr(workings, "_MANY", many)
    monkeypatch.setattr(block_sizes, "supposed_judgements", lambda *data: supposed(*data[:-1], room))
    run = {"q": {f"x{i}": 20 - i for i in range(1, 12)} | {"d": 0}}
    page = make_report({"q": {"d": 1}}, run, measures=["rr"]).html
    # The document at rank i is not judged; judged to be relevant, it gives rr = 1/i.
    values = blocks_of(page)["supposed"]["values"]["rr"][0]
    assert values.tolist() == pytest.approx([1 / rank for rank in range(1, left + 1)])


def test_a_leaderboard_is_the_comparison_of_its_measure_alone(blocks):
    for label in ("ndcg", "ap", "frp"):
        board = blocks["core"]["slices"][0]["boards"][label]
        found = rankgold.compare(sample("qrels.txt"), FILES, [label], test=rankgold.Randomization(draws=200))
        assert [pair["sentence"] for pair in board["pairs"]] == found.sentences
        assert [pair["p"] for pair in board["pairs"]] == [row.p_corrected for row in found.rows]


def test_policies_are_compared_and_the_summary_says_whether_the_order_holds(blocks):
    rows = {row["name"]: row for row in blocks["core"]["policies"]}
    for name, policy in (
        ("trec_eval", "trec_eval"),
        ("ties averaged", "ties=average"),
        ("judged only", "unjudged=condensed"),
    ):
        means = rankgold.evaluate(sample("qrels.txt"), FILES, ["ap"], policy=policy)["ap"]
        assert dict(zip(RUNS, rows[name]["parts"]["all queries"]["ap"]["means"], strict=True)) == means
    assert any(
        "The order of the runs by ap is the same under" in line for line in blocks["core"]["slices"][0]["summary"]["ap"]
    )


def test_the_summary_says_who_leads_how_certainly_where_it_loses_and_what_to_doubt(blocks):
    part = blocks["core"]["slices"][0]
    text = " ".join(part["summary"]["ap"])
    assert "expanded leads with ap 0.6139 over 30 queries." in text
    assert "expanded is better than bm25 by 0.136 ap" in text
    assert "The difference between bm25 and expanded is not certain" not in text
    assert re.search(r"expanded loses to bm25 on \d+ of 30 queries, most on q\d\d", text)
    doubts = " ".join([*blocks["core"]["doubts"], *part["doubts"]["ap"]])
    assert "not judged" in doubts
    assert "titles 65 of 75" in doubts
    assert "titles: 2 queries judged but not ranked (q27, q28)" in doubts
    assert doubts.count("q27") == 1, "said once"


def test_one_run_leads_nothing():
    core = blocks_of(
        make_report(sample("qrels.txt"), FILES[1:2], measures=["rr", "ap"], test=rankgold.Randomization(draws=50)).html
    )["core"]
    (sentence,) = core["slices"][0]["summary"]["rr"]
    assert sentence.startswith("bm25 has rr 0.8194 over 30 queries (95 % interval ")
    assert not any("favour" in doubt or "disadvantage" in doubt for doubt in core["doubts"])


def test_the_summary_says_who_leads_under_another_policy():
    """new ranks its one judged document first once the unjudged one above it is taken out; old has it second."""
    qrels = {"q1": {"good": 1, "bad": 0}}
    runs = {"old": {"q1": ["bad", "good"]}, "new": {"q1": ["x", "y", "good"]}}
    ranked = {name: {"q1": {d: -i for i, d in enumerate(lists["q1"])}} for name, lists in runs.items()}
    core = blocks_of(make_report(qrels, ranked, measures=["rr"], test=rankgold.Randomization(draws=50)).html)["core"]
    (sentence,) = [line for line in core["slices"][0]["summary"]["rr"] if "order" in line]
    assert sentence == "The order of the runs by rr changes under judged only (new leads)."


def test_runs_with_the_same_mean_lead_together():
    # Reciprocal ranks 0.5 and 1 in q1, 1 and 1 in q2; recall 1 everywhere.
    qrels = {"q1": {"good": 1}, "q2": {"good": 1}}
    old = {"q1": {"x": 2, "good": 1}, "q2": {"good": 1}}
    new = {"q1": {"good": 2, "x": 1}, "q2": {"good": 1}}
    kinds = {"q1": {"kind": "hard"}, "q2": {"kind": "easy"}}
    core = blocks_of(
        make_report(
            qrels, {"old": old, "new": new}, measures=["rr", "r@2"], by=kinds, test=rankgold.Randomization(draws=50)
        ).html
    )
    summary = core["core"]["slices"][0]["summary"]
    assert "new leads, alone or with others, by every measure here." in summary["rr"]
    assert "new leads, alone or with others, in every slice by rr." in summary["rr"]
    assert summary["r@2"][0] == "old and new lead with the same r@2, 1.0000 over 2 queries."
    assert not any("not certain" in line for line in summary["r@2"]), "there is no difference"
    runs = {"old": old, "new": new, "third": new, "fourth": new, "fifth": new}
    core = blocks_of(make_report(qrels, runs, measures=["r@2", "ap"], test=rankgold.Randomization(draws=50)).html)[
        "core"
    ]
    assert core["slices"][0]["summary"]["r@2"][0].startswith("old, new, third and 2 more runs lead with the same r@2")
    assert core["slices"][0]["summary"]["ap"][0].startswith("new, third, fourth and fifth lead with the same ap")


def test_each_measure_is_named_with_all_of_its_leaders():
    # rr: b, c and a have 1, 1 and 0.5; p@2: a has 2 of 2 relevant documents, and b and c have 1 of 2.
    qrels = {"q1": {"good": 2, "fair": 1, "poor": 1}}
    first = {"q1": {"good": 2, "x": 1}}
    runs = {"a": {"q1": {"fair": 2, "poor": 1}}, "b": first, "c": first}
    core = blocks_of(
        make_report(qrels, runs, measures=["rr(rel=2)", "p@2"], test=rankgold.Randomization(draws=50)).html
    )["core"]
    sentence = "The measures disagree: b and c lead by rr(rel=2); a leads by p@2."
    assert sentence in core["slices"][0]["summary"]["p@2"]


def test_a_tie_under_another_policy_does_not_change_the_order():
    """Of tied documents the last id comes first: good before bad, zzz before good. Averaged, both runs have 0.75."""
    qrels = {"q1": {"good": 1, "bad": 0, "zzz": 0}}
    runs = {"old": {"q1": {"good": 1, "zzz": 1}}, "new": {"q1": {"good": 1, "bad": 1}}}
    core = blocks_of(make_report(qrels, runs, measures=["rr"], test=rankgold.Randomization(draws=50)).html)["core"]
    sentence = "The order of the runs by rr is the same under trec_eval, ties averaged, judged only."
    assert sentence in core["slices"][0]["summary"]["rr"]


def summary_of(qrels, runs, measure, **options):
    core = blocks_of(
        make_report(qrels, runs, measures=[measure], test=rankgold.Randomization(draws=50), **options).html
    )["core"]
    return core["slices"][0]["summary"][measure]


@pytest.mark.parametrize(("judged", "is_said"), [(19, True), (20, False), (21, False)])
def test_ties_are_a_doubt_above_a_twentieth_of_the_judged_documents(judged, is_said):
    # The last judged document has the same score as an unjudged one: 1 of 19 is more than a twentieth, 1 of 20 is not.
    qrels = {"q1": {f"d{i}": 1 for i in range(judged)}}
    run = {"q1": {f"d{i}": 50.5 - i for i in range(judged)} | {"x": 50.5 - judged + 1}}
    doubts = blocks_of(
        make_report(qrels, {"a": run, "b": run}, measures=["rr"], test=rankgold.Randomization(draws=50)).html
    )["core"]["doubts"]
    said = [doubt for doubt in doubts if doubt.startswith("Judged documents that have the same score as another")]
    assert [f"a 1 of {judged}, b 1 of {judged}. Their order" in doubt for doubt in said] == [True] * is_said


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        ((1, 1, 1, 1, 1), "new loses no query to old."),
        ((2, 1, 1, 1, 1), "new loses to old on 1 of 14 queries, on q1 (-0.500)."),
        ((2, 3, 1, 1, 1), "new loses to old on 2 of 14 queries, most on q2 (-0.667), q1 (-0.500)."),
        ((3, 2, 2, 2, 1), "new loses to old on 4 of 14 queries, most on q1 (-0.667), q2 (-0.500), q3 (-0.500)."),
    ],
)
def test_the_summary_names_the_three_queries_that_the_leader_loses_most(ranks, sentence):
    # Reciprocal ranks: old has 1 in q1 to q5 and 1/4 in the nine others; new has 1 / rank, then 1, and leads by the nine.
    def ranked(rank):
        return {"good" if i == rank else f"x{i}": 9.5 - i for i in range(1, 5)}

    many = [f"r{n}" for n in range(9)]
    qrels = {query: {"good": 1} for query in ["q1", "q2", "q3", "q4", "q5", *many]}
    old = {query: ranked(4 if query in many else 1) for query in qrels}
    new = {query: ranked(rank) for query, rank in zip(qrels, (*ranks, *[1] * 9), strict=True)}
    found = summary_of(qrels, {"old": old, "new": new}, "rr")
    assert sentence in found


def test_where_less_is_better_the_leader_loses_where_it_has_more():
    # The first relevant rank: old 3 and 1, mean 2; new 1 and 2, mean 1.5. So new leads, and loses q2, where it has 1 more.
    qrels = {"q1": {"good": 1}, "q2": {"good": 1}}
    old = {"q1": {"x": 3.5, "y": 2.5, "good": 1.5}, "q2": {"good": 1.5}}
    new = {"q1": {"good": 1.5}, "q2": {"x": 3.5, "good": 2.5}}
    found = summary_of(qrels, {"old": old, "new": new}, "frp")
    assert found[0] == "new leads with frp 1.5000 over 2 queries."
    assert "new loses to old on 1 of 2 queries, on q2 (+1.000)." in found
    assert sum("is not certain: it may be chance" in line for line in found) == 1


def test_the_leader_is_compared_with_the_next_run_and_with_the_baseline():
    # Reciprocal ranks 1, 1/2 and 1/3. Without a baseline the next run counts, and so it does if the baseline leads.
    qrels = {"q1": {"good": 1}}
    lists = {"third": ["x", "y", "good"], "first": ["good"], "second": ["x", "good"]}
    runs = {name: {"q1": {d: 9.5 - i for i, d in enumerate(row)}} for name, row in lists.items()}
    for baseline, other in ((None, "second"), ("third", "third"), ("first", "second")):
        found = summary_of(qrels, runs, "rr", baseline=baseline)
        assert [line for line in found if "loses" in line] == [f"first loses no query to {other}."]


def test_the_summary_says_which_slices_and_orders_are_others():
    # Reciprocal ranks of a: 1, 1, 1/2; of b: 1/2, 1/2, 1. Each query is a slice.
    qrels = {f"q{n}": {"good": 1} for n in (1, 2, 3)}
    first, second = {"good": 2.5, "x": 1.5}, {"x": 2.5, "good": 1.5}
    runs = {"a": {"q1": first, "q2": first, "q3": second}, "b": {"q1": second, "q2": second, "q3": first}}
    kinds = {f"q{n}": {"kind": f"k{n}"} for n in (1, 2, 3)}
    found = summary_of(qrels, runs, "rr", by=kinds)
    assert "a does not lead by rr in kind = k3 (b leads)." in found
    assert "a leads in every slice by rr." in summary_of(qrels, {"a": runs["a"], "c": {"q1": second}}, "rr", by=kinds)
    alone = summary_of(qrels, {"a": runs["a"]}, "rr")
    assert not any("order of the runs" in line for line in alone), "one run has no order"


def test_the_order_under_two_policies_is_compared_if_there_are_two_runs():
    def row(name, *order):
        return {"name": name, "parts": {"all": {"ap": {"order": list(order)}}}}

    assert policy_sentences([row("here", "a", "b"), row("there", "a", "b")], "all", "ap") == [
        "The order of the runs by ap is the same under there."
    ]
    assert policy_sentences([row("here", "a", "b", "c"), row("there", "a", "c", "b"), {"name": "x"}], "all", "ap") == [
        "The order of the runs by ap changes under there."
    ]
    assert policy_sentences([row("here", "a", "b"), row("there", "b", "a")], "all", "ap") == [
        "The order of the runs by ap changes under there (b leads)."
    ]
    assert policy_sentences([row("here", "a", "b")], "all", "ap") == []
    assert policy_sentences([row("here", "a"), row("there", "a")], "all", "ap") == []
    assert policy_sentences([row("here", "a", "b"), row("there", "b", "a")], "a slice", "ap") == []


def test_the_end_of_the_page_has_what_saved_scores_have(blocks):
    origin = blocks["core"]["origin"]
    saved = rankgold.evaluate(sample("qrels.txt"), FILES, MEASURES, fingerprint=True).to_dict(per_query=False)
    assert origin["fingerprints"] == saved["fingerprints"]
    assert origin["measures"] == saved["canonical"]
    assert (origin["policy"], origin["notes"]) == (saved["policy"], saved["notes"])
    assert blocks["core"]["version"] == saved["version"]


def test_a_slice_has_means_intervals_and_comparisons_of_its_own_queries(tmp_path):
    table = tmp_path / "slices.csv"
    table.write_text("query,kind\n" + "".join(f"q{i:02},{'odd' if i % 2 else 'even'}\n" for i in range(1, 31)))
    report = make_report(sample("qrels.txt"), FILES, measures=["rr"], by=table, test=rankgold.Randomization(draws=200))
    parts = {part["name"]: part for part in blocks_of(report.html)["core"]["slices"]}
    odd = ",".join(f"q{i:02}" for i in range(1, 31, 2))
    found = rankgold.evaluate(sample("qrels.txt"), FILES, ["rr"], topics=odd)
    assert list(parts) == ["all queries", "kind = even", "kind = odd"]
    assert parts["kind = odd"]["boards"]["rr"]["means"] == list(found["rr"].values())
    assert parts["kind = odd"]["boards"]["rr"]["pairs"][0]["queries"] == 15


def test_a_baseline_is_what_all_others_are_compared_with():
    core = blocks_of(
        make_report(
            sample("qrels.txt"), FILES, measures=["ap"], baseline="titles", test=rankgold.Randomization(draws=50)
        ).html
    )["core"]
    assert [(pair["a"], pair["b"]) for pair in core["slices"][0]["boards"]["ap"]["pairs"]] == [
        ("titles", "bm25"),
        ("titles", "expanded"),
    ]
    scores = rankgold.evaluate(sample("qrels.txt"), FILES, ["ap"])
    assert (scores.values("ap", run="expanded") < scores.values("ap", run="titles")).sum() == 1
    assert any(
        "expanded loses to titles on 1 of 30 queries, on " in line for line in core["slices"][0]["summary"]["ap"]
    )


def test_what_does_not_fit_is_left_out_and_the_file_says_so():
    options = {
        "measures": ["ndcg@10", "ap"],
        "doc_texts": {"coffee-01": "x" * 999},
        "test": rankgold.Randomization(draws=50),
    }
    small = blocks_of(
        make_report(sample("qrels.txt"), FILES, page=rankgold.Page(charts=False, megabytes=0.1), **options).html
    )
    sentences = " ".join(small["left-out"]["sentences"])
    assert {"core", "pool"} < set(small)
    assert not {"working-0", "documents"} & set(small)
    assert "The working of ndcg@10, ap, and the contributions of documents to it." in sentences
    assert "Titles and texts of documents." in sentences
    assert "unjudged documents: those whose judgement matters least." in sentences
    assert "This file is larger than 0.1 MB" in sentences
    whole = make_report(sample("qrels.txt"), FILES, page=rankgold.Page(charts=False, megabytes=0.2), **options)
    assert blocks_of(whole.html)["left-out"]["sentences"] == []
    assert len(whole.html) < 200_000
    endless = make_report(sample("qrels.txt"), FILES, page=rankgold.Page(charts=False, megabytes=math.inf), **options)
    assert endless.html == whole.html


def test_texts_of_documents_come_from_dicts_jsonl_and_tsv(tmp_path):
    jsonl, tsv = tmp_path / "docs.jsonl", tmp_path / "docs.tsv"
    jsonl.write_text(
        '{"_id": "coffee-01", "title": "Bitter", "text": "Use  less\\nheat."}\n\n{"_id": "other", "text": "x"}\n'
    )
    tsv.write_text("coffee-01\tBitter\tUse less heat.\n")
    for docs in (jsonl, tsv, {"coffee-01": {"title": "Bitter", "text": "Use less heat."}}):
        blocks = blocks_of(
            make_report(
                sample("qrels.txt"), FILES, measures=["rr"], doc_texts=docs, test=rankgold.Randomization(draws=50)
            ).html
        )
        at = blocks["pool"]["ids"].index("coffee-01")
        assert (blocks["documents"]["titles"][at], blocks["documents"]["texts"][at]) == ("Bitter", "Use less heat.")
        assert len(blocks["documents"]["titles"]) == len(blocks["pool"]["ids"])


EVIL = "</script><script>alert(1)</script>\"'\0\u202e&lt;"


def test_no_text_of_the_data_is_markup_in_the_file():
    qrels = {EVIL: {EVIL: 1}, "q2": {"d": 1}}
    run = {EVIL: {EVIL: 1.0, "x": 2.0}, "q2": {"d": 1.0}}
    page = make_report(
        qrels,
        {EVIL: run, "b": run},
        measures=["rr"],
        query_texts={EVIL: EVIL},
        doc_texts={EVIL: EVIL},
        test=rankgold.Randomization(draws=50),
    ).html
    assert "alert(1)" not in page.replace("alert(1)&lt;/script&gt;", "")
    assert page.count("<script") == page.count("</script>") == len(re.findall("<script type=", page))
    blocks = blocks_of(page)
    assert blocks["core"]["runs"] == [EVIL, "b"]
    assert EVIL in blocks["pool"]["ids"]


def test_only_the_scripts_of_the_page_may_run(report):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', report.html)[1]
    script = re.search(r'<script type="module">(.*?)</script>', report.html, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; script-src ")
    assert f"'sha256-{digest}'" in policy
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]


def test_every_module_imports_only_from_modules_before_it():
    import rankgold.present.html_report.report_file as page_file

    for number, name in enumerate(MODULES):
        text = page_file._text(f"{name}.js")
        imported = re.findall(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', text, re.MULTILINE)
        assert len(imported) == text.count("import {"), name
        for names, module in imported:
            assert module in MODULES[:number], (name, module)
            exported = set(
                re.findall(
                    r"^export (?:async function|function|const|class) (\w+)",
                    page_file._text(f"{module}.js"),
                    re.MULTILINE,
                )
            )
            assert {word.strip() for word in names.split(",")} <= exported, (name, module)
    assert "import {" not in page_script()


def test_the_same_input_gives_the_same_file(report):
    again = make_report(
        sample("qrels.txt"),
        FILES,
        measures=MEASURES,
        query_texts=sample("queries.tsv"),
        test=rankgold.Randomization(draws=200),
    )
    assert again.html == report.html


def test_one_run_one_query_and_integers_as_ids_make_a_report():
    core = blocks_of(make_report({1: {10: 1}}, {1: {10: 0.5, 11: 0.7}}, measures=["rr"]).html)["core"]
    assert (core["queries"], core["values"]["rr"][0].tolist()) == (["1"], [0.5])
    assert core["slices"][0]["summary"]["rr"] == ["run has rr 0.5000 over 1 query."]


def test_the_file_is_written_and_said(tmp_path):
    report = make_report({"q": {"d": 1}}, {"q": {"d": 1.0}}, tmp_path / "r.html", measures=["rr"])
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == report.html
    assert re.fullmatch(r"<Report of 1 run and 1 query, 0\.\d MB in .*r\.html>", repr(report))


@for_each(
    ("options", "message"),
    [
        ({"baseline": "tittles"}, "There is no run 'tittles'. Did you mean 'titles'?"),
        ({"page": rankgold.Page(top=0)}, "top must be a whole number from 1 to 1,000, not 0."),
        ({"page": rankgold.Page(megabytes=-1)}, "megabytes must be a number above 0, not -1."),
        ({"page": {"top": 3}}, "page must be rankgold.Page(...), not dict."),
        ({"query_texts": 3}, "query_texts must be a dict from id to text, or the path of a file, not int."),
        ({"doc_texts": 3}, "doc_texts must be a dict, or the path of a file of JSON lines or TSV, not int."),
        ({"path": 3}, "path must be the name of a file, not int."),
        ({"path": "nowhere/r.html"}, "there is no directory 'nowhere' to write to."),
    ],
)
def test_wrong_choices_are_clear_errors(options, message):
    with pytest.raises(rankgold.RankgoldError, match=re.escape(message)):
        make_report(sample("qrels.txt"), FILES, measures=["rr"], **options)


def test_a_packed_file_of_texts_that_was_cut_off_is_an_error_of_ours(tmp_path):
    path = tmp_path / "q.tsv.gz"
    path.write_bytes(gzip.compress(b"q1\ttext\n" * 100)[:-9])
    with pytest.raises(rankgold.DataError, match=r"q\.tsv\.gz: Compressed file ended before"):
        make_report(sample("qrels.txt"), FILES, measures=["rr"], query_texts=path)


def test_bad_files_of_texts_name_the_line(tmp_path):
    queries, docs = tmp_path / "q.tsv", tmp_path / "d.jsonl"
    queries.write_text("q1\ttext\nq2 no tab\n")
    docs.write_text('{"_id": "d"}\n{nothing\n')
    call = ("report", str(sample("qrels.txt")), str(FILES[0]), "-m", "rr")
    assert (
        f"{queries}:2: a line must have an id, a tab and a text."
        in shell(*call, "--queries", str(queries), cwd=tmp_path).stderr
    )
    assert (
        f"{docs}:2: this is not JSON."
        in shell(*call, "--docs", str(docs), "--draws", "50", "--no-charts", cwd=tmp_path).stderr
    )


def test_the_command_writes_what_the_function_returns(tmp_path):
    printed(
        "report",
        str(sample("qrels.txt")),
        *map(str, FILES),
        "-m",
        "rr",
        "--draws",
        "50",
        "--no-charts",
        "-o",
        str(tmp_path / "r.html"),
    )
    page = make_report(sample("qrels.txt"), FILES, measures=["rr"], test=rankgold.Randomization(draws=50)).html
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page


def test_chunks_are_shown_as_their_documents():
    runs = {"a": {"q": {"d#1": 1.0, "d#2": 0.5, "x#1": 2.0}}, "b": {"q": {"d#7": 3.0}}}
    blocks = blocks_of(
        make_report(
            {"q": {"d": 1, "e": 0}}, runs, measures=["rr"], parent="#", test=rankgold.Randomization(draws=50)
        ).html
    )
    assert pool_documents(blocks["pool"], 0) == [("x", None, [1, 0]), ("d", 1.0, [2, 1])]
    assert [column.tolist() for column in blocks["core"]["values"]["rr"]] == [[0.5], [1.0]]


def test_excluded_documents_are_in_no_list_and_no_value():
    """Without coffee-03, which is first for q18 in bm25, the second document is first."""
    had = {"q18": ["coffee-03"]}
    blocks = blocks_of(
        make_report(
            sample("qrels.txt"), FILES, measures=["ndcg@10"], exclude=had, test=rankgold.Randomization(draws=50)
        ).html
    )
    core, query = blocks["core"], blocks["core"]["queries"].index("q18")
    scores = rankgold.evaluate(sample("qrels.txt"), FILES, ["ndcg@10"], exclude=had)
    for run, column in zip(RUNS, core["values"]["ndcg@10"], strict=True):
        np.testing.assert_array_equal(column, scores.values("ndcg@10", run=run))
    ranks = {document: ranks[RUNS.index("bm25")] for document, _, ranks in pool_documents(blocks["pool"], query)}
    assert (ranks["coffee-08"], ranks["coffee-01"], ranks.get("coffee-03", 0)) == (1, 2, 0)
    assert any("taken out by exclude" in doubt for doubt in core["doubts"])
    under = {row["name"]: row["parts"]["all queries"]["ndcg@10"]["means"] for row in core["policies"]}
    condensed = rankgold.evaluate(sample("qrels.txt"), FILES, ["ndcg@10"], exclude=had, policy="unjudged=condensed")
    assert under["judged only"] == list(condensed["ndcg@10"].values())


def test_tables_of_a_database_make_the_report_of_their_files(tmp_path):
    database = tmp_path / "search.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.register("judgements", rankgold.read_qrels(sample("qrels.txt")))
        connection.sql("CREATE TABLE qrels AS FROM judgements")
        for name in ("titles", "bm25"):
            connection.register("ranking", rankgold.read_run(sample(f"{name}.trec")))
            connection.sql(f"CREATE TABLE {name} AS FROM ranking")
    page = tmp_path / "report.html"
    options = ["--database", str(database), "-m", "rr", "--draws", "50", "--no-charts", "-o", str(page)]
    printed("report", "--engine", "duckdb", "qrels", "titles", "bm25", *options)
    found = blocks_of(page.read_text(encoding="utf-8"))["core"]
    files = blocks_of(
        make_report(sample("qrels.txt"), FILES[:2], measures=["rr"], test=rankgold.Randomization(draws=50)).html
    )["core"]
    assert (found["runs"], found["slices"][0]["summary"]) == (files["runs"], files["slices"][0]["summary"])
    for column, expected in zip(found["values"]["rr"], files["values"]["rr"], strict=True):
        np.testing.assert_array_equal(column, expected)
