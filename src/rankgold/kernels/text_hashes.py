"""Texts in, a hash of 64 bits for each out: the same on every machine and in every version, with no loop over texts.

The texts stand side by side in one piece of memory. A hash starts with the length of the text. Its words of 8 bytes
follow one after the other, the last one filled up with zeros: each is mixed in by the finisher of SplitMix64 (Steele,
Lea and Flood 2014, doi:10.1145/2660193.2660195). In miniature, with words of 2 bytes: `abc` is
mix(mix(3 ^ "ab") ^ "c0"). The loop is over the words of the longest text; very long texts are hashed one by one, by
BLAKE2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgold.kernels.segments import Floats, Ints

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]

_WORD = 8
_LONG = 256
_MASKS = np.array([(1 << 8 * width) - 1 for width in range(_WORD + 1)], dtype=np.uint64)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def scrambled(keys: Keys) -> Keys:
    """Numbers of 64 bits in another order: a change of one bit changes about half of the bits."""
    keys = (keys ^ (keys >> np.uint64(30))) * _FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * _SECOND
    return keys ^ (keys >> np.uint64(31))


def text_hashes(content: bytes, starts: Ints, lengths: Ints) -> Keys:
    """The hash of each text; text i is the bytes `starts[i]:starts[i] + lengths[i]` of the content."""
    # One word for each place at which one can begin. They overlap, and are read without a copy.
    words = np.ndarray(len(content) + 1, dtype="<u8", buffer=content + bytes(_WORD), strides=(1,))
    keys = lengths.astype(np.uint64)
    short = np.flatnonzero(lengths <= _LONG)
    begun = 0
    while len(short := short[lengths[short] > begun]):
        rest = np.minimum(lengths[short] - begun, _WORD)
        keys[short] = scrambled(keys[short] ^ (words[starts[short] + begun].astype(np.uint64) & _MASKS[rest]))
        begun += _WORD
    for i in np.flatnonzero(lengths > _LONG).tolist():
        keys[i] = _hash_of_long(content[starts[i] : starts[i] + lengths[i]])
    return keys


def _hash_of_long(text: bytes) -> int:
    from hashlib import blake2b  # which loads OpenSSL

    return int.from_bytes(blake2b(text, digest_size=_WORD).digest(), "little")


def number_keys(numbers: Floats) -> Keys:
    """The bits of each number as a float of 64 bits. Both zeros are one number."""
    return (numbers.astype(np.float64) + 0.0).view(np.uint64)


def row_sum(query: Keys, document: Keys, *more: Keys) -> int:
    """The sum of the hashes of rows, as a number of 64 bits: the order of the rows does not matter."""
    keys = scrambled(scrambled(query + _FIRST) ^ document)
    for part in more:
        keys = scrambled(keys ^ part)
    return int(keys.sum(dtype=np.uint64))
