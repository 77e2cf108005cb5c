"""Curves over recall, or over the decision threshold, of every query of a run, and their mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures import area
from spotlab.measures.central import CentralCurve, central_tendency, places_by_threshold
from spotlab.measures.ranked_lists import RankedLists
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class RecallCurves:
    """The curves of Q queries; N spots are in order of query and rank.

    Attributes
    ----------
    lists : RankedLists
        Area precision and area recall after each spot.
    fall_out : (N,) float
        Fall-out of a list that ends after each spot, as a share; NaN where undefined.
    truth : (Q,) float
        A(T) of each query in px².
    """

    lists: RankedLists
    fall_out: Floats
    truth: Floats

    __repr__ = short_repr

    def sampled_precision(self, grid: Floats) -> Floats:
        """P_A(r): precision at the first rank where recall reaches r.

        Parameters
        ----------
        grid : (G,) float
            Recalls r in [0, 1].

        Returns
        -------
        (Q, G) float
            Shares; NaN beyond the final recall.

        Notes
        -----
        Rusiñol & Lladós (2009), §3.2 and eq. 10.
        """
        return area.sample(self.lists.precision, self._reaching(grid))

    def sampled_fall_out(self, grid: Floats) -> Floats:
        """Fall-out at the first rank where recall reaches r.

        Parameters
        ----------
        grid : (G,) float
            Recalls r in [0, 1].

        Returns
        -------
        (Q, G) float
            Shares; NaN beyond the final recall.

        Notes
        -----
        Rusiñol & Lladós (2009), eq. 11.
        """
        return area.sample(self.fall_out, self._reaching(grid))

    def sampled_f(self, grid: Floats) -> Floats:
        """F_A^β(r), from P_A(r) and r itself.

        Parameters
        ----------
        grid : (G,) float
            Recalls r in [0, 1].

        Returns
        -------
        (Q, G) float
            Shares; 0 where both are 0, NaN beyond the final recall.

        Notes
        -----
        Rusiñol & Lladós (2009), eq. 10.
        """
        precision, square = self.sampled_precision(grid), self.lists.settings.beta**2
        f = area.ratio((1 + square) * precision * grid, square * precision + grid)
        return np.where((precision == 0) & (grid == 0), 0.0, f)

    def central(self, kind: str, grid: Floats) -> CentralCurve:
        """The mean over queries of a curve over recall.

        Parameters
        ----------
        kind : {"precision", "fall_out", "f"}
            Which curve.
        grid : (G,) float
            Recalls in [0, 1].

        Returns
        -------
        CentralCurve
            Of shape (G,); queries without truth take no part.

        Notes
        -----
        `MeasureSettings.missing` says how a query that never reaches a recall enters the mean.
        "drop" leaves it out. "zero" counts it as 0 in precision and F. In fall-out, where 0 would
        be good, it counts with the fall-out of its whole list: each list is read until it reaches
        the recall, or to its end. That mean never falls, nor does it jump because few queries
        remain. A query without spots has no fall-out at any recall.
        """
        samplers = {
            "precision": self.sampled_precision,
            "fall_out": self.sampled_fall_out,
            "f": self.sampled_f,
        }
        samples, missing = samplers[kind](grid), self.lists.settings.missing
        if kind == "fall_out" and missing == "zero":
            at_end = area.sample(self.fall_out, self.lists.last[:, None])
            samples, missing = np.where(np.isnan(samples), at_end, samples), "drop"
        return central_tendency(grid, samples, self.truth > 0, missing)

    def by_threshold(self, quantiles: Floats) -> tuple[Floats, Floats]:
        """Recall and precision of lists that are cut at quantiles of their lengths.

        Parameters
        ----------
        quantiles : (G,) float
            Shares of the lists that are kept, in [0, 1].

        Returns
        -------
        recall, precision : (Q, G) float
            Shares. Where nothing is kept recall is 0 (NaN without truth) and precision is NaN.
        """
        places = places_by_threshold(self.lists.tally.starts, quantiles)
        nothing = np.where(self.truth > 0, 0.0, np.nan)[:, None]
        recall = np.where(places >= 0, area.sample(self.lists.recall, places), nothing)
        return recall, area.sample(self.lists.precision, places)

    def _reaching(self, grid: Floats) -> Ints:
        """(Q, G) the spot at which each query reaches each recall; found once for each grid."""
        grid = np.asarray(grid, np.float64)
        key = grid.tobytes()
        if key not in self._known_places:
            self._known_places[key] = self._find_places(grid)
        return self._known_places[key]

    @cached_property
    def _known_places(self) -> dict[bytes, Ints]:
        return {}

    def _find_places(self, grid: Floats) -> Ints:
        tally = self.lists.tally
        places = area.first_reaching(self.lists.recall, tally.starts, grid)
        if tally.ignored is None:
            return places
        # recall 0 is reached by the first spot outside ignored area: before it nothing is retrieved
        first = self.lists.first_counted[:, None]
        return np.where((places < 0) | (first < 0), -1, np.maximum(places, first))
