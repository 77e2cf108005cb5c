"""The ink of one page. Sketching works at once, and faster when the whole page is labelled."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.geometry import polygon
from spotlab.imaging.cleaning import CleanedInk
from spotlab.imaging.components import Components, label_bands, label_components
from spotlab.imaging.conversion import Pixels
from spotlab.imaging.ink import Binariser, Ink, InkSettings
from spotlab.imaging.ink_selection import InkSelection
from spotlab.imaging.ink_tone import InkTone
from spotlab.imaging.runs import Whole, runs_from_mask
from spotlab.imaging.sketch import count_pixels_inside, is_outside, select_components
from spotlab.imaging.stroke import runs_inside
from spotlab.memory import release_memory
from spotlab.progress import Progress, silent

_MARGIN = 64  # px around a stroke that are labelled first while the page is not
_NEAR = 3.0  # px from a click to the component that is meant


class PageInk:
    """The ink of a page and its components; may be used from several threads.

    Sketching works from the start: until `label` has run, components are searched only around the
    stroke, with the same result.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page, grey or RGB; it is kept as ``pixels``, not copied.
    settings : InkSettings, optional
        How the page is binarised. Other settings need a new ``PageInk``.
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
        """Whether the components of the whole page are known."""
        return self._components is not None

    @property
    def components(self) -> Components | None:
        """The components of the whole page; None until it is labelled."""
        return self._components

    @property
    def tone(self) -> InkTone:
        """Whether the page's ink is dark or light."""
        return self._binariser.tone

    @property
    def cleaned(self) -> CleanedInk | None:
        """What has been removed from the ink; None until it is known, or if nothing is."""
        return self._binariser.cleaned

    def label(self, progress: Progress = silent) -> None:
        """Find the components of the whole page, which takes long.

        Parameters
        ----------
        progress : Progress
            Called with the rows done; it may raise to cancel.
        """
        if self._components is None:
            ink = self._binariser.bands(progress)
            components = label_bands(ink, self._width, self._height, progress)
            _ = components.sizes, components.bounds  # so that the first stroke need not wait
            self._components = components
            release_memory()

    def ink(self, left: int, top: int, right: int, bottom: int) -> Ink:
        """Binarise a window.

        Parameters
        ----------
        left, top, right, bottom : int
            Inside the page, in px; right and bottom are exclusive.

        Returns
        -------
        (bottom − top, right − left) bool
            True where there is ink.

        Examples
        --------
        >>> PageInk(np.array([[255, 250, 3], [0, 251, 255]], np.uint8)).ink(0, 1, 2, 2).tolist()
        [[True, False]]
        """
        return self._binariser.window(left, top, right, bottom)

    def select(self, stroke: ArrayLike, share: float = 0.5) -> InkSelection:
        """Select the components that a closed stroke encloses.

        Before the page is labelled, a box around the stroke is labelled, and grown until no
        component that leaves it could still be selected: one with enough pixels outside the stroke
        is not, however far it extends.

        Parameters
        ----------
        stroke : (N, 2) array_like
            x, y in px; closed automatically.
        share : float
            See `spotlab.imaging.sketch.select_components`.

        Returns
        -------
        InkSelection
            Empty where the stroke encloses no ink.

        Examples
        --------
        >>> page = np.full((9, 9), 255, np.uint8)
        >>> page[2:4, 2:4] = page[6, 6] = 0
        >>> selection = PageInk(page).select([(0, 0), (5, 0), (5, 5), (0, 5)])
        >>> selection.runs.bounds
        (2, 2, 4, 4)
        """
        points = polygon.as_points(stroke)
        components = self._components
        if components is not None:
            return self._selection(components, select_components(components, points, share), (0, 0))
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
                return self._selection(components, chosen, corner)
            margin *= 2

    def cut_out(self, stroke: ArrayLike) -> InkSelection:
        """Select all ink inside a closed stroke; components are cut where the stroke crosses them.

        For ink that touches a wall: its component is the wall's, which no stroke around a symbol
        selects.

        Parameters
        ----------
        stroke : (N, 2) array_like
            x, y in px; closed automatically.

        Returns
        -------
        InkSelection
            Empty where the stroke encloses no ink.
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
        """Select the component at a place, or the nearest one within 3 px.

        Parameters
        ----------
        x, y : float
            The place in px.

        Returns
        -------
        InkSelection or None
            None where no ink is near, and outside the page.

        Examples
        --------
        >>> page = np.full((9, 9), 255, np.uint8)
        >>> page[2:4, 2:4] = 0
        >>> PageInk(page).component_at(5.5, 3.5).runs.bounds
        (2, 2, 4, 4)
        """
        column, row = int(np.floor(x)), int(np.floor(y))
        if not (0 <= column < self._width and 0 <= row < self._height):
            return None
        # looked up once: a thread may label the page meanwhile
        labelled, place, margin = self._components, (column, row, column + 1, row + 1), _MARGIN
        while True:
            around = self._around(place, margin) if labelled is None else (labelled, (0, 0))
            components, corner = around
            nearest = _nearest(components, x - corner[0], y - corner[1])
            if nearest is None:
                return None
            if not self._leaving(components, corner)[nearest]:
                return self._selection(components, np.array([nearest]), corner)
            margin *= 2

    def _around(
        self, bounds: tuple[int, int, int, int], margin: int
    ) -> tuple[Components, tuple[int, int]]:
        """The components in a box around some bounds, and its top left corner on the page."""
        left, top = max(0, bounds[0] - margin), max(0, bounds[1] - margin)
        right = min(self._width, bounds[2] + margin)
        bottom = min(self._height, bounds[3] + margin)
        return label_components(self.ink(left, top, right, bottom)), (left, top)

    def _leaving(self, components: Components, corner: tuple[int, int]) -> NDArray[np.bool_]:
        """(count,) bool: components of a box that touch its border where the page continues."""
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

    def _selection(
        self, components: Components, ids: Whole, corner: tuple[int, int]
    ) -> InkSelection:
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
