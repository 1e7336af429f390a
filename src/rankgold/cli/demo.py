"""`rankgold demo`: no input; the sample data evaluated, and one score explained, out."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from shlex import quote

from rankgold.cli.destination import write
from rankgold.cli.parser import Parser
from rankgold.output.document import Document
from rankgold.output.text import shown_document

_MEASURES = ["ndcg@10", "ap", "rr", "p@5", "r@20"]
EXPLAINED = "q18"
_RUNS = ("titles", "bm25", "expanded")
USAGE = "[OPTIONS]"
EXAMPLE = "Example: rankgold demo"


def add_arguments(parser: Parser) -> None:
    parser.add_argument("--path", action="store_true", help="Print only the directory of the sample files.")


def run(options: Namespace) -> None:
    from rankgold.samples import path as sample

    if options.path:
        write(f"{sample('qrels.txt').parent}\n", None)
        return
    write(demonstration(), None)


def demonstration(write_document: Callable[[Document], str] = shown_document) -> str:
    """The scores of the sample data, the explanation of one score, and commands to try next."""
    from rankgold.explanation.explanation_document import explanation_document
    from rankgold.samples import path as sample
    from rankgold.scoring import evaluate, explain
    from rankgold.scoring.score_document import score_document

    runs = [sample(f"{name}.trec") for name in _RUNS]
    scores = evaluate(sample("qrels.txt"), runs, _MEASURES)
    explanation = explain(sample("qrels.txt"), sample("bm25.trec"), measure="ap", query=EXPLAINED)
    program = _program()
    files = f'"$({program} demo --path)"'
    parts = [
        f"Three search systems on {len(scores['bm25'].per_query)} queries of a cooking site, judged from 0 to 3:",
        "",
        write_document(score_document(scores)),
        f"Where a number comes from: query {EXPLAINED}, {_text_of(EXPLAINED)!r}, as bm25 ranks it.",
        "",
        write_document(explanation_document(explanation, 4)),
        "Try next:",
        f"  {program} evaluate {files}/qrels.txt {files}/*.trec -m ndcg@10,err@10 --sort ndcg@10",
        f"  {program} explain {files}/qrels.txt {files}/expanded.trec -m ndcg@10 --query {EXPLAINED}",
        f"  {program} measures ndcg",
        f"  {program} evaluate YOUR_QRELS YOUR_RUN",
        "",
    ]
    return "\n".join(parts)


def _program() -> str:
    """The command for this program: its name if the shell finds it, else its path."""
    from shutil import which

    called = os.path.abspath(sys.argv[0])
    if not os.path.basename(called).startswith("rankgold"):  # python -m rankgold
        return f"{quote(sys.executable)} -m rankgold"
    found = os.path.realpath(which("rankgold") or "").removesuffix(".exe")
    if found == os.path.realpath(called).removesuffix(".exe"):
        return "rankgold"
    return quote(called.removeprefix(os.path.join(os.getcwd(), "")))


def _text_of(query: str) -> str:
    from rankgold.samples import path as sample

    lines = sample("queries.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t") for line in lines)[query]
