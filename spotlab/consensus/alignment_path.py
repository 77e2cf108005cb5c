"""Optimal alignment of two alignments of tokens: Needleman & Wunsch (1970).

All scores are whole numbers, so that sums are exact and equal on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.libraries import Levenshtein, process

Slots = NDArray[np.int64]  # (slots, sequences) tokens by number, NOTHING where there is none

NOTHING = -1
SAME = 1000  # two equal tokens in one slot
UNLIKE = -1000  # two that share no letter
GAP = -500  # a token beside nothing; two of these are never better than two tokens in one slot
_DIAGONAL, _FIRST, _SECOND = range(3)  # a slot of both, of the first only, of the second only


def similarity_scores(first: Sequence[str], second: Sequence[str]) -> Floats:
    """Score every pair of tokens for sharing a slot.

    Parameters
    ----------
    first, second : sequence of str
        A and B tokens.

    Returns
    -------
    (A, B) float
        Whole numbers from `UNLIKE` to `SAME`, linear in the normalised Levenshtein similarity.

    Examples
    --------
    >>> similarity_scores(["abcd"], ["abcd", "abce", "x"])
    array([[ 1000.,   500., -1000.]])
    """
    alike = process.cdist(first, second, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    return np.rint(UNLIKE + (SAME - UNLIKE) * np.asarray(alike, np.float64))


def pair_score(one: str, other: str) -> float:
    """Score two tokens for sharing a slot, as `similarity_scores` does.

    Parameters
    ----------
    one, other : str
        The tokens.

    Returns
    -------
    float
        Whole-numbered score from `UNLIKE` to `SAME`.

    Examples
    --------
    >>> pair_score("abcd", "abce")
    500.0
    """
    return float(round(UNLIKE + (SAME - UNLIKE) * Levenshtein.normalized_similarity(one, other)))


def best_path(first: Slots, second: Slots, tokens: Sequence[str]) -> tuple[Slots, float]:
    """Find the order of the slots of two alignments with the highest sum-of-pairs score.

    Parameters
    ----------
    first, second : (slots, sequences) int
        Token numbers; `NOTHING` where a sequence has no token.
    tokens : sequence of str
        The token of each number.

    Returns
    -------
    path : (slots, 2) int
        Slot of the first and of the second alignment that are joined; `NOTHING` where only one of
        them has a slot.
    score : float
        Sum over all pairs of a sequence of the first and one of the second.

    Notes
    -----
    Needleman & Wunsch (1970). Exact for any two alignments, since the score of an unpaired slot
    does not depend on its position. A row is computed at once: moves from the left are a running
    maximum. Among equally good paths, joining slots comes first, then the first alignment's slot.

    Examples
    --------
    >>> first, second = np.array([[0], [1], [2]]), np.array([[0], [2]])
    >>> best_path(first, second, ["to", "be", "or"])
    (array([[ 0,  0],
           [ 1, -1],
           [ 2,  1]]), 1500.0)
    """
    rows, columns = len(first), len(second)
    scores = _Pairing(first, second, tokens)
    left = np.concatenate([[0.0], np.cumsum(scores.second_alone)])
    ways = np.full((rows + 1, columns + 1), _SECOND, np.int8)
    row = left.copy()
    for at in range(rows):
        up = row + scores.first_alone[at]
        diagonal = np.full(columns + 1, -np.inf)
        diagonal[1:] = row[:-1] + scores.of(at)
        best = np.maximum(up, diagonal)
        row = np.maximum.accumulate(best - left) + left
        ways[at + 1, row == up] = _FIRST
        ways[at + 1, row == diagonal] = _DIAGONAL
    return _walk(ways), float(row[-1])


class _Pairing:
    """Scores of the slots of two alignments beside each other, a row at a time."""

    def __init__(self, first: Slots, second: Slots, tokens: Sequence[str]) -> None:
        self.first, self.second = first, second
        there_first, there_second = first != NOTHING, second != NOTHING
        self.count_first = there_first.sum(axis=1).astype(np.float64)
        self.count_second = there_second.sum(axis=1).astype(np.float64)
        self.first_alone = GAP * self.count_first * second.shape[1]
        self.second_alone = GAP * self.count_second * first.shape[1]
        self.known = np.unique(first[there_first])
        self.table = self._table(tokens)

    def _table(self, tokens: Sequence[str]) -> Floats:
        """Score of a token beside a slot's tokens, (tokens of the first, slots of the second)."""
        numbers = np.unique(self.second[self.second != NOTHING])
        table = np.zeros((len(self.known), len(self.second)))
        if not table.size or not len(numbers):
            return table
        first = [tokens[number] for number in self.known.tolist()]
        alike = similarity_scores(first, [tokens[number] for number in numbers.tolist()])
        for sequence in self.second.T:
            there = np.flatnonzero(sequence != NOTHING)
            table[:, there] += alike[:, np.searchsorted(numbers, sequence[there])]
        return table

    def of(self, at: int) -> Floats:
        """Score of a slot of the first beside each slot of the second, (slots of the second,)."""
        slot = self.first[at]
        places = np.searchsorted(self.known, slot[slot != NOTHING])
        gaps_second = self.second.shape[1] - self.count_second
        gaps = self.count_first[at] * gaps_second
        gaps += (self.first.shape[1] - self.count_first[at]) * self.count_second
        scores: Floats = self.table[places].sum(axis=0) + GAP * gaps
        return scores


def _walk(ways: NDArray[np.int8]) -> Slots:
    """The path that ends at the last corner."""
    row, column = ways.shape[0] - 1, ways.shape[1] - 1
    path = []
    while row or column:
        way = ways[row, column] if row else _SECOND
        row -= way != _SECOND
        column -= way != _FIRST
        path.append((NOTHING if way == _SECOND else row, NOTHING if way == _FIRST else column))
    return np.array(path[::-1], np.int64).reshape(-1, 2)
