from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.consensus import precision as gram_module
from spotlab.consensus.precision import Gram, gram_of
from spotlab.consensus.votes import ListedVotes, PackedVotes, SoftVotes, Votes, number_by_voters
from tests.consensus.consensus_cases import (
    BINARY,
    SOFT,
    UNKNOWN,
    Floats,
    listed,
    names,
    tables,
    votes_of,
)

any_tables = st.sampled_from([BINARY, UNKNOWN, SOFT]).flatmap(tables)


def same(found: Floats, expected: Floats) -> bool:
    return np.array_equal(found, expected, equal_nan=True)


@settings(deadline=None, max_examples=60)
@given(any_tables, st.booleans(), st.integers(0, 2**32 - 1))
def test_votes_come_back_however_they_are_kept(table: Floats, sparse: bool, seed: int) -> None:
    votes = (listed if sparse else votes_of)(table)
    random = np.random.default_rng(seed)
    assert len(votes) == len(table)
    assert same(votes.dense(), table)
    assert votes.complete == (not np.isnan(table).any()) or sparse
    assert same(votes.counts_for, np.nansum(table, axis=0))
    assert same(votes.counts_known, (~np.isnan(table)).sum(axis=0))
    items = random.integers(0, len(table), 9 if len(table) else 0)
    assert same(votes.rows(items), table[items])
    assert same(votes.take(items).dense(), table[items])
    assert same(np.vstack([part for _, part in votes.spans(7)] or [table]), table)
    systems = random.permutation(table.shape[1])[: table.shape[1] // 2 + 1]
    assert same(votes.only(systems).dense(), table[:, systems])
    assert votes.only(systems).systems == tuple(f"s{number}" for number in systems)


def test_each_kind_is_kept_in_its_own_way() -> None:
    for dtype in (bool, np.int8, np.uint8, np.int64, np.float32, np.float64, object):
        assert isinstance(Votes.of(np.eye(3).astype(dtype), names(3)).storage, PackedVotes)
    assert isinstance(votes_of(np.array([[0.5, np.nan]])).storage, SoftVotes)
    assert isinstance(Votes.sparse([0], [0], 1, ["a"]).storage, ListedVotes)


def test_a_million_items_of_24_systems_are_3_megabytes() -> None:
    kept = Votes.of(np.zeros((1_000_000, 24), bool), names(24)).storage
    assert isinstance(kept, PackedVotes)
    assert kept.yes.nbytes == 24 * 125_000
    assert kept.known is None


def test_sparse_votes_never_become_a_dense_matrix() -> None:
    random = np.random.default_rng(0)
    items, systems, pairs = 1_000_000, 500, 20_000
    place = np.unique(random.integers(0, items * systems, pairs))
    tracemalloc.start()
    votes = Votes.sparse(place // systems, place % systems, items, names(systems))
    block = gram_of(votes).blocks[0]
    part = gram_of(votes.take(np.arange(0, items, 2))).blocks[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # a dense matrix has 500 MB, or 62.5 MB in bits
    assert block.matrix[:-1, -1].sum() == len(place) == np.trace(block.matrix) - items
    assert part.items == items // 2


def test_sparse_unknown_votes_never_become_a_dense_matrix() -> None:
    random = np.random.default_rng(0)
    items, systems = 200_000, 3_000
    place = np.unique(random.integers(0, items * systems, 400_000))
    vote = random.random(len(place)) < 0.5
    tracemalloc.start()
    votes = Votes.sparse(place // systems, place % systems, items, names(systems), vote)
    gram = gram_of(votes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert gram.rows is not None
    assert gram.items == items
    assert peak < 100e6


@pytest.mark.parametrize(
    ("votes", "systems", "problem"),
    [
        ([[2.0]], ["a"], "a vote is 2; votes are from 0 to 1"),
        ([[-0.5, np.nan]], ["a", "b"], "a vote is -0.5"),
        ([[np.inf]], ["a"], "a vote is inf"),
        (np.array([[3]], np.int8), ["a"], "a vote is 3"),
        ([[1, 0]], ["a"], "not \\(items, 1 system\\)"),
        ([[1, 0]], ["a", "a"], "same name"),
    ],
)
def test_bad_votes_are_refused(votes: object, systems: list[str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Votes.of(votes, systems)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("item", "system", "vote", "problem"),
    [
        ([0, 0], [1, 1], None, "twice"),
        ([2], [0], None, "item is not within 0…1"),
        ([-1], [0], None, "item is not within"),
        ([0], [2], None, "system is not within 0…1"),
        ([0], [0, 1], None, "needs an item and a system"),
        ([0], [0], [np.nan], "NaN"),
        ([0], [0], [1.5], "from 0 to 1"),
    ],
)
def test_bad_lists_are_refused(
    item: list[int], system: list[int], vote: list[float] | None, problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        Votes.sparse(item, system, 2, ["a", "b"], vote)


def test_the_same_system_on_items_side_by_side_is_not_twice() -> None:
    assert Votes.sparse([0, 1, 3], [1, 1, 1], 5, ["a", "b"]).counts_for.tolist() == [0, 3]


def whole(gram: Gram) -> dict[bytes, tuple[int, list[list[float]]]]:
    return {b.known.tobytes(): (b.items, b.matrix.tolist()) for b in gram.blocks}


def expected(table: Floats) -> dict[bytes, tuple[int, list[list[float]]]]:
    known = ~np.isnan(table)
    bordered = np.hstack([np.nan_to_num(table), np.ones((len(table), 1))])
    found = {}
    for pattern in np.unique(known, axis=0):
        part = bordered[(known == pattern).all(axis=1)]
        found[pattern.tobytes()] = len(part), (part.T @ part).tolist()
    return found


@settings(deadline=None, max_examples=60)
@given(any_tables, st.booleans())
def test_gram_matrices_are_sums_of_products_by_who_voted(table: Floats, sparse: bool) -> None:
    votes = (listed if sparse else votes_of)(table)
    assert whole(gram_of(votes)) == (expected(table) if len(table) else {})


@settings(deadline=None, max_examples=40)
@given(any_tables, st.integers(0, 70))
def test_matrices_of_parts_add_up_and_groups_are_sub_matrices(table: Floats, cut: int) -> None:
    parts = gram_of(votes_of(table[:cut])) + gram_of(votes_of(table[cut:]))
    assert whole(parts) == whole(gram_of(votes_of(table)))
    group = np.arange(table.shape[1])[::-2]
    assert whole(parts.only(group)) == whole(gram_of(votes_of(table[:, group])))


def test_matrices_of_other_systems_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="different systems"):
        gram_of(Votes.of([[1]], ["a"])) + gram_of(Votes.of([[1]], ["b"]))


def test_the_number_of_patterns_decides_between_matrices_and_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = np.random.default_rng(0).choice(UNKNOWN, (300, 8))
    assert gram_of(votes_of(table)).rows is None
    monkeypatch.setattr(gram_module, "FEW", 0)
    many = gram_of(votes_of(table))
    assert not many.blocks
    assert many.rows is not None
    assert many.items == many.rows.items == 300
    few = table.copy()
    few[:, :3] = np.nan
    few[:, 3:] = np.where(np.isnan(few[:, 3:]), 1, few[:, 3:])
    assert gram_of(votes_of(few)).rows is None


def test_voters_are_told_apart_even_if_their_keys_collide(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = votes_of(np.array([[1, np.nan], [np.nan, 1], [1, 0], [0, np.nan]]))
    real = np.random.default_rng
    seeds = []

    class Alike:
        def integers(self, *_: object) -> np.ndarray:
            return np.ones(2, np.uint64)

    def first_alike(seed: int) -> object:
        seeds.append(seed)
        return Alike() if seed == 0 else real(seed)

    monkeypatch.setattr(np.random, "default_rng", first_alike)
    ((_, part),) = gram_module._known_votes(votes)
    pattern = number_by_voters(part)[1]
    assert pattern[0] == pattern[3]
    assert len(set(pattern.tolist())) == 3
    assert seeds == [0, 1]
