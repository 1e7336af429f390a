"""A document in, a fragment of HTML out."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from rankgold.output.document import Document, ResultTable
from rankgold.output.text import cells, plain


def html_document(document: Document) -> str:
    """Title, formula, tables and facts, one element a line."""
    from html import escape

    parts = [f"<h3>{html_text(document.title)}</h3>"] if document.title else []
    parts += [f"<pre>{escape(document.formula)}</pre>"] if document.formula else []
    for table in document.tables:
        parts += [f"<p>{html_text(table.caption)}</p>"] if table.caption else []
        parts.append(html_table(table))
    facts = "".join(f"<dt>{html_text(name)}</dt><dd>{html_text(line)}</dd>" for name, line in document.facts)
    parts += [f"<dl>{facts}</dl>"] if facts else []
    return "\n".join([*parts, ""])


@cache
def stylesheet() -> str:
    """The style of everything that is written as HTML."""
    return files(__package__).joinpath("style.css").read_text(encoding="utf-8")


def html_table(table: ResultTable) -> str:
    header, *rows = cells(table, html_text, "<strong>{}</strong>")
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_text(text: object) -> str:
    """Text that HTML shows unchanged."""
    from html import escape

    return escape(plain(text))
