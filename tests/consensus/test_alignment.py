"""Multiple alignments of tokens, against every way there is on small sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.consensus.alignment import (
    GAP,
    NOTHING,
    align,
    align_with,
    best_path,
    similarity_scores,
)
from spotlab.consensus.alignment import pair_score as alone_score
from spotlab.errors import Cancelled
from tests.consensus.alignment_score import score_of

TOKENS = ["ab", "abc", "xyz", "b", "abcd"]
sequences = st.lists(st.sampled_from(TOKENS), max_size=5)


def every_way(rows: int, columns: int) -> Iterator[list[tuple[int, int]]]:
    """All ways of laying two sequences beside each other."""

    def ways(row: int, column: int) -> Iterator[list[tuple[int, int]]]:
        if row == rows and column == columns:
            yield []
        if row < rows and column < columns:
            yield from ([(row, column), *way] for way in ways(row + 1, column + 1))
        if row < rows:
            yield from ([(row, NOTHING), *way] for way in ways(row + 1, column))
        if column < columns:
            yield from ([(NOTHING, column), *way] for way in ways(row, column + 1))

    return ways(0, 0)


@cache
def pair_score(one: str, other: str) -> float:
    return float(similarity_scores([one], [other])[0, 0])


def way_score(one: Sequence[str], other: Sequence[str], way: list[tuple[int, int]]) -> float:
    return sum(
        GAP if NOTHING in (row, column) else pair_score(one[row], other[column])
        for row, column in way
    )


def check_whole(columns: np.ndarray, lists: Sequence[Sequence[str]]) -> None:
    """Every sequence is there whole and in order, and no slot is empty."""
    assert columns.shape[1] == len(lists)
    for index, tokens in enumerate(lists):
        there = columns[:, index]
        assert there[there != NOTHING].tolist() == list(range(len(tokens)))
    assert (columns != NOTHING).any(axis=1).all()


@settings(max_examples=80, deadline=None)
@given(one=sequences, other=sequences)
def test_no_way_of_laying_two_is_better(one: list[str], other: list[str]) -> None:
    columns = align([one, other])
    check_whole(columns, [one, other])
    best = max(way_score(one, other, way) for way in every_way(len(one), len(other)))
    assert score_of(columns, [one, other]) == best


@settings(max_examples=60, deadline=None)
@given(lists=st.lists(sequences, max_size=5))
def test_many_are_whole_and_none_can_be_laid_better(lists: list[list[str]]) -> None:
    columns = align(lists)
    check_whole(columns, lists)
    score = score_of(columns, lists)
    for index in range(len(lists) if len(lists) > 1 else 0):
        rest = np.delete(columns, index, axis=1)
        others = [tokens for at, tokens in enumerate(lists) if at != index]
        rest = rest[(rest != NOTHING).any(axis=1)]
        again = align_with(rest, others, lists[index])
        assert score_of(again, [*others, lists[index]]) <= score


@settings(max_examples=40, deadline=None)
@given(first=st.lists(sequences, min_size=2, max_size=2), other=sequences)
def test_the_path_to_two_is_the_best_of_all(first: list[list[str]], other: list[str]) -> None:
    tokens = sorted({token for tokens in (*first, other) for token in tokens})
    number = {token: index for index, token in enumerate(tokens)}
    columns = align(first)
    slots = np.full(columns.shape, NOTHING, np.int64)
    for index, own in enumerate(first):
        there = columns[:, index] != NOTHING
        slots[there, index] = [number[own[at]] for at in columns[there, index].tolist()]
    alone = np.array([number[token] for token in other], np.int64)[:, None]

    def score(way: list[tuple[int, int]]) -> float:
        total = 0.0
        for row, column in way:
            for index in range(2):
                left = slots[row, index] if row != NOTHING else NOTHING
                right = alone[column, 0] if column != NOTHING else NOTHING
                if left != NOTHING and right != NOTHING:
                    total += pair_score(tokens[left], tokens[right])
                elif left != right:
                    total += GAP
        return total

    path, found = best_path(slots, alone, tokens)
    assert found == max(map(score, every_way(len(slots), len(alone))))
    assert score([(int(row), int(column)) for row, column in path]) == found


@pytest.mark.parametrize("count", [1, 2, 5])
def test_equal_sequences_share_every_slot(count: int) -> None:
    tokens = ["a", "b", "a", "c"]
    columns = align([tokens] * count)
    np.testing.assert_array_equal(columns, np.tile(np.arange(4)[:, None], (1, count)))


def test_empty_sequences_and_none() -> None:
    assert align([]).shape == (0, 0)
    assert align([[], []]).shape == (0, 2)
    np.testing.assert_array_equal(align([["a"], [], ["a"]]), [[0, NOTHING, 0]])
    np.testing.assert_array_equal(align_with(np.zeros((0, 1), int), [[]], ["a"]), [[NOTHING, 0]])


def test_a_torn_and_a_misread_word_keep_the_rest_together() -> None:
    read = [
        ["was", "ist", "aufklärung", "an", "sich"],
        ["was", "ift", "auf", "klärung", "an", "sich"],
        ["was", "ist", "aufklarung", "an"],
    ]
    columns = align(read)
    words = [
        [own[at] if at != NOTHING else "" for own, at in zip(read, slot, strict=True)]
        for slot in columns.tolist()
    ]
    assert ["was", "was", "was"] in words
    assert ["ist", "ift", "ist"] in words
    assert ["aufklärung", "klärung", "aufklarung"] in words
    assert ["an", "an", "an"] in words
    assert ["sich", "sich", ""] in words


def test_one_more_laid_beside_changes_nothing_of_the_others() -> None:
    read = [["a", "c"], ["a", "x", "c"]]
    columns = align(read)
    more = align_with(columns, read, ["0", "a", "b", "c"])
    kept = more[(more[:, :2] != NOTHING).any(axis=1), :2]
    np.testing.assert_array_equal(kept, columns)
    check_whole(more, [*read, ["0", "a", "b", "c"]])


@given(one=st.text("abcä", max_size=9), other=st.text("abcä", max_size=9))
def test_a_pair_scores_as_it_does_among_many(one: str, other: str) -> None:
    assert similarity_scores([one], [other])[0, 0] == alone_score(one, other)


def test_it_can_be_cancelled() -> None:
    def stop(done: int, total: int | None, doing: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        align([["a"], ["b"]], stop)
