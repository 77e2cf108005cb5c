"""Mean curves over queries with their bands, and points of queries in the plots."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures.curves import central_tendency
from spotlab.measures.figures import RunFigures
from spotlab.representation import short_repr

SAMPLES = 201  # of recall from 0 to 1, or of the lists' lengths
_GRID = np.linspace(0, 1, SAMPLES)
FIGURE_OF = {"precision": "area_precision", "fall_out": "fall_out", "f": "f"}  # what a plot shows


@dataclass(frozen=True, eq=False)
class MeanCurve:
    """A mean and how far the queries lie apart, where both are defined.

    Attributes
    ----------
    x, y, deviation : (G,) float
        Recall, the mean there, and the standard deviation over queries. Never NaN.
    count : (G,) int
        How many queries count there.
    """

    x: Floats
    y: Floats
    deviation: Floats
    count: Ints

    __repr__ = short_repr

    def near(self, recall: float) -> tuple[float, float] | None:
        """The sample nearest to a recall, with the mean there; None without samples."""
        if not len(self.x):
            return None
        at = int(np.argmin(np.abs(self.x - recall)))
        return float(self.x[at]), float(self.y[at])

    def band(self) -> tuple[Floats, Floats]:
        """A closed ring around all within a standard deviation, never below 0."""
        low = np.maximum(self.y - self.deviation, 0.0)
        upper = self.y + self.deviation
        return np.append(self.x, self.x[::-1]), np.append(upper, low[::-1])


def mean_curve(figures: RunFigures, kind: str, by: str = "recall") -> MeanCurve:
    """The mean over the queries that have truth.

    Parameters
    ----------
    figures : RunFigures
    kind : str
        "precision", "fall_out" or "f".
    by : str
        "recall": the mean of what the queries have at the same recall. "threshold", for precision
        only: the means of precision and of recall over lists cut at the same share of their
        lengths (§4.4); a list of which nothing is kept has no precision and is left out there.

    Returns
    -------
    MeanCurve
        Computed once for the same figures.
    """
    _ASKED.setdefault(figures, set()).add((kind, by))
    return _known(figures, kind, by)


def prepare_means(figures: RunFigures, earlier: RunFigures | None = None) -> None:
    """Compute now, where nobody waits, the means that are likely to be asked for.

    Parameters
    ----------
    figures : RunFigures
    earlier : RunFigures, optional
        Of the same run before something changed: what was asked of them is computed. By default,
        the means of all kinds over recall.
    """
    asked = None if earlier is None else _ASKED.get(earlier)
    for kind, by in asked or ((kind, "recall") for kind in FIGURE_OF):
        _known(figures, kind, by)


def _known(figures: RunFigures, kind: str, by: str) -> MeanCurve:
    known = _KNOWN.setdefault(figures, {})
    key = kind, by
    if key not in known:
        known[key] = _computed(figures, kind, by)
    return known[key]


_KNOWN: WeakKeyDictionary[RunFigures, dict[tuple[str, str], MeanCurve]] = WeakKeyDictionary()
_ASKED: WeakKeyDictionary[RunFigures, set[tuple[str, str]]] = WeakKeyDictionary()


def _computed(figures: RunFigures, kind: str, by: str) -> MeanCurve:
    if by == "threshold" and kind == "precision":
        shares = _GRID
        recall, precision = figures.curves.by_threshold(shares)
        part = figures.truth > 0
        reached = central_tendency(shares, recall, part, "drop")
        mean = central_tendency(shares, precision, part, "drop")
        x = reached.mean
    else:
        mean = figures.curves.central(kind, _GRID)
        x = mean.grid
    there = ~np.isnan(x) & ~np.isnan(mean.mean)
    return MeanCurve(x[there], mean.mean[there], mean.deviation[there], mean.count[there])


def queries_reaching(figures: RunFigures, recall: float) -> int:
    """Count the queries with truth that reach a recall.

    Parameters
    ----------
    figures : RunFigures
    recall : float
        In [0, 1].
    """
    last = figures.columns["area_recall"][figures.truth > 0]
    return int((last >= recall - 1e-9).sum())  # sums of areas are not exact


def point_of(kind: str, standing: Mapping[str, float | None]) -> tuple[float, float] | None:
    """Point of figures in a plot; None where recall or the plot's figure is undefined.

    Examples
    --------
    >>> point_of("f", {"area_recall": 0.5, "f": 0.4}), point_of("f", {"area_recall": 0, "f": None})
    ((0.5, 0.4), None)
    """
    x, y = standing.get("area_recall"), standing.get(FIGURE_OF[kind])
    return None if x is None or y is None else (x, y)


def place_of_spot(figures: RunFigures, kind: str, spot: int) -> tuple[float, float] | None:
    """Point of a query in a plot after one of its spots; None where that is undefined."""
    of = {"precision": figures.precision, "fall_out": figures.fall_out, "f": figures.f}
    x, y = float(figures.recall[spot]), float(of[kind][spot])
    return None if math.isnan(x) or math.isnan(y) else (x, y)
