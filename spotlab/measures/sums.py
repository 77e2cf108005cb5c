"""The areas and counts that figures are made of, summed over pages, queries or drawn pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of areas in px² and of counts, from which a measure is computed.

    All arrays broadcast against each other. Their shape is ``(Q,)`` for the whole or cut lists of Q
    queries, ``()`` for the areas of all queries together, and ``(draws, Q)`` for drawn pages, where
    a page that is drawn twice counts twice.

    Attributes
    ----------
    settings : MeasureSettings
        How areas and counts were made.
    retrieved : (...,) float
        A(R) in px².
    relevant : (...,) float
        A(R ⊕ T) in px².
    outside : (...,) float
        A(R) − A(R ⊕ T) in px², the retrieved area outside the truth.
    truth : (...,) float
        A(T) in px².
    pages : (...,) float
        The area of all pages in px²; together, they count once for each query.
    symbols : (...,) float
        Number of truth regions.
    recognised : (...,) float
        Number of recognised truth regions.
    false_positives : (...,) float
        Number of spots that overlap no recognised region of their query.
    spots : (...,) float
        Number of spots that are not ignored at the IoU of the settings.
    correct : (...,) float
        Number of spots that are matched with a region at the IoU of the settings.
    """

    settings: MeasureSettings
    retrieved: Floats
    relevant: Floats
    outside: Floats
    truth: Floats
    pages: Floats
    symbols: Floats
    recognised: Floats
    false_positives: Floats
    spots: Floats
    correct: Floats

    __repr__ = short_repr


def outside_truth(
    retrieved: ArrayLike, relevant: ArrayLike, truth: ArrayLike, pages: ArrayLike, overlap: Overlap
) -> Floats:
    """The retrieved area outside the truth.

    Parameters
    ----------
    retrieved, relevant, truth : array_like of float
        A(R), A(R ⊕ T) and A(T) in px²; broadcast against each other.
    pages : array_like of float
        Area of all pages in px².
    overlap : Overlap
        For unions the area is at most the pages' area outside the truth, also after rounding.

    Returns
    -------
    ndarray of float
        Of the shape of the areas; in px².

    Examples
    --------
    >>> outside_truth([4.0], [2.0], [20.0], 100.0, Overlap.UNION).tolist()
    [2.0]
    """
    area = np.asarray(retrieved, np.float64) - np.asarray(relevant, np.float64)
    if overlap is not Overlap.UNION:
        return area
    return np.minimum(area, np.asarray(pages, np.float64) - np.asarray(truth, np.float64))


def pooled_sums(whole: Sums, chosen: NDArray[np.bool_]) -> Sums:
    """The sums of several queries together.

    Parameters
    ----------
    whole : Sums
        Of shape (Q,).
    chosen : (Q,) bool
        Which queries; every one is asked of every page.

    Returns
    -------
    Sums
        Of shape (); 0 where nothing is chosen.

    Examples
    --------
    >>> sums = Sums(MeasureSettings(), *[np.array([1.0, 2.0, 4.0])] * 10)
    >>> pooled_sums(sums, np.array([True, False, True])).symbols.item()
    5.0
    """
    retrieved, relevant, truth, pages = (
        np.asarray(values[chosen].sum())
        for values in (whole.retrieved, whole.relevant, whole.truth, whole.pages)
    )
    overlap = whole.settings.overlap
    return Sums(
        settings=whole.settings,
        retrieved=retrieved,
        relevant=relevant,
        outside=outside_truth(retrieved, relevant, truth, pages, overlap),
        truth=truth,
        pages=pages,
        symbols=np.asarray(whole.symbols[chosen].sum()),
        recognised=np.asarray(whole.recognised[chosen].sum()),
        false_positives=np.asarray(whole.false_positives[chosen].sum()),
        spots=np.asarray(whole.spots[chosen].sum()),
        correct=np.asarray(whole.correct[chosen].sum()),
    )
