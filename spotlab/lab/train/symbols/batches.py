"""Batches of drawn symbols: some of each of many kinds, and what is no symbol."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.lab.train.symbols.background import background
from spotlab.lab.train.symbols.hand import draw
from spotlab.lab.train.symbols.kinds import Kind, new_kind
from spotlab.lab.train.symbols.paper import Picture

EACH = 5  # symbols of a kind
SMALLEST = 16  # pictures of a batch
_SYMBOLS = 5 / 8  # of the pictures
_ALIKE = 0.55  # share of kinds whose outline another one has
NO_SYMBOL = -1


@dataclass(frozen=True, eq=False)
class Batch:
    """Pictures to learn from.

    Attributes
    ----------
    pictures : (N, 48, 48) uint8
    kinds : (N,) int
        `NO_SYMBOL` for what is none.
    """

    pictures: Picture
    kinds: NDArray[np.int64]


class DrawnSymbols:
    """Batches of symbols whose kinds are invented for each.

    Parameters
    ----------
    size : int
        Pictures of a batch, at least `SMALLEST`.
    seed : int
    """

    def __init__(self, size: int, seed: int) -> None:
        self._size, self._random = size, np.random.default_rng(seed)

    def next(self) -> Batch:
        """The next batch."""
        random = self._random
        kinds: list[Kind] = []
        for _ in range(int(self._size * _SYMBOLS) // EACH):
            alike = bool(kinds) and not kinds[-1].is_filled and random.random() < _ALIKE
            kinds.append(new_kind(random, kinds[-1] if alike else None))
        pictures = [draw(kind, random) for kind in kinds for _ in range(EACH)]
        numbers = np.repeat(np.arange(len(kinds)), EACH)
        others = self._size - len(pictures)
        pictures += [background(random, kinds) for _ in range(others)]
        return Batch(np.stack(pictures), np.append(numbers, np.full(others, NO_SYMBOL)))
