"""Method b: Hu's seven geometric invariants of the area inside a contour."""

from __future__ import annotations

import numpy as np

from spotlab.spotting.symbols.descriptor import Descriptor, Features
from spotlab.spotting.symbols.primitives import Primitives
from spotlab.spotting.symbols.shape_moments import area_moments, hu_invariants

DEGREES = np.array([1, 2, 2, 2, 4, 3, 4])  # of the invariants in the moments
UNIT = 0.02  # moments below are compared by difference, above by ratio
SPREAD = 1.0


def hu_features(primitives: Primitives) -> Features:
    """Hu's invariants on a scale that is linear near 0 and logarithmic far from it.

    Returns
    -------
    (P, 7) float
        asinh of each invariant's root by its degree; the seventh without its sign, which
        mirroring changes.
    """
    found = hu_invariants(area_moments(primitives.contours))
    found[:, 6] = np.abs(found[:, 6])
    roots = np.sign(found) * np.abs(found) ** (1 / DEGREES)
    return np.asarray(np.arcsinh(roots / UNIT) / SPREAD)


HU = Descriptor(
    name="b",
    title="Hu invariants",
    definition="Hu's seven moment invariants of the area inside a contour.",
    describe=hu_features,
    radius=0.6,
)
