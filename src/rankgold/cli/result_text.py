"""A result of a command in, its text in the chosen format out."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from rankgold.output.registry import TABLE_OUTPUTS

if TYPE_CHECKING:
    from rankgold.comparison.table_result import TableResult

FORMATS = ("table", "json", *TABLE_OUTPUTS)


def result_text(result: TableResult, format_: str, options: Namespace) -> str:
    from rankgold.output.text import shown_document, text_document

    digits = 4 if options.digits is None else options.digits
    if format_ == "json":
        return result.to_json() + "\n"
    if format_ != "table":
        return result.written(format_, digits) + "\n"
    document = result.document(digits=digits)
    return shown_document(document) if options.output is None else text_document(document)
