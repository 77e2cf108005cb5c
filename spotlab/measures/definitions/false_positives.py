"""False positives: how many spots overlap no recognised region."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """Number of spots that overlap no recognised region of their query.

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
    Rusiñol & Lladós (2009), §4.3; the mean over queries is AveFP.
    """
    return sums.false_positives


MEASURE = Measure(
    Figure(
        "false_positives", "False positives", "count", -1,
        "How many spots overlap no recognised region of their query; its mean is AveFP.",
    ),
    SumsFormula(compute),
    order=130,
)  # fmt: skip
