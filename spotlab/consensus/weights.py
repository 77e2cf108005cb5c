"""Weights of systems, of ⊤ and ⊥ and of an oracle (Lamiroy & Sun, 2013, eqs. 10 and 13)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Floats


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights κ of the votes, of which only the proportions matter.

    Attributes
    ----------
    systems : (S,) float
        Weights of the systems; no weight is negative.
    top, bottom : float
        Weights of ⊤, which votes for everything, and of ⊥, which votes for nothing.
    oracle : float
        Weight of an oracle, which is the last column of the votes if they have one column more than
        there are weights of systems.

    Raises
    ------
    ValueError
        If a weight is negative or not finite.

    Notes
    -----
    Lamiroy & Sun (2013), eq. 10 for equal weights and eq. 13 for any.
    """

    systems: Floats
    top: float = 0.0
    bottom: float = 0.0
    oracle: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "systems", np.asarray(self.systems, np.float64))
        every = np.append(self.systems, [self.top, self.bottom, self.oracle])
        if not (np.isfinite(every) & (every >= 0)).all():
            raise ValueError("a weight is negative or not a number")

    @property
    def total(self) -> float:
        """Sum of all weights."""
        return float(self.systems.sum() + self.top + self.bottom + self.oracle)

    @property
    def normalised(self) -> Weights:
        """The same weights with sum 1; if all are 0 they stay 0.

        Examples
        --------
        >>> Weights(np.array([2.0, 1.0]), top=1.0).normalised.systems.tolist()
        [0.5, 0.25]
        """
        total = self.total or 1.0
        return Weights(
            self.systems / total, self.top / total, self.bottom / total, self.oracle / total
        )

    def columns(self, systems: int) -> Floats:
        """Weights of the columns of votes, an oracle's last if there is one.

        Parameters
        ----------
        systems : int
            Number of columns.

        Returns
        -------
        (systems,) float
            Weights of the columns.

        Raises
        ------
        ValueError
            If the number of weights does not fit.
        """
        weights = self.systems
        if len(weights) == systems - 1:
            return np.append(weights, self.oracle)
        if len(weights) != systems or self.oracle:
            raise ValueError(f"{len(weights)} weights, of an oracle besides: {self.oracle:g}, "
                             f"for the votes of {systems} systems")  # fmt: skip
        return weights


def uniform_weights(systems: int) -> Weights:
    """Equal weights of s systems, ⊤ and ⊥: 1 / (s + 2) each.

    Parameters
    ----------
    systems : int
        Number of systems, s.

    Returns
    -------
    Weights
        With sum 1.

    Notes
    -----
    Lamiroy & Sun (2013), eq. 10.

    Examples
    --------
    >>> uniform_weights(3).systems.tolist(), uniform_weights(3).bottom
    ([0.2, 0.2, 0.2], 0.2)
    """
    share = 1 / (systems + 2)
    return Weights(np.full(systems, share), share, share)


def vote_share_weights(systems: int) -> Weights:
    """Equal weights of s systems without ⊤ and ⊥, so that P(δ) is the share of votes for δ.

    Parameters
    ----------
    systems : int
        Number of systems, s.

    Returns
    -------
    Weights
        1 / s each; empty without systems.

    Examples
    --------
    >>> vote_share_weights(4).systems.tolist(), vote_share_weights(4).top
    ([0.25, 0.25, 0.25, 0.25], 0.0)
    """
    return Weights(np.full(systems, 1 / systems if systems else 0.0))
