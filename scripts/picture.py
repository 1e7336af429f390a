"""What `rankgold demo` prints in, a picture of it for the README out: drawn by rich, without fonts from elsewhere."""

from __future__ import annotations

import io
import os
import re
from unittest.mock import patch

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from rankgold.cli.explanation_commands import demonstration
from rankgold.present.terminal import terminal_document

WIDTH = 94
WITHOUT_FONTS = re.sub(r"@font-face \{\{.*?\}\}\n?", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)


def demo_svg() -> str:
    """A terminal in which `rankgold demo` has run; the same whatever terminal this runs in."""
    with patch.dict(os.environ, {"TERM": "xterm-256color"}):
        os.environ.pop("NO_COLOR", None)
        shown = demonstration(lambda document: terminal_document(document, WIDTH, colour=True))
        shown = shown.partition("Try next:")[0].rstrip()
        console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
        console.print(Text("$ rankgold demo", style="bold"))
        console.print(Text.from_ansi(shown))
        drawn = console.export_svg(title="rankgold demo", code_format=WITHOUT_FONTS, unique_id="rankgold")
    return "\n".join(line.rstrip() for line in drawn.replace("Fira Code", "DejaVu Sans Mono").splitlines()) + "\n"
