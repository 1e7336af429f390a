"""Declares the words of the verbs at the shell: help and spelling. Types, choices and defaults are the signatures'."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, get_args

from rankgold.cli.shared_options import column_names, measure_names, number_pair, read_texts, whole_number_from
from rankgold.comparison import Bootstrap, Randomization, name_here
from rankgold.fusion import NormName


class Word(NamedTuple):
    """A word of a verb, as an option of the shell."""

    help: str
    """{default} stands for the default of the signature."""
    metavar: str | None = None
    """Several words: the option takes as many values."""
    flags: tuple[str, ...] = ()
    """Made of the word, if empty."""
    repeats: bool = False
    reads: bool = False
    """Names a file, which the output must not overwrite."""
    type: Callable[[str], Any] | None = None
    """Reads the text, if it is not read as the signature says."""
    value: Callable[[Any], Any] | None = None
    """Makes what the verb gets of what was typed."""


def _measures(what: str) -> Word:
    about = f"{what}; may be repeated. `rankgold measures` lists them."
    return Word(about, "MEASURE", ("-m", "--measure"), repeats=True, value=measure_names)


def _measure(about: str) -> Word:
    return Word(about, "MEASURE", ("-m", "--measure"))


def _topics(what: str) -> Word:
    about = f"{what} these queries: comma-separated ids, or a file with an id on each line or in the first column of"
    return Word(f"{about} a TSV or CSV.", "FILE|ID,...", reads=True)


def _limit(about: str) -> Word:
    return Word(about, "MEASURE=NUMBER", repeats=True)


_SOME_MEASURES = _measures(
    "A measure such as ndcg@10, a suite such as @autocomplete, or several separated by commas: ap,p@5,10"
)
_COLUMNS = Word(
    "Which column holds the query, document, grade, score, rank or run, if its name does not say so.",
    "ROLE=NAME",
    ("-c", "--column"),
    repeats=True,
    value=column_names,
)
_JUDGES_COLUMNS = _COLUMNS._replace(help="Which column holds the query, document or grade.")
_QUERY_TEXTS = Word(
    "Text of the queries: lines of an id, a tab and the text, or JSON lines with id, title and text.",
    "FILE",
    ("--queries",),
    reads=True,
    value=read_texts,
)
_DOC_TEXTS = Word("Text of the documents, in the same form.", "FILE", ("--docs",), reads=True, value=read_texts)
_NOT_OF_JUDGES = ("policy", "depth", "rel", "exclude", "parent")
_TRAIN = "What users already had: a table of users and items, judgements or a run."
WORDS: dict[str, Word | None] = {
    # Arguments of the commands, and words that Python alone has or the shell says in several options.
    **dict.fromkeys(("qrels", "run", "runs", "a", "b", "judges", "saved", "first", "second", "data", "path")),
    **dict.fromkeys(("by", "engine", "progress", "fingerprint", "per_query", "units", "page", "k", "step", "digits")),
    # Of all verbs.
    "measures": _SOME_MEASURES,
    "measure": _measure("Default: {default}."),
    "policy": Word(
        "A preset such as trec_eval, or a single choice such as duplicates=first; may be repeated.",
        "NAME|FIELD=CHOICE",
        ("-p", "--policy"),
        repeats=True,
    ),
    "topics": _topics("Evaluate only"),
    "depth": Word("Cut each ranking off after N documents before scoring. The same as --policy depth=N.", "N"),
    "rel": Word("Lowest relevant grade, for measures without a rel of their own; default: 1.", "N", type=str),
    "exclude": Word(
        "Remove documents from the lists before ranking, such as what users already had: a table of queries and"
        " documents, judgements or a run.",
        "FILE",
        reads=True,
    ),
    "parent": Word("Documents are ranked by their best chunk: '#' if d1#3 is a chunk of d1.", "SEPARATOR"),
    "columns": _COLUMNS,
    "query_texts": _QUERY_TEXTS,
    "doc_texts": _DOC_TEXTS,
    # Of comparisons.
    "baseline": Word("The run to compare all others with; default: all pairs.", "NAME"),
    "test": Word("Default: {default}.", type=name_here),
    "correction": Word("Correction of p-values for multiple comparisons; default: {default}.", type=name_here),
    "interval": Word("Confidence interval; default: {default}.", type=name_here),
    "level": Word("Level of the intervals; default: {default}.", "SHARE"),
    "margin": Word("Also test whether the difference is within this margin on both sides (needs SciPy).", "NUMBER"),
    "DrawnTest.draws": Word(
        f"Random draws; default: {Randomization().draws:,} of signs, {Bootstrap().draws:,} of samples.", "N"
    ),
    "seed": Word("Seed of the random draws; default: {default}.", "N"),
    "Units.weights": Word(
        "Weight of each query, such as its traffic: one line each, with the id, a tab and a number.", "FILE", reads=True
    ),
    "clusters": Word(
        "Groups of queries to sample together, such as those of a user: lines of an id, a tab and a name.",
        "FILE",
        reads=True,
    ),
    "bounds": Word("Also show whether unjudged documents could change the winner."),
    "move": Word("Move a document to a rank.", "QUERY DOCUMENT RANK", repeats=True),
    "add": Word("Add a document at a rank.", "QUERY DOCUMENT RANK", repeats=True),
    "remove": Word("Remove a document from the ranking.", "QUERY DOCUMENT", repeats=True),
    "grade": Word("Give a document a grade; none removes its judgement.", "QUERY DOCUMENT GRADE", repeats=True),
    "difference": Word(
        "The difference you want to detect; default: the one between the runs.", "NUMBER", ("-d", "--difference")
    ),
    "power": Word("The probability of detecting it; default: {default}.", "SHARE"),
    "alpha": Word("The significance level; default: {default}. For m comparisons, 0.05 / m.", "SHARE"),
    # Of evaluations.
    "evaluate.name": Word("Kind of interval, for --ci and slices; default: {default}.", flags=("--interval",)),
    "evaluate.level": Word("Confidence level, for --ci and slices; default: {default}.", "SHARE"),
    "unseen": Word(
        "--bounds: how many documents per query that no run ranks may be relevant too; default: {default}.", "N"
    ),
    "max_grade": Word(
        "--bounds: highest grade an unjudged document may have; default: the highest judged one.", "GRADE"
    ),
    "explain.measure": _SOME_MEASURES,
    "query": Word("The query to explain; not needed if there is only one.", flags=("-q", "--query")),
    # Of judging.
    "n": Word("Documents; default: {default}.", "N", ("-n", "--count")),
    "judge_next.baseline": Word("Consider only differences from this run; default: all pairs.", "NAME"),
    "judge_next.max_grade": Word("Default: that of the judgements.", "GRADE"),
    "pool.k": Word(
        "The first K documents of each run are in the pool; default: {default}.",
        "K",
        ("--depth",),
        type=whole_number_from(1),
    ),
    "pool.qrels": Word("Existing judgements: the sheet has their grades.", "QRELS", reads=True),
    **dict.fromkeys(("pool.depth", "pool.rel")),
    **dict.fromkeys(f"agreement.{word}" for word in _NOT_OF_JUDGES),
    **dict.fromkeys(f"merge_qrels.{word}" for word in _NOT_OF_JUDGES),
    "pool.topics": _topics("Pool only"),
    "agreement.topics": _topics("Compare only"),
    "merge_qrels.topics": _topics("Merge only"),
    "agreement.columns": _JUDGES_COLUMNS,
    "merge_qrels.columns": _JUDGES_COLUMNS,
    "rule": Word(
        "How to merge several grades of a document; default: {default}, and the lowest grade on a tie. With a column of"
        " probabilities or weights, majority and mean count them."
    ),
    "draws": Word("Random draws; default: {default}.", "N"),
    # Of audits.
    "min": _limit("Lowest acceptable mean of a measure, such as ndcg@10=0.35; may be repeated."),
    "max": _limit("Highest acceptable mean, for measures where less is better."),
    "max_drop": _limit("How far a mean may fall below the baseline, such as ndcg@10=0.01."),
    "check.baseline": Word(
        "What to compare with: a run, or scores that `rankgold evaluate --save` wrote.", "OLD", reads=True
    ),
    "significant": Word("Fail only on significant drops: p below 0.05, after Holm."),
    "other_judgements": Word("Compare with saved scores even if the judgements have changed."),
    "config": Word(
        "TOML with these options; default: [tool.rankgold.check] in the nearest pyproject.toml. Thresholds given here"
        " replace those of the file.",
        "FILE",
        reads=True,
    ),
    "worst": Word(
        "Worst queries shown for each threshold that fails; default: {default}.",
        "N",
        ("-n", "--queries-shown"),
        type=whole_number_from(0),
    ),
    "check.rel": None,
    "verify.measures": _measures("Expect this measure in the scores; default: all saved ones"),
    "doctor.train": Word(f"{_TRAIN} Should not be recommended.", "FILE", reads=True),
    "scale": Word("Lowest and highest grade of the scale, such as 0,3.", "LOW,HIGH", type=number_pair),
    "ignore": Word("Check to skip. May be repeated.", "CHECK", repeats=True),
    "value": Word("The number to explain, with all the digits that are known: 0.4120 has four.", "NUMBER"),
    "reconcile.per_query": Word(
        "The values of queries: what trec_eval -q prints, or CSV, JSON or Parquet of any tool.", "FILE", reads=True
    ),
    "exhaustive": Word("Also try pairs of deviations if one is enough."),
    # Of lists and fusion.
    **dict.fromkeys(("similarity.rel", "fuse.rel")),
    "similarity.measures": _measures("A measure such as rbo or overlap@10, or several separated by commas: rbo,tau_ap"),
    "exposure.measures": _measures("A measure such as gini@10, or several separated by commas: coverage@10,ild@10"),
    "items": Word(
        "The catalogue: a table with a column of items, and perhaps of categories, a group, an embedding or numbers; or"
        " one item a line.",
        "FILE",
        reads=True,
    ),
    "train": Word(f"{_TRAIN} Popularity is counted in it.", "FILE", reads=True),
    "exposure.qrels": Word("What was relevant to users, for serendipity.", "FILE", reads=True),
    "method": Word("Fusion method; default: {default}.", "NAME"),
    "method_options": Word(
        "A parameter of the method: k of rrf (default: 60), phi of rbc (0.8), gamma of combgmnz (1), sigma of lognisr"
        " (0.01), segments of probfuse (10), window of slidefuse (5); may be repeated.",
        "NAME=VALUE",
        ("--parameter",),
        repeats=True,
    ),
    "norm": Word(
        f"Score normalisation: {', '.join(get_args(NormName))}; default: min-max where scores are added.", "NAME"
    ),
    "weights": Word(
        "A weight for each run, for wsum, wmnz, mixed, wborda and wcondorcet: 0.3,0.7 or bm25=0.3,dense=0.7.", "LIST"
    ),
    "fuse.qrels": Word("Judgements to learn weights or other parts of the method from.", "QRELS", reads=True),
    "fuse.depth": Word("Keep K documents of each query; default: all.", "K"),
    "fuse.seed": Word("Seed of the folds; default: {default}.", "N"),
    "fuse.topics": _topics("Fuse only"),
    "learn_weights.measure": _measure("The measure that learned weights maximise; default: {default}."),
    "search": Word("How to search for weights; default: {default}."),
    "folds": Word(
        "Fuse each judged query with what the other folds of N taught, so that the result can be evaluated with the"
        " same judgements.",
        "N",
    ),
    # Of plots and reports.
    **dict.fromkeys(("rows.rel", "rows.depth", "report.test")),
    "report.query_texts": _QUERY_TEXTS._replace(value=None),
    "report.doc_texts": _DOC_TEXTS._replace(value=None),
    "report.seed": Word("Seed of random draws; default: {default}.", "N"),
    "report.draws": Word("Random draws of tests and intervals; default: as in compare.", "N"),
    "title": Word("The title of the report; default: the names of the runs."),
    "top": Word("How many ranks are shown; default: {default}.", "N"),
    "charts": Word("Leave out the charts that need Altair."),
    "megabytes": Word("Maximum file size in MB; the file lists what was left out. Default: {default}.", "N"),
}
"""The word, or the verb and its word where it differs -> the option; None without one of that name."""
