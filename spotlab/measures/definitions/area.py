"""Area precision and recall, their F, fall-out and generality (Rusiñol & Lladós 2009)."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import f_score, fall_out, generality, ratio
from spotlab.measures.measure import Figure, Measure, Sums, SumsFormula


def area_precision(sums: Sums) -> Floats:
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


AREA_PRECISION = Measure(
    Figure(
        "area_precision", "Precision", "", 1,
        "Area precision, A(R ∩ T) / A(R): how much of the retrieved area is truth. "
        "Undefined where nothing is retrieved.",
    ),
    SumsFormula(area_precision),
    order=10,
)  # fmt: skip


def area_recall(sums: Sums) -> Floats:
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


AREA_RECALL = Measure(
    Figure(
        "area_recall", "Recall", "", 1,
        "Area recall, A(R ∩ T) / A(T): how much of the truth's area is retrieved. "
        "Undefined where there is no truth.",
    ),
    SumsFormula(area_recall),
    order=20,
)  # fmt: skip


def area_f(sums: Sums) -> Floats:
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


AREA_F = Measure(
    Figure(
        "f", "F", "", 1,
        "(1 + β²) P R / (β² P + R) of area precision P and area recall R: high only if both are "
        "high. 0 if nothing of the truth is retrieved; undefined only if nothing is retrieved "
        "and there is no truth.",
    ),
    SumsFormula(area_f),
    order=30,
)  # fmt: skip


def area_fall_out(sums: Sums) -> Floats:
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


FALL_OUT = Measure(
    Figure(
        "fall_out", "Fall-out", "", -1,
        "A(R outside T) / A(pages outside T): the share of the area outside the truth that is "
        "retrieved.",
    ),
    SumsFormula(area_fall_out),
    order=40,
)  # fmt: skip


def area_generality(sums: Sums) -> Floats:
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


GENERALITY = Measure(
    Figure(
        "generality", "Generality", "", 0,
        "A(T) / A(pages): the share of the pages that is truth; where it is low, high precision "
        "is hard to reach.",
    ),
    SumsFormula(area_generality),
    order=50,
    shown=False,
)  # fmt: skip
