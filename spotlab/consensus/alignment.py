"""Multiple alignment of token sequences, so that equal and similar tokens share a slot.

Method II of Lamiroy & Sun (2013, §4.2), which aligns the systems' texts with "a multiple sequence
alignment algorithm" (their [18], Thompson et al. 1994): progressive along a guide tree with exact
pairwise steps, then refined until moving a single sequence no longer improves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from spotlab.arrays import Floats
from spotlab.consensus.alignment_path import GAP, NOTHING, Slots, best_path, pair_score
from spotlab.libraries import Indel, hierarchy
from spotlab.progress import Progress, silent

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
