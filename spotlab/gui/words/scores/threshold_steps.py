"""The thresholds that purge one word more, or keep one more, in some of several lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spotlab.arrays import Floats


class ThresholdSteps:
    """All different scores of several lists.

    Parameters
    ----------
    scores : sequence of (K,) float
        Of each list; infinite ones are no thresholds.

    Attributes
    ----------
    lowest, highest : float
        At the lowest every list keeps all, at the highest only the best word is kept.

    Examples
    --------
    >>> steps = ThresholdSteps([np.array([0.9, 0.7]), np.array([0.8])])
    >>> steps.beside(0.75, False), steps.beside(0.7, True), steps.beside(0.75, True)
    (0.7, 0.8, 0.9)
    """

    def __init__(self, scores: Sequence[Floats]) -> None:
        every = np.concatenate([np.zeros(0), *scores])
        self._rising = np.unique(every[np.isfinite(every)])

    def __len__(self) -> int:
        return len(self._rising)

    @property
    def lowest(self) -> float:
        """See the class."""
        return float(self._rising[0])

    @property
    def highest(self) -> float:
        """See the class."""
        return float(self._rising[-1])

    def beside(self, threshold: float, up: bool) -> float:
        """The threshold that purges one more score, or that keeps one more.

        Above the highest score nothing is kept; below the lowest nothing changes any more.
        """
        rising = self._rising
        kept = int(np.searchsorted(rising, threshold, side="left"))  # the lowest score that stays
        if not up:
            return float(rising[kept - 1]) if kept > 0 else threshold
        if kept + 1 < len(rising):
            return float(rising[kept + 1])
        return float(np.nextafter(rising[-1], np.inf)) if kept < len(rising) else threshold
