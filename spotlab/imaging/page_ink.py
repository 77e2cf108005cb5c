"""The ink of one page: sketches work at once, and faster when all of it is labelled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.geometry import polygon
from spotlab.geometry.polygon import Points
from spotlab.imaging.components import Components, label_bands, label_components
from spotlab.imaging.conversion import Pixels
from spotlab.imaging.ink import Binariser, Ink, InkSettings
from spotlab.imaging.memory import release_memory
from spotlab.imaging.outlines import make_outline
from spotlab.imaging.runs import Runs, Whole, runs_from_mask
from spotlab.imaging.sketch import count_pixels_inside, is_outside, select_components
from spotlab.imaging.stroke import runs_inside
from spotlab.model import Primitive
from spotlab.progress import Progress, silent

_MARGIN = 64  # px around a stroke that are labelled first while the page is not
_NEAR = 3.0  # px from a click to the component that is meant


@dataclass(frozen=True, eq=False)
class InkSelection:
    """The components that strokes have taken.

    Attributes
    ----------
    page_size : (int, int)
        Width and height of the page in px.
    runs : Runs
        Their pixels.
    component_keys : (R,) int64
        The component of each run, named by the place of its first pixel on the page, which does
        not depend on how much of the page has been labelled.
    """

    page_size: tuple[int, int]
    runs: Runs
    component_keys: NDArray[np.int64]

    def __bool__(self) -> bool:
        return len(self.runs) > 0

    @property
    def count(self) -> int:
        """How many components."""
        return len(np.unique(self.component_keys))

    @property
    def pixels(self) -> int:
        """How many pixels."""
        return self.runs.pixels

    def outline(self, primitive: Primitive = Primitive.HULL, cell: int | None = None) -> Points:
        """Their outline; see `spotlab.imaging.outlines.make_outline`. Empty for no components."""
        return make_outline(self.runs, primitive, self.page_size, cell)

    def mask(self, step: int = 1) -> tuple[int, int, Ink]:
        """(left, top, (h, w) bool): where their pixels are, inside their bounding box.

        Parameters
        ----------
        step : int
            Give one value for each step × step px, True where any of them is taken, so that a
            stroke around a whole page needs no whole page of memory. The box is then widened to
            multiples of it.
        """
        if step == 1:
            return self.runs.mask()
        column, row, cells = self.runs.occupied_cells(step)
        return column * step, row * step, cells

    def union(self, other: InkSelection) -> InkSelection:
        """These components and the other ones."""
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
        """These components without the other ones."""
        kept = ~np.isin(self.component_keys, other.component_keys)
        return InkSelection(self.page_size, self.runs[kept], self.component_keys[kept])


class PageInk:
    """The ink of a page and its components; may be used from several threads.

    Sketching works from the start: until :meth:`label` has run, components are looked for only
    around the stroke, with the same result.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page; it is kept as ``pixels``, not copied.
    settings : InkSettings
        How ink is told from paper. Other settings need a new ``PageInk``.
    """

    def __init__(self, pixels: Pixels, settings: InkSettings | None = None) -> None:
        self.pixels = pixels
        self.settings = settings or InkSettings()
        self._binariser = Binariser(pixels, self.settings)
        self._height, self._width = pixels.shape[:2]
        self._components: Components | None = None

    @property
    def page_size(self) -> tuple[int, int]:
        """Width and height of the page in px."""
        return self._width, self._height

    @property
    def is_labelled(self) -> bool:
        """Whether the whole page is labelled."""
        return self._components is not None

    @property
    def components(self) -> Components | None:
        """The components of the whole page, once they are known."""
        return self._components

    def label(self, progress: Progress = silent) -> None:
        """Label the whole page; long work."""
        if self._components is None:
            ink = self._binariser.bands(progress)
            components = label_bands(ink, self._width, self._height, progress)
            _ = components.sizes, components.bounds  # so that the first stroke need not wait
            self._components = components
            release_memory()

    def ink(self, left: int, top: int, right: int, bottom: int) -> Ink:
        """(bottom − top, right − left) bool: the ink of a window inside the page."""
        return self._binariser.window(left, top, right, bottom)

    def select(self, stroke: ArrayLike, share: float = 0.5) -> InkSelection:
        """Select the components that a closed stroke takes.

        Before the page is labelled, a box around the stroke is labelled, and grown until no
        component that leaves it could still be taken: what already has enough pixels outside the
        stroke is out, however far it goes on.
        """
        points = polygon.as_points(stroke)
        components = self._components
        if components is not None:
            return self._taken(components, select_components(components, points, share), (0, 0))
        inside_stroke = runs_inside(points, *self.page_size)
        if not len(inside_stroke):
            return InkSelection(self.page_size, inside_stroke, np.empty(0, np.int64))
        margin = _MARGIN
        while True:
            components, corner = self._around(inside_stroke.bounds, margin)
            local = points - corner
            ids, inside = count_pixels_inside(components, local)
            unsure = ~is_outside(inside, components.sizes[ids], share)
            if not self._leaving(components, corner)[ids[unsure]].any():
                chosen = select_components(components, local, share)
                return self._taken(components, chosen, corner)
            margin *= 2

    def cut_out(self, stroke: ArrayLike) -> InkSelection:
        """All ink inside a closed stroke, components cut where the stroke crosses them.

        For what touches a wall: its component is the wall's, which no share would take.
        """
        inside = runs_inside(polygon.as_points(stroke), *self.page_size)
        if not len(inside):
            return InkSelection(self.page_size, inside, np.empty(0, np.int64))
        left, top, right, bottom = inside.bounds
        ink = self.ink(left, top, right, bottom) & inside.mask()[2]
        runs = runs_from_mask(ink).translate(left, top)
        return InkSelection(
            self.page_size, runs, runs.rows.astype(np.int64) * self._width + runs.starts
        )

    def component_at(self, x: float, y: float) -> InkSelection | None:
        """The component at a place, or the nearest one within three px; None if there is none."""
        column, row = int(np.floor(x)), int(np.floor(y))
        if not (0 <= column < self._width and 0 <= row < self._height):
            return None
        components, corner = self._components, (0, 0)
        margin = _MARGIN
        while True:
            if self._components is None:
                components, corner = self._around((column, row, column + 1, row + 1), margin)
            assert components is not None
            found = _nearest(components, x - corner[0], y - corner[1])
            if found is None:
                return None
            if not self._leaving(components, corner)[found]:
                return self._taken(components, np.array([found]), corner)
            margin *= 2

    def _around(
        self, bounds: tuple[int, int, int, int], margin: int
    ) -> tuple[Components, tuple[int, int]]:
        """The components in a box around some bounds, and its left top corner on the page."""
        left, top = max(0, bounds[0] - margin), max(0, bounds[1] - margin)
        right = min(self._width, bounds[2] + margin)
        bottom = min(self._height, bounds[3] + margin)
        return label_components(self.ink(left, top, right, bottom)), (left, top)

    def _leaving(self, components: Components, corner: tuple[int, int]) -> NDArray[np.bool_]:
        """(count,): which components of a box touch its border, where the page goes on."""
        left, top = corner
        bounds = components.bounds
        leaving = np.zeros(components.count, np.bool_)
        if left > 0:
            leaving |= bounds[:, 0] == 0
        if top > 0:
            leaving |= bounds[:, 1] == 0
        if left + components.width < self._width:
            leaving |= bounds[:, 2] == components.width
        if top + components.height < self._height:
            leaving |= bounds[:, 3] == components.height
        return leaving

    def _taken(self, components: Components, ids: Whole, corner: tuple[int, int]) -> InkSelection:
        runs, owners = components.select(ids)
        runs = runs.translate(*corner)
        _, first, which = np.unique(owners, return_index=True, return_inverse=True)
        places = runs.rows[first].astype(np.int64) * self._width + runs.starts[first]
        return InkSelection(self.page_size, runs, places[which])


def _nearest(components: Components, x: float, y: float) -> int | None:
    """The component whose pixel is nearest to a place, within reach."""
    reach = int(_NEAR) + 1
    column, row = int(np.floor(x)), int(np.floor(y))
    near, which = components.runs.crop(
        column - reach, row - reach, column + reach + 1, row + reach + 1
    )
    across = np.maximum(np.maximum(near.starts - x, x - near.stops), 0)
    down = np.maximum(np.maximum(near.rows - y, y - near.rows - 1), 0)
    distances = np.hypot(across, down)
    if not len(near) or distances.min() > _NEAR:
        return None
    return int(components.ids[which[int(distances.argmin())]])
