"""Classifies candidates by labelled examples: how likely each is of a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints, Points
from spotlab.errors import counted
from spotlab.geometry.polygon import Outlines
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.embedding.network import SIZE, shipped_network
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.aligned import Aligned, Hypotheses, find_hypotheses
from spotlab.spotting.symbols.proposals.candidates import (
    ROOM,
    WALL,
    Candidates,
    bounding_ring,
    described_example,
    example_region,
    find_candidates,
    learned_columns,
    overlaps,
    page_appearance,
)
from spotlab.spotting.symbols.proposals.lesson import (
    EASIEST,
    LARGE_PART,
    PART,
    SAME,
    LabelledExample,
    LabelledExamples,
    best_of_each_place,
    min_shown_score,
)
from spotlab.spotting.symbols.proposals.region_features import (
    NAMES,
    border_histograms,
    pose_permutations,
    posed_histograms,
)
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, likely_share

# distance of two regions: by their histograms, and squares of differences of three features
LOOK = 2.5
SEEN = 5.0  # by the network
UNLIKE = {"size": 6.0, "aspect": 6.0, "fullness": 4.0}

BIAS = -9.63
NEAR = -0.777  # distance to the nearest example
NEARER = -1.7  # by how much it is farther than the nearest example of another label
LESS_REJECTED = -0.777  # by how much it is farther than the nearest rejected one
MEAN = -0.196  # root mean square distance to all examples

RIM = -3.88  # how unlike the borders are
UNSEEN = -2.08  # how unlike the network finds them
SYMBOL = 0.423  # log-odds that it is a symbol at all

# by how much a feature differs from the nearest example's, and the feature itself
DIFFERENCE = {
    "size": -1.12, "aspect": -1.3, "fullness": 2.07, "upright fullness": 0.116, "turn": -0.0968,
    "rim": 3.22, "crossing": 0.0516, "ink": -1.67, "core": -1.21, "closed": -0.179,
    "largest hole": -0.621, "parts": 0.303,
}  # fmt: skip
ITSELF = {
    "size": 1.63, "aspect": 0.0539, "fullness": -1.79, "upright fullness": -1.85, "turn": 0.413,
    "rim": 5.58, "crossing": -0.807, "ink": 1.62, "core": -0.265, "closed": -0.398,
    "largest hole": 0.601, "parts": -0.0735,
}  # fmt: skip


def feature_weights(weights: dict[str, float]) -> NDArray[np.float64]:
    """Put weights in the order of the region features.

    Parameters
    ----------
    weights : dict of str to float
        By feature; others weigh 0.

    Returns
    -------
    (T,) float
    """
    return np.array([weights.get(name, 0.0) for name in NAMES])


def evidence_weights() -> NDArray[np.float64]:
    """(E,) weights of all evidence: distances, differences, then what a candidate is itself."""
    distances = [NEAR, NEARER, LESS_REJECTED, MEAN]
    differences, itself = feature_weights(DIFFERENCE), feature_weights(ITSELF)
    return np.concatenate([distances, differences, [RIM, UNSEEN], itself, [SYMBOL]])


FARTHEST = 3.0  # distance of what is not alike at all
_KEPT = 128  # directions of the histograms in which candidates of a page differ most
_SHRINKAGE = 0.5  # of the mean variance, added to each direction's
_NEARLY_SQUARE = 1.3  # aspect up to which a frame's sides may be taken for each other


class CandidateClassifier:
    """Compares a page's candidates with examples, each example once.

    Parameters
    ----------
    page : PageFeatures
    """

    def __init__(self, page: PageFeatures) -> None:
        self.pen = page.pen
        self.candidates = find_candidates(page)
        self._network = shipped_network()
        embedding, symbol = learned_columns(page_appearance(page))
        self.embedding, self.symbol = embedding, symbol.astype(np.float64)
        self._mean, self._basis = _whitening(self.candidates)
        self._whitened = self._whiten(self.candidates.histograms)
        self._borders = border_histograms(self.candidates.histograms)
        self._known: dict[LabelledExample, tuple[Floats, Floats]] = {}

    def compare(self, example: LabelledExample) -> tuple[Floats, Floats]:
        """Compare all candidates with an example.

        Parameters
        ----------
        example : LabelledExample

        Returns
        -------
        distances : (N,) float
            At most `FARTHEST`.
        differences : (N, 14) float
            By how much each of the region features, the borders, and what the network sees differ.
        """
        if example not in self._known:
            features = example.query.features
            poses = described_example(example.query, self._network)
            unlike = (1 - (self.embedding @ poses.T).max(1, initial=-1)).clip(0)
            region = example_region(example.query)
            self._known[example] = self._compare(region, features.pen, unlike.astype(float))
        return self._known[example]

    def _compare(self, example: Candidates, pen: float, unlike: Floats) -> tuple[Floats, Floats]:
        apart = np.abs(self.candidates.features - example.features[0])
        # drawings of another scale are drawn with another pen
        scaled = self.candidates.features[:, 0] - example.features[0, 0] - np.log(self.pen / pen)
        apart[:, 0] = np.minimum(apart[:, 0], np.abs(scaled))
        plain = (apart**2) @ feature_weights(UNLIKE)
        distances = np.full(len(plain), FARTHEST)
        near = np.flatnonzero(plain < FARTHEST**2)
        poses = posed_histograms(example.histograms[0])
        if example.frames[0, 2] > _NEARLY_SQUARE * example.frames[0, 3]:
            poses = poses[:4]
        alike = (self._whitened[near] @ self._whiten(poses).T).max(1, initial=-1)
        looks = LOOK * (1 - alike).clip(0) + SEEN * unlike[near]
        distances[near] = np.sqrt(np.minimum(plain[near] + looks, FARTHEST**2))
        border = np.ones(len(plain))
        border[near] = 1 - (self._borders[near] @ border_histograms(poses).T).max(1, initial=0)
        return distances, np.column_stack([apart, border, unlike])

    def _whiten(self, histograms: NDArray[np.float32]) -> NDArray[np.float32]:
        rows = (histograms - self._mean) @ self._basis
        lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
        return np.asarray(rows / lengths, np.float32)


def _whitening(candidates: Candidates) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean of the histograms in all poses, and what makes all directions count alike."""
    histograms = candidates.histograms
    if not len(histograms):
        histograms = np.zeros((1, candidates.histograms.shape[1]), np.float32)
    poses = pose_permutations()
    mean = histograms.mean(0)[poses].mean(0)
    apart = histograms - mean
    spread = apart.T @ apart / len(apart)
    spread = np.mean([spread[np.ix_(pose, pose)] for pose in poses], axis=0)
    variances, directions = np.linalg.eigh(spread)
    variances, directions = variances[::-1][:_KEPT], directions[:, ::-1][:, :_KEPT]
    scale = np.sqrt(variances.clip(0) + _SHRINKAGE * np.trace(spread) / len(spread) + 1e-12)
    return mean, (directions / scale).astype(np.float32)


def classify_candidates(
    page: PageFeatures,
    examples: LabelledExamples,
    labels: Sequence[str],
    others: Sequence[PageFeatures] = (),
) -> tuple[Floats, Ints]:
    """Compute how likely each of a page's candidates is of each label.

    Candidates are compared with the examples first, and then with what was surely found that way
    on all these pages: a few examples stand for their look-alikes, whoever drew them.

    Parameters
    ----------
    page : PageFeatures
    examples : LabelledExamples
        Of any pages.
    labels : sequence of str
    others : sequence of PageFeatures
        Further pages of the collection, labelled or not.

    Returns
    -------
    scores : (N, L) float
        Probability, 0 to 1, that a candidate is of a label; 0 without a positive example of it.
    nearest : (N, L) int
        The positive example that it resembles most, as a number among the positive ones; -1 for a
        label without any.

    References
    ----------
    Y. Hu, V. Gripon, S. Pateux, "Leveraging the feature distribution in transfer-based few-shot
    learning", 2021: examples move to the middle of what is taken for them.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> ink = np.zeros((90, 90), bool)
    >>> ink[20:50, 20:60] = True
    >>> ink[23:47, 23:57] = False
    >>> page = features_of_ink(ink, methods=[])
    >>> classify_candidates(page, LabelledExamples(), ["bed", "door"])[0].max(0).tolist()
    [0.0, 0.0]
    """
    every = tuple(dict.fromkeys([*labels, *examples.labels])) if labels else ()
    compared = [_compare_all(each, examples, every) for each in (page, *others)]
    scores = _by_look_alikes(compared, examples, every)[:, : len(labels)]
    return scores, compared[0].nearest[:, : len(labels)]


@dataclass(frozen=True, eq=False)
class _ComparedPage:
    """A page, and of its candidates (N, L) log-odds of each label, the nearest positive example,
    the cosine to it in any pose, and that to what was rejected.
    """

    classifier: CandidateClassifier
    logits: Floats
    nearest: NDArray[np.int64]
    refused: Floats
    resembles: Floats


def _compare_all(
    page: PageFeatures, examples: LabelledExamples, labels: Sequence[str]
) -> _ComparedPage:
    """Compare a page's candidates with all examples."""
    classifier = page.cached("classifier", lambda: CandidateClassifier(page))
    count = len(classifier.candidates)
    positive = [each for each in examples.all if each.is_positive and each.label in labels]
    compared = [classifier.compare(each)[0] for each in positive]
    distance = np.array(compared).reshape(len(positive), count).T
    logits = np.full((count, len(labels)), -np.inf)
    nearest = np.full((count, len(labels)), -1, np.int64)
    refused, resembles = np.zeros(logits.shape), np.full(logits.shape, -1.0)
    for number, label in enumerate(labels):
        # compared here, as NumPy takes strings that differ in NULs at their end for the same
        of_label = np.array([example.label == label for example in positive], np.bool_)
        own = np.flatnonzero(of_label)
        if not len(own):
            continue
        best = distance[:, own].argmin(1)
        nearest[:, number] = own[best]
        differences = np.stack([classifier.compare(positive[example])[1] for example in own])
        apart = differences[best, np.arange(count)]
        resembles[:, number] = 1 - apart[:, -1]
        near = distance[:, own].min(1)
        other = distance[:, ~of_label].min(1, initial=FARTHEST)
        rejected, refused[:, number] = _nearest_rejected(classifier, examples, label)
        mean = np.sqrt((distance[:, own] ** 2).mean(1))
        distances = [near, near - other, near - rejected, mean]
        evidence = [*distances, apart, classifier.candidates.features, classifier.symbol]
        logits[:, number] = np.column_stack(evidence) @ evidence_weights() + BIAS
    return _ComparedPage(classifier, logits, nearest, refused, resembles)


BESIDE = 4  # further pages whose candidates show how symbols look: more take longer
_ROUNDS = 2
_SURELY = 0.15  # probability from which what is found tells how a label looks
_ALIKE = 0.6  # cosine of any two symbols, about
_USUALLY = 1.0  # log-odds that these are above on average
_LOOK_ALIKE = 8.0  # log-odds for each unit of cosine above another label's, or `_ALIKE`


def _by_look_alikes(
    pages: Sequence[_ComparedPage], examples: LabelledExamples, labels: Sequence[str]
) -> Floats:
    """(N, L) probabilities for the first page's candidates, by how those alike on all pages look.

    A label looks like the mean of its examples and of what is surely of it, half each, and like the
    nearest example in any pose. Half of the log-odds are those of the likeliest label: looks decide
    between labels.
    """
    shown = np.zeros((len(labels), SIZE))
    for each in examples.all:
        if each.is_positive and each.label in labels:
            shown[labels.index(each.label)] += described_example(each.query, shipped_network())[0]
    # odds fall for a label whose proposals are often rejected
    doubt = np.log1p([examples.wrong_for_right(label) for label in labels])
    scores = [_probabilities(page.logits - doubt) for page in pages]
    for _ in range(_ROUNDS if labels else 0):
        found = np.zeros_like(shown)
        for page, score in zip(pages, scores, strict=True):
            sure = best_of_each_place(page.classifier.candidates.boxes, score, _SURELY)
            best = score[sure].argmax(1)
            weights = score[sure, best, None] ** 2
            np.add.at(found, best, weights * page.classifier.embedding[sure])
        looks = _of_unit_length(_of_unit_length(shown) + _of_unit_length(found))
        scores = [_probabilities(_judged(page, looks) - doubt) for page in pages]
    return scores[0]


def _judged(page: _ComparedPage, looks: Floats) -> Floats:
    """Log-odds of comparison and of looks together."""
    alike = (page.classifier.embedding @ looks.T + page.resembles) / 2
    best, joined = alike.max(1, keepdims=True), page.logits + page.logits.max(1, keepdims=True)
    two = np.sort(np.column_stack([alike, np.full((len(alike), 2), _ALIKE)]), 1)[:, -2:]
    other = np.maximum(np.where(alike == best, two[:, :1], two[:, 1:]), page.refused)
    return np.asarray(joined / 2 + _LOOK_ALIKE * (alike - other) - _USUALLY)


def _probabilities(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)))


def _of_unit_length(rows: Floats) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9))


def _nearest_rejected(
    classifier: CandidateClassifier, examples: LabelledExamples, label: str
) -> tuple[Floats, Floats]:
    """Distance to the nearest rejected example, and cosine to the most alike for the network."""
    distance = np.full(len(classifier.candidates), FARTHEST)
    alike = np.zeros(len(distance))
    for example in examples.all:
        if not example.is_positive and example.label == label:
            distances, differences = classifier.compare(example)
            distance = np.minimum(distance, distances)
            alike = np.maximum(alike, 1 - differences[:, -1])
    return distance, alike


MIN_SCORE = 0.01  # of a proposal that is listed
WORTH = 0.5  # probability below which a proposal costs more to reject than it saves
_EVEN = EASIEST / (1 - EASIEST)  # odds of what is as likely right as wrong: from there it is shown


@dataclass(frozen=True, eq=False)
class Proposal:
    """A region that may be of a label.

    Attributes
    ----------
    page : str
    label : str
    outline : (N, 2) float
        Open ring in px.
    score : float
        Probability, 0 to 1, given the examples so far.
    why : str
        For a person: which example it resembles most.
    """

    page: str
    label: str
    outline: Points
    score: float
    why: str = ""


def default_min_score(
    proposals: Sequence[Proposal], examples: LabelledExamples, learner: RegionLearner | None
) -> float:
    """Compute the score from which a page's proposals are shown if nobody chooses another one.

    Parameters
    ----------
    proposals : sequence of Proposal
        Of one page.
    examples : LabelledExamples
    learner : RegionLearner or None
        By which they were judged.

    Returns
    -------
    float
        In [0, 1]. As low as 9 of 10 are expected to be right where the learner has judged, but
        not below `WORTH`; else see `min_shown_score`.

    Examples
    --------
    >>> default_min_score([], LabelledExamples(), None) == min_shown_score(LabelledExamples())
    True
    """
    if learner is None or not any(each.label in learner.trusted for each in proposals):
        return min_shown_score(examples)
    return max(likely_share([proposal.score for proposal in proposals]), WORTH)


def propose(
    page: PageFeatures,
    examples: LabelledExamples,
    taken: Outlines,
    labels: Sequence[str] | None = None,
    progress: Progress = silent,
    *,
    name: str = "",
    learner: RegionLearner | None = None,
    others: Sequence[PageFeatures] = (),
) -> tuple[Proposal, ...]:
    """Propose regions of a page that may be of the labels.

    Candidates are what all experts suggest, see `find_hypotheses`. Labels that the learner is
    trusted with are judged by it; for others each candidate is compared with what was accepted and
    rejected so far, see `classify_candidates`. A page's candidates are found once and cached with
    its features.

    Parameters
    ----------
    page : PageFeatures
    examples : LabelledExamples
        Of this page and others.
    taken : Outlines
        The regions that the page has already: nothing is proposed where one is.
    labels : sequence of str, optional
        Propose only these; by default all that have a positive example.
    progress : Progress
        Called before and after; the first search of a page takes a moment.
    name : str
        The page's name: what was rejected there for a label never comes back with it.
    learner : RegionLearner, optional
        What the collection's labelled regions teach; it knows about this page's, too.
    others : sequence of PageFeatures
        Further pages of the collection that were searched: they show how symbols look there.

    Returns
    -------
    tuple of Proposal
        Best first, however unlikely; see `min_shown_score`. No two of about the same place. A label
        whose examples are mostly upright boxes is proposed as boxes.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> page = features_of_ink(np.ones((20, 20), bool), methods=[])
    >>> propose(page, LabelledExamples(), Outlines.of([]))  # nothing is known
    ()
    """
    taught = learner.trusted if learner is not None else frozenset()
    known = sorted({*examples.labels, *taught})
    wanted = [label for label in known if labels is None or label in labels]
    learner = learner if taught.intersection(wanted) else None
    progress(0, 1, "looking for more")
    proposals: tuple[Proposal, ...] = ()
    if wanted:
        compared = [label for label in wanted if label not in taught]
        scored = _scored(page, name, examples, wanted, compared, learner, others)
        proposals = _chosen(scored, examples, taken, wanted, name, learner)
    progress(1, 1, "looking for more")
    return proposals


@dataclass(frozen=True, eq=False)
class _Scored:
    """Candidates, their scores of each label, and the positive example that each is most like."""

    outlines: Outlines
    boxes: Floats
    scores: Floats
    nearest: Ints


def _scored(
    page: PageFeatures,
    name: str,
    examples: LabelledExamples,
    labels: list[str],
    compared: list[str],
    learner: RegionLearner | None,
    others: Sequence[PageFeatures],
) -> _Scored:
    """Scores of all labels: learned ones of labels that the learner is trusted with, those of
    comparison of others, and their mean where it knows a label but is not trusted with it yet.
    """
    likeness, most_like = classify_candidates(page, examples, compared, others)
    knowledge = learner.aligned if learner is not None else None
    served = knowledge.labels if knowledge is not None else ()
    tried = learner.labels if learner is not None else ()
    asked = {label for label in labels if label in served or label not in tried}
    laid = [each for each in examples.all if each.label in asked]
    found = find_hypotheses(page, knowledge, name, laid)
    least = min_shown_score(examples)  # of comparison: about every second one is right
    scores = np.zeros((len(found), len(labels)))
    nearest = np.full((len(found), len(labels)), -1, np.int64)
    count = len(likeness)  # the first of all
    chances = scores if learner is None else learner.probabilities(page, found)
    fits = found.aligned.probabilities_at(found.boxes, compared)
    plan = _plan_scores(found, examples, compared, name)
    for number, label in enumerate(labels):
        if learner is not None and label in learner.trusted:
            scores[:, number] = chances[:, learner.labels.index(label)]
        else:
            place = compared.index(label)
            alike = likeness[:, place]
            fit = fits[:, place] * examples.share_right(label, name)
            fit = fit * _share_meant(found.aligned, examples, label)
            even = np.maximum(fit, plan[:, place])
            if learner is None:  # the minimum score is that of comparison
                even = _with_odds(even, _EVEN)
                # walls of which as many are right as wrong are shown
                likely = (plan[:, place] >= 0.5) & (found.rows[:, WALL] > 0)
                even[likely] = np.maximum(even[likely], least)
            else:
                alike = _with_odds(alike, (1 - least) / least)
                if label in tried:  # what was learned of it has half the say
                    alike = _in_the_middle(alike, chances[:count, tried.index(label)])
            scores[:count, number] = alike
            scores[:, number] = np.maximum(scores[:, number], even)
            nearest[:count, number] = most_like[:, place]
    return _Scored(found.outlines, found.boxes, scores, nearest)


def _with_odds(chances: Floats, times: float) -> Floats:
    """Probabilities whose odds are so many times those of others."""
    return times * chances / (times * chances + 1 - chances)


_NEVER = 1e-6  # probability that is as good as 0


def _in_the_middle(first: Floats, second: Floats) -> Floats:
    """Probabilities whose log-odds are the mean of those of two."""
    one, other = (each.clip(_NEVER, 1 - _NEVER) for each in (first, second))
    odds = np.sqrt(one / (1 - one) * other / (1 - other))
    return np.asarray(odds / (1 + odds))


_MANY = 100  # places for each example up to which all may be meant


def _share_meant(aligned: Aligned, examples: LabelledExamples, label: str) -> float:
    """Share of the places where examples fit that may be meant: a plain line fits everywhere."""
    own = np.flatnonzero([each == label for each in aligned.labels])
    boxes, odds = aligned.outlines.take(own).bounds, aligned.odds[own]
    places = len(best_of_each_place(boxes, odds[:, None], 0.0))
    known = len(examples.of(label))
    return min(_MANY * known / places, 1.0) if places else 1.0


def _plan_scores(
    found: Hypotheses, examples: LabelledExamples, labels: Sequence[str], name: str
) -> Floats:
    """Likelihood of rooms and walls, by how often such regions of the page had each label."""
    scores = np.zeros((len(found), len(labels)))
    here = [each for each in examples.all if each.page == name]
    boxes = Outlines.of([each.outline for each in here]).bounds
    for expert in (ROOM, WALL):
        own = np.flatnonzero(found.rows[:, expert] > 0)
        hit = overlaps(boxes, found.boxes[own])[0].max(1, initial=0) >= SAME
        answered = int(hit.sum())
        for number, label in enumerate(labels):
            good = [each.label == label and each.is_positive for each in here]
            right = int(hit[good].sum())
            if 2 * right > sum(good):
                scores[own, number] = right / (answered + 1)
    return scores


def _chosen(
    found: _Scored,
    examples: LabelledExamples,
    taken: Outlines,
    labels: list[str],
    name: str,
    learner: RegionLearner | None,
) -> tuple[Proposal, ...]:
    """From the best down, those that lie on nothing that is known or proposed already."""
    boxes = found.boxes
    closed = _closed(boxes, taken.bounds)[:, None] | np.stack(
        [_rejected(boxes, examples, label, name) for label in labels], 1
    )
    places, numbers = np.nonzero((found.scores >= MIN_SCORE) & ~closed)
    scores = found.scores[places, numbers]
    order = np.lexsort((numbers, places, -scores))
    positive = [example for example in examples.all if example.is_positive]
    as_boxes = [_mostly_boxes(examples, label, learner) for label in labels]
    proposals: list[Proposal] = []
    for place, number in zip(places[order].tolist(), numbers[order].tolist(), strict=True):
        if closed[place, number]:
            continue
        iou, part = overlaps(boxes, boxes[place : place + 1])
        closed[:, number] |= part[:, 0] > PART
        closed |= (iou > SAME) | ((part > PART) & (iou > LARGE_PART))
        outline = found.outlines[place]
        like = int(found.nearest[place, number])
        why = _why(positive[like] if like >= 0 else None, labels[number], learner)
        score = float(found.scores[place, number])
        shape = bounding_ring(outline) if as_boxes[number] else outline
        proposals.append(Proposal(name, labels[number], shape, score, why))
    return tuple(proposals)


def _closed(boxes: Floats, taken: Floats) -> NDArray[np.bool_]:
    """Tell which candidates are about the same as a region that is there, or a large part of
    one.
    """
    iou, part = overlaps(boxes, taken)
    return np.asarray(((iou > SAME) | ((part > PART) & (iou > LARGE_PART))).any(1))


def _rejected(
    boxes: Floats, examples: LabelledExamples, label: str, name: str
) -> NDArray[np.bool_]:
    """Tell which candidates lie where a proposal of this label was rejected."""
    outlines = [
        example.outline
        for example in examples.all
        if not example.is_positive and example.label == label and example.page == name
    ]
    return np.asarray((overlaps(boxes, Outlines.of(outlines).bounds)[0] > SAME).any(1))


def _mostly_boxes(examples: LabelledExamples, label: str, learner: RegionLearner | None) -> bool:
    if learner is not None and label in learner.trusted:
        return label in learner.boxed
    return examples.are_boxes(label)


def _why(example: LabelledExample | None, label: str, learner: RegionLearner | None) -> str:
    """Tell which example a candidate resembles most, or how many regions it was judged by.

    A label with too few regions to be learned is also proposed where method e lays an example, or
    where a room or a wall is.
    """
    if example is not None:
        return f"most like the {example.label} on {example.page or 'this page'}"
    regions = learner.counts.get(label, 0) if learner is not None else 0
    return (
        f"learned from {counted(regions, 'region')}" if regions else f"fits an example of {label}"
    )
