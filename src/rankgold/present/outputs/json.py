"""Writes JSON."""

from __future__ import annotations

from rankgold.core.document import escaped_json
from rankgold.present.outputs import output


@output("json", made_of="dict", place=1)
def json_document(content: object) -> str:
    return json_text(content) + "\n"


def json_text(content: object, indent: int | None = 2) -> str:
    """JSON of what `to_dict` returns. Ids that are neither numbers nor text are written as text."""
    import json  # not loaded for help, which asks for the names of outputs

    return escaped_json(json.dumps(content, indent=indent, allow_nan=False, ensure_ascii=False, default=str))
