"""What mkdocs calls while it builds the site: formulas become MathML, and dark pages get dark pictures.

In the Markdown a formula is LaTeX, as GitHub shows it too: a block of the language `math`, or $`...`$ within a line.
The site needs no script and no network for formulas. Dark pictures are drawn for the site only, and are not stored.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

_BLOCK = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`` )\$`([^`\n]+)`\$")
_PLOT = re.compile(r'<img [^>]*src="([^"]*images/plots/[\w-]+)\.svg"[^>]*>')


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replaces the formulas of a page."""
    markdown = _BLOCK.sub(lambda found: f'<div class="formula">{convert(found[1], display="block")}</div>', markdown)
    return _INLINE.sub(lambda found: convert(found[1]), markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Adds the dark form of every plot of a page."""
    dark = '<source media="(prefers-color-scheme: dark)" srcset="{}-dark.svg">'
    return _PLOT.sub(lambda found: f"<picture>{dark.format(found[1])}{found[0]}</picture>", html)


def on_post_build(config: Any) -> None:
    """Draws the dark plots into the site."""
    for name, picture in _dark_pictures().items():
        (Path(config["site_dir"]) / "images" / "plots" / f"{name}-dark.svg").write_text(picture, encoding="utf-8")


@cache
def _dark_pictures() -> dict[str, str]:
    sys.path.insert(0, str(Path(__file__).parent))
    from gallery import charts, picture

    return {name: picture(chart) for name, chart in charts("dark").items()}
