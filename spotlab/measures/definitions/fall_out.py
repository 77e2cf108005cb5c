"""Fall-out: how much of the area outside the truth is retrieved."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import fall_out
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """(A(R) − A(R ⊕ T)) / (A(pages) − A(T)).

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN where the truth covers all pages.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 11.
    """
    return fall_out(sums.outside, sums.truth, sums.pages)


MEASURE = Measure(
    Figure(
        "fall_out", "Fall-out", "", -1,
        "A(R outside T) / A(pages outside T): the share of the area outside the truth that is "
        "retrieved.",
    ),
    SumsFormula(compute),
    order=40,
)  # fmt: skip
