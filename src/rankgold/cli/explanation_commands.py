"""Describes explain, measures and demo."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from shlex import quote
from typing import TYPE_CHECKING, Any

from rankgold.cli import shared_options
from rankgold.cli.command import add_options, add_output_options, engine_keywords, keywords
from rankgold.cli.console import write
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.core.document import Document, ResultTable
from rankgold.core.errors import DataError
from rankgold.measures.suites import SUITES, find_suite
from rankgold.present.outputs import find_output
from rankgold.present.outputs.text import shown_document, terminal_width
from rankgold.scoring import evaluate, explain, match

if TYPE_CHECKING:
    from rankgold.core.result import Result
    from rankgold.measures.metric import Metric
    from rankgold.scoring.scores import Scores


EXPLAIN_USAGE = "[OPTIONS] QRELS [RUN] --query QUERY"
EXPLAIN_EXAMPLE = example_on_samples("rankgold explain qrels.txt bm25.trec -m ap --query q18")


def add_explain_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input(
        "run",
        metavar="RUN",
        nargs="?",
        help="The run, in the same formats; leave it out if QRELS is a table with grades and scores.",
    )
    add_options(parser, explain)
    add_output_options(parser, shared_options.TEXT_FORMATS)


def run_explain(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.core.policy import Policy
    from rankgold.measures.notation import parse_in_dialect

    format_ = shared_options.chosen_format(options, shared_options.TEXT_FORMATS)
    data, chosen = keywords(options, match), keywords(options, explain)
    dialect, of = data.get("policy", Policy()).dialect, {"query": options.query, "rel": data.pop("rel", None)}
    given: list[dict[str, Any]] = [{"measure": parse_in_dialect(name, dialect)} for name in chosen.get("measure", ())]
    with engine_keywords(options) as engine, progress_bar(1, options.quiet) as progress:
        progress("reading and matching", 0.0, 0)
        hits = match(options.qrels, options.run, **data, **engine)
        explanations = [explain(hits, **of, **measure) for measure in given or [{}]]
    write(explanations_text(explanations, format_, options), options.output)


def explanations_text(explanations: Sequence[Result], format_: str, options: Namespace) -> str:
    """Explanations one after the other, in one of the formats; in JSON, in one list."""
    chosen = find_output(format_)
    if chosen.for_machines:
        return chosen.write({"explanations": [explanation.to_dict() for explanation in explanations]})
    first, *others = (explanation.document(shared_options.chosen_digits(options)) for explanation in explanations)
    return shared_options.document_text(replace(first, following=others), format_, options)


def list_explanations_text(scores: Scores, query: object, format_: str, options: Namespace) -> str:
    """What `--explain` of exposure and similarity prints for every measure and run, of a query or user, or all lists.

    An error for options that do not fit.
    """
    if options.per_query:
        raise DataError("--per-query and --explain cannot be combined: --explain prints one query.")
    formats = ["table", *shared_options.TEXT_FORMATS[1:]]
    if format_ not in formats:
        raise DataError(f"--explain does not support the format {format_}. Choose one of {', '.join(formats)}.")
    explained = [scores.explain(query, measure, run=run) for measure in scores.measures.values() for run in scores.runs]
    return explanations_text(explained, format_, options)


MEASURES_USAGE = "[NAME | --for SUITE] [-f json]"
MEASURES_EXAMPLE = "Examples: rankgold measures ndcg\n          rankgold measures --for autocomplete"


def add_measures_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="The measure to describe, by any of its names.")
    situations = ", ".join(SUITES)
    parser.add_argument(
        "--for", dest="suite", metavar="SUITE", help=f"Show the measures for a situation: {situations}."
    )
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help="Default: text.")


def run_measures(options: Namespace) -> None:
    chosen = find_output(options.format)
    if chosen.for_machines:
        write(chosen.write(_content(options)), None)
    elif (suite := _suite_called(options)) is not None:
        write(shown_document(_suite_document(suite)), None)
    elif options.name is None:
        write(shown_document(_all_measures()), None)
    else:
        write("\n".join(map(_description, _metrics_called(options.name))), None)


def _suite_called(options: Namespace) -> str | None:
    """The suite that the options name: `--for rag`, or `@rag` in place of a measure."""
    if options.suite is not None:
        return str(options.suite)
    return options.name if (options.name or "").startswith("@") else None


def _content(options: Namespace) -> dict[str, Any]:
    """The requested content, for JSON."""
    from rankgold.measures.description import as_dict
    from rankgold.measures.registry import FAMILIES

    if (suite := _suite_called(options)) is not None:
        return {"suite": asdict(find_suite(suite))}
    everything = [metric for family in FAMILIES.values() for metric in family.all()]
    wanted = everything if options.name is None else _metrics_called(options.name)
    return {"measures": [as_dict(metric) for metric in wanted]}


def _metrics_called(name: str) -> list[Metric]:
    """The metrics of this name, at most one of each family; an error if there is none."""
    from rankgold.measures.notation import is_measure, parse_measure
    from rankgold.measures.registry import FAMILIES

    known = [family for family in FAMILIES.values() if family.all() and is_measure(name, family)]
    return [parse_measure(name, family).metric for family in known or [FAMILIES["measures"]]]


def _all_measures() -> Document:
    """All measures of each family, under the questions that they answer."""
    from rankgold.measures.description import by_question
    from rankgold.measures.registry import FAMILIES

    tables = [
        ResultTable(
            (),
            [[metric.name, metric.summary] for metric in group],
            "ll",
            caption=question if family.function == "evaluate" else f"{question} (rankgold {family.function})",
        )
        for family in FAMILIES.values()
        for question, group in by_question(family.all()).items()
    ]
    suites = ", ".join(f"@{name}" for name in SUITES)
    facts = [("Suites:", suites), ("In full:", "rankgold measures ndcg, rankgold measures --for autocomplete")]
    return Document(tables, title="Measures, by the question they answer", facts=facts)


def _suite_document(name: str) -> Document:
    """A suite in full: its situation, its measures with the reasons, what to avoid."""
    suite = find_suite(name)
    reasons = ResultTable((), list(suite.reasons.items()), "ll", caption=suite.situation)
    command = f"rankgold evaluate QRELS RUN -m @{suite.name}"
    facts = [("Avoid:", suite.avoid)]
    return Document([reasons], title=f"@{suite.name}: {suite.title}", facts=facts, notes=[command])


def _description(metric: Metric) -> str:
    """A measure in full. On a terminal its paragraphs fill the lines, and names are in colour."""
    from rankgold.measures.description import describe
    from rankgold.present.terminal import fold, hanging, in_colour, painted

    text, width = describe(metric), terminal_width()
    if width is None:
        return text
    prose = metric.documentation.split("\n\n")
    blocks = []
    for block in text.rstrip("\n").split("\n\n"):
        is_prose = block in prose and not block.startswith(" ")
        lines = fold(" ".join(block.split()), width) if is_prose else block.split("\n")
        blocks.append("\n".join(part for line in lines for part in hanging(line, width)))
    if in_colour():
        blocks[0] = painted(blocks[0], "title")
        names = r"^(Range|Over queries|Also called|Computed by|Answers|Parameters):|^  \w+=\S+"
        blocks[1:] = [re.sub(names, lambda name: painted(name[0], "name"), block, flags=re.M) for block in blocks[1:]]
    return "\n\n".join(blocks) + "\n"


_MEASURES = ["ndcg@10", "ap", "rr", "p@5", "r@20"]
EXPLAINED = "q18"
_RUNS = ("titles", "bm25", "expanded")
DEMO_USAGE = "[OPTIONS]"
DEMO_EXAMPLE = "Example: rankgold demo"


def add_demo_arguments(parser: Parser) -> None:
    parser.add_argument("--path", action="store_true", help="Print only the directory of the sample files.")


def run_demo(options: Namespace) -> None:
    from rankgold.data.files import sample

    if options.path:
        write(f"{sample('qrels.txt').parent}\n", None)
        return
    write(demonstration(), None)


def demonstration(write_document: Callable[[Document], str] = shown_document) -> str:
    """The scores of the sample data, the explanation of one score, and commands to try next."""
    from rankgold.data.files import sample
    from rankgold.scoring.explanation_document import explanation_document
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
    from rankgold.data.files import sample

    lines = sample("queries.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t") for line in lines)[query]


COMMANDS = {
    "explain": Command(EXPLAIN_USAGE, EXPLAIN_EXAMPLE, add_explain_arguments, run_explain),
    "measures": Command(MEASURES_USAGE, MEASURES_EXAMPLE, add_measures_arguments, run_measures),
    "demo": Command(DEMO_USAGE, DEMO_EXAMPLE, add_demo_arguments, run_demo),
}
