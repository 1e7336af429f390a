"""What users mistype at the shell: the message has what they meant, and nothing if nothing is near."""

import pytest

from rankgold import measures
from rankgold.core.errors import nearest_word, typing_errors
from rankgold.data.files import sample
from tests.cases import for_each
from tests.shell import printed, refused, shell

QRELS, RUN = str(sample("qrels.txt")), str(sample("bm25.trec"))
MEASURES = [name for metric in measures.all() for name in (metric.name, *metric.aliases)]


@for_each(
    ("typed", "meant", "errors"),
    [
        ("ap", "ap", 0), ("ndgc", "ndcg", 1), ("ndcgg", "ndcg", 1), ("ncg", "ndcg", 1), ("nbcg", "ndcg", 1),
        ("rbp", "frp", 2), ("bpref", "rprec", 2), ("", "abc", 3), ("abc", "", 3), ("presicion", "precision", 2),
        ("ca", "abc", 3),  # letters that were exchanged are not changed again
    ],
)  # fmt: skip
def test_typing_errors_are_counted(typed, meant, errors):
    assert typing_errors(typed, meant) == typing_errors(meant, typed) == errors


@for_each(
    ("typed", "meant"),
    [
        ("ndgc", "ndcg"), ("NDGC", "ndcg"), ("precison", "precision"), ("presicion", "precision"), ("recal", "recall"),
        ("kendal", "kendall"), ("spearmen", "spearman"), ("reciprocalrank", "reciprocal_rank"), ("rprek", "rprec"),
        ("reciprocal", "reciprocal_rank"), ("avergae_precision", "average_precision"),
    ],
)  # fmt: skip
def test_a_mistyped_measure_has_the_right_one_suggested(typed, meant):
    assert nearest_word(typed, MEASURES) == meant


@for_each(
    "typed",
    ["bpref", "rbp", "zzzz", "x", "tau", "gini", "ils", "novelty", "coverage", "infap", "f2", "utility"],
)
def test_nothing_is_suggested_for_a_measure_that_is_not_near_any_other(typed):
    known = ["rprec", "frp", "ap", "map", "rr", "err", "f", "f1", "auc", "recall", "gain", "hit"]
    assert nearest_word(typed, known) is None


def test_the_fewest_errors_win_and_digits_are_no_errors_for_each_other():
    assert nearest_word("dcgg", ["ndcg", "dcg"]) == "dcg"
    assert nearest_word("curvs", ["curve", "curves"]) == "curves"  # one error each, but all letters are right
    assert nearest_word("q7", ["q8", "q17", "q07"]) == "q07"
    assert nearest_word("bm52", ["bm24", "bm25"]) == "bm25"
    assert nearest_word("301", ["302", "311"]) is None
    assert nearest_word("", ["a", "abc"]) is None


@for_each(
    ("options", "message"),
    [
        (["--metric", "ap"], "there is no option '--metric'. Did you mean '--measure'?"),
        (["--metrics=ap"], "there is no option '--metrics'. Did you mean '--measure'?"),
        (["--measures", "ap"], "there is no option '--measures'. Did you mean '--measure'?"),
        (["--per_query"], "there is no option '--per_query'. Did you mean '--per-query'?"),
        (["--PER-QUERY"], "there is no option '--PER-QUERY'. Did you mean '--per-query'?"),
        (["--out", "x"], "there is no option '--out'. Did you mean '--output'?"),
        (["--decimals", "2"], "there is no option '--decimals'. Did you mean '--digits'?"),
        (["--sort-by", "ap"], "there is no option '--sort-by'. Did you mean '--sort'?"),
        (["-format", "md"], "there is no option '-format'. Did you mean '--format'?"),
        (["-output=x"], "there is no option '-output'. Did you mean '--output'?"),
        (["--k", "10"], "there is no option '--k'. A cutoff is a part of the measure: '-m ndcg@10'."),
        (["--nosuch"], "there is no option '--nosuch'."),
        (["-z"], "too many arguments: '-z'."),
        (["-f", "jsn"], "argument -f/--format: 'jsn' is not one of table, json, csv, markdown, latex, html, trec_eval."
                        " Did you mean 'json'?"),
        (["-e", "duck"], "argument -e/--engine: 'duck' is not one of local, duckdb, spark. Did you mean 'duckdb'?"),
        (["-p", "trec"], "No policy is called 'trec'. Did you mean 'trec_eval'?"),
        (["ap"], "ap: there is no such file. Did you mean -m ap?"),
        (["ndcg@10,rr"], "ndcg@10,rr: there is no such file. Did you mean -m ndcg@10,rr?"),
        (["@voice"], "@voice: there is no such file. Did you mean -m @voice?"),
        (["ap", "-e", "duckdb"], "ap: there is no such file. Did you mean -m ap?"),
        (["nosuch"], "nosuch: there is no such file."),
        (["-c", "customer=query"], "No column role is called 'customer'. Did you mean query=customer?"),
        (["-c", "customer=qid"], "No column role is called 'customer'. Did you mean qid=customer?"),
        (["-c", "qurey=customer"], "No column role is called 'qurey'. Did you mean 'query'?"),
        (["-m", "bpreff"], "No measure is called 'bpreff'. Did you mean 'bpref'?\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_a_mistake_of_evaluate_is_answered_with_what_was_meant(options, message):
    assert refused("evaluate", QRELS, RUN, *options).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", QRELS, RUN, "ap"], "ap: there is no such file. Did you mean -m ap?\n"),
        (
            ["explain", QRELS, RUN, "ap"],
            "rankgold explain: too many arguments: 'ap'. Did you mean -m ap?",
        ),
        (["ndcg@10"], "rankgold: there is no command 'ndcg@10'. To see the measure: 'rankgold measures ndcg@10'."),
    ],
)
def test_a_measure_in_the_wrong_place_is_known_in_a_new_process(tmp_path, arguments, message):
    process = shell(*arguments, cwd=tmp_path)  # the tests of this process have imported all measures
    assert (process.returncode, process.stderr[: len(message)]) == (2, message)


@for_each(
    ("arguments", "message"),
    [
        (["evaluate", "--qrels", QRELS, "--run", RUN], "there is no option '--qrels'. QRELS is written without an option:"
         " 'rankgold evaluate [OPTIONS] QRELS [RUN...]'."),
        (["explain", QRELS, RUN, "ap"], "too many arguments: 'ap'. Did you mean -m ap?"),
        (["explain", QRELS, RUN, "q18"], "too many arguments: 'q18'. Did you mean --query q18?"),
        (["explain", QRELS, RUN, "--qid", "q18"], "there is no option '--qid'. Did you mean '--query'?"),
        (["explain", QRELS, RUN], "Which query? There are 30: q01, q02, q03, q04, q05 and 25 more."),
        (["explain", QRELS, RUN, "-q", "q8"], "No query is called 'q8' in the judgements. Did you mean 'q08'?"),
        (["plan", QRELS, RUN, "ap"], "ap: there is no such file. Did you mean -m ap?"),
        (["plot", "grid", QRELS, RUN, "--depth", "all"], "argument --depth: must be a whole number, not 'all'."),
        (["plot", "grid", QRELS, RUN, "-f", "png"], "too many arguments: '-f', 'png'."),
        (["measures", "ap", "rr"], "too many arguments: 'rr'."),
        (["sql", "--flavor", "hivemall"], "there is no option '--flavor'. Did you mean '--flavour'?"),
        (["sql", "--flavour", "hive"], "argument --flavour: 'hive' is not one of rankgold, hivemall, hivemall-code. Did you"),
        (["demo", "--paths"], "there is no option '--paths'. Did you mean '--path'?"),
        (["ndcg@10"], "there is no command 'ndcg@10'. To see the measure: 'rankgold measures ndcg@10'."),
        ([QRELS, RUN], f"there is no command {QRELS!r}. To evaluate files: 'rankgold evaluate QRELS RUN...'."),
        (["evalute"], "there is no command 'evalute'. Did you mean 'evaluate'?"),
        (["xyz"], "there is no command 'xyz'."),
        (["--versoin"], "there is no option '--versoin'. Did you mean '--version'?"),
        (["--"], "name a command."),
        (["plot", "diference"], "No plot is called 'diference'. Did you mean 'difference'?"),
        (["plot", QRELS, RUN, "difference"], f"Name the plot before the files ({QRELS!r} is a file): rankgold plot"),
    ],
    ids=lambda value: " ".join(value)[-30:] if isinstance(value, list) else "",
)  # fmt: skip
def test_a_mistake_of_another_command_is_answered_with_what_was_meant(arguments, message):
    assert refused(*arguments).startswith(message)


def test_a_measure_in_place_of_a_file_is_read_if_there_is_such_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ap").write_text("q01 Q0 d 1 1 x\n")
    assert printed("evaluate", QRELS, "ap", "-m", "ap").startswith("run      ap\nx    0.0000\n")


def test_the_short_option_of_a_query_is_q():
    assert printed("explain", QRELS, RUN, "-q", "q18") == printed("explain", QRELS, RUN, "--query", "q18")


def test_a_query_need_not_be_named_if_there_is_only_one(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d 1\n")
    (tmp_path / "run").write_text("q1 Q0 d 1 1 x\n")
    shown = printed("explain", str(tmp_path / "qrels"), str(tmp_path / "run"))
    assert shown.startswith("ap of query q1 in x: 1.0000\n")
