"""Number of relevant items of an answer, cut-off by cut-off, also where subjects are biased."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spotlab.arrays import Floats
from spotlab.libraries import signal, special
from spotlab.uncertain_truth.poisson_binomial import BLOCK, add_item, pmf

STEPS = 48  # items between two cut-offs up to which they are taken in one by one
REACH = 5.0  # standard deviations of a shift that are gone through; 6e-7 are beyond


def shift_grid(deviation: float, items: int) -> tuple[Floats, Floats]:
    """Quadrature of a normally distributed shift of all items' log odds: steps and weights.

    Parameters
    ----------
    deviation : float
        Standard deviation of the shift; 0 for none.
    items : int
        Number of items returned. More items make the distribution of each step narrower, so that
        the steps have to be closer.

    Returns
    -------
    shift_grid : (M,) float
        Shifts of the log odds.
    weights : (M,) float
        Weights that sum to 1.

    Raises
    ------
    ValueError
        If the deviation is negative or NaN.

    Examples
    --------
    >>> shift_grid(0.0, 10)
    (array([0.]), array([1.]))
    """
    if not deviation >= 0:
        raise ValueError("a standard deviation must be 0 or more")
    if deviation == 0:
        return np.zeros(1), np.ones(1)
    # one step moves the number of relevant items by no more than its own standard deviation
    half = max(12, int(np.ceil(REACH * deviation * np.sqrt(items) / 2)))
    steps = np.linspace(-REACH, REACH, 2 * half + 1)
    weights = np.exp(-(steps**2) / 2)
    return steps * deviation, weights / weights.sum()


def shift_log_odds(probability: Floats, by: float | Floats) -> Floats:
    """Shift the log odds of probabilities.

    Parameters
    ----------
    probability : (…,) float
        In [0, 1]; 0 and 1 stay.
    by : float or (…,) float
        Shift of the log odds.

    Returns
    -------
    (…,) float
        Probabilities in [0, 1].

    Examples
    --------
    >>> shift_log_odds(np.array([0.0, 0.5, 1.0]), np.log(3)).round(6)
    array([0.  , 0.75, 1.  ])
    """
    moved: Floats = special.expit(special.logit(probability) + by)
    return moved


def relevant_counts(
    probability: Floats, cut_offs: Sequence[int], shift: float = 0.0
) -> Iterator[Floats | None]:
    """Distributions of the number of relevant items among the first ones, cut-off by cut-off.

    Parameters
    ----------
    probability : (C, n) float
        Probability of relevance of each item, in rank order, for each of C categories; NaN where
        undefined.
    cut_offs : sequence of int
        Ascending numbers of first items, from 0 to n.
    shift : float
        Standard deviation of a shift of the log odds that all items share; 0 for none.

    Yields
    ------
    (C, cut-off + 1) float or None
        Probabilities of 0, 1, … relevant items; None where one of the first items is undefined.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 10.

    Examples
    --------
    >>> [mass.tolist() for mass in relevant_counts(np.array([[0.5, 0.5]]), [0, 1, 2])]
    [[[1.0]], [[0.5, 0.5]], [[0.25, 0.5, 0.25]]]
    """
    undefined = np.isnan(probability).any(axis=0)
    known = int(undefined.argmax()) if undefined.any() else probability.shape[1]
    last = max((cut for cut in cut_offs if cut <= known), default=0)
    steps, weights = shift_grid(shift, last)
    moved = probability[None, :, :last]
    if shift:
        moved = shift_log_odds(moved, steps[:, None, None])
    mass, at = np.ones((*moved.shape[:2], 1)), 0
    for cut in cut_offs:
        if cut > known:
            yield None
            continue
        mass, at = _taken_in(mass, moved[:, :, at:cut]), cut
        yield np.tensordot(weights, mass, 1)


def _taken_in(mass: Floats, items: Floats) -> Floats:
    """The distributions with some more items."""
    if items.shape[2] <= STEPS:
        for at in range(items.shape[2]):
            mass = add_item(mass, items[:, :, at])
        return mass
    several = pmf(items.reshape(-1, items.shape[2])).reshape(*items.shape[:2], -1)
    joined = np.empty((*mass.shape[:2], mass.shape[2] + items.shape[2]))
    few = max(1, BLOCK * 8 // joined.shape[2])
    for at in range(0, len(joined), few):
        rows = slice(at, at + few)
        joined[rows] = signal.fftconvolve(mass[rows], several[rows], axes=2)
    return np.maximum(joined, 0, out=joined)
