"""Pixels as runs: horizontal stretches, so that a shape needs no image of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.extras import cv2

Whole = NDArray[np.int32]
Filled = TypeVar("Filled", NDArray[np.int32], NDArray[np.uint8])


@dataclass(frozen=True, eq=False)
class Runs:
    """A set of pixels, as R runs.

    Attributes
    ----------
    rows, starts, stops : (R,) int32
        Each run covers [start, stop) of its row, in px. Sorted by row, then start; runs of a row do
        not touch each other.

    Examples
    --------
    >>> runs = Runs.of([5, 5, 6], [2, 8, 3], [4, 9, 4])
    >>> len(runs), runs.bounds
    (3, (2, 5, 9, 7))
    """

    rows: Whole
    starts: Whole
    stops: Whole

    @classmethod
    def of(cls, rows: ArrayLike, starts: ArrayLike, stops: ArrayLike) -> Runs:
        """Make runs from anything that converts to arrays of whole numbers.

        Parameters
        ----------
        rows, starts, stops : (R,) array_like of int
            Sorted by row, then start.

        Returns
        -------
        Runs

        Examples
        --------
        >>> len(Runs.of([5, 6], [2, 3], [4, 4]))
        2
        """
        return cls(*(np.asarray(values, np.int32) for values in (rows, starts, stops)))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice | NDArray[np.bool_] | NDArray[np.int64]) -> Runs:
        return Runs(self.rows[part], self.starts[part], self.stops[part])

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom in px, right and bottom exclusive; zeros for no pixels."""
        if not len(self):
            return 0, 0, 0, 0
        left, right = int(self.starts.min()), int(self.stops.max())
        return left, int(self.rows[0]), right, int(self.rows[-1]) + 1

    def translate(self, x: int, y: int) -> Runs:
        """Move the pixels.

        Parameters
        ----------
        x, y : int
            Distance to the right and down, in px.

        Returns
        -------
        Runs

        Examples
        --------
        >>> Runs.of([5], [2], [4]).translate(10, -5).bounds
        (12, 0, 14, 1)
        """
        return Runs.of(self.rows + y, self.starts + x, self.stops + x)

    def crop(self, left: int, top: int, right: int, bottom: int) -> tuple[Runs, NDArray[np.int64]]:
        """Return the part of the runs that lies in a window.

        Parameters
        ----------
        left, top, right, bottom : int
            The window in px, right and bottom exclusive.

        Returns
        -------
        runs : Runs
            K pieces, in page coordinates.
        which : (K,) int
            The run that each piece comes from.

        Examples
        --------
        >>> runs, which = Runs.of([5, 6], [2, 3], [9, 4]).crop(4, 0, 8, 9)
        >>> runs.bounds, which.tolist()
        ((4, 5, 8, 6), [0])
        """
        first, last = np.searchsorted(self.rows, [top, bottom]).tolist()
        starts, stops = self.starts[first:last], self.stops[first:last]
        inside = np.flatnonzero((stops > left) & (starts < right))
        starts, stops = np.maximum(starts[inside], left), np.minimum(stops[inside], right)
        return Runs(self.rows[first:last][inside], starts, stops), inside + first

    def count_shared(self, others: Runs) -> NDArray[np.int64]:
        """Count the pixels of each run that another set also has.

        Parameters
        ----------
        others : Runs
            The other set.

        Returns
        -------
        (R,) int

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
        """Paint each run with its value.

        Parameters
        ----------
        width, height : int
            Size of the image in px; all runs have to lie inside.
        values : (R,) int32 or uint8
            Value of each run.

        Returns
        -------
        (height, width) int32 or uint8
            0 where there is no run.

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
        """Return the pixels as a mask of their bounding box.

        Returns
        -------
        left, top : int
            Corner of the box in px.
        mask : (h, w) bool
            True for the pixels.
        """
        left, top, right, bottom = self.bounds
        ones = np.ones(len(self), np.uint8)
        filled = self.translate(-left, -top).fill(right - left, bottom - top, ones)
        return left, top, filled > 0

    def occupied_cells(self, cell: int) -> tuple[int, int, NDArray[np.bool_]]:
        """Tell which cells of a grid hold pixels.

        Parameters
        ----------
        cell : int
            Side of the cells in px.

        Returns
        -------
        column, row : int
            The first cell of the mask.
        mask : (h, w) bool
            True for cells with pixels.

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
    """Find the runs of True in an image.

    Parameters
    ----------
    pixels : (H, W) bool
        A page, or a band of its rows.
    top : int
        Row of the page that the first row is.

    Returns
    -------
    Runs

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
    """Put sets of pixels together that do not overlap.

    Parameters
    ----------
    parts : list of Runs
        In the order of the page.

    Returns
    -------
    Runs
        Empty for no parts.
    """
    if not parts:
        return Runs.of([], [], [])
    return Runs(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.stops for part in parts]),
    )


Labels = NDArray[np.int32]


def label_parts(image: NDArray[Any], *, diagonal: bool = False) -> tuple[Labels, Labels]:
    """Number the connected parts of an image.

    OpenCV numbers them; boxes and areas are those of their runs, which are few: to look at every
    pixel again, as OpenCV does for these, takes three times as long as all of this.

    Parameters
    ----------
    image : (H, W) bool or uint8
        Parts are where it is not 0.
    diagonal : bool
        Whether pixels that touch at a corner only are connected.

    Returns
    -------
    labels : (H, W) int32
        0 outside of all parts.
    stats : (N + 1, 5) int32
        Left, top, width, height and area in px of each, in the order of OpenCV's ``CC_STAT_…``. The
        first row is that of what is outside, zeros.

    Examples
    --------
    >>> labels, stats = label_parts(np.array([[1, 0], [0, 1]], np.uint8))
    >>> labels.tolist(), stats.tolist()
    ([[1, 0], [0, 2]], [[0, 0, 0, 0, 0], [0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    """
    inside = np.asarray(image, np.bool_)
    count, found = cv2.connectedComponents(inside.view(np.uint8), connectivity=8 if diagonal else 4)
    labels, runs = np.asarray(found, np.int32), runs_from_mask(inside)
    part = labels[runs.rows, runs.starts]
    stats = np.zeros((count, 5), np.int32)
    left, top, width, height, area = stats.T
    left[1:] = image.shape[1]
    np.minimum.at(left, part, runs.starts)
    np.maximum.at(width, part, runs.stops)
    top[part[::-1]] = runs.rows[::-1]  # the last that is written stays: that of the first run
    height[part] = runs.rows + 1
    area[:] = np.bincount(part, runs.stops - runs.starts, count)
    width -= left
    height -= top
    return labels, stats
