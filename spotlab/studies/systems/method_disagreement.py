"""Where two methods that judge the same systems disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.consensus.comparison import kendall
from spotlab.studies.systems.method_results import MethodResult


@dataclass(frozen=True)
class Disagreement:
    """Two methods compared.

    Attributes
    ----------
    first, second : MethodResult
        Their results.
    kendall : float or None
        Rank correlation of their F, in [-1, 1].
    turned, pairs : int
        Number of pairs of systems that they order differently, and that both order.
    system : int or None
        Index of the system whose rank differs most; None if none differs.
    """

    first: MethodResult
    second: MethodResult
    kendall: float | None
    turned: int
    pairs: int
    system: int | None

    def sentence(self, systems: Sequence[str]) -> str:
        """Describe the disagreement.

        Parameters
        ----------
        systems : sequence of str
            Names of the systems.

        Returns
        -------
        str
            One sentence.
        """
        names = f"{self.first.title} and {self.second.title}"
        if not self.pairs:
            return f"{names} have no pair of systems in common to rank."
        if self.system is None:
            return f"{names} rank all systems alike."
        ranks = [method.figures.rank[self.system] for method in (self.first, self.second)]
        tau = "" if self.kendall is None else f" (τ {self.kendall:.2f})".replace("-", "−")
        return (
            f"{names} order {self.turned:,} of {self.pairs:,} pairs differently{tau}; the largest "
            "difference in rank is that of "
            f"{systems[self.system]}, rank {ranks[0]:.0f} and {ranks[1]:.0f}."
        )


def disagreements(methods: Sequence[MethodResult]) -> tuple[Disagreement, ...]:
    """Compare each pair of methods.

    Parameters
    ----------
    methods : sequence of MethodResult
        Results for the same systems.

    Returns
    -------
    tuple of Disagreement
        Empty for fewer than two methods.

    Examples
    --------
    >>> from spotlab.consensus.figures import SystemFigures
    >>> one, other = (MethodResult(name, name, "", "", SystemFigures(*[np.array(f)] * 3))
    ...               for name, f in (("x", [0.9, 0.5, 0.4]), ("y", [0.3, 0.5, 0.4])))
    >>> disagreements([one, other])[0].sentence("abc").partition(";")[0]
    'x and y order 2 of 3 pairs differently (τ −0.33)'
    """
    return tuple(
        _beside(one, other) for place, one in enumerate(methods) for other in methods[place + 1 :]
    )


def _beside(one: MethodResult, other: MethodResult) -> Disagreement:
    first, second = one.figures.rank, other.figures.rank
    above = np.sign(first[:, None] - first), np.sign(second[:, None] - second)
    upper = np.triu(np.ones(above[0].shape, bool), 1)
    ordered = upper & (np.abs(above[0] * above[1]) == 1)  # a tie orders nothing; NaN neither
    turned = ordered & (above[0] != above[1])
    moved = np.nan_to_num(np.abs(first - second))
    most = int(moved.argmax()) if len(moved) and moved.any() else None
    return Disagreement(
        one, other, kendall(one.figures.f, other.figures.f), int(turned.sum()),
        int(ordered.sum()), most,
    )  # fmt: skip
