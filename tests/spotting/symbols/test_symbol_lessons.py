"""Lessons: all labelled regions of a page together, and which of what they find is likely right."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.engine.method import features_of_ink
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QuerySpots, crop_model
from spotlab.spotting.symbols.lessons.lessons import (
    COMMON,
    LabelledPage,
    Lessons,
    fit_weights,
    learn_lessons,
    probability,
)
from spotlab.spotting.symbols.lessons.model_spots import overlaps_of
from spotlab.spotting.symbols.methods.alignment import METHOD
from tests.spotting.symbols.alignment_scenes import BASIN, BOX, STROKES, moved, page, query

OTHER = [BOX, BASIN, [(100, 20), (130, 60)]]  # nearly a sink, but none
PLACES = [
    (120, 90),
    (340, 90),
    (560, 90),
    (780, 90),
    (120, 300),
    (340, 300),
    (560, 300),
    (780, 300),
]
TURNS = (0, 180, 0, 180, 0, 0, 180, 180)


def laid(strokes: list, x: float, y: float, turn: float) -> list[np.ndarray]:
    return [moved(np.asarray(stroke), x, y, turn=turn) for stroke in strokes]


def ink(kinds: str, shift: float = 0) -> np.ndarray:
    """A page with a sink at each S, and what is nearly one at each O."""
    return page(
        *[
            laid(STROKES if kind == "S" else OTHER, x + shift, y + shift, turn)
            for kind, (x, y), turn in zip(kinds, PLACES, TURNS, strict=True)
        ]
    )


def rings(kinds: str, shift: float = 0) -> list[np.ndarray]:
    return [
        moved(np.asarray(BOX[:4]), x + shift, y + shift, turn=turn)
        for kind, (x, y), turn in zip(kinds, PLACES, TURNS, strict=True)
        if kind == "S"
    ]


def lesson(kinds: str) -> LabelledPage:
    drawn, regions = ink(kinds), rings(kinds)
    models = tuple((n, crop_model("sink", drawn, ring)) for n, ring in enumerate(regions))
    features = features_of_ink(drawn, [METHOD])
    return LabelledPage(features, Outlines.of(regions), ("sink",) * len(regions), models)


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    return learn_lessons([lesson("SSOOSOSO")], METHOD)


@pytest.fixture(scope="module")
def other_page() -> PageFeatures:
    return features_of_ink(ink("OSSOOSOS", shift=40), [METHOD])


def hits(spots: QuerySpots, kinds: str) -> list[bool]:
    pairs = overlaps_of(spots.outlines, Outlines.of(rings(kinds, shift=40)))
    found = set(pairs.first[pairs.iou > 0.7].tolist())
    return [number in found for number in range(len(spots))]


def test_what_is_nearly_one_is_told_apart(lessons: Lessons, other_page: PageFeatures) -> None:
    spots = lessons.spot(METHOD, other_page)["sink"]
    kept = QuerySpots(spots.outlines.take(np.arange(4)), spots.scores[:4])
    assert hits(kept, "OSSOOSOS") == [True] * 4
    assert (kept.scores > 0.5).all()
    assert (spots.scores[4:] < kept.scores.min() - 0.2).all()
    alone = METHOD.spot(other_page, query())  # a single model keeps both at its threshold
    assert len([score for score in alone.scores if score >= METHOD.min_score]) > 4


def test_learns_from_right_and_wrong_spots(lessons: Lessons) -> None:
    right, wrong = lessons.examples
    assert right == 4
    assert wrong >= 4
    assert len(lessons.models) == 4


def test_scores_are_probabilities_that_fall_and_places_are_taken_once(
    lessons: Lessons, other_page: PageFeatures
) -> None:
    spots = lessons.spot(METHOD, other_page)["sink"]
    assert ((spots.scores >= 0) & (spots.scores <= 1)).all()
    assert (np.diff(spots.scores) <= 0).all()
    pairs = overlaps_of(spots.outlines, spots.outlines)
    assert (pairs.of_smaller[pairs.first != pairs.second] < 0.3).all()


def test_labels_that_lie_in_each_other_do_not_compete() -> None:
    drawn = ink("SSOOSOSO")
    outer = rings("SSOOSOSO")
    inner = [
        moved(np.asarray(BASIN[:4]), x, y, turn=turn)
        for kind, (x, y), turn in zip("SSOOSOSO", PLACES, TURNS, strict=True)
        if kind == "S"
    ]
    labels = ("sink",) * len(outer) + ("basin",) * len(inner)
    models = tuple(
        (number, crop_model(labels[number], drawn, ring))
        for number, ring in enumerate([*outer, *inner])
        if number in (0, 1, 4, 5)
    )
    features = features_of_ink(drawn, [METHOD])
    nested = learn_lessons(
        [LabelledPage(features, Outlines.of([*outer, *inner]), labels, models)], METHOD
    )
    assert not nested.known.competes[0, 1]
    assert nested.known.competes[0, 0]
    found = nested.spot(METHOD, features)
    assert all((found[label].scores[:4] > 0.5).all() for label in ("sink", "basin"))


def test_nothing_is_found_on_an_empty_page(lessons: Lessons) -> None:
    empty = features_of_ink(np.zeros((300, 300), bool), [METHOD])
    assert {label: len(spots) for label, spots in lessons.spot(METHOD, empty).items()} == {
        "sink": 0
    }


def test_weights_are_the_most_probable() -> None:
    random = np.random.default_rng(4)
    evidence, prior = random.normal(size=(60, 3)), np.array([0.5, -0.2, 0.0, 0.1])
    is_right = random.random(60) < probability(evidence, np.array([1.5, 0.0, -1.0, 0.3]))

    def loss(weights: np.ndarray) -> float:
        likely = probability(evidence, weights)
        likelihood = np.where(is_right, np.log(likely), np.log(1 - likely)).sum()
        held = np.array([2.0, 2.0, 2.0, 2.0 * COMMON])
        return float(-likelihood + (held * (weights - prior) ** 2).sum() / 2)

    by_hand = minimize(loss, prior, method="BFGS", options={"gtol": 1e-8}).x
    np.testing.assert_allclose(fit_weights(evidence, is_right, prior, 2.0), by_hand, atol=1e-4)


def test_weights_are_found_where_the_prior_is_certain_and_wrong() -> None:
    evidence = np.array([[4.0], [4.2], [3.0], [3.1]])
    weights = fit_weights(evidence, np.array([1, 1, 0, 0], bool), np.array([3.0, 0.0]), 0.1)
    likely = probability(evidence, weights)
    assert likely[:2].min() > 0.5 > likely[2:].max()


def test_without_examples_the_prior_stays() -> None:
    prior = np.array([0.5, -0.2, 0.1])
    assert fit_weights(np.zeros((0, 2)), np.zeros(0, bool), prior, 1.0).tolist() == prior.tolist()
