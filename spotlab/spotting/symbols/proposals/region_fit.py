"""Fits what pages teach: their equations together, and without one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.spotting.symbols.proposals.appearance import Rows
from spotlab.spotting.symbols.proposals.kernel_regression import Equations, page_equations

_HARDER = 6.0  # how much more a row of the background weighs that looks like a region


@dataclass(frozen=True)
class Effort:
    """How much is computed to learn.

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
    """What a page has added to the equations.

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
    """What stays the same while the equations of pages are solved.

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
