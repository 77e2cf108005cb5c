"""Estimate how often each system is right from how the systems agree.

Dawid & Skene (1979). Every item is relevant or not. A system votes for a relevant item with its
sensitivity and against another with its specificity. Given the item, the systems err independently
of each other. Where they do not, for instance because they share an engine, the result is what the
largest family of systems believes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats, Ints
from spotlab.consensus.patterns import Patterns, find_patterns
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress, silent

RIGHT, WRONG = 2.0, 1.0  # Beta prior of sensitivity and specificity: rather right than wrong
SPREAD = 1.0  # Beta prior of the prevalence
FIRST_GUESS = 0.01  # no item is certain before the first round
INDEPENDENCE = (
    "Assumes that systems err independently of each other and are better than chance on average."
)


@dataclass(frozen=True, eq=False)
class Accuracy:
    """Probabilities of relevance and accuracies of systems, estimated from votes.

    Attributes
    ----------
    probability : (N,) float
        Probability that an item is relevant, in [0, 1]; the prevalence for an item without votes.
    sensitivity, specificity : (S,) float
        Share of the relevant items that a system votes for, and of the others that it votes
        against, in [0, 1]; NaN for a system without a known vote. Equal if ``coins`` is 1.
    prevalence : float
        Share of the items that are relevant, in [0, 1]; NaN without items.
    coins : int
        1 if both kinds of errors of a system are equally likely, else 2.
    iterations : int
        Number of rounds.
    converged : bool
        Whether the probabilities stopped changing.
    assumption : str
        Assumption behind the figures, for a caption.
    """

    probability: Floats
    sensitivity: Floats
    specificity: Floats
    prevalence: float
    coins: int
    iterations: int
    converged: bool
    assumption: str = INDEPENDENCE


def dawid_skene(
    votes: Votes,
    coins: Literal[1, 2] = 2,
    clamp: tuple[ArrayLike, ArrayLike] | None = None,
    *,
    start: ArrayLike | None = None,
    max_iterations: int = 300,
    tolerance: float = 1e-6,
    progress: Progress = silent,
) -> Accuracy:
    """Estimate relevance and accuracies together, by expectation maximisation.

    Parameters
    ----------
    votes : Votes
        N items, S systems; unknown votes are ignored.
    coins : 1 or 2
        Number of error rates per system: one for both kinds of errors, or one for each.
    clamp : (items (K,) int, answers (K,) float), optional
        Items whose relevance is known, and their relevance: 1 or 0.
    start : (N,) float, optional
        Initial probabilities in [0, 1]; by default the share of votes for each item.
    max_iterations : int
        Maximum number of rounds.
    tolerance : float
        Stop when no probability changes by this much or more.
    progress : callable
        Called with the number of rounds done.

    Returns
    -------
    Accuracy
        Without items the prevalence is NaN.

    Raises
    ------
    ValueError
        If ``coins`` is neither 1 nor 2.

    Notes
    -----
    Dawid & Skene (1979), with a Beta(2, 1) prior on both accuracies, so that a system with few
    votes does not become infallible. Swapping relevant and irrelevant fits the votes equally well;
    of the two solutions the one is returned in which systems are better than chance on average.

    Examples
    --------
    >>> rows = [[1, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 1]]
    >>> accuracy = dawid_skene(Votes.of(rows, ["a", "b", "c"]))
    >>> accuracy.probability.round(1).tolist()
    [1.0, 0.9, 1.0, 0.1, 0.0, 0.1]
    >>> accuracy.sensitivity.round(1).tolist()
    [0.8, 0.8, 0.7]
    """
    if coins not in (1, 2):
        raise ValueError(f"a system has 1 or 2 coins, not {coins}")
    items = np.empty(0, np.int64) if clamp is None else np.asarray(clamp[0], np.int64)
    answers = np.empty(0) if clamp is None else np.asarray(clamp[1], np.float64)
    table = find_patterns(votes, items)
    fixed = table.of_item[items]
    guess = np.nan_to_num(table.shares(), nan=0.5) if start is None else _by_row(table, start)
    model = _Model(table, coins, fixed, answers)
    fit = model.fit(guess, max_iterations, tolerance, progress)
    if model.advantage(fit) < 0:  # the mirrored answer: start again from its other side
        other = model.fit(1 - fit.p, max_iterations, tolerance, progress)
        fit = other if model.advantage(other) > model.advantage(fit) else fit
    seen = votes.counts_known > 0
    return Accuracy(
        probability=fit.p[table.of_item],
        sensitivity=np.where(seen, fit.sensitivity, np.nan),
        specificity=np.where(seen, fit.specificity, np.nan),
        prevalence=float(fit.p @ table.count / table.count.sum()) if len(votes) else float("nan"),
        coins=coins,
        iterations=fit.rounds,
        converged=fit.still,
    )


def _by_row(table: Patterns, values: ArrayLike) -> Floats:
    """(M,) the mean of (N,) values over the items of every row."""
    array = np.asarray(values, np.float64)
    return np.bincount(table.of_item, array, len(table.count)) / np.maximum(table.count, 1)


@dataclass(frozen=True, eq=False)
class _Fit:
    p: Floats
    sensitivity: Floats
    specificity: Floats
    rounds: int
    still: bool


@dataclass(frozen=True, eq=False)
class _Model:
    table: Patterns
    coins: int
    fixed: Ints
    answers: Floats

    def fit(self, guess: Floats, max_iterations: int, tolerance: float, progress: Progress) -> _Fit:
        table = self.table
        p = self._clamped(np.clip(guess, FIRST_GUESS, 1 - FIRST_GUESS))
        sensitivity, specificity = self._accuracies(p)
        for done in range(1, max_iterations + 1):
            progress(done, None, "learning how often systems are right")
            odds = table.weighted(
                np.log(sensitivity / (1 - specificity)), np.log((1 - sensitivity) / specificity)
            )
            prevalence = (p @ table.count + SPREAD) / (table.count.sum() + 2 * SPREAD)
            odds += np.log(prevalence / (1 - prevalence))
            new = self._clamped(1 / (1 + np.exp(-np.clip(odds, -500, 500))))
            still = bool(np.abs(new - p).max(initial=0.0) < tolerance)
            p = new
            sensitivity, specificity = self._accuracies(p)
            if still:
                return _Fit(p, sensitivity, specificity, done, True)
        return _Fit(p, sensitivity, specificity, max_iterations, False)

    def advantage(self, fit: _Fit) -> float:
        """Sensitivity + specificity − 1 of all systems, by their number of votes."""
        _, known = self.table.totals
        return float(known @ (fit.sensitivity + fit.specificity - 1))

    def _clamped(self, p: Floats) -> Floats:
        p[self.fixed] = self.answers
        return p

    def _accuracies(self, p: Floats) -> tuple[Floats, Floats]:
        table = self.table
        yes_right, relevant = table.sums(p * table.count)
        yes, known = table.totals
        other = known - relevant
        no_right = np.maximum(other - (yes - yes_right), 0.0)
        if self.coins == 1:
            both = (yes_right + no_right + RIGHT) / (known + RIGHT + WRONG)
            return both, both
        prior = RIGHT + WRONG
        return (yes_right + RIGHT) / (relevant + prior), (no_right + RIGHT) / (other + prior)
