"""The number of relevant items among several: brute force, scipy, odd input."""

from __future__ import annotations

from itertools import product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from spotlab.uncertain_truth.answers import add_item, pmf
from tests.uncertain.exact_distribution import exact_pmf

chances = st.lists(st.floats(0, 1), max_size=9)


def by_brute_force(probability: list[float]) -> list[float]:
    """Eq. 10 as it stands: a sum over all sets of relevant items."""
    mass = [0.0] * (len(probability) + 1)
    for relevant in product((0, 1), repeat=len(probability)):
        mass[sum(relevant)] += prod(
            p if taken else 1 - p for p, taken in zip(probability, relevant, strict=True)
        )
    return mass


@given(chances)
@settings(max_examples=60, deadline=None)
def test_all_ways_agree_with_brute_force(probability: list[float]) -> None:
    expected = by_brute_force(probability)
    np.testing.assert_allclose(pmf(probability), expected, atol=1e-14)
    np.testing.assert_allclose(exact_pmf(probability), expected, atol=1e-14)
    step = np.ones(1)
    for p in probability:
        step = add_item(step, np.array(p))
    np.testing.assert_allclose(step, expected, atol=1e-14)


@pytest.mark.parametrize("n", [1, 7, 8, 9, 16, 17, 63, 64, 65, 128, 129, 300, 512, 700, 1000])
def test_scipy_has_the_same(n: int) -> None:
    binomial = pytest.importorskip("scipy.stats", reason="no scipy").poisson_binom
    probability = np.random.default_rng(n).random(n) ** 2
    expected = binomial.pmf(np.arange(n + 1), probability)
    np.testing.assert_allclose(pmf(probability), expected, atol=1e-14)
    np.testing.assert_allclose(exact_pmf(probability), expected, atol=1e-14)


def test_equal_items_are_a_binomial() -> None:
    expected = [comb(20, k) * 0.3**k * 0.7 ** (20 - k) for k in range(21)]
    np.testing.assert_allclose(pmf([0.3] * 20), expected, rtol=1e-12)
    np.testing.assert_allclose(
        pmf([0.3] * 20_000), stats.binom.pmf(np.arange(20_001), 20_000, 0.3), atol=1e-12
    )


@pytest.mark.parametrize("n", [0, 1, 5, 33, 100, 333, 1000])
def test_batches_have_the_rows(n: int) -> None:
    rows = np.random.default_rng(n).random((37, n))
    rows[3] = 0
    rows[4] = 1
    found = pmf(rows)
    assert found.shape == (37, n + 1)
    for row, mass in zip(rows, found, strict=True):
        np.testing.assert_allclose(mass, exact_pmf(row), atol=1e-14)
    assert found[3, 0] == pytest.approx(1)
    assert found[4, n] == pytest.approx(1)


def test_a_hundred_thousand_items() -> None:
    probability = np.random.default_rng(0).random(100_000)
    mass = pmf(probability)
    count = np.arange(len(mass))
    assert (mass >= 0).all()
    assert mass.sum() == pytest.approx(1, abs=1e-11)
    mean = (mass * count).sum()
    assert mean == pytest.approx(probability.sum(), rel=1e-11)
    spread = (mass * (count - mean) ** 2).sum()
    assert spread == pytest.approx((probability * (1 - probability)).sum(), rel=1e-8)


def test_rows_whose_mass_lies_far_apart() -> None:
    """The last product is made where the mass is: at the ends, in the middle, or all over."""
    random = np.random.default_rng(4)
    rows = np.stack([
        np.zeros(700),
        np.ones(700),
        np.full(700, 1e-3),
        np.full(700, 1 - 1e-3),
        np.full(700, 0.5),
        np.repeat([0.0, 1.0], 350),
        random.random(700),
    ])  # fmt: skip
    for row, mass in zip(rows, pmf(rows), strict=True):
        np.testing.assert_allclose(mass, exact_pmf(row), atol=1e-14)
        np.testing.assert_allclose(pmf(row), exact_pmf(row), atol=1e-14)
        assert mass.sum() == pytest.approx(1, abs=1e-12)


def test_nothing_returned_and_no_rows() -> None:
    assert pmf([]).tolist() == [1.0]
    assert pmf(np.empty((0, 5))).shape == (0, 6)
    assert pmf(np.empty((3, 0))).tolist() == [[1.0]] * 3


@pytest.mark.parametrize("wrong", [-0.1, 1.1, np.nan, np.inf])
def test_what_is_no_probability_is_refused(wrong: float) -> None:
    for function in (pmf, lambda p: pmf([p])):
        with pytest.raises(ValueError, match="not between 0 and 1"):
            function([0.5, wrong])
    with pytest.raises(ValueError, match="dimensions"):
        pmf([[[0.5]]])
