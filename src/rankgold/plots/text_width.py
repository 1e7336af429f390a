"""Text in, its estimated width, or text that fits a width, out.

Python has no fonts to measure with, so widths are estimates for Arial and the fonts that replace it: the width of a
character as a share of the font size.
"""

import unicodedata
from collections.abc import Sequence

_WIDTHS = {
    **dict.fromkeys("ijl'|", 0.24),
    **dict.fromkeys("ft.,:;!/\\ I()[]", 0.31),
    **dict.fromkeys('r-`*"^{}', 0.38),
    **dict.fromkeys("ckszvxyJ", 0.52),
    **dict.fromkeys("ABEKPSVXYZFTL&", 0.68),
    **dict.fromkeys("CDGHNOQRUw", 0.76),
    **dict.fromkeys("mM", 0.86),
    **dict.fromkeys("W%@…", 1.0),
}
_USUAL = 0.58
ELLIPSIS = "…"


def pixel_width(text: str, size: float = 11) -> float:
    """The width of a text in pixels at a font size."""
    return size * sum(map(_character_width, text))


def _character_width(character: str) -> float:
    if character in _WIDTHS:
        return _WIDTHS[character]
    if unicodedata.combining(character):
        return 0.0
    # A character of another script may be as wide as it is high.
    return _USUAL if character < "\u0250" else 1.0


def cut_middle(text: str, width: float, size: float = 11) -> str:
    """The text if it fits the width; else its beginning and its end, with an ellipsis between them."""
    if pixel_width(text, size) <= width:
        return text
    half = (width - pixel_width(ELLIPSIS, size)) / 2
    start, end = _fitting(text, half, size), _fitting(text[::-1], half, size)
    return text[:start] + ELLIPSIS + text[len(text) - end :]


def _fitting(characters: Sequence[str], width: float, size: float) -> int:
    """How many characters fit the width, at least one."""
    used = 0.0
    for count, character in enumerate(characters):
        used += size * _character_width(character)
        if used > width:
            return max(count, 1)
    return len(characters)


def wrapped(text: str, width: float, size: float = 11) -> list[str]:
    """The text in lines that fit the width, broken between words; a longer word is cut in the middle."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if pixel_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(cut_middle(word, width, size))
    return [line for line in lines if line] or [""]
