"""Divides pages into parts for training, validation and test."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

from spotlab.errors import BadArgument

PARTS = ("train", "val", "test")
_EXPECTED = "two or three numbers such as 80/10/10"


@dataclass(frozen=True)
class Split:
    """Shares of pages for training, validation and test, and a seed.

    Attributes
    ----------
    shares : tuple of float
        Of train, val and test, in [0, 1]; together 1.
    seed : int
        Another seed gives another division; the same one always the same.

    Examples
    --------
    >>> Split.parse("80/10/10", seed=1)
    Split(shares=(0.8, 0.1, 0.1), seed=1)
    """

    shares: tuple[float, float, float]
    seed: int = 0

    @classmethod
    def parse(cls, text: str, seed: int = 0) -> Split:
        """Read shares such as "80/10/10" or "4/1"; only their ratios matter.

        Raises
        ------
        BadArgument
            These are not two or three numbers from 0 on, or all of them are 0.
        """
        try:
            values = [float(part) for part in text.split("/")]
        except ValueError as error:
            raise BadArgument(f"`split` is {text!r}; expected {_EXPECTED}") from error
        whole = sum(values)
        right = len(values) in (2, 3) and min(values) >= 0 and 0 < whole < math.inf
        if not right or values[0] == 0:
            raise BadArgument(f"`split` is {text!r}; expected {_EXPECTED}, the first above 0")
        train, val, test = (value / whole for value in (*values, 0.0)[:3])
        return cls((train, val, test), seed)


def split_pages(names: Sequence[str], split: Split) -> dict[str, list[int]]:
    """Divide pages by chance.

    The order of the pages does not matter: each name and the seed give a number, by which the pages
    are sorted and then cut at the shares.

    Parameters
    ----------
    names : sequence of str
        Of the pages; different.
    split : Split

    Returns
    -------
    dict of str to list of int
        Of each part with a share above 0 the places of its pages, in ascending order. Every such
        part has a page as long as there are enough.

    Examples
    --------
    >>> {part: len(pages) for part, pages in
    ...  split_pages([f"p{n}" for n in range(20)], Split.parse("80/10/10")).items()}
    {'train': 16, 'val': 2, 'test': 2}
    """
    order = sorted(range(len(names)), key=lambda index: _draw(names[index], split.seed))
    counts = _counts(len(names), split.shares)
    parts: dict[str, list[int]] = {}
    start = 0
    for part, share, count in zip(PARTS, split.shares, counts, strict=True):
        if share:
            parts[part] = sorted(order[start : start + count])
            start += count
    return parts


def _draw(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogateescape")).digest()


def _counts(pages: int, shares: Sequence[float]) -> list[int]:
    """Whole numbers of pages by largest remainder, then one for each part that has none."""
    counts = [math.floor(pages * share + 1e-9) for share in shares]
    rests = sorted(range(len(shares)), key=lambda index: counts[index] - pages * shares[index])
    for index in rests[: pages - sum(counts)]:
        counts[index] += 1
    for index, share in enumerate(shares):
        largest = max(range(len(counts)), key=counts.__getitem__)
        if share and not counts[index] and counts[largest] > 1:
            counts[largest] -= 1
            counts[index] += 1
    return counts
