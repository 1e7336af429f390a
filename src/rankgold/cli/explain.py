"""`rankgold explain`: files of judgements and a run in, the derivation of a score out."""

from argparse import ArgumentTypeError, Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_engine, engine_keywords
from rankgold.cli.parser import Parser
from rankgold.output.registry import TEXT_OUTPUTS

USAGE = "[OPTIONS] QRELS [RUN] --query QUERY"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold explain qrels.txt bm25.trec -m ap --query q18"""


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input(
        "run",
        metavar="RUN",
        nargs="?",
        help="The run, in the same formats; none if QRELS is a table that has grades and scores.",
    )
    parser.add_argument("--query", required=True, help="The query to explain (required).")
    shared_options.add_measures(parser)
    formats = tuple(TEXT_OUTPUTS)
    parser.add_argument("-f", "--format", choices=formats, default="text", help="Output format; default: text.")
    parser.add_argument("--digits", type=_digits, default=4, metavar="1-17", help="Decimals of numbers; default: 4.")
    shared_options.add_policy_and_columns(parser)
    add_engine(parser)
    shared_options.add_output(parser)


def _digits(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 17:
        raise ArgumentTypeError(f"a number from 1 to 17 is needed, not {text!r}")
    return int(text)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.evaluation import match
    from rankgold.explanation import explain
    from rankgold.explanation.document import explanation_document
    from rankgold.measures import parse

    measures = [parse(name) for name in shared_options.measure_names(options) or ["ap"]]
    data = shared_options.data_keywords(options)
    with engine_keywords(options) as engine, progress_bar(1) as progress:
        progress("reading and matching", 0.0, 0)
        hits = match(options.qrels, options.run, **data, **engine)
        explanations = [explain(hits, measure=measure, query=options.query) for measure in measures]
    documents = [explanation_document(explanation, options.digits) for explanation in explanations]
    write("\n".join(map(TEXT_OUTPUTS[options.format], documents)), options.output)
