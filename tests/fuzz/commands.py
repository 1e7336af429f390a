"""The part `commands`: random arguments for every command -> no traceback, exit code 0, 1 or 2 (or one of trec_eval's), a short message.

Files that are read stay as they are, and a command that fails leaves no file behind.
"""

import contextlib
import gzip
import io
import json
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from unittest.mock import patch

import duckdb
import polars as pl
from hypothesis import strategies as st

from rankgold import __main__ as entry
from rankgold.cli import app
from tests.fuzz.cases import one_measure, policies
from tests.fuzz.failure import COUNTS, Failure, tracebacks

QRELS = {"q1": {"d1": 1, "d2": 2, "日本": 0}, "q2": {"d1": -1}, "q3": {"d3": 1}}
RUN = {"q1": {"d1": 0.5, "d9": 0.5, "d2": 0.4}, "q2": {"d1": 1.0}, "q4": {"d1": 1.0}}

# Commands that take longer come less often.
COMMANDS = [name for name in app.COMMANDS for _ in range(1 if name in ("plot", "demo", "sql", "measures") else 4)]

ODD_TEXTS = st.one_of(
    st.sampled_from(["", " ", "-", "--", "0", "-1", "1e400", "nan", "9" * 30, "q1", "q9", "é", "日本", "\x1b[31mred", "a=b", "=", "x" * 300,
                     "*", "?", "~", ".", "..", "/", "/dev/null", "a\nb", "%s", "{}", "'", '"', "\udcff", "1GB", "-5MB", "run.duckdb"]),
    st.text(max_size=8),
)  # fmt: skip
ODD_MEASURES = st.sampled_from(["", "ndgc", "ndcg@", "ndcg@0", "ndcg@-1", "ndcg@1.5", "p@99999999999999999999", "ndcg(gain=cubic)", "ap,rr", "ap,,",
                                "f(beta=1e400)", "f(beta=0)", "ndcg(discount=log(1))", "ndcg(discount=zipf(1,2,3))", "gap(thresholds=())",
                                "gap(thresholds=(0,0))", "ndcg(", "ndcg)", "((", "p(rel=1, rel=2)", "P_5", "ndcg_cut.5,10", "map", "ndcg(ideal=ones)@1000000"])  # fmt: skip


@dataclass(frozen=True)
class Command:
    arguments: tuple[str, ...]
    standard_input: bytes = b""


@cache
def contents():
    """Name -> content of the files that commands may read: good, damaged and empty ones."""
    qrels = "".join(f"{q} 0 {d} {grade}\n" for q, row in QRELS.items() for d, grade in row.items())
    run = "".join(f"{q} Q0 {d} 1 {score} tag\n" for q, row in RUN.items() for d, score in row.items())
    table = pl.DataFrame(
        [(q, d, score) for q, row in RUN.items() for d, score in row.items()],
        ["query", "document", "score"],
        orient="row",
    )
    parquet = io.BytesIO()
    table.write_parquet(parquet)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.duckdb"
        with duckdb.connect(str(path)) as connection:
            connection.register("given", table)
            connection.execute("create table bm25 as select * from given")
            connection.execute("create table judged as select query, document, 1 as grade from given")
        database = path.read_bytes()
    return {
        "qrels.txt": qrels.encode(),
        "run.trec": run.encode(),
        "run two.trec": run.replace("0.5", "0.7").replace("tag", "two").encode(),
        "run.csv": table.write_csv().encode(),
        "run.parquet": parquet.getvalue(),
        "run.jsonl": table.write_ndjson().encode(),
        "run.json": json.dumps(RUN).encode(),
        "qrels.json": json.dumps(QRELS).encode(),
        "run.trec.gz": gzip.compress(run.encode(), mtime=0),
        "run.duckdb": database,
        "\x1b[31m.trec": run.encode(),
        "star*.trec": run.encode(),
        "q[1]?.trec": run.encode(),
        "~home.trec": run.encode(),
        "empty.trec": b"",
        "cut.trec.gz": gzip.compress(run.encode(), mtime=0)[:-9],
        "short.trec": b"q1 Q0 d1 1\n",
        "latin1.trec": "q1 Q0 d\xe9 1 0.5 tag\n".encode("latin-1"),
        "escape.trec": b"q1 Q0 d\x1b[31m 1 0.5 ta\x1b[32mg\nq1 Q0 d\x1b[31m 1 x tag\n",
        "twice.trec": (run + run).encode(),
        "cut.parquet": parquet.getvalue()[:-20],
        "list.json": b"[1, 2]",
    }


def commands(data):
    """One command in a folder of its own."""
    command = data.draw(command_lines())
    with tempfile.TemporaryDirectory(prefix="command-") as folder, contextlib.chdir(folder):
        for name, content in contents().items():
            Path(name).write_bytes(content)
        Path("folder").mkdir()
        check(command)


@st.composite
def command_lines(draw):
    """A command that makes sense, or one where any argument may be odd."""
    name, is_odd = draw(st.sampled_from(COMMANDS)), draw(st.booleans())
    arguments = [name]
    for action in app._parser(name)._actions:
        if action.dest == "watch":  # does not end by itself
            continue
        values = value_of(action, is_odd)
        if not action.option_strings:
            least = 1 if not is_odd or draw(st.integers(0, 9)) else 0
            arguments += draw(st.lists(values, min_size=least, max_size=3 if action.nargs in ("+", "*") else 1))
        elif action.required or (draw(st.integers(0, 3)) == 0 and (is_odd or action.dest in SENSIBLE)):
            arguments.append(draw(st.sampled_from(action.option_strings)))
            if action.nargs != 0:
                arguments.append(draw(values))
    if is_odd and draw(st.booleans()):
        arguments.insert(draw(st.integers(0, len(arguments))), draw(ODD_TEXTS))
    arguments = [argument for argument in arguments if "\x00" not in argument and argument != "spark"]
    standard_input = contents()[
        draw(st.sampled_from(["run.trec", "run.csv", "empty.trec", "run.trec.gz", "short.trec"]))
    ]
    return Command(tuple(arguments), standard_input if "-" in arguments else b"")


RUNS = [
    "run.trec",
    "run two.trec",
    "run.csv",
    "run.parquet",
    "run.jsonl",
    "run.json",
    "run.trec.gz",
    "star*.trec",
    "~home.trec",
]
SENSIBLE = {
    "qrels": st.sampled_from(["qrels.txt", "qrels.json"]),
    "run": st.sampled_from(RUNS),
    "runs": st.sampled_from(RUNS),
    "measure": one_measure().map(str),
    "policy": policies() | st.sampled_from(["trec_eval", "hivemall"]),
    "per_query": st.nothing(),
    "format": st.nothing(),
    "engine": st.nothing(),
    "query": st.sampled_from(["q1", "q2", "q3"]),
    "digits": st.sampled_from(["1", "4", "17"]),
    "depth": st.sampled_from(["1", "3", "100"]),
    "output": st.sampled_from(["out.txt", "out.html", "out.svg", "folder/out.txt"]),
    "memory_limit": st.sampled_from(["512MB", "1GB"]),
    "discount": st.sampled_from(["log2", "zipf(0, 1)"]),
    "name": st.sampled_from(["ndcg", "ap", "discount", "curve", "difference", "leaderboard", "correlation"]),
}
ODD = {
    "qrels": st.just("judged"),
    "run": st.just("bm25"),
    "runs": st.sampled_from(["bm25", "run*"]),
    "measure": ODD_MEASURES,
    "policy": st.sampled_from(["tie=average", "ties=random", "ties=", "="]),
    "column": st.sampled_from(["query=query", "document=doc", "score=score", "role=x", "query", "query="]),
    "query": st.sampled_from(["q4", "nowhere", ""]),
    "digits": st.sampled_from(["0", "18", "x", "٣", "²"]),
    "depth": st.sampled_from(["0", "-1", "99999999999", "x"]),
    "output": st.sampled_from(["run.trec", "qrels.txt", "run.duckdb", "folder", "no/out.txt", "new/", "", "/dev/null"]),
    "database": st.sampled_from(["run.duckdb", "run.trec", "nowhere.duckdb"]),
    "attach": st.sampled_from(["old=run.duckdb", "a b=run.duckdb", "old=", "=x", "old=run.trec", "sqlite:nowhere"]),
    "memory_limit": st.sampled_from(["0", "-1", "lots", "1B", ""]),
    "discount": st.sampled_from(["zipf(", "log(1)", "none"]),
    "name": st.just("nothing"),
}


def value_of(action, is_odd):
    """A value of an option or argument; odd ones stand beside those that make sense."""
    if action.choices is not None:
        choices = [choice for choice in action.choices if choice != "spark"]
        return st.sampled_from(choices + ["nothing"] * is_odd)
    sensible = SENSIBLE.get(action.dest, ODD_TEXTS)
    if not is_odd:
        return sensible
    odd = [ODD_TEXTS, ODD.get(action.dest, ODD_TEXTS)]
    if action.dest in ("qrels", "run", "runs"):
        odd.append(st.sampled_from([*contents(), "folder", "nowhere.txt", "-"]))
    return st.one_of(sensible, sensible, *odd)


CODES_OF_TREC_EVAL = (4, 7, 255)
"""Besides the usual ones: a query or document that should not be there or is missing, no query at all, a faulty file."""


ANSWERS = {"doctor": (1, 2), "check": (1,), "verify": (1,)}
"""Exit codes that are a part of the answer: what was found is written as the result, and nothing to standard error."""


def check(command):
    """Runs the command in the current folder, and raises a Failure if it does not end as it should."""
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    code, out, error = _run(command)
    name = command.arguments[0] if command.arguments and command.arguments[0] in app.COMMANDS else "rankgold"
    COUNTS[f"{name} ends with {code}"] += 1
    if code not in (0, 1, 2) and not (name == "trec_eval" and code in CODES_OF_TREC_EVAL):
        raise Failure(f"{name}: exit code {code}", error[:500], command)
    is_answer = code in ANSWERS.get(name, ()) and not error.strip()
    if code and not is_answer and (not error.strip() or len(error.splitlines()) > 4):
        raise Failure(f"{name}: not a short message", error[:1000], command)
    if unsafe := re.search(r"[^\n\t -~\xa0-\U0010ffff]", error):
        raise Failure(f"{name}: control characters in a message", f"{unsafe[0]!r} in {error!r}"[:1000], command)
    if code == 0 and name == "evaluate" and "json" in command.arguments and out.startswith("{"):
        with tracebacks(f"{name}: JSON", command):
            json.loads(out, parse_constant=_no_constant)
    after = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    for path in inputs_of(command):
        if after.get(path) != before.get(path):
            raise Failure(f"{name}: an input was replaced", str(path), command)
    if code and not is_answer and (left := after.keys() - before.keys()):
        raise Failure(f"{name}: files left behind", str(sorted(map(str, left))), command)
    if any(path.suffix == ".part" for path in after):
        raise Failure(f"{name}: a temporary file left behind", str(sorted(map(str, after))), command)


def inputs_of(command):
    """The files that the arguments name, those that a pattern matches among them; not the output."""
    outputs = {i + 1 for i, argument in enumerate(command.arguments) if argument in ("-o", "--output")}
    words = [argument.rpartition("=")[2] for i, argument in enumerate(command.arguments) if i not in outputs]
    return {
        path
        for path in Path().iterdir()
        if path.is_file() and any(fnmatch(path.name, w) or path.name == w for w in words)
    }


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def _run(command):
    """The exit code, and what was printed to standard output and standard error."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    error = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)
    with (
        tracebacks(f"rankgold {command.arguments[0] if command.arguments else ''}", command),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(command.standard_input))),
        patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(error),
    ):
        code = entry._exit_code(list(command.arguments))
    return code, *(stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, error))
