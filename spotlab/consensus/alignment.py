"""Several sequences of tokens, laid beside each other so that equal and alike ones share a slot.

Method II of Lamiroy & Sun (2013, §4.2), which aligns what systems read with "a multiple sequence
alignment algorithm" (their [18], Thompson et al. 1994): progressive along a guide tree, each step
an exact alignment of two, then refined until no sequence can be laid better.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from rapidfuzz.distance import Indel
from scipy.cluster.hierarchy import average

from spotlab.consensus.alignment_path import (
    GAP,
    NOTHING,
    Floats,
    Slots,
    best_path,
    pair_score,
    similarity_scores,
)
from spotlab.progress import Progress, silent

ROUNDS = 20  # of refinement; the score rises in each, so that it ends before in all but odd cases
ALIGNING = "aligning"


def align(sequences: Sequence[Sequence[str]], progress: Progress = silent) -> Slots:
    """A multiple alignment.

    Parameters
    ----------
    sequences : sequence of sequence of str
        S lists of tokens; any of them may be empty.

    Returns
    -------
    (slots, S) int
        The index of each sequence's token in a slot, -1 where it has none. Every sequence is there
        whole and in order, no slot is empty. Two sequences are laid in the best of all ways; more
        in a way that moving any one of them would not make better.

    Notes
    -----
    The score of an alignment is that of all its pairs: two tokens of one slot score by likeness
    (`similarity_scores`), a token beside nothing `GAP`. The same input gives the same output.

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
    """One more sequence laid beside an alignment, which stays as it is.

    Parameters
    ----------
    columns : (slots, S) int
        What `align` gave.
    sequences : sequence of sequence of str
        Of what.
    other : sequence of str

    Returns
    -------
    (more slots, S + 1) int
        New slots hold only tokens of the other, which is the last column.

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


def score_of(columns: Slots, sequences: Sequence[Sequence[str]]) -> float:
    """The sum-of-pairs score of an alignment, as a sum over all its slots and pairs.

    Examples
    --------
    >>> score_of(np.array([[0, 0], [1, -1]]), [["a", "b"], ["a"]])
    500.0
    """
    numbered, tokens = _numbered(sequences)
    scores = similarity_scores(tokens, tokens) if tokens else np.zeros((0, 0))
    total = 0.0
    for first, second in combinations(range(len(numbered)), 2):
        one, two = columns[:, first], columns[:, second]
        both = (one != NOTHING) & (two != NOTHING)
        pairs = scores[numbered[first][one[both]], numbered[second][two[both]]]
        total += pairs.sum() + GAP * int(((one != NOTHING) != (two != NOTHING)).sum())
    return float(total)


def _numbered(sequences: Sequence[Sequence[str]]) -> tuple[list[Slots], list[str]]:
    """Each sequence as numbers of tokens, and the tokens."""
    number: dict[str, int] = {}
    found = [
        np.array([number.setdefault(token, len(number)) for token in sequence], np.int64)
        for sequence in sequences
    ]
    return found, list(number)


def _progressive(
    sequences: Sequence[Slots], tokens: Sequence[str], progress: Progress
) -> tuple[Slots, list[int]]:
    """An alignment, and which sequence each of its columns is."""
    clusters = [(sequence[:, None], [index]) for index, sequence in enumerate(sequences)]
    for done, (first, second) in enumerate(_guide_tree(sequences), 1):
        progress(done, 2 * len(sequences), ALIGNING)
        (one, order), (two, further) = clusters[first], clusters[second]
        path, _ = best_path(one, two, tokens)
        clusters.append((_joined(one, two, path), order + further))
    return clusters[-1]


def _guide_tree(sequences: Sequence[Slots]) -> list[tuple[int, int]]:
    """Which two clusters to join next, the closest first; the k-th joint is cluster S + k.

    Average linkage of the share of tokens that two sequences do not have in common in order.
    """
    if len(sequences) < 2:
        return []
    lists = [sequence.tolist() for sequence in sequences]
    distances: Floats = np.array(
        [Indel.normalized_distance(one, two) for one, two in combinations(lists, 2)]
    )
    return [(int(first), int(second)) for first, second, *_ in average(distances)]


def _refined(slots: Slots, tokens: Sequence[str], progress: Progress) -> Slots:
    """Take out each sequence and lay it anew, as long as that makes the whole better."""
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
    """What a sequence scores beside the others where it lies."""
    there, alone = others != NOTHING, own != NOTHING
    both = there & alone[:, None]
    number = np.broadcast_to(own[:, None], others.shape)
    keys, counts = np.unique(others[both] * len(tokens) + number[both], return_counts=True)
    scores = [pair_score(tokens[key // len(tokens)], tokens[key % len(tokens)])
              for key in keys.tolist()]  # fmt: skip
    return float(np.dot(scores, counts)) + GAP * int((there != alone[:, None]).sum())


def _joined(first: Slots, second: Slots, path: Slots) -> Slots:
    """The slots of two alignments in the order of a path."""
    found = np.full((len(path), first.shape[1] + second.shape[1]), NOTHING, np.int64)
    for part, slots in ((0, first), (1, second)):
        there = path[:, part] != NOTHING
        place = slice(0, first.shape[1]) if part == 0 else slice(first.shape[1], None)
        found[there, place] = slots[path[there, part]]
    return found


def _indices(slots: Slots) -> Slots:
    """Numbers of tokens turned into their places in the sequence."""
    there = slots != NOTHING
    return np.where(there, np.cumsum(there, axis=0) - 1, NOTHING)
