"""Learns from all labelled regions of a collection how likely a candidate is of each label.

All experts suggest candidates: closed shapes, rooms, walls, and places where labelled regions fit
(method e). Kernel ridge regression of the labels on appearance and expert, on the span of a few
hundred rows (Rifkin et al. 2003; Williams & Seeger 2001). What a page contributes can be added to
the normal equations and taken away again: an answer is learned by solving them anew, and scores of
a page that was left out, from which probabilities are calibrated, cost no more. What that score is
worth for each label, and what method e's, is learned there, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.progress import Progress, silent, track
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.lessons.lessons import Lessons
from spotlab.spotting.symbols.proposals.aligned import (
    NOWHERE,
    Aligned,
    Hypotheses,
    find_hypotheses,
    learn_alignment,
    with_aligned,
)
from spotlab.spotting.symbols.proposals.candidates import Rows, figures_count, overlaps
from spotlab.spotting.symbols.proposals.kernel_regression import (
    Equations,
    kernel,
    label_weights,
    median_distance,
    page_equations,
    summed,
)
from spotlab.spotting.symbols.proposals.lesson import (
    Lesson,
    SymbolSizes,
    best_of_each_place,
    completed,
    judge_against,
    measure_sizes,
    mostly_boxed,
    sizes_on_page,
    thinned,
)

_HARDER = 6.0  # how much more a row of the background weighs that looks like a region


@dataclass(frozen=True)
class Effort:
    """Amount of computation spent on learning.

    Attributes
    ----------
    landmarks : int
        Rows whose span is searched for the answer; the time grows with its square.
    rows : int
        Rows that are learned from.
    """

    landmarks: int
    rows: int


QUICK = Effort(700, 8000)  # a second, for somebody who waits


@dataclass(frozen=True, eq=False)
class TaughtPage:
    """Contribution of a page to the equations.

    Attributes
    ----------
    similar : (N, M) float32
        Similarities of its rows to the landmarks.
    labels : tuple of str
        N.
    weights : (N,) float
    """

    similar: Rows
    labels: tuple[str, ...]
    weights: Floats


@dataclass(frozen=True, eq=False)
class RegionFit:
    """Quantities that remain constant while the equations of pages are solved.

    Attributes
    ----------
    labels : tuple of str
    weight_of : dict of str to float
        Weight of each label's rows.
    ridge : (M, M) float
    """

    labels: tuple[str, ...]
    weight_of: dict[str, float]
    ridge: Floats

    def solved(self, pages: Sequence[TaughtPage]) -> tuple[Floats, Equations]:
        """Solve the equations of all pages.

        Parameters
        ----------
        pages : sequence of TaughtPage

        Returns
        -------
        weights : (M, L) float
            Of the landmarks.
        equations : Equations
        """
        equations = self.added(_joined(pages))
        return equations.solve(self.ridge), equations

    def without(self, page: TaughtPage, equations: Equations, others: NDArray[np.bool_]) -> Floats:
        """Score a page's rows by what all other pages teach, with landmarks of those only.

        Parameters
        ----------
        page : TaughtPage
        equations : Equations
            Of all pages.
        others : (M,) bool
            Landmarks that are not of this page.

        Returns
        -------
        (N, L) float
        """
        left = equations.minus(self.added(page))
        square = np.ix_(others, others)
        left = Equations(left.matrix[square], left.target[others])
        return np.asarray(page.similar[:, others] @ left.solve(self.ridge[square]), np.float64)

    def added(self, page: TaughtPage) -> Equations:
        """Compute what a page adds.

        Parameters
        ----------
        page : TaughtPage
        """
        return page_equations(page.similar, page.labels, self.labels, self.weight_of, page.weights)


def _joined(pages: Sequence[TaughtPage]) -> TaughtPage:
    """The rows of several pages, or of several parts of one."""
    return TaughtPage(
        np.vstack([page.similar for page in pages]),
        tuple(label for page in pages for label in page.labels),
        np.concatenate([page.weights for page in pages]),
    )


def row_weights(page: TaughtPage, weights: Floats) -> Floats:
    """Compute the weights of rows: of background the more, the more it looks like a region.

    Parameters
    ----------
    page : TaughtPage
    weights : (M, L) float
        Of the landmarks.

    Returns
    -------
    (N,) float

    Examples
    --------
    Background that is like the landmark of a label, and background that is not:

    >>> page = TaughtPage(np.array([[1.0], [0.0]], np.float32), ("", ""), np.ones(2))
    >>> row_weights(page, np.array([[0.5]])).tolist()
    [3.3, 0.3]
    """
    is_background = np.array([not label for label in page.labels])
    looks = (page.similar @ weights).max(1).clip(0)
    return np.where(is_background, 0.3 + _HARDER * looks, 1.0)


_STEPS = 100  # of Newton's method, at most
_FOUND = 0.35  # share of a label's regions that has to be found
_PRIOR = 1.0  # how strongly weights are drawn towards those of few judgements
_OWN = 4.0  # how strongly those of a label are drawn towards those of all labels
# bias, score, lead, size, alignment: with few judgements
_USUAL = np.array([-4.5, 5.5, 1.0, 0.2, 1.4])


@dataclass(frozen=True, eq=False)
class Judged:
    """Proposals of a page that was left out of learning.

    Attributes
    ----------
    scores : (K, L) float
        Of each label.
    misfits : (K, L) float
        How unusual the size is for each label.
    right : (K,) bool
        Whether the best label was right there.
    stands_for : (K,) float
        For how many proposals it stands.
    aligned : (K, L) float
        See `Aligned.odds_at`.
    """

    scores: Floats
    misfits: Floats
    right: NDArray[np.bool_]
    stands_for: Floats
    aligned: Floats


@dataclass(frozen=True, eq=False)
class Calibration:
    """Logistic model of being right.

    Attributes
    ----------
    weights : (L, 5) float
        For each label, or one row for all: of 1, of the score, of the lead over the next label, of
        a usual size, and of method e's log-odds.
    """

    weights: Floats

    def probabilities(self, scores: Floats, misfits: Floats, aligned: Floats) -> Floats:
        """Compute how likely candidates are of each label.

        Parameters
        ----------
        scores : (N, L) float
            About 1 for regions of a label, about 0 for others.
        misfits : (N, L) float
            See `SymbolSizes.misfits`.
        aligned : (N, L) float
            See `Aligned.odds_at`.

        Returns
        -------
        (N, L) float
            In [0, 1].

        Examples
        --------
        >>> model = Calibration(np.array([[-3.0, 6.0, 2.0, 0.3, 0.5]]))
        >>> none = np.zeros((1, 2))
        >>> model.probabilities(np.array([[1.0, 0.0]]), none, none).round(2).tolist()
        [[0.99, 0.01]]
        """
        logits = (_evidence(scores, misfits, aligned) * self.weights).sum(2)
        return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def _evidence(scores: Floats, misfits: Floats, aligned: Floats) -> Floats:
    """(N, L, 5) in the order of the weights."""
    return np.stack([np.ones_like(scores), scores, _leads(scores), -misfits, aligned], 2)


def _leads(scores: Floats) -> Floats:
    """(N, L) by how much each label is ahead of the best other one."""
    if scores.shape[1] < 2:
        return scores
    two = np.sort(scores, axis=1)[:, -2:]
    best, second = two[:, 1:], two[:, :1]
    return scores - np.where(scores < best, best, second)


def calibrate(
    pages: Sequence[Judged], labels: int, trust: float = 1.0, served: Collection[int] = ()
) -> Calibration:
    """Fit probabilities to what was right, by logistic regression.

    Parameters
    ----------
    pages : sequence of Judged
    labels : int
        Their number, L.
    trust : float
        How much more the usual weight of method e counts: parts of one page are so alike that
        their appearance seems worth more than it is on other pages.
    served : collection of int
        Labels that method e finds, by number: ``trust`` holds for all their weights but the bias.

    Returns
    -------
    Calibration
        With few judgements near the usual one, and of a label near that of all; what speaks for a
        label never makes it less likely.
    """
    evidence, right, weights = [np.zeros((0, len(_USUAL)))], [np.zeros(0)], [np.zeros(0)]
    label = [np.zeros(0, np.int64)]
    for page in pages:
        best = best_label(page.scores, page.aligned)
        every = _evidence(page.scores, page.misfits, page.aligned)
        evidence.append(every[np.arange(len(best)), best])
        right.append(page.right.astype(np.float64))
        weights.append(page.stands_for)
        label.append(best)
    rows, of_label = np.concatenate(evidence), np.concatenate(label)
    is_right, stands_for = np.concatenate(right), np.concatenate(weights)
    aligned, every = np.array([1, 1, 1, 1, trust]), np.array([1, trust, trust, trust, trust])
    usual = _rising(rows, is_right, stands_for, _USUAL, _PRIOR * aligned)
    weights_of = []
    for number in range(labels):
        own = (each[of_label == number] for each in (rows, is_right, stands_for))
        is_served = number in served and trust > 1
        drawn_to = (_USUAL, _OWN * every) if is_served else (usual, _OWN * aligned)
        weights_of.append(_rising(*own, *drawn_to))
    return Calibration(np.array(weights_of))


def best_label(scores: Floats, aligned: Floats) -> NDArray[np.int64]:
    """Choose the likeliest label of each candidate before anything is calibrated.

    Parameters
    ----------
    scores, aligned : (N, L) float
        See `Calibration.probabilities`.

    Returns
    -------
    (N,) int

    Examples
    --------
    >>> scores = np.array([[0.9, 0.2], [0.3, 0.4]])
    >>> best_label(scores, np.zeros((2, 2))).tolist()
    [0, 1]
    """
    return np.asarray((_USUAL[1] * scores + _USUAL[4] * aligned).argmax(1))


def _rising(
    evidence: Floats, right: Floats, weights: Floats, usual: Floats, strength: Floats
) -> Floats:
    """Weights of which none but the first, the bias, is below 0."""
    found, free = np.zeros(len(usual)), np.arange(len(usual))
    while True:
        found[:] = 0
        found[free] = _logistic(evidence[:, free], right, weights, usual[free], strength[free])
        if (found[1:] >= 0).all():
            return found
        free = np.flatnonzero((found > 0) | (np.arange(len(found)) == 0))


def _logistic(
    evidence: Floats, right: Floats, weights: Floats, usual: Floats, strength: Floats
) -> Floats:
    """Weights of most probability under a normal prior around the usual ones."""

    def probability(at: Floats) -> float:
        logits = evidence @ at
        likely = float(weights @ (right * logits - np.logaddexp(0, logits)))
        return likely - float(strength @ (at - usual) ** 2) / 2

    found, now = usual.copy(), probability(usual)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(evidence @ found, -30, 30)))
        slope = evidence.T @ (weights * (right - chance)) - strength * (found - usual)
        curve = (evidence * (weights * chance * (1 - chance))[:, None]).T @ evidence
        step = np.linalg.solve(curve + np.diag(strength), slope)
        # where hardly any chance is open, a whole step leads far beyond the top
        while np.abs(step).max() >= 1e-9 and (then := probability(found + step)) < now:
            step = step / 2
        if np.abs(step).max() < 1e-9:
            break
        found, now = found + step, then
    return found


def likely_share(scores: Sequence[float], right: float = 0.9) -> float:
    """Find the score from which this share of the proposals is expected to be right.

    Parameters
    ----------
    scores : sequence of float
        Probabilities of a page's proposals, in any order.
    right : float
        Share in [0, 1].

    Returns
    -------
    float
        The lowest score that still belongs to them; ``right`` where none is so likely.

    Examples
    --------
    >>> likely_share([0.99, 0.95, 0.9, 0.8, 0.3])
    0.8
    >>> likely_share([0.5]), likely_share([])
    (0.9, 0.9)
    """
    falling = np.sort(np.array(scores, np.float64))[::-1]
    expected = np.cumsum(falling) / np.arange(1, len(falling) + 1)
    enough = np.flatnonzero(expected >= right)
    return float(falling[enough[-1]]) if len(enough) else right


def well_found(
    names: Sequence[Sequence[str]],
    judged: Sequence[Judged],
    calibration: Calibration,
    labels: Sequence[str],
) -> frozenset[str]:
    """List the labels of which a third of the regions is found where 9 of 10 proposals are right.

    Parameters
    ----------
    names : sequence of sequences of str
        Labels of each page's regions.
    judged : sequence of Judged
        The same pages' proposals.
    calibration : Calibration
    labels : sequence of str
        L, in the order of the scores.

    Returns
    -------
    frozenset of str

    Examples
    --------
    One page with a bed that is found, and a car that is taken for a bed:

    >>> scores = np.array([[1.2, 0.0], [0.4, 0.1]])
    >>> none = np.zeros((2, 2))
    >>> page = Judged(scores, none, np.array([True, False]), np.ones(2), none)
    >>> sorted(well_found([["bed", "car"]], [page], calibrate([page], 2), ["bed", "car"]))
    ['bed']
    """
    there, found = np.zeros(len(labels)), np.zeros(len(labels))
    for regions, page in zip(names, judged, strict=True):
        there += [list(regions).count(label) for label in labels]
        best = best_label(page.scores, page.aligned)
        every = calibration.probabilities(page.scores, page.misfits, page.aligned)
        chances = every[np.arange(len(best)), best]
        shown = page.right & (chances >= likely_share(chances.tolist()))
        found += np.bincount(best[shown], minlength=len(labels))
    enough = (there > 0) & (found >= _FOUND * there)
    return frozenset(label for label, trusted in zip(labels, enough, strict=True) if trusted)


_RIDGE = 0.1
_FIGURES = 0.5  # how much shape and place count, beside the two histograms
_HELD_OUT = 12  # pages on which probabilities are calibrated, at most
MIN_REGIONS = 3  # of a label that can be learned from
_ALIKE = 100.0  # see `calibrate`, where all was learned from one page
_FOLDS = 3  # parts of a page that is the only one: each is left out once


@dataclass(frozen=True, eq=False)
class RegionLearner:
    """Knowledge from all labelled pages together; created by `learn_regions`.

    Attributes
    ----------
    labels : tuple of str
        Those with enough regions to be learned from, in alphabetical order.
    counts : dict of str to int
        Number of labelled regions of each label.
    boxed : frozenset of str
        Labels whose regions are mostly upright boxes.
    trusted : frozenset of str
        Labels of which at least a third of the regions was found, as precisely as proposals are
        shown, on pages that were left out. Others are found better by comparison with examples.
    key : str
        The same for learners with the same landmarks.
    sizes : SymbolSizes
    calibration : Calibration
    aligned : Lessons or None
        What method e is asked with.
    """

    labels: tuple[str, ...]
    counts: dict[str, int]
    boxed: frozenset[str]
    trusted: frozenset[str]
    key: str
    sizes: SymbolSizes
    calibration: Calibration
    aligned: Lessons | None
    _landmarks: Rows
    _scale: tuple[Rows, Rows]
    _width: float
    _equations: Equations
    _fit: RegionFit
    _own: dict[str, TaughtPage]
    _weights: Floats

    def similarities(self, rows: Rows) -> Rows:
        """Compare rows with the landmarks.

        Parameters
        ----------
        rows : (N, D) float32

        Returns
        -------
        (N, M) float32
            0 to 1.
        """
        return kernel(_scaled(rows, self._scale), self._landmarks, self._width)

    def probabilities(self, page: PageFeatures, found: Hypotheses | None = None) -> Floats:
        """Compute how likely a page's hypotheses are of each label.

        Parameters
        ----------
        page : PageFeatures
            Keeps what was compared.
        found : Hypotheses, optional
            By default what the experts find with what the lessons teach.

        Returns
        -------
        (N, L) float
            In [0, 1]: the share of such proposals that were right on pages that were left out.
        """
        found = found or find_hypotheses(page, self.aligned)
        known = page.cached("similarities", dict[object, Rows])
        if (key := (found, self.key)) not in known:
            known.clear()
            known[key] = self.similarities(found.rows)
        scores = np.asarray(known[key] @ self._weights, np.float64)
        return self.calibration.probabilities(
            scores,
            self.sizes.misfits(sizes_on_page(found.rows), scores),
            found.aligned.odds_at(found.boxes, self.labels),
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
            equations = equations.minus(self._fit.added(own))
        if len(lesson):
            similar = self.similarities(lesson.rows)
            new = self._fit.added(TaughtPage(similar, lesson.labels, lesson.emphasis))
            equations = summed([equations, new])
        return replace(self, _weights=equations.solve(self._fit.ridge))

    @property
    def digest(self) -> str:
        """Digest of all that decides about probabilities."""
        known = (self.labels, sorted(self.boxed), self.key, self._width, self.sizes.between)
        digest = hashlib.sha256(repr(known).encode())
        parts = (self._weights, *self._scale, self.calibration.weights)
        for part in (*parts, self.sizes.means, self.sizes.spreads):
            digest.update(np.ascontiguousarray(part).tobytes())
        digest.update((self.aligned.digest if self.aligned else "").encode())
        return digest.hexdigest()

    def for_search(self) -> RegionLearner:
        """Forget all but what probabilities depend on: smaller, and learns nothing more."""
        nothing = np.zeros((0, 0))
        fit = replace(self._fit, ridge=nothing)
        return replace(self, _equations=Equations(nothing, nothing), _fit=fit, _own={})


def learn_regions(
    lessons: Sequence[Lesson],
    progress: Progress = silent,
    *,
    min_regions: int = MIN_REGIONS,
    effort: Effort = QUICK,
) -> RegionLearner | None:
    """Learn from the lessons of all pages.

    Parameters
    ----------
    lessons : sequence of Lesson
        Method e is asked for what it finds on those that have their pages' features.
    progress : Progress
        Called for each page on which probabilities are calibrated.
    min_regions : int
        Labels with fewer regions are not learned.
    effort : Effort

    Returns
    -------
    RegionLearner or None
        None where no label has enough regions.

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
    if not labels or all(lesson.is_model or not lesson.names for lesson in lessons):
        return None
    aligned, found = learn_alignment(lessons, progress)
    alike = [with_aligned(each, found.get(number)) for number, each in enumerate(lessons)]
    parts = [found.get(number, NOWHERE) for number in range(len(lessons))]
    pages = [number for number, each in enumerate(lessons) if each.names and not each.is_model]
    if len(pages) == 1:  # its parts are left out, for want of other pages
        folds = _folds(alike[pages[0]])
        alike[pages[0] : pages[0] + 1] = folds
        parts[pages[0] : pages[0] + 1] = [parts[pages[0]]] * len(folds)
    lessons = completed(thinned(alike, effort.rows))
    rows = np.vstack([lesson.rows for lesson in lessons])
    shown = [label for lesson in lessons for label in lesson.labels]
    figures = rows[:, -figures_count() :]
    scale = (figures.mean(0), figures.std(0) + 1e-6)
    scaled = _scaled(rows, scale)
    chosen = _landmark_rows(shown, effort.landmarks)
    landmarks = scaled[chosen]
    page_of = np.searchsorted(_ends(lessons), chosen, "right")
    width = median_distance(landmarks)
    similar = np.split(kernel(scaled, landmarks, width), _ends(lessons))
    fit = RegionFit(
        labels,
        label_weights(shown),
        _RIDGE * kernel(landmarks, landmarks, width).astype(np.float64),
    )
    taught = [
        TaughtPage(part, lesson.labels, lesson.emphasis)
        for part, lesson in zip(similar, lessons, strict=True)
    ]
    first, _ = fit.solved(taught)
    taught = [
        replace(page, weights=row_weights(page, first) * (page.weights > 0)) for page in taught
    ]
    weights, equations = fit.solved(taught)
    sizes = measure_sizes(lessons, labels)
    held_out = _held_out(lessons)
    judged = [
        _judged(
            lessons[number],
            fit.without(taught[number], equations, page_of != number),
            labels,
            sizes,
            parts[number],
        )
        for number in track(held_out, progress, "calibrating")
    ]
    served = aligned.labels if aligned is not None else ()
    calibration = calibrate(
        judged,
        len(labels),
        _ALIKE if len(pages) == 1 else 1.0,
        [labels.index(label) for label in served if label in labels],
    )
    by_page: dict[str, list[TaughtPage]] = {}
    for lesson, page in zip(lessons, taught, strict=True):
        by_page.setdefault(lesson.page, []).append(page)
    return RegionLearner(
        labels,
        {label: counts[label] for label in labels},
        mostly_boxed(lessons, labels),
        well_found([lessons[number].names for number in held_out], judged, calibration, labels),
        hashlib.sha256(landmarks.tobytes()).hexdigest(),
        sizes,
        calibration,
        aligned,
        landmarks,
        scale,
        width,
        equations,
        fit,
        {name: _joined(parts) for name, parts in by_page.items()},
        weights,
    )


def _folds(lesson: Lesson) -> list[Lesson]:
    """Parts of a page, from the left to the right, with as many regions each."""
    places = lesson.boxes[:, ::2].mean(1)
    own = places[: len(lesson.names)]
    edges = np.quantile(own, np.arange(1, _FOLDS) / _FOLDS)
    regions = np.searchsorted(edges, own)
    iou = overlaps(lesson.boxes, lesson.regions.bounds)[0]
    alike = regions[iou.argmax(1)]  # what lies on a region is left out with it
    fold = np.where(iou.max(1) > 0, alike, np.searchsorted(edges, places))
    fold[: len(own)] = regions
    folds = []
    for number in range(_FOLDS):
        inside = np.flatnonzero(regions == number)
        if len(inside):
            names = tuple(lesson.names[region] for region in inside.tolist())
            part = replace(lesson, regions=lesson.regions.take(inside), names=names)
            folds.append(part.take(np.flatnonzero(fold == number)))
    return folds


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


def _judged(
    lesson: Lesson, scores: Floats, labels: Sequence[str], sizes: SymbolSizes, found: Aligned
) -> Judged:
    """Return what would have been proposed on a page, and what of it was right."""
    rows = np.arange(len(lesson.names), len(lesson))  # nobody proposes regions as they are drawn
    boxes, scores = lesson.boxes[rows], scores[rows]
    aligned = found.odds_at(boxes, labels)
    misfits = sizes.misfits(sizes_on_page(lesson.rows[rows]), scores)
    usual = Calibration(_USUAL[None]).probabilities(scores, misfits, aligned)
    chosen = best_of_each_place(boxes, usual)
    best = best_label(scores[chosen], aligned[chosen])
    right = judge_against(lesson, rows[chosen], [labels[number] for number in best.tolist()])
    stands_for = lesson.stands_for[rows[chosen]]
    return Judged(scores[chosen], misfits[chosen], right, stands_for, aligned[chosen])


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
