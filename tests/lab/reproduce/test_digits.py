"""The study of digits: by its own drawn ones always, and Hast's Table 1 on real ones if present."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput, Cancelled
from spotlab.lab.draw.digits import draw_digits
from spotlab.lab.reproduce.words.digits import (
    AS_PAPER,
    PAPER_CR,
    PAPER_MEAN,
    PAPER_NN,
    SWEPT,
    Digits,
    DigitStudy,
    TriedRanking,
    average_precisions,
    blurred_pixels,
    draw_queries,
    read_digits,
    study_digits,
    summarise,
    sweep_blurs,
    wrong_shares,
)
from spotlab.ranking.fusion import Choices, fusions

pytestmark = pytest.mark.slow

MNIST = Path(__file__).parents[4] / "shared/data/mnist2000/mnist_t10k_first200_per_digit.npz"
real = pytest.mark.skipif(not MNIST.exists(), reason="needs the MNIST images beside the project")


@pytest.fixture(scope="module")
def study() -> DigitStudy:
    images, labels = draw_digits(30, seed=3)
    return study_digits(
        blurred_pixels(images), labels, per_label=15, chosen_on=[0], reported_on=[7, 8]
    )


def test_drawn_digits_repeat_and_differ():
    images, labels = draw_digits(4, seed=5)
    again, _ = draw_digits(4, seed=5)
    np.testing.assert_array_equal(images, again)
    assert len(np.unique(images.reshape(40, -1), axis=0)) == 40
    assert np.bincount(labels).tolist() == [4] * 10
    assert images.max(axis=(1, 2)).min() > 150  # ink on every one
    assert (images == 0).mean() > 0.5
    assert draw_digits(0, seed=5)[0].shape == (0, 28, 28)


def test_the_sweep_has_the_gain_of_each_setting_by_blur():
    digits = Digits(*draw_digits(12, seed=3))
    swept = sweep_blurs(digits, per_label=6, seeds=(0,))
    (row,) = (row for row in swept if row.blur == 1.5)
    drawn = draw_queries(blurred_pixels(digits.images), digits.labels, 6, 0).sample(3)
    nn, cr = (average_precisions(drawn, fusions()[name], AS_PAPER).mean() for name in ("qe", "cr"))
    assert row.nn == pytest.approx(nn)
    assert row.gains[list(SWEPT).index("n 12")] == pytest.approx(cr / nn - 1)


def test_pixels_are_of_length_one():
    images = np.zeros((2, 9, 9), np.uint8)
    images[1, 4, 4] = 255
    rows = blurred_pixels(images)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [0, 1], atol=1e-6)
    assert not rows[0].any()  # an empty image is like nothing, not undefined


def test_a_draw_is_two_halves():
    images, labels = draw_digits(6, seed=1)
    features = np.eye(60, dtype=np.float32)  # each image only like itself
    drawn = draw_queries(features, labels, 3, seed=0)
    assert drawn.query.shape == (30, 30)
    assert not drawn.query.any()  # no image is in both
    assert drawn.relevant.sum(axis=1).tolist() == [3] * 30
    assert not np.array_equal(draw_queries(blurred_pixels(images), labels, 3, 1).query,
                              draw_queries(blurred_pixels(images), labels, 3, 2).query)  # fmt: skip
    with pytest.raises(ValueError, match="6 times, 8"):
        draw_queries(features, labels, 4, seed=0)


def test_wrong_shares_by_hand():
    features = np.array([[1, 0], [0, 1], [1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1]], np.float32)
    drawn = draw_queries(features[[0, 2, 1, 5]], np.array([0, 0, 1, 1]), 1, seed=0)
    assert wrong_shares(drawn, AS_PAPER).tolist() == [0, 0]
    assert wrong_shares(drawn, Choices(at_least=-1)).tolist() == [0.5, 0.5]
    assert np.isnan(wrong_shares(drawn, Choices(at_least=2))).all()
    np.testing.assert_array_equal(average_precisions(drawn, fusions()["qe"], AS_PAPER), [1, 1])


def test_the_table_is_the_mean_over_queries_and_digits():
    columns = np.array([
        [0, 0.2, 0.3, 0.4, 0.5, 0.1, np.nan],
        [0, 0.4, 0.5, 0.6, 0.7, np.nan, np.nan],
        [3, 0.5, 0.6, 0.6, 0.6, 0.3, np.nan],
    ])  # fmt: skip
    one = TriedRanking("cr", Choices(), 0.5)
    table = summarise(columns, one, one, (one,), (0,), (1,), 5)
    assert [row.digit for row in table.rows] == [0, 3]
    assert table.rows[0].nn == pytest.approx(0.3)
    assert table.rows[0].wrong_as_paper == pytest.approx(0.1)
    assert table.rows[0].wrong is None
    assert table.rows[1].paper_cr == PAPER_CR[3]
    assert table.mean.nn == pytest.approx(0.4)
    assert table.mean.wrong_as_paper == pytest.approx(0.2)
    assert table.mean.paper_nn is None  # the paper's mean is over all ten
    assert table.mean.gain("cr") == pytest.approx(0.55 / 0.4 - 1)


def test_the_papers_means_are_those_of_its_digits():
    np.testing.assert_allclose([np.mean(PAPER_NN), np.mean(PAPER_CR)], PAPER_MEAN, atol=1e-4)


def test_drawn_digits_are_ranked_better(study):
    assert [row.digit for row in study.rows] == list(range(10))
    assert study.mean.nn < study.mean.cr < study.mean.best
    assert 0 < study.mean.wrong < 0.5
    assert study.best.map == max(one.map for one in study.tried)
    assert {one.name for one in study.tried} > {"cr", "diffusion", "k_reciprocal"}
    assert not set(study.chosen_on) & set(study.reported_on)
    lines = study.lines()
    assert len(lines) == 12
    assert f"{study.mean.nn:.4f}" in lines[-1]
    assert study.best.settings


def test_settings_are_not_chosen_on_what_is_reported():
    features, labels = np.eye(40, dtype=np.float32), np.repeat(np.arange(10), 4)
    with pytest.raises(ValueError, match="other draws"):
        study_digits(features, labels, per_label=2, chosen_on=[1, 2], reported_on=[2])


def test_the_study_can_be_cancelled():
    def cancel(done: int, _total: int | None, _doing: str) -> None:
        if done == 2:
            raise Cancelled

    images, labels = draw_digits(4, seed=1)
    with pytest.raises(Cancelled):
        study_digits(blurred_pixels(images), labels, per_label=2, progress=cancel)


def test_reading_digits(tmp_path):
    images, labels = draw_digits(1, seed=1)
    np.savez(tmp_path / "some.npz", images=images, labels=labels)
    np.testing.assert_array_equal(read_digits(tmp_path / "some.npz").images, images)
    np.savez(tmp_path / "bad.npz", images=images, labels=labels[:5])
    with pytest.raises(BadInput, match="do not fit"):
        read_digits(tmp_path / "bad.npz")
    (tmp_path / "text.npz").write_text("no")
    for name in ("text.npz", "none.npz"):
        with pytest.raises(BadInput, match=r"cannot be read|not a complete .npz"):
            read_digits(tmp_path / name)


@real
def test_the_papers_table_on_real_digits():
    digits = read_digits(MNIST)
    features = blurred_pixels(digits.images)
    found = study_digits(features, digits.labels, chosen_on=[0], reported_on=[10])
    assert found.mean.gain("cr") >= 0.07
    assert found.mean.gain("best") >= 0.25
    assert 0.45 < found.mean.nn < 0.52  # the paper has .4787
    assert 0.1 < found.mean.wrong_as_paper < 0.25  # and .1714
