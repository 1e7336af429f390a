"""Every public function shows its parameters as they are; words that verbs share mean the same in all of them."""

import inspect
from typing import Any, get_args

import pytest

import rankgold
from rankgold import comparison, fusion, judging
from rankgold.comparison.choices import CORRECTIONS, ComparisonSettings
from rankgold.comparison.intervals import INTERVALS
from rankgold.comparison.significance_tests import FAMILY_TESTS, TESTS
from rankgold.engines.request import Request
from rankgold.judging.merged_grades import RULES
from tests.cases import for_each

QRELS = {"q1": {"d1": 1}, "q2": {"d1": 1}}
RUN = {"q1": {"d1": 2.0, "x": 1.0}, "q2": {"x": 2.0, "d1": 1.0}}
FUNCTIONS = {name: function for name in rankgold.__all__ if inspect.isfunction(function := getattr(rankgold, name))}
SUBMODULES = {
    f"{module.__name__}.{name}": function
    for module in (rankgold.integrations, rankgold.plots, rankgold.sql)
    for name in module.__all__
    if inspect.isfunction(function := getattr(module, name))
}
METHODS = {
    f"{name}.{member}": function
    for name in rankgold.__all__
    if inspect.isclass(kind := getattr(rankgold, name)) and kind.__module__.startswith("rankgold")
    for member, function in inspect.getmembers(kind, inspect.isfunction)
    if not member.startswith("_") and function.__module__.startswith("rankgold")
}
WITHOUT_DATA_TO_MATCH = {"from_arrays", "from_labels", "from_lists", "parse_measure", "power", "read_qrels", "read_run"}
VERBS = sorted(FUNCTIONS.keys() - WITHOUT_DATA_TO_MATCH)
WORDS = ["policy", "topics", "depth", "rel", "exclude", "parent", "columns", "by", "engine", "progress"]
# One word, one type and one default, in whatever verb it is. A measure may be the only one, a run one of several.
OTHER_WORDS = {
    "qrels": {("Judgements", inspect.Parameter.empty), ("Judgements | None", None)},
    "measures": {("Measures | None", None)},
    "seed": {("int", 0)},
    "max_grade": {("float | None", None)},
    "baseline": {("str | None", None), ("Runs | Scores | Baseline | None", None)},
    "query_texts": {("TextsById | None", None)},
    "doc_texts": {("TextsById | None", None)},
}


def test_a_signature_shows_true_defaults_and_at_most_20_parameters():
    for name, function in {**FUNCTIONS, **SUBMODULES, **METHODS}.items():
        parameters = inspect.signature(function).parameters.values()
        assert len(parameters) <= 20, name
        for parameter in parameters:
            assert repr(parameter.default) not in ("...", "Ellipsis"), name
            assert parameter.annotation != inspect.Parameter.empty or parameter.name == "self", name


def test_no_function_takes_keywords_that_it_does_not_name():
    for name, function in {**FUNCTIONS, **SUBMODULES}.items():
        kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
        assert inspect.Parameter.VAR_KEYWORD not in kinds, name


def test_every_verb_takes_the_shared_words_with_the_same_types_and_defaults():
    wanted = inspect.signature(Request.of).parameters
    for name in VERBS:
        given = inspect.signature(FUNCTIONS[name]).parameters
        for word in WORDS:
            found = given[word]
            assert (found.annotation, found.default) == (wanted[word].annotation, wanted[word].default), (name, word)
            assert found.kind is inspect.Parameter.KEYWORD_ONLY
        assert [word for word in given if word in WORDS] == WORDS, name


def test_other_words_mean_the_same_in_all_verbs():
    for name in VERBS:
        for word, parameter in inspect.signature(FUNCTIONS[name]).parameters.items():
            if word in OTHER_WORDS:
                assert (parameter.annotation, parameter.default) in OTHER_WORDS[word], (name, word)
            assert word not in ("queries", "docs", "documents", "slices", "options"), (name, word)


def test_names_in_signatures_are_those_of_the_registries():
    assert get_args(comparison.TestName) == (*TESTS, *FAMILY_TESTS)
    assert get_args(comparison.CorrectionName) == (*CORRECTIONS,)
    assert get_args(comparison.IntervalName) == (*INTERVALS,)
    assert get_args(judging.Rule) == (*RULES,)
    assert get_args(fusion.Search) == ("ascent", "grid")


def test_the_choices_of_a_comparison_have_the_same_defaults_wherever_they_are():
    choices = ("baseline", "test", "correction", "seed", "interval", "units")
    functions: list[Any] = [rankgold.compare, rankgold.Scores.compare, rankgold.SliceScores.compare]
    wanted = inspect.signature(ComparisonSettings.of).parameters
    for function in functions:
        given = inspect.signature(function).parameters
        for name in choices:
            assert (given[name].annotation, given[name].default) == (wanted[name].annotation, wanted[name].default)
    assert ComparisonSettings.of() == ComparisonSettings()


REFUSED = {
    "match": (lambda **word: rankgold.match(QRELS, RUN, **word), ["by"]),
    "explain": (lambda **word: rankgold.explain(QRELS, RUN, "rr", "q1", **word), ["by"]),
    "similarity": (lambda **word: rankgold.similarity(RUN, RUN, **word), ["rel", "by"]),
    "exposure": (lambda **word: rankgold.exposure(RUN, "entropy@2", **word), ["by"]),
    "diff": (lambda **word: rankgold.diff(QRELS, RUN, RUN, "rr", **word), ["by"]),
    "what_if": (lambda **word: rankgold.what_if(QRELS, RUN, ["rr"], remove=[("q1", "d1")], **word), ["by"]),
    "bounds": (lambda **word: rankgold.bounds(QRELS, RUN, ["rr"], **word), ["by"]),
    "judge_next": (lambda **word: rankgold.judge_next(QRELS, RUN, "rr", **word), ["by"]),
    "if_judged": (lambda **word: rankgold.if_judged(QRELS, RUN, ["rr"], **word), ["by"]),
    "pool": (lambda **word: rankgold.pool(RUN, **word), ["rel", "by"]),
    "expect": (lambda **word: rankgold.expect(QRELS, RUN, ["rr"], **word), ["by"]),
    "doctor": (lambda **word: rankgold.doctor(QRELS, RUN, **word), ["by"]),
    "reconcile": (lambda **word: rankgold.reconcile(QRELS, RUN, "rr", 0.75, **word), ["by"]),
    "fuse": (lambda **word: rankgold.fuse([RUN, RUN], **word), ["by"]),
    "learn_weights": (lambda **word: rankgold.learn_weights(QRELS, [RUN, RUN], "rr", **word), ["by"]),
    "agreement": (
        lambda **word: rankgold.agreement([QRELS, QRELS], **word),
        ["policy", "depth", "rel", "exclude", "parent", "by"],
    ),
    "merge_qrels": (
        lambda **word: rankgold.merge_qrels([QRELS, QRELS], **word),
        ["policy", "depth", "rel", "exclude", "parent", "by"],
    ),
}
VALUES = {"policy": "trec_eval", "depth": 3, "rel": 2, "exclude": QRELS, "parent": "#", "by": {"q1": "a"}}


@for_each("verb", REFUSED)
def test_a_word_that_a_verb_can_do_nothing_with_is_an_error_that_says_so(verb):
    call, words = REFUSED[verb]
    for word in words:
        with pytest.raises(rankgold.DataError, match=rf"^{verb} has no use for {word}: .*\. Leave {word} out\.$"):
            call(**{word: VALUES[word]})


def test_topics_select_queries_in_every_verb():
    # q1 has its only relevant document first, q2 second.
    assert rankgold.bounds(QRELS, RUN, ["rr"], topics="q2").means["rr"] == (0.5, 1.0)
    assert set(rankgold.pool([RUN], topics=["q2"]).frame["query"]) == {"q2"}
    assert set(rankgold.fuse([RUN, RUN], topics="q1")["query"]) == {"q1"}
    assert rankgold.reconcile(QRELS, RUN, "rr", 0.5, topics="q2").as_written.value == 0.5
    assert rankgold.doctor(QRELS, RUN, "rr", topics="q1").judgements == 1
    assert rankgold.learn_weights({**QRELS, "q3": {"d1": 1}}, [RUN, RUN], "rr", topics="q1,q2", folds=2).score == 0.75
    assert rankgold.agreement([QRELS, QRELS], topics="q1").documents == 1
    assert rankgold.merge_qrels([QRELS, QRELS], topics="q2").rows() == [("q2", "d1", 1.0)]
    found = rankgold.judge_next(QRELS, RUN, "rr", topics="q2").frame
    assert found.select("query", "document").rows() == [("q2", "x")]
    with pytest.raises(rankgold.DataError, match="none of the topics is a query of run"):
        rankgold.fuse([RUN, RUN], topics="nosuch")
    with pytest.raises(rankgold.MatchError, match="none of the topics is judged"):
        rankgold.merge_qrels([QRELS, QRELS], topics="nosuch")


def test_hits_are_refused_where_unjudged_documents_count():
    hits = rankgold.match(QRELS, RUN)
    with pytest.raises(rankgold.DataError, match="Hits have lost their unjudged documents"):
        rankgold.bounds(hits, None, ["rr"])
    with pytest.raises(rankgold.DataError, match="Hits have lost their unjudged documents"):
        rankgold.compare([hits, hits], measures=["rr"], bounds=True)


def test_a_depth_cuts_off_rankings_in_every_verb():
    # At depth 1, q2 has nothing relevant.
    assert rankgold.bounds(QRELS, RUN, ["rr"], depth=1).runs[0].values["rr"].tolist() == [1.0, 0.0]
    assert rankgold.reconcile(QRELS, RUN, "rr", 0.5, depth=1).as_written.value == 0.5
    assert rankgold.pool([RUN], depth=1).frame.select("query", "document").rows() == [("q1", "d1"), ("q2", "x")]
    assert rankgold.fuse([RUN, RUN], depth=1).select("query", "document").rows() == [("q1", "d1"), ("q2", "x")]
    assert rankgold.learn_weights(QRELS, [RUN, RUN], "rr", depth=1, folds=2).score == 0.5
    # With the case of its id mended, q1 has its relevant document at rank 2.
    for depth, value in ((None, 0.5), (1, 0.0)):
        found = rankgold.doctor({"q1": {"d1": 1}}, {"Q1": {"x": 2.0, "d1": 1.0}}, "rr", depth=depth).findings
        assert next(finding.effect.values["rr"][1] for finding in found if finding.check == "id_case") == value


def test_chunks_are_rolled_up_to_their_documents_in_every_verb():
    chunks = {"q1": {"d1#2": 2.0, "x#1": 1.0}, "q2": {"x#1": 3.0, "x#2": 2.0, "d1#1": 1.0}}
    assert rankgold.reconcile(QRELS, chunks, "rr", 0.75, parent="#").as_written.value == 0.75
    assert rankgold.pool([chunks], parent="#").frame["document"].to_list() == ["d1", "x", "d1", "x"]
    assert rankgold.fuse([chunks, chunks], parent="#").height == 4
    assert rankgold.bounds(QRELS, chunks, ["rr"], parent="#").runs[0].values["rr"].tolist() == [1.0, 0.5]


def test_excluded_documents_are_in_no_list_of_any_verb():
    had = {"q2": {"x": 1}}
    assert rankgold.reconcile(QRELS, RUN, "rr", 1, exclude=had).as_written.value == 1.0
    assert rankgold.pool([RUN], exclude=had).frame["document"].to_list() == ["d1", "x", "d1"]
    assert rankgold.fuse([RUN, RUN], exclude=had)["document"].to_list() == ["d1", "x", "d1"]
    assert rankgold.learn_weights(QRELS, [RUN, RUN], "rr", exclude=had, folds=2).score == 1.0
    assert rankgold.doctor(QRELS, RUN, "rr", exclude=had).rows_of_runs == {"run": 3}
    found = rankgold.what_if(QRELS, RUN, ["rr"], grade={("q1", "d1"): 0}, exclude=had)
    assert found.before.means == {"rr": 1.0}


def test_the_lowest_relevant_grade_is_a_word_of_every_verb_that_asks_for_it():
    graded = {"q1": {"d1": 1, "x": 2}}
    run = {"q1": {"d1": 2.0, "x": 1.0, "y": 0.5}}
    assert rankgold.reconcile(graded, run, "rr", 0.5, rel=2).as_written.value == 0.5
    assert rankgold.learn_weights({**graded, "q2": {"d1": 2}}, [run, run], "rr", rel=2, folds=2).alone["run"] == 0.25
    assert rankgold.if_judged(graded, run, ["rr"], rel=2)["value"].to_list() == [0.5]
    assert rankgold.judge_next(graded, {"q1": {"y": 2.0, "x": 1.0}}, "rr", rel=2).frame["effect"].to_list() == [0.5]
    with pytest.raises(rankgold.FusionError, match="rrf does not look at grades"):
        rankgold.fuse([run, run], rel=2)


def test_tables_of_a_database_are_read_in_every_verb():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        rows = [(query, document, grade) for query, grades in QRELS.items() for document, grade in grades.items()]
        connection.execute("CREATE TABLE judged (query TEXT, document TEXT, grade INTEGER)")
        connection.executemany("INSERT INTO judged VALUES (?, ?, ?)", rows)
        connection.execute("CREATE TABLE ranked (query TEXT, document TEXT, score DOUBLE)")
        rows = [(query, document, score) for query, scores in RUN.items() for document, score in scores.items()]
        connection.executemany("INSERT INTO ranked VALUES (?, ?, ?)", rows)
        here = {"engine": connection}
        assert rankgold.bounds("judged", "ranked", ["rr"], **here).means == rankgold.bounds(QRELS, RUN, ["rr"]).means
        assert rankgold.judge_next("judged", "ranked", "rr", **here).frame["document"].to_list() == ["x"]
        assert rankgold.pool(["ranked"], k=1, **here).frame["document"].to_list() == ["d1", "x"]
        assert rankgold.fuse(["ranked", "ranked"], **here).height == 4
        assert rankgold.reconcile("judged", "ranked", "rr", 0.75, **here).as_written.value == 0.75
        assert rankgold.doctor("judged", "ranked", "rr", **here).judgements == 2
        assert rankgold.agreement(["judged", QRELS], **here).documents == 2
        assert rankgold.what_if("judged", "ranked", ["rr"], remove=[("q2", "x")], **here).after.means == {"rr": 1.0}
        assert rankgold.learn_weights("judged", ["ranked", RUN], "rr", folds=2, **here).score == 0.75
