"""The tables of dialects in, parts of pages out: what each tool does, its names, and what is not repeated."""

from __future__ import annotations

import rankgold
from rankgold.core.dialects import Dialect, all_tables
from rankgold.measures.notation import parse_in_dialect

EXAMPLES = ("ap@2", "p@10", "ndcg@4")
"""The measures of the comparison of all dialects."""


def pages() -> list[str]:
    """The names of the pages for users of other tools."""
    return list(dict.fromkeys(table.page for table in all_tables()))


def tables_of(page: str) -> list[Dialect]:
    return [table for table in all_tables() if table.page == page]


def table_of_dialects() -> str:
    """A row for each dialect: what was checked, its policy and its defaults."""
    rows = ["| `policy=` | tool and version | checked against | policy | measures |", "|---|---|---|---|---|"]
    for table in all_tables():
        policy = f"`{table.policy}`" if table.policy else ""
        link = f"[{table.tool}](coming-from/{table.page}.md) {table.version}"
        rows.append(f"| `{table.name}` | {link} | {table.checked} | {policy} | {_defaults(table)} |")
    return "\n".join(["", *rows, ""])


def table_of_examples() -> str:
    """The same list under each dialect: the values of a few measures."""
    qrels, run = {"u": {1: 1, 2: 3, 4: 2}}, {"u": [1, 3, 2, 6]}
    rows = [f"| `policy=` | {' | '.join(f'`{name}`' for name in EXAMPLES)} |", "|---|" + "---:|" * len(EXAMPLES)]
    rows += [f"| `{name}` | {_values(qrels, run, name)} |" for name in ("rankgold", *(t.name for t in all_tables()))]
    return "\n".join(["", *rows, ""])


def _values(qrels: object, run: object, policy: str) -> str:
    scores = rankgold.evaluate(qrels, run, list(EXAMPLES), policy=policy)
    return " | ".join(f"{scores[name]:.4f}" for name in EXAMPLES)


def _defaults(table: Dialect) -> str:
    shown = [f"`{parse_in_dialect(name, table.name)}`" for name in table.defaults]
    return ", ".join(shown) or "as in rankgold"


def part_of_page(page: str) -> str:
    """What the page of a tool says about its dialects."""
    return "\n".join(["", *("\n".join(_dialect(table)) for table in tables_of(page)), ""])


def _dialect(table: Dialect) -> list[str]:
    lines = [
        f'`policy="{table.name}"` gives the numbers of {table.tool}, with its names and defaults of measures. Checked'
        f" against {table.version}: {table.checked}.",
        "",
        f"- Policy: {f'`{table.policy}`' if table.policy else 'the default'}.",
        f"- Measures with other parameters than in rankgold: {_defaults(table)}.",
        "",
    ]
    if table.names:
        lines += ["| there | here |", "|---|---|"]
        lines += [f"| `{name}` | `{measure}` |" for name, measure in table.names.items()]
        lines.append("")
    if table.not_repeated:
        lines += ["| not repeated | there | here |", "|---|---|---|"]
        lines += [f"| {case.case} | {case.there} | {case.here} |" for case in table.not_repeated]
        lines.append("")
    return lines
