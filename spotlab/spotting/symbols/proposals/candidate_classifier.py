"""Classifies candidates by labelled examples: how likely each is of a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.spotting.symbols.embedding.network import shipped_network
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.appearance import learned_columns, page_appearance
from spotlab.spotting.symbols.proposals.candidates import (
    Candidates,
    described_example,
    example_region,
    find_candidates,
)
from spotlab.spotting.symbols.proposals.lesson import LabelledExample, LabelledExamples
from spotlab.spotting.symbols.proposals.region_features import (
    NAMES,
    border_histograms,
    pose_permutations,
    posed_histograms,
)

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
    "size": -1.12,
    "aspect": -1.3,
    "fullness": 2.07,
    "upright fullness": 0.116,
    "turn": -0.0968,
    "rim": 3.22,
    "crossing": 0.0516,
    "ink": -1.67,
    "core": -1.21,
    "closed": -0.179,
    "largest hole": -0.621,
    "parts": 0.303,
}
ITSELF = {
    "size": 1.63,
    "aspect": 0.0539,
    "fullness": -1.79,
    "upright fullness": -1.85,
    "turn": 0.413,
    "rim": 5.58,
    "crossing": -0.807,
    "ink": 1.62,
    "core": -0.265,
    "closed": -0.398,
    "largest hole": 0.601,
    "parts": -0.0735,
}


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
    differences = feature_weights(DIFFERENCE)
    itself = [*feature_weights(ITSELF), SYMBOL]
    return np.concatenate([distances, differences, [RIM, UNSEEN], itself])


FARTHEST = 3.0  # distance of what is not alike at all
_KEPT = 128  # directions of the histograms in which candidates of a page differ most
_SHRINKAGE = 0.5  # of the mean variance, added to each direction's
_NEARLY_SQUARE = 1.3  # aspect up to which a frame's sides may be taken for each other


@dataclass(frozen=True, eq=False)
class ClassifiedCandidates:
    """The candidates of a page with their scores.

    Attributes
    ----------
    candidates : Candidates
    scores : (N, L) float
        Probability, 0 to 1, that a candidate is of a label.
    nearest : (N, L) int
        The positive example that it resembles most, as a number among the positive ones; -1 for a
        label without any.
    evidence : (N, L, E) float
        What speaks for and against, in the order of `evidence_weights`.
    """

    candidates: Candidates
    scores: Floats
    nearest: NDArray[np.int64]
    evidence: Floats


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
        self._embedding, self.symbol = embedding, symbol.astype(np.float64)
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
            unlike = (1 - (self._embedding @ poses.T).max(1, initial=-1)).clip(0)
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
    page: PageFeatures, examples: LabelledExamples, labels: Sequence[str]
) -> ClassifiedCandidates:
    """Compute how likely each of a page's candidates is of each label.

    Parameters
    ----------
    page : PageFeatures
    examples : LabelledExamples
        Of any pages.
    labels : sequence of str

    Returns
    -------
    ClassifiedCandidates
        Scores of shape (N, L), 0 for a label without a positive example.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.method import features_of_ink
    >>> ink = np.zeros((90, 90), bool)
    >>> ink[20:50, 20:60] = True
    >>> ink[23:47, 23:57] = False
    >>> page = features_of_ink(ink, methods=[])
    >>> classify_candidates(page, LabelledExamples(), ["bed", "door"]).scores.tolist()
    [[0.0, 0.0]]
    """
    classifier = page.cached("classifier", lambda: CandidateClassifier(page))
    count = len(classifier.candidates)
    positive = [example for example in examples.all if example.is_positive]
    distance = np.empty((count, len(positive)))
    for number, example in enumerate(positive):
        distance[:, number] = classifier.compare(example)[0]
    evidence = np.zeros((count, len(labels), len(evidence_weights())))
    nearest = np.full((count, len(labels)), -1, np.int64)
    known = np.zeros(len(labels), np.bool_)
    for number, label in enumerate(labels):
        # compared here, as NumPy takes strings that differ in NULs at their end for the same
        of_label = np.array([example.label == label for example in positive], np.bool_)
        own = np.flatnonzero(of_label)
        if not len(own):
            continue
        known[number] = True
        best = distance[:, own].argmin(1)
        nearest[:, number] = own[best]
        differences = np.stack([classifier.compare(positive[example])[1] for example in own])
        apart = differences[best, np.arange(count)]
        near = distance[:, own].min(1)
        other = distance[:, ~of_label].min(1, initial=FARTHEST)
        rejected = _nearest_rejected(classifier, examples, label)
        mean = np.sqrt((distance[:, own] ** 2).mean(1))
        distances = [near, near - other, near - rejected, mean]
        itself = [classifier.candidates.features, classifier.symbol]
        evidence[:, number] = np.column_stack([*distances, apart, *itself])
    logits = evidence @ evidence_weights() + BIAS - [_doubt(examples, label) for label in labels]
    scores = known / (1 + np.exp(-logits))
    return ClassifiedCandidates(classifier.candidates, scores, nearest, evidence)


def _doubt(examples: LabelledExamples, label: str) -> float:
    """Logarithm of the factor by which odds fall for a label whose proposals are often rejected."""
    answers = [example.is_positive for example in examples.all if example.label == label]
    positive = sum(answers)
    return float(np.log1p((len(answers) - positive) / max(positive, 1)))


def _nearest_rejected(
    classifier: CandidateClassifier, examples: LabelledExamples, label: str
) -> Floats:
    distance = np.full(len(classifier.candidates), FARTHEST)
    for example in examples.all:
        if not example.is_positive and example.label == label:
            distance = np.minimum(distance, classifier.compare(example)[0])
    return distance
