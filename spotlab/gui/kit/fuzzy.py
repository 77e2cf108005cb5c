"""Finds what was meant by a few letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from spotlab.libraries import fuzz, process

WORST = 65.0  # of 100; what is below is no match
SHORTEST = 3  # letters that tell something where they are within a word, or are only similar
WEAK = 10.0  # the rank from which a match is a guess


class Match(NamedTuple):
    """A name that may have been meant.

    Attributes
    ----------
    row : int
        Its place in the list of names.
    rank : float
        The lower, the better; from `WEAK` on, nothing of the name says that it was meant.
    """

    row: int
    rank: float

    @property
    def weak(self) -> bool:
        """Whether it is only a guess."""
        return self.rank >= WEAK


def matches(text: str, names: Sequence[str], words: Sequence[str] = ()) -> list[Match]:
    """Return the names that fit, the best first.

    First come those that are the text or begin with it, then those of which a word begins with it,
    then those that hold it, and at last those that are similar.

    Parameters
    ----------
    text : str
    names : sequence of str
        What comes before ": " is the group of a name: what follows counts as its beginning, too.
    words : sequence of str
        Other words for each name, separated by spaces.

    Examples
    --------
    >>> names = ["Edit: Delete", "Next Untouched", "Undo"]
    >>> [(names[row], rank < WEAK) for row, rank in matches("undo", names)]
    [('Undo', True), ('Next Untouched', False)]
    >>> [names[match.row] for match in matches("remove", names, ["remove erase", "", ""])]
    ['Edit: Delete']
    """
    wanted = " ".join(text.casefold().split())
    parts = [re.compile(rf"(?<![^\W_]){re.escape(part)}") for part in wanted.split()]
    folded = [name.casefold() for name in names]
    ranks = {}
    for row, name in enumerate(folded):
        rank = _rank(wanted, parts, name, words[row].casefold() if words else "")
        if rank is not None:
            ranks[row] = rank
    if len(wanted) >= SHORTEST:
        similar = process.extract(
            wanted, folded, scorer=fuzz.WRatio, limit=None, score_cutoff=WORST
        )
        for _, score, row in similar:
            ranks.setdefault(row, WEAK + 1 - score / 100)
    return sorted((Match(*pair) for pair in ranks.items()), key=lambda match: match.rank)


def best(text: str, names: Sequence[str], limit: int) -> list[str]:
    """Return the names that fit best; all where nothing is typed.

    Examples
    --------
    >>> best("so", ["sink", "resort", "sofa"], 5)
    ['sofa', 'resort']
    >>> best("coffetable", ["coffee table", "bed"], 5)
    ['coffee table']
    >>> best("", ["b", "a"], 5)
    ['b', 'a']
    """
    if not text.strip():
        return list(names[:limit])
    return [names[match.row] for match in matches(text, names)[:limit]]


def _rank(wanted: str, parts: Sequence[re.Pattern[str]], name: str, others: str) -> float | None:
    """Say how a name fits; within a rank the shorter name is the better one."""
    own = name.rpartition(": ")[2]
    holds = (
        wanted in (name, own),
        f" {wanted} " in f" {others} ",
        name.startswith(wanted) or own.startswith(wanted),
        all(part.search(name) for part in parts),
        all(part.search(f"{name} {others}") for part in parts),
        wanted in name or all(part in name for part in wanted.split()),
    )
    if True not in holds:
        return None
    rank: float = holds.index(True)
    if rank == len(holds) - 1 and len(wanted) < SHORTEST:
        rank = WEAK
    return rank + min(len(name), 999) / 1000
