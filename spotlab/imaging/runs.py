"""Pixels as runs: maximal horizontal stretches, so that a shape needs no image of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Whole = NDArray[np.int32]
Filled = TypeVar("Filled", NDArray[np.int32], NDArray[np.uint8])


@dataclass(frozen=True, eq=False)
class Runs:
    """A set of pixels.

    Attributes
    ----------
    rows, starts, stops : (R,) int32
        Each run covers [start, stop) of its row, in px. Sorted by row, then start; runs of a row
        do not touch each other.

    Examples
    --------
    >>> runs = Runs.of([5, 5, 6], [2, 8, 3], [4, 9, 4])
    >>> runs.pixels, runs.bounds
    (4, (2, 5, 9, 7))
    """

    rows: Whole
    starts: Whole
    stops: Whole

    @classmethod
    def of(cls, rows: ArrayLike, starts: ArrayLike, stops: ArrayLike) -> Runs:
        """Runs from anything like arrays of whole numbers."""
        return cls(*(np.asarray(values, np.int32) for values in (rows, starts, stops)))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice | NDArray[np.bool_] | NDArray[np.int64]) -> Runs:
        return Runs(self.rows[part], self.starts[part], self.stops[part])

    @property
    def pixels(self) -> int:
        """How many pixels there are."""
        return int((self.stops - self.starts).sum())

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """(left, top, right, bottom), right and bottom exclusive; zeros where there are none."""
        if not len(self):
            return 0, 0, 0, 0
        left, right = int(self.starts.min()), int(self.stops.max())
        return left, int(self.rows[0]), right, int(self.rows[-1]) + 1

    def translate(self, x: int, y: int) -> Runs:
        """The same pixels further right and down."""
        return Runs.of(self.rows + y, self.starts + x, self.stops + x)

    def crop(self, left: int, top: int, right: int, bottom: int) -> tuple[Runs, NDArray[np.int64]]:
        """What of the runs lies in a window, and which run each piece comes from."""
        first, last = np.searchsorted(self.rows, [top, bottom]).tolist()
        starts, stops = self.starts[first:last], self.stops[first:last]
        seen = np.flatnonzero((stops > left) & (starts < right))
        starts, stops = np.maximum(starts[seen], left), np.minimum(stops[seen], right)
        return Runs(self.rows[first:last][seen], starts, stops), seen + first

    def count_shared(self, others: Runs) -> NDArray[np.int64]:
        """(R,): how many pixels of each run are also in the others.

        Examples
        --------
        >>> Runs.of([5], [0], [20]).count_shared(Runs.of([5, 5], [2, 8], [4, 9])).tolist()
        [3]
        """
        if not len(self) or not len(others):
            return np.zeros(len(self), np.int64)
        # rows are laid behind one another, so that a row is a stretch of one long line
        pitch = int(max(self.stops.max(), others.stops.max())) + 1
        begins = others.rows.astype(np.int64) * pitch + others.starts
        lengths = (others.stops - others.starts).astype(np.int64)
        before = np.concatenate([[0], np.cumsum(lengths)])

        def covered_up_to(positions: NDArray[np.int64]) -> NDArray[np.int64]:
            last = np.searchsorted(begins, positions, "right") - 1
            partly = np.minimum(positions - begins[last], lengths[last])
            return np.where(last < 0, 0, before[last] + partly)

        lines = self.rows.astype(np.int64) * pitch
        return covered_up_to(lines + self.stops) - covered_up_to(lines + self.starts)

    def fill(self, width: int, height: int, values: Filled) -> Filled:
        """(height, width) with each run's pixels set to its value, 0 elsewhere; all runs inside.

        The image has the values' type; they are whole numbers.

        Examples
        --------
        >>> Runs.of([1], [1], [3]).fill(4, 2, np.array([7], np.int32)).tolist()
        [[0, 0, 0, 0], [0, 7, 7, 0]]
        """
        # one column more, so that a run that ends with its row has a place to end at
        steps = np.zeros(height * (width + 1), values.dtype)
        lines = self.rows.astype(np.int64) * (width + 1)
        np.add.at(steps, lines + self.starts, values)
        np.subtract.at(steps, lines + self.stops, values)
        filled: Filled = np.cumsum(steps, dtype=steps.dtype, out=steps)  # wraps round rightly
        return filled.reshape(height, width + 1)[:, :width]

    def mask(self) -> tuple[int, int, NDArray[np.bool_]]:
        """(left, top, (h, w) bool): the pixels inside their bounding box."""
        left, top, right, bottom = self.bounds
        ones = np.ones(len(self), np.uint8)
        filled = self.translate(-left, -top).fill(right - left, bottom - top, ones)
        return left, top, filled > 0

    def occupied_cells(self, cell: int) -> tuple[int, int, NDArray[np.bool_]]:
        """(column, row, (h, w) bool): which cells of a grid hold pixels, from the first one on.

        Examples
        --------
        >>> column, row, cells = Runs.of([5, 9], [2, 8], [5, 9]).occupied_cells(4)
        >>> column, row, cells.tolist()
        (0, 1, [[True, True, False], [False, False, True]])
        """
        left, top, right, bottom = self.bounds
        left, top, right, bottom = left // cell, top // cell, -(-right // cell), -(-bottom // cell)
        rows = self.rows // cell - top
        # +1 where a run enters the cells of a row and −1 after it has left them
        steps = np.zeros((bottom - top, right - left + 1), np.int32)
        np.add.at(steps, (rows, self.starts // cell - left), 1)
        np.subtract.at(steps, (rows, (self.stops - 1) // cell - left + 1), 1)
        return left, top, np.cumsum(steps, axis=1)[:, :-1] > 0


def runs_from_mask(pixels: NDArray[np.bool_], top: int = 0) -> Runs:
    """The runs of True in an (H, W) image whose first row is ``top``.

    Examples
    --------
    >>> runs = runs_from_mask(np.array([[1, 1, 0], [0, 0, 1]], bool))
    >>> runs.rows.tolist(), runs.starts.tolist(), runs.stops.tolist()
    ([0, 1], [0, 2], [2, 3])
    """
    height, width = pixels.shape
    # a column of paper before each row, and one at the end, keeps runs inside their rows
    padded = np.zeros(height * (width + 1) + 1, np.bool_)
    padded[:-1].reshape(height, width + 1)[:, 1:] = pixels
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    rows, starts = np.divmod(edges[::2], width + 1)
    return Runs.of(rows + top, starts, edges[1::2] - rows * (width + 1))


def concatenate_runs(parts: list[Runs]) -> Runs:
    """Runs one after the other; the parts have to come in the order of the page."""
    if not parts:
        return Runs.of([], [], [])
    return Runs(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.stops for part in parts]),
    )
