"""Scalability: averaged curves against loops over the drawn classes, deviations by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spotlab.measures.scalability import (
    CollectionPart,
    average_subsets,
    class_counts,
    curve_family,
    draw_subsets,
    drawn_counts,
    part_of_counts,
)

RANDOM = np.random.default_rng


def curves(queries: int = 12, samples: int = 7, seed: int = 1) -> np.ndarray:
    random = RANDOM(seed)
    values = random.random((queries, samples))
    values[random.random(values.shape) < 0.2] = np.nan
    return values


def drawn(queries: int, draws: int, seed: int = 2) -> list[np.ndarray]:
    random = RANDOM(seed)
    return [draw_subsets(queries, n, draws, random) for n in class_counts(queries)]


@pytest.mark.parametrize(
    ("classes", "counts"), [(0, ()), (1, (1,)), (5, (5,)), (6, (5, 6)), (20, (5, 10, 15, 20))]
)
def test_counts_go_up_to_all(classes: int, counts: tuple[int, ...]) -> None:
    assert class_counts(classes) == counts


def test_every_subset_is_equally_likely() -> None:
    subsets = draw_subsets(4, 2, 6000, RANDOM(0))
    assert (subsets.sum(axis=1) == 2).all()
    _, times = np.unique(subsets, axis=0, return_counts=True)
    assert len(times) == 6
    assert times == pytest.approx(np.full(6, 1000), abs=120)  # four standard deviations


def test_averages_are_those_of_a_loop() -> None:
    samples, subsets = curves(), draw_subsets(12, 3, 40, RANDOM(5))
    for subset, mean in zip(subsets, average_subsets(samples, subsets), strict=True):
        for column, value in zip(samples[subset].T, mean, strict=True):
            known = [each for each in column if not np.isnan(each)]
            assert value == pytest.approx(np.mean(known) if known else np.nan, nan_ok=True)


def test_a_family_is_that_of_a_loop() -> None:
    samples, subsets = curves(), drawn(12, 30)
    found = curve_family(samples, subsets)
    assert found.counts.tolist() == [5, 10, 12]
    means = []
    for place, each in enumerate(subsets):
        of_draws = np.array([np.nanmean(samples[subset], axis=0) for subset in each])
        means.append(of_draws.mean(axis=0))
        assert found.mean[place] == pytest.approx(means[-1])
        assert found.spread[place] == pytest.approx(of_draws.std(axis=0))
    assert found.centre == pytest.approx(np.mean(means, axis=0))
    assert found.deviation == pytest.approx(np.std(means, axis=0))
    assert found.mean_deviation == pytest.approx(np.std(means, axis=0).mean())
    assert found.largest_deviation == pytest.approx(np.std(means, axis=0).max())


def test_classes_answered_alike_have_no_deviation() -> None:
    same = np.tile(np.linspace(1, 0.2, 9), (17, 1))
    found = curve_family(same, drawn(17, 10))
    assert found.deviation == pytest.approx(np.zeros(9), abs=1e-12)
    assert found.by_chance == pytest.approx(np.zeros(9), abs=1e-12)
    assert found.centre == pytest.approx(same[0])


def test_a_family_of_one_has_no_deviation_to_speak_of() -> None:
    found = curve_family(curves(4), drawn(4, 10))
    assert found.mean_deviation is None
    assert found.largest_deviation is None
    assert found.mean_by_chance is None


def test_what_nobody_defines_stays_undefined() -> None:
    samples = np.column_stack([np.full(12, np.nan), np.arange(12.0)])
    found = curve_family(samples, drawn(12, 10))
    assert np.isnan(found.mean[:, 0]).all()
    assert np.isnan(found.centre[0])
    assert np.isnan(found.deviation[0])
    assert found.mean_deviation == pytest.approx(found.deviation[1])


def test_chance_is_what_drawing_alone_does() -> None:
    """Over many seeds the squared deviation is on average what is foretold."""
    samples = RANDOM(3).random((23, 1))
    families = [curve_family(samples, drawn(23, 10, seed)) for seed in range(400)]
    seen = np.sqrt(np.mean([each.deviation[0] ** 2 for each in families]))
    assert seen == pytest.approx(families[0].by_chance[0], rel=0.08)


def measure_part(recognised: Any, symbols: Any, false: Any, *parts: Any) -> CollectionPart:
    counts = [drawn_counts(each, *parts) for each in (recognised, symbols, false)]
    return part_of_counts(*counts, *(int(part[0].sum()) for part in parts))


def test_sizes_are_those_of_a_loop() -> None:
    random = RANDOM(4)
    symbols = random.integers(0, 4, (8, 6))
    recognised = random.integers(0, symbols + 1)
    false = random.integers(0, 9, (8, 6))
    classes = draw_subsets(8, 3, 25, random)
    pages = draw_subsets(6, 2, 25, random)
    found = measure_part(recognised, symbols, false, classes, pages)
    rates, positives = [], []
    for of_classes, of_pages in zip(classes, pages, strict=True):
        part = np.ix_(np.flatnonzero(of_classes), np.flatnonzero(of_pages))
        positives.append(false[part].sum() / 3)
        if symbols[part].sum():
            rates.append(100 * recognised[part].sum() / symbols[part].sum())
    assert (found.classes, found.pages) == (3, 2)
    assert found.recognition_rate == pytest.approx(np.mean(rates))
    assert found.recognition_spread == pytest.approx(np.std(rates))
    assert found.false_positives == pytest.approx(np.mean(positives))
    assert found.false_positives_spread == pytest.approx(np.std(positives))


def test_no_symbols_no_recognition_rate() -> None:
    nothing = np.zeros((2, 2), np.int64)
    all_of_it = np.ones((1, 2), np.bool_)
    found = measure_part(nothing, nothing, nothing + 1, all_of_it, all_of_it)
    assert found.recognition_rate is None
    assert found.recognition_spread is None
    assert found.false_positives == 2
