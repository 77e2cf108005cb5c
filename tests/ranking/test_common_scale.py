"""Scores of any scale brought to that of a search: order, ties and the meaning of a threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.ranking.fusion import Choices, Evidence, MatrixScores, fusions
from spotlab.ranking.purge import common_scores, to_common_scale

# the first three are alike
MATRIX = np.full((6, 6), 0.3)
MATRIX[:3, :3] = 0.8
np.fill_diagonal(MATRIX, 1.0)
EVIDENCE = Evidence(MATRIX[0], MatrixScores(MATRIX), MATRIX[:2], MATRIX[0] >= 0.7)


def test_by_hand() -> None:
    # the rising means of least squares are .2, twice .4, .8 and .9; the step of two goes from .3 to
    # .5, as halfway to its neighbours is not exceeded
    own = np.array([1.0, 10.0, 100.0, 1000.0, 1e4])
    mapped = to_common_scale(own, np.array([0.2, 0.5, 0.3, 0.8, 0.9]))
    assert mapped == pytest.approx([0.2, 0.3, 0.5, 0.8, 0.9], abs=1e-8)
    mapped = to_common_scale(own, np.array([0.35, 0.5, 0.3, 0.8, 0.9]))
    assert mapped == pytest.approx([0.35, (0.35 + 0.4) / 2, 0.5, 0.8, 0.9], abs=1e-8)


def test_the_ends_reach_as_far_as_the_reference() -> None:
    mapped = to_common_scale(np.arange(4.0), np.array([0.5, 0.4, 0.9, 0.7]))
    assert mapped[[0, 3]] == pytest.approx([0.4, 0.9], abs=1e-8)


def test_what_has_no_reference_lies_between_its_neighbours() -> None:
    mapped = to_common_scale(np.array([1.0, 2, 3, np.nan]), np.array([0.4, np.nan, 0.8, 1.0]))
    assert mapped[:3] == pytest.approx([0.4, 0.6, 0.8], abs=1e-8)
    assert np.isnan(mapped[3])
    alone = np.array([3.0, 1.0])
    assert to_common_scale(alone, np.full(2, np.nan)).tolist() == alone.tolist()
    assert to_common_scale(np.zeros(0), np.zeros(0)).tolist() == []


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 40), st.integers(0, 2**32), st.sampled_from([2, 8, 10**6]))
def test_order_and_ties_stay(count: int, seed: int, kinds: int) -> None:
    random = np.random.default_rng(seed)
    own = random.integers(0, kinds, count) / 7
    reference = random.random(count)
    mapped = to_common_scale(own, reference)
    assert ((own[:, None] < own) == (mapped[:, None] < mapped)).all()
    assert mapped.min() > reference.min() - 1e-8 and mapped.max() < reference.max() + 1e-8
    assert to_common_scale(own**3, reference) == pytest.approx(mapped)  # only ranks count


@pytest.mark.parametrize("name", sorted(fusions()))
def test_one_threshold_purges_the_lists_of_all_fusions(name: str) -> None:
    fusion, choices = fusions()[name], Choices(top=3, at_least=0.7)
    own, common = fusion.fuse(EVIDENCE, choices), common_scores(fusion, EVIDENCE, choices)
    assert np.flatnonzero(common >= 0.7).tolist() == [0, 1, 2]
    if fusion.comparable:
        np.testing.assert_array_equal(common, own)
    else:
        assert (np.argsort(-common, kind="stable") == np.argsort(-own, kind="stable")).all()
