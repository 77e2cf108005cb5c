"""Recognition rate: the recognised share of all truth regions."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """Recognised regions / all truth regions.

    Parameters
    ----------
    sums : Sums
        Counts.

    Returns
    -------
    ndarray of float
        Of the shape of the sums, in %; NaN where there are no truth regions.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 12.
    """
    return ratio(100 * sums.recognised, sums.symbols)


MEASURE = Measure(
    Figure(
        "recognition_rate", "Recognition rate", "%", 1, "Recognised regions / all truth regions."
    ),
    SumsFormula(compute),
    order=120,
)
