"""Symbols, and how many of them are recognised (Rusiñol & Lladós 2009, §4.3 and eq. 12)."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.measures.area import ratio
from spotlab.measures.measure import Figure, Measure, Sums, SumsFormula


def symbols(sums: Sums) -> Floats:
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


SYMBOLS = Measure(
    Figure("symbols", "Symbols", "count", 0, "How many truth regions there are."),
    SumsFormula(symbols),
    order=100,
    shown=False,
)


def recognised(sums: Sums) -> Floats:
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


RECOGNISED = Measure(
    Figure(
        "recognised", "Recognised", "count", 1,
        "How many truth regions have at least the share t of their area retrieved.",
        threshold="recognised",
    ),
    SumsFormula(recognised),
    order=110,
    shown=False,
)  # fmt: skip


def recognition_rate(sums: Sums) -> Floats:
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


RECOGNITION_RATE = Measure(
    Figure(
        "recognition_rate",
        "Recognition rate",
        "%",
        1,
        "Recognised regions / all truth regions.",
        threshold="recognised",
    ),
    SumsFormula(recognition_rate),
    order=120,
)


def false_positives(sums: Sums) -> Floats:
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


FALSE_POSITIVES = Measure(
    Figure(
        "false_positives", "False positives", "count", -1,
        "How many spots overlap no recognised region of their query; its mean is AveFP.",
        threshold="recognised",
    ),
    SumsFormula(false_positives),
    order=130,
)  # fmt: skip
