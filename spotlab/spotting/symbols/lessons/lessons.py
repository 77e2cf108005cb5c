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

from spotlab.arrays import Flags, Floats, Ints
from spotlab.geometry.coverage import areas
from spotlab.geometry.polygon import Outlines
from spotlab.progress import Progress, silent, track
from spotlab.spotting.symbols.engine.method import SpottingMethod, features_of_model
from spotlab.spotting.symbols.engine.page_features import (
    PageFeatures,
    QueryFeatures,
    QuerySpots,
    SymbolModel,
)
from spotlab.spotting.symbols.lessons.model_spots import (
    GRID,
    LessonModel,
    ModelSpots,
    Placement,
    Vectors,
    appearance,
    find_spots,
    look_of_page,
    overlaps_of,
    query_frame,
)

SAME = 0.5  # intersection over union from which spots are at one place
WITHIN = 0.6  # share of a spot in another label's from which that one competes
NOWHERE = -1  # the region of a spot that is on none
_UNLIKE_SIZE = 1.0  # difference in the logarithm of areas, of a label without a known size

NAMES = (
    "score", "thin", "solid", "scale", "stretch", "nearest", "margin", "agreement", "second",
    "rival", "rival_margin", "size",
)  # fmt: skip
# what the evidence of three floor plans is on average, and how far it spreads; the weights that
# were fitted there, rounded, are the prior; a size says nothing until there are examples
CENTRE = np.array([0.45, 0.47, 0.36, 0.17, 0.12, 0.47, -0.03, 0.29, 0.22, 0.16, -0.14, 0.22])
SPREAD = np.array([0.21, 0.32, 0.43, 0.16, 0.16, 0.31, 0.44, 0.24, 0.28, 0.30, 0.37, 0.23])
PRIOR = np.array([0.7, 0.3, 0.6, -1.2, -0.6, 0.3, 0.8, 0.5, 0.8, -0.6, -0.9, 0.0, -1.3])


@dataclass(frozen=True, eq=False)
class KnownLooks:
    """Appearance of the places at which a model was found on the labelled pages.

    Attributes
    ----------
    right, wrong : (K, G) float32
        Of unit length: where it was right, and where it was wrong.
    region : (K,) int
        The region of each place where it was right.
    spot : (K,) int
        Number of each wrong spot among those that were learned from.
    """

    right: Vectors
    wrong: Vectors
    region: Ints
    spot: Ints


@dataclass(frozen=True, eq=False)
class LessonKnowledge:
    """Knowledge about labels and models from labelled pages.

    Attributes
    ----------
    looks : tuple of KnownLooks
        Of each model.
    models : (L,) int
        Number of models of each label.
    sizes : tuple of (K, 2) float
        Of each label: the areas of its regions in px², and their numbers.
    competes : (L, L) bool
        Labels of which one place can only have one; also a label with itself.
    """

    looks: tuple[KnownLooks, ...]
    models: Ints
    sizes: tuple[Floats, ...]
    competes: Flags


def flat_looks(spots: ModelSpots) -> Vectors:
    """Join lines and solid ink of the looks of spots, to unit length.

    Parameters
    ----------
    spots : ModelSpots

    Returns
    -------
    (N, G) float32
    """
    looks = spots.look.reshape(len(spots), spots.look.shape[1] * spots.look.shape[2])
    lengths = np.linalg.norm(looks, axis=1, keepdims=True)  # there may be no solid ink
    return np.asarray(looks / np.maximum(lengths, 1e-6), np.float32)


def place_spots(spots: ModelSpots) -> tuple[Ints, list[Ints]]:
    """Choose the best spot at each place of each label.

    Parameters
    ----------
    spots : ModelSpots

    Returns
    -------
    chosen : (C,) int
        By label, and then from the best merit down.
    together : list of (K,) int
        All spots of the label at each of the places, with the chosen one.
    """
    pairs = overlaps_of(spots.outlines, spots.outlines)
    same = (pairs.iou >= SAME) & (spots.label[pairs.first] == spots.label[pairs.second])
    near: list[list[int]] = [[] for _ in range(len(spots))]
    for one, other in zip(pairs.first[same].tolist(), pairs.second[same].tolist(), strict=True):
        near[one].append(other)
    taken = np.zeros(len(spots), np.bool_)
    chosen = []
    for number in np.lexsort([-spots.merit, spots.label]).tolist():
        if not taken[near[number]].any():
            chosen.append(number)
            taken[number] = True
    return np.array(chosen, np.int64), [
        np.array(near[number] or [number], np.int64) for number in chosen
    ]


def evidence_of(
    spots: ModelSpots,
    known: LessonKnowledge,
    regions: Ints | None = None,
    numbers: Ints | None = None,
) -> tuple[Ints, Floats]:
    """Gather what speaks for and against the best spot at each place.

    Parameters
    ----------
    spots : ModelSpots
    known : LessonKnowledge
    regions : (N,) int, optional
        On a lesson itself: the region that each spot is on, or `NOWHERE`; what is known from it, or
        from the spot, is left out.
    numbers : (N,) int, optional
        Likewise: the numbers of these spots among all that were learned from.

    Returns
    -------
    chosen : (C,) int
        Numbers of the spots.
    evidence : (C, 12) float
        In the order of `NAMES`; not yet scaled.
    """
    chosen, together = place_spots(spots)
    merit, looks = spots.merit, flat_looks(spots)
    rivals = _rivals(spots, merit, known.competes)
    rows = []
    for number, group in zip(chosen.tolist(), together, strict=True):
        label, region, itself = int(spots.label[number]), NOWHERE, -1
        if regions is not None and numbers is not None:
            region, itself = int(regions[number]), int(numbers[number])
        others = known.looks[spots.model[number]]
        right = others.right[(others.region != region) | (region == NOWHERE)] @ looks[number]
        wrong = others.wrong[others.spot != itself] @ looks[number]
        nearest = max(float(right.max(initial=0.0)), 0.0)
        farther = max(float(wrong.max(initial=0.0)), 0.0)
        best = np.sort(
            [merit[group[spots.model[group] == one]].max() for one in np.unique(spots.model[group])]
        )[::-1]
        count = max(int(known.models[label]) - (region != NOWHERE), 1)
        sizes = known.sizes[label][known.sizes[label][:, 1] != region, 0]
        apart = np.abs(np.log(max(spots.area[number], 1.0) / np.maximum(sizes, 1.0)))
        rows.append(
            [
                spots.score[number],
                *spots.likeness[number],
                spots.scale[number],
                spots.stretch[number],
                nearest,
                nearest - farther,
                len(best) / count,
                best[1] if len(best) > 1 else 0.0,
                rivals[number],
                max(rivals[number] - merit[number], -0.5),
                apart.min(initial=_UNLIKE_SIZE),
            ]
        )
    return chosen, np.array(rows, np.float64).reshape(-1, len(NAMES))


def _rivals(spots: ModelSpots, merit: Floats, competes: Flags) -> Floats:
    """(N,) the best merit of another label's spots that cover a spot, or 0."""
    pairs = overlaps_of(spots.outlines, spots.outlines)
    one, other = spots.label[pairs.first], spots.label[pairs.second]
    there = (pairs.of_first >= WITHIN) & (one != other) & competes[one, other]
    rivals = np.zeros(len(spots))
    np.maximum.at(rivals, pairs.first[there], merit[pairs.second[there]])
    return rivals


COMMON = 0.1  # of the prior's strength: how many are right differs most between collections
_ROUNDS = 50  # of Newton's method, which needs about ten, and more where its steps go too far
_ENOUGH = 1e-9  # change of the weights from which on it is done


def fit_weights(
    evidence: Floats, is_right: NDArray[np.bool_], prior: Floats, strength: float
) -> Floats:
    """Fit the weights of evidence to examples.

    Parameters
    ----------
    evidence : (N, E) float
        About zero on average, with a spread of about one.
    is_right : (N,) bool
    prior : (E + 1,) float
        The weights without examples; the last is the constant.
    strength : float
        How much they count against examples; the constant, which says how common it is to be
        right, counts `COMMON` of it.

    Returns
    -------
    (E + 1,) float
        The prior itself where there are no examples.

    Notes
    -----
    The maximum a posteriori of logistic regression under a normal prior around the known weights,
    by Newton's method; see Bishop (2006), "Pattern Recognition and Machine Learning", §4.3.

    Examples
    --------
    >>> evidence = np.array([[-1.0], [-0.5], [0.5], [1.0]])
    >>> weights = fit_weights(evidence, np.array([0, 0, 1, 1], bool), np.zeros(2), strength=1)
    >>> bool(weights[0] > 0.5), bool(abs(weights[1]) < 1e-9)
    (True, True)
    """
    known = np.column_stack([evidence, np.ones(len(evidence))])
    held = np.append(np.full(evidence.shape[1], strength), COMMON * strength)
    sides = np.where(is_right, 1.0, -1.0)

    def loss(weights: Floats) -> float:
        apart = weights - prior
        return float(np.logaddexp(0, -sides * (known @ weights)).sum() + held @ apart**2 / 2)

    weights = np.array(prior, np.float64)
    for _ in range(_ROUNDS):
        expected = probability(evidence, weights)
        slope = known.T @ (is_right - expected) - held * (weights - prior)
        bend = known.T @ (known * (expected * (1 - expected))[:, None])
        step = np.linalg.solve(bend + np.diag(held), slope)
        before = loss(weights)
        while loss(weights + step) > before and np.abs(step).max() >= _ENOUGH:
            step /= 2  # where all is certain, the full step goes too far
        weights = weights + step
        if np.abs(step).max() < _ENOUGH:
            break
    return weights


def probability(evidence: Floats, weights: Floats) -> Floats:
    """Compute the probability of being right.

    Parameters
    ----------
    evidence : (N, E) float
    weights : (E + 1,) float

    Returns
    -------
    (N,) float

    Examples
    --------
    >>> probability(np.array([[2.0], [0.0]]), np.array([1.0, 0.0])).round(2).tolist()
    [0.88, 0.5]
    """
    return np.asarray(1 / (1 + np.exp(-log_odds(evidence, weights))))


def log_odds(evidence: Floats, weights: Floats) -> Floats:
    """Compute the log-odds of being right, from -50 to 50.

    Parameters
    ----------
    evidence : (N, E) float
    weights : (E + 1,) float

    Examples
    --------
    The last weight is added to all:

    >>> log_odds(np.array([[1.0, 0.5], [0.0, 0.0]]), np.array([2.0, 4.0, -1.0])).tolist()
    [3.0, -1.0]
    """
    return np.asarray(np.clip(evidence @ weights[:-1] + weights[-1], -50, 50))


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
    """Knowledge learned from labelled pages.

    Attributes
    ----------
    labels : tuple of str
    models : tuple of LessonModel
    known : LessonKnowledge
    weights : (13,) float
        Of the evidence, and the constant.
    examples : (int, int)
        How many right and how many wrong spots it was learned from.
    """

    labels: tuple[str, ...]
    models: tuple[LessonModel, ...]
    known: LessonKnowledge
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
        spots, odds = self.hypotheses(method, page)
        likely = 1 / (1 + np.exp(-odds))
        kept = _likeliest(spots, likely, self.known)
        found = {}
        for number, label in enumerate(self.labels):
            own = kept[spots.label[kept] == number]
            found[label] = QuerySpots(spots.outlines.take(own), likely[own])
        return found

    def hypotheses(self, method: SpottingMethod, page: PageFeatures) -> tuple[ModelSpots, Floats]:
        """Find the best spot of each label at each place, however many overlap.

        Parameters
        ----------
        method : SpottingMethod
        page : PageFeatures

        Returns
        -------
        spots : ModelSpots
        odds : (N,) float
            Log-odds of being right, from -50 to 50.
        """
        spots = find_spots(method, page, self.models)
        chosen, evidence = evidence_of(spots, self.known)
        return spots.take(chosen), log_odds(scaled(evidence), self.weights)

    def with_page(
        self,
        page: LabelledPage,
        queries: Sequence[tuple[int, QueryFeatures]],
        wrong: Outlines,
        method: SpottingMethod,
    ) -> Lessons:
        """Search for regions of a page that is worked on, too; evidence counts as before.

        Parameters
        ----------
        page : LabelledPage
            Its regions are those that are known so far; its models are ignored.
        queries : sequence of (int, QueryFeatures)
            Models, each with the number of its region; `NOWHERE` for one of another page.
        wrong : Outlines
            Places of the page at which there is no region, in px.
        method : SpottingMethod
        """
        labels = tuple(dict.fromkeys((*self.labels, *(query.name for _, query in queries))))
        start = 1 + max((int(sizes[:, 1].max(initial=0)) for sizes in self.known.sizes), default=0)
        models = self.models + tuple(
            LessonModel(query, labels.index(query.name), start + region, _look(page, region, query))
            for region, query in queries
        )
        part = _spots_on_lesson(page, start, models, labels, method)
        rejected = np.zeros(len(part.spots), np.bool_)
        rejected[(pairs := overlaps_of(part.spots.outlines, wrong)).first[pairs.iou >= SAME]] = True
        part.iou[~rejected] = np.maximum(part.iou[~rejected], _DOUBTFUL)
        here = [_known_looks(number, [part]) for number in range(len(models))]
        known = [_joined(*both) for both in zip(self.known.looks, here, strict=False)]
        sizes = [_sizes([page], [start], label) for label in labels]
        for number, own in enumerate(self.known.sizes):
            sizes[number] = np.concatenate([own, sizes[number]])
        competes = np.ones((len(labels), len(labels)), np.bool_)
        competes[: len(self.labels), : len(self.labels)] = self.known.competes
        counts = np.bincount([model.label for model in models], minlength=len(labels))
        knowledge = LessonKnowledge(
            (*known, *here[len(known) :]), counts.astype(np.int64), tuple(sizes), competes
        )
        return Lessons(labels, models, knowledge, self.weights, self.examples)


UNTAUGHT = Lessons(
    (), (), LessonKnowledge((), np.zeros(0, np.int64), (), np.ones((0, 0), bool)), PRIOR, (0, 0)
)


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
    return learn_and_leave_out(pages, method, mend, progress)[0]


def learn_and_leave_out(
    pages: Sequence[LabelledPage],
    method: SpottingMethod,
    mend: bool = True,
    progress: Progress = silent,
) -> tuple[Lessons, list[tuple[ModelSpots, Floats]]]:
    """Learn from labelled pages, and judge their own spots, none by the model of the very place.

    Parameters
    ----------
    pages, method, mend, progress
        As in `learn_lessons`.

    Returns
    -------
    lessons : Lessons
    judged : list of (ModelSpots, (N,) float)
        Of each page, as `Lessons.hypotheses` gives them for pages without truth.
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
    known = LessonKnowledge(looks, counts.astype(np.int64), sizes, _competing(pages, labels))
    judged = _left_out(parts, known, models)
    iou = np.concatenate([np.zeros(0), *(each.iou for each, _ in judged)])
    evidence = np.concatenate([np.zeros((0, len(CENTRE))), *(rows for _, rows in judged)])
    is_clear, is_right = (iou >= SAME) | (iou < _DOUBTFUL), iou >= SAME
    weights = fit_weights(scaled(evidence[is_clear]), is_right[is_clear], PRIOR, STRENGTH)
    right = int(is_right.sum())
    lessons = Lessons(labels, tuple(models), known, weights, (right, int(is_clear.sum()) - right))
    return lessons, [(each.spots, log_odds(scaled(rows), weights)) for each, rows in judged]


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
    return LessonModel(query, label, number, _look(page, region, query))


def _look(page: LabelledPage, region: int, query: QueryFeatures) -> Vectors:
    """Appearance of the place of a model; of one from elsewhere only the model itself is known."""
    is_here = region != NOWHERE
    features, outline = (
        (page.features, page.outlines[region]) if is_here else (query.features, query.outline)
    )
    middle = np.asarray((outline.min(0) + outline.max(0)) / 2)
    return appearance(look_of_page(features), query_frame(query)[1], Placement(np.eye(2), middle))


def _joined(one: KnownLooks, other: KnownLooks) -> KnownLooks:
    parts = [(getattr(one, name), getattr(other, name)) for name in vars(one)]
    return KnownLooks(*(np.concatenate(both) for both in parts))


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
    """Tell how the places look at which a model was right, and wrong."""
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


def _left_out(
    parts: Sequence[_LessonSpots], known: LessonKnowledge, models: Sequence[LessonModel]
) -> list[tuple[_LessonSpots, Floats]]:
    """The best spots on each lesson, and their evidence, none by the model of the very place."""
    region_of = np.array([model.region for model in models], np.int64)
    judged, first = [], 0
    for part in parts:
        others = np.flatnonzero(region_of[part.spots.model] != part.region)
        spots = part.spots.take(others)
        chosen, evidence = evidence_of(spots, known, part.region[others], first + others)
        own = others[chosen]
        judged.append((_LessonSpots(spots.take(chosen), part.region[own], part.iou[own]), evidence))
        first += len(part.spots)
    return judged


def _likeliest(spots: ModelSpots, likely: Floats, known: LessonKnowledge) -> Ints:
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
