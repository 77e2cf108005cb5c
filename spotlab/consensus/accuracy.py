"""How often each system is right, learnt from how the systems agree (Dawid & Skene 1979).

Every item is relevant or not, every system says yes to a relevant one with its own sensitivity and
no to another with its own specificity, and given the item the systems err independently. Where
they do not, as engines of one family do not, what comes out is what the larger family believes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.consensus.patterns import Patterns, find_patterns
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress, silent

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RIGHT, WRONG = 2.0, 1.0  # Beta prior of sensitivity and specificity: rather right than wrong
SPREAD = 1.0  # Beta prior of the prevalence
FIRST_GUESS = 0.01  # no item is certain before the first round
INDEPENDENCE = (
    "Stands on systems that err independently of each other and are better than chance on average."
)


@dataclass(frozen=True, eq=False)
class Accuracy:
    """What the votes say about items and systems.

    Attributes
    ----------
    probability : (N,) float
        That an item is relevant; an item without votes has the prevalence.
    sensitivity, specificity : (S,) float
        Share of the relevant items that a system says yes to, of the others that it says no to;
        NaN for a system without a known vote. The same with one coin.
    prevalence : float
        Share of the items that are relevant; NaN without items.
    coins : int
        1 where a system's two kinds of errors are taken as equally likely, else 2.
    iterations : int
        Rounds until the probabilities stood still.
    converged : bool
        Whether they did.
    assumption : str
        What the figures stand on, for a caption.
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
    most: int = 300,
    tolerance: float = 1e-6,
    progress: Progress = silent,
) -> Accuracy:
    """Estimate relevance and accuracies together, by expectation and maximisation.

    Dawid & Skene (1979) with a Beta(2, 1) prior on both accuracies, which keeps a system with few
    votes from being taken as infallible. The mirrored answer (every yes a no) fits the votes as
    well; it is turned round where the systems would be worse than chance on average.

    Parameters
    ----------
    votes : Votes
        N items, S systems; unknown votes say nothing.
    coins : 1 or 2
        Errors of each system: one rate for both kinds, or one each.
    clamp : (items (K,), answers (K,)), optional
        Items whose relevance is known, 1 or 0.
    start : (N,) float, optional
        First guess of the probabilities; the share of the votes by default.
    most : int
        Most rounds.
    tolerance : float
        It stands still when no probability moves further.

    Examples
    --------
    >>> votes = [[1, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 1]]
    >>> found = dawid_skene(Votes.of(votes, ["a", "b", "c"]))
    >>> found.probability.round(1).tolist()
    [1.0, 0.9, 1.0, 0.1, 0.0, 0.1]
    >>> found.sensitivity.round(1).tolist()
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
    fit = model.fit(guess, most, tolerance, progress)
    if model.advantage(fit) < 0:  # the mirrored answer: start again from its other side
        other = model.fit(1 - fit.p, most, tolerance, progress)
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

    def fit(self, guess: Floats, most: int, tolerance: float, progress: Progress) -> _Fit:
        table = self.table
        p = self._clamped(np.clip(guess, FIRST_GUESS, 1 - FIRST_GUESS))
        sensitivity, specificity = self._accuracies(p)
        for done in range(1, most + 1):
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
        return _Fit(p, sensitivity, specificity, most, False)

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
