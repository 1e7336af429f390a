"""A result and the options of a command in, its text in the chosen format out."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rankgold.output.registry import TABLE_OUTPUTS
from rankgold.output.text import shown_document, text_document

if TYPE_CHECKING:
    from rankgold.output.result_forms import ResultForms

FORMATS = ("table", "json", *TABLE_OUTPUTS)


def result_text(found: ResultForms, format_: str, options: Namespace, **choices: Any) -> str:
    """The text of the result; `choices` go to its document and to its JSON."""
    if format_ == "json":
        return found.to_json(**choices) + "\n"
    digits = 4 if getattr(options, "digits", None) is None else options.digits
    document = found.document_for(format_, digits, **choices)
    if format_ != "table":
        return TABLE_OUTPUTS[format_](replace(document, raw_ids=options.raw_ids))
    return shown_document(document) if options.output is None else text_document(document)
