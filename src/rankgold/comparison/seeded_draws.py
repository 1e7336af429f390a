"""A seed in, random signs and random samples of units out: the same numbers on every machine.

Only the raw words of the generator are used: NumPy promises that these never change, and does not promise it of what
its other functions make of them. Draws come in chunks, so that a hundred thousand of them need little memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rankgold.kernels.segments import Floats, Ints

# The most cells of a chunk: 16 MB.
_CELLS = 1 << 21


@dataclass(frozen=True, slots=True)
class Draws:
    """How many draws a test makes, and the seed of all of them."""

    count: int
    seed: int


def random_signs(seed: int, draws: int, units: int) -> Iterator[Floats]:
    """Matrices of zeros and ones, a row for each draw: a one keeps the sign of a unit, a zero flips it."""
    generator = np.random.PCG64(seed)
    for rows in map(len, _chunks(draws, units)):
        words = generator.random_raw(-(-rows * units // 64)).astype("<u8")
        yield np.unpackbits(words.view(np.uint8), count=rows * units).reshape(rows, units).astype(np.float64)


def all_signs(units: int) -> Iterator[Floats]:
    """As `random_signs`, for all 2**units choices of signs."""
    for numbers in _chunks(1 << units, units):
        yield (np.arange(numbers.start, numbers.stop)[:, None] >> np.arange(units) & 1).astype(np.float64)


def random_samples(seed: int, draws: int, units: int) -> Iterator[Floats]:
    """Matrices of how often each unit is in a sample of as many units with replacement, a row for each draw."""
    generator = np.random.PCG64(seed)
    for rows in map(len, _chunks(draws, units)):
        # The high half of a word, as a share of 2**32, is a random place: no unit is favoured by more than 2**-32.
        # All in the memory of the words.
        place = generator.random_raw(rows * units).reshape(rows, units)
        place >>= np.uint64(32)
        place *= np.uint64(units)
        place >>= np.uint64(32)
        place += np.arange(rows, dtype=np.uint64)[:, None] * np.uint64(units)
        cell = place.view(np.int64).ravel()
        yield np.bincount(cell, minlength=rows * units).reshape(rows, units).astype(np.float64)


def random_orders(seed: int, draws: int, units: int, systems: int) -> Iterator[Ints]:
    """Arrays of (draw, unit, system): a random order of the systems for each unit of each draw."""
    generator = np.random.PCG64(seed)
    for rows in map(len, _chunks(draws, units * systems)):
        words = generator.random_raw(rows * units * systems)
        yield np.argsort(words.reshape(rows, units, systems), axis=2)


def _chunks(draws: int, width: int) -> list[range]:
    """The numbers of the draws of each chunk."""
    most = max(_CELLS // max(width, 1), 1)
    return [range(draws)[first : first + most] for first in range(0, draws, most)]
