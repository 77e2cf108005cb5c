"""Curves of queries over recall or the decision threshold, their mean, and average area precision.

Average area precision with three normalisers (Rusiñol & Lladós 2009, eqs. 2 and 8).

Eq. 8 is printed with the number of retrieved regions, eq. 2 with the number of relevant ones, and
the text averages over the truncations at overlapping regions. The paper does not settle which one
its tables use, so all three are reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures import area
from spotlab.measures.area import ratio
from spotlab.measures.measure import Missing, RankedLists
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class CentralCurve:
    """A mean curve, and how far the single curves are from it.

    Attributes
    ----------
    grid : (G,) float
        Where the curves were sampled, usually recalls in [0, 1].
    mean, deviation : (G,) float
        Mean and population standard deviation over queries, in the unit of the samples; NaN
        where no query counts.
    count : (G,) int
        How many queries count.
    """

    grid: Floats
    mean: Floats
    deviation: Floats
    count: Ints

    __repr__ = short_repr


def central_tendency(
    grid: Floats,
    samples: Floats,
    takes_part: NDArray[np.bool_] | None = None,
    missing: Missing = "zero",
) -> CentralCurve:
    """Mean and standard deviation over queries at each sample.

    Parameters
    ----------
    grid : (G,) float
        Where the curves were sampled, usually recalls in [0, 1].
    samples : (Q, G) float
        One curve per query; NaN where a curve does not reach a sample.
    takes_part : (Q,) bool, optional
        Queries that take part; by default those with at least one defined sample.
    missing : {"zero", "drop"}
        How a query that never reaches a sample enters the mean: as 0, so that missing recall
        costs, or left out.

    Returns
    -------
    CentralCurve
        NaN where no query counts. The deviation is that of the population.

    Notes
    -----
    Rusiñol & Lladós (2009), §3.6.

    Examples
    --------
    >>> samples = np.array([[1.0, 0.5], [1.0, np.nan]])
    >>> central_tendency(np.array([0.5, 1.0]), samples).mean.tolist()
    [1.0, 0.25]
    >>> central_tendency(np.array([0.5, 1.0]), samples, missing="drop").mean.tolist()
    [1.0, 0.5]
    """
    part = ~np.isnan(samples).all(axis=1) if takes_part is None else np.asarray(takes_part, bool)
    chosen = samples[part]
    there = ~np.isnan(chosen)
    chosen = np.where(there, chosen, 0.0)
    drop = missing == "drop"
    count = there.sum(axis=0) if drop else np.full(samples.shape[1], len(chosen))
    divisor = np.where(count > 0, count, np.nan)
    mean = chosen.sum(axis=0) / divisor
    squares = (chosen - mean) ** 2
    spread = (np.where(there, squares, 0.0) if drop else squares).sum(axis=0)
    return CentralCurve(grid, mean, np.sqrt(spread / divisor), count)


def places_by_threshold(starts: Ints, quantiles: Floats) -> Ints:
    """The last spot that each query keeps at each quantile of its ranked list.

    Parameters
    ----------
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    quantiles : (G,) float
        Shares of the list that are kept, in [0, 1].

    Returns
    -------
    (Q, G) int
        Places of spots; -1 where a query keeps none.

    Notes
    -----
    The decision threshold of Rusiñol & Lladós (2009), §3.6, on one scale for lists of all
    lengths: at quantile t a query keeps the first ⌈t · n⌉ of its n spots.

    Examples
    --------
    >>> places_by_threshold(np.array([0, 4, 4]), np.array([0.0, 0.5, 1.0])).tolist()
    [[-1, 1, 3], [-1, -1, -1]]
    """
    lengths = np.diff(starts)[:, None]
    kept = np.ceil(quantiles[None, :] * lengths - 1e-9).astype(np.int64)
    places: Ints = np.where(kept > 0, starts[:-1, None] + kept - 1, -1)
    return places


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


def average_precision(
    precision: Floats,
    hit: NDArray[np.bool_],
    starts: Ints,
    symbols: Ints,
    *,
    retrieved: Ints | None = None,
) -> dict[str, Floats]:
    """Average area precision of every query, Σ_n P_A@n · r(n) / N.

    Parameters
    ----------
    precision : (N,) float
        P_A@n, a share in [0, 1]; the spots of one query stand together, in rank order.
    hit : (N,) bool
        r(n): whether the n-th spot overlaps some truth region of its query.
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    symbols : (Q,) int
        How many truth regions each query has.
    retrieved : (Q,) int, optional
        How many spots each query has that do not lie in ignored area only; by default all.

    Returns
    -------
    dict of str to (Q,) float
        ``retrieved``: N is the number of spots (eq. 8 as printed). ``relevant``: N is the number
        of truth regions (eq. 2). ``hits``: N is the number of spots with r(n) = 1 (the text).
        NaN where N is 0.

    Notes
    -----
    Rusiñol & Lladós (2009), eqs. 2 and 8. ``relevant`` can pass 1 where several spots overlap
    one region.

    Examples
    --------
    >>> values = average_precision(np.array([1.0, 0.5, 0.6]), np.array([True, False, True]),
    ...                            np.array([0, 3]), np.array([4]))
    >>> {name: round(float(of_queries[0]), 3) for name, of_queries in values.items()}
    {'retrieved': 0.533, 'relevant': 0.4, 'hits': 0.8}
    """
    query = np.repeat(np.arange(len(symbols)), np.diff(starts))
    weighted = np.where(hit, np.nan_to_num(precision), 0.0)  # a hit has area, so P is defined there
    sums = np.bincount(query, weighted, len(symbols))
    hits = np.bincount(query[hit], minlength=len(symbols))
    return {
        "retrieved": ratio(sums, np.diff(starts) if retrieved is None else retrieved),
        "relevant": ratio(sums, symbols),
        "hits": ratio(sums, hits),
    }
