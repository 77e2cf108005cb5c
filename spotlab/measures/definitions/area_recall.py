"""Area recall: how much of the truth's area is retrieved."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """A(R ⊕ T) / A(T).

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN where there is no truth.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 7.
    """
    return ratio(sums.relevant, sums.truth)


MEASURE = Measure(
    Figure(
        "area_recall", "Recall", "", 1,
        "Area recall, A(R ∩ T) / A(T): how much of the truth's area is retrieved. "
        "Undefined where there is no truth.",
    ),
    SumsFormula(compute),
    order=20,
)  # fmt: skip
