"""Tables and text on terminals of any width: nothing is cut off, nothing is wider than the terminal."""

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

import rankgold
from rankgold.core.document import Document, ResultTable
from rankgold.data.files import sample
from rankgold.present.terminal import fold, hanging, terminal_document
from tests.cases import for_each
from tests.shell import printed, shown

SAMPLES = [str(sample(name)) for name in ("qrels.txt", "titles.trec", "bm25.trec", "expanded.trec")]
TEN = ["ndcg@5", "ndcg@10", "ndcg@20", "ap", "rr", "p@5", "p@10", "r@100", "err@10", "mr"]


def means(names, measures=TEN):
    """A table of means: row i, column j has the value i + j/100."""
    rows = [[name, *(i + j / 100 for j in range(len(measures)))] for i, name in enumerate(names)]
    return ResultTable(["run", *measures], rows, "l" + "r" * len(measures), keys=1, columns_are="measure")


def lines(table, width):
    return terminal_document(Document([table]), width, colour=False).splitlines()


def test_a_table_that_fits_is_shown_as_it_is():
    assert lines(means(["a", "b"], ["ap", "rr"]), 19) == [
        "run      ap      rr", "a    0.0000  0.0100", "b    1.0000  1.0100"
    ]  # fmt: skip


def test_a_table_of_few_runs_is_turned_round():
    # One column less than needed.
    assert lines(means(["a", "b"], ["ap", "rr", "p@5"]), 26) == [
        "measure       a       b", "ap       0.0000  1.0000", "rr       0.0100  1.0100", "p@5      0.0200  1.0200"
    ]  # fmt: skip


def test_a_table_of_many_runs_is_shown_in_blocks_of_measures():
    # The names take 4 columns, and each measure takes 8: two of them fit into 20 columns.
    table = means(["run1", "run2", "run3"], ["ap", "rr", "p@5"])
    assert lines(table, 20) == [
        "run       ap      rr", "run1  0.0000  0.0100", "run2  1.0000  1.0100", "run3  2.0000  2.0100",
        "",
        "run      p@5", "run1  0.0200", "run2  1.0200", "run3  2.0200",
    ]  # fmt: skip


def test_a_long_name_takes_half_of_the_width_and_continues_on_the_next_line():
    # Half of 31 is 15, as long as "dense-retriever", and each measure takes 8 columns: 15 + 2 * 8.
    table = means(["dense-retriever-of-2024-tuned", *"bcdef"], ["ap", "rr"])
    assert lines(table, 31)[:4] == [
        "run                  ap      rr", "dense-retriever  0.0000  0.0100", "-of-2024-tuned", "b                1.0000  1.0100"
    ]  # fmt: skip


def test_a_long_measure_is_broken_at_words():
    table = means(list("abcdef"), ["ndcg(gain=exp, discount=zipf(1, 0.5))@10"])
    assert lines(table, 24)[:4] == [
        "run    ndcg(gain=exp,", "     discount=zipf(1,", "             0.5))@10", "a              0.0000",
    ]  # fmt: skip


def test_names_in_wide_characters_are_aligned_in_every_block():
    # 中文 and 🍲🍲 take 4 columns of a terminal each.
    assert lines(means(["中文", "🍲🍲", "abcd"], ["ap", "rr", "p@5"]), 20)[5:] == [
        "run      p@5", "中文  0.0200", "🍲🍲  1.0200", "abcd  2.0200"
    ]  # fmt: skip


@given(
    st.lists(st.text("ab-中🍲é", min_size=1, max_size=70), min_size=1, max_size=6, unique=True),
    st.integers(1, 12),
    st.integers(20, 130),
)
def test_no_line_is_too_wide_and_no_number_is_lost(names, n_measures, width):
    shown_lines = lines(means(names, [f"ndcg@{j}" for j in range(1, n_measures + 1)]), width)
    assert max(map(cell_len, shown_lines)) <= width
    numbers = re.findall(r"(?<!\S)\d\.\d{4}(?!\S)", "\n".join(shown_lines))
    assert sorted(numbers) == sorted(f"{i + j / 100:.4f}" for i in range(len(names)) for j in range(n_measures))
    letters = "".join(shown_lines)
    assert all(letters.count(letter) >= "".join(names).count(letter) for letter in "ab中🍲é")


@given(st.text("ab -_é中🍲", max_size=60), st.integers(2, 30))
def test_folded_text_fits_and_keeps_every_character(text, width):
    parts = fold(text, width)
    assert max(map(cell_len, parts)) <= width
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")


def test_text_is_broken_at_words_and_long_words_after_a_hyphen():
    assert fold("one two three", 8) == ["one two", "three"]
    assert fold("a very-long-identifier", 12) == ["a", "very-long-", "identifier"]
    assert fold("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert hanging("note: one two three", 14) == ["note: one two", "  three"]
    assert hanging("  name  one two three", 16, 8) == ["  name  one two", "        three"]


@pytest.mark.parametrize("width", [1, 0, -3])
def test_a_text_is_folded_even_where_no_width_is_left(width):
    assert fold("", width) == [""]
    assert fold("a bc", width) == ["a", "b", "c"]


@for_each("columns", [40, 60, 80, 200])
@for_each(
    "arguments",
    [
        ["evaluate", *SAMPLES, "-m", ",".join(TEN)],
        ["evaluate", *SAMPLES, "-m", ",".join(TEN), "--per-query"],
        ["explain", *SAMPLES[:2], "-q", "q18", "-m", "ndcg@10,err"],
        ["measures"], ["measures", "ndcg"], ["measures", "--for", "web"],
        ["--help"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[-1:]),
)  # fmt: skip
def test_commands_fit_the_terminal_and_lose_no_word(arguments, columns):
    piped, on_terminal = printed(*arguments), shown(*arguments, columns=columns)
    # An option or an example in help, and a number, cannot be broken.
    widest = max(cell_len(line) for line in on_terminal.splitlines() if "  --" not in line)
    assert widest <= columns
    is_folded = arguments[0] in ("explain", "measures") and columns == 40  # ids of documents, and long names
    if arguments[0] != "--help" and not is_folded:
        assert set(piped.split()) - set(on_terminal.split()) <= {"run"}


@pytest.mark.parametrize("columns", [60, 80])
def test_every_mean_of_ten_measures_is_shown_in_full(columns):
    scores = rankgold.evaluate(SAMPLES[0], SAMPLES[1:], TEN)
    on_terminal = shown("evaluate", *SAMPLES, "-m", ",".join(TEN), columns=columns, colour=True)
    for run in scores.runs:
        assert run in on_terminal
        for measure in TEN:
            assert f"{scores[run][measure]:.4f}" in on_terminal


def test_explain_measures_and_help_are_in_colour_on_a_terminal_only():
    for arguments in (["explain", *SAMPLES[:2], "-q", "q18"], ["measures"], ["measures", "ap"], ["plan", "--help"]):
        assert "\x1b[1m" in shown(*arguments, colour=True)
        assert "\x1b" not in shown(*arguments)  # NO_COLOR
        assert "\x1b" not in printed(*arguments)
    assert "\x1b[36m-q, --per-query\x1b[0m" in shown("evaluate", "--help", colour=True)
    assert re.search(r"\x1b\[36mndcg *\x1b\[0m +DCG divided", shown("measures", colour=True))


def test_a_dumb_terminal_gets_no_colour(monkeypatch):
    from rankgold.present import terminal
    from rankgold.present.outputs import text

    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(text.sys.stdout, "isatty", lambda: True, raising=False)
    assert not terminal.in_colour()


def test_the_best_run_is_marked_without_colours():
    lines_of_runs = shown("evaluate", *SAMPLES, "-m", "ndcg@10", "--quiet").splitlines()
    assert lines_of_runs[0].rstrip() == "run       ndcg@10"
    assert [line[-1] == "*" for line in lines_of_runs[1:]] == [False, False, True]


def test_scores_in_a_python_session_fit_the_terminal(monkeypatch):
    scores = rankgold.evaluate(SAMPLES[0], SAMPLES[1:], TEN)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    assert str(scores).startswith("measure  titles     bm25  expanded\n")
    assert max(map(len, str(scores).splitlines())) <= 60


def test_rich_prints_scores_no_wider_than_its_console():
    console = Console(width=50, record=True, file=io.StringIO())
    console.print(rankgold.evaluate(SAMPLES[0], SAMPLES[1:], TEN))
    text = console.export_text()
    assert text.startswith("measure  titles    bm25  expanded\nndcg@5   0.3415  ")


def test_the_width_of_a_real_terminal_is_used():
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 50, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "rankgold", "evaluate", *SAMPLES, "-m", ",".join(TEN)]
    process = subprocess.Popen(command, stdout=follower, stderr=follower, env={**environment, "TERM": "xterm"})
    os.close(follower)
    text = b""
    try:
        while part := os.read(leader, 4096):
            text += part
    except OSError:  # what Linux says when the other side is closed
        pass
    os.close(leader)
    assert process.wait() == 0
    plain = re.sub(r"\x1b\[[\d;]*m", "", text.decode())
    assert plain.splitlines()[0] == "measure  titles    bm25  expanded"
    assert max(map(len, plain.splitlines())) <= 50
