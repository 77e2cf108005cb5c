"""What a measure is: a figure, and how it is computed per query, pooled and on drawn pages.

A measure is one file of `spotlab.measures.definitions`, or a value that another package offers by
an entry point of that name. All tables, files and reports show it; nothing else names it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats
from spotlab.measures.figure import Figure
from spotlab.measures.ranked_lists import DrawnList, RankedLists
from spotlab.measures.sums import Sums
from spotlab.registry import discover, guarded

# keys that stand beside the figures in files
TAKEN = frozenset({"average_precision", "best_f", "curve", "cut", "errors", "query", "run"})


@dataclass(frozen=True)
class SumsFormula:
    """A formula of summed areas and counts, which is the same in all its forms.

    Attributes
    ----------
    compute : callable
        ``compute(sums) -> float array`` of the shape of the sums, NaN where undefined. It is called
        with the sums of whole lists and of cut lists (per query), of all queries together (pooled)
        and of drawn pages (resampled).
    """

    compute: Callable[[Sums], Floats]


@dataclass(frozen=True)
class RankingFormula:
    """A formula that depends on the order of spots, with a function for each of its forms.

    Attributes
    ----------
    per_query : callable
        ``per_query(lists) -> (Q,) float``, NaN where undefined.
    resampled : callable
        ``resampled(drawn) -> (D,) float``: of one query on D draws of pages, NaN where undefined.
    pooled : callable or None
        ``pooled(lists) -> float``; None for a measure that has no pooled form, because the lists of
        different queries have no common order.
    """

    per_query: Callable[[RankedLists], Floats]
    resampled: Callable[[DrawnList], Floats]
    pooled: Callable[[RankedLists], float] | None


@dataclass(frozen=True)
class Measure:
    """A measure of runs.

    Attributes
    ----------
    figure : Figure
        Its name, title, unit and definition.
    formula : SumsFormula or RankingFormula
        How it is computed per query, pooled and on drawn pages.
    order : int
        Its place in tables, in increasing order; those of other packages come last by default.
    shown : bool
        Whether tables that have to be narrow show it until somebody chooses their columns.

    Raises
    ------
    TypeError
        The figure or the formula is something else.

    Examples
    --------
    A measure that another package offers as the entry point ``miss_rate = "my_package:MISS_RATE"``
    of the group ``spotlab.measures.definitions``:

    >>> from spotlab.measures.area import ratio
    >>> MISS_RATE = Measure(
    ...     Figure("miss_rate", "Miss rate", "%", -1, "Missed regions / all truth regions."),
    ...     SumsFormula(lambda sums: ratio(100 * (sums.symbols - sums.recognised), sums.symbols)))
    >>> MISS_RATE.name
    'miss_rate'
    """

    figure: Figure
    formula: SumsFormula | RankingFormula
    order: int = 1000
    shown: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.figure, Figure):
            raise TypeError(f"a measure has a Figure, not {self.figure!r}")
        if not isinstance(self.formula, SumsFormula | RankingFormula):
            raise TypeError(
                f"a measure has a SumsFormula or a RankingFormula, not {self.formula!r}"
            )

    @property
    def name(self) -> str:
        """The figure's name."""
        return self.figure.name

    def values(self, compute: Callable[[], ArrayLike], shape: tuple[int, ...]) -> Floats:
        """Call a function of the formula.

        Parameters
        ----------
        compute : callable
            Computes the values, without arguments.
        shape : tuple of int
            The shape that they have to have.

        Returns
        -------
        ndarray of float
            Of this shape; NaN everywhere if the measure is another package's and fails, which
            `registry.problems` then tells.

        Raises
        ------
        ValueError
            A measure of spotlab itself returns another shape.

        Examples
        --------
        >>> known_measures()[0].values(lambda: [0.5, 1.0], (2,)).tolist()
        [0.5, 1.0]
        """
        values: Floats | None = guarded(self, lambda: _shaped(compute(), shape))
        return np.full(shape, np.nan) if values is None else values


def known_measures() -> tuple[Measure, ...]:
    """All measures in the order of tables: those of spotlab, and those of other packages."""
    measures = discover("spotlab.measures.definitions", Measure, TAKEN)
    return tuple(sorted(measures.values(), key=lambda measure: measure.order))


def known_figures() -> tuple[Figure, ...]:
    """The figures of all measures in the order of tables."""
    return tuple(measure.figure for measure in known_measures())


def default_figures() -> tuple[Figure, ...]:
    """The figures that tables show until somebody chooses their columns."""
    return tuple(measure.figure for measure in known_measures() if measure.shown)


def _shaped(values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    array = np.asarray(values, np.float64)
    if array.shape != shape:
        raise ValueError(f"values of shape {array.shape}, expected {shape}")
    return array
