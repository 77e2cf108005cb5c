"""Hu's invariants, and a scale on which their differences mean something."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.spotting.symbols.drawing.shape_moments import ShapeMoments

TINY = 1e-12


def hu_invariants(moments: ShapeMoments) -> Floats:
    """Compute Hu's invariants φ1 to φ7.

    Parameters
    ----------
    moments : ShapeMoments
        Of P contours.

    Returns
    -------
    (P, 7) float

    Notes
    -----
    With complex moments they are, after Hu (1962), eq. 59: φ1 = c11, φ2 = |c20|², φ3 = |c30|²,
    φ4 = |c21|², φ5 = Re(c30 conj(c21)³), φ6 = Re(c20 conj(c21)²), φ7 = Im(c30 conj(c21)³).
    Mirroring changes the sign of φ7 alone.

    References
    ----------
    Hu (1962), "Visual pattern recognition by moment invariants", IRE Trans. on Information Theory
    8, eq. 59; Flusser (2000), "On the independence of rotation moment invariants", Pattern
    Recognition 33.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.spotting.symbols.drawing.shape_moments import line_moments
    >>> square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    >>> (hu_invariants(line_moments(square)) * 48).round(9).tolist()
    [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    """
    c11, c20, c21, c30 = moments
    product = c30 * c21.conj() ** 3
    return np.stack(
        [
            c11,
            np.abs(c20) ** 2,
            np.abs(c30) ** 2,
            np.abs(c21) ** 2,
            product.real,
            (c20 * c21.conj() ** 2).real,
            product.imag,
        ],
        axis=1,
    )


def comparable_invariants(invariants: Floats, circle: float) -> Floats:
    """Rescale Hu's invariants to a similar size, on which noise of the contour is even.

    Raw, they differ by orders of magnitude, and all of them grow without end for thin shapes. With
    σ = √φ1 as the unit of length, each of the others is a plain number, of the degree of which the
    root is taken; φ5, φ6 and φ7, in which several moments meet, are divided by them instead of
    having a root that would be infinitely steep at 0:

    1. ln(φ1 / φ1 of a circle), the only one without an upper limit,
    2. √φ2 / φ1, from 0 (round) to 1 (a line),
    3. √φ3 / φ1^1.5,
    4. √φ4 / φ1^1.5, the skewness,
    5. φ5 / (φ3 + φ4)^1.5 / φ1^1.5,
    6. φ6 / φ1⁴ / (√φ2 / φ1 + √φ4 / φ1^1.5)²,
    7. \\|φ7\\| / (φ3 + φ4)^1.5 / φ1^1.5, without the sign, which mirroring changes.

    Parameters
    ----------
    invariants : (P, 7) float
        φ1 above 0.
    circle : float
        φ1 of a circle.

    Returns
    -------
    (P, 7) float
        5, 6 and 7 are 0 where what they are divided by is.

    Examples
    --------
    >>> comparable_invariants(np.array([[0.5, 0.25, 0, 0, 0, 0, 0]]), circle=0.5)[0, :2]
    array([0., 1.])
    """
    first = invariants[:, 0]
    skewness = first**1.5
    axes = np.sqrt(invariants[:, 1]) / first
    skewed = np.sqrt(invariants[:, 2:4]) / skewness[:, None]
    both = (invariants[:, 2] + invariants[:, 3]) ** 1.5 * skewness
    mixed = first**4 * (axes + skewed[:, 1]) ** 2
    return np.column_stack(
        [
            np.log(first / circle),
            axes,
            skewed,
            _share(invariants[:, 4], both),
            _share(invariants[:, 5], mixed),
            np.abs(_share(invariants[:, 6], both)),
        ]
    )


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > TINY)
