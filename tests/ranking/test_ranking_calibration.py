"""The common scale: a map that rises, keeps NaN and goes on; and the same share of false items."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.ranking.fusion import FeatureScores, MatrixScores
from spotlab.ranking.purge import HIT, RANDOM, TIGHT, ScoreCalibration, sample_scores

DIGITS = (
    Path(__file__).resolve().parents[3]
    / "shared" / "data" / "mnist2000" / "mnist_t10k_first200_per_digit.npz"
)  # fmt: skip


def test_the_map_goes_through_its_points_and_straight_on() -> None:
    found = ScoreCalibration(np.array([0.0, 0.5, 1.0]), np.array([0.4, 0.7, 0.8]))
    raw = [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, math.nan]
    score = [0.1, 0.4, 0.55, 0.7, 0.75, 0.8, 0.9, math.nan]
    assert found.apply(raw) == pytest.approx(score, nan_ok=True)
    assert found.invert(score) == pytest.approx(raw, nan_ok=True)
    assert found.apply([-100.0, 100.0, math.inf]) == pytest.approx([-59.6, 20.6, math.inf])
    assert found.apply(-100.0) == pytest.approx(-59.6)
    assert found.apply(0.25).shape == ()
    assert found.apply(np.zeros((2, 3))).shape == (2, 3)
    assert ScoreCalibration.none().apply([-2, 0.3, 3]) == pytest.approx([-2, 0.3, 3])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(-1, 1), min_size=30, max_size=60, unique=True),
    st.lists(st.floats(0.2, 0.9), min_size=10, max_size=20),
    st.lists(st.floats(-2, 2), min_size=2, max_size=20),
)
def test_order_is_kept_and_the_way_back_leads_back(
    background: list[float], neighbours: list[float], raw: list[float]
) -> None:
    try:
        found = ScoreCalibration.fit_background(background, neighbours)
    except ValueError:
        return  # such scores tell nothing; what is refused is tested below
    ordered = np.sort(raw)
    assert (np.diff(found.apply(ordered)) >= -1e-12).all()  # but for rounding
    np.testing.assert_allclose(found.invert(found.apply(ordered)), ordered, atol=1e-6)


def test_what_the_anchors_mean_without_truth() -> None:
    pairs = np.arange(100_000) / 200_000  # up to one half
    alone = ScoreCalibration.fit_background(pairs)
    assert (pairs >= alone.invert(HIT)).mean() == pytest.approx(0.005, abs=1e-4)
    assert (pairs >= alone.invert(TIGHT)).mean() == pytest.approx(0.0013, abs=1e-4)
    assert (pairs >= alone.invert(RANDOM)).mean() == pytest.approx(0.5, abs=1e-4)
    nearest = np.linspace(0.5, 0.9, 401)
    both = ScoreCalibration.fit_background(pairs, nearest)
    # halfway between that and what nine in ten, and half, reach with their nearest
    assert both.invert(HIT) == pytest.approx((0.4975 + 0.54) / 2, abs=1e-4)
    assert both.invert(TIGHT) == pytest.approx((0.49935 + 0.7) / 2, abs=1e-4)


def test_scores_that_tell_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="has to rise"):
        ScoreCalibration.fit_background(np.full(100, 0.5))
    with pytest.raises(ValueError, match="has to rise"):
        ScoreCalibration.fit_background(np.linspace(0, 1, 100), np.ones(100), identical=0.9)
    with pytest.raises(ValueError, match="9 pairs of items are too few"):
        ScoreCalibration.fit_background(np.arange(9) / 9)
    with pytest.raises(ValueError, match="3 items are too few"):
        ScoreCalibration.fit_background(np.arange(99) / 99, [0.5, 0.6, 0.7, math.nan])
    with pytest.raises(ValueError, match="two points"):
        ScoreCalibration(np.array([1.0]), np.array([1.0]))


def test_the_sample_leaves_out_the_item_itself_and_what_is_at_its_place() -> None:
    places = np.arange(60) // 2  # two items each, which are nearly the same
    matrix = np.where(places[:, None] == places, 0.99, 0.2)
    np.fill_diagonal(matrix, 1.0)
    matrix[0, 59] = matrix[59, 0] = 0.5
    _, near = sample_scores(MatrixScores(matrix))
    assert set(near) == {0.99}
    background, elsewhere = sample_scores(
        MatrixScores(matrix), elsewhere=lambda items: places[items, None] != places
    )
    assert np.sort(elsewhere).tolist() == [0.2] * 58 + [0.5] * 2
    assert set(background) <= {0.2, 0.5}
    assert len(background) > 0.9 * 60 * 400
    some, _ = sample_scores(MatrixScores(matrix), count=7, pairs=3)
    assert 0 < len(some) <= 21
    again, _ = sample_scores(MatrixScores(matrix), count=7, pairs=3)
    assert some.tolist() == again.tolist()


@pytest.mark.parametrize("count", [0, 1])
def test_a_sample_of_next_to_nothing(count: int) -> None:
    background, neighbours = sample_scores(MatrixScores(np.ones((count, count))))
    assert len(background) == len(neighbours) == 0


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def gradients(image: np.ndarray) -> np.ndarray:
    """A histogram of eight directions in 7 × 7 cells."""
    down, across = np.gradient(cv2.GaussianBlur(image, (0, 0), 1.0))
    turn = np.arctan2(down, across) % np.pi / np.pi * 8
    strength = np.hypot(down, across)
    layers = [
        cv2.resize(np.where(turn.astype(int) % 8 == way, strength, 0), (7, 7), interpolation=3)
        for way in range(8)
    ]
    cells = np.stack(layers, axis=-1)
    length = np.linalg.norm(cells, axis=-1, keepdims=True)
    return (cells / (length + 0.1 * length.max())).ravel()


def test_thresholds_mean_the_same_for_very_different_descriptors_of_real_digits() -> None:
    if not DIGITS.exists():
        pytest.skip("the digits of MNIST are not here")
    stored = np.load(DIGITS)
    images, labels = stored["images"].astype(np.float32), stored["labels"]
    blurred = np.stack([cv2.GaussianBlur(image, (0, 0), 1.5).ravel() for image in images])
    described = {
        "pixels": images.reshape(len(images), -1),
        "blurred": blurred,
        "centred": blurred - blurred.mean(axis=0),
        "gradients": np.stack([gradients(image) for image in images]),
    }
    queries = np.random.default_rng(0).permutation(len(labels))[:600]
    other = queries[:, None] != np.arange(len(labels))
    same = (labels[queries, None] == labels)[other]

    def false(scores: np.ndarray, threshold: float) -> float:
        return float((~same[scores >= threshold]).mean())

    before, hit, tight, kept = {}, {}, {}, {}
    for name, rows in described.items():
        between = FeatureScores(unit(rows))
        scores = between.rows(queries)[other]
        found = ScoreCalibration.fit_background(*sample_scores(between))
        before[name] = false(scores, HIT)
        hit[name] = false(found.apply(scores), HIT)
        tight[name] = false(found.apply(scores), TIGHT)
        kept[name] = float((found.apply(scores) >= HIT).mean())
    assert max(before.values()) - min(before.values()) > 0.5
    assert max(hit.values()) - min(hit.values()) < 0.1
    assert max(tight.values()) - min(tight.values()) < 0.03
    assert max(kept.values()) < 1.5 * min(kept.values())
    # the scale is the paper's own one: raw pixels nearly keep their scores
    pixels = ScoreCalibration.fit_background(
        *sample_scores(FeatureScores(unit(described["pixels"])))
    )
    raw = np.linspace(0.3, 1, 21)
    assert np.abs(pixels.apply(raw) - raw).max() < 0.08
