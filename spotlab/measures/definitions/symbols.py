"""Symbols: how many truth regions there are."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """Number of truth regions.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums.
    """
    return sums.symbols


MEASURE = Measure(
    Figure("symbols", "Symbols", "count", 0, "How many truth regions there are."),
    SumsFormula(compute),
    order=100,
    shown=False,
)
