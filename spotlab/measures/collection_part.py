"""Recognition rate and false positives in parts of a collection (Rusiñol & Lladós, Fig. 10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Flags, Floats, Ints

AT_ONCE = 10_000  # pages that are summed together


@dataclass(frozen=True)
class CollectionPart:
    """A part of the collection, and what is recognised in it (Rusiñol & Lladós (2009), Fig. 10).

    Attributes
    ----------
    classes, pages : int
        Number of classes and of pages.
    recognition_rate, recognition_spread : float or None
        Recognised symbols in %: mean over the draws, and standard deviation between them. None if
        no draw has a symbol.
    false_positives, false_positives_spread : float
        AveFP, the number of false positives per query: mean over the draws, and standard deviation
        between them.
    symbols : float
        Number of truth regions, mean over the draws.
    """

    classes: int
    pages: int
    recognition_rate: float | None
    recognition_spread: float | None
    false_positives: float
    false_positives_spread: float
    symbols: float


def drawn_counts(counts: Ints, classes: Flags, pages: Flags) -> Floats:
    """Sums over the drawn classes and pages.

    Parameters
    ----------
    counts : (Q, P) int
        A number for each query on each page.
    classes : (D, Q) bool
        The classes of each draw.
    pages : (D, P) bool
        The pages of each draw.

    Returns
    -------
    (D,) float
        Sums of some classes and of others add up to that of both.

    Examples
    --------
    >>> drawn_counts(np.array([[1, 2], [4, 8]]), np.array([[True, False]]),
    ...              np.array([[False, True]])).tolist()
    [2.0]
    """
    weights, sums = classes.astype(np.float64), np.zeros(len(classes))
    for start in range(0, counts.shape[1], AT_ONCE):  # whole numbers: no order changes the sums
        some = slice(start, start + AT_ONCE)
        sums += ((weights @ counts[:, some]) * pages[:, some]).sum(axis=1)
    return sums


def part_of_counts(
    recognised: Floats, symbols: Floats, false: Floats, classes: int, pages: int
) -> CollectionPart:
    """A part of a collection, from what `drawn_counts` gave of all its classes.

    Parameters
    ----------
    recognised, symbols, false : (D,) float
        Number of recognised regions, of all regions, and of false positives of each draw.
    classes, pages : int
        How many are drawn.

    Returns
    -------
    CollectionPart
        The recognition rate is None if no draw has a symbol.

    Examples
    --------
    >>> part_of_counts(np.ones(2), np.full(2, 4.0), np.full(2, 6.0), 3, 5).false_positives
    2.0
    """
    rate = 100 * recognised[symbols > 0] / symbols[symbols > 0]
    per_query = false / classes
    return CollectionPart(
        classes=classes,
        pages=pages,
        recognition_rate=float(rate.mean()) if len(rate) else None,
        recognition_spread=float(rate.std()) if len(rate) else None,
        false_positives=float(per_query.mean()),
        false_positives_spread=float(per_query.std()),
        symbols=float(symbols.mean()),
    )
