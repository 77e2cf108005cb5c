"""Precision, recall and differences as distributions: by hand, by brute force, odd answers."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special
from scipy.stats import norm

from spotlab.uncertain_truth.answers import (
    Answer,
    AnswerPair,
    Distribution,
    bands_of,
    compare,
    default_cut_offs,
    measures_at,
    mix,
    relevant_counts,
)
from tests.uncertain.exact_distribution import exact_pmf


def simple(*probability: float, size: float = 2.0) -> Answer:
    return Answer(np.array([probability]), np.ones(1), np.array([size]))


def test_precision_and_recall_by_hand() -> None:
    precision, recall = measures_at(simple(0.5, 0.2), 2)
    assert precision is not None
    assert recall is not None
    np.testing.assert_allclose(precision.values, [0, 0.5, 1])
    np.testing.assert_allclose(precision.mass, [0.4, 0.5, 0.1])
    np.testing.assert_allclose(recall.values, [0, 0.5, 1])
    np.testing.assert_allclose(recall.mass, [0.4, 0.5, 0.1])
    assert precision.mean == pytest.approx(0.35)
    assert (precision.median, precision.band(0.5)) == (0.5, (0, 0.5))


def test_recall_passes_one_and_is_not_clipped() -> None:
    _, recall = measures_at(simple(1.0, 0.9, 0.5, size=2.4), 3)
    assert recall is not None
    assert recall.values[-1] == pytest.approx(3 / 2.4)
    assert recall.quantile(0.99) == pytest.approx(3 / 2.4)
    assert recall.mean == pytest.approx(1)


def test_a_query_in_two_categories_is_mixed() -> None:
    """Eqs. 13 and 14: k is shared, so precision mixes over k/n and recall over k/|ω|."""
    answer = Answer(np.array([[1.0], [0.5]]), np.array([0.75, 0.25]), np.array([2.0, 4.0]))
    precision, recall = measures_at(answer, 1)
    assert precision is not None
    assert recall is not None
    np.testing.assert_allclose(precision.mass, [0.125, 0.875])
    np.testing.assert_allclose(recall.values, [0, 0.25, 0.5])
    np.testing.assert_allclose(recall.mass, [0.125, 0.125, 0.75])


def test_weights_that_pass_one_are_divided_by_their_sum() -> None:
    parts = np.array([[1.0, 1.0], [0.5, 0.25]])
    size = np.array([2.0, 1.0])
    whole = measures_at(Answer(parts, np.array([1.0, 0.6]), size), 2)
    scaled = measures_at(Answer(parts, np.array([1.0, 0.6]) / 1.6, size), 2)
    for one, other in zip(whole, scaled, strict=True):
        assert one is not None
        assert other is not None
        np.testing.assert_allclose(one.mass, other.mass)
        assert one.mass.sum() == pytest.approx(1)


def test_nothing_returned_no_category_and_beyond_the_end() -> None:
    precision, recall = measures_at(simple(0.5), 0)
    assert precision is None
    assert recall is not None
    assert recall.values.tolist() == [0]
    precision, recall = measures_at(simple(0.0, 0.0, size=0.0), 2)
    assert precision is not None
    assert (precision.mean, precision.band(0.95)) == (0, (0, 0))
    assert recall is None
    assert measures_at(simple(0.5), 2) == (None, None)
    empty = Answer(np.empty((1, 0)), np.ones(1), np.ones(1))
    assert len(bands_of(empty).cut_off) == 0
    assert np.isnan(bands_of(empty, [1]).recall.mean).all()


def test_from_an_item_that_nobody_judged_on_nothing_is_defined() -> None:
    bands = bands_of(simple(1.0, np.nan, 0.5), [1, 2, 3])
    assert bands.precision.mean[0] == 1
    for part in (bands.precision, bands.recall):
        assert np.isnan(part.mean[1:]).all()
        assert np.isnan(part.middle_95[1:]).all()
    assert measures_at(simple(1.0, np.nan, 0.5), 3) == (None, None)


@pytest.mark.parametrize("shift", [0.0, 1.0])
@pytest.mark.parametrize("cuts", [[1, 5, 60, 61, 300], [300], [250, 300]])
def test_each_cut_off_is_as_if_alone(cuts: list[int], shift: float) -> None:
    probability = np.random.default_rng(0).random((2, 300))
    answer = Answer(probability, np.array([0.3, 0.7]), np.array([50.0, 80.0]))
    bands = bands_of(answer, cuts, shift)
    for at, cut in enumerate(cuts):
        for part, alone in zip(
            (bands.precision, bands.recall), measures_at(answer, cut, shift), strict=True
        ):
            assert alone is not None
            assert part.mean[at] == pytest.approx(alone.mean, abs=1e-6)
            assert part.median[at] == alone.median
            np.testing.assert_allclose(part.middle_50[at], alone.band(0.5))
            np.testing.assert_allclose(part.middle_95[at], alone.band(0.95))


def test_bands_hold_the_share_of_drawn_answers_that_they_say() -> None:
    random = np.random.default_rng(3)
    probability = random.random(400)
    bands = bands_of(simple(*probability, size=200.0), [400])
    drawn = (random.random((20_000, 400)) < probability).mean(axis=1)
    for low, high, share in (
        (*bands.precision.middle_50[0], 0.5),
        (*bands.precision.middle_95[0], 0.95),
    ):
        held = ((drawn >= low) & (drawn <= high)).mean()
        assert share - 0.01 < held < share + 0.09  # the steps of k/n make it hold more


@pytest.mark.parametrize("n", [1, 4, 60])
def test_a_shared_shift_is_an_integral_over_the_normal(n: int) -> None:
    probability = np.random.default_rng(n).random(n)
    (mass,) = relevant_counts(probability[None], [n], shift=1.0)
    assert mass is not None

    def integrand(z: float, k: int) -> float:
        return float(exact_pmf(special.expit(special.logit(probability) + z))[k] * norm.pdf(z))

    for k in {0, n // 2, n}:
        expected, _ = integrate.quad(integrand, -9, 9, (k,), epsabs=1e-10, limit=200)
        assert mass[0, k] == pytest.approx(expected, abs=2e-6)
    assert mass.sum() == pytest.approx(1)


def test_a_shared_shift_widens_and_leaves_the_certain() -> None:
    probability = np.full(50, 0.6)
    plain, wide = (bands_of(simple(*probability), [50], shift) for shift in (0.0, 1.0))
    assert np.diff(wide.precision.middle_95[0])[0] > 2 * np.diff(plain.precision.middle_95[0])[0]
    certain = bands_of(simple(1.0, 0.0, 1.0), [3], shift=1.0)
    np.testing.assert_allclose(certain.precision.middle_95[0], [2 / 3, 2 / 3])
    with pytest.raises(ValueError, match="must be 0 or more"):
        bands_of(simple(0.5), [1], shift=-1.0)


def brute_difference(
    chance: list[float], a: list[int], b: list[int]
) -> tuple[float, float, dict[int, float]]:
    """All sets of relevant items, one after the other."""
    found: dict[int, float] = {}
    for relevant in product((0, 1), repeat=len(chance)):
        weight = prod(p if r else 1 - p for p, r in zip(chance, relevant, strict=True))
        by = sum(relevant[i] for i in a) - sum(relevant[i] for i in b)
        found[by] = found.get(by, 0.0) + weight
    above = sum(w for by, w in found.items() if by > 0)
    return above, sum(w for by, w in found.items() if by < 0), found


@given(
    st.lists(st.floats(0, 1), min_size=6, max_size=6),
    st.permutations(range(6)),
    st.permutations(range(6)),
    st.integers(1, 6),
)
@settings(max_examples=40, deadline=None)
def test_what_both_return_cancels(
    chance: list[float], first: list[int], second: list[int], n: int
) -> None:
    a, b = first[:n], second[:n]
    above, below, by = brute_difference(chance, a, b)
    found = compare([AnswerPair(np.array([chance]), np.ones(1), np.array(a), np.array(b))])
    assert found is not None
    assert found.superiority == pytest.approx(above, abs=1e-12)
    assert found.inferiority == pytest.approx(below, abs=1e-12)
    assert found.equality == pytest.approx(1 - above - below, abs=1e-12)
    assert found.mean == pytest.approx(sum(k * w for k, w in by.items()) / n, abs=1e-12)
    assert found.common == len(set(a) & set(b)) / n


def test_two_queries_are_averaged_over_all_that_can_be() -> None:
    random = np.random.default_rng(2)
    chances = random.random((2, 5))
    answers = [([0, 1, 2], [2, 3, 4]), ([4, 3, 0], [0, 1, 2])]
    expected: dict[float, float] = {}
    parts = [
        brute_difference(chance.tolist(), a, b)[2]
        for chance, (a, b) in zip(chances, answers, strict=True)
    ]
    for (one, p), (other, q) in product(parts[0].items(), parts[1].items()):
        value = round((one + other) / 6, 9)
        expected[value] = expected.get(value, 0.0) + p * q
    found = compare(
        [
            AnswerPair(chance[None], np.ones(1), np.array(a), np.array(b))
            for chance, (a, b) in zip(chances, answers, strict=True)
        ]
    )
    assert found is not None
    for value, mass in zip(found.difference.values, found.difference.mass, strict=True):
        assert mass == pytest.approx(expected.get(round(float(value), 9), 0.0), abs=1e-12)
    assert found.queries == 2


def test_comparing_the_same_the_undefined_and_nothing() -> None:
    chance = np.array([[0.5, np.nan, 0.2, 0.1]])
    same = compare([AnswerPair(chance, np.ones(1), np.array([0, 1]), np.array([1, 0]))])
    assert same is not None  # what is undefined is in both
    assert (same.superiority, same.equality, same.inferiority, same.common) == (0, 1, 0, 1)
    assert compare([AnswerPair(chance, np.ones(1), np.array([0, 1]), np.array([2, 3]))]) is None
    assert compare([]) is None
    with pytest.raises(ValueError, match="equally long"):
        AnswerPair(chance, np.ones(1), np.array([0]), np.array([1, 2]))


def deviation(numbers: Distribution) -> float:
    return float(np.sqrt(((numbers.values - numbers.mean) ** 2) @ numbers.mass))


def test_a_shared_shift_moves_both_systems_together() -> None:
    chance = np.array([[0.6] * 20 + [0.5] * 20])
    pair = AnswerPair(chance, np.ones(1), np.arange(20), np.arange(20, 40))
    plain, together = compare([pair]), compare([pair], shift=1.0)
    assert plain is not None
    assert together is not None
    # were they shifted apart, the difference would be some 5 times as wide
    assert deviation(together.difference) < 1.1 * deviation(plain.difference)


def test_distributions_are_mixed() -> None:
    dice = Distribution(np.arange(1.0, 7), np.full(6, 1 / 6))
    coin = Distribution(np.array([0.0, 6.0]), np.array([0.5, 0.5]))
    both = mix([dice, coin], [1, 1])
    assert both.values.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert both.mass[-1] == pytest.approx(1 / 12 + 1 / 4)
    assert both.mean == pytest.approx((3.5 + 3) / 2)
    for wrong in ([1.0], [0.0, 0.0], [2.0, -1.0]):
        with pytest.raises(ValueError, match="weight"):
            mix([dice, coin], wrong)
    with pytest.raises(ValueError, match="ascend"):
        Distribution(np.array([1.0, 0.0]), np.array([0.5, 0.5]))


def test_usual_cut_offs_ascend_to_the_last() -> None:
    for n in (0, 1, 199, 200, 201, 205, 5000):
        cuts = default_cut_offs(n)
        assert list(cuts) == sorted(set(cuts))
        assert cuts[-1:] == ((n,) if n else ())
        assert cuts[:200] == tuple(range(1, min(n, 200) + 1))
