"""The packed data of a report in, one HTML file out, with its style and script from the folder `page`.

The script is a few ES modules. In the file they are one module, in which each is a function that returns what it
exports, so that each keeps its own names. A policy in the file allows this script and the one that draws charts, and
nothing else: no text of the data can run, and no request can leave the page.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from functools import cache
from importlib.resources import files

from rankgold.output.html import stylesheet

MODULES = (
    "packed_data", "elements", "numbers", "state", "exports", "report_data", "controls", "summary", "leaderboard",
    "canvas", "difference_bars", "histogram", "scatter", "run_pair", "query_table", "rankings", "working", "judging",
    "what_if", "opened_query", "policies", "measure_ranks", "charts", "keyboard", "print", "main",
)  # fmt: skip
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./\w+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async function|function|const|class) (\w+)", re.MULTILINE)

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="rankgold {version}">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body class="rankgold">
<a class="skip" href="#content">Skip to the report</a>
<div id="app" aria-busy="true"><p class="loading">Loading the report.</p></div>
<noscript><p class="loading">This report needs JavaScript to be shown. Nothing is loaded from a network.</p></noscript>
{blocks}
<script type="module">{script}</script>
</body>
</html>
"""


def page_file(title: str, version: str, blocks: dict[str, str], vega: str | None) -> str:
    """The whole file. `blocks` has the packed data by name; `vega` is the script that draws charts, if it is there."""
    script = page_script()
    allowed = [_digest(script)]
    if vega is not None:
        allowed += [_digest(vega), "'unsafe-eval'"]  # charts compile expressions of their own
    policy = f"default-src 'none'; script-src {' '.join(allowed)}; style-src 'unsafe-inline'; img-src data: blob:"
    data = "\n".join(f'<script type="text/plain" id="data-{name}">{block}</script>' for name, block in blocks.items())
    return _PAGE.format(
        policy=policy,
        version=version,
        title=html.escape(title),
        style=stylesheet() + page_style(),
        blocks=data,
        script=script,
    )


def page_size() -> int:
    """The length of a file without data."""
    return len(page_file("", "", {}, None))


@cache
def page_script() -> str:
    """All modules as one."""
    script = "\n" + "".join(map(_scoped, MODULES))
    assert "</script" not in script.lower()
    return script


def _scoped(name: str) -> str:
    """A module as a function that returns its exports."""
    text = _IMPORT.sub("", _text(f"{name}.js"))
    exports = ", ".join(found[1] for found in _EXPORT.finditer(text))
    body = _EXPORT.sub(lambda found: found[0].removeprefix("export "), text)
    return f"const {{ {exports} }} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"


@cache
def page_style() -> str:
    return _text("report.css")


def _text(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode('utf-8')).digest()).decode('ascii')}'"
