"""Probabilities of relevance fitted to a few answers: a ridge logistic regression on the votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.patterns import Patterns

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PENALTY_BASE = 0.01  # of a shift common to all items
PENALTY_SLOPE = 0.1  # of trusting the first guess more or less than it says
PENALTY_SYSTEM = 1.0  # of every system's own term
FURTHEST = 0.01  # the first guess is never closer to 0 or 1
MOST_STEPS = 100
FURTHEST_STEP = 4.0  # of log odds at once, so that Newton's method does not overshoot
STILL = 1e-8


@dataclass(frozen=True, eq=False)
class Calibration:
    """Log odds = logit(guess) + a + b·logit(guess) + Σ_k c_k·(vote_k − guess), known votes only.

    Attributes
    ----------
    table : Patterns
        The votes.
    guess : (M,) float
        First guess for every row, not 0 or 1.
    """

    table: Patterns
    guess: Floats

    @staticmethod
    def on(table: Patterns, guess: Floats) -> Calibration:
        """Start from these guesses, (M,)."""
        return Calibration(table, np.clip(guess, FURTHEST, 1 - FURTHEST))

    @property
    def odds(self) -> Floats:
        """(M,) log odds of the first guess."""
        return np.asarray(np.log(self.guess / (1 - self.guess)))

    @property
    def penalty(self) -> Floats:
        """(2 + S,) what each coefficient's square costs."""
        systems = self.table.yes.shape[1]
        return np.concatenate([[PENALTY_BASE, PENALTY_SLOPE], np.full(systems, PENALTY_SYSTEM)])

    def fit(self, rows: Ints, relevant: Floats, weights: Floats, draws: Floats) -> Floats:
        """Coefficients that fit the answers best, and others that they leave possible.

        Newton's method in the space that the answers span, which is small however many systems
        there are. What else is possible is normal about the optimum (Laplace's approximation); in
        directions of which the answers tell nothing it is as wide as the ridge.

        Parameters
        ----------
        rows, relevant, weights : (K,)
            Rows that were answered, 1 or 0, and for how many answers each counts.
        draws : (2 + S, D) float
            Standard normal numbers.

        Returns
        -------
        (2 + S, 1 + D) float
            The optimum first.
        """
        scale = 1 / np.sqrt(self.penalty)
        left, size, right = np.linalg.svd(self._features(rows) * scale, full_matrices=False)
        space, offset = left * size, self.odds[rows]
        found = np.zeros(space.shape[1])
        for _ in range(MOST_STEPS):
            p = _probability(offset + space @ found)
            curve = (space.T * (weights * p * (1 - p))) @ space + np.eye(len(found))
            step = np.linalg.solve(curve, space.T @ (weights * (relevant - p)) - found)
            found = found + step * min(1.0, FURTHEST_STEP / max(np.abs(step).max(initial=0), STILL))
            if np.abs(step).max(initial=0.0) < STILL:
                break
        spread, axes = np.linalg.eigh(curve)
        inside = right @ draws
        told = axes @ ((axes.T @ inside) / np.sqrt(spread)[:, None]) - inside
        scaled = np.column_stack([right.T @ found, (right.T @ found)[:, None] + draws])
        scaled[:, 1:] += right.T @ told
        return np.asarray(scaled * scale[:, None])

    def predict(self, coefficients: Floats) -> Floats:
        """(M, D) probabilities under (2 + S, D) coefficients."""
        odds = self.odds[:, None]
        terms = coefficients[2:]
        votes = self.table.weighted(terms, np.zeros_like(terms))
        guessed = self.table.weighted(terms, terms) * self.guess[:, None]
        return _probability(odds + coefficients[0] + coefficients[1] * odds + votes - guessed)

    def _features(self, rows: Ints) -> Floats:
        """(K, 2 + S) what the coefficients multiply."""
        yes = _dense(self.table.yes[rows])
        known = 1.0 if self.table.known is None else _dense(self.table.known[rows])
        votes = yes - known * self.guess[rows, None]
        return np.column_stack([np.ones(len(rows)), self.odds[rows], votes])


def _dense(part: Any) -> Floats:
    return np.asarray(part.toarray() if hasattr(part, "toarray") else part)


def _probability(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -500, 500))))
