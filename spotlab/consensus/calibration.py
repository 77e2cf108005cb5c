"""Probabilities of relevance fitted to a few answers by ridge logistic regression on the votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.consensus.patterns import Patterns

PENALTY_BASE = 0.01  # of a shift common to all items
PENALTY_SLOPE = 0.1  # of trusting the first guess more or less than it says
PENALTY_SYSTEM = 1.0  # of every system's own term
FURTHEST = 0.01  # the first guess is never closer to 0 or 1
MOST_STEPS = 100
FURTHEST_STEP = 4.0  # of log odds at once, so that Newton's method does not overshoot
STILL = 1e-8


@dataclass(frozen=True, eq=False)
class Calibration:
    """A logistic model of relevance: an initial guess, corrected by the votes.

    Attributes
    ----------
    table : Patterns
        M different rows of votes of S systems.
    guess : (M,) float
        Initial probability of every row, in (0, 1).

    Notes
    -----
    Log odds = logit(guess) + a + b·logit(guess) + Σ_k c_k·(vote_k − guess), over known votes only.
    """

    table: Patterns
    guess: Floats

    @staticmethod
    def on(table: Patterns, guess: Floats) -> Calibration:
        """Start from initial probabilities, which are kept away from 0 and 1.

        Parameters
        ----------
        table : Patterns
            M different rows of votes.
        guess : (M,) float
            Initial probability of every row, in [0, 1].

        Returns
        -------
        Calibration
            With probabilities clipped to [0.01, 0.99].

        Examples
        --------
        >>> table = Patterns(np.array([[1.0], [0.0]]), None, np.ones(2), np.array([0, 1]))
        >>> Calibration.on(table, np.array([1.0, 0.5])).guess.tolist()
        [0.99, 0.5]
        """
        return Calibration(table, np.clip(guess, FURTHEST, 1 - FURTHEST))

    @property
    def odds(self) -> Floats:
        """Log odds of the initial guess, (M,)."""
        return np.asarray(np.log(self.guess / (1 - self.guess)))

    @property
    def penalty(self) -> Floats:
        """Ridge penalty of each coefficient, (2 + S,)."""
        systems = self.table.yes.shape[1]
        return np.concatenate([[PENALTY_BASE, PENALTY_SLOPE], np.full(systems, PENALTY_SYSTEM)])

    def fit(self, rows: Ints, relevant: Floats, weights: Floats, draws: Floats) -> Floats:
        """Fit the coefficients to the answers, and draw others that the answers leave possible.

        Parameters
        ----------
        rows : (K,) int
            Indices of the rows that are answered.
        relevant : (K,) float
            1 if the row is relevant, else 0.
        weights : (K,) float
            Number of answers that each counts for.
        draws : (2 + S, D) float
            Standard normal numbers.

        Returns
        -------
        (2 + S, 1 + D) float
            The optimum in the first column, then one draw per column.

        Notes
        -----
        Newton's method in the space that the answers span, which is small for any number of
        systems. The draws are normal around the optimum (Laplace's approximation); in directions
        about which the answers say nothing they are as wide as the ridge.

        Examples
        --------
        >>> table = Patterns(np.array([[1.0], [0.0]]), None, np.ones(2), np.array([0, 1]))
        >>> model = Calibration.on(table, np.array([0.5, 0.5]))
        >>> best = model.fit(np.array([0, 1]), np.array([1.0, 0.0]), np.ones(2), np.zeros((3, 0)))
        >>> model.predict(best).round(2).ravel().tolist()
        [0.56, 0.44]
        """
        scale = 1 / np.sqrt(self.penalty)
        left, size, right = np.linalg.svd(self._features(rows) * scale, full_matrices=False)
        space, offset = left * size, self.odds[rows]
        optimum = np.zeros(space.shape[1])
        for _ in range(MOST_STEPS):
            p = _probability(offset + space @ optimum)
            curve = (space.T * (weights * p * (1 - p))) @ space + np.eye(len(optimum))
            step = np.linalg.solve(curve, space.T @ (weights * (relevant - p)) - optimum)
            longest = max(np.abs(step).max(initial=0), STILL)
            optimum = optimum + step * min(1.0, FURTHEST_STEP / longest)
            if np.abs(step).max(initial=0.0) < STILL:
                break
        spread, axes = np.linalg.eigh(curve)
        inside = right @ draws
        narrowed = axes @ ((axes.T @ inside) / np.sqrt(spread)[:, None]) - inside
        scaled = np.column_stack([right.T @ optimum, (right.T @ optimum)[:, None] + draws])
        scaled[:, 1:] += right.T @ narrowed
        return np.asarray(scaled * scale[:, None])

    def predict(self, coefficients: Floats) -> Floats:
        """Predict the probability of every row.

        Parameters
        ----------
        coefficients : (2 + S, D) float
            Result of `fit`, or columns of it.

        Returns
        -------
        (M, D) float
            Probabilities in [0, 1].
        """
        odds = self.odds[:, None]
        terms = coefficients[2:]
        votes = self.table.weighted(terms, np.zeros_like(terms))
        guessed = self.table.weighted(terms, terms) * self.guess[:, None]
        return _probability(odds + coefficients[0] + coefficients[1] * odds + votes - guessed)

    def _features(self, rows: Ints) -> Floats:
        """Values that the coefficients multiply, (K, 2 + S)."""
        yes = _dense(self.table.yes[rows])
        known = 1.0 if self.table.known is None else _dense(self.table.known[rows])
        votes = yes - known * self.guess[rows, None]
        return np.column_stack([np.ones(len(rows)), self.odds[rows], votes])


def _dense(part: Any) -> Floats:
    return np.asarray(part.toarray() if hasattr(part, "toarray") else part)


def _probability(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -500, 500))))
