"""A result and the options of a command in, its text in the chosen format out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankgold.cli.destination import for_terminal
from rankgold.cli.shared_options import chosen_digits, document_text
from rankgold.output.registry import find_output

if TYPE_CHECKING:
    from rankgold.output.result_forms import Result


def result_text(
    found: Result, format_: str, options: Namespace, layout: Mapping[str, Any] | None = None, **choices: Any
) -> str:
    """The text of the result. `choices` go to its document and to its JSON, `layout` only to its document."""
    chosen = find_output(format_)
    if chosen.for_machines:
        text = found.write(format_, raw_ids=getattr(options, "raw_ids", False), **choices) + "\n"
        return for_terminal(text, options.output) if chosen.made_of == "table" else text
    return document_text(found.document(chosen_digits(options), **choices, **(layout or {})), format_, options)
