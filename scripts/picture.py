"""What `karat demo` prints, as a picture for the README: rich's drawing of a terminal, without fonts from elsewhere."""

from __future__ import annotations

import contextlib
import io
import re

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text


def demo_svg() -> str:
    """A terminal in which `karat demo` has run."""
    from karat.cli.demo import command

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        command(path=False)
    shown = out.getvalue().partition("Try next:")[0].rstrip()
    console = Console(record=True, width=94, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ karat demo", style="bold"))
    console.print(Text(shown))
    without_fonts = re.sub(r"@font-face \{\{.*?\}\}\n?", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    drawn = console.export_svg(title="karat demo", code_format=without_fonts, unique_id="karat")
    return "\n".join(line.rstrip() for line in drawn.replace("Fira Code", "DejaVu Sans Mono").splitlines()) + "\n"
