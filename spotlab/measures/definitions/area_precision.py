"""Area precision: how much of the retrieved area is truth."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """A(R ⊕ T) / A(R).

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN where nothing is retrieved.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 7.
    """
    return ratio(sums.relevant, sums.retrieved)


MEASURE = Measure(
    Figure(
        "area_precision", "Precision", "", 1,
        "Area precision, A(R ∩ T) / A(R): how much of the retrieved area is truth. "
        "Undefined where nothing is retrieved.",
    ),
    SumsFormula(compute),
    order=10,
)  # fmt: skip
