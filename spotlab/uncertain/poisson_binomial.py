"""Number of relevant items, each with a probability of its own: the Poisson-binomial distribution.

Santini, Benchmarking without ground truth, eq. 10. There are two ways to compute it. The exact
recurrence adds the items one by one. It sums positive numbers only, so even the smallest
probability keeps nearly all its digits, but it takes n² steps. Divide and conquer multiplies the
generating functions of halves by Fourier transforms in n log² n steps, with an absolute error of
about 1e-15.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import fft, optimize, special

Floats = NDArray[np.float64]

SHORTEST, LONGEST = 16, 16  # items up to which the recurrence, then products make a distribution
NOTHING = 40.0  # of a probability: less than e to the minus 40 is of no account
COLUMN = 64  # items of a recurrence in `exact_pmf`
BLOCK = 2**14  # numbers in a block of rows; what is worked on stays in the processor's cache
RECURRENCE = 4000  # items up to which tails come from positive sums: some 5 ms


def pmf(probability: ArrayLike) -> Floats:
    """Probability of each number of relevant items, with an absolute error of about 1e-15.

    Parameters
    ----------
    probability : (n,) float
        Probability that each item is relevant, in [0, 1]; items are independent.

    Returns
    -------
    (n + 1,) float
        Probabilities of 0, 1, …, n relevant items; [1] without items.

    Raises
    ------
    ValueError
        If a probability is not in [0, 1].

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 10. For small probabilities see `exact_pmf` and
    `tail`.

    Examples
    --------
    >>> pmf([0.5, 0.5, 1.0])
    array([0.  , 0.25, 0.5 , 0.25])
    >>> pmf([])
    array([1.])
    """
    mass: Floats = _transformed(_checked(probability, 1)[None])[0]
    return mass


def batched(probability: ArrayLike) -> Floats:
    """What `pmf` gives, for many rows of equally many items.

    Parameters
    ----------
    probability : (B, n) float
        In [0, 1]; shorter rows can be padded with 0.

    Returns
    -------
    (B, n + 1) float
        Probabilities of 0, 1, …, n relevant items of each row.

    Raises
    ------
    ValueError
        If a probability is not in [0, 1].

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 10.

    Examples
    --------
    >>> batched([[0.5, 0.5], [1.0, 0.0]])
    array([[0.25, 0.5 , 0.25],
           [0.  , 1.  , 0.  ]])
    """
    checked = _checked(probability, 2)
    rows, n = checked.shape
    made = np.empty((rows, n + 1))
    step = max(1, BLOCK // (n + 1))
    for at in range(0, rows, step):
        made[at : at + step] = _transformed(checked[at : at + step])
    return made


def exact_pmf(probability: ArrayLike) -> Floats:
    """What `pmf` gives, but every value with nearly all its digits, in n² steps.

    Parameters
    ----------
    probability : (n,) float
        Probability that each item is relevant, in [0, 1].

    Returns
    -------
    (n + 1,) float
        Probabilities of 0, 1, …, n relevant items. Below 1e-308 digits are lost; below 5e-324 the
        value is 0.

    Raises
    ------
    ValueError
        If a probability is not in [0, 1].

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 10. The recurrence makes the distributions of
    some items each, which are then convolved directly: only positive numbers are added.

    Examples
    --------
    >>> float(exact_pmf([1e-30, 1e-40])[2])
    1e-70
    """
    checked = _checked(probability, 1)
    columns = -(-len(checked) // COLUMN) or 1
    filled = np.zeros(columns * COLUMN)
    filled[: len(checked)] = checked
    parts = list(_recurrence(filled.reshape(columns, COLUMN).T).T)
    while len(parts) > 1:
        odd = parts[-1:] if len(parts) % 2 else []
        parts = [np.convolve(*two) for two in zip(parts[:-1:2], parts[1::2], strict=True)] + odd
    whole: Floats = parts[0][: len(checked) + 1].copy()
    return whole


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


def tail(probability: ArrayLike, at_least: int) -> float:
    """P(K ≥ k) with nearly all its digits, however small it is.

    Parameters
    ----------
    probability : (n,) float
        Probability that each item is relevant, in [0, 1].
    at_least : int
        Minimum number of relevant items, k.

    Returns
    -------
    float
        1 if k ≤ 0, 0 if k > n.

    Raises
    ------
    ValueError
        If a probability is not in [0, 1].

    Notes
    -----
    The upper tail of Santini, Benchmarking without ground truth, eq. 10. With more than 4,000 items
    the probabilities are tilted (Esscher) so that k becomes their mean, where transforms are
    precise, and the result is tilted back.

    Examples
    --------
    >>> tail([0.5] * 4, 4), tail([0.5] * 4, 5), tail([0.5] * 4, 0)
    (0.0625, 0.0, 1.0)
    >>> f"{tail([0.001] * 3000, 100):.6e}"
    '5.889207e-113'
    """
    checked = _checked(probability, 1)
    certain, possible = int((checked == 1).sum()), checked[(checked > 0) & (checked < 1)]
    k, n = at_least - certain, len(possible)
    if k <= 0:
        return 1.0
    if k > n:
        return 0.0
    if n <= RECURRENCE:
        return float(min(exact_pmf(possible)[k:].sum(), 1.0))
    if k <= possible.sum():
        return float(min(_transformed(possible[None])[0][k:].sum(), 1.0))
    return _tilted_tail(possible, k)


def _tilted_tail(probability: Floats, k: int) -> float:
    """P(K ≥ k) for a k above the mean; no item is certain."""
    odds = special.logit(probability)
    top = min(k, len(odds) - 0.5)  # no finite tilt makes all items relevant
    width = 2.0
    while special.expit(odds + width).sum() < top:
        width *= 2
    tilt = optimize.brentq(lambda by: special.expit(odds + by).sum() - top, 0.0, width)
    tilted = _transformed(special.expit(odds + tilt)[None])[0][k:]
    growth = np.log1p(probability * np.expm1(tilt)).sum() - tilt * k
    return float(np.exp(growth) * (tilted * np.exp(-tilt * np.arange(len(tilted)))).sum())


def _transformed(rows: Floats) -> Floats:
    """(B, n) probabilities to (B, n + 1): recurrence for short runs, then transforms."""
    count, n = rows.shape
    parts = 1
    while parts * SHORTEST < n:
        parts *= 2
    size = -(-n // parts)
    filled = np.zeros((count, parts * size))  # an item without any probability changes nothing
    filled[:, :n] = rows
    made = _recurrence(filled.reshape(count, parts, size).T.reshape(size, parts * count))
    while parts > 1 and len(made) <= LONGEST:
        made, parts = _multiplied(made), parts // 2
    found = np.ascontiguousarray(made.T).reshape(parts, count, -1)
    if parts == 1:
        return found[0, :, : n + 1]
    while len(found) > 4:
        # an odd power of two is made an even one, so that four are left for the last product
        found = _joined(found, 4 if len(found).bit_length() % 2 else 2)
    return _last(found, rows)


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
    spectrum = fft.rfft(parts, length)
    product = spectrum[0]
    for other in spectrum[1:]:
        product *= other
    wrapped = fft.irfft(product, length)
    np.maximum(wrapped, 0, out=wrapped)
    found = np.zeros((count, n + 1))
    starts = np.clip(rows.sum(axis=1) - length / 2, 0, n + 1 - length).astype(np.int64)
    for row, values, start in zip(found, wrapped, starts.tolist(), strict=True):
        turn = start % length
        row[start : start + length - turn] = values[turn:]
        row[start + length - turn : start + length] = values[:turn]
    return found


def _recurrence(items: Floats) -> Floats:
    """(n, B) to (n + 1, B): distributions of columns, adding one item of each after the other."""
    n, columns = items.shape
    mass = np.zeros((n + 1, columns))
    mass[0] = 1
    moved = np.empty((n, columns))
    others = 1 - items
    for at in range(n):
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
    spectrum = fft.rfft(several, length)
    product = spectrum[0]
    for other in spectrum[1:]:
        product *= other
    joined = np.empty((*product.shape[:-1], degree + 1))
    whole = min(length, degree + 1)
    joined[..., :whole] = fft.irfft(product, length)[..., :whole]
    for end in (0, -1):
        joined[..., end] = several[..., end].prod(axis=0)
    return joined


def _checked(probability: ArrayLike, dimensions: int) -> Floats:
    checked = np.asarray(probability, np.float64)
    if checked.ndim != dimensions:
        raise ValueError(f"{checked.ndim} dimensions, not {dimensions}")
    if not ((checked >= 0) & (checked <= 1)).all():
        raise ValueError("a probability is undefined, or not between 0 and 1")
    return checked
