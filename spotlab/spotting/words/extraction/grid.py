"""Cells that are laid on boxes of a page, and strips of the page that hold them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from spotlab.arrays import Floats, Ints

_STRIP = 128  # px; a strip that holds higher boxes is at least twice as high as these


@dataclass(frozen=True, eq=False)
class CellGrid:
    """Rows and columns of cells on each of N boxes, in whole px.

    Attributes
    ----------
    top, bottom : (N, rows) int
    left, right : (N, columns) int
    width : (N,) float
        Of the boxes.
    """

    top: Ints
    bottom: Ints
    left: Ints
    right: Ints
    width: Floats

    def __len__(self) -> int:
        return len(self.width)

    @classmethod
    def on_page(
        cls,
        top: Floats,
        bottom: Floats,
        left: Floats,
        right: Floats,
        width: Floats,
        size: tuple[int, ...],
    ) -> CellGrid:
        """Round edges to what is on a page; columns stay 1 px wide.

        Parameters
        ----------
        top, bottom : (N, rows) float
            In px.
        left, right : (N, columns) float
            In px.
        width : (N,) float
            In px.
        size : (int, int)
            Height and width of the page in px.

        Examples
        --------
        >>> edge, none = np.array([[4.2, 29.8]]), np.zeros((1, 1))
        >>> grid = CellGrid.on_page(none, none, edge, edge, np.ones(1), (20, 30))
        >>> grid.left.tolist(), grid.right.tolist()
        ([[4, 30]], [[5, 30]])
        """
        rows = (_whole(top, size[0]), _whole(bottom, size[0]))
        start, stop = _whole(left, size[1]), _whole(right, size[1])
        return cls(*rows, start, np.maximum(stop, np.minimum(start + 1, size[1])), width)

    @classmethod
    def joined(cls, grids: Sequence[CellGrid]) -> CellGrid:
        """Grids one after the other.

        Parameters
        ----------
        grids : sequence of CellGrid
            At least one.

        Examples
        --------
        >>> none = np.zeros((2, 1), np.int64)
        >>> len(CellGrid.joined([CellGrid(none, none, none, none, np.ones(2))] * 3))
        6
        """
        names = (field.name for field in fields(cls))
        return cls(*(np.concatenate([getattr(grid, name) for grid in grids]) for name in names))

    def take(self, chosen: Ints, above: int) -> CellGrid:
        """Some of the boxes, on a part of the page.

        Parameters
        ----------
        chosen : (M,) int
        above : int
            Rows of the page above the part, in px.

        Examples
        --------
        >>> top = np.array([[10], [50]])
        >>> grid = CellGrid(top, top + 40, top, top, np.ones(2))
        >>> part = grid.take(np.array([1]), 45)
        >>> part.top.tolist(), part.bottom.tolist(), part.left.tolist()
        ([[5]], [[45]], [[50]])
        """
        return CellGrid(
            self.top[chosen] - above,
            self.bottom[chosen] - above,
            self.left[chosen],
            self.right[chosen],
            self.width[chosen],
        )


def strips(grid: CellGrid) -> Iterator[tuple[Ints, int, int]]:
    """Divide boxes into strips of a page, so that each box is in one of them.

    Parameters
    ----------
    grid : CellGrid

    Yields
    ------
    chosen : (M,) int
        Boxes in a strip.
    top, bottom : int
        Of the strip, in px. Boxes of about the same height share strips, so that rows of a page are
        in few strips, however its boxes lie.

    Examples
    --------
    >>> top = np.array([[0], [90], [300], [95]])
    >>> none = np.zeros((4, 1), np.int64)
    >>> grid = CellGrid(top, top + 40, none, none, np.zeros(4))
    >>> [(chosen.tolist(), top, bottom) for chosen, top, bottom in strips(grid)]
    [([0], 0, 40), ([1, 3], 90, 135), ([2], 300, 340)]
    """
    tops, bottoms = grid.top.min(axis=1), grid.bottom.max(axis=1)
    doublings = np.ceil(np.log2(np.maximum((bottoms - tops) / (_STRIP / 2), 1)))
    for times in np.unique(doublings).tolist():
        left = np.flatnonzero(doublings == times)
        while len(left):
            top = int(tops[left].min())
            inside = bottoms[left] <= top + _STRIP * 2**times
            chosen = left[inside]
            yield chosen, top, int(bottoms[chosen].max())
            left = left[~inside]


def _whole(values: Floats, limit: int) -> Ints:
    return np.clip(np.rint(values), 0, limit).astype(np.int64)
