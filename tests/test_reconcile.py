"""Which convention gives a number: planted ones are found, with a sentence, a spelling, and values of queries in any form."""

import gzip
import json

import numpy as np
import polars as pl
import pytest

import rankgold
from rankgold.audit.target_numbers import GivenNumber
from rankgold.data.files import sample
from tests.cases import for_each
from tests.planted_conventions import plant
from tests.shell import printed

QRELS, TITLES = sample("qrels.txt"), sample("titles.trec")


def frame(run):
    """A run with repeated documents, which a dict cannot hold."""
    rows = [(query, document, score) for query, row in run.items() for document, score in row]
    return pl.DataFrame(rows, schema=["query", "document", "score"], orient="row")


def judgements(qrels):
    rows = [(query, document, grade) for query, row in qrels.items() for document, grade in row.items()]
    return pl.DataFrame(rows, schema=["query", "document", "grade"], orient="row")


def found_and_first(seed, count):
    """Whether a planted convention is among the matches, and whether it is the first.

    It is found if a match has its number, to 1e-9, with no more steps: conventions that give the same values are one
    answer, and so is a planted one that changes nothing, which is the measure as it was written.
    """
    qrels, run, measure, number, planted = plant(seed, count)
    matches = rankgold.reconcile(judgements(qrels), frame(run), measure, f"{number:.4f}").matches
    same = [abs(match.value - number) < 1e-9 and match.steps <= len(planted) for match in matches]
    return any(same), same[:1] == [True]


@pytest.mark.parametrize(("count", "least"), [(1, 0.95), (2, 0.8)])
def test_planted_deviations_are_found_in_a_few_cases(count, least):
    cases = [found_and_first(seed, count) for seed in range(8)]
    assert sum(found for found, _ in cases) >= least * len(cases)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "cases_tried", "least"), [(1, 250, 0.95), (2, 50, 0.8)], ids=["one deviation", "two deviations"]
)
def test_planted_deviations_are_found_in_many_cases(count, cases_tried, least, capsys):
    cases = [found_and_first(1000 + seed, count) for seed in range(cases_tried)]
    found, first = (sum(column) / len(cases) for column in zip(*cases, strict=True))
    with capsys.disabled():
        print(f"\n{count} deviation(s): found in {found:.1%} of {len(cases)} cases, first of the list in {first:.1%}")
    assert found >= least


def test_the_number_of_a_tool_is_explained_with_who_computes_it_so_and_how_it_is_written():
    # Of 1, 3, 2, 6 with 1, 2, 4 relevant: 1 / min(2, 3).
    found = rankgold.reconcile({"u": [1, 2, 4]}, {"u": [1, 3, 2, 6]}, "ap@2", 0.5)
    best = found.matches[0]
    assert (best.measure, best.policy, best.queries_moved, best.value) == ("ap(norm=min)@2", "rankgold", 1, 0.5)
    assert {"spark", "lenskit", "ml_metrics"} <= {*best.tools}
    assert best.sentence.startswith("It divides by min(k, R)")
    assert eval(best.spelling, {"rankgold": rankgold, "qrels": {"u": [1, 2, 4]}, "run": {"u": [1, 3, 2, 6]}}).means == {
        "ap(norm=min)@2": 0.5
    }


def test_the_number_of_a_tool_is_written_with_the_name_of_the_tool():
    # LensKit has no grades, and discounts from rank 3 on: (1 / 1 + 1 / log2(4)) / (1 + 1) = 3/4.
    qrels, run = {"u": {"a": 3, "b": 1}}, {"u": {"x": 4, "a": 3, "y": 2, "b": 1}}
    best = rankgold.reconcile(qrels, run, "ndcg@10", "0.750000").matches[0]
    assert (best.convention, best.command) == ("lenskit", "-m 'ndcg@10' -p lenskit")
    assert best.spelling == 'rankgold.evaluate(qrels, run, ["ndcg@10"], policy="lenskit")'
    assert rankgold.evaluate(qrels, run, [best.measure], policy=best.policy)["ndcg@10"] == 0.75
    # A Measure has the same parameters in every dialect, so they are written out.
    built = rankgold.parse_measure("ndcg(gain=binary, discount=jk)@10")
    assert rankgold.reconcile(qrels, run, built, 0.75).matches[0].measure == "ndcg(gain=binary, discount=jk)@10"


def test_a_number_as_written_needs_no_deviation():
    found = rankgold.reconcile(QRELS, TITLES, "ndcg@10", "0.3764")
    assert found.matches[0].convention == "as written"
    assert found.matches[0].steps == 0


def test_matches_are_sorted_by_steps_and_then_by_their_distance():
    found = rankgold.reconcile(QRELS, TITLES, "p@5", "0.2")
    assert len(found.matches) > 3
    keys = [(match.steps, abs(match.difference)) for match in found.matches]
    assert keys == sorted(keys)
    assert all(abs(match.value - 0.2) <= 0.05 + 1e-9 for match in found.matches)


def test_no_match_says_how_near_it_came():
    found = rankgold.reconcile({"q": {"a": 1}}, {"q": ["b", "a"]}, "rr", 0.77)
    assert found.matches == []
    assert found.nearest[0].value in (0.5, 1.0)
    assert "The nearest is 1 " in found.sentence
    assert "0.23 away" in found.sentence


@for_each(
    ("given", "value", "tolerance"),
    [
        ("0.412", 0.412, 5e-4),
        ("0.4120", 0.412, 5e-5),
        (0.412, 0.412, 5e-4),
        ("41", 41, 0.5),
        ("4.1e-1", 0.41, 5e-3),
        ("0,412", 0.412, 5e-4),
        ("41.2 %", 0.412, 5e-4),
        (np.float32(0.412), 0.412, 5e-4),
        ("1e-400", 0, 0),
    ],
)
def test_a_number_counts_with_its_digits(given, value, tolerance):
    number = GivenNumber.of(given)
    assert (number.value, number.tolerance) == pytest.approx((value, tolerance + 1e-9))


def test_a_percentage_is_understood():
    found = rankgold.reconcile(QRELS, TITLES, "ndcg@10", "40.32")
    assert found.matches[0].policy == "missing=skip"
    assert found.notes == ("the number was taken as a percentage",)


def values_of(policy):
    scores = rankgold.evaluate(QRELS, TITLES, ["ndcg@10"], policy=policy)
    return dict(zip(scores.queries(), scores.values("ndcg@10").tolist(), strict=True))


def test_values_of_queries_are_read_in_the_forms_of_tools(tmp_path):
    values = {query: f"{value:.4f}" for query, value in values_of("lenskit").items()}
    texts = {
        "trec_eval.txt": "".join(f"ndcg_cut_10\t{q}\t{v}\nmap\t{q}\t0.1\n" for q, v in values.items())
        + "map\tall\t0.1\n",
        "table.csv": "query,ndcg@10,map\n" + "".join(f"{q},{v},0.5\n" for q, v in values.items()),
        "two.tsv": "".join(f"{q}\t{v}\n" for q, v in values.items()),
        "ir_measures.tsv": "".join(f"{q}\tP@5\t0.1\n{q}\tnDCG@10\t{v}\n" for q, v in values.items())
        + "all\tnDCG@10\t0.1\n",
        "long.csv": "query_id,measure,value\n" + "".join(f"{q},ndcg@10,{v}\n{q},map,0.1\n" for q, v in values.items()),
        "index.csv": ",ndcg@10,map\n" + "".join(f"{q},{v},0.5\n" for q, v in values.items()),
        "header.csv": "Query-ID,ndcg@10\n" + "".join(f"{q},{v}\n" for q, v in values.items()) + "all,0.1\n",
        "comma.csv": "".join(f"{q};{v.replace('.', ',')}\n" for q, v in values.items()),
        "percent.csv": "".join(f"{q},{float(v) * 100:.2f}\n" for q, v in values.items()),
        "ranx.json": json.dumps({"ndcg@10": {q: float(v) for q, v in values.items()}, "map": {"q01": 0.1}}),
        "lines.jsonl": "".join(json.dumps({"qid": q, "ndcg@10": float(v)}) + "\n" for q, v in values.items()),
        "values.json": json.dumps({query: float(value) for query, value in values.items()}),
        "nested.json": json.dumps({query: {"ndcg_cut_10": float(value)} for query, value in values.items()}),
        "records.json": json.dumps([{"query": query, "value": float(value)} for query, value in values.items()]),
        "scores.json": json.dumps(
            {"runs": {"a": {"per_query": {q: {"ndcg@10": float(v)} for q, v in values.items()}}}}
        ),
    }
    pl.DataFrame({"query": list(values), "ndcg@10": list(map(float, values.values()))}).write_parquet(
        tmp_path / "values.parquet"
    )
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "two.tsv.gz").write_bytes(gzip.compress(texts["two.tsv"].encode()))
    for name in [*texts, "two.tsv.gz", "values.parquet"]:
        found = rankgold.reconcile(QRELS, TITLES, "ndcg@10", per_query=tmp_path / name)
        assert "lenskit" in found.matches[0].tools, name
        assert found.matches[0].queries_agreeing == len(values) == found.queries_given


def test_the_first_query_that_tells_conventions_apart_is_worked_out_under_both():
    values = {query: round(value, 4) for query, value in values_of("lightgbm").items()}
    told = rankgold.reconcile(QRELS, TITLES, "ndcg@10", per_query=values).distinction
    assert told.conventions[1] == "as written"
    assert told.given == values[told.query] == pytest.approx(told.values[0], abs=1e-4)
    assert [working.value for working in told.workings] == pytest.approx(told.values)
    assert "2^grade" in str(told.workings[0]) or "ndcg(gain=exp)@10" in str(told.workings[0])


def test_a_query_that_no_convention_explains_is_named():
    values = {
        **{query: round(value, 4) for query, value in values_of("trec_eval").items()},
        "q01": 0.1234,
        "nowhere": 1.0,
    }
    found = rankgold.reconcile(QRELS, TITLES, "ndcg@10", per_query=values)
    assert found.matches == []
    assert found.unexplained == ("q01",)
    assert found.unknown_queries == ("nowhere",)
    assert found.nearest[0].queries_agreeing == found.queries_given - 1


@for_each(
    ("arguments", "message"),
    [
        ({}, "there is no number. Pass value=, per_query= or both."),
        ({"value": "high"}, "a value must be a number such as 0.412, not 'high'."),
        ({"value": float("nan")}, "a value must be a number such as 0.412, not nan."),
        ({"per_query": {}}, "there is no value of ndcg@10 for any query."),
        ({"per_query": {"q01": "much"}}, "a value must be a number such as 0.412, not 'much'."),
        ({"value": "1,234"}, "a value must be a number such as 0.412, not '1,234'."),
        ({"value": "0e99999"}, "a value must be a number such as 0.412, not '0e99999'."),
        ({"value": 10**400}, "a value must be a number such as 0.412, not 1000"),
        ({"value": 0.4, "digits": "3"}, "digits= must be a whole number from 0, not '3'."),
        ({"per_query": {"nowhere": 0.5}}, "none of the queries that have a value is judged, such as 'nowhere'."),
        ({"per_query": "nowhere.txt"}, "nowhere.txt: there is no such file."),
    ],
)
def test_what_is_no_number_is_an_error(arguments, message):
    with pytest.raises(rankgold.DataError) as error:
        rankgold.reconcile(QRELS, TITLES, "ndcg@10", **arguments)
    assert message in str(error.value)


@for_each(
    ("content", "message"),
    [
        (b"query,ndcg@10\nq01,0.5\nq01,0.6\n", "values:3: query 'q01' has two values. Remove one of them."),
        (b"query,ndcg@10,map\nq01\n", "values:2: the header has 3 fields, and this line has 1."),
        (b"query,ndcg@10\nq01,\nq02,nan\n", "there is no value of ndcg@10 for any query."),
        (b"[" * 100_000, "this JSON is nested too deep."),
        (b"q01,0." + b"4" * 200_000, "values:1: this line cannot be read: field larger than field limit"),
        (b"", "values: the file is empty."),
        (b"\0\1", "values: this is a binary file of no known format. rankgold reads TREC"),
        (b"PAR1\xff", "values: "),
        (b"q01,0.5\n\xff", "values:2: this is not UTF-8 text (byte 0xff)."),
    ],
)
def test_a_file_that_has_no_values_of_queries_is_an_error(tmp_path, content, message):
    (tmp_path / "values").write_bytes(content)
    with pytest.raises(rankgold.DataError) as error:
        rankgold.reconcile(QRELS, TITLES, "ndcg@10", per_query=tmp_path / "values")
    assert message in str(error.value)


def test_the_answer_has_the_measure_as_it_was_written_and_is_one_page(tmp_path):
    found = rankgold.reconcile({"u": [1, 2, 4]}, {"u": [1, 3, 2, 6]}, "ap@2", "0.333", policy="spark")
    assert (found.measure, found.as_written.measure) == ("ap@2", "ap(norm=min)@2")
    assert found.sentence == f"1 convention of {found.tried} gives ap@2 = 0.333."
    (tmp_path / "values.csv").write_text("q01,0.5\n")
    files = [str(sample("qrels.txt")), str(sample("titles.trec"))]
    page = printed("reconcile", *files, "--per-query", str(tmp_path / "values.csv"), "-f", "html")
    assert page.count("<html") == page.count("<title>") == 1


def test_the_answer_names_all_that_was_given():
    found = rankgold.reconcile({"u": [1, 2, 4]}, {"u": [1, 3, 2, 6]}, "ap@2", 0.5, per_query={"u": 0.5})
    assert found.sentence.endswith("gives ap@2 = 0.5 and the value of 1 query.")


def test_several_runs_are_an_error():
    with pytest.raises(rankgold.DataError, match="there are 2 runs, and one is needed"):
        rankgold.reconcile(QRELS, {"a": TITLES, "b": TITLES}, "ndcg@10", 0.4)


def test_ids_of_any_text_and_one_query():
    run = {"<b>查询 1</b>": {"文档 x": 1.0, "d": 0.5}}
    found = rankgold.reconcile({"<b>查询 1</b>": {"d": 1}}, run, "rr", per_query={"<b>查询 1</b>": 1.0})
    assert found.matches
    assert json.loads(found.to_json())["distinction"]["query"] == "<b>查询 1</b>"


def test_the_command_prints_text_and_json_and_needs_a_number():
    arguments = ["reconcile", str(QRELS), str(TITLES), "-m", "ndcg@10"]
    text = printed(*arguments, "--value", "0.4032")
    assert "It leaves out judged queries that are not in the run; 2 of 30 queries have another value." in text
    (match,) = json.loads(printed(*arguments, "--value", "0.4032", "-f", "json"))["matches"]
    assert (match["policy"], match["tools"]) == ("missing=skip", ["trec_eval", "trec_eval_9", "pytrec_eval"])
    with pytest.raises(rankgold.DataError, match="Pass --value, --per-query or both"):
        printed(*arguments)
