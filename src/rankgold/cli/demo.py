"""`rankgold demo`: no input; the sample data evaluated, and one score explained, out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli.destination import in_colour, write
from rankgold.cli.parser import Parser

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
    write(demonstration(colour=in_colour()), None)


def demonstration(*, colour: bool = False) -> str:
    """The scores of the sample data, the explanation of one score, and commands to try next."""
    from rankgold.cli.evaluate import scores_text
    from rankgold.evaluation import evaluate
    from rankgold.explanation import explain
    from rankgold.samples import path as sample

    runs = [sample(f"{name}.trec") for name in _RUNS]
    scores = evaluate(sample("qrels.txt"), runs, _MEASURES)
    explanation = explain(sample("qrels.txt"), sample("bm25.trec"), measure="ap", query=EXPLAINED)
    files = '"$(rankgold demo --path)"'
    parts = [
        f"Three search systems on {len(scores['bm25'].per_query)} queries of a cooking site, judged from 0 to 3:",
        "",
        scores_text(scores, "table", False, colour=colour),
        f"Where a number comes from: query {EXPLAINED}, {_text_of(EXPLAINED)!r}, as bm25 ranks it.",
        "",
        str(explanation),
        "",
        "Try next:",
        f"  rankgold evaluate {files}/qrels.txt {files}/*.trec -m ndcg@10 -m err@10 --per-query",
        f"  rankgold explain {files}/qrels.txt {files}/expanded.trec -m ndcg@10 --query {EXPLAINED}",
        "  rankgold measures ndcg",
        "  rankgold evaluate YOUR_QRELS YOUR_RUN",
        "",
    ]
    return "\n".join(parts)


def _text_of(query: str) -> str:
    from rankgold.samples import path as sample

    lines = sample("queries.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t") for line in lines)[query]
