"""Generality: how much of the pages is truth."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import generality
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """A(T) / A(pages).

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN if the pages have no area.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 11.
    """
    return generality(sums.truth, sums.pages)


MEASURE = Measure(
    Figure(
        "generality", "Generality", "", 0,
        "A(T) / A(pages): the share of the pages that is truth; where it is low, high precision "
        "is hard to reach.",
    ),
    SumsFormula(compute),
    order=50,
    shown=False,
)  # fmt: skip
