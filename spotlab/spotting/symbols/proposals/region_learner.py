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

from spotlab.arrays import Floats
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
from spotlab.spotting.symbols.proposals.model_lessons import completed
from spotlab.spotting.symbols.proposals.region_fit import (
    QUICK,
    Effort,
    RegionFit,
    TaughtPage,
    row_weights,
)
from spotlab.spotting.symbols.proposals.selection import best_of_each_place, judge_against
from spotlab.spotting.symbols.proposals.symbol_sizes import (
    SymbolSizes,
    measure_sizes,
    sizes_on_page,
)

_RIDGE = 0.1
_FIGURES = 0.5  # how much shape and place count, beside the two histograms
_HELD_OUT = 12  # pages on which probabilities are calibrated, at most
MIN_REGIONS = 3  # of a label that can be learned from
MIN_PAGES = 2  # one to learn from, and another one to calibrate on


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
    _own: dict[str, TaughtPage]
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
            new = self._added(TaughtPage(similar, lesson.labels, lesson.emphasis))
            equations = summed([equations, new])
        weights = equations.solve(self._ridge)
        return replace(self, _weights=weights)

    def _added(self, taught: TaughtPage) -> Equations:
        return page_equations(
            taught.similar, taught.labels, self.labels, self._weight_of, taught.weights
        )

    @property
    def digest(self) -> str:
        """Digest of all that decides about probabilities."""
        known = (self.labels, sorted(self.boxed), self.key, self._width, self.sizes.between)
        digest = hashlib.sha256(repr(known).encode())
        parts = (self._weights, *self._scale, self.calibration.weights)
        for part in (*parts, self.sizes.means, self.sizes.spreads):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()

    def for_search(self) -> RegionLearner:
        """Forget all but what probabilities depend on: smaller, and learns nothing more."""
        nothing = np.zeros((0, 0))
        return replace(self, _equations=Equations(nothing, nothing), _ridge=nothing, _own={})

    def only_about(self, page: str) -> RegionLearner:
        """Forget which page taught what, but for one: smaller, for another process.

        Parameters
        ----------
        page : str
            The only one that a lesson can replace then.
        """
        return replace(self, _own={name: own for name, own in self._own.items() if name == page})


def learn_regions(
    lessons: Sequence[Lesson],
    progress: Progress = silent,
    *,
    min_regions: int = MIN_REGIONS,
    min_pages: int = MIN_PAGES,
    effort: Effort = QUICK,
) -> RegionLearner | None:
    """Learn from the lessons of all pages.

    Parameters
    ----------
    lessons : sequence of Lesson
    progress : Progress
        Called for each page on which probabilities are calibrated.
    min_regions : int
        Labels with fewer regions are not learned.
    min_pages : int
        Pages with regions that are needed. Probabilities are not calibrated on a single one.
    effort : Effort

    Returns
    -------
    RegionLearner or None
        None where no label has enough regions, or there are too few pages.

    References
    ----------
    R. Rifkin, G. Yeo, T. Poggio, "Regularized least-squares classification", 2003; C. Williams,
    M. Seeger, "Using the Nyström method to speed up kernel machines", NIPS 2001.

    Examples
    --------
    >>> print(learn_regions([]))
    None
    """
    counts: dict[str, int] = {}
    for lesson in lessons:
        for name in lesson.names:
            counts[name] = counts.get(name, 0) + 1
    labels = tuple(
        sorted(name for name, number in counts.items() if name and number >= min_regions)
    )
    pages = sum(len(lesson.names) > 0 and not lesson.is_model for lesson in lessons)
    if not labels or pages < max(min_pages, 1):
        return None
    lessons = completed(thinned(lessons, effort.rows))
    rows = np.vstack([lesson.rows for lesson in lessons])
    shown = [label for lesson in lessons for label in lesson.labels]
    figures = rows[:, -figures_count() :]
    scale = (figures.mean(0), figures.std(0) + 1e-6)
    scaled = _scaled(rows, scale)
    chosen = _landmark_rows(shown, effort.landmarks)
    landmarks = scaled[chosen]
    page_of = np.searchsorted(_ends(lessons), chosen, "right")
    width = median_distance(landmarks)
    parts = np.split(kernel(scaled, landmarks, width), _ends(lessons))
    fit = RegionFit(
        labels,
        label_weights(shown),
        _RIDGE * kernel(landmarks, landmarks, width).astype(np.float64),
    )
    taught = [
        TaughtPage(part, lesson.labels, lesson.emphasis)
        for part, lesson in zip(parts, lessons, strict=True)
    ]
    first, _ = fit.solved(taught)
    taught = [replace(page, weights=row_weights(page, first)) for page in taught]
    weights, equations = fit.solved(taught)
    sizes = measure_sizes(lessons, labels)
    held_out = _held_out(lessons) if pages >= MIN_PAGES else []
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


def _ends(lessons: Sequence[Lesson]) -> NDArray[np.int64]:
    return np.cumsum([len(lesson) for lesson in lessons])[:-1]


def _held_out(lessons: Sequence[Lesson]) -> list[int]:
    """Pages with regions, as many as there is time for."""
    step = max(1, -(-len(lessons) // _HELD_OUT))
    return [
        number
        for number in range(0, len(lessons), step)
        if lessons[number].names and not lessons[number].is_model
    ]


def _judged(lesson: Lesson, scores: Floats, labels: Sequence[str], sizes: SymbolSizes) -> Judged:
    """What would have been proposed on a page, and what of it was right."""
    misfits = sizes.misfits(sizes_on_page(lesson.rows), scores)
    chosen = best_of_each_place(lesson.boxes, scores)
    right = judge_against(lesson, chosen, [labels[int(n)] for n in scores[chosen].argmax(1)])
    return Judged(scores[chosen], misfits[chosen], right, lesson.stands_for[chosen])


def _landmark_rows(shown: Sequence[str], number: int) -> NDArray[np.int64]:
    """Half regions, of rare labels as many as of others, half background; drawn always alike."""
    draw = np.random.default_rng(0)
    names = np.array(shown, object)
    turns: list[tuple[int, int]] = []
    for label in sorted({*shown} - {""}):
        turns += enumerate(draw.permutation(np.flatnonzero(names == label)).tolist())
    regions = [row for _, row in sorted(turns)][: number // 2]
    others = draw.permutation(np.flatnonzero(names == ""))[: number - len(regions)]
    return np.concatenate([np.array(regions, np.int64), others])


def _scaled(rows: Rows, scale: tuple[Rows, Rows]) -> Rows:
    """Rows whose figures of shape and place together count like `_FIGURES` of a histogram."""
    count = figures_count()
    figures = (rows[:, -count:] - scale[0]) / scale[1] * (_FIGURES / np.sqrt(count))
    return np.hstack([rows[:, :-count], figures]).astype(np.float32)
