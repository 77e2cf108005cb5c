"""F: high only where area precision and area recall both are."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import f_score
from spotlab.measures.figure import Figure
from spotlab.measures.measure import Measure, SumsFormula
from spotlab.measures.sums import Sums


def compute(sums: Sums) -> Floats:
    """F_A^β from areas, with β of the settings; see `area.f_score`.

    Parameters
    ----------
    sums : Sums
        Areas in px².

    Returns
    -------
    ndarray of float
        Of the shape of the sums, shares in [0, 1] for unions; NaN where nothing is retrieved of no
        truth.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 9.
    """
    return f_score(sums.relevant, sums.retrieved, sums.truth, sums.settings.beta)


MEASURE = Measure(
    Figure(
        "f", "F", "", 1,
        "(1 + β²) P R / (β² P + R) of area precision P and area recall R: high only if both are "
        "high. 0 if nothing of the truth is retrieved; undefined only if nothing is retrieved "
        "and there is no truth.",
    ),
    SumsFormula(compute),
    order=30,
)  # fmt: skip
