"""The command line: what it prints in every format, how it ends, and how it behaves in pipes and terminals."""

import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

import rankgold
from rankgold.cli.app import COMMANDS
from rankgold.measures.description import describe
from rankgold.measures.registry import FAMILIES
from tests.cases import for_each
from tests.shell import INTERRUPTIBLE, LONGEST, completed, prepared, printed, refused

RANKGOLD = [sys.executable, "-m", "rankgold"]
# up ranks d2, d1, d5, d3 for q1 and d1, d3 are relevant: AP = (1/2 + 2/4) / 2 = 1/2; d4 for q2: AP = 1.
# down ranks d1, d3 for q1 (AP = 1) and nothing relevant for q2 (AP = 0). frp: the rank of the first relevant document.
QRELS = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d4 1\n"
UP = "q1 Q0 d2 1 4 up\nq1 Q0 d1 2 3 up\nq1 Q0 d5 3 2 up\nq1 Q0 d3 4 1 up\nq2 Q0 d4 1 1 up\n"
DOWN = "q1 Q0 d1 1 2 down\nq1 Q0 d3 2 1 down\nq2 Q0 d9 1 1 down\n"


@pytest.fixture
def files(tmp_path):
    for name, content in {"qrels": QRELS, "up": UP, "down": DOWN}.items():
        (tmp_path / name).write_text(content)
    return [str(tmp_path / name) for name in ("qrels", "up", "down")]


def run(*arguments, **options):
    return subprocess.run([*RANKGOLD, *arguments], capture_output=True, text=True, check=False, **options)


def test_json_has_the_promised_shape(files):
    content = json.loads(printed("evaluate", *files[:2], "-m", "ap", "-m", "P_2", "-f", "json"))
    assert list(content)[3:7] == ["runs", "measures", "policy", "notes"]
    assert content["runs"] == {"up": {"means": {"ap": 0.75, "P_2": 0.5}}}
    assert content["measures"] == ["ap", "P_2"]
    assert content["policy"] == rankgold.Policy().to_dict()
    assert content["notes"]["up"]["queries"] == 2


def test_json_holds_every_query_only_when_asked(files):
    content = json.loads(printed("evaluate", *files, "-m", "ap", "--per-query", "-f", "json"))
    assert content["runs"]["up"]["per_query"] == {"q1": {"ap": 0.5}, "q2": {"ap": 1.0}}
    assert content["runs"]["down"] == {"means": {"ap": 0.5}, "per_query": {"q1": {"ap": 1.0}, "q2": {"ap": 0.0}}}


def test_json_has_null_for_what_is_undefined(files):
    # down finds nothing relevant for q2, which has no first relevant position.
    text = printed("evaluate", files[0], files[2], "-m", "frp", "-q", "-f", "json")
    assert "NaN" not in text
    content = json.loads(text)
    assert content["runs"]["down"] == {"means": {"frp": 1.0}, "per_query": {"q1": {"frp": 1.0}, "q2": {"frp": None}}}
    assert content["notes"]["down"]["undefined"] == {"frp": 1}


def test_measures_are_split_at_commas_outside_parentheses(files):
    measures = "," * 20_000 + "ap, ndcg(gain=exp, discount=zipf(1, 0.5))@2 ,,p@2"
    content = json.loads(printed("evaluate", *files[:2], "-m", measures, "-m", "rr", "-f", "json"))
    assert content["measures"] == ["ap", "ndcg(gain=exp, discount=zipf(1, 0.5))@2", "p@2", "rr"]


def test_csv_parses_back(files):
    rows = list(csv.reader(io.StringIO(printed("evaluate", *files, "-m", "ap", "-m", "frp", "-f", "csv"))))
    # frp of up: (2 + 1) / 2; of down: 1, its other query being undefined.
    assert rows == [["run", "ap", "frp"], ["up", "0.75", "1.5"], ["down", "0.5", "1.0"]]
    rows = list(csv.reader(io.StringIO(printed("evaluate", *files, "-m", "frp", "-q", "-f", "csv"))))
    assert rows == [
        ["run", "query", "frp"],
        ["up", "q1", "2.0"],
        ["up", "q2", "1.0"],
        ["down", "q1", "1.0"],
        ["down", "q2", ""],
    ]


def test_markdown_marks_the_best_run(files):
    assert printed("evaluate", *files, "-m", "ap", "-m", "frp", "-f", "markdown") == (
        "| run | ap | frp |\n| --- | ---: | ---: |\n| up | **0.7500** | 1.5000 |\n| down | 0.5000 | **1.0000** |\n"
    )


def test_latex_marks_the_best_run(files):
    lines = printed("evaluate", *files, "-m", "ap", "-m", "frp", "-f", "latex").splitlines()
    assert r"up & \textbf{0.7500} & 1.5000 \\" in lines
    assert r"down & 0.5000 & \textbf{1.0000} \\" in lines
    assert lines[0] == r"\begin{tabular}{lrr}"


@pytest.mark.parametrize("format_", ["markdown", "latex"])
def test_markdown_and_latex_show_every_query_when_asked(files, format_):
    text = printed("evaluate", *files, "-m", "frp", "-q", "-f", format_)
    assert all(query in text for query in ("q1", "q2"))
    assert text.count("1.0000") == 3  # up q2, down q1, and the mean of down


def test_lines_of_trec_eval_are_as_trec_eval_prints_them(files):
    text = printed("evaluate", files[0], files[1], "-m", "map", "-m", "ndcg@10", "-m", "P_2", "-q", "-f", "trec_eval")
    lines = text.splitlines()
    assert lines[0] == "map                   \tq1\t0.5000"
    assert lines[2] == "P_2                   \tq1\t0.5000"
    assert lines[6] == "runid                 \tall\tup"
    assert lines[7] == "map                   \tall\t0.7500"
    assert [line.split("\t")[0].rstrip() for line in lines[7:]] == ["map", "ndcg_cut_10", "P_2"]
    assert all(len(line.split("\t")[0]) == 22 for line in lines)


def test_the_table_shows_runs_queries_and_notes(files):
    lines = printed("evaluate", *files, "-m", "ap", "-q").splitlines()
    assert [line.split() for line in lines[:8]] == [
        ["run", "query", "ap"], ["up", "q1", "0.5000"], ["up", "q2", "1.0000"], ["down", "q1", "1.0000"],
        ["down", "q2", "0.0000"], ["run", "ap"], ["up", "0.7500*"], ["down", "0.5000"],
    ]  # fmt: skip
    # 1 of 5 documents of up is not judged, and 1 of 3 of down.
    assert lines[8:] == ["note: retrieved documents that are not judged: up 20.0% of 5, down 33.3% of 3"]


def test_policies_add_up(files):
    content = printed(
        "evaluate", *files[:2], "-m", "ap", "-f", "json", "-p", "trec_eval", "-p", "ties=average,undefined=zero"
    )
    policy = json.loads(content)["policy"]
    assert (policy["missing"], policy["ties"], policy["undefined"]) == ("skip", "average", "zero")
    shown = printed("evaluate", *files[:2], "-m", "ap", "-p", "trec_eval").splitlines()[-1]
    assert shown == "policy: missing=skip, dialect=trec_eval"


def test_output_goes_to_a_file_that_replaces_the_one_before(files, tmp_path):
    output = tmp_path / "out" / "scores.csv"
    output.parent.mkdir()
    output.write_text("before, and longer than what comes after: " + "x" * 999)
    assert printed("evaluate", *files[:2], "-m", "ap", "-f", "csv", "-o", str(output)) == ""
    assert output.read_text() == "run,ap\nup,0.75\n"
    assert os.listdir(output.parent) == ["scores.csv"]
    for bad, message in ((tmp_path, "is a directory"), (tmp_path / "nosuch" / "file", "no directory")):
        done = completed("evaluate", *files[:2], "-o", str(bad))
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr


@for_each(
    ("name", "format_"),
    [("s.json", "json"), ("s.csv", "csv"), ("s.md", "markdown"), ("s.Markdown", "markdown"), ("s.TEX", "latex"),
     ("s.html", "html"), ("s.htm", "html"), ("s.txt", "table"), ("s.out", "table"), ("s", "table"), ("csv", "table")],
)  # fmt: skip
def test_the_format_follows_the_ending_of_the_output(files, tmp_path, name, format_):
    printed("evaluate", *files, "-m", "ap", "-o", str(tmp_path / name))
    assert (tmp_path / name).read_text() == printed("evaluate", *files, "-m", "ap", "-f", format_)


def test_a_format_that_is_named_wins_over_the_ending(files, tmp_path):
    printed("evaluate", *files, "-m", "ap", "-f", "csv", "-o", str(tmp_path / "scores.md"))
    assert (tmp_path / "scores.md").read_text() == "run,ap\nup,0.75\ndown,0.5\n"


def test_the_format_of_an_explanation_follows_the_ending_of_the_output_too(files, tmp_path):
    call = ["explain", *files[:2], "-q", "q1"]
    for name, format_ in (("e.md", "markdown"), ("e.html", "html"), ("e.txt", "text"), ("e.json", "json")):
        printed(*call, "-o", str(tmp_path / name))
        assert (tmp_path / name).read_text() == printed(*call, "-f", format_)
    output = str(tmp_path / "e.csv")
    assert refused(*call, "-o", output) == (
        f"{output}: csv is not a format of this command. Choose one with --format: text, markdown, html, json."
    )
    assert not os.path.exists(output)


@for_each(
    ("short", "format_"), [("md", "markdown"), ("tex", "latex"), ("htm", "html"), ("text", "table"), ("JSON", "json")]
)
def test_formats_have_short_names(files, short, format_):
    assert printed("evaluate", *files, "-f", short) == printed("evaluate", *files, "-f", format_)


def test_html_has_a_table_with_the_best_run_in_bold(files):
    page = printed("evaluate", *files, "-m", "ap", "-f", "html")
    assert page.startswith("<!DOCTYPE html>")
    assert '<tr><td class="left">up</td><td><strong>0.7500</strong></td></tr>' in page
    assert '<tr><td class="left">down</td><td>0.5000</td></tr>' in page


def test_digits_are_as_many_as_asked(files):
    # frp of up: (2 + 1) / 2.
    call = ["evaluate", *files[:2], "-m", "frp", "--quiet"]
    assert printed(*call, "--digits", "2") == "run   frp\nup   1.50\n"
    assert "| 1.500 |" in printed(*call, "--digits", "3", "-f", "md")
    assert "& 2 \\\\" in printed(*call, "--digits", "0", "-f", "tex")  # halves are rounded to even
    assert printed(*call, "--digits", "1", "-f", "trec_eval").splitlines()[1] == f"{'frp':<22}\tall\t1.5"
    for format_ in ("csv", "json"):
        assert refused(*call, "--digits", "2", "-f", format_).startswith("--digits is for formats that people read")
    for digits in ("18", "-1", "two", "1.5", "9" * 5000):
        assert "must be a number from 0 to 17" in refused(*call, f"--digits={digits}")


def test_an_explanation_with_no_decimals_keeps_its_whole_numbers():
    # 10 hits at ranks 1 to 10 with gain 3: the sum 3 * 4.5436 is 13.63, which is 14, not 1.
    hits = rankgold.from_labels([[3] * 10])
    assert "norm   14 (" in rankgold.explain(hits, measure="ndcg").to_text(digits=0)


@pytest.mark.parametrize(
    ("measure", "order"),
    # ap: up 0.75, down 0.5, none 0. mr, lower is better: down (1 + 2) / 2, up (3 + 1) / 2, none undefined.
    [("ap", ["up", "down", "none"]), ("map", ["up", "down", "none"]), ("mr", ["down", "up", "none"])],
)
def test_runs_are_sorted_with_the_best_first(files, tmp_path, measure, order):
    (tmp_path / "none").write_text("q1 Q0 d7 1 1 none\nq2 Q0 d7 1 1 none\n")
    call = ["evaluate", files[0], str(tmp_path / "none"), *files[:0:-1], "-m", "ap,mr"]
    rows = [line.split(",")[0] for line in printed(*call, "-f", "csv").splitlines()]
    assert rows == ["run", "none", "down", "up"]
    rows = [line.split(",")[0] for line in printed(*call, "-f", "csv", "--sort", measure).splitlines()]
    assert rows == ["run", *order]
    assert list(json.loads(printed(*call, "-f", "json", "--sort", measure))["runs"]) == order


def test_a_measure_to_sort_by_is_one_of_those_asked_for_and_is_checked_before_the_work():
    assert refused("evaluate", "no-qrels", "no-run", "-m", "ap", "--sort", "rr") == (
        "'rr' was not evaluated. Evaluated were ap."
    )


def test_the_best_run_of_each_measure_has_a_star_when_piped(files):
    lines = printed("evaluate", *files, "-m", "ap,frp", "--quiet").splitlines()
    assert lines == ["run       ap      frp", "up    0.7500*  1.5000", "down  0.5000   1.0000*"]
    assert "*" not in printed("evaluate", *files[:2], "-m", "ap,frp")


def test_quiet_prints_no_notes_and_no_policy(files):
    assert printed("evaluate", *files[:2], "-m", "ap", "-p", "trec_eval", "--quiet") == "run      ap\nup   0.7500\n"


def test_there_is_a_line_for_each_kind_of_note_and_not_for_each_run(tmp_path):
    (tmp_path / "qrels").write_text("".join(f"q{i} 0 d 1\n" for i in range(1, 5)))
    # a ranks all queries, b three of them, c one; a and b rank q8 too, which is not judged, and c ranks q8 and q9.
    ranked = {"a": "1 2 3 4 8", "b": "1 2 3 8", "c": "1 8 9"}
    for name, queries in ranked.items():
        lines = [f"q{i} Q0 d 1 2 {name}\n" for i in queries.split()] + [f"q1 Q0 x{name * 3} 2 1 {name}\n"]
        (tmp_path / name).write_text("".join(lines))
    notes = printed("evaluate", *(str(tmp_path / name) for name in ("qrels", *ranked)), "-m", "ap").splitlines()[4:]
    # One document of each is not judged: of 5, 4 and 2.
    assert notes == [
        "note: queries ranked but not judged: a 1 (q8), b 1 (q8), c 2 (q8, q9); left out",
        "note: retrieved documents that are not judged: a 20.0% of 5, b 25.0% of 4, c 50.0% of 2",
        "note: queries judged but not ranked: b 1 (q4), c 3 (q2, q3, q4); scored 0 (policy missing=zero)",
    ]


def test_a_note_that_runs_share_names_them_once_and_many_runs_are_counted(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d 1\nq2 0 d 1\n")
    names = [f"r{i}" for i in range(1, 9)]
    for i, name in enumerate(names):
        rows = [f"q1 Q0 d 1 9 {name}\n", *(f"q1 Q0 x{j} {j + 2} {-j} {name}\n" for j in range(i))]
        (tmp_path / name).write_text("".join(rows))
    paths = [str(tmp_path / name) for name in ("qrels", *names)]
    assert printed("evaluate", *paths, "-m", "ap").splitlines()[9:] == [
        "note: 1 query judged but not ranked (q2): scored 0 (policy missing=zero)",
        "note: retrieved documents that are not judged: r2 50.0% of 2, r3 66.7% of 3, r4 75.0% of 4, r5 80.0% of 5,"
        " r6 83.3% of 6 and 2 more",
    ]
    (tmp_path / "r9").write_text("q1 Q0 d 1 9 r9\nq2 Q0 d 1 9 r9\n")
    shown = printed("evaluate", *paths[:3], str(tmp_path / "r9"), "-m", "ap")
    assert "note: r1, r2: 1 query judged but not ranked (q2): scored 0 (policy missing=zero)\n" in shown


def test_cutoffs_are_separated_by_commas(files):
    for measures, names in {
        "P@1,2": ["P@1", "P@2"], "P.1,2": ["P.1", "P.2"], "ndcg_cut_1,2,ap": ["ndcg_cut_1", "ndcg_cut_2", "ap"],
        "p(rel=2)@1, 2": ["p(rel=2)@1", "p(rel=2)@2"],
    }.items():  # fmt: skip
        content = json.loads(printed("evaluate", *files[:2], "-m", measures, "-f", "json"))
        assert content["measures"] == names
        assert list(rankgold.evaluate(*files[:2], measures)) == list(rankgold.evaluate(*files[:2], [measures])) == names


def test_the_functions_for_a_database_are_printed_without_an_option():
    assert printed("sql").startswith("CREATE OR REPLACE MACRO ")
    assert printed("sql") == printed("sql", "--print", "duckdb")


def test_explanations_come_as_text_markdown_and_html(files):
    call = ("explain", *files[:2], "--query", "q1", "-m", "ap", "-m", "rr")
    text, markdown, html = (printed(*call, "-f", format_) for format_ in ("text", "markdown", "html"))
    assert text.startswith("ap of query q1 in up: 0.5000\n")
    assert "rr of query q1 in up: 0.5000" in text
    assert "| 4 | d3 | 1 | 2/4 = 0.5000 | 1.0000 |" in markdown
    assert "<td>2/4 = 0.5000</td>" in html
    assert html.count("<!DOCTYPE html>") == 1
    assert html.count("<h3>") == 2
    assert "0.50000000" in printed(*call, "--digits", "8")


def test_measures_are_described_in_json_for_programs():
    everything = json.loads(printed("measures", "-f", "json"))["measures"]
    assert [entry["name"] for entry in everything if entry["function"] == "evaluate"] == [
        metric.name for metric in rankgold.measures.all()
    ]
    (frp,) = json.loads(printed("measures", "frp", "-f", "json"))["measures"]
    assert (frp["range"], frp["higher_is_better"], frp["takes_cutoff"]) == ([1.0, None], False, True)
    (ap,) = json.loads(printed("measures", "map", "-f", "json"))["measures"]
    assert {"name": "rel", "default": "1"}.items() <= ap["parameters"][0].items()
    suite = json.loads(printed("measures", "@voice", "-f", "json"))["suite"]
    assert list(suite["reasons"]) == ["hit@1", "hit@3", "rr@3"]


@pytest.mark.parametrize(
    ("name", "range_"), [("ap", "0 to 1"), ("dcg", "from 0"), ("kendall", "-1 to 1"), ("utility", "any number")]
)
def test_the_range_of_a_measure_is_written_in_words(name, range_):
    assert f"\nRange: {range_}, higher is better.\n" in describe(getattr(rankgold.measures, name))


def test_measures_are_listed_and_each_is_shown_in_full_under_every_name():
    listed = printed("measures")
    for metric in (metric for family in FAMILIES.values() for metric in family.all()):
        assert f"\n{metric.name} " in f"\n{listed}"
        assert "Range: " in describe(metric)
        # A name such as arp is that of a measure in two families: both are shown.
        for name in (metric.name, *metric.aliases, metric.name.upper()):
            assert describe(metric) in printed("measures", name)


def test_the_version_is_printed():
    assert run("--version").stdout == f"rankgold {rankgold.__version__}\n"


@for_each("command", COMMANDS)
def test_help_ends_with_an_example(command):
    last = printed(command, "--help").strip().splitlines()[-1].strip().removeprefix("Example: ")
    assert last.startswith(("rankgold ", 'cd "$(rankgold'))
    assert f"rankgold {command}" in last


def test_options_may_be_anywhere(files):
    qrels, *runs = files
    expected = printed("evaluate", qrels, *runs, "-m", "ap", "-m", "rr", "-f", "csv")
    assert printed("evaluate", "-m", "ap", qrels, "--format=csv", runs[0], "-m", "rr", runs[1]) == expected
    assert printed("evaluate", qrels, runs[0], "-qfcsv", "-map", runs[1]).startswith("run,query,ap\n")


def test_after_two_hyphens_nothing_is_an_option(files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-b").write_text(UP)
    (tmp_path / "-q").write_text(QRELS)
    expected = printed("evaluate", *files[:2], "-m", "ap", "-f", "csv")
    for call in (["-m", "ap", "-f", "csv", "--", "-q", "-b"], ["-m", "ap", "-f", "csv", "qrels", "--", "-b"]):
        assert printed("evaluate", *call) == expected
    assert completed("evaluate", "-f", "csv", "--", "qrels", "-m").stderr == "-m: there is no such file.\n"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("evaluate qrels - <&-", "standard input: it is closed"),
        ("evaluate qrels up >&-", "standard output: it is closed"),
        ("evaluate qrels nosuch 2>&-", ""),
        ("evaluate qrels ''", "error: the name of a file is empty"),
    ],
)
def test_closed_streams_and_empty_names_are_reported(files, command, message):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m rankgold {command}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=os.path.dirname(files[0]),
    )
    assert done.returncode == 2
    assert done.stderr.startswith(message)
    assert "Traceback" not in done.stderr


@for_each(
    ("arguments", "message"),
    [
        (["-m", "ndcg(gain=cubic)@10"], "error: gain must be one of linear, exp, binary, not 'cubic'.\n  ndcg(gain=cubic)@10\n            ^\n"),
        (["-c", "query"], "error: --column must be written as ROLE=NAME, such as query=user, not 'query'.\n"),
        (["-p", "tie=average"], "error: "),
        (["-o", "nosuch/file"], "nosuch/file: there is no directory 'nosuch' to write to.\n"),
        (["nosuch"], "nosuch: there is no such file.\n"),
        (["bad"], "bad:1: "),
        (["-f", "xml"], "rankgold evaluate: "),
    ],
)  # fmt: skip
def test_an_error_starts_with_its_place_or_with_the_word_error(files, monkeypatch, arguments, message):
    monkeypatch.chdir(os.path.dirname(files[0]))
    Path("bad").write_text("q1 Q0 d1\n")
    done = completed("evaluate", "qrels", "up", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert done.stderr.count("error: ") == message.count("error: ")


def test_an_unknown_command_gets_a_hint():
    assert completed("evalute").stderr == (
        "rankgold: there is no command 'evalute'. Did you mean 'evaluate'? In full: rankgold --help\n"
    )
    assert "Did you mean 'plan'?" in completed("explain-plan").stderr  # its former name


@for_each(
    "arguments",
    [["nosuch"], ["evaluate"], ["evaluate", "q"], ["evaluate", "q", "r", "-f", "xml"], ["explain", "q", "r"],
     ["evaluate", "q", "r", "--nosuch"], ["evaluate", "q", "r", "-c", "query"], ["measures", "ndgc"],
     ["evaluate", "q", "r", "-m", "ndgc"], ["evaluate", "q", "r", "-p", "tie=average"]],
)  # fmt: skip
def test_wrong_usage_ends_with_exit_code_2_and_no_traceback(arguments):
    done = completed(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["nosuch"], ["evaluate", "q", "r", "-f", "xml"], ["measures", "ndgc"]])
def test_a_process_ends_with_the_exit_code_and_no_traceback(arguments):
    done, expected = run(*arguments), completed(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected.stderr)


def test_only_text_is_printed_without_a_terminal(files):
    done = run("evaluate", *files, "-m", "ap", env={**os.environ, "TERM": "xterm-256color"})
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_a_reader_that_closes_the_pipe_is_not_an_error():
    command = f"{sys.executable} -m rankgold measures ndcg | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("ndcg(gain=linear, discount=log2, ideal=judged)[@k]\n", "")


@pytest.mark.parametrize("awaited", ["pipe", "-"])
def test_an_interrupt_ends_a_wait_for_input_quietly_with_130(files, tmp_path, awaited):
    os.mkfifo(tmp_path / "pipe")
    arguments = {"pipe": [str(tmp_path / "pipe"), files[1]], "-": [str(tmp_path / "pipe"), "-"]}[awaited]
    process = subprocess.Popen(
        prepared(INTERRUPTIBLE, *RANKGOLD, "evaluate", *arguments), stdin=-1, stdout=-1, stderr=-1
    )
    with open(tmp_path / "pipe", "w") as pipe:  # opens when rankgold opens it, which then waits for data
        if awaited == "-":
            pipe.write(QRELS)
            pipe.close()
        time.sleep(0.2)
        for _ in range(20):  # Python misses a signal that comes just before it waits
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=1)
                break
        assert process.poll() == 130
    assert process.communicate(timeout=LONGEST) == (b"", b"")


@pytest.fixture(scope="module")
def script_for_bash(tmp_path_factory):
    path = tmp_path_factory.mktemp("completion") / "rankgold.bash"
    path.write_text(run("--show-completion", "bash").stdout)
    return path


@for_each(
    ("typed", "offered"),
    [
        ("rankgold ev", ["evaluate"]),
        ("rankgold evaluate q r --po", ["--policy"]),
        ("rankgold evaluate q r -f tr", ["trec_eval"]),
        ("rankgold explain q r --format ht", ["html"]),
        ("rankgold evaluate -m ndc", ["ndcg", "ndcg_rel"]),
        ("rankgold evaluate -m @auto", ["@autocomplete"]),
        ("rankgold evaluate -m @ auto", ["autocomplete"]),
        ("rankgold measures --for key", ["keywords"]),
        ("rankgold evaluate up", ["up"]),
        ("rankgold plot dif", ["difference"]),
        ("rankgold plot difference up", ["up"]),
        ("rankgold measures spe", ["spearman"]),
        ("rankgold evaluate q r -p tre", ["trec_eval", "trec_eval_9"]),
        ("rankgold evaluate q r --policy ti", ["ties=descending", "ties=ascending", "ties=input", "ties=average"]),
        ("rankgold evaluate q r -p ties =", ["descending", "ascending", "input", "average"]),
        ("rankgold evaluate q r -p ties = av", ["average"]),
        ("rankgold evaluate q r -e du", ["duckdb"]),
        ("rankgold evaluate q r --sort kend", ["kendall"]),
        ("rankgold sql --flavour hivemall-", ["hivemall-code"]),
        ("rankgold demo --pa", ["--path"]),
    ],
)
def test_bash_completes_commands_options_choices_measures_and_files(files, script_for_bash, typed, offered):
    words = typed.split()
    code = f"""source {script_for_bash}
    COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _rankgold; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, check=True, cwd=os.path.dirname(files[0])
    )
    assert (done.stdout.split(), done.stderr) == (offered, "")


def test_scripts_for_other_shells_name_every_command_and_option():
    for shell in ("zsh", "fish"):
        shown = printed("--show-completion", shell)
        for word in (*COMMANDS, "measure", "per-query", "trec_eval", "ndcg"):
            assert word in shown
    assert printed("--show-completion", "zsh").startswith("autoload -U +X bashcompinit")
    assert (
        "complete -c rankgold -n '__fish_seen_subcommand_from evaluate' -s m -l measure -x -a 'accuracy alpha_dcg "
        in shown
    )
    second = "__fish_seen_subcommand_from plot; and test (count (commandline -opc)) -eq 2"
    assert f"complete -c rankgold -f -n '{second}' -a 'attribution average-precision bump " in shown


def test_an_output_that_is_not_a_regular_file_is_written_to_directly(files, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen([*RANKGOLD, "evaluate", *files, "-m", "ap", "-f", "csv", "-o", str(tmp_path / "pipe")])
    with open(tmp_path / "pipe") as pipe:
        assert pipe.readline() == "run,ap\n"
    assert process.wait(timeout=LONGEST) == 0
    assert not (tmp_path / "pipe").is_file()


@for_each(
    "command",
    [
        "{rankgold} -o /dev/stdout | cat",
        "{rankgold} -o >(cat)",
        "{rankgold} -o /proc/self/fd/1 | cat",
        "{rankgold} -o /dev/fd/3 3>&1 | cat",
        "{rankgold} -o /dev/stderr 2>&1 | cat",
        "{rankgold} -o /dev/stdout > {folder}/new; cat {folder}/new",
    ],
)
def test_an_output_may_be_an_open_pipe(files, tmp_path, command):
    rankgold = f"{sys.executable} -m rankgold evaluate {files[0]} {files[1]} -m ap -f csv"
    command = command.format(rankgold=rankgold, folder=tmp_path)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("run,ap\nup,0.75\n", "")


def test_a_log_that_standard_output_is_added_to_is_not_replaced(files, tmp_path):
    log = tmp_path / "log"
    log.write_text("before\n")
    with log.open("a") as end:
        subprocess.run([*RANKGOLD, *f"evaluate {files[0]} {files[1]} -m ap -f csv -o /dev/stdout".split()], stdout=end)
    assert log.read_text() == "before\nrun,ap\nup,0.75\n"


@for_each(
    "arguments",
    [
        "evaluate Q U -m ap",
        "compare Q U D -m ap",
        "diff Q U D -m ap",
        "explain Q U -m ap --query q1",
        "fuse U D",
        "similarity U D",
        "exposure U --train D -m coverage@10",
        "report Q U -m ap",
        "doctor Q U",
        "judge-next Q U -m ap",
        "merge-qrels Q Q",
        "reconcile Q U -m ap --value 0.75",
    ],
    ids=lambda text: text.split()[0],
)
def test_every_command_writes_to_a_pipe_what_it_writes_to_a_file(files, tmp_path, arguments):
    names = dict(zip("QUD", files, strict=True))
    arguments = [names.get(word, word) for word in arguments.split()]
    assert completed(*arguments, "-o", str(tmp_path / "file")).returncode == 0
    with tempfile.TemporaryFile() as file:  # a file without a name takes any size, where a pipe would wait for a reader
        descriptor = os.dup(file.fileno())
        assert completed(*arguments, "-o", f"/dev/fd/{descriptor}").returncode == 0
        os.close(descriptor)
        file.seek(0)
        assert file.read() == (tmp_path / "file").read_bytes()


def test_a_descriptor_that_is_not_open_is_an_error_of_one_line(files):
    done = completed("evaluate", *files, "-o", "/dev/fd/999")
    assert (done.returncode, done.stderr) == (2, "/dev/fd/999: this cannot be written: Bad file descriptor.\n")


def test_a_terminal_may_be_both_standard_input_and_output(files):
    outer, inner = pty.openpty()
    arguments = ["evaluate", files[0], "-", "-m", "ap", "-f", "csv", "-o", "/dev/stdout"]
    process = subprocess.Popen([*RANKGOLD, *arguments], stdin=inner, stdout=inner, stderr=inner)
    os.write(outer, UP.encode() + b"\4")  # the end of the input, as Ctrl-D
    assert process.wait(timeout=LONGEST) == 0
    assert "run,ap\r\nup,0.75\r\n" in os.read(outer, 10_000).decode()
    os.close(outer)
    os.close(inner)


def test_an_output_keeps_its_links_and_its_mode(files, tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.touch(mode=0o600)
    link.symlink_to(target)
    assert completed("evaluate", *files, "-m", "ap", "-f", "csv", "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert target.read_text().startswith("run,ap\n")
    assert target.stat().st_mode & 0o777 == 0o600


def test_an_input_is_not_overwritten(files):
    before = Path(files[1]).read_text()
    done = completed("evaluate", *files, "-o", files[1])
    assert (done.returncode, Path(files[1]).read_text()) == (2, before)
    assert "this is also an input file" in done.stderr


def test_a_run_may_come_through_a_pipe(files):
    command = f"{sys.executable} -m rankgold evaluate {files[0]} <(cat {files[1]}) -m ap -f csv"
    piped = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert piped.stdout == "run,ap\nup,0.75\n"
