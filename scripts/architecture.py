"""Draws and lists what the architecture page shows: the rooms, the files, the walks."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "rankgold"

_WIDTH, _MARGIN, _NAME, _LINE, _PADDING, _GAP = 940, 40, 130, 17, 9, 6
_SHADES = ("#fff4d6", "#fdf9ee")


def layers() -> list[list[str]]:
    """The modules directly under the package, those that import first; modules of the same layer together."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contract = next(contract for contract in settings["contracts"] if contract["type"] == "layers")
    return [re.split(r" *[:|] *", layer) for layer in contract["layers"]]


def about(file: Path) -> str:
    """The first sentence of a module's docstring."""
    documentation = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return re.split(r"(?<=\.)\s", documentation, maxsplit=1)[0].replace("\n", " ")


def source_of(module: str) -> tuple[str, Path]:
    """How a module directly under the package is written, and the file with its docstring."""
    folder = PACKAGE / module
    return (f"{module}/", folder / "__init__.py") if folder.is_dir() else (module, folder.with_suffix(".py"))


def picture() -> str:
    """The rooms as a house, drawn from the roof down: a floor imports only from the floors below it."""
    floors, top = [], _MARGIN
    for number, modules in enumerate(layers()):
        lines = [
            (name if place == 0 else "", line)
            for name, file in map(source_of, modules)
            for place, line in enumerate(textwrap.wrap(about(file), 112))
        ]
        height = len(lines) * _LINE + 2 * _PADDING
        floors.append(
            f'<rect x="{_MARGIN}" y="{top}" width="{_WIDTH - 2 * _MARGIN}" height="{height}" rx="4"'
            f' fill="{_SHADES[number % 2]}" stroke="#c9a227"/>'
        )
        for place, (name, line) in enumerate(lines):
            y = top + _PADDING + place * _LINE + 12.5
            if name:
                floors.append(f'<text class="name" x="{_MARGIN + 12}" y="{y}">{escape(name)}</text>')
            floors.append(f'<text x="{_MARGIN + _NAME}" y="{y}">{escape(line)}</text>')
        top += height + _GAP
    bottom = top - _GAP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + _MARGIN}"'
            f' width="{_WIDTH}" height="{bottom + _MARGIN}">',
            "<title>The rooms of rankgold: each imports only from those below it</title>",
            "<style>text { font: 12.5px sans-serif; fill: #222 } .name { font: bold 12.5px monospace }</style>",
            f'<rect width="{_WIDTH}" height="{bottom + _MARGIN}" fill="#fff"/>',
            f'<text x="{_MARGIN}" y="{_MARGIN - 14}">A room imports only from rooms below it.</text>',
            *floors,
            f'<path d="M20 {_MARGIN} V{bottom} m-5 -9 l5 9 l5 -9" fill="none" stroke="#8a6d00" stroke-width="2"/>',
            "</svg>\n",
        ]
    )


def rooms() -> str:
    """The rooms, from the top down, with the first sentence of each."""
    names = [module for modules in layers() for module in modules if (PACKAGE / module).is_dir()]
    rows = [f"| `{name}/` | {about(PACKAGE / name / '__init__.py')} |" for name in names]
    return "\n".join(["", "| room | what is in it |", "|---|---|", *rows, ""])


def tree() -> str:
    """Every file of the package with the first sentence of its docstring, from the top layer down."""
    lines = []
    for name, file in (source_of(module) for modules in layers() for module in modules):
        lines.append(f"{name:<26}{about(file)}")
        if name.endswith("/"):
            lines += _inside(file.parent, "  ")
    return "\n".join(["```text", *lines, "```"])


def _inside(folder: Path, indent: str) -> list[str]:
    lines = []
    for path in sorted(folder.iterdir()):
        if path.suffix == ".py" and path.stem != "__init__":
            lines.append(f"{indent + path.stem:<26}{about(path)}")
        elif (path / "__init__.py").exists():
            lines += [f"{f'{indent}{path.name}/':<26}{about(path / '__init__.py')}", *_inside(path, indent + "  ")]
    return lines


def walk(files: list[str]) -> str:
    """The files that an evaluation passes, with what each of them does."""
    rows = [f"| {number} | `{file}` | {about(PACKAGE / file)} |" for number, file in enumerate(files, 1)]
    return "\n".join(["", "| | file | what it does |", "|---:|---|---|", *rows, ""])
