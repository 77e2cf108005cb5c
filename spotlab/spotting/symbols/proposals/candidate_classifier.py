"""Judges candidates by lessons: how surely each is of a label, from what is known so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.engine.page_features import Seen
from spotlab.spotting.symbols.proposals.candidates import Candidates, find_candidates
from spotlab.spotting.symbols.proposals.examples import example_of
from spotlab.spotting.symbols.proposals.labelled_examples import Lesson, Lessons
from spotlab.spotting.symbols.proposals.orientation_histograms import posed, posings, rims
from spotlab.spotting.symbols.proposals.weights import BIAS, LOOK, UNLIKE, all_weights, by_trait

Floats = NDArray[np.float64]

FARTHEST = 3.0  # distance of what is not alike at all
_KEPT = 128  # directions of the looks in which candidates of a page differ most
_SHRINKAGE = 0.5  # of the mean variance, added to each direction's
_NEARLY_SQUARE = 1.3  # aspect up to which a frame's sides may be taken for each other


@dataclass(frozen=True, eq=False)
class Judged:
    """How candidates were judged.

    Attributes
    ----------
    candidates : Candidates
    scores : (N, L) float
        0 to 1: how sure it is that a candidate is of a label.
    nearest : (N, L) int
        The good lesson that it resembles most, among the good ones; -1 for a label without any.
    evidence : (N, L, E) float
        What speaks for and against, in the order of `all_weights`.
    """

    candidates: Candidates
    scores: Floats
    nearest: NDArray[np.int64]
    evidence: Floats


class Judge:
    """Compares a page's candidates with examples, each example once.

    Parameters
    ----------
    page : Seen
    """

    def __init__(self, page: Seen) -> None:
        self.pen = page.pen
        self.candidates = find_candidates(page)
        self._middle, self._basis = _whitening(self.candidates)
        self._looks = self._whitened(self.candidates.looks)
        self._rims = rims(self.candidates.looks)
        self._known: dict[Lesson, tuple[Floats, Floats]] = {}

    def compared(self, lesson: Lesson) -> tuple[Floats, Floats]:
        """(N,) distances to a lesson's example, and (N, 13) by how much traits and rims differ."""
        if lesson not in self._known:
            self._known[lesson] = self._compare(example_of(lesson.query), lesson.query.seen.pen)
        return self._known[lesson]

    def _compare(self, example: Candidates, pen: float) -> tuple[Floats, Floats]:
        apart = np.abs(self.candidates.traits - example.traits[0])
        # drawings of another scale are drawn with another pen
        scaled = self.candidates.traits[:, 0] - example.traits[0, 0] - np.log(self.pen / pen)
        apart[:, 0] = np.minimum(apart[:, 0], np.abs(scaled))
        plain = (apart**2) @ by_trait(UNLIKE)
        found = np.full(len(plain), FARTHEST)
        near = np.flatnonzero(plain < FARTHEST**2)
        poses = posed(example.looks[0])
        if example.frames[0, 2] > _NEARLY_SQUARE * example.frames[0, 3]:
            poses = poses[:4]
        alike = (self._looks[near] @ self._whitened(poses).T).max(1, initial=-1)
        found[near] = np.sqrt(np.minimum(plain[near] + LOOK * (1 - alike).clip(0), FARTHEST**2))
        rim = np.ones(len(plain))
        rim[near] = 1 - (self._rims[near] @ rims(poses).T).max(1, initial=0)
        return found, np.column_stack([apart, rim])

    def _whitened(self, looks: NDArray[np.float32]) -> NDArray[np.float32]:
        found = (looks - self._middle) @ self._basis
        lengths = np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-6)
        return np.asarray(found / lengths, np.float32)


def _whitening(candidates: Candidates) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean of the looks in all poses, and what makes all directions count alike."""
    looks = candidates.looks
    if not len(looks):
        looks = np.zeros((1, candidates.looks.shape[1]), np.float32)
    poses = posings()
    mean = looks.mean(0)[poses].mean(0)
    apart = looks - mean
    spread = apart.T @ apart / len(apart)
    spread = np.mean([spread[np.ix_(pose, pose)] for pose in poses], axis=0)
    variances, directions = np.linalg.eigh(spread)
    variances, directions = variances[::-1][:_KEPT], directions[:, ::-1][:, :_KEPT]
    scale = np.sqrt(variances.clip(0) + _SHRINKAGE * np.trace(spread) / len(spread) + 1e-12)
    return mean, (directions / scale).astype(np.float32)


def judge(page: Seen, lessons: Lessons, labels: Sequence[str]) -> Judged:
    """How sure it is that the page's candidates are of these labels; 0 for one without example."""
    judge = page.made("judge", lambda: Judge(page))
    count = len(judge.candidates)
    good = [each for each in lessons.all if each.good]
    distance = np.empty((count, len(good)))
    for number, lesson in enumerate(good):
        distance[:, number] = judge.compared(lesson)[0]
    evidence = np.zeros((count, len(labels), len(all_weights())))
    nearest = np.full((count, len(labels)), -1, np.int64)
    known = np.zeros(len(labels), np.bool_)
    for number, label in enumerate(labels):
        # compared here, as NumPy takes strings that differ in NULs at their end for the same
        of_label = np.array([each.label == label for each in good], np.bool_)
        own = np.flatnonzero(of_label)
        if not len(own):
            continue
        known[number] = True
        best = distance[:, own].argmin(1)
        nearest[:, number] = own[best]
        apart = np.stack([judge.compared(good[each])[1] for each in own])[best, np.arange(count)]
        near = distance[:, own].min(1)
        other = distance[:, ~of_label].min(1, initial=FARTHEST)
        rejected = _nearest_rejected(judge, lessons, label)
        mean = np.sqrt((distance[:, own] ** 2).mean(1))
        distances = [near, near - other, near - rejected, mean]
        evidence[:, number] = np.column_stack([*distances, apart, judge.candidates.traits])
    sure = evidence @ all_weights() + BIAS - [_doubt(lessons, label) for label in labels]
    scores = known / (1 + np.exp(-sure))
    return Judged(judge.candidates, scores, nearest, evidence)


def _doubt(lessons: Lessons, label: str) -> float:
    """Logarithm of by how much the odds fall of a label whose proposals are often rejected."""
    answers = [each.good for each in lessons.all if each.label == label]
    good = sum(answers)
    return float(np.log1p((len(answers) - good) / max(good, 1)))


def _nearest_rejected(judge: Judge, lessons: Lessons, label: str) -> Floats:
    found = np.full(len(judge.candidates), FARTHEST)
    for lesson in lessons.all:
        if not lesson.good and lesson.label == label:
            found = np.minimum(found, judge.compared(lesson)[0])
    return found
