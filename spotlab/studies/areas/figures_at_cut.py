"""What a run has where its lists are cut: the figures of each query, and their means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures.figures import RunFigures
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class FiguresAtCut:
    """Figures of a run whose lists end somewhere.

    Attributes
    ----------
    counts : (Q,) int
        How many spots each query keeps.
    whole : bool
        Whether that is all of them.
    per_query : dict of str to (Q,) float
        By the measure's name; NaN where undefined. Measures of whole rankings, such as average
        precision, have no value at a cut: they are there only where nothing is cut.
    """

    figures: RunFigures
    counts: Ints
    whole: bool
    per_query: Mapping[str, Floats]

    __repr__ = short_repr

    @property
    def kept(self) -> int:
        """How many spots all queries keep together."""
        return int(self.counts.sum())

    def mean(self, name: str) -> float:
        """The mean of a measure over the truth's queries where it is defined; NaN without any."""
        column = self.per_query[name][self.figures.in_truth]
        defined = column[~np.isnan(column)]
        return float(defined.mean()) if len(defined) else np.nan


def figures_at_cut(figures: RunFigures, counts: Ints) -> FiguresAtCut:
    """What a run has if each query keeps only its first spots.

    Parameters
    ----------
    figures : RunFigures
    counts : (Q,) int
        How many spots each query keeps.
    """
    whole = bool((counts >= np.diff(figures.tally.starts)).all())
    per_query = figures.columns if whole else figures.at(counts)
    return FiguresAtCut(figures, counts, whole, per_query)
