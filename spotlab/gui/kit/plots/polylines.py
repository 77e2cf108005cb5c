"""The exact curves of queries over recall, one point a spot, and how few points draw the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from spotlab.measures.edited_truth import edited_from
from spotlab.measures.figures import RunFigures
from spotlab.measures.tally import Floats, Ints

KINDS = ("precision", "fall_out", "f")
MANY = 100_000  # points, of which fewer are looked at where a range of recall is wide
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

    @cached_property
    def curve(self) -> Ints:
        """(M,) the curve of each point."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def alone(self, curve: int) -> Polylines:
        """One of the curves."""
        part = slice(int(self.starts[curve]), int(self.starts[curve + 1]))
        x, y, spot = self.x[part], self.y[part], self.spot[part]
        return Polylines(x, y, spot, np.array([0, len(x)]))

    def joined(self) -> tuple[Floats, Floats]:
        """All curves in one line of points, with NaN between two of them."""
        return _joined(self.x, self.y, self.curve)

    def thinned(self, low: float, high: float, columns: int) -> tuple[Floats, Floats]:
        """Points that look the same where recall from low to high is this many columns wide.

        Of the points that a curve has in a column the first, lowest, highest and last stay (the
        "M4" aggregation, Jugel et al., VLDB 2014), so that nothing that stands out is lost. All
        that lies left or right of the range counts as one column each.

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
        if len(self.x) <= 2 * columns:
            return self.joined()
        if self.finest is not None and 4 * columns <= FINE * (high - low):
            return self.finest.thinned(low, high, columns)
        x, y, curve = self._kept(low, high, columns)
        return _joined(x, y, curve)

    @cached_property
    def finest(self) -> Polylines | None:
        """Points that look the same in a few columns; None where that saves nothing."""
        if len(self.x) <= MANY or self.x.max() > 1:
            return None
        finest = self.kept_points()
        return finest if len(finest.x) < len(self.x) / 2 else None

    def kept_points(self) -> Polylines:
        """The points that look the same in a few columns; their spots are not told."""
        x, y, curve = self._kept(0.0, 1.0, FINE)
        starts = np.searchsorted(curve, np.arange(len(self) + 1))
        return Polylines(x, y, np.zeros(0, np.int64), starts)

    def with_curve(self, curve: int, other: Polylines) -> Polylines:
        """These curves with another one, the only one of ``other``, in the place of one of them."""
        first, end = int(self.starts[curve]), int(self.starts[curve + 1])
        x, y = (
            np.concatenate([mine[:first], theirs, mine[end:]])
            for mine, theirs in ((self.x, other.x), (self.y, other.y))
        )
        starts = self.starts.copy()
        starts[curve + 1 :] += len(other.x) - (end - first)
        return Polylines(x, y, self.spot, starts)

    def _kept(self, low: float, high: float, columns: int) -> tuple[Floats, Floats, Ints]:
        """The points that stay, and the curve of each."""
        column = np.floor((self.x - low) * (columns / (high - low)))
        column = np.clip(column, -1, columns).astype(np.int64)
        key = self.curve * (columns + 2) + column
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
        curve = np.broadcast_to(self.curve[first, None], kept.shape)
        return x[kept], y[kept], curve[kept]


def polylines(figures: RunFigures, kind: str, query: str | None = None) -> Polylines:
    """The curves of all queries, or of one.

    A curve begins at recall 0: precision as it is after the first spot, since P_A(r) there is that
    of the first rank that reaches r; fall-out and F at 0, where nothing is retrieved. Points where
    recall or the other figure is undefined are left out, and with them queries without truth.

    Parameters
    ----------
    figures : RunFigures
    kind : str
        "precision", "fall_out" or "f".
    query : str, optional
        A query that the run does not know has no curve.

    Returns
    -------
    Polylines
        Those of all queries are computed once for the same figures.
    """
    if query is not None:
        return _computed(figures, kind, query)
    known = _KNOWN.setdefault(figures, {})
    if kind not in known:
        edited = _edited(figures, kind)
        known[kind] = edited or _shared(figures, _computed(figures, kind, None))
    return known[kind]


def _shared(figures: RunFigures, lines: Polylines) -> Polylines:
    """The same curves; most kinds have one point for the same spots, at the same recall."""
    for other in list(_KNOWN[figures].values()):
        if other.spot is lines.spot or np.array_equal(other.spot, lines.spot):
            return Polylines(other.x, lines.y, other.spot, other.starts)
    return lines


def _edited(figures: RunFigures, kind: str) -> Polylines | None:
    """The curves after an edit of truth, from those before it; None where they are not known."""
    before, queries = edited_from(figures) or (None, ())
    old = _KNOWN.get(before, {}).get(kind) if before is not None else None
    if old is None or not len(old):
        return None
    curve_of = {int(query): at for at, query in enumerate(
        figures.tally.query[old.spot[old.starts[:-1]]])}  # fmt: skip
    shared = next((o for o in _KNOWN[figures].values() if o.spot is old.spot), None)
    x = old.x.copy() if shared is None else shared.x  # recall is the same for all kinds
    y, finest = old.y.copy(), old.finest
    for query in queries:
        new, at = _computed(figures, kind, figures.tally.queries[query]), curve_of.get(int(query))
        if at is None and not len(new):
            continue
        part = slice(int(old.starts[at]), int(old.starts[at + 1])) if at is not None else slice(0)
        if not np.array_equal(new.spot, old.spot[part]):
            return None  # there are other curves now
        if shared is None:
            x[part] = new.x
        y[part] = new.y
        if finest is not None and at is not None:
            finest = finest.with_curve(at, new.kept_points()) if new.x.max() <= 1 else None
    lines = _shared(figures, Polylines(x, y, old.spot, old.starts))
    vars(lines)["finest"] = finest  # a cached property
    return lines


_KNOWN: WeakKeyDictionary[RunFigures, dict[str, Polylines]] = WeakKeyDictionary()


def _computed(figures: RunFigures, kind: str, query: str | None) -> Polylines:
    tally, y = figures.tally, {
        "precision": figures.precision, "fall_out": figures.fall_out, "f": figures.f,
    }[kind]  # fmt: skip
    first, end = 0, len(tally)
    if query is not None:
        if query not in tally.queries:
            return _NOTHING
        number = tally.queries.index(query)
        first, end = int(tally.starts[number]), int(tally.starts[number + 1])
    spot = np.arange(first, end)
    spot = spot[~np.isnan(figures.recall[spot]) & ~np.isnan(y[spot])]
    if not len(spot):
        return _NOTHING
    begun = np.flatnonzero(np.diff(tally.query[spot], prepend=-1))
    begins = y[spot[begun]] if kind == "precision" else np.zeros(len(begun))
    return Polylines(
        np.insert(figures.recall[spot], begun, 0.0),
        np.insert(y[spot], begun, begins),
        np.insert(spot, begun, spot[begun]),
        np.append(begun, len(spot)) + np.arange(len(begun) + 1),
    )


_NOTHING = Polylines(np.zeros(0), np.zeros(0), np.zeros(0, np.int64), np.zeros(1, np.int64))


def _joined(x: Floats, y: Floats, curve: Ints) -> tuple[Floats, Floats]:
    between = np.flatnonzero(np.diff(curve)) + 1
    return np.insert(x, between, np.nan), np.insert(y, between, np.nan)
