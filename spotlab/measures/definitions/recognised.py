"""Recognised: how many truth regions are covered well enough."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """Number of recognised truth regions.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3.
    """
    return sums.recognised


MEASURE = Measure(
    Figure(
        "recognised", "Recognised", "count", 1,
        "How many truth regions have at least the share t of their area retrieved.",
    ),
    SumsFormula(compute),
    order=110,
    shown=False,
)  # fmt: skip
