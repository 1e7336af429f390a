"""The options of to_ordered_list, which are a text such as `-k 2 -reverse`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rankgold.errors import DataError

_FLAGS = {
    "-reverse": "reverse",
    "-reverse_order": "reverse",
    "-dedup": "dedup",
    "-kv_map": "kv",
    "-kv": "kv",
    "-vk_map": "vk",
    "-vk": "vk",
}


@dataclass(frozen=True, slots=True)
class Ordering:
    """How entries are put in order, and what is kept of them.

    >>> Ordering.of("-k 2 -kv_map")
    Ordering(k=2, reverse=False, dedup=False, result='kv')
    >>> Ordering.of("-k -2").descends
    False
    """

    k: int | None = None
    reverse: bool = False
    dedup: bool = False
    result: Literal["list", "kv", "vk"] = "list"

    @classmethod
    def of(cls, options: str, *, has_key: bool = True) -> Ordering:
        words = options.split()
        found: dict[str, int | bool] = {}
        while words:
            word = words.pop(0)
            if word == "-k" and words and words[0].lstrip("-").isdecimal() and words[0].count("-") <= 1:
                found["k"] = int(words.pop(0))
            elif word in _FLAGS:
                found[_FLAGS[word]] = True
            else:
                raise DataError(f"options are -k N, -reverse, -dedup, -kv_map and -vk_map, not {options!r}.")
        return cls._checked(found, has_key)

    @classmethod
    def _checked(cls, found: dict[str, int | bool], has_key: bool) -> Ordering:
        if found.get("k") == 0:
            raise DataError("-k is any whole number but 0.")
        if "kv" in found and "vk" in found:
            raise DataError("only one of -kv_map and -vk_map can be had.")
        if ("kv" in found or "vk" in found) and not has_key:
            raise DataError("a map has keys: to_ordered_list(value, key, options).")
        return cls(
            found.get("k"),
            "reverse" in found,
            "dedup" in found,
            "kv" if "kv" in found else "vk" if "vk" in found else "list",
        )

    @property
    def descends(self) -> bool:
        """Whether the largest comes first: where the order is reversed, or the top k are wanted, and not both."""
        return self.reverse != (self.k is not None and self.k > 0)

    @property
    def text(self) -> str:
        """The options as the macros take them."""
        words = ["" if self.k is None else f"-k {self.k}", "-reverse" * self.reverse, "-dedup" * self.dedup]
        return " ".join(filter(None, words))
