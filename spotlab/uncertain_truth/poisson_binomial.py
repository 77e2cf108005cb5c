"""Number of relevant items, each with a probability of its own: the Poisson-binomial distribution.

Santini, Benchmarking without ground truth, eq. 10. Few items are added one by one, by a recurrence.
More are divided into parts, whose generating functions are multiplied by Fourier transforms: n log²
n steps, with an absolute error of about 1e-15.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats
from spotlab.libraries import fft

SHORTEST, LONGEST = 16, 16  # items up to which the recurrence, then products make a distribution
FEW = 4  # items up to which the recurrence does if calls take longer than what they compute,
SMALL = 2**11  # which is up to this many items in all
NOTHING = 40.0  # of a probability: less than e to the minus 40 is of no account
BLOCK = 2**14  # numbers in a block of rows; what is worked on stays in the processor's cache


def pmf(probability: ArrayLike) -> Floats:
    """Probability of each number of relevant items, with an absolute error of about 1e-15.

    Parameters
    ----------
    probability : (n,) or (B, n) float
        Probability that each item is relevant, in [0, 1]; items are independent. Shorter rows can
        be padded with 0.

    Returns
    -------
    (n + 1,) or (B, n + 1) float
        Probabilities of 0, 1, …, n relevant items, for each row; [1] without items.

    Raises
    ------
    ValueError
        If a probability is not in [0, 1], or there are more dimensions.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 10.

    Examples
    --------
    >>> pmf([0.5, 0.5, 1.0])
    array([0.  , 0.25, 0.5 , 0.25])
    >>> pmf([[0.5, 0.5], [1.0, 0.0]])
    array([[0.25, 0.5 , 0.25],
           [0.  , 1.  , 0.  ]])
    """
    given = np.asarray(probability, np.float64)
    if given.ndim not in (1, 2):
        raise ValueError(f"{given.ndim} dimensions, not 1 or 2")
    if not ((given >= 0) & (given <= 1)).all():
        raise ValueError("a probability is undefined, or not between 0 and 1")
    rows = np.atleast_2d(given)
    count, n = rows.shape
    mass = np.empty((count, n + 1))
    step = max(1, BLOCK // (n + 1))
    for start in range(0, count, step):
        mass[start : start + step] = _transformed(rows[start : start + step])
    return mass.reshape(*given.shape[:-1], n + 1)


def add_item(mass: Floats, probability: Floats) -> Floats:
    """Add one item to a distribution: the step of the recurrence.

    Parameters
    ----------
    mass : (…, n + 1) float
        Probabilities of 0, 1, …, n relevant items.
    probability : (…,) float
        Probability that the new item is relevant, for each distribution.

    Returns
    -------
    (…, n + 2) float
        Probabilities of 0, 1, …, n + 1 relevant items.

    Examples
    --------
    >>> add_item(np.array([0.5, 0.5]), np.array(0.5))
    array([0.25, 0.5 , 0.25])
    """
    chance = probability[..., None]
    more = np.empty((*mass.shape[:-1], mass.shape[-1] + 1))
    np.multiply(mass, 1 - chance, out=more[..., :-1])
    more[..., -1] = 0
    more[..., 1:] += mass * chance
    return more


def _transformed(rows: Floats) -> Floats:
    """(B, n) probabilities to (B, n + 1): recurrence for short runs, then transforms."""
    count, n = rows.shape
    is_small = n > 2 * SHORTEST and rows.size <= SMALL
    shortest, parts = FEW if is_small else SHORTEST, 1
    while parts * shortest < n:
        parts *= 2
    size = max(-(-n // parts), 1)
    filled = np.zeros((count, parts * size))  # an item without any probability changes nothing
    filled[:, :n] = rows
    made = _recurrence(filled.reshape(count, parts, size).T.reshape(size, parts * count))
    while parts > 1 and len(made) <= LONGEST and not is_small:
        made, parts = _multiplied(made), parts // 2
    parts_mass = np.ascontiguousarray(made.T).reshape(parts, count, -1)
    if parts == 1:
        return parts_mass[0, :, : n + 1]
    while len(parts_mass) > 4 and not is_small:
        # an odd power of two is made an even one, so that four are left for the last product
        parts_mass = _joined(parts_mass, 4 if len(parts_mass).bit_length() % 2 else 2)
    return _last(parts_mass, rows)


def _last(parts: Floats, rows: Floats) -> Floats:
    """(ways, B, d + 1) to (B, n + 1): the last product, computed only where there is mass.

    Bernstein's inequality bounds the distance from the mean at which a probability is above 1e-17.
    The transform needs to separate only that many numbers; what wraps around is negligible.
    """
    count, n = rows.shape
    widest = float((rows * (1 - rows)).sum(axis=1).max(initial=0.0))
    reach = NOTHING / 3 + np.sqrt(NOTHING**2 / 9 + 2 * NOTHING * widest)
    length = fft.next_fast_len(max(int(2 * reach) + 3, parts.shape[-1]), real=True)
    if length > n:
        whole = _joined(parts, len(parts))[0, :, : n + 1]
        return np.maximum(whole, 0, out=whole)
    product = np.multiply.reduce(_spectra(parts, length))
    wrapped = fft.irfft(product, length)
    np.maximum(wrapped, 0, out=wrapped)
    mass = np.zeros((count, n + 1))
    starts = np.maximum(rows.sum(axis=1) - length / 2, 0)
    starts = np.minimum(starts, n + 1 - length).astype(np.int64)
    for row, values, start in zip(mass, wrapped, starts.tolist(), strict=True):
        turn = start % length
        row[start : start + length - turn] = values[turn:]
        row[start + length - turn : start + length] = values[:turn]
    return mass


def _recurrence(items: Floats) -> Floats:
    """(n, B) to (n + 1, B): distributions of columns, adding one item of each after the other."""
    n, columns = items.shape
    mass = np.zeros((n + 1, columns))
    moved = np.empty((n, columns))
    others = 1 - items
    mass[0], mass[1] = others[0], items[0]
    for at in range(1, n):
        np.multiply(mass[: at + 1], items[at], out=moved[: at + 1])
        mass[: at + 1] *= others[at]
        mass[1 : at + 2] += moved[: at + 1]
    return mass


def _multiplied(made: Floats) -> Floats:
    """(d + 1, 2 M) to (2 d + 1, M): products of columns, the first half with the second."""
    half = made.shape[1] // 2
    left, right = made[:, :half], made[:, half:]
    product = np.zeros((2 * len(made) - 1, half))
    term = np.empty_like(right)
    for at, values in enumerate(left):
        np.multiply(right, values, out=term)
        product[at : at + len(made)] += term
    return product


def _joined(parts: Floats, ways: int) -> Floats:
    """(ways M, B, d + 1) to (M, B, ways d + 1): products of several polynomials of degree d.

    Four at once need fewer transforms than two by two. A transform of length ways · d wraps the
    last value of the product onto the first, but both are products of single numbers, so that
    length, mostly a round number, suffices.
    """
    degree = ways * (parts.shape[-1] - 1)
    length = fft.next_fast_len(degree, real=True)
    several = parts.reshape(ways, -1, *parts.shape[1:])
    product = np.multiply.reduce(_spectra(several, length))
    joined = np.empty((*product.shape[:-1], degree + 1))
    whole = min(length, degree + 1)
    joined[..., :whole] = fft.irfft(product, length)[..., :whole]
    for end in (0, -1):
        joined[..., end] = several[..., end].prod(axis=0)
    return joined


def _spectra(parts: Floats, length: int) -> NDArray[np.complex128]:
    """(…, d + 1) to (…, length // 2 + 1): transforms, by a matrix product for low degrees."""
    size = parts.shape[-1]
    if size > FEW + 1:
        spectra: NDArray[np.complex128] = fft.rfft(parts, length)
        return spectra
    products = parts.reshape(-1, size) @ _waves(size, length)
    return products.view(np.complex128).reshape(*parts.shape[:-1], -1)


@lru_cache(maxsize=64)
def _waves(size: int, length: int) -> Floats:
    """(size, 2 K) real and imaginary parts, by turns, of the transform of each power alone."""
    return np.asarray(fft.rfft(np.eye(size), length)).view(np.float64)
