"""Writes LaTeX tables (booktabs)."""

from __future__ import annotations

from collections.abc import Sequence

from rankgold.core.document import ResultTable, plain
from rankgold.present.outputs import output
from rankgold.present.outputs.text import cells

_ESCAPES = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "[": "{[}", "*": "{*}",
    "†": r"\textsuperscript{\textdagger}",
})  # fmt: skip


@output("latex", "tex", "latex", made_of="tables", place=4)
def latex_tables(tables: Sequence[ResultTable]) -> str:
    """Each table as a tabular environment, in a table environment if it has a caption."""
    return "\n".join(map(_table, tables))


def _table(table: ResultTable) -> str:
    header, *rows = (" & ".join(row).replace("–", "--") + r" \\" for row in cells(table, _escape, r"\textbf{{{}}}"))
    lines = [
        rf"\begin{{tabular}}{{{table.alignment}}}",
        r"\toprule",
        header,
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if table.caption:
        lines = [r"\begin{table}", r"\centering", *lines, rf"\caption{{{_escape(table.caption)}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _escape(text: object) -> str:
    """Text that LaTeX shows unchanged."""
    return plain(text).translate(_ESCAPES)
