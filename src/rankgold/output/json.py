"""Writes JSON: everything that a result says, with all digits."""

from __future__ import annotations

from rankgold.output.registry import output
from rankgold.output.text import escaped_json


@output("json", made_of="dict", place=1)
def json_document(content: object) -> str:
    return json_text(content) + "\n"


def json_text(content: object, indent: int | None = 2) -> str:
    """JSON of what `to_dict` returns. Ids that are neither numbers nor text are written as text."""
    import json  # not loaded for help, which asks for the names of outputs

    return escaped_json(json.dumps(content, indent=indent, allow_nan=False, ensure_ascii=False, default=str))
