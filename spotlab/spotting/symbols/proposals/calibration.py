"""Probabilities of scores, from what was right on pages that were left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats

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
