"""Learns from all labelled regions of a collection how likely a candidate is of each label.

Kernel ridge regression of the labels on appearance, on the span of a few hundred rows (Rifkin et
al. 2003; Williams & Seeger 2001). What a page contributes can be added to the normal equations and
taken away again: an answer is learned by solving them anew, and scores of a page that was left out,
from which probabilities are calibrated, cost no more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.geometry.polygon import Outlines
from spotlab.progress import Progress, silent, track
from spotlab.spotting.symbols.engine.method import (
    LabelledRegions,
    LearnedSymbols,
    LearningMethod,
)
from spotlab.spotting.symbols.engine.page_features import (
    Arrays,
    PageFeatures,
    QueryFeatures,
    QuerySpots,
)
from spotlab.spotting.symbols.proposals.candidates import (
    Rows,
    adopt_candidates,
    bounding_ring,
    candidate_arrays,
    figures_count,
    find_candidates,
    page_appearance,
)
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
    lesson_of_model,
    make_lesson,
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
        together = TaughtPage(
            np.vstack([page.similar for page in pages]),
            tuple(label for page in pages for label in page.labels),
            np.concatenate([page.weights for page in pages]),
        )
        equations = self.added(together)
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
_FOUND = 0.5  # share of a label's regions that has to be found
_PRIOR = 1.0  # how strongly weights are drawn towards those of few judgements
_USUAL = np.array([-3.0, 6.0, 2.0, 0.3])  # bias, score, lead, size: with few judgements


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
    """

    scores: Floats
    misfits: Floats
    right: NDArray[np.bool_]
    stands_for: Floats


@dataclass(frozen=True, eq=False)
class Calibration:
    """Logistic model of being right.

    Attributes
    ----------
    weights : (4,) float
        Of 1, of the score, of the lead over the next label, and of a usual size.
    """

    weights: Floats

    def probabilities(self, scores: Floats, misfits: Floats) -> Floats:
        """Compute how likely candidates are of each label.

        Parameters
        ----------
        scores : (N, L) float
            About 1 for regions of a label, about 0 for others.
        misfits : (N, L) float
            See `SymbolSizes.misfits`.

        Returns
        -------
        (N, L) float
            In [0, 1].

        Examples
        --------
        >>> model = Calibration(np.array([-3.0, 6.0, 2.0, 0.3]))
        >>> model.probabilities(np.array([[1.0, 0.0]]), np.zeros((1, 2))).round(2).tolist()
        [[0.99, 0.01]]
        """
        bias, score, lead, size = self.weights
        logits = bias + score * scores + lead * _leads(scores) - size * misfits
        return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def _leads(scores: Floats) -> Floats:
    """(N, L) by how much each label is ahead of the best other one."""
    if scores.shape[1] < 2:
        return scores
    two = np.sort(scores, axis=1)[:, -2:]
    best, second = two[:, 1:], two[:, :1]
    return scores - np.where(scores < best, best, second)


def calibrate(pages: Sequence[Judged]) -> Calibration:
    """Fit probabilities to what was right, by logistic regression.

    Parameters
    ----------
    pages : sequence of Judged

    Returns
    -------
    Calibration
        With few judgements near the usual one; higher scores are never less likely.
    """
    evidence, right, weights = [np.zeros((0, 4))], [np.zeros(0)], [np.zeros(0)]
    for page in pages:
        rows, best = np.arange(len(page.scores)), page.scores.argmax(1)
        scores, misfits = page.scores[rows, best], page.misfits[rows, best]
        leads = _leads(page.scores)[rows, best]
        evidence.append(np.column_stack([np.ones(len(rows)), scores, leads, -misfits]))
        right.append(page.right.astype(np.float64))
        weights.append(page.stands_for)
    found, free = np.zeros(len(_USUAL)), np.arange(len(_USUAL))
    all_evidence = np.vstack(evidence)
    while True:
        found[:] = 0
        found[free] = _logistic(
            all_evidence[:, free], np.concatenate(right), np.concatenate(weights), _USUAL[free]
        )
        if (found[1:] >= 0).all():
            return Calibration(found)
        free = np.flatnonzero((found > 0) | (np.arange(len(found)) == 0))


def _logistic(evidence: Floats, right: Floats, weights: Floats, usual: Floats) -> Floats:
    """Weights of most probability under a normal prior around the usual ones."""

    def probability(at: Floats) -> float:
        logits = evidence @ at
        likely = float(weights @ (right * logits - np.logaddexp(0, logits)))
        return likely - _PRIOR / 2 * float(np.sum((at - usual) ** 2))

    found, now = usual.copy(), probability(usual)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(evidence @ found, -30, 30)))
        slope = evidence.T @ (weights * (right - chance)) - _PRIOR * (found - usual)
        curve = (evidence * (weights * chance * (1 - chance))[:, None]).T @ evidence
        step = np.linalg.solve(curve + _PRIOR * np.eye(len(found)), slope)
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
    """List the labels of which half the regions are found where 9 of 10 proposals are right.

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
    >>> page = Judged(scores, np.zeros((2, 2)), np.array([True, False]), np.ones(2))
    >>> sorted(well_found([["bed", "car"]], [page], calibrate([page]), ["bed", "car"]))
    ['bed']
    """
    there, found = np.zeros(len(labels)), np.zeros(len(labels))
    for regions, page in zip(names, judged, strict=True):
        there += [list(regions).count(label) for label in labels]
        best = page.scores.argmax(1)
        chances = calibration.probabilities(page.scores, page.misfits)[np.arange(len(best)), best]
        shown = page.right & (chances >= likely_share(chances.tolist()))
        found += np.bincount(best[shown], minlength=len(labels))
    enough = (there > 0) & (found >= _FOUND * there)
    return frozenset(label for label, trusted in zip(labels, enough, strict=True) if trusted)


_RIDGE = 0.1
_FIGURES = 0.5  # how much shape and place count, beside the two histograms
_HELD_OUT = 12  # pages on which probabilities are calibrated, at most
MIN_REGIONS = 3  # of a label that can be learned from
MIN_PAGES = 2  # one to learn from, and another one to calibrate on


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
    """Return what would have been proposed on a page, and what of it was right."""
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


POSSIBLE = 0.01  # probability from which a candidate is a spot at all
THOROUGH = Effort(1600, 16000)  # some seconds


@dataclass(frozen=True, eq=False)
class LearnedRegions(LearnedSymbols):
    """Spots symbols by what labelled regions teach.

    Attributes
    ----------
    learner : RegionLearner
    is_calibrated : bool
        There was more than one page to learn from.
    """

    learner: RegionLearner
    is_calibrated: bool

    @property
    def labels(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those that were learned, in alphabetical order."""
        return self.learner.labels

    @property
    def counts(self) -> Mapping[str, int]:  # type: ignore[override]
        """Number of labelled regions of each label."""
        return self.learner.counts

    @property
    def calibrated(self) -> bool:  # type: ignore[override]
        """Scores are probabilities that were compared with what was right."""
        return self.is_calibrated

    @property
    def digest(self) -> str:
        """Digest of all that decides what is found."""
        return self.learner.digest

    def spot(self, page: PageFeatures) -> dict[str, QuerySpots]:
        """Find the spots of each label on a page.

        Parameters
        ----------
        page : PageFeatures

        Returns
        -------
        dict of str to QuerySpots
            Best first, no two of a label at about the same place; scores of shape (N,).
        """
        learner, candidates = self.learner, find_candidates(page)
        chances = learner.probabilities(page_appearance(page), learner.page_similarities(page))
        found = {}
        for number, label in enumerate(learner.labels):
            own = chances[:, number : number + 1]
            chosen = best_of_each_place(candidates.boxes, own, POSSIBLE)
            hulls = [candidates.hulls[place] for place in chosen.tolist()]
            if label in learner.boxed:
                hulls = [bounding_ring(hull) for hull in hulls]
            found[label] = QuerySpots(Outlines.of(hulls), own[chosen, 0])
        return found


class RegionLearning(LearningMethod):
    """Learns from all labelled regions how likely a candidate is of each label."""

    name = "f"
    title = "Learned from all labelled regions"
    definition = (
        "Finds all closed shapes of a page and unions of neighbouring ones, and judges each by "
        "all labelled regions and by the background of the other labelled pages. A page is never "
        "searched by its own truth. Scores are probabilities."
    )
    min_score = 0.3

    def extract(self, page: PageFeatures) -> Arrays:
        """Find and describe the candidates of a page.

        Parameters
        ----------
        page : PageFeatures

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.spotting.symbols.engine.method import features_of_ink
        >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
        >>> RegionLearning().extract(page)["rows"].shape
        (0, 818)
        """
        return candidate_arrays(page)

    def adopt(self, page: PageFeatures, kept: Arrays) -> bool:
        """Give a page its candidates.

        Parameters
        ----------
        page : PageFeatures
        kept : mapping of str to array
            Of any shape.

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.spotting.symbols.engine.method import features_of_ink
        >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
        >>> RegionLearning().adopt(page, {"rows": np.zeros(3)})
        False
        """
        return adopt_candidates(page, kept)

    def page_lesson(self, page: PageFeatures, truth: LabelledRegions) -> Lesson:
        """Choose what a page teaches, see `make_lesson`.

        Parameters
        ----------
        page : PageFeatures
        truth : LabelledRegions

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.spotting.symbols.engine.method import features_of_ink
        >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
        >>> square = Outlines.of([[(2, 2), (12, 2), (12, 12), (2, 12)]])
        >>> truth = LabelledRegions("plan", square, ("bed",), Outlines.of([]))
        >>> RegionLearning().page_lesson(page, truth).labels
        ('bed',)
        """
        return make_lesson(
            page, truth.page, truth.outlines, truth.labels,
            unknown=truth.unknown, complete=truth.complete,
        )  # fmt: skip

    def model_lesson(self, model: QueryFeatures) -> Lesson:
        """Describe a picture of a symbol, see `lesson_of_model`.

        Parameters
        ----------
        model : QueryFeatures
        """
        return lesson_of_model(model)

    def learn(
        self, lessons: Sequence[Lesson], progress: Progress = silent
    ) -> LearnedRegions | None:
        """Learn from lessons, see `learn_regions`.

        Parameters
        ----------
        lessons : sequence of Lesson
        progress : Progress

        Examples
        --------
        >>> print(RegionLearning().learn([]))
        None
        """
        learner = learn_regions(lessons, progress, min_regions=1, min_pages=1, effort=THOROUGH)
        if learner is None:
            return None
        pages = sum(bool(lesson.names) and not lesson.is_model for lesson in lessons)
        return LearnedRegions(learner.for_search(), pages >= MIN_PAGES)
