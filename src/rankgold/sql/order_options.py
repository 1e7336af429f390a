"""The options text of to_ordered_list, such as `-k 2 -reverse`, in; typed options out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rankgold.errors import DataError

_FLAGS = {
    "-reverse": "reverse", "-reverse_order": "reverse", "-dedup": "dedup",
    "-kv": "kv", "-kv_map": "kv", "-vk": "vk", "-vk_map": "vk",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OrderOptions:
    """The order of entries, and which to keep.

    >>> OrderOptions.of("-k 2 -kv_map")
    OrderOptions(k=2, reverse=False, dedup=False, result='kv')
    >>> OrderOptions.of("-k -2").descends
    False
    """

    k: int | None = None
    reverse: bool = False
    dedup: bool = False
    result: Literal["list", "kv", "vk"] = "list"

    @classmethod
    def of(cls, text: str, *, has_key: bool = True) -> OrderOptions:
        words = text.split()
        found: dict[str, int | bool] = {}
        while words:
            word = words.pop(0)
            if word == "-k" and words and words[0].lstrip("-").isdecimal() and words[0].count("-") <= 1:
                found["k"] = int(words.pop(0))
            elif word in _FLAGS:
                found[_FLAGS[word]] = True
            else:
                raise DataError(f"options are -k N, -reverse, -dedup, -kv_map and -vk_map, not {text!r}.")
        if found.get("k") == 0:
            raise DataError("-k must be a whole number other than 0.")
        if "kv" in found and "vk" in found:
            raise DataError("-kv_map and -vk_map cannot be combined.")
        if ("kv" in found or "vk" in found) and not has_key:
            raise DataError("a map needs keys: to_ordered_list(value, key, options).")
        result: Literal["list", "kv", "vk"] = "kv" if "kv" in found else "vk" if "vk" in found else "list"
        return cls(found.get("k"), "reverse" in found, "dedup" in found, result)

    @property
    def descends(self) -> bool:
        """Whether the largest comes first: if the order is reversed or the top k are requested, but not both."""
        return self.reverse != (self.k is not None and self.k > 0)

    @property
    def text(self) -> str:
        """The options as the DuckDB macros take them."""
        words = ["" if self.k is None else f"-k {self.k}", "-reverse" * self.reverse, "-dedup" * self.dedup]
        return " ".join(filter(None, words))
