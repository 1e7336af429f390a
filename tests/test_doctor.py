"""The doctor: every planted fault is found, with its example and its effect, and nothing in sound collections."""

import importlib
import json
import math
from pathlib import Path

import polars as pl
import pytest

import rankgold
from rankgold.audit.examination import CHECKS
from rankgold.audit.examined_data import largest
from rankgold.audit.findings import Effect, is_worth_a_finding
from tests.cases import for_each
from tests.planted_faults import FAULTS, QUERIES, SAID, UNDONE, document_twice_in_run, sound
from tests.shell import printed, refused


def looked_over(case, folder):
    qrels, runs = case.sources(folder)
    return rankgold.doctor(qrels, runs, **case.keywords)


@for_each(("plant", "check", "severity", "example"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_fault_is_found_with_its_example_and_its_effect(plant, check, severity, example, tmp_path):
    case = sound()
    plant(case)
    found = looked_over(case, tmp_path)
    matching = [finding for finding in found.findings if finding.check == check and example in finding.example]
    assert matching, [(finding.check, finding.severity, finding.example) for finding in found.findings]
    assert matching[0].severity == severity
    assert matching[0].what
    assert matching[0].advice
    assert matching[0].effect is not None or check in ("nothing_in_common", "unreadable")
    what, change, beside = SAID[plant]
    assert matching[0].what.replace(f"{tmp_path}/", "") == what
    assert change == (matching[0].effect.change if matching[0].effect else "")
    assert [finding.check for finding in found.findings if finding is not matching[0]] == beside.split()


@for_each("plant", UNDONE, ids=lambda plant: plant.__name__)
def test_the_effect_of_a_fault_that_is_undone_leads_from_the_faulty_scores_to_the_sound_ones(plant, tmp_path):
    case = sound()
    sound_means = rankgold.evaluate(*case.dicts(), ["ndcg@10", "ap", "rr", "p@10", "r@100"]).means
    plant(case)
    check = next(check for planted, check, *_ in FAULTS if planted is plant)
    # The last finding of this check: of two changes that are needed, the second has the effect of both.
    effect = [finding.effect for finding in looked_over(case, tmp_path) if finding.check == check][-1]
    qrels, runs = case.sources(tmp_path)
    try:
        means = rankgold.evaluate(qrels, runs[0], list(sound_means)).means
    except rankgold.RankgoldError:
        means = dict.fromkeys(sound_means, math.nan)
    assert effect.run == "run"
    assert {label: before for label, (before, _) in effect.values.items()} == pytest.approx(means, abs=0, nan_ok=True)
    assert {label: after for label, (_, after) in effect.values.items()} == pytest.approx(sound_means, abs=1e-12)


def test_at_least_forty_faults_are_planted_and_every_check_finds_one():
    assert len({plant for plant, *_ in FAULTS}) >= 40
    assert {check for _, check, *_ in FAULTS} == {*CHECKS}


def recommendations():
    """Users with 3 items each that they took, among 12 recommended ones, at various ranks."""
    truth = {f"u{user}": [f"i{user}{(user + item * 5) % 12}" for item in range(3)] for user in range(15)}
    lists = {f"u{user}": [f"i{user}{item}" for item in range(12)] for user in range(15)}
    return truth, lists


def binary():
    return sound(top_grade=1).dicts()


def as_integers():
    judged, ranked = sound().dicts()
    return tuple(
        {int(query[1:]): {int(d[1:]): n for d, n in row.items()} for query, row in side.items()}
        for side in (judged, ranked)
    )


def some_ties():
    judged, ranked = sound().dicts()
    for row in ranked.values():
        documents = list(row)
        row[documents[17]] = row[documents[18]]
    return judged, ranked


def one_query():
    judged, ranked = sound().dicts()
    return {"q1": judged["q1"]}, {"q1": ranked["q1"]}


def one_document():
    return {"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}


def frames():
    case = sound()
    return (
        pl.DataFrame(case.judged, schema=["query", "document", "grade"], orient="row"),
        pl.DataFrame(case.run, schema=["query", "document", "rank", "score"], orient="row"),
    )


def ranks_alone():
    judged, run = frames()
    return judged, run.drop("score")


def same_rank_in_all_rows():
    """Some tools write the rank 1 in all lines, here in the order of ids. So nothing is above anything by its rank."""
    judged, run = frames()
    return judged, run.sort("query", "document", descending=True).with_columns(rank=pl.lit(1))


def shuffled():
    judged, run = frames()
    return judged.sample(fraction=1, shuffle=True, seed=1), run.sample(fraction=1, shuffle=True, seed=2)


def worst_first():
    """A file sorted from the worst document to the best, with the relevant ones at the best scores."""
    judged, run = frames()
    rank = pl.col("document").str.slice(1).cast(pl.Int64) % 1000
    return judged.with_columns(grade=(rank < 4).cast(pl.Int64) + (rank == 7)), run.drop("rank").sort("query", "score")


def negative_scores():
    judged, ranked = sound().dicts()
    return judged, {query: {d: score - 100 for d, score in row.items()} for query, row in ranked.items()}


def many_grades():
    judged, ranked = sound().dicts()
    return {q: {d: (3 * grade + len(d)) % 5 for d, grade in row.items()} for q, row in judged.items()}, ranked


def ids_of_many_kinds():
    names = ["Straße 7", "東京", "a/b#1", "x-1_y", "<b>", "https://a.example/d?id=4", "007", "É"]
    judged = {"q 1": {name: number % 3 for number, name in enumerate(names)}, "ü": {"東京": 1, "d": 0}}
    return judged, {"q 1": {name: 9.5 - n for n, name in enumerate(names)}, "ü": {"d": 2.5, "東京": 1.5}}


def slugs():
    """Ids of which some are the beginnings of others."""
    words = ["apple", "apple-pie", "apple-pie-2", "pear", "pear-tart", "plum", "plum-2"]
    judged = {f"q{n}": {word: (n + i) % 2 for i, word in enumerate(words[:6])} for n in range(6)}
    return judged, {f"q{n}": {word: 8.25 - i for i, word in enumerate(words)} for n in range(6)}


def two_runs():
    judged, ranked = sound().dicts()
    other = {
        q: {d: score + (hash_free % 5) for hash_free, (d, score) in enumerate(row.items())} for q, row in ranked.items()
    }
    return judged, {"a": ranked, "b": other}


def all_found_first():
    """Lists as long as the number of relevant documents: they are perfect, and cannot be otherwise."""
    return {query: {"a": 1, "b": 1} for query in QUERIES}, {query: {"a": 2.5, "b": 1.5} for query in QUERIES}


def short_and_long_lists():
    judged, ranked = sound().dicts()
    return judged, {q: dict(list(row.items())[: 12 + n % 8]) for n, (q, row) in enumerate(ranked.items())}


SOUND = {
    "graded": lambda: sound().dicts(),
    "binary": binary,
    "deep": lambda: sound(depth=300).dicts(),
    "recommendations": recommendations,
    "recommendations by score": lambda: (recommendations()[0], {
        user: {item: 5 - place * 0.3 for place, item in enumerate(items)} for user, items in recommendations()[1].items()
    }),
    "integers": as_integers,
    "some ties": some_ties,
    "one query": one_query,
    "one document": one_document,
    "frames": frames,
    "ranks alone": ranks_alone,
    "the same rank in all rows": same_rank_in_all_rows,
    "shuffled": shuffled,
    "worst first": worst_first,
    "negative scores": negative_scores,
    "five grades": many_grades,
    "ids of many kinds": ids_of_many_kinds,
    "slugs": slugs,
    "two runs": two_runs,
    "lists that must be perfect": all_found_first,
    "short and long lists": short_and_long_lists,
    "no run": lambda: (sound().dicts()[0], None),
}  # fmt: skip


@for_each("make", SOUND.values(), ids=SOUND)
def test_nothing_is_reported_on_a_sound_collection(make):
    qrels, runs = make()
    found = rankgold.doctor(qrels, runs)
    assert [(finding.check, finding.what, finding.example) for finding in found.findings] == []
    assert found.exit_code == 0
    assert found.summary.startswith("Nothing wrong in")


def test_there_are_twenty_sound_collections_and_files_of_them_are_sound_too(tmp_path):
    assert len(SOUND) >= 20
    for form in ("trec", "csv"):
        case = sound()
        case.form = form
        case.keywords = {"train": {"q1": ["d555"]}, "scale": (0, 2), "rel": 1}
        assert looked_over(case, tmp_path).findings == []


def test_the_effect_is_what_evaluate_gives_with_the_change_made():
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1, "d4": 0}}
    run = {"q1": {"d2": 2.0, "d1": 1.0}}
    (finding,) = rankgold.doctor(qrels, run, ["rr", "p@1"], ignore=["too_perfect"]).findings
    # q1: rr = 1/2. q2 is not ranked: 0 as it is, left out with missing=skip. The mean is 1/4, then 1/2.
    assert finding.check == "queries_not_ranked"
    assert finding.effect.values == {"rr": (0.25, 0.5), "p@1": (0.0, 0.0)}
    assert finding.effect.largest == 0.25
    assert finding.effect.line == "rr 0.2500 -> 0.5000 with missing=skip"


def test_the_effect_of_ids_that_do_not_match_is_the_score_with_ids_that_do():
    found = rankgold.doctor({"q1": {"7": 1}}, {"q1": {"x": 3.0, "doc-7": 2.0}}, "rr")
    (finding,) = [finding for finding in found.findings if finding.check == "id_forms"]
    assert finding.effect.values == {"rr": (0.0, 0.5)}
    assert "the prefix 'doc-' of the ids in the run removed" in finding.what


def test_bad_rows_are_counted_and_the_others_are_looked_over(tmp_path):
    case = sound()
    case.raw["run"] = "q1 Q0 d77\n" * 1000
    case.run.append(["q1", "d1", 21, 1.5])
    found = looked_over(case, tmp_path)
    whats = {finding.check: finding.what for finding in found.findings}
    assert whats["bad_rows"].startswith("1,000 rows of ")
    assert whats["duplicates"].startswith("1 row of ")
    assert all(math.isnan(before) for before, _ in found.findings[0].effect.values.values())


@pytest.mark.parametrize("severity", ["error", "warning", "note", None])
def test_the_exit_code_is_that_of_the_worst_finding(severity, tmp_path):
    plant = {"error": "judged_twice", "warning": "query_not_ranked", "note": "query_not_judged", None: ""}[severity]
    case = sound()
    for function, *_ in FAULTS:
        if function.__name__ == plant:
            function(case)
    qrels, runs = case.sources(tmp_path)
    code = {"error": 2, "warning": 1, "note": 0, None: 0}[severity]
    with pytest.raises(SystemExit) as end:
        printed_before_exit("doctor", str(qrels), *map(str, runs))
    assert end.value.code == code


def printed_before_exit(*arguments):
    from rankgold.cli.app import run

    run(list(arguments))


def test_json_markdown_and_html_have_every_finding(tmp_path):
    case = sound()
    case.judged[0][1] = "<b>|x"
    case.run[0][1] = "<B>|X"
    qrels, runs = case.sources(tmp_path)
    found = rankgold.doctor(qrels, runs)
    content = json.loads(found.to_json())
    assert [finding["check"] for finding in content["findings"]] == ["id_case"]
    assert content["findings"][0]["effect"]["measures"]["rr"].keys() == {"before", "after", "difference"}
    assert content["exit_code"] == 1
    assert content["judgements"] == 150
    assert content["runs"] == {"run": 200}
    assert "### warning: id\\_case, run" in found.to_markdown()
    assert "&lt;b&gt;\\|x" in found.to_markdown()
    assert "<b>" not in found.to_html()
    assert "id_case" in repr(found)
    assert found.frame["check"].to_list() == ["id_case"]


def test_the_output_file_has_the_findings(tmp_path):
    case = sound()
    case.run.append(["q1", "d1", 21, 1.5])
    qrels, runs = case.sources(tmp_path)
    target = tmp_path / "found.md"
    with pytest.raises(SystemExit):
        printed_before_exit("doctor", str(qrels), str(runs[0]), "-o", str(target))
    assert "duplicates" in target.read_text()


def test_judgements_that_cannot_be_read_are_a_finding_and_a_missing_file_is_an_error(tmp_path):
    (tmp_path / "qrels.txt").write_text("")
    (finding,) = rankgold.doctor(tmp_path / "qrels.txt", {"q1": {"d1": 1.0}}).findings
    assert (finding.check, finding.example) == ("unreadable", "the file is empty.")
    with pytest.raises(rankgold.DataError, match="there is no such file"):
        rankgold.doctor(tmp_path / "absent.txt")


def test_mistakes_in_options_are_said():
    with pytest.raises(rankgold.DataError, match="Did you mean 'ties'"):
        rankgold.doctor({"q1": {"d1": 1}}, ignore=["tie"])
    with pytest.raises(rankgold.DataError, match="scale must be the lowest"):
        rankgold.doctor({"q1": {"d1": 1}}, scale=(3, 0))
    assert "must be two numbers" in refused("doctor", "qrels.txt", "--scale", "3")


def test_evaluate_offers_the_doctor_if_something_looks_wrong(tmp_path, capsys):
    case = sound()
    for row in case.run:
        row[1] = f"doc_{row[1]}"
    qrels, runs = case.sources(tmp_path)
    printed("evaluate", str(qrels), str(runs[0]), "-m", "ap")
    said = capsys.readouterr().err
    assert said == (
        f"note: run: no judged document is in the lists. To check the files: rankgold doctor {qrels} {runs[0]}\n"
    )
    printed("evaluate", str(qrels), str(runs[0]), "-m", "ap", "--quiet")
    assert capsys.readouterr().err == ""


def test_evaluate_offers_nothing_for_sound_files(tmp_path, capsys):
    qrels, runs = sound().sources(tmp_path)
    printed("evaluate", str(qrels), str(runs[0]), "-m", "ap")
    assert capsys.readouterr().err == ""


def test_the_page_lists_every_check_with_what_it_finds():
    page = (Path(__file__).parent.parent / "docs" / "doctor.md").read_text(encoding="utf-8")
    for check in CHECKS.values():
        assert f"| `{check.name}` | {check.summary} |" in page


def test_one_table_with_grades_and_scores_is_looked_over_like_judgements_and_a_run():
    table = pl.DataFrame(
        {
            "query": ["q1"] * 4 + ["q2"] * 3,
            "document": ["a", "b", "c", "a", "a", "b", "c"],
            "grade": [1, 0, 2, 1, 0, 0, None],
            "score": [0.5, 0.4, 0.3, 0.5, 0.2, 0.1, 0.7],
        }
    )
    found = rankgold.doctor(table)
    assert {finding.check for finding in found.findings} == {"bad_rows", "duplicates", "no_relevant"}
    assert (found.judgements, found.rows_of_runs) == (6, {"run": 6})
    # Beside other runs, its own scores do not count.
    beside = rankgold.doctor(table, {"other": {"q1": {"a": 1.5}}})
    assert beside.rows_of_runs == {"other": 1}


def test_chunks_are_looked_over_as_their_documents():
    judged, ranked = sound().dicts()
    parts = {q: {f"{d}#{n}": score - n / 10 for d, score in row.items() for n in (1, 2)} for q, row in ranked.items()}
    assert [finding.check for finding in rankgold.doctor(judged, parts).findings] == ["nothing_in_common", "id_forms"]
    assert rankgold.doctor(judged, parts, parent="#").findings == []


def test_an_effect_that_cannot_be_measured_says_why():
    refused_too = rankgold.doctor({"q": {"a": math.nan}}, {"q": {"a": 1.0}}, "rr").findings
    assert refused_too[0].effect_line == "not measured: evaluate refuses the data, and with these rows left out too"
    assert refused_too[1].example == "judged: none, ranked: 'q'"
    unmatched = rankgold.doctor({"q": {"a": 1}}, {"q": {"b": 1.0}}, "rr").findings
    assert unmatched[0].effect_line == "not measured: no document matches"


def test_the_advice_on_repeated_documents_names_choices_that_the_policy_has(tmp_path):
    case = sound()
    document_twice_in_run(case)
    advice = next(finding.advice for finding in looked_over(case, tmp_path) if finding.check == "duplicates")
    _, _, choices = advice.removesuffix(".").partition("--policy duplicates=")
    assert choices.split(" or ") == ["first", "last"]
    for choice in choices.split(" or "):
        assert rankgold.evaluate(*case.sources(tmp_path), ["ap"], policy=f"duplicates={choice}")["ap"] > 0


def test_judgements_for_subtopics_of_which_no_row_can_be_read_are_findings(tmp_path):
    (tmp_path / "qrels.csv").write_text("query,document,subtopic,grade\nq1,d1,s,high\n")
    found = rankgold.doctor(tmp_path / "qrels.csv", {"q1": {"d1": 1.0}})
    assert {"bad_rows", "nothing_in_common"} <= {finding.check for finding in found.findings}


def checks_found(qrels, run, **options):
    return {finding.check: finding.severity for finding in rankgold.doctor(qrels, run, "ap", **options).findings}


def lists_of(*lengths):
    """A query for each length, with a judged document at the top that is not relevant, and one below that is."""
    judged = {f"q{n}": {"d0": 0, "d1": 1} for n in range(len(lengths))}
    return judged, {f"q{n}": {f"d{i}": 99.5 - i for i in range(length)} for n, length in enumerate(lengths)}


@for_each(
    ("lengths", "is_found"),
    [
        ((20, 20, 20, 20, 1), True),  # less than a tenth of 20
        ((20, 20, 20, 20, 2), False),  # a tenth of it
        ((19, 19, 19, 19, 1), False),  # where lists usually have fewer than 20 documents, none is called short
        ((30, 30, 30, 30, 2), True),
        ((30, 30, 30, 30, 3), False),
    ],
)
def test_a_list_is_short_below_a_tenth_of_the_usual_twenty_documents_or_more(lengths, is_found):
    assert ("short_lists" in checks_found(*lists_of(*lengths))) == is_found


@for_each(
    ("perfect", "others", "is_found"),
    [(5, 0, True), (4, 0, False), (19, 1, True), (18, 1, False), (37, 2, False), (38, 2, True)],
)
def test_too_perfect_are_five_queries_or_more_that_are_nineteen_of_twenty(perfect, others, is_found):
    # 0.95 * 20 = 19, 0.95 * 19 = 18.05, 0.95 * 39 = 37.05, 0.95 * 40 = 38. Queries without a relevant document, and
    # those in which nothing else is ranked, do not count.
    judged = {f"q{n:02}": {"a": 1, "b": 0} for n in range(perfect + others)} | {"none": {"a": 0}}
    ranked = {query: {"a": 2.5, "b": 1.5} if n < perfect else {"b": 2.5, "a": 1.5} for n, query in enumerate(judged)}
    assert ("too_perfect" in checks_found(judged, ranked)) == is_found
    alone = {query: {"a": 2.5} for query in judged}
    assert "too_perfect" not in checks_found(judged, alone)


@for_each(
    ("lengths", "severity"),
    [((3, 3), "error"), ((2, 2), None), ((3, 2), "warning"), ((3, 3, 2), "error"), ((3, 3, 2, 2), "warning")],
)
def test_scores_that_rise_from_row_to_row_are_noticed_in_lists_of_three_documents(lengths, severity):
    # The relevant document comes first and has the lowest score. An error is what more than half of the lists have.
    judged = {f"q{n}": {"d0": 1, "d1": 0} for n in range(len(lengths))}
    ranked = {f"q{n}": {f"d{i}": 0.5 + i for i in range(length)} for n, length in enumerate(lengths)}
    assert checks_found(judged, ranked).get("rising_scores") == severity


def test_scores_that_rise_in_some_lists_only_are_noticed_if_there_are_ranks():
    # q1 rises from rank 1 to 2. q0 falls, and its third score is that of the second.
    judged = {"q0": {"a": 1, "b": 0}, "q1": {"a": 1, "b": 0}}
    rows = [("q0", "a", 1, 3.5), ("q0", "b", 2, 2.5), ("q0", "c", 3, 2.5), ("q1", "a", 1, 1.5), ("q1", "b", 2, 2.5)]
    frame = pl.DataFrame(rows, schema=["query", "document", "rank", "score"], orient="row")
    assert checks_found(judged, frame)["rising_scores"] == "warning"
    assert "rising_scores" not in checks_found(judged, frame.drop("rank"))
    assert "rising_scores" not in checks_found(judged, frame.filter(query="q0"))


@pytest.mark.parametrize(
    ("constant", "others", "severity"),
    [((3,), (5,), "warning"), ((2,), (5,), None), ((3, 3), (5,), "error"), ((3, 2), (5, 5), "warning")],
)
def test_a_constant_list_has_three_documents_and_is_an_error_in_more_than_half_of_the_queries(
    constant, others, severity
):
    judged, ranked = lists_of(*constant, *others)
    for query in list(ranked)[: len(constant)]:
        ranked[query] = dict.fromkeys(ranked[query], 2.5)
    assert checks_found(judged, ranked).get("constant_scores") == severity


@for_each(
    ("top", "second", "zeros", "times", "is_found"),
    [
        (5, 1, 3, 1, True),
        (4.9, 1, 3, 1, False),  # not five times the grade below
        (5, 1, 3, 2, False),  # 2 grades of 6 are not rare
        (5, 1, 37, 2, True),  # 2 of 40 are a twentieth
        (5, 1, 36, 2, False),
        (5, 0.9, 3, 1, False),  # below 1 nothing is said
        (10, 2, 3, 1, True),
    ],
)
def test_a_grade_is_far_above_if_it_is_rare_and_five_times_the_one_below(top, second, zeros, times, is_found):
    grades = [*[0] * zeros, second, *[top] * times]
    judged = {"q": {f"d{i}": grade for i, grade in enumerate(grades)}}
    assert ("grades_outside" in checks_found(judged, {"q": {"d0": 1.5}}, ignore=["too_perfect"])) == is_found


def test_the_ends_of_the_scale_belong_to_it():
    judged, ranked = {"q": {"a": 0, "b": 3, "c": 1}}, {"q": {"c": 2.5, "b": 1.5}}
    assert "grades_outside" not in checks_found(judged, ranked, scale=(0, 3))
    assert checks_found(judged, ranked, scale=(0, 2))["grades_outside"] == "warning"
    (finding,) = [f for f in rankgold.doctor(judged, ranked, "ap", scale=(1, 2)) if f.check == "grades_outside"]
    assert finding.what == "2 grades of 3 are outside the scale from 1 to 2"
    assert finding.example.endswith("query 'q', document 'a', grade 0")


@pytest.mark.parametrize(("deep", "is_found"), [(8, True), (7, False)])
def test_runs_have_unequal_depth_if_one_is_twice_as_deep(deep, is_found):
    # The relevant document is at rank 6, below the end of the short lists: ap falls from 1/6 to 0.
    judged = {"q": {"d5": 1, "d0": 0}}
    runs = {name: {"q": {f"d{i}": 9.5 - i for i in range(n)}} for name, n in (("a", 4), ("b", deep), ("c", 4))}
    runs["c"]["q"]["d1"] = 8.75
    found = rankgold.doctor(judged, runs, "ap")
    whats = [finding.example for finding in found if finding.check == "unequal_depth"]
    assert whats == [f"a: 4 documents, b: {deep}"] * is_found
    # Where the end of the lists moves nothing, nothing is said.
    assert "unequal_depth" not in checks_found({"q": {"d1": 1, "d0": 0}}, runs)


@pytest.mark.parametrize(("unjudged", "is_found"), [((3, 2), True), ((3, 1), False), ((2, 2), False)])
def test_a_quarter_of_the_first_ten_documents_without_judgement_is_much(unjudged, is_found):
    # (3 + 2) / 20 is a quarter. The relevant document is the last one.
    judged = {f"q{n}": {f"d{i}": int(i == 9) for i in range(count, 10)} for n, count in enumerate(unjudged)}
    ranked = {query: {f"d{i}": 19.5 - i for i in range(10)} for query in judged}
    assert ("unjudged" in checks_found(judged, ranked)) == is_found


@pytest.mark.parametrize(
    ("depth", "rank", "is_found"),
    [
        (20, 18, True),  # 10 of 20 are unjudged, and ap moves from 1/18 to 1/9
        (19, 18, False),  # 9 of 19 are less than half
        (20, 17, True),  # from 1/17 by 0.052
        (20, 16, False),  # from 1/16 by 0.049
    ],
)
def test_half_of_the_first_hundred_documents_without_judgement_is_much_if_it_moves_a_mean(depth, rank, is_found):
    # Of the first ten, two are not judged. The ninth judged document is relevant, and the last one of the list is judged.
    judged = {"q": {f"d{i}": 0 for i in [1, 2, 3, 4, 5, 6, 7, 8, depth]} | {f"d{rank}": 1}}
    ranked = {"q": {f"d{i}": 99.5 - i for i in range(1, depth + 1)}}
    assert ("unjudged" in checks_found(judged, ranked)) == is_found
    at_ten = rankgold.doctor(judged, ranked, "rr@10").findings
    assert [finding for finding in at_ten if finding.check == "unjudged"] == [], "nothing deep is measured"


def test_a_movement_of_five_thousandths_is_worth_a_finding():
    def moved(*pairs):
        return Effect("with a change", "run", {f"m{n}": pair for n, pair in enumerate(pairs)})

    assert is_worth_a_finding(moved((0.0, 0.005)))
    assert is_worth_a_finding(moved((0.5, 0.5), (0.005, 0.0)))
    assert not is_worth_a_finding(moved((0.0, 0.00499), (math.nan, 0.5)))
    assert not is_worth_a_finding(moved((math.nan, 1.0)))
    assert math.isnan(moved((math.nan, 1.0)).largest)
    assert largest([moved((0.5, 0.25)), moved((math.nan, 1.0)), moved((0.25, 0.75))]).largest == 0.5
    assert largest([moved((math.nan, 1.0)), moved((0.5, 0.5))]).largest == 0.0
    assert largest([]) is None
    assert moved((0.5, 0.50004), (0.25, math.nan)).line == "m1 0.2500 -> nothing with a change"
    assert moved((0.5, 0.50006)).line == "m0 0.5000 -> 0.5001 with a change"
    assert moved((0.5, 0.5), (0.5, 0.50001)).line == "none of m0, m1 moves with a change"
    assert moved((math.nan, 0.5), (math.nan, math.nan)).line == (
        "m0 0.5000, m1 nothing with a change; without, evaluate refuses the data"
    )
    assert moved((math.nan, math.nan)).line == "not measured: evaluate refuses the data, and with a change too"


@pytest.mark.parametrize(("matching", "severity"), [(2, "error"), (1, "warning")])
def test_ids_that_would_match_are_an_error_if_they_are_half_of_those_that_do_not(matching, severity):
    # Of 4 judged documents that are not found, so many are found if case does not count.
    judged = {"q": {"x": 0, "a": 1, "b": 1, "c": 1, "d": 1}}
    ranked = {"q": {"x": 9.5, **{name: 5.5 - i for i, name in enumerate(["A", "B"][:matching])}, "y": 1.5}}
    assert checks_found(judged, ranked)["id_case"] == severity


@pytest.mark.parametrize(("prefixed", "judged_documents", "is_found"), [(2, 20, True), (2, 21, False), (1, 10, False)])
def test_a_prefix_is_one_if_two_ids_and_a_tenth_of_them_match_without_it(prefixed, judged_documents, is_found):
    # One more document matches as it is, and does not count.
    judged = {"q": {"same": 1} | {f"k{i}": i % 2 for i in range(judged_documents)}}
    names = ["same", *(f"doc-k{i}" for i in range(prefixed)), "other"]
    ranked = {"q": {name: 9.5 - i for i, name in enumerate(names)}}
    assert ("id_forms" in checks_found(judged, ranked)) == is_found


def test_one_pair_of_ids_is_enough_where_there_is_no_other():
    assert "id_forms" in checks_found({"q": {"7": 1}}, {"q": {"doc-7": 1.5}})
    assert "id_forms" in checks_found({"q": {"d07": 1}}, {"q": {"d7": 1.5}})


@pytest.mark.parametrize(
    ("cut", "advice"), [("d{}#{}", " If these are chunks of documents, pass parent='#'."), ("{1}/d{0}", "")]
)
def test_chunks_have_advice_of_their_own(cut, advice):
    judged = {"q": {f"d{i}": i % 2 for i in range(4)}}
    ranked = {"q": {cut.format(i, "abcd"[i]): 9.5 - i for i in range(4)}}
    (finding,) = [finding for finding in rankgold.doctor(judged, ranked, "ap") if finding.check == "id_forms"]
    assert finding.advice == f"Write the ids in one way.{advice}"
    # One affix for all is named itself.
    same = {"q": {cut.format(i, "a"): 9.5 - i for i in range(4)}}
    (finding,) = [finding for finding in rankgold.doctor(judged, same, "ap") if finding.check == "id_forms"]
    affix, end = ("#a", "ends") if advice else ("a/", "starts")
    assert finding.advice == f"Write the ids in one way: only the run {end} them with {affix!r}."


def test_findings_name_three_queries_and_count_the_others():
    judged = {f"q{n}": {"a": n % 2, "b": 0} for n in range(9)}
    ranked = {query: {"b": 2.5, "a": 1.5} for query in [*list(judged)[:5], "x1", "x2", "x3", "x4"]}
    examples = {finding.check: finding.example for finding in rankgold.doctor(judged, ranked, "ap")}
    assert examples["queries_not_ranked"] == "'q5', 'q6', 'q7' and 1 more"
    assert examples["queries_not_judged"] == "'x1', 'x2', 'x3' and 1 more"
    assert examples["no_relevant"] == "'q0', 'q2', 'q4' and 2 more"


def test_a_policy_that_leaves_queries_out_is_compared_with_one_that_scores_them_0():
    # q1: 1/2, q2: not ranked, q3: nothing relevant. The mean over one query is 1/2, over two of them 1/4.
    judged = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 0}}
    ranked = {"q1": {"b": 2.5, "a": 1.5}, "q3": {"a": 1.5, "b": 0.5}}
    found = rankgold.doctor(judged, ranked, "ap", policy="missing=skip, no_relevant=skip")
    effects = {finding.check: finding.effect for finding in found}
    assert effects["queries_not_ranked"].values == {"ap": (0.5, 0.25)}
    assert effects["queries_not_ranked"].change == "with missing=zero"
    assert effects["no_relevant"].values == {"ap": (0.5, 0.25)}
    assert effects["no_relevant"].change == "with no_relevant=zero"
    assert "1 query of 3 is judged but not ranked: left out" in {finding.what for finding in found}


def test_a_finding_about_all_runs_names_the_run_that_it_moves_most():
    # A grade of 2 for b moves ndcg of the run that ranks b second.
    judged = {"q": {"a": 1, "b": 9, "c": 0}}
    runs = {"first": {"q": {"b": 2.5, "a": 1.5}}, "second": {"q": {"a": 2.5, "b": 1.5}}}
    found = rankgold.doctor(judged, runs, "ndcg@2", scale=(0, 2))
    text = found.to_markdown()
    assert "with these grades moved to the end of the scale (second)." in text
    assert found.findings[0].effect.run == "second"
    # ndcg with the grade 9: (1 + 9 / log2(3)) / (9 + 1 / log2(3)); with 2: (1 + 2 / log2(3)) / (2 + 1 / log2(3)).
    second = math.log2(3)
    assert found.findings[0].effect.values["ndcg@2"] == pytest.approx(
        ((1 + 9 / second) / (9 + 1 / second), (1 + 2 / second) / (2 + 1 / second))
    )
    assert found.frame["effect"].to_list() == [pytest.approx(found.findings[0].effect.largest)]
    of_run = rankgold.doctor({"q": {"a": 1}, "r": {"a": 1}}, {"q": {"b": 2.5, "a": 1.5}}, "ap")
    assert "missing=skip." in of_run.to_markdown()
    unmeasured = rankgold.doctor({"q": {"a": 1}}, {"q": {"b": 1.0}}, "rr")
    assert unmeasured.frame["effect"].to_list() == [None]
    assert "not measured: no document matches." in unmeasured.to_markdown()


def test_the_summary_counts_findings_by_kind_and_rows_by_run():
    judged, ranked = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0}}, {"q1": {"b": 2.5, "a": 1.5}, "q3": {"a": 1.5}}
    other = {"q1": {"a": 2.5, "b": 1.5}}
    found = rankgold.doctor(judged, {"x": ranked, "y": other}, "ap")
    assert found.summary == "3 warnings, 1 note in 3 judgements and 5 rows of 2 runs"
    assert [finding.severity for finding in found] == ["warning"] * 3 + ["note"]
    assert rankgold.doctor(judged, None, "ap").summary == "1 warning in 3 judgements"


def test_what_is_wrong_in_a_file_of_several_runs_is_said_once(tmp_path):
    lines = "run,query,document,score\n" + "".join(
        f"{run},q,{d},{s}\n" for run in "ab" for d, s in (("x", 2), ("y", 1))
    )
    (tmp_path / "runs.csv").write_text(lines + "a,q,z,much\n")
    found = rankgold.doctor({"q": {"x": 0, "y": 1}}, tmp_path / "runs.csv", "ap")
    assert [finding.what.replace(f"{tmp_path}/", "") for finding in found if finding.check == "bad_rows"] == [
        "1 row of runs.csv cannot be read, so evaluate refuses it"
    ]


def test_documents_are_the_same_run_with_the_same_scores_only():
    judged, run = {"q": {"a": 1, "b": 0}}, {"q": {"b": 2.5, "a": 1.5}}
    assert "same_runs" in checks_found(judged, {"x": run, "y": {"q": {"a": 1.5, "b": 2.5}}})
    # The same number of rows, and the same sum of scores.
    assert "same_runs" not in checks_found(judged, {"x": run, "y": {"q": {"b": 1.5, "a": 2.5}}})
    assert "same_runs" not in checks_found(judged, {"x": run, "y": {"q": {"b": 2.5, "c": 1.5}}})


def test_the_progress_is_a_share_of_the_checks():
    seen = []
    rankgold.doctor({"q": {"a": 1}}, {"q": {"a": 1.5}}, "ap", progress=lambda *said: seen.append(said))
    assert [said for said in seen if said[0] != "looking for faults"] == [
        ("reading judgements", 0.0, 0),
        ("reading runs", 0.0, 0),
    ]
    checked = [(share, rows) for what, share, rows in seen if what == "looking for faults"]
    assert checked == [(number / len(CHECKS), 0) for number in range(len(CHECKS))]


def test_the_first_document_that_is_twice_is_the_example_unless_another_contradicts_itself():
    rows = [("q", f"d{i}", 50.5 - i) for i in range(40)]
    schema = ["query", "document", "score"]
    judged = {"q": {"d1": 1, "d0": 0}}

    def example(repeated):
        found = rankgold.doctor(judged, pl.DataFrame(rows + repeated, schema=schema, orient="row"), "ap")
        (finding,) = [finding for finding in found if finding.check == "duplicates"]
        return finding.what.partition(";")[0].partition(" repeat a ")[2], finding.example

    what, first = example(rows)
    assert what == "document of a query, 0 of them with another score"
    assert "query 'q' ranks document 'd0' twice" in first
    what, contradicting = example([*rows[:30], ("q", "d30", 0.5), ("q", "d31", 0.5), *rows[32:]])
    assert what == "document of a query, 2 of them with another score"
    assert "query 'q' ranks document 'd30' twice" in contradicting


@for_each("name", CHECKS)
def test_a_check_is_still_the_function_that_was_registered(name):
    files = [importlib.import_module(f"rankgold.audit.{kind}_checks") for kind in ("id", "judgement", "row", "score")]
    (function,) = [getattr(file, name) for file in files if hasattr(file, name)]
    assert (function.__name__, " ".join(function.__doc__.split())) == (name, CHECKS[name].summary)


def test_queries_without_a_relevant_document_are_not_perfect_even_if_they_count_1():
    judged = {f"q{n}": {"a": 0, "b": 0} for n in range(6)}
    ranked = {query: {"a": 2.5, "b": 1.5} for query in judged}
    assert "too_perfect" not in checks_found(judged, ranked, policy="no_relevant=one")


@pytest.mark.parametrize(
    ("place", "done"),
    [
        (20, "everything up to the last '-' of the ids in the run removed"),
        (21, "the prefix 'p-' of the ids in the run removed"),
    ],
)
def test_affixes_are_learned_from_the_first_twenty_documents_of_a_query(place, done):
    # One of 25 documents has another prefix.
    judged = {"q": {f"d{i}": i % 2 for i in range(1, 26)}}
    ranked = {"q": {f"{'q' if i == place else 'p'}-d{i}": 99.5 - i for i in range(1, 26)}}
    (finding,) = [finding for finding in rankgold.doctor(judged, ranked, "ap") if finding.check == "id_forms"]
    matches = 25 if place == 20 else 24
    assert finding.what.startswith(f"{matches} of the 25 judged documents")
    assert finding.what.endswith(f"would match with {done}")


def test_a_query_that_is_judged_without_a_document_has_no_relevant_one():
    judged = {"q1": {"a": 1, "b": 0}, "q2": {}, "q3": {"a": 0}}
    found = rankgold.doctor(judged, {"q1": {"b": 2.5, "a": 1.5}, "q2": {"a": 1.5}, "q3": {"a": 1.5, "b": 0.5}}, "ap")
    (finding,) = [finding for finding in found if finding.check == "no_relevant"]
    assert finding.what == "2 queries of 3 have no relevant document (no grade from 1 on)"
    assert finding.example == "'q3', 'q2'"


def test_the_example_is_a_case_of_the_fault():
    judged, ranked = {"q": {"a": 1, "b": 0.5, "c": 0}}, {"q": {"c": 2.5, "b": 1.5, "a": 0.5}}
    (finding,) = [finding for finding in rankgold.doctor(judged, ranked, "ap") if finding.check == "partial_grades"]
    assert finding.example == "query 'q', document 'b', grade 0.5"
    # The scores of q1 differ in 32 bits too, those of the other queries do not.
    judged, ranked = sound().dicts()
    large = {q: {d: score + 1e9 * (q != "q1") for d, score in row.items()} for q, row in ranked.items()}
    (finding,) = [finding for finding in rankgold.doctor(judged, large, "ap") if finding.check == "score_bits"]
    assert finding.example.startswith("query 'q2': 10000000")
