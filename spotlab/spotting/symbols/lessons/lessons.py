"""Learns from labelled pages, and spots what is like them with a calibrated probability.

All labelled regions of a page are models together. They are searched on their own page first, where
it is known which spots are right, each region without its own model: that says how much a score,
the look of a place, its size and what other models find there are worth. On other pages a spot's
score is then the probability that it is right, and of spots that overlap the likeliest stays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage import areas
from spotlab.geometry.outlines import Outlines
from spotlab.progress import Progress, silent, track
from spotlab.spotting.symbols.engine.feature_extraction import features_of_model
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QuerySpots
from spotlab.spotting.symbols.engine.query_model import SymbolModel
from spotlab.spotting.symbols.lessons.appearance import GRID, Placement, Vectors, appearance
from spotlab.spotting.symbols.lessons.calibration import fit_weights, probability
from spotlab.spotting.symbols.lessons.evidence import (
    CENTRE,
    NOWHERE,
    PRIOR,
    SAME,
    SPREAD,
    Known,
    KnownLooks,
    evidence_of,
    flat_looks,
)
from spotlab.spotting.symbols.lessons.model_spots import (
    LessonModel,
    ModelSpots,
    find_spots,
    look_of_page,
    overlaps_of,
    query_frame,
)

LIKELY = 0.3  # probability from which a spot is kept by default: about best F on three plans
POSSIBLE = 0.01  # probability from which it is one at all
STRENGTH = 8.0  # of the prior weights against what is learned
_DOUBTFUL = 0.3  # intersection over union with a region from which a spot is not simply wrong
_SHARED = 0.3  # of the smaller: spots that overlap more are about the same thing


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page all of whose symbols are labelled.

    Attributes
    ----------
    features : PageFeatures
    outlines : Outlines
        Its R regions, in px.
    labels : tuple of str
        Of each region.
    models : tuple of (int, SymbolModel)
        The regions that are searched for, by their numbers.
    """

    features: PageFeatures
    outlines: Outlines
    labels: tuple[str, ...]
    models: tuple[tuple[int, SymbolModel], ...]


@dataclass(frozen=True, eq=False)
class Lessons:
    """What was learned from labelled pages.

    Attributes
    ----------
    labels : tuple of str
    models : tuple of LessonModel
    known : Known
    weights : (13,) float
        Of the evidence, and the constant.
    examples : (int, int)
        How many right and how many wrong spots it was learned from.
    """

    labels: tuple[str, ...]
    models: tuple[LessonModel, ...]
    known: Known
    weights: Floats
    examples: tuple[int, int]

    @property
    def digest(self) -> str:
        """Digest of all that decides what is found, for the names of files."""
        digest = hashlib.sha256(repr((self.labels, self.weights.tolist())).encode())
        for model, looks in zip(self.models, self.known.looks, strict=True):
            outline = np.asarray(model.query.outline, np.float64)
            for part in (model.query.features.ink, outline, model.look, looks.right, looks.wrong):
                digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()

    def spot(self, method: SpottingMethod, page: PageFeatures) -> dict[str, QuerySpots]:
        """Find the spots of each label on a page.

        Parameters
        ----------
        method : SpottingMethod
        page : PageFeatures

        Returns
        -------
        dict of str to QuerySpots
            For every label; the scores are probabilities, of shape (N,), falling.
        """
        spots = find_spots(method, page, self.models)
        chosen, evidence = evidence_of(spots, self.known)
        likely = probability(scaled(evidence), self.weights)
        kept = _likeliest(spots.take(chosen), likely, self.known)
        found = {}
        for number, label in enumerate(self.labels):
            own = kept[spots.label[chosen[kept]] == number]
            found[label] = QuerySpots(spots.outlines.take(chosen[own]), likely[own])
        return found


def scaled(evidence: Floats) -> Floats:
    """Evidence around zero, with a spread of about one.

    Parameters
    ----------
    evidence : (N, 12) float
    """
    return np.asarray((evidence - CENTRE) / SPREAD)


def learn_lessons(
    pages: Sequence[LabelledPage],
    method: SpottingMethod,
    mend: bool = True,
    progress: Progress = silent,
) -> Lessons:
    """Learn from labelled pages.

    Parameters
    ----------
    pages : sequence of LabelledPage
    method : SpottingMethod
    mend : bool
        As in `features_of_model`.
    progress : Progress
        Called after each page.
    """
    labels = tuple(dict.fromkeys(model.name for page in pages for _, model in page.models))
    starts = np.cumsum([0, *(len(page.labels) for page in pages)])
    models = [
        _lesson_model(page, start + region, region, model, labels.index(model.name), method, mend)
        for page, start in zip(pages, starts.tolist(), strict=False)
        for region, model in page.models
    ]
    parts = [
        _spots_on_lesson(page, start, models, labels, method)
        for page, start in zip(
            track(list(pages), progress, "learning from labelled pages"), starts.tolist(),
            strict=False,
        )
    ]  # fmt: skip
    looks = tuple(_known_looks(number, parts) for number in range(len(models)))
    sizes = tuple(_sizes(pages, starts.tolist(), label) for label in labels)
    counts = np.bincount([model.label for model in models], minlength=len(labels))
    known = Known(looks, counts.astype(np.int64), sizes, _competing(pages, labels))
    evidence, is_right = _examples(parts, known, models)
    weights = fit_weights(scaled(evidence), is_right, PRIOR, STRENGTH)
    right = int(is_right.sum())
    return Lessons(labels, tuple(models), known, weights, (right, len(is_right) - right))


@dataclass(frozen=True, eq=False)
class _LessonSpots:
    """The spots of all models on a lesson; the region each is on, and how well it lies on it."""

    spots: ModelSpots
    region: Ints
    iou: Floats


def _lesson_model(
    page: LabelledPage, number: int, region: int, model: SymbolModel, label: int,
    method: SpottingMethod, mend: bool,
) -> LessonModel:  # fmt: skip
    query = features_of_model(model, [method], mend)
    outline = page.outlines[region]
    middle = np.asarray((outline.min(0) + outline.max(0)) / 2)
    look = appearance(
        look_of_page(page.features), query_frame(query)[1], Placement(np.eye(2), middle)
    )
    return LessonModel(query, label, number, look)


def _spots_on_lesson(
    page: LabelledPage, start: int, models: Sequence[LessonModel], labels: Sequence[str],
    method: SpottingMethod,
) -> _LessonSpots:  # fmt: skip
    spots = find_spots(method, page.features, models)
    pairs = overlaps_of(spots.outlines, page.outlines)
    wanted = np.array([[label == own for own in page.labels] for label in labels], np.bool_)
    own = wanted.reshape(len(labels), -1)[spots.label[pairs.first], pairs.second]
    region, iou = np.full(len(spots), NOWHERE), np.zeros(len(spots))
    for number in np.flatnonzero(own)[np.argsort(pairs.iou[own], kind="stable")].tolist():
        region[pairs.first[number]] = start + pairs.second[number]
        iou[pairs.first[number]] = pairs.iou[number]
    region[iou < SAME] = NOWHERE
    return _LessonSpots(spots, region, iou)


def _known_looks(model: int, parts: Sequence[_LessonSpots]) -> KnownLooks:
    """How the places look at which a model was right, and wrong."""
    right, wrong, regions, numbers = [], [], [], []
    first = 0
    for part in parts:
        looks = flat_looks(part.spots)
        own = part.spots.model == model
        is_right, is_wrong = own & (part.region != NOWHERE), own & (part.iou < _DOUBTFUL)
        right.append(looks[is_right])
        wrong.append(looks[is_wrong])
        regions.append(part.region[is_right])
        numbers.append(first + np.flatnonzero(is_wrong))
        first += len(part.spots)
    nothing = np.zeros((0, 2 * GRID * GRID), np.float32)
    return KnownLooks(
        _stacked(right, nothing),
        _stacked(wrong, nothing),
        np.concatenate([np.zeros(0, np.int64), *regions]),
        np.concatenate([np.zeros(0, np.int64), *numbers]),
    )


def _stacked(parts: Sequence[Vectors], nothing: Vectors) -> Vectors:
    return np.asarray(np.concatenate([nothing, *parts]), np.float32)


def _sizes(pages: Sequence[LabelledPage], starts: Sequence[int], label: str) -> Floats:
    """(K, 2) the areas of a label's regions, and their numbers."""
    rows = [
        (area, start + number)
        for page, start in zip(pages, starts, strict=False)
        for number, area in enumerate(areas(page.outlines).tolist())
        if page.labels[number] == label
    ]
    return np.array(rows, np.float64).reshape(-1, 2)


def _competing(pages: Sequence[LabelledPage], labels: Sequence[str]) -> NDArray[np.bool_]:
    """(L, L) bool: labels whose regions do not overlap on any lesson."""
    competes = np.ones((len(labels), len(labels)), np.bool_)
    for page in pages:
        pairs = overlaps_of(page.outlines, page.outlines)
        there = (pairs.of_smaller >= _SHARED) & (pairs.first < pairs.second)
        for one, other in zip(
            pairs.first[there].tolist(), pairs.second[there].tolist(), strict=True
        ):
            names = page.labels[one], page.labels[other]
            if names[0] in labels and names[1] in labels:
                numbers = labels.index(names[0]), labels.index(names[1])
                competes[numbers] = competes[numbers[::-1]] = False
    return competes


def _examples(
    parts: Sequence[_LessonSpots], known: Known, models: Sequence[LessonModel]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Evidence for the spots on the lessons, none by the model of the very place; which are right.

    Spots that lie on a region, but not well, are neither.
    """
    region_of = np.array([model.region for model in models], np.int64)
    rows, right, first = [np.zeros((0, len(CENTRE)))], [np.zeros(0, np.bool_)], 0
    for part in parts:
        others = np.flatnonzero(region_of[part.spots.model] != part.region)
        chosen, evidence = evidence_of(
            part.spots.take(others), known, part.region[others], first + others
        )
        iou = part.iou[others][chosen]
        is_clear = (iou >= SAME) | (iou < _DOUBTFUL)
        rows.append(evidence[is_clear])
        right.append(iou[is_clear] >= SAME)
        first += len(part.spots)
    return np.concatenate(rows), np.concatenate(right)


def _likeliest(spots: ModelSpots, likely: Floats, known: Known) -> Ints:
    """The possible spots that do not overlap a likelier one with which they compete."""
    pairs = overlaps_of(spots.outlines, spots.outlines)
    clash = (pairs.of_smaller >= _SHARED) & (
        known.competes[spots.label[pairs.first], spots.label[pairs.second]]
    )
    near: list[list[int]] = [[] for _ in range(len(spots))]
    for one, other in zip(pairs.first[clash].tolist(), pairs.second[clash].tolist(), strict=True):
        near[one].append(other)
    is_kept = np.zeros(len(spots), np.bool_)
    kept = []
    for number in np.argsort(-likely, kind="stable").tolist():
        if likely[number] < POSSIBLE:
            break
        if not is_kept[near[number]].any():
            is_kept[number] = True
            kept.append(number)
    return np.array(kept, np.int64)
