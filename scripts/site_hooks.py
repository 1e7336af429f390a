"""The Markdown of a page in, the same with formulas as MathML out: the site needs no script and no network for them.

In the Markdown a formula is LaTeX, as GitHub shows it too: a block of the language `math`, or $`...`$ within a line.
"""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert

_BLOCK = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`` )\$`([^`\n]+)`\$")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replaces the formulas of a page; mkdocs calls it."""
    markdown = _BLOCK.sub(lambda found: f'<div class="formula">{convert(found[1], display="block")}</div>', markdown)
    return _INLINE.sub(lambda found: convert(found[1]), markdown)
