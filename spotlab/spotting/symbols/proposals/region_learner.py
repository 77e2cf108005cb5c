"""Learns from all labelled regions of a collection how likely a candidate is of each label.

Kernel ridge regression of the labels on appearance, on the span of a few hundred rows (Rifkin et
al. 2003; Williams & Seeger 2001). What a page contributes can be added to the normal equations and
taken away again: an answer is learned by solving them anew, and scores of a page that was left out,
from which probabilities are calibrated, cost no more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.progress import Progress, silent, track
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.appearance import Rows, figures_count, page_appearance
from spotlab.spotting.symbols.proposals.calibration import (
    Calibration,
    Judged,
    calibrate,
    well_found,
)
from spotlab.spotting.symbols.proposals.kernel_regression import (
    Equations,
    kernel,
    label_weights,
    median_distance,
    page_equations,
    summed,
)
from spotlab.spotting.symbols.proposals.lesson import Lesson, mostly_boxed, thinned
from spotlab.spotting.symbols.proposals.selection import best_of_each_place, judge_against
from spotlab.spotting.symbols.proposals.symbol_sizes import (
    SymbolSizes,
    measure_sizes,
    sizes_on_page,
)

LANDMARKS = 700  # rows whose span is searched for the answer
_MOST_ROWS = 8000  # that are learned from
_RIDGE = 0.3
_FIGURES = 0.7  # how much shape and place count, beside the two histograms
_HARDER = 6.0  # how much more a row of the background weighs that looks like a region
_HELD_OUT = 12  # pages on which probabilities are calibrated, at most
_ENOUGH = 3  # regions of a label that can be learned from
_FOUND = (
    0.5  # share of a label's regions on left-out pages that has to be found for it to be trusted
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Taught:
    """What a page has added to the equations: similarities, labels and weights of its rows."""

    similar: Rows
    labels: tuple[str, ...]
    weights: Floats


@dataclass(frozen=True, eq=False)
class RegionLearner:
    """What all lessons together teach; `learn_regions` makes it.

    Attributes
    ----------
    labels : tuple of str
        Those with enough regions to be learned from, in alphabetical order.
    counts : dict of str to int
        Number of labelled regions of each label.
    boxed : frozenset of str
        Labels whose regions are mostly upright boxes.
    trusted : frozenset of str
        Labels of upright boxes of which at least half were found, as precisely as proposals are
        shown, on pages that were left out. What may be turned looks different each time: it is
        found better by comparison with examples.
    key : str
        The same for learners with the same landmarks.
    sizes : SymbolSizes
    calibration : Calibration
    """

    labels: tuple[str, ...]
    counts: dict[str, int]
    boxed: frozenset[str]
    trusted: frozenset[str]
    key: str
    sizes: SymbolSizes
    calibration: Calibration
    _landmarks: Rows
    _scale: tuple[Rows, Rows]
    _width: float
    _equations: Equations
    _ridge: Floats
    _weight_of: dict[str, float]
    _own: dict[str, _Taught]
    _weights: Floats

    def similarities(self, rows: Rows) -> Rows:
        """Compare rows with the landmarks; a page's are compared once.

        Parameters
        ----------
        rows : (N, D) float32

        Returns
        -------
        (N, M) float32
            0 to 1.
        """
        return kernel(_scaled(rows, self._scale), self._landmarks, self._width)

    def page_similarities(self, page: PageFeatures) -> Rows:
        """Compare all candidates of a page with the landmarks, once as long as these are the same.

        Parameters
        ----------
        page : PageFeatures
            Keeps the result.

        Returns
        -------
        (N, M) float32
            In the order of `find_candidates`.
        """
        known = page.cached("similarities", dict[str, Rows])
        if self.key not in known:
            known.clear()
            known[self.key] = self.similarities(page_appearance(page))
        return known[self.key]

    def probabilities(self, rows: Rows, similarities: Rows) -> Floats:
        """Compute how likely a page's candidates are of each label.

        Parameters
        ----------
        rows : (N, D) float32
        similarities : (N, M) float32
            Of the same rows.

        Returns
        -------
        (N, L) float
            In [0, 1]: the share of such proposals that were right on pages that were left out.
        """
        scores = np.asarray(similarities @ self._weights, np.float64)
        return self.calibration.probabilities(
            scores, self.sizes.misfits(sizes_on_page(rows), scores)
        )

    def with_lesson(self, lesson: Lesson) -> RegionLearner:
        """Learn from the page that is worked on, in place of what it taught before.

        Parameters
        ----------
        lesson : Lesson

        Returns
        -------
        RegionLearner
            Calibrated as before.
        """
        equations = self._equations
        own = self._own.get(lesson.page)
        if own is not None:
            equations = equations.minus(self._added(own))
        if len(lesson):
            similar = self.similarities(lesson.rows)
            new = self._added(_Taught(similar, lesson.labels, lesson.emphasis))
            equations = summed([equations, new])
        weights = equations.solve(self._ridge)
        return replace(self, _weights=weights)

    def _added(self, taught: _Taught) -> Equations:
        return page_equations(
            taught.similar, taught.labels, self.labels, self._weight_of, taught.weights
        )

    def only_about(self, page: str) -> RegionLearner:
        """Forget which page taught what, but for one: smaller, for another process.

        Parameters
        ----------
        page : str
            The only one that a lesson can replace then.
        """
        return replace(self, _own={name: own for name, own in self._own.items() if name == page})


def learn_regions(lessons: Sequence[Lesson], progress: Progress = silent) -> RegionLearner | None:
    """Learn from the lessons of all pages.

    Parameters
    ----------
    lessons : sequence of Lesson
    progress : Progress
        Called for each page on which probabilities are calibrated.

    Returns
    -------
    RegionLearner or None
        None where no label has enough regions, or there is no second page to calibrate on.

    References
    ----------
    R. Rifkin, G. Yeo, T. Poggio, "Regularized least-squares classification", 2003; C. Williams,
    M. Seeger, "Using the Nyström method to speed up kernel machines", NIPS 2001.
    """
    counts: dict[str, int] = {}
    for lesson in lessons:
        for name in lesson.names:
            counts[name] = counts.get(name, 0) + 1
    labels = tuple(sorted(name for name, number in counts.items() if name and number >= _ENOUGH))
    if not labels or sum(len(lesson.names) > 0 for lesson in lessons) < 2:
        return None
    lessons = thinned(lessons, _MOST_ROWS)
    rows = np.vstack([lesson.rows for lesson in lessons])
    shown = [label for lesson in lessons for label in lesson.labels]
    figures = rows[:, -figures_count() :]
    scale = (figures.mean(0), figures.std(0) + 1e-6)
    scaled = _scaled(rows, scale)
    chosen = _landmark_rows(shown)
    landmarks = scaled[chosen]
    page_of = np.searchsorted(_ends(lessons), chosen, "right")
    width = median_distance(landmarks)
    parts = np.split(kernel(scaled, landmarks, width), _ends(lessons))
    fit = _Fit(
        labels,
        label_weights(shown),
        _RIDGE * kernel(landmarks, landmarks, width).astype(np.float64),
    )
    taught = [
        _Taught(part, lesson.labels, lesson.emphasis)
        for part, lesson in zip(parts, lessons, strict=True)
    ]
    first, _ = fit.solved(taught)
    taught = [replace(page, weights=_hardness(page, first)) for page in taught]
    weights, equations = fit.solved(taught)
    sizes = measure_sizes(lessons, labels)
    held_out = _held_out(lessons)
    judged = [
        _judged(
            lessons[number],
            fit.without(taught[number], equations, page_of != number),
            labels,
            sizes,
        )
        for number in track(held_out, progress, "calibrating")
    ]
    calibration = calibrate(judged)
    boxed = mostly_boxed(lessons, labels)
    return RegionLearner(
        labels,
        {label: counts[label] for label in labels},
        boxed,
        boxed
        & well_found([lessons[number].names for number in held_out], judged, calibration, labels),
        hashlib.sha256(landmarks.tobytes()).hexdigest(),
        sizes,
        calibration,
        landmarks,
        scale,
        width,
        equations,
        fit.ridge,
        fit.weight_of,
        {lesson.page: page for lesson, page in zip(lessons, taught, strict=True)},
        weights,
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    """What stays the same while the equations of pages are solved."""

    labels: tuple[str, ...]
    weight_of: dict[str, float]
    ridge: Floats

    def solved(self, pages: Sequence[_Taught]) -> tuple[Floats, Equations]:
        """The weights of the landmarks, and the equations of all pages."""
        together = _Taught(
            np.vstack([page.similar for page in pages]),
            tuple(label for page in pages for label in page.labels),
            np.concatenate([page.weights for page in pages]),
        )
        equations = self.added(together)
        return equations.solve(self.ridge), equations

    def without(self, page: _Taught, equations: Equations, others: NDArray[np.bool_]) -> Floats:
        """Scores of a page's rows by what all other pages teach, with landmarks of those only."""
        left = equations.minus(self.added(page))
        square = np.ix_(others, others)
        left = Equations(left.matrix[square], left.target[others])
        return np.asarray(page.similar[:, others] @ left.solve(self.ridge[square]), np.float64)

    def added(self, page: _Taught) -> Equations:
        """What a page adds."""
        return page_equations(page.similar, page.labels, self.labels, self.weight_of, page.weights)


def _ends(lessons: Sequence[Lesson]) -> NDArray[np.int64]:
    return np.cumsum([len(lesson) for lesson in lessons])[:-1]


def _held_out(lessons: Sequence[Lesson]) -> list[int]:
    """Pages with regions, as many as there is time for."""
    step = max(1, -(-len(lessons) // _HELD_OUT))
    return [number for number in range(0, len(lessons), step) if lessons[number].names]


def _judged(lesson: Lesson, scores: Floats, labels: Sequence[str], sizes: SymbolSizes) -> Judged:
    """What would have been proposed on a page, and what of it was right."""
    misfits = sizes.misfits(sizes_on_page(lesson.rows), scores)
    chosen = best_of_each_place(lesson.boxes, scores)
    right = judge_against(lesson, chosen, [labels[int(n)] for n in scores[chosen].argmax(1)])
    return Judged(scores[chosen], misfits[chosen], right, lesson.stands_for[chosen])


def _hardness(page: _Taught, weights: Floats) -> Floats:
    """Weights of rows: of background the more, the more it looks like a region."""
    is_background = np.array([not label for label in page.labels])
    looks = (page.similar @ weights).max(1).clip(0)
    return np.where(is_background, 0.3 + _HARDER * looks, 1.0)


def _landmark_rows(shown: Sequence[str]) -> NDArray[np.int64]:
    """Half regions, of rare labels as many as of others, half background; drawn always alike."""
    draw = np.random.default_rng(0)
    names = np.array(shown, object)
    turns: list[tuple[int, int]] = []
    for label in sorted({*shown} - {""}):
        turns += enumerate(draw.permutation(np.flatnonzero(names == label)).tolist())
    regions = [row for _, row in sorted(turns)][: LANDMARKS // 2]
    others = draw.permutation(np.flatnonzero(names == ""))[: LANDMARKS - len(regions)]
    return np.concatenate([np.array(regions, np.int64), others])


def _scaled(rows: Rows, scale: tuple[Rows, Rows]) -> Rows:
    """Rows whose figures of shape and place together count like `_FIGURES` of a histogram."""
    count = figures_count()
    figures = (rows[:, -count:] - scale[0]) / scale[1] * (_FIGURES / np.sqrt(count))
    return np.hstack([rows[:, :-count], figures]).astype(np.float32)
