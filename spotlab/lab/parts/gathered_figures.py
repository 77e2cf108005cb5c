"""Figures of queries that were computed one by one, perhaps elsewhere, put together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.measures.figures import defined_queries, means_over_queries
from spotlab.measures.measure import Sums, SumsFormula, known_measures, pooled_sums
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class GatheredFigures:
    """The figures of Q queries; what `spotlab.measures.figures.RunFigures` says of whole lists.

    Attributes
    ----------
    queries : tuple of str
    in_truth : (Q,) bool
        Whether the truth has a region of a query; means and sums go over these.
    columns : mapping of str to (Q,) float
        Each figure by its name, in its unit; NaN where undefined.
    sums : Sums
        (Q,) areas in px² and counts of each query's whole list.
    """

    queries: tuple[str, ...]
    in_truth: NDArray[np.bool_]
    columns: Mapping[str, Floats]
    sums: Sums

    __repr__ = short_repr

    @cached_property
    def mean(self) -> dict[str, float | None]:
        """Each figure's mean over the truth's queries for which it is defined; else None.

        Means are in the unit of the figure, such as a share or px².
        """
        return means_over_queries(self.columns, self.in_truth)

    @cached_property
    def defined(self) -> dict[str, int]:
        """For how many of the truth's queries each figure is defined, by name."""
        return defined_queries(self.columns, self.in_truth)

    @cached_property
    def pooled(self) -> dict[str, float | None]:
        """Each figure of the truth's queries' areas and symbols together, by name.

        In the unit of the figure, such as a share or px²; None if it is undefined, or depends on
        the order of spots.
        """
        together = pooled_sums(self.sums, self.in_truth)
        pooled: dict[str, float | None] = {}
        for measure in known_measures():
            value, formula = math.nan, measure.formula
            if isinstance(formula, SumsFormula):
                value = float(measure.values(partial(formula.compute, together), ()))
            pooled[measure.name] = None if math.isnan(value) else value
        return pooled
