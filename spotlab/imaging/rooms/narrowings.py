"""Narrow places of the spaces between walls, and the spaces on both sides of a line across."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.imaging.outlines import label_parts
from spotlab.imaging.page_ink import label_components
from spotlab.imaging.rooms.plan_features import Closing
from spotlab.progress import Progress, silent

_SIDE = 900  # px of the small image that spaces are measured in
_FREE = 0.6  # of a small pixel
_OF_SMALLER = 1.45  # times the width of the narrower space: how long a line may be
_OF_LARGER = 0.78  # times the width of the wider one
_SLANTED = 1.15  # times as long counts a line that continues no wall
LEAST_AREA = 7.0  # times the square of the thickness of walls: the smallest space
_BEYOND = 1.5  # small px that a line is drawn beyond its ends

_NEAR = 3.0  # small px from a pocket, where a new line may change it
_END = 8  # half small px at either end of a line, where it touches what it leads to
_AROUND = np.indices((3, 3)).reshape(2, -1).T  # a pixel and its neighbours, in a framed image

_ALONG_NO_WALL = 1.5  # times as long counts a line that continues no wall at either end

Measures = tuple[float, float, float]


class _Parts(NamedTuple):
    """The parts of a space on both sides of a line, in small px from a corner."""

    labels: NDArray[np.int32]
    stats: NDArray[np.int32]
    corner: NDArray[np.int64]
    sides: tuple[int, int]


class Narrowings:
    """Looks for the line that divides free space best.

    Parameters
    ----------
    mask : (H, W) bool
        True inside walls.
    thickness : float
        Of walls in px.
    closed : sequence of Closing
        What is closed already.
    measured : dict, optional
        What was measured before, of the same walls and closings: what is new is added.
    """

    def __init__(
        self,
        mask: NDArray[np.bool_],
        thickness: float,
        closed: Sequence[Closing],
        measured: dict[tuple[object, ...], Any] | None = None,
    ) -> None:
        self._factor = max(1, round(max(mask.shape) / _SIDE))
        height, width = (max(1, side // self._factor) for side in mask.shape)
        self._measured = {} if measured is None else measured
        if ("free",) not in self._measured:
            share = cv2.resize(
                (~mask).astype(np.float32), (width, height), interpolation=cv2.INTER_AREA
            )
            self._measured[("free",)] = (share > _FREE).astype(np.uint8)
        self._free = self._measured[("free",)].copy()
        self._least = LEAST_AREA * thickness**2
        self._middles: NDArray[np.int64] | None = None
        self._pockets: dict[int, tuple[NDArray[np.int64], NDArray[np.int64], Measures]] = {}
        for each in closed:
            self._draw(self._free, each)
        self._label()

    def divide(self, closing: Closing) -> None:
        """Close one more.

        Parameters
        ----------
        closing : Closing
            The line.
        """
        self._draw(self._free, closing)
        self._label()
        ends = np.stack([closing.start, closing.end]) / self._factor
        low, high = ends.min(0) - _NEAR, ends.max(0) + _NEAR
        for number, (first, last, _) in list(self._pockets.items()):
            if (first <= high).all() and (last >= low).all():
                del self._pockets[number]

    def sides(self, closing: Closing) -> tuple[int, int]:
        """Return the spaces on both sides of a closed line.

        Parameters
        ----------
        closing : Closing
            The line.

        Returns
        -------
        tuple of int and int
            Numbers of spaces; 0 where there is none.
        """
        corner = np.zeros(2, np.int64)
        one, other = (self._side(closing, sign, self._labels, corner) for sign in (1, -1))
        return one, other

    def perimeter(self, space: int) -> float:
        """Measure the way around a space.

        Parameters
        ----------
        space : int
            From `sides`.

        Returns
        -------
        float
            In px of the large image; at least one.
        """
        key = ("perimeter", *self._shape(space))
        if key not in self._measured:
            left, top, width, height, _ = self._stats[space].tolist()
            window = self._labels[top : top + height, left : left + width] == space
            outlines, _ = cv2.findContours(
                np.pad(window.astype(np.uint8), 1), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
            )
            around = self._factor * sum(cv2.arcLength(each, True) for each in outlines)
            self._measured[key] = max(1.0, around)
        length: float = self._measured[key]
        return length

    def area(self, space: int) -> float:
        """Measure a space.

        Parameters
        ----------
        space : int
            From `sides`.

        Returns
        -------
        float
            In px² of the large image.
        """
        return float(int(self._stats[space][4]) * self._factor**2)

    def count_at(self, places: Floats) -> NDArray[np.int64]:
        """Count the places in each space.

        Parameters
        ----------
        places : (N, 2) float
            In px of the large image.

        Returns
        -------
        (spaces,) int
            By number of the space.
        """
        at = self._labels_at(np.floor(places / self._factor).astype(np.int64))
        found: NDArray[np.int64] = np.bincount(at, minlength=len(self._stats))
        return found

    def is_enclosed(self, space: int) -> bool:
        """Tell whether a space does not reach the edge of the image.

        Parameters
        ----------
        space : int
            From `sides`.

        Returns
        -------
        bool
        """
        left, top, width, height, _ = self._stats[space].tolist()
        inside = left > 0 and top > 0
        return bool(inside and left + width < self._width and top + height < self._height)

    def best(
        self,
        closings: Sequence[Closing],
        may: Callable[[int], bool],
        progress: Progress = silent,
    ) -> int | None:
        """Find the best line.

        Parameters
        ----------
        closings : sequence of Closing
            To choose from; always the same ones.
        may : callable
            Whether the one at a position may be used.
        progress : Progress
            Called for each.

        Returns
        -------
        int or None
            Its position; None where no line is short enough for both spaces.

        Examples
        --------
        >>> space = Narrowings(np.zeros((40, 40), np.bool_), 5.0, ())
        >>> space.best((), lambda number: True) is None  # there are no lines
        True
        """
        labels = self._labels_at(self._middles_of(closings))
        chosen, least = None, np.inf
        for number in np.flatnonzero(labels).tolist():
            progress(0, None, "closing openings")
            if not may(number):
                continue
            closing = closings[number]
            measures = self._known_measures(number, closing, int(labels[number]))
            if measures is None:
                continue
            of_smaller, of_larger, area = measures
            if of_smaller <= _OF_SMALLER and of_larger <= _OF_LARGER and area >= self._least:
                cost = (of_smaller + of_larger) * (1.0 if closing.own_edge else _SLANTED)
                if cost < least:
                    chosen, least = number, cost
        return chosen

    def between(
        self,
        places: Floats,
        closings: Sequence[Closing],
        may: Callable[[int], bool],
        progress: Progress = silent,
    ) -> int | None:
        """Find the shortest line between places in one space, along a wall if possible.

        Parameters
        ----------
        places : (N, 2) float
            In px of the large image.
        closings, may, progress
            See `best`.

        Returns
        -------
        int or None
            Its position; None where no space has several places, or no line is between them.

        Examples
        --------
        >>> space = Narrowings(np.zeros((40, 40), np.bool_), 5.0, ())
        >>> space.between(np.zeros((2, 2)), (), lambda number: True) is None
        True
        """
        if not len(closings):
            return None
        small = np.floor(places / self._factor).astype(np.int64)
        at, labels = self._labels_at(small), self._labels_at(self._middles_of(closings))
        several = np.flatnonzero(np.bincount(at) > 1)
        of_label = {n: places[at == n] for n in several.tolist() if n and self.is_enclosed(n)}

        def cost(number: int) -> float:
            each = closings[number]
            return each.length * (1.0 if each.own_edge or each.other_edge else _ALONG_NO_WALL)

        for number in sorted(np.flatnonzero(np.isin(labels, list(of_label))).tolist(), key=cost):
            progress(0, None, "closing openings")
            closing, label = closings[number], int(labels[number])
            beside = (of_label[label] - closing.start) @ closing.normal
            if (beside > 0).any() and (beside < 0).any() and may(number):
                parts = self._parted(closing, label)
                if parts is None:
                    continue
                x, y = (small[at == label] - parts.corner).T
                there = {*parts.labels[y, x].tolist()}
                least = self._least / self._factor**2
                if all(side in there and parts.stats[side][4] >= least for side in parts.sides):
                    return number
        return None

    def _middles_of(self, closings: Sequence[Closing]) -> NDArray[np.int64]:
        """The middles of lines in small px, (N, 2), always of the same ones."""
        if self._middles is None:
            middles = [(each.start + each.end) / 2 for each in closings]
            places = np.array(middles, np.float64).reshape(-1, 2) / self._factor
            self._middles = np.rint(places).astype(np.int64)
        return self._middles

    def _labels_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The spaces at places in small px; 0 for none."""
        x, y = places.T
        inside = (x >= 0) & (x < self._width) & (y >= 0) & (y < self._height)
        x, y = np.clip(x, 0, self._width - 1), np.clip(y, 0, self._height - 1)
        found: NDArray[np.int64] = np.where(inside, self._labels[y, x], 0)
        return found

    def _known_measures(self, number: int, closing: Closing, label: int) -> Measures | None:
        """As `_measure`; None also where the line is too long for the space in any case."""
        is_enclosed = self.is_enclosed(label)
        if not is_enclosed and number in self._pockets:
            return self._pockets[number][2]
        shape = self._shape(label)
        key = (number, *shape)
        if key not in self._measured:
            too_long = closing.length > _OF_LARGER * self._widest(label, shape)
            self._measured[key] = None if too_long else self._measure(number, closing, label)
        measures: Measures | None = self._measured[key]
        return measures

    def _shape(self, label: int) -> tuple[int, ...]:
        """Return what tells a space from any other."""
        if label not in self._shapes:
            left, top, width, height, area = self._stats[label].tolist()
            window = self._labels[top : top + height, left : left + width] == label
            self._shapes[label] = (
                left,
                top,
                width,
                height,
                area,
                crc32(np.packbits(window).tobytes()),
            )
        return self._shapes[label]

    def _widest(self, label: int, shape: tuple[int, ...]) -> float:
        """The width of a space in px; infinite for one that reaches the edge."""
        if not self.is_enclosed(label):
            return np.inf
        key = ("width", *shape)
        if key not in self._measured:
            left, top, width, height, _ = self._stats[label].tolist()
            window = self._labels[top : top + height, left : left + width] == label
            inside = cv2.distanceTransform(np.pad(window.astype(np.uint8), 1), cv2.DIST_L2, 3)
            self._measured[key] = 2.0 * self._factor * float(inside.max())
        widest: float = self._measured[key]
        return widest

    def _measure(self, number: int, closing: Closing, label: int) -> Measures | None:
        """Length by the width of either space, smaller first, and the smaller area in px².

        What is cut off from the outside stays the same until something is closed there.
        """
        parts = self._parted(closing, label)
        if parts is None:
            return None
        labels, stats, corner = parts.labels, parts.stats, parts.corner
        inside = cv2.distanceTransform((labels > 0).astype(np.uint8), cv2.DIST_L2, 3)
        widths, areas, boxes = [], [], []
        for side in parts.sides:
            x, y, w, h, size = stats[side].tolist()
            part = inside[y : y + h, x : x + w][labels[y : y + h, x : x + w] == side]
            first, last = corner + np.array([x, y]), corner + np.array([x + w, y + h])
            outside = (first <= 0).any() or last[0] >= self._width or last[1] >= self._height
            widths.append(np.inf if outside else 2.0 * self._factor * float(part.max()))
            areas.append(np.inf if outside else float(size * self._factor**2))
            boxes.append((first, last))
        measures = closing.length / min(widths), closing.length / max(widths), min(areas)
        if max(areas) == np.inf > min(areas):
            self._pockets[number] = (*boxes[int(np.argmin(areas))], measures)
        return measures

    def _parted(self, closing: Closing, label: int) -> _Parts | None:
        """A space with a line across; None where the line does not divide it."""
        if self._joins_pieces(closing):
            return None
        left, top, width, height, _ = self._stats[label].tolist()
        window = self._labels[top : top + height, left : left + width] == label
        space = np.pad(window.astype(np.uint8), 1)
        corner = np.array([left - 1, top - 1])
        self._draw(space, closing, corner)
        labels, stats = label_parts(space)
        one, other = (self._side(closing, sign, labels, corner) for sign in (1, -1))
        if 0 in (one, other) or one == other:
            return None
        return _Parts(labels, stats, corner, (one, other))

    def _joins_pieces(self, closing: Closing) -> bool:
        """Tell whether a line leads from one piece of the walls to another: it divides nothing."""
        steps = round(2 * closing.length / self._factor) + 2
        ways = np.linspace(0, 1, steps)[:, None] * (closing.end - closing.start)
        places = np.rint((closing.start + ways) / self._factor).astype(np.int64)[:, None] + _AROUND
        x, y = np.clip(places, 0, (self._width + 1, self._height + 1)).reshape(-1, 2).T
        touched = self._pieces[y, x].reshape(steps, len(_AROUND))
        first, last = ({*part.ravel().tolist()} - {0} for part in (touched[:_END], touched[-_END:]))
        between = bool(touched[_END:-_END].any())
        return bool(first and last) and not between and first.isdisjoint(last)

    def _side(
        self, closing: Closing, sign: int, labels: NDArray[np.int32], corner: NDArray[np.int64]
    ) -> int:
        """The label beside a line; 0 where there is none."""
        start, way = closing.start / self._factor - corner, closing.end - closing.start
        found = []
        for share in (0.3, 0.5, 0.7):
            for apart in (1.5, 2.5):
                place = start + share * way / self._factor + sign * apart * closing.normal
                x, y = np.rint(place).astype(int).tolist()
                if 0 <= x < labels.shape[1] and 0 <= y < labels.shape[0] and labels[y, x]:
                    found.append(int(labels[y, x]))
        return int(np.bincount(found).argmax()) if found else 0

    def _label(self) -> None:
        self._height, self._width = self._free.shape
        spaces = label_components(self._free > 0, diagonal=False)
        self._labels = spaces.paint(0, 0, self._width, self._height)
        left, top, right, bottom = spaces.bounds.T
        box = np.stack([left, top, right - left, bottom - top, spaces.sizes], axis=1)
        self._stats = np.concatenate([np.zeros((1, 5), np.int64), box])
        self._shapes: dict[int, tuple[int, ...]] = {}
        walls = np.pad(self._free == 0, 1, constant_values=True)  # what is at the edge is one piece
        self._pieces = cv2.connectedComponents(walls.view(np.uint8), connectivity=8)[1]

    def _draw(
        self, image: NDArray[np.uint8], closing: Closing, corner: NDArray[np.int64] | None = None
    ) -> None:
        beyond = _BEYOND * closing.direction
        origin = np.zeros(2) if corner is None else corner
        first = np.rint(closing.start / self._factor - beyond - origin).astype(int)
        last = np.rint(closing.end / self._factor + beyond - origin).astype(int)
        cv2.line(image, tuple(first.tolist()), tuple(last.tolist()), 0, 1)
