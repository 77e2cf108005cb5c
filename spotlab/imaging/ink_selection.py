"""The components of a page that strokes have selected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import make_outline
from spotlab.imaging.runs import Runs
from spotlab.model import Primitive


@dataclass(frozen=True, eq=False)
class InkSelection:
    """The components that strokes have selected; False where there are none.

    Attributes
    ----------
    page_size : (int, int)
        Width and height of the page in px.
    runs : Runs
        Their pixels, in R runs.
    component_keys : (R,) int64
        The component of each run, identified by the position of its first pixel on the page. It
        does not depend on how much of the page has been labelled.
    """

    page_size: tuple[int, int]
    runs: Runs
    component_keys: NDArray[np.int64]

    def __bool__(self) -> bool:
        return len(self.runs) > 0

    def outline(self, primitive: Primitive = Primitive.HULL, cell: int | None = None) -> Points:
        """Outline the selected pixels.

        Parameters
        ----------
        primitive : Primitive
            Which kind of outline.
        cell : int, optional
            See `spotlab.imaging.outlines.make_outline`.

        Returns
        -------
        (N, 2) float
            An open ring in px; empty where nothing is selected.

        Examples
        --------
        >>> selection = InkSelection((9, 9), Runs.of([2], [1], [4]), np.array([19]))
        >>> selection.outline(Primitive.BOX).tolist()
        [[1.0, 2.0], [4.0, 2.0], [4.0, 3.0], [1.0, 3.0]]
        """
        return make_outline(self.runs, primitive, self.page_size, cell)

    def mask(self, step: int = 1) -> tuple[int, int, Ink]:
        """Return the selected pixels as a mask of their bounding box.

        Parameters
        ----------
        step : int
            Return one value for each step × step px, True where any of them is selected, so that a
            stroke around a whole page needs no whole page of memory. The box is then widened to
            multiples of ``step``.

        Returns
        -------
        left, top : int
            Corner of the box in px.
        mask : (h, w) bool
            Empty where nothing is selected.
        """
        if step == 1:
            return self.runs.mask()
        column, row, cells = self.runs.occupied_cells(step)
        return column * step, row * step, cells

    def union(self, other: InkSelection) -> InkSelection:
        """Add the components of another selection.

        Parameters
        ----------
        other : InkSelection
            Of the same page.

        Returns
        -------
        InkSelection
        """
        new = ~np.isin(other.component_keys, self.component_keys)
        parts = (self.runs, other.runs[new])
        runs = Runs(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.stops for part in parts]),
        )
        order = np.lexsort((runs.starts, runs.rows))
        names = np.concatenate([self.component_keys, other.component_keys[new]])
        return InkSelection(self.page_size, runs[order], names[order])

    def difference(self, other: InkSelection) -> InkSelection:
        """Remove the components of another selection.

        Parameters
        ----------
        other : InkSelection
            Of the same page.

        Returns
        -------
        InkSelection
        """
        kept = ~np.isin(self.component_keys, other.component_keys)
        return InkSelection(self.page_size, self.runs[kept], self.component_keys[kept])
