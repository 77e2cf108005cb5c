"""Multiple alignment of token sequences, so that equal and similar tokens share a slot.

Method II of Lamiroy & Sun (2013, §4.2), which aligns the systems' texts with "a multiple sequence
alignment algorithm" (their [18], Thompson et al. 1994): progressive along a guide tree with exact
pairwise steps, then refined until moving a single sequence no longer improves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import hierarchy
from spotlab.libraries import Indel, Levenshtein, process
from spotlab.progress import Progress, silent

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


ROUNDS = 20  # of refinement; the score rises in each, so that it ends before in all but odd cases
ALIGNING = "aligning"


def align(sequences: Sequence[Sequence[str]], progress: Progress = silent) -> Slots:
    """Align several sequences of tokens.

    Parameters
    ----------
    sequences : sequence of sequence of str
        S lists of tokens; any of them may be empty.
    progress : callable
        Called with the number of sequences aligned.

    Returns
    -------
    (slots, S) int
        Index of each sequence's token in a slot, -1 where it has none. Every sequence is complete
        and in order, and no slot is empty. (0, 0) without sequences.

    Notes
    -----
    The score of an alignment is the sum over all pairs of sequences: two tokens in one slot score
    by their similarity (`similarity_scores`), a token without a partner scores `GAP`. Two sequences
    are aligned optimally. Of more, no single sequence can be moved to a better place. Equal input
    gives equal output. Lamiroy & Sun (2013), §4.2, method II.

    Examples
    --------
    >>> align([["to", "be", "or"], ["to", "or"], ["so", "bee", "or"]])
    array([[ 0,  0,  0],
           [ 1, -1,  1],
           [ 2,  1,  2]])
    """
    numbered, tokens = _numbered(sequences)
    if not numbered:
        return np.zeros((0, 0), np.int64)
    progress(0, 2 * len(numbered), ALIGNING)
    slots, order = _progressive(numbered, tokens, progress)
    slots = slots[:, np.argsort(order)]
    return _indices(_refined(slots, tokens, progress))


def align_with(columns: Slots, sequences: Sequence[Sequence[str]], other: Sequence[str]) -> Slots:
    """Align one more sequence with an alignment, which itself stays unchanged.

    Parameters
    ----------
    columns : (slots, S) int
        Result of `align`.
    sequences : sequence of sequence of str
        The S sequences that are aligned.
    other : sequence of str
        Tokens of the sequence to add.

    Returns
    -------
    (more slots, S + 1) int
        The added sequence is the last column. New slots hold only its tokens.

    Examples
    --------
    >>> align_with(align([["a", "c"], ["a", "c"]]), [["a", "c"], ["a", "c"]], ["a", "b", "c"])
    array([[ 0,  0,  0],
           [-1, -1,  1],
           [ 1,  1,  2]])
    """
    numbered, tokens = _numbered([*sequences, other])
    slots = np.full(columns.shape, NOTHING, np.int64)
    for sequence, numbers in enumerate(numbered[:-1]):
        there = columns[:, sequence] != NOTHING
        slots[there, sequence] = numbers[columns[there, sequence]]
    path, _ = best_path(slots, numbered[-1][:, None], tokens)
    return _indices(_joined(slots, numbered[-1][:, None], path))


def _numbered(sequences: Sequence[Sequence[str]]) -> tuple[list[Slots], list[str]]:
    """Each sequence as token numbers, and the tokens."""
    number: dict[str, int] = {}
    numbered = [
        np.array([number.setdefault(token, len(number)) for token in sequence], np.int64)
        for sequence in sequences
    ]
    return numbered, list(number)


def _progressive(
    sequences: Sequence[Slots], tokens: Sequence[str], progress: Progress
) -> tuple[Slots, list[int]]:
    """An alignment, and the sequence that each of its columns shows."""
    clusters = [(sequence[:, None], [index]) for index, sequence in enumerate(sequences)]
    for done, (first, second) in enumerate(_guide_tree(sequences), 1):
        progress(done, 2 * len(sequences), ALIGNING)
        (one, order), (two, further) = clusters[first], clusters[second]
        path, _ = best_path(one, two, tokens)
        clusters.append((_joined(one, two, path), order + further))
    return clusters[-1]


def _guide_tree(sequences: Sequence[Slots]) -> list[tuple[int, int]]:
    """Pairs of clusters in the order of joining, closest first; the k-th joint is cluster S + k.

    Average linkage of the share of tokens that two sequences do not have in common in order.
    """
    if len(sequences) < 2:
        return []
    lists = [sequence.tolist() for sequence in sequences]
    distances: Floats = np.array(
        [Indel.normalized_distance(one, two) for one, two in combinations(lists, 2)]
    )
    return [(int(first), int(second)) for first, second, *_ in hierarchy.average(distances)]


def _refined(slots: Slots, tokens: Sequence[str], progress: Progress) -> Slots:
    """Take out each sequence and align it again, until none improves the score."""
    sequences = slots.shape[1]
    kept = 0  # how many in a row were laid best already
    for turn in range(ROUNDS * sequences):
        if kept >= sequences or sequences <= 2:
            break
        column = turn % sequences
        progress(sequences + min(kept, sequences), 2 * sequences, ALIGNING)
        others = np.delete(slots, column, axis=1)
        own = slots[:, column]
        now = _beside(others, own, tokens)
        rest = others[(others != NOTHING).any(axis=1)]
        alone = own[own != NOTHING][:, None]
        path, score = best_path(rest, alone, tokens)
        if score > now:
            joined = _joined(rest, alone, path)
            slots = np.insert(joined[:, :-1], column, joined[:, -1], axis=1)
            kept = 0
        else:
            kept += 1
    return slots


def _beside(others: Slots, own: Slots, tokens: Sequence[str]) -> float:
    """Score of a sequence beside the others where it is."""
    there, alone = others != NOTHING, own != NOTHING
    both = there & alone[:, None]
    number = np.broadcast_to(own[:, None], others.shape)
    keys, counts = np.unique(others[both] * len(tokens) + number[both], return_counts=True)
    scores = [pair_score(tokens[key // len(tokens)], tokens[key % len(tokens)])
              for key in keys.tolist()]  # fmt: skip
    return float(np.dot(scores, counts)) + GAP * int((there != alone[:, None]).sum())


def _joined(first: Slots, second: Slots, path: Slots) -> Slots:
    """The slots of two alignments in the order of a path."""
    joined = np.full((len(path), first.shape[1] + second.shape[1]), NOTHING, np.int64)
    for part, slots in ((0, first), (1, second)):
        there = path[:, part] != NOTHING
        place = slice(0, first.shape[1]) if part == 0 else slice(first.shape[1], None)
        joined[there, place] = slots[path[there, part]]
    return joined


def _indices(slots: Slots) -> Slots:
    """Token numbers turned into positions in the sequence."""
    there = slots != NOTHING
    return np.where(there, np.cumsum(there, axis=0) - 1, NOTHING)
