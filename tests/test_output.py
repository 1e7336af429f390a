"""Outputs: what each one makes of a document, and that columns are aligned whatever the script of the ids."""

import re

import pytest

import rankgold
from rankgold.cli import evaluation_commands
from rankgold.core.document import Document, ResultTable, plain
from rankgold.present.outputs import outputs
from rankgold.present.outputs.html import html_document, html_page, stylesheet
from rankgold.present.outputs.text import text_document
from rankgold.present.terminal import terminal_document
from rankgold.scoring.score_document import score_document
from tests.cases import for_each
from tests.shell import printed

CONTENTS = {
    "document": lambda document: document,
    "tables": lambda document: document.tables_alone,
    "table": lambda document: document.tables_alone[0],
}
TABLE = ResultTable(
    header=["run", "a_b"],
    rows=[["x|<y>", 0.5], ["z", float("nan")]],
    alignment="lr",
    strong=frozenset({(0, 1)}),
    caption="All:",
    digits=2,
)
DOCUMENT = Document([TABLE], title="T*", formula="a < b\n    = c", facts=[("sum", "1 | 2")], notes=["a note"])
# The columns of a terminal that each takes. The accent of café and the skin colour of the thumb are characters of
# their own, and take none.
WIDTHS = {"中文": 4, "日本語": 6, "cafe\u0301": 4, "🍲": 2, "👍\N{EMOJI MODIFIER FITZPATRICK TYPE-4}": 2, "ab": 2}
QRELS = {"q": dict.fromkeys(WIDTHS, 1)}
RUN = {"q": {name: -rank for rank, name in enumerate(WIDTHS)}}


@for_each(
    ("output", "expected"),
    [
        ("text", "T*\n\na < b\n    = c\n\nAll:\nrun     a_b\nx|<y>  0.50*\nz         –\n\nsum  1 | 2\n\na note\n"),
        (
            "markdown",
            "### T\\*\n\n```\na < b\n    = c\n```\n\nAll:\n\n| run | a\\_b |\n| --- | ---: |\n"
            "| x\\|&lt;y&gt; | **0.50** |\n| z | – |\n\n- **sum**: 1 \\| 2\n",
        ),
        (
            "latex",
            "\\begin{table}\n\\centering\n\\begin{tabular}{lr}\n\\toprule\nrun & a\\_b \\\\\n\\midrule\n"
            "x\\textbar{}\\textless{}y\\textgreater{} & \\textbf{0.50} \\\\\nz & -- \\\\\n\\bottomrule\n\\end{tabular}\n"
            "\\caption{All:}\n\\end{table}\n",
        ),
        (
            "html",
            '<h3>T*</h3>\n<pre class="formula">a &lt; b\n    = c</pre>\n<p>All:</p>\n'
            '<div class="scroll"><table><thead><tr><th scope="col" class="left">run</th><th scope="col">a_b</th></tr></thead>'
            '<tbody><tr><td class="left">x|&lt;y&gt;</td><td><strong>0.50</strong></td></tr>'
            '<tr><td class="left">z</td><td>–</td></tr></tbody></table></div>\n'
            '<dl class="facts"><dt>sum</dt><dd>1 | 2</dd></dl>\n<ul class="notes"><li>a note</li></ul>\n',
        ),
        ("csv", "run,a_b\nx|<y>,0.5\nz,\n"),
    ],
)
def test_a_document_in_each_output(output, expected):
    assert written(DOCUMENT)[output] == expected


def written(document):
    """What each output of documents and tables makes of one; of a page, what is in its body."""
    made = [known for known in outputs() if known.made_of in CONTENTS]
    return {known.name: in_page(known.write(CONTENTS[known.made_of](document))) for known in made}


def test_documents_that_follow_are_written_below_with_their_own_titles():
    both = Document([], title="A", following=[Document([ResultTable(["x"], [["1"]], "l")], title="B")])
    texts = written(both)
    assert texts["text"] == "A\n\nB\n\nx\n1\n"
    assert texts["markdown"] == "### A\n\n### B\n\n| x |\n| --- |\n| 1 |\n"
    assert texts["html"].count("<h3>") == 2
    assert terminal_document(both, 80, colour=False) == texts["text"]


def test_latex_has_the_tables_for_it_or_the_facts_of_a_document_without_tables():
    shown, alone = (ResultTable(["x"], [[name]], "l") for name in ("shown", "alone"))
    assert [table.rows for table in Document([shown], alone=[alone]).tables_alone] == [[["alone"]]]
    facts = Document([], title="T", facts=[("sum", "1")])
    lines = outputs_by_name()["latex"].write(facts.tables_alone).splitlines()
    assert lines[2] == r" & T \\"
    assert r"sum & 1 \\" in lines


def outputs_by_name():
    return {known.name: known for known in outputs()}


def in_page(text):
    """What is in the body of a page; other texts unchanged."""
    return text.partition("<main>\n")[2].partition("</main>")[0] or text


def test_a_page_follows_the_system_and_a_fragment_keeps_its_style_to_itself():
    page, fragment = html_page(DOCUMENT), html_document(DOCUMENT)
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>T*</title>" in page
    assert '<meta name="color-scheme" content="light dark">' in page
    assert fragment.startswith('<div class="rankgold">\n<style>')
    assert in_page(page) in fragment
    rules = re.sub(r"/\*.*?\*/", "", stylesheet(), flags=re.DOTALL)
    selectors = [part.strip() for rule in re.findall(r"([^{}]+)\{", rules) for part in rule.split(",")]
    assert [selector for selector in selectors if not selector.startswith(".rankgold")] == []


def test_a_document_that_is_only_a_table():
    alone = Document([ResultTable(["run"], [["x"]], "l")])
    assert written(alone) == {
        "text": "run\nx\n",
        "csv": "run\nx\n",
        "markdown": "| run |\n| --- |\n| x |\n",
        "latex": "\\begin{tabular}{l}\n\\toprule\nrun \\\\\n\\midrule\nx \\\\\n\\bottomrule\n\\end{tabular}\n",
        "html": '<div class="scroll"><table><thead><tr><th scope="col" class="left">run</th></tr></thead>'
        '<tbody><tr><td class="left">x</td></tr></tbody></table></div>\n',
    }


def test_control_characters_are_escaped_and_all_others_are_not():
    assert plain("a\x1b[31m\n\u202e") == "a\\x1b[31m\\x0a\\u202e"
    assert [plain(name) for name in WIDTHS] == list(WIDTHS)


def test_the_command_line_offers_what_is_registered():
    assert "  -f, --format table|json|csv|markdown|latex|html|trec_eval\n" in printed("evaluate", "--help")
    assert "  -f, --format text|markdown|html|json\n" in printed("explain", "--help")
    assert set(evaluation_commands.FORMATS) == {"table", "trec_eval", *(known.name for known in outputs()[1:])}


def without_colour(text):
    return re.sub(r"\x1b\[[\d;]*m", "", text)


@pytest.fixture
def scores():
    """Six runs, each with a name of WIDTHS, and a query of the same name; their average precision is 1."""
    qrels = {name: {"d": 1} for name in WIDTHS}
    return rankgold.evaluate(qrels, dict.fromkeys(WIDTHS, qrels), ["ap"])


@pytest.mark.parametrize("write", [str, lambda scores: text_document(score_document(scores))], ids=["str", "document"])
def test_scores_are_aligned(scores, write):
    lines = write(scores).splitlines()
    assert lines[0] == "run         ap"
    assert lines[1:] == [name + " " * (6 - width) + "  1.0000*" for name, width in WIDTHS.items()]


def test_digits_are_below_each_other_beside_marks():
    text = text_document(Document([ResultTable(["run", "ap"], [["a", 0.5], ["b", 0.25]], "lr", frozenset({(0, 1)}))]))
    assert text == "run      ap\na    0.5000*\nb    0.2500\n"


def test_scores_of_queries_are_aligned(scores):
    first, *lines = text_document(score_document(scores, per_query=True)).splitlines()[:-7]
    assert first == "run     query       ap"
    padded = [name + " " * (6 - width) for name, width in WIDTHS.items()]
    assert lines == [f"{run}  {query}  1.0000" for run in padded for query in padded]


def test_scores_are_aligned_on_a_terminal(scores):
    lines = without_colour(terminal_document(score_document(scores), 80, colour=True)).splitlines()
    assert lines[0] == "run         ap"
    assert lines[1:] == [name + " " * (6 - width) + "  1.0000" for name, width in WIDTHS.items()]


def test_explanations_are_aligned():
    lines = str(rankgold.explain(QRELS, RUN, "ap", "q")).splitlines()[4:11]
    assert lines[0] == "rank  document  grade          term  running sum"
    for rank, (line, (name, width)) in enumerate(zip(lines[1:], WIDTHS.items(), strict=True), 1):
        document = name + " " * (len("document") - width)
        assert line == f"   {rank}  {document}      1  {rank}/{rank} = 1.0000       {rank}.0000"


@pytest.mark.parametrize("format_", ["csv", "markdown", "latex", "html", "json"])
def test_names_in_any_script_are_unchanged_in_outputs_that_are_not_aligned(scores, format_):
    text = getattr(scores, f"to_{format_}")(per_query=True)
    assert all(name in text for name in WIDTHS)


def test_terminal_output_holds_notes_and_strong_cells():
    text = terminal_document(DOCUMENT, 80, colour=True)
    assert "\x1b[1;32m0.50\x1b[0m" in text
    assert without_colour(text) == text_document(DOCUMENT).replace("0.50*", "0.50")


def test_explanations_at_the_command_line_are_separated_by_a_blank_line(tmp_path):
    (tmp_path / "qrels").write_text("q 0 中文 1\n")
    (tmp_path / "run").write_text("q Q0 中文 1 1 x\n")
    text = printed("explain", str(tmp_path / "qrels"), str(tmp_path / "run"), "--query", "q", "-m", "ap,rr")
    assert text.count("   1  中文          1  ") == 2
    assert "value  1.0000 / 1 = 1.0000\n\nrr of query q in x: 1.0000\n" in text
