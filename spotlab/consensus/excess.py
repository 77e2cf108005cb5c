"""How far the systems of a group agree beyond what their accuracy explains.

Two systems that err independently agree because both follow the truth: their votes correlate by
φ_ij = λ_i λ_j, where λ_i is the correlation of system i with the truth (Spearman's one-factor
model, 1904). The λ are fitted by least squares to pairs of different groups only (minimum
residuals, Harman & Jones 1966), and predict φ within a group. A group that shares errors lies
above that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.agreement import Agreement

ROUNDS = 200
STILL = 1e-9
FEWEST_GROUPS = 3  # with two, only the product of their λ would be known


def excess_agreement(agreement: Agreement, label: Ints) -> tuple[Floats, Floats]:
    """Mean agreement within every group, observed and expected from accuracy alone.

    Parameters
    ----------
    agreement : Agreement
        Agreement of S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.

    Returns
    -------
    observed : (G,) float
        Mean φ over the pairs of a group, in [-1, 1]; NaN for a group of one, or where no φ is
        known.
    expected : (G,) float
        Mean λ_i λ_j over the same pairs; NaN also if there are fewer than three groups, which leave
        λ undetermined.

    Notes
    -----
    Spearman (1904), fitted as in Harman & Jones (1966).

    Examples
    --------
    >>> phi = np.full((6, 6), 0.36)
    >>> phi[:2, :2] = phi[2:4, 2:4] = phi[4:, 4:] = 0.5
    >>> phi[:2, :2] = 0.9
    >>> agreement = Agreement(tuple("abcdef"), phi, phi, np.full((6, 6), 100.0))
    >>> observed, expected = excess_agreement(agreement, np.array([0, 0, 1, 1, 2, 2]))
    >>> observed.round(2).tolist(), expected.round(2).tolist()
    ([0.9, 0.5, 0.5], [0.36, 0.36, 0.36])
    """
    label = np.asarray(label, np.int64)
    groups = int(label.max()) + 1 if len(label) else 0
    same = label[:, None] == label
    known = ~np.isnan(agreement.phi)
    strength = _strength(agreement.phi, known & ~same) if groups >= FEWEST_GROUPS else None
    pairs = known & same & ~np.eye(len(label), dtype=bool)
    observed, expected = np.full((2, groups), np.nan)
    for group in range(groups):
        within = pairs & (label == group)
        if within.any():
            observed[group] = agreement.phi[within].mean()
            if strength is not None:
                expected[group] = np.outer(strength, strength)[within].mean()
    return observed, expected


def _strength(phi: Floats, counted: NDArray[np.bool_]) -> Floats:
    """λ from the pairs that count, (S,); 0 where nothing is known of a system."""
    values, weight = np.where(counted, phi, 0.0), counted.astype(np.float64)
    strength = np.full(len(phi), 0.5)
    for _ in range(ROUNDS):
        divisor = weight @ strength**2
        wanted = np.divide(
            values @ strength, divisor, out=np.zeros(len(phi)), where=divisor > 1e-12
        )
        after = (strength + np.clip(wanted, -1.0, 1.0)) / 2  # damped, or two groups would swing
        if np.abs(after - strength).max(initial=0.0) < STILL:
            break
        strength = after
    return strength
