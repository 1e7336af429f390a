"""Makes the options of a command from a verb's signature, those of engines and outputs, and keywords of the options."""

from __future__ import annotations

import inspect
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from rankgold.cli import shared_options
from rankgold.cli.console import check_not_read, for_terminal, outputs_of
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import chosen_digits, document_text, output_ending, real_number, whole_number
from rankgold.cli.vocabulary import WORDS, Word
from rankgold.core.errors import DataError
from rankgold.engines.protocol import ENGINES, DuckDB, Spark
from rankgold.present.outputs import find_output

if TYPE_CHECKING:
    from rankgold.core.result import Result

_ONLY = {"DuckDB": ("database", "attach", "memory_limit"), "Spark": ("master", "conf", "trust_ranks")}
"""The options that only one engine takes."""

Verb = Callable[..., Any]


def add_options(parser: Parser, verb: Verb, *only: str, of: str = "", unset: bool = False) -> None:
    """Adds the options of a verb, or of a class of choices such as Interval: all that it has, or only these words.

    `of` names who has words of its own for them, if not the verb. If `unset`, the value of an option that was not given
    is None, and the verb fills in its default.
    """
    for parameter, word in _words(verb, of, only):
        _add(parser, parameter, word, _kinds(verb, parameter), unset=unset)


def _add(
    parser: Parser, parameter: inspect.Parameter, word: Word, kinds: tuple[Any, ...], *, unset: bool = False
) -> None:
    default = parameter.default
    settings: dict[str, Any] = {"help": word.help.format(default=default)}
    if bool in kinds:
        settings["action"] = "store_false" if default else "store_true"
    else:
        settings |= {"metavar": word.metavar, "type": word.type, "default": None if unset else default}
        if word.repeats:
            settings |= {"action": "append", "default": None}
        if len((word.metavar or "").split()) > 1:
            settings["nargs"] = len(str(word.metavar).split())
        if str not in kinds:
            settings["choices"] = next((get_args(kind) for kind in kinds if get_origin(kind) is Literal), None)
            settings["type"] = word.type or (whole_number if int in kinds else real_number if float in kinds else None)
    flags = word.flags or (f"--{'no-' if bool in kinds and default else ''}{parameter.name.replace('_', '-')}",)
    add = parser.add_input if word.reads else parser.add_argument
    add(*flags, dest=_destination(parameter.name, word), **settings)


def keywords(options: Namespace, verb: Verb, of: str = "") -> dict[str, Any]:
    """The keywords of a verb that were given at the shell, with its policy as one."""
    found: dict[str, Any] = {}
    policy: list[str] = []
    for parameter, word in _words(verb, of):
        value = getattr(options, _destination(parameter.name, word), None)
        if value is None:
            continue
        if parameter.name == "policy":
            policy = [*value, *policy]
        elif word is WORDS["depth"]:
            policy.append(f"depth={value}")
        else:
            found[parameter.name] = value if word.value is None else word.value(value)
    if policy:
        from rankgold.core.policy import Policy

        found["policy"] = Policy.of(*policy)
    return found


def _words(verb: Verb, of: str, only: tuple[str, ...] = ()) -> Iterator[tuple[inspect.Parameter, Word]]:
    """The parameters of a verb that the shell has, each with its word."""
    for name, parameter in inspect.signature(verb).parameters.items():
        if only and name not in only:
            continue
        own = f"{of or verb.__name__}.{name}"
        word = WORDS[own if own in WORDS else name]
        if word is not None:
            yield parameter, word


def _destination(name: str, word: Word) -> str:
    return word.flags[-1].lstrip("-").replace("-", "_") if word.flags else name


def _kinds(verb: Verb, parameter: inspect.Parameter) -> tuple[Any, ...]:
    """The types that a parameter may have; text, if one of them is a name that only type checkers know."""
    try:
        annotation = eval(parameter.annotation, vars(sys.modules[verb.__module__]))
    except NameError:
        return (str,)
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def add_engine(parser: Parser, *, matches: bool = True) -> None:
    """Adds the options. An engine that does not match rows only reads its tables for other work."""
    role = "Where rows are matched" if matches else "Where tables are read from"
    parser.add_argument("-e", "--engine", choices=tuple(ENGINES), default="local", help=f"{role}; default: local.")
    files = "QRELS and RUN" if matches else "Files"
    parser.add_input(
        "--database",
        metavar="FILE",
        help=f"DuckDB: a database file, opened read-only. {files} may name its tables or views.",
    )
    parser.add_input(
        "--attach",
        action="append",
        metavar="NAME=FILE",
        help="DuckDB: another database, whose tables are then called NAME.TABLE. sqlite:FILE and postgres:CONNECTION"
        " work too, if DuckDB's extension is installed. May be repeated.",
    )
    parser.add_argument("--memory-limit", metavar="SIZE", help="DuckDB: memory limit, such as 512MB.")
    parser.add_argument("--master", metavar="URL", help="Spark: the master, such as local[4], spark://... or sc://...")
    parser.add_argument(
        "--conf", action="append", metavar="KEY=VALUE", help="Spark: a setting of the session; may be repeated."
    )
    if not matches:
        return
    parser.add_argument(
        "--trust-ranks",
        action="store_true",
        help="Spark: trust the ranks in the run, which avoids shuffling it.",
    )


def add_output_options(
    parser: Parser,
    formats: tuple[str, ...],
    *,
    engine: Literal["matches", "reads"] | None = "matches",
    quiet: str | None = "no progress",
) -> None:
    """Adds the options of the shell alone that come after those of a verb: the engine, and how the result is shown."""
    shared_options.add_format(parser, formats)
    if engine is not None:
        add_engine(parser, matches=engine == "matches")
    shared_options.add_output(parser)
    if quiet is not None:
        shared_options.add_quiet(parser, quiet)


@contextmanager
def engine_keywords(options: Namespace) -> Iterator[dict[str, Any]]:
    """The keywords. A connection or session that was opened for them is closed at the end."""
    for engine, only_options in _ONLY.items():
        for option in only_options:
            if options.engine != engine.lower() and getattr(options, option, None):
                flag = option.replace("_", "-")
                raise DataError(f"--{flag} is for {engine}. Add --engine {engine.lower()}, or leave it out.")
    if options.engine == "spark":
        from rankgold.engines.spark.session import quiet_session

        settings = dict(shared_options.named_values(options.conf, "--conf", "KEY=VALUE", "spark.executor.memory=4g"))
        matches = "trust_ranks" in options  # only then are there values of queries that may stay on Spark
        per_query = {"per_query": options.per_query} if matches and "per_query" in options else {}
        with quiet_session(options.master, settings) as session:
            yield {"engine": Spark(session, matches and options.trust_ranks), **per_query}
    elif options.database or options.attach:
        with _connection(options) as connection:
            yield {"engine": connection}
    else:
        yield {"engine": DuckDB(memory_limit=options.memory_limit) if options.engine == "duckdb" else options.engine}


@contextmanager
def _connection(options: Namespace) -> Iterator[Any]:
    """A connection to the databases that were named."""
    from rankgold.engines.duckdb.database import Database, literal, new_connection, quoted

    if options.database and not os.path.isfile(options.database):
        raise DataError("there is no such file.", options.database)
    with new_connection(options.database or None, options.memory_limit or None) as connection:
        for name, path in shared_options.named_values(options.attach, "--attach", "NAME=FILE", "old=archive.duckdb"):
            Database(connection).rows(f"ATTACH {literal(path)} AS {quoted(name)} (READ_ONLY)", place=path)
        for output in outputs_of(options):
            check_not_read(output, _files_of_views(Database(connection)))
        yield connection


def _files_of_views(database: Any) -> Iterator[str]:
    """The files that the views of the databases may read."""
    from rankgold.cli.console import quoted_texts

    views = "SELECT sql FROM duckdb_views() WHERE NOT internal"
    macros = "SELECT macro_definition FROM duckdb_functions() WHERE NOT internal AND macro_definition IS NOT NULL"
    for (sql,) in database.rows(f"{views} UNION ALL {macros}"):
        yield from quoted_texts(sql)


def result_text(
    found: Result, format_: str, options: Namespace, layout: Mapping[str, Any] | None = None, **choices: Any
) -> str:
    """The text of the result. `choices` go to its document and to its JSON, `layout` only to its document."""
    chosen = find_output(format_)
    if chosen.for_machines:
        text = found.write(format_, raw_ids=getattr(options, "raw_ids", False), **choices) + "\n"
        return for_terminal(text, options.output) if chosen.made_of == "table" else text
    return document_text(found.document(chosen_digits(options), **choices, **(layout or {})), format_, options)


FORMATS = ("trec", "csv", "json", "parquet")


def add_file_format(parser: Parser) -> None:
    parser.add_argument(
        "-f", "--format", choices=FORMATS, help="Output format; default: the ending of --output FILE, else trec."
    )


def file_format(options: Namespace) -> str:
    """The format that was named; else the one that the output file's ending means; else TREC."""
    ending = output_ending(options)
    format_ = options.format or (ending if ending in FORMATS else "trec")
    if format_ == "parquet" and options.output is None:
        raise DataError("Parquet cannot be printed. Name a file with --output.")
    return str(format_)
