"""Writes HTML fragments and pages."""

from __future__ import annotations

from functools import cache

from rankgold.core.document import Document, ResultTable, plain
from rankgold.present.outputs import output
from rankgold.present.outputs.text import cells

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body class="rankgold page">
<main>
{body}</main>
</body>
</html>
"""


def html_document(document: Document) -> str:
    """A fragment for a notebook, with its style, which changes nothing else on the page."""
    return f'<div class="rankgold">\n<style>\n{stylesheet()}</style>\n{_body(document)}</div>\n'


@output("html", "html", "htm", place=5)
def html_page(document: Document) -> str:
    """A page that follows the light or dark theme of the system."""
    title = next((part.title for part in document.parts if part.title), "rankgold")
    return _PAGE.format(title=html_text(title), style=stylesheet(), body=_body(document))


def _body(document: Document) -> str:
    return "\n".join(map(_elements, document.parts))


@cache
def stylesheet() -> str:
    """The style of everything that is written as HTML."""
    from importlib.resources import files

    return files(__package__).joinpath("style.css").read_text(encoding="utf-8")


def _elements(document: Document) -> str:
    """Title, formula, tables, facts and notes, one element a line."""
    from html import escape

    parts = [f"<h3>{html_text(document.title)}</h3>"] if document.title else []
    parts += [f'<pre class="formula">{escape(document.formula)}</pre>'] if document.formula else []
    for table in document.tables:
        parts += [f"<p>{html_text(table.caption)}</p>"] if table.caption else []
        parts.append(f'<div class="scroll">{html_table(table)}</div>')
    facts = "".join(f"<dt>{html_text(name)}</dt><dd>{html_text(line)}</dd>" for name, line in document.facts)
    parts += [f'<dl class="facts">{facts}</dl>'] if facts else []
    notes = "".join(f"<li>{html_text(note)}</li>" for note in document.notes)
    parts += [f'<ul class="notes">{notes}</ul>'] if notes else []
    return "\n".join([*parts, ""])


def html_table(table: ResultTable) -> str:
    """A table. Columns of text are on the left; a table without a header has names in its first column."""
    lines = cells(table, html_text, "<strong>{}</strong>")
    sides = [' class="left"' if side == "l" else "" for side in table.alignment]
    head = ""
    if table.header:
        header, *lines = lines
        names = "".join(f'<th scope="col"{side}>{cell}</th>' for cell, side in zip(header, sides, strict=True))
        head = f"<thead><tr>{names}</tr></thead>"
    body = "".join(
        f"<tr>{''.join(f'<td{side}>{cell}</td>' for cell, side in zip(row, sides, strict=True))}</tr>" for row in lines
    )
    return f"<table>{head}<tbody>{body}</tbody></table>"


def html_text(text: object) -> str:
    """Text that HTML shows unchanged."""
    from html import escape

    return escape(plain(text))
