"""Writes Markdown."""

from __future__ import annotations

from rankgold.core.document import Document, ResultTable, plain
from rankgold.present.outputs import output
from rankgold.present.outputs.text import cells

_ESCAPES = str.maketrans({
    "\\": "\\\\", "|": "\\|", "*": "\\*", "_": "\\_", "`": "\\`", "<": "&lt;", ">": "&gt;", "[": "\\[", "]": "\\]",
    "&": "&amp;", "~": "\\~", "$": "\\$",
})  # fmt: skip


@output("markdown", "md", "markdown", place=3)
def markdown_document(document: Document) -> str:
    """Title, formula, tables and facts, with a blank line between them."""
    return "\n".join(map(_part, document.parts))


def _part(document: Document) -> str:
    parts = [f"### {_escape(document.title)}"] if document.title else []
    parts += [f"```\n{document.formula}\n```"] if document.formula else []
    for table in document.tables:
        parts += [_escape(table.caption), _table(table)] if table.caption else [_table(table)]
    parts.append("\n".join(f"- **{name}**: {_escape(line)}" for name, line in document.facts))
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(table: ResultTable) -> str:
    header, *rows = cells(table, _escape, "**{}**")
    lines = [header, ["---" if side == "l" else "---:" for side in table.alignment], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escape(text: object) -> str:
    """Text that Markdown shows unchanged."""
    return plain(text).translate(_ESCAPES)
