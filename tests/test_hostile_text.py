"""Ids, file names and messages with control characters and formulas: no output lets them act on what shows it."""

import copy
import csv
import io
import itertools
import json
import pickle
import re
from pathlib import Path

import duckdb
import pytest

import rankgold
from rankgold.cli.app import run
from rankgold.core import errors
from rankgold.core.document import ResultTable, name_of_field, one_field, plain, plain_lines
from rankgold.present.outputs.csv import csv_table
from tests.cases import for_each
from tests.shell import completed, printed, shown

# Colour, a new title, C1's CSI, delete, a line that is reversed, an invisible character, ends of lines.
HOSTILE = "x\x1b[31m\x1b]0;t\x07\x9b2J\x7f\u202e\u200by"
ESCAPED = "x\\x1b[31m\\x1b]0;t\\x07\\x9b2J\\x7f\\u202e\u200by"
LINES = "a\nb\rc\u2028d"
ESCAPED_LINES = r"a\nb\rc\u2028d"


def assert_harmless(text):
    """No line has a control character, an end of a line of Unicode, or a change of direction."""
    assert re.findall(r"[^\S\n\t\xa0\u3000 ]|[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text) == []


@pytest.fixture
def folder(tmp_path):
    with open(tmp_path / "qrels", "w", newline="") as file:
        file.write(f"{HOSTILE} 0 {HOSTILE} 1\nq2 0 d2 1\n")
    with open(tmp_path / "run", "w", newline="") as file:
        file.write(f"{HOSTILE} Q0 {HOSTILE} 1 2 {HOSTILE}\nq2 Q0 d2 1 2 {HOSTILE}\n")
    return tmp_path


@for_each(
    "arguments",
    [
        ["explain", "qrels", "run", "--query", "typo"],
        ["explain", "qrels", "run", "--query", HOSTILE],
        ["explain", "qrels", "run", "--query", HOSTILE, "-f", "html"],
        ["explain", "qrels", "run", "--query", HOSTILE, "-f", "markdown"],
        ["explain", "qrels", "run", "--query", f"no{HOSTILE}{LINES}"],
        ["evaluate", "qrels", f"no{HOSTILE}{LINES}"],
        ["evaluate", "qrels", "run", "-o", f"no{HOSTILE}{LINES}/x"],
        ["evaluate", "qrels", "run", "-m", f"ap{HOSTILE}{LINES}"],
        ["evaluate", "qrels", "run", "-p", f"ap{HOSTILE}{LINES}"],
        ["evaluate", "qrels", "run", "-c", f"query={HOSTILE}{LINES}"],
        ["evaluate", "qrels", "run", f"--no{HOSTILE}{LINES}"],
        ["evaluate", "qrels", "run", "-f", f"no{HOSTILE}{LINES}"],
        [f"no{HOSTILE}{LINES}"],
        ["plot", f"no{HOSTILE}{LINES}"],
        ["measures", f"no{HOSTILE}{LINES}"],
        ["evaluate", "-e", "duckdb", "qrels", f"no{HOSTILE}{LINES}"],
        ["evaluate", "-e", "duckdb", "qrels", "run", "--attach", f"a=no{HOSTILE}{LINES}"],
        ["evaluate", "-e", "duckdb", "qrels", "text.parquet"],
        ["plan", "-e", "duckdb", "qrels", f"named{HOSTILE}"],
        *(["evaluate", "qrels", "run", "run", "-q", "-f", name] for name in ("table", "json", "markdown", "latex")),
    ],
)  # fmt: skip
def test_nothing_that_is_printed_controls_a_terminal(folder, arguments):
    (folder / "text.parquet").write_text(f"{HOSTILE}\n")
    (folder / f"named{HOSTILE}").write_text((folder / "run").read_text())
    done = completed(*arguments, cwd=folder)
    assert_harmless(done.stdout)
    assert_harmless(done.stderr)
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr
    if done.returncode == 2:
        measure_in_text = "-m" in arguments or arguments[0] == "measures"
        assert done.stderr.count("\n") == (3 if measure_in_text else 1)


@for_each(
    "command",
    [
        ["evaluate", "qrels", "run", "-q", "-f", "csv"],
        ["evaluate", "qrels", "run", "-q", "-f", "csv", "--raw-ids"],
        ["evaluate", "qrels", "run", "-q", "-f", "trec_eval"],
        ["evaluate", "qrels", "run", "-f", "csv", "--slices", "slices.csv"],
        ["compare", "qrels", "run", "run", "-f", "csv"],
        ["pool", "run", "-f", "csv"],
        ["pool", "run", "-f", "tsv"],
        ["fuse", "run", "run", "-f", "csv"],
        ["merge-qrels", "qrels", "-f", "csv"],
        ["trec_eval", "-q", "qrels", "run"],
    ],
    ids=" ".join,
)
def test_data_are_escaped_on_a_terminal_and_unchanged_in_a_pipe(folder, monkeypatch, command):
    monkeypatch.chdir(folder)
    Path("slices.csv").write_text(f"query,kind\n{HOSTILE},{HOSTILE}\nq2,other\n", encoding="utf-8")
    on_terminal = shown(*command)
    assert_harmless(on_terminal)
    assert ESCAPED in on_terminal
    piped = printed(*command)
    assert HOSTILE in piped
    assert ESCAPED not in piped


def test_ids_are_shown_with_escapes(folder):
    scores = rankgold.evaluate(folder / "qrels", folder / "run", ["ap"])
    assert ESCAPED in str(scores)
    assert HOSTILE in scores.to_csv()
    assert f"\t{HOSTILE}\t" in scores.to_trec_eval(per_query=True)
    with pytest.raises(rankgold.UnknownQueryError) as caught:
        rankgold.explain(folder / "qrels", folder / "run", "ap", "typo")
    assert ESCAPED.replace("\u200b", "u200b").replace("\\", "") in str(caught.value).replace("\\", "")
    assert str(caught.value).isprintable()


def test_json_has_the_ids_unchanged(folder):
    text = rankgold.evaluate(folder / "qrels", folder / "run", ["ap"]).to_json()
    assert_harmless(text)
    assert json.loads(text)["runs"][HOSTILE]["per_query"][HOSTILE] == {"ap": 1.0}


def test_csv_has_the_ids_unchanged_if_asked(folder, monkeypatch):
    monkeypatch.chdir(folder)
    wanted = [["run", "query", "ap"], [HOSTILE, HOSTILE, "1.0"], [HOSTILE, "q2", "1.0"]]
    text = printed("evaluate", "qrels", "run", "-m", "ap", "-q", "-f", "csv", "--raw-ids")
    assert list(csv.reader(io.StringIO(text, newline=""))) == wanted
    with pytest.raises(rankgold.DataError, match="--raw-ids is for CSV"):
        run(["evaluate", "qrels", "run", "--raw-ids"])


def test_every_command_that_prints_csv_has_the_ids_unchanged_if_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("=q 0 =d 1\n")
    Path("=a").write_text("=q Q0 =d 1 2 =a\n=q Q0 =e 2 1 =a\n")
    Path("b").write_text("=q Q0 =e 1 2 b\n=q Q0 =d 2 1 b\n")
    both = ["qrels", "=a", "b", "-m", "rr"]
    for command in (
        ["compare", *both],
        ["diff", *both],
        ["what-if", "qrels", "=a", "--move", "=q", "=d", "2", "-m", "rr"],
        ["power", *both],
        ["judge-next", *both],
        ["pool", "=a", "b"],
        ["expect", "qrels", "=a", "-m", "rr"],
        ["evaluate", *both, "--bounds"],
        ["evaluate", *both, "--ci"],
        ["similarity", "=a", "b", "-q"],
        ["exposure", "=a", "-q", "-m", "fill@2"],
    ):
        safe, raw = printed(*command, "-f", "csv"), printed(*command, "-f", "csv", "--raw-ids")
        assert "'=" in safe, command
        assert raw == safe.replace("'=", "="), command
        with pytest.raises(rankgold.DataError, match="--raw-ids is for CSV"):
            run([*command, "-f", "json", "--raw-ids"])


FORMULAS = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1",
    "＋1",
    "－1",
    "＠x",
    "--1",
    "-1x",
    "'=1+1",
    "''@x",
    "'\t=1",
]
HARMLESS = [
    "\\x1b",
    "\x1b",
    "\xa0",
    "\u200d",
    "a\nb",
    "-1",
    "+2.5",
    "-1e-5",
    "-.5",
    "q1",
    "a=b",
    "'x",
    "1-2",
    "",
    " =1",
    "中文",
]


@for_each("name", [*FORMULAS, *HARMLESS])
def test_csv_has_an_apostrophe_before_what_a_spreadsheet_takes_for_a_formula(name):
    scores = rankgold.evaluate({name: {"d": 1}}, {name: {name: {"d": 1}}, "other": {name: {"d": 1}}}, ["ap"])
    for text in (scores.to_csv(), scores.to_csv(per_query=True)):
        first = next(iter(list(csv.reader(io.StringIO(text, newline="")))[1:]))
        assert first[0] == (f"'{name}" if name in FORMULAS else name)
        assert name_of_field(first[0]) == name
        assert [
            cell for cell in first if cell[:1] in tuple("=+-@\t\r\n＝＋－＠") and not re.fullmatch(r"[-+.\de]+", cell)
        ] == []
    raw = list(csv.reader(io.StringIO(scores.to_csv(per_query=True, raw_ids=True), newline="")))
    assert raw[1:] == [[name, name, "1.0"], ["other", name, "1.0"]]


# A no-break space and the joiners of emoji and Persian are part of an id; Python calls them not printable.
KEPT = [
    "a\xa0b",
    "\u3000",
    "👩\u200d🔬",
    "می\u200cخواهم",
    "\u200b",
    "\u00ad",
    "\ue000",
    "\U0001fbff",
    r"C:\runs\new\up",
    "a\\b",
]


@for_each("name", KEPT)
def test_what_does_no_harm_is_shown_as_it_is(name):
    assert [show(name) for show in (plain, plain_lines, one_field)] == [name] * 3
    scores = rankgold.evaluate({name: {"d": 1}}, {name: {"d": 1}}, ["ap"])
    assert scores.to_csv(per_query=True).split("\n")[1] == f"run,{name},1.0"
    assert name in scores.to_html(per_query=True)
    assert f'"{name}"'.replace("\\", "\\\\") in scores.to_json()


@pytest.mark.parametrize("show", [plain, plain_lines, one_field])
def test_different_texts_stay_different_in_all_outputs(show):
    pieces = ["\\", "x", "u", "0", "b", "\x0b", "\n", "\u2028"]
    texts = ["".join(text) for length in range(6) for text in itertools.product(pieces, repeat=length)]
    assert len({show(text) for text in texts}) == len(texts)


def test_different_ids_stay_different_in_csv_and_are_read_back():
    pieces = ["'", "=", "-", "1", "\t", "\n", '"', ",", "\xa0", r"\xa0", "\u200d"]
    names = ["".join(name) for length in range(1, 4) for name in itertools.product(pieces, repeat=length)]
    text = csv_table(ResultTable(["run"], [[name] for name in names], "l"))
    fields = [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:]
    assert [name_of_field(field) for field in fields] == names
    assert len(set(fields)) == len(names)


def test_a_text_that_looks_like_an_escape_is_told_from_it():
    assert (plain("\x1b"), plain(r"\x1b"), plain("\\\x1b")) == (r"\x1b", r"\\x1b", r"\\\x1b")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_gives_no_formula_to_a_spreadsheet_that_splits_at_other_characters(separator):
    name = f"a{separator}=1"
    text = rankgold.evaluate({"q": {"d": 1}}, {name: {"q": {"d": 1}}, "b": {"q": {"d": 1}}}, ["ap"]).to_csv()
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
    assert not any(cell.startswith("=") for cell in cells)


def test_a_caret_points_at_its_place_after_escapes():
    with pytest.raises(rankgold.MeasureError) as caught:
        rankgold.parse_measure("ndcg(gain=\x1bcubic)@10")
    message, text, caret = str(caught.value).split("\n")
    assert text == r"  ndcg(gain=\x1bcubic)@10"
    assert text[caret.index("^") :].startswith(r"\x1bcubic")
    assert message.isprintable()


def test_a_message_of_duckdb_is_one_harmless_line():
    with duckdb.connect() as connection, pytest.raises(rankgold.DataError) as caught:
        rankgold.sql.run(f"select nosuch, '{HOSTILE}' from t", connection, {"t": [{"x": 1}]})
    assert str(caught.value).isprintable()


def all_errors(kind=errors.RankgoldError):
    yield kind
    for below in kind.__subclasses__():
        yield from all_errors(below)


MADE = {
    errors.DataError: lambda: errors.DataError("wrong", "file\n:3"),
    errors.MatchError: lambda: errors.MatchError("wrong", "file:3"),
    errors.MeasureError: lambda: errors.MeasureError("wrong", "ndcg(x)", 5),
    errors.MissingDependency: lambda: errors.MissingDependency("DuckDB", "duckdb"),
}


@for_each("kind", list(all_errors()))
@for_each("copied", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
def test_every_error_can_be_sent_to_another_process(kind, copied):
    error = MADE.get(kind, lambda: kind("wrong"))()
    error.add_note("while testing")
    same = copied(error)
    assert type(same) is kind
    assert (str(same), same.args, vars(same)) == (str(error), error.args, vars(error))
    assert same.__notes__ == ["while testing"]
    if isinstance(error, errors.DataError):
        assert same.place == error.place
        assert same.place.startswith("file")


def test_the_name_of_a_run_that_is_not_text_is_reported():
    scores = rankgold.evaluate({"q": {"d": 1}}, {"a\ud800": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}, ["ap"])
    with pytest.raises(rankgold.DataError, match=r"a run is 'a\\ud800', which is not text: half of a UTF-16 character"):
        scores.per_query  # noqa: B018
