"""The exact curves of queries over recall, one point a spot, and how few points draw the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures.area import ratio
from spotlab.measures.figures import ListFigures

KINDS = ("precision", "fall_out", "f")
MANY = 100_000  # points, of which fewer are looked at where a range of recall is wide
EVERY = 128  # points of F(r) from recall 0 to 1
FINE = 8192  # columns that recall from 0 to 1 has then


@dataclass(frozen=True, eq=False)
class Polylines:
    """Curves of one kind, one for each query that has one.

    Attributes
    ----------
    x, y : (M,) float
        Recall, and what is drawn over it; x does not fall within a curve. Never NaN.
    spot : (M,) int
        Place in the tally of the spot after which the query stands there.
    starts : (C + 1,) int
        Where each curve's points begin and end.
    """

    x: Floats
    y: Floats
    spot: Ints
    starts: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    def curve_of(self, point: int) -> int:
        """The curve of a point."""
        return int(np.searchsorted(self.starts, point, side="right")) - 1

    def alone(self, curve: int) -> Polylines:
        """One of the curves."""
        part = slice(int(self.starts[curve]), int(self.starts[curve + 1]))
        x, y, spot = self.x[part], self.y[part], self.spot[part]
        return Polylines(x, y, spot, np.array([0, len(x)]))

    def joined(self) -> tuple[Floats, Floats]:
        """All curves in one line of points, with NaN between two of them."""
        return _joined(self.x, self.y, self._curve())

    def thinned(self, low: float, high: float, columns: int) -> tuple[Floats, Floats]:
        """Points that look the same where recall from low to high is this many columns wide.

        Of the points that a curve has in a column the first, lowest, highest and last stay (the
        "M4" aggregation, Jugel et al., VLDB 2014), so that nothing that stands out is lost. Beyond
        the range only the nearest point on either side stays, to which the line leads.

        Parameters
        ----------
        low, high : float
            low < high.
        columns : int

        Returns
        -------
        x, y : (K,) float
            With NaN between two curves.

        Examples
        --------
        >>> x = np.linspace(0, 1, 10_001)
        >>> many = Polylines(x, np.sin(50 * x), np.arange(10_001), np.array([0, 10_001]))
        >>> len(many.thinned(0, 1, 100)[0]) < 410
        True
        """
        if self.starts[-1] <= 2 * columns:
            return self.joined()
        if self.finest is not None and 4 * columns <= FINE * (high - low):
            return self.finest.thinned(low, high, columns)
        x, y, curve = self._kept(low, high, columns)
        return _joined(x, y, curve)

    @cached_property
    def finest(self) -> Polylines | None:
        """Points that look the same in a few columns; None where that saves nothing."""
        if self.starts[-1] <= MANY or self.x.max() > 1:
            return None
        finest = self.kept_points()
        return finest if len(finest.x) < len(self.x) / 2 else None

    def kept_points(self) -> Polylines:
        """The points that look the same in a few columns; their spots are not told."""
        x, y, curve = self._kept(0.0, 1.0, FINE)
        starts = np.searchsorted(curve, np.arange(len(self) + 1))
        return Polylines(x, y, np.zeros(0, np.int64), starts)

    def _kept(self, low: float, high: float, columns: int) -> tuple[Floats, Floats, Ints]:
        """The points that stay, and the curve of each."""
        column = np.floor((self.x - low) * (columns / (high - low)))
        column = np.clip(column, -1, columns - 1).astype(np.int64)
        column[self.x > high] = columns
        of_point = self._curve()
        key = of_point * (columns + 2) + column
        first = np.flatnonzero(np.diff(key, prepend=-2))
        last = np.append(first[1:], len(key)) - 1
        size = last - first + 1
        x, y = np.empty((2, len(first), 4))
        x[:, :3], x[:, 3] = self.x[first, None], self.x[last]
        y[:, 0], y[:, 3] = self.y[first], self.y[last]
        y[:, 1] = np.minimum.reduceat(self.y, first)
        y[:, 2] = np.maximum.reduceat(self.y, first)
        kept = np.ones((len(first), 4), np.bool_)
        kept[:, 1:3] = (size > 2)[:, None]
        kept[:, 3] = size > 1
        kept[column[first] < 0, :3] = False
        kept[column[first] < 0, 3] = True
        kept[column[first] == columns, 1:] = False
        curve = np.broadcast_to(of_point[first, None], kept.shape)
        return x[kept], y[kept], curve[kept]

    def _curve(self) -> Ints:
        """(M,) the curve of each point."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


class _Spots:
    """The spots of the points of some curves, put together when they are asked for.

    Parameters
    ----------
    spot : (M,) int
        The spot of each point; that of a curve's first point comes twice.
    starts : (C + 1,) int
        Where the points of each curve begin and end.
    """

    def __init__(self, spot: Ints, starts: Ints) -> None:
        self.starts, self.first = starts, spot[starts[:-1]]
        if not np.array_equal(spot, self._gapless()):
            vars(self)["spot"] = spot

    @cached_property
    def spot(self) -> Ints:
        """(M,) the spot of each point."""
        return self._gapless()

    def now(self) -> Ints:
        """The same, not kept where it is not yet."""
        known: Ints | None = vars(self).get("spot")
        return self._gapless() if known is None else known

    def _gapless(self) -> Ints:
        """The spots where none is left out within a curve."""
        before = self.first - self.starts[:-1] - 1
        spot = np.arange(self.starts[-1]) + np.repeat(before, np.diff(self.starts))
        spot[self.starts[:-1]] = self.first
        return spot


class _Recall:
    """The recall of the points of all curves, put together when it is asked for."""

    def __init__(self, spots: _Spots, recall: Floats) -> None:
        self.spots, self._recall = spots, recall

    @cached_property
    def x(self) -> Floats:
        """(M,) the recall of each point."""
        return self.at(self.spots.spot)

    def at(self, spot: Ints) -> Floats:
        """The recall of points with these spots."""
        x = self._recall[spot]
        x[self.spots.starts[:-1]] = 0.0
        return x


class LatePolylines(Polylines):
    """The curves of a run, whose points are put together when somebody looks closely.

    There is one for each spot, while a few draw the same.
    """

    def __init__(self, recall: _Recall, values: Floats, kind: str) -> None:
        self.recall: _Recall
        self.values: Floats
        vars(self).update(
            recall=recall, values=values, begins_at_0=kind != "precision",
            starts=recall.spots.starts,
        )  # fmt: skip

    @cached_property
    def x(self) -> Floats:
        """(M,) recall."""
        return self.recall.x

    @cached_property
    def y(self) -> Floats:
        """(M,) what is drawn over it."""
        return self._at(self.spot)

    @cached_property
    def spot(self) -> Ints:
        """(M,) the spot of each point."""
        return self.recall.spots.spot

    @cached_property
    def finest(self) -> Polylines | None:
        """Points that look the same in a few columns; see `Polylines.finest`."""
        if self.starts[-1] <= MANY:
            return None
        spot = self.recall.spots.now()
        return Polylines(self.recall.at(spot), self._at(spot), spot, self.starts).finest

    def _at(self, spot: Ints) -> Floats:
        y = self.values[spot]
        if vars(self)["begins_at_0"]:
            y[self.starts[:-1]] = 0.0
        return y


def polylines(figures: ListFigures, kind: str, query: str | None = None) -> Polylines:
    """The curves of all queries, or of one.

    A curve begins at recall 0: precision as it is after the first spot, since P_A(r) there is that
    of the first rank that reaches r; fall-out and F at 0, where nothing is retrieved. Points where
    recall or the other figure is undefined are left out, and with them queries without truth.

    Parameters
    ----------
    figures : ListFigures
    kind : str
        "precision", "fall_out" or "f".
    query : str, optional
        A query that the run does not know has no curve.

    Returns
    -------
    Polylines
        Those of all queries are computed once for the same figures.
    """
    values = {"precision": figures.precision, "fall_out": figures.fall_out, "f": figures.f}[kind]
    if query is not None:
        lines = _of_query(figures, values, kind, query)
        return _f_between_ranks(figures, lines) if kind == "f" and len(lines) else lines
    known = _KNOWN.setdefault(figures, {})
    if kind not in known:
        known[kind] = _of_all(figures, values, kind)
    return known[kind]


def _of_query(figures: ListFigures, values: Floats, kind: str, query: str) -> Polylines:
    if query not in figures.tally.queries:
        return _NOTHING
    number = figures.tally.queries.index(query)
    spot, starts = _points(figures, values, *figures.tally.starts[number : number + 2].tolist())
    x, y = figures.recall[spot], values[spot]
    x[starts[:-1]] = 0.0
    if kind != "precision":
        y[starts[:-1]] = 0.0
    return Polylines(x, y, spot, starts)


def _f_between_ranks(figures: ListFigures, lines: Polylines) -> Polylines:
    """F(r) of one query also between the recalls of its ranks.

    Up to the recall of a rank, precision is that of this rank, and F grows with r: a curve, not a
    straight line (Rusiñol & Lladós 2009, eq. 10).
    """
    square = figures.settings.beta**2
    between = np.floor(np.diff(lines.x) * EVERY).astype(np.int64)
    before = np.repeat(np.arange(1, len(lines.x)), between)
    begun = np.repeat(np.cumsum(between) - between, between)
    step = (np.arange(len(before)) - begun) / between[before - 1]
    recall = lines.x[before - 1] + step * (lines.x[before] - lines.x[before - 1])
    spot = lines.spot[before]
    precision = figures.precision[spot]
    f = ratio((1 + square) * precision * recall, square * precision + recall)
    return Polylines(
        np.insert(lines.x, before, recall),
        np.insert(lines.y, before, np.nan_to_num(f)),
        np.insert(lines.spot, before, spot),
        np.array([0, len(lines.x) + len(recall)]),
    )


def _of_all(figures: ListFigures, values: Floats, kind: str) -> LatePolylines:
    spot, starts = _points(figures, values, 0, len(figures.tally))
    for other in _KNOWN[figures].values():  # most kinds have a point for the same spots
        if np.array_equal(other.recall.spots.now(), spot):
            return LatePolylines(other.recall, values, kind)
    return LatePolylines(_Recall(_Spots(spot, starts), figures.recall), values, kind)


def _points(figures: ListFigures, values: Floats, first: int, end: int) -> tuple[Ints, Ints]:
    """The spots of the points of these spots' curves, and where each curve begins and ends."""
    spot = np.arange(first, end)
    spot = spot[~np.isnan(figures.recall[first:end]) & ~np.isnan(values[first:end])]
    begun = np.flatnonzero(np.diff(figures.tally.query[spot], prepend=-1))
    starts = np.append(begun, len(spot)) + np.arange(len(begun) + 1)
    return np.insert(spot, begun, spot[begun]), starts


_KNOWN: WeakKeyDictionary[ListFigures, dict[str, LatePolylines]] = WeakKeyDictionary()


_NOTHING = Polylines(np.zeros(0), np.zeros(0), np.zeros(0, np.int64), np.zeros(1, np.int64))


def _joined(x: Floats, y: Floats, curve: Ints) -> tuple[Floats, Floats]:
    between = np.flatnonzero(np.diff(curve)) + 1
    return np.insert(x, between, np.nan), np.insert(y, between, np.nan)
