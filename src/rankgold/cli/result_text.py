"""A result and the options of a command in, its text in the chosen format out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rankgold.cli.shared_options import chosen_digits, documents_text

if TYPE_CHECKING:
    from rankgold.output.result_forms import ResultForms


def result_text(
    found: ResultForms, format_: str, options: Namespace, layout: Mapping[str, Any] | None = None, **choices: Any
) -> str:
    """The text of the result. `choices` go to its document and to its JSON, `layout` only to its document."""
    if format_ == "json":
        return found.to_json(**choices) + "\n"
    document = found.document_for(format_, chosen_digits(options), **choices, **(layout or {}))
    return documents_text([replace(document, raw_ids=options.raw_ids)], format_, options)
