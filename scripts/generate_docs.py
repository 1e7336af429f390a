"""Writes the reference pages from the code: a page per measure, the command line, Python; `--check` only compares."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import architecture
import dialect_pages
import measure_pages
import rankgold
import report_picture
import walk
from gallery import figures, gallery, stale_pictures, write_pictures
from picture import demo_svg
from rankgold.cli.app import COMMANDS
from rankgold.core.policy import Policy, choices_of_fields
from rankgold.measures.registry import FAMILIES
from rankgold.present.plots import PLOTS

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
PLOTS_FILE = Path(rankgold.plots.__file__ or "")
MADE = "<!-- Made by scripts/generate_docs.py; change the code instead. -->\n\n"


def cli_page() -> str:
    parts = ["# Command line"]
    for words in ((), *((name,) for name in COMMANDS)):
        command = " ".join(("rankgold", *words))
        shown = subprocess.run(
            [sys.executable, "-m", "rankgold", *words, "--help"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"},
        ).stdout
        shown = "\n".join(line.rstrip() for line in shown.splitlines()).strip()
        parts.append(
            f"## {command}\n\n```text\n$ {command} --help\n{shown.replace('python -m rankgold', 'rankgold')}\n```"
        )
    return MADE + "\n\n".join(parts) + "\n"


def python_page() -> str:
    """The public names: `evaluate`, the other functions, classes, modules, errors."""
    parts = ["# Python", "Everything below is an attribute of `rankgold`; importing `rankgold` alone loads none of it."]
    for name in sorted(rankgold.__all__, key=_place):
        thing = getattr(rankgold, name)
        content = _module(thing) if inspect.ismodule(thing) else f"```text\n{_signature(name, thing)}\n```"
        parts.append(f"## {name}\n\n{content}" + ("" if inspect.ismodule(thing) else f"\n\n{_documentation(thing)}"))
    return MADE + "\n\n".join(parts) + "\n"


def _place(name: str) -> tuple[bool, int, str]:
    thing = getattr(rankgold, name)
    is_error = inspect.isclass(thing) and issubclass(thing, Exception)
    kind = 3 if is_error else 2 if inspect.ismodule(thing) else 1 if inspect.isclass(thing) else 0
    return name != "evaluate", kind, name


def _module(module: ModuleType) -> str:
    """A module's documentation, and its functions and classes with what each does."""
    if module is rankgold.measures:
        return '`rankgold.measures.ndcg(gain="exp") @ 10` builds a [measure](measures.md), and `all()` lists them.'
    if module is rankgold.similarities:
        return "`rankgold.similarities.rbo(p=0.8)` builds a [measure](similarities.md) of two rankings."
    if module is rankgold.exposures:
        return "`rankgold.exposures.gini() @ 10` builds a [measure](exposures.md) of the make-up of lists."
    names = (
        [plot.function.__name__ for _, plot in sorted(PLOTS.items())] if module is rankgold.plots else module.__all__
    )
    members = [getattr(module, name) for name in names]
    rows = [
        f"| `{_short(member)}` | {' '.join((inspect.getdoc(member) or '').partition(chr(10) * 2)[0].split())} |"
        for member in members
        if inspect.isfunction(member) or inspect.isclass(member)
    ]
    more = "\n\n[Plots](../plots.md) shows them all." if module is rankgold.plots else ""
    return (
        _documentation(module) + "\n\n" + "\n".join(["| function or class | what it does |", "|---|---|", *rows]) + more
    )


def _short(member: Callable[..., Any]) -> str:
    """A function or class with the names of its parameters."""
    parameters = inspect.signature(member).parameters.values()
    return f"{member.__name__}({', '.join(parameter.name for parameter in parameters)})"


def _documentation(thing: object) -> str:
    return _prose(inspect.getdoc(thing) or "")


def _signature(name: str, thing: object) -> str:
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return f"class {name}({', '.join(base.__name__ for base in thing.__bases__)})"
    taken = inspect.signature(thing)  # type: ignore[arg-type]  # functions and classes only
    plain = [parameter.replace(annotation=_Plain(parameter.annotation)) for parameter in taken.parameters.values()]
    shown = [str(parameter).replace("'", '"') for parameter in plain]
    keywords = [parameter.kind is parameter.KEYWORD_ONLY for parameter in plain]
    if any(keywords) and not any(parameter.kind is parameter.VAR_POSITIONAL for parameter in plain):
        shown.insert(keywords.index(True), "*")
    kind = "class " if inspect.isclass(thing) else ""
    returned = "" if taken.return_annotation in (taken.empty, "None", None) else f" -> {taken.return_annotation}"
    line = f"{kind}{name}({', '.join(shown)}){returned}"
    lines = "".join(f"    {parameter},\n" for parameter in shown)
    return line if len(line) <= 100 else f"{kind}{name}(\n{lines}){returned}"


class _Plain(str):
    """An annotation that is shown without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _prose(documentation: str) -> str:
    """A docstring as Markdown: examples and indented blocks set as code."""
    blocks = documentation.split("\n\n")
    return "\n\n".join(
        f"```text\n{inspect.cleandoc(block)}\n```" if block.startswith((">>>", "    ")) else block for block in blocks
    )


def policy_table() -> str:
    """The fields of a policy with their choices."""
    about = _field_docs()
    head = ["field", "choices, the default first", "the case"]
    rows = [head, ["---"] * len(head)]
    for field, choices in choices_of_fields().items():
        shown = " or ".join(f"`{choice}`" for choice in choices) if field != "dialect" else "`rankgold` or a tool"
        rows.append([f"`{field}`", shown, about[field]])
    rows.append(["`depth`", "`all` or a number", about["depth"]])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _field_docs() -> dict[str, str]:
    """What stands below each field in the source of Policy."""
    field = r'^    (\w+): (?:Literal\[|int|DialectName).*?\n    """(.*?)"""'
    found = re.findall(field, inspect.getsource(Policy), re.MULTILINE | re.DOTALL)
    return {name: " ".join(text.split()) for name, text in found}


def sql_functions() -> str:
    """The table of SQL functions."""
    rows = ["", "| function | measure | other names |", "|---|---|---|"]
    for function in rankgold.sql.FUNCTIONS:
        call, link = f"{function.name}({function.parameters})", f"reference/measures/{function.name}.md"
        call = f"`{call}`" if function.in_duckdb else f"`{call}`, on Spark only"
        others = ", ".join(f"`{name}`" for name in function.names[1:])
        rows.append(f"| {call} | [{rankgold.parse_measure(function.name).metric.title}]({link}) | {others} |")
    return "\n".join([*rows, ""])


def without_sql_function() -> str:
    covered = {function.name for function in rankgold.sql.FUNCTIONS}
    others = [metric.name for metric in rankgold.measures.all() if metric.name not in covered]
    reasons = rankgold.sql.NOT_IN_SQL
    return "\n".join(f"- `{name}`: {reasons.get(name, 'no function is written yet')}." for name in others)


def imported_plots() -> str:
    """The imports by which type checkers know the functions of plots."""
    found = sorted((plot.function.__module__, plot.function.__name__) for plot in PLOTS.values())
    return "\n".join(f"    from {module} import {name} as {name}" for module, name in found)


ASKED_FOR = (
    ("50 x 1,000 TREC files at the shell, first number", "ir_measures"),
    ("1,000 x 1,000 TREC files, five measures: read and evaluate", "pytrec_eval"),
    ("1,000 x 1,000 pandas frames, text ids: build and evaluate, warm", "ranx"),
    ("10,000 x 100 arrays, ndcg@10", "scikit-learn"),
    ("10,000 x 100 arrays, ndcg@10", "torchmetrics"),
    ("1,000,000 users x 10 items, integer ids, three measures: frames", "RecTools"),
    ("12 runs x 1,000 x 1,000 TREC files", "pytrec_eval"),
    ("all pairs of 10 runs x 1,000 x 100, five measures, 1,000 permutations", "ranx"),
    ("RRF of 5 runs x 1,000 x 1,000", "ranx"),
)
"""The rows of the README's table."""


def benchmark_table() -> str:
    """The README's table, from what the benchmarks measured."""
    rows = ["| work | rankgold | other tool | | times faster |", "|---|---:|---:|---|---:|"]
    measured = {(row["work"], row["peer"]): row for row in _measured()}
    for row in (measured[asked] for asked in ASKED_FOR):
        times = f"{row['ratio']:.1f}" if row["ratio"] < 20 else f"{row['ratio']:.0f}"
        rows.append(f"| {row['work']} | {row['ours']:.2f} s | {row['theirs']:.2f} s | {row['peer']} | {times} |")
    return "\n".join(rows)


def benchmark_of_size() -> str:
    """What the README says of a hundred million rows."""
    row = next(row for row in _measured() if row["work"].startswith("100 million"))
    return (
        f"A large run is evaluated in parts, with the same scores to the last bit: 100 million rows with 5 million"
        f" judgements took {row['ours']:.0f} s\nand {row['memory'] / 1e9:.1f} GB on the same machine."
    )


def _measured() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))["rows"]
    return rows


def with_part(page: Path, part: str, content: str) -> str:
    """A hand-written file with one marked part replaced."""
    return with_parts(page, {part: content})


def with_parts(page: Path, parts: dict[str, str]) -> str:
    """A hand-written file with its marked parts replaced."""
    return filled_in(page.read_text(encoding="utf-8"), parts)


def filled_in(text: str, parts: dict[str, str]) -> str:
    """A text with its marked parts replaced."""
    for part, content in parts.items():
        text = re.sub(
            rf"(^[^\n]*begin {part}[^\n]*\n).*?(^[^\n]*end {part}[^\n]*$)",
            lambda found, content=content: f"{found[1]}{content}\n{found[2]}",
            text,
            flags=re.MULTILINE | re.DOTALL,
        )
    return text


def pages() -> dict[Path, str]:
    """Every generated file with its content."""
    metrics = [metric for family in FAMILIES.values() for metric in family.all()]
    policies = ROOT / "docs" / "policies.md"
    measured = f"\n{benchmark_table()}\n\n{benchmark_of_size()}\n"
    return {
        **{
            measure_pages.list_path(family): f"{MADE}{measure_pages.index_page(family)}\n"
            for family in FAMILIES.values()
        },
        **{
            measure_pages.page_path(metric): filled_in(
                measure_pages.page_start(metric), measure_pages.generated_parts(metric)
            )
            for metric in metrics
        },
        REFERENCE / "cli.md": cli_page(),
        REFERENCE / "python.md": python_page(),
        ROOT / "docs" / "images" / "demo.svg": demo_svg(),
        ROOT / "docs" / "images" / "architecture.svg": architecture.picture(),
        ROOT / "docs" / "architecture.md": with_parts(
            ROOT / "docs" / "architecture.md",
            {
                "walk of dicts": architecture.walk(walk.files_passed(walk.evaluate_dicts)),
                "walk of files": architecture.walk(walk.files_passed(walk.evaluate_files)),
                "tree": architecture.tree(),
            },
        ),
        ROOT / "mkdocs.yml": with_part(ROOT / "mkdocs.yml", "measures", measure_pages.navigation()),
        ROOT / "README.md": with_part(ROOT / "README.md", "benchmarks", measured),
        ROOT / "docs" / "duckdb.md": with_parts(
            ROOT / "docs" / "duckdb.md",
            {"functions": sql_functions(), "without function": f"\n{without_sql_function()}\n"},
        ),
        ROOT / "docs" / "which-measure.md": with_parts(
            ROOT / "docs" / "which-measure.md",
            {"suites": measure_pages.suites_table(), "reasons": measure_pages.suites_in_full()},
        ),
        ROOT / "docs" / "plots.md": with_parts(
            ROOT / "docs" / "plots.md", {"gallery": gallery(), "figures": figures()}
        ),
        PLOTS_FILE: with_part(PLOTS_FILE, "plots", imported_plots()),
        policies: with_part(policies, "fields", f"\n{policy_table()}\n"),
        ROOT / "docs" / "conventions.md": with_parts(
            ROOT / "docs" / "conventions.md",
            {"dialects": dialect_pages.table_of_dialects(), "examples": dialect_pages.table_of_examples()},
        ),
        **{
            page: with_part(page, "dialect", dialect_pages.part_of_page(page.stem))
            for page in (ROOT / "docs" / "coming-from" / f"{name}.md" for name in dialect_pages.pages())
        },
    }


def main() -> int:
    made = pages()
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    unknown = {page for family in FAMILIES for page in (REFERENCE / family).glob("*.md")} - set(made)
    if "--check" in sys.argv:
        pictures = stale_pictures()
        if report_picture.is_stale():
            path = report_picture.PICTURE.relative_to(ROOT)
            print(f"{path} shows another page: run python scripts/report_picture.py (needs Chromium)", file=sys.stderr)
            return 1
        for path in [*stale, *sorted(unknown), *pictures]:
            print(f"{path.relative_to(ROOT)} is out of date: run python scripts/generate_docs.py", file=sys.stderr)
        return 1 if stale or unknown or pictures else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
    for path in unknown:
        path.unlink()
    write_pictures()
    return 0


if __name__ == "__main__":
    sys.exit(main())
