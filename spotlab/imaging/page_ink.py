"""The ink of one page: its components, and those that a rough stroke selects."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Ints, Points
from spotlab.extras import csgraph, cv2, sparse
from spotlab.geometry import polygon
from spotlab.geometry.polygon import concatenate_ranges
from spotlab.imaging.cleaning import CleanedInk
from spotlab.imaging.ink import Binariser, Ink, InkSettings, InkTone
from spotlab.imaging.outlines import Runs, Whole, concatenate_runs, make_outline, runs_from_mask
from spotlab.imaging.reading.pyramid import TILE, Pixels, row_bands
from spotlab.libraries import shapely
from spotlab.model import Primitive
from spotlab.processes import release_memory
from spotlab.progress import Progress, silent

_BLOCK = 250_000  # runs that are joined at a time, which takes some 80 bytes for each


@dataclass(frozen=True, eq=False)
class Components:
    """The components of a page's ink, C in number, with R runs.

    Attributes
    ----------
    width, height : int
        Size of the page in px.
    runs : Runs
        All ink.
    ids : (R,) int32
        The component of each run, from 0.
    count : int
        Number of components.
    """

    width: int
    height: int
    runs: Runs
    ids: Whole
    count: int

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """(C,) number of pixels of each component."""
        lengths = self.runs.stops - self.runs.starts
        return np.bincount(self.ids, lengths, minlength=self.count).astype(np.int64)

    @cached_property
    def bounds(self) -> Whole:
        """(C, 4) left, top, right, bottom of each component in px; right, bottom are exclusive."""
        bounds = np.zeros((self.count, 4), np.int32)
        bounds[:, :2] = self.width, self.height
        np.minimum.at(bounds[:, 0], self.ids, self.runs.starts)
        np.minimum.at(bounds[:, 1], self.ids, self.runs.rows)
        np.maximum.at(bounds[:, 2], self.ids, self.runs.stops)
        np.maximum.at(bounds[:, 3], self.ids, self.runs.rows + 1)
        return bounds

    def select(self, ids: ArrayLike) -> tuple[Runs, Whole]:
        """Return the runs of some components, in the order of the page.

        Parameters
        ----------
        ids : (K,) int
            The components.

        Returns
        -------
        runs : Runs
            Empty for no components.
        ids : (R,) int32
            The component of each run.
        """
        chosen = np.asarray(ids, np.int32)
        if not len(chosen):
            return Runs.of([], [], []), np.empty(0, np.int32)
        top, bottom = self.bounds[chosen, 1].min(), self.bounds[chosen, 3].max()
        part = slice(*np.searchsorted(self.runs.rows, [top, bottom]).tolist())
        is_chosen = np.zeros(self.count, np.bool_)
        is_chosen[chosen] = True
        mine = np.flatnonzero(is_chosen[self.ids[part]]) + part.start
        return self.runs[mine], self.ids[mine]

    def at(self, x: int, y: int) -> int:
        """Find the component of a pixel.

        Parameters
        ----------
        x, y : int
            In px.

        Returns
        -------
        int
            -1 where there is none.

        Examples
        --------
        >>> components = label_components(np.array([[1, 0, 1]], bool))
        >>> components.at(2, 0), components.at(1, 0), components.at(2, 7)
        (1, -1, -1)
        """
        first, last = np.searchsorted(self.runs.rows, [y, y + 1]).tolist()
        run = first + int(np.searchsorted(self.runs.starts[first:last], x, "right")) - 1
        inside = run >= first and x < self.runs.stops[run]
        return int(self.ids[run]) if inside else -1

    def paint(self, left: int, top: int, right: int, bottom: int) -> Whole:
        """Paint the components in a window.

        Parameters
        ----------
        left, top, right, bottom : int
            The window in px, right and bottom exclusive.

        Returns
        -------
        (bottom − top, right − left) int32
            Component of each pixel, plus 1; 0 where there is none.

        Examples
        --------
        >>> label_components(np.array([[1, 0, 1], [0, 0, 1]], bool)).paint(0, 0, 3, 2).tolist()
        [[1, 0, 2], [0, 0, 2]]
        """
        pieces, which = self.runs.crop(left, top, right, bottom)
        return pieces.translate(-left, -top).fill(right - left, bottom - top, self.ids[which] + 1)


def label_components(ink: Ink, progress: Progress = silent, *, diagonal: bool = True) -> Components:
    """Find the connected components of ink.

    Parameters
    ----------
    ink : (H, W) bool
        True where there is ink.
    progress : Progress
        Called with the rows done.
    diagonal : bool
        Whether pixels that touch at a corner only are connected.

    Returns
    -------
    Components

    Examples
    --------
    >>> ink = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0], [1, 0, 0]], bool)
    >>> components = label_components(ink)
    >>> components.count, components.sizes.tolist()
    (2, [3, 1])
    >>> label_components(ink, diagonal=False).count
    4
    """
    height, width = ink.shape

    def parts() -> Iterator[tuple[int, Ink]]:
        for top, bottom in row_bands(width, height):
            progress(top, height, "finding ink")
            yield top, ink[top:bottom]

    return label_bands(parts(), width, height, progress, diagonal=diagonal)


def label_bands(
    ink_bands: Iterable[tuple[int, Ink]],
    width: int,
    height: int,
    progress: Progress = silent,
    *,
    diagonal: bool = True,
) -> Components:
    """Find the connected components of ink that comes in bands of rows.

    Parameters
    ----------
    ink_bands : iterable of (int, (h, W) bool)
        The first row of each band and its ink, from top to bottom.
    width, height : int
        Size of the page in px.
    progress : Progress
        Called while components are joined.
    diagonal : bool
        Whether pixels that touch at a corner only are connected.

    Returns
    -------
    Components
        As `label_components` finds them in the whole page.

    Examples
    --------
    >>> ink = np.array([[1, 0], [1, 0], [0, 1]], bool)
    >>> label_bands([(0, ink[:2]), (2, ink[2:])], 2, 3).count
    1
    """
    runs = concatenate_runs([runs_from_mask(band, top) for top, band in ink_bands])
    progress(0, None, "joining components")
    count, ids = _join(runs, width, diagonal)
    progress(1, 1, "joining components")
    return Components(width, height, runs, ids, count)


def _join(runs: Runs, width: int, diagonal: bool) -> tuple[int, Whole]:
    """Number of components, and the component of each run."""
    first, last = _touching(runs, width, diagonal)
    ids = np.empty(len(runs), np.int32)
    count = 0
    across: list[tuple[int, int]] = []  # pairs of runs in different blocks
    for start in range(0, len(runs), _BLOCK):
        stop = min(start + _BLOCK, len(runs))
        begins, ends = first[start:stop], last[start:stop]
        new, ids[start:stop] = _join_block(begins - start, np.minimum(ends, stop) - start)
        ids[start:stop] += count
        count += new
        for run in (np.flatnonzero(ends > stop) + start).tolist():
            across += [(run, other) for other in range(max(stop, int(first[run])), int(last[run]))]
    del first, last
    if not across:
        return count, ids
    one, other = ids[np.array(across).T]
    graph = sparse.coo_array((np.ones(len(one), np.int8), (one, other)), (count, count))
    count, merged = csgraph.connected_components(graph, directed=False)
    return int(count), merged.astype(np.int32, copy=False)[ids]


def _touching(runs: Runs, width: int, diagonal: bool) -> tuple[Whole, Whole]:
    """(R,), (R,): each run touches the runs of the next row from first to before last.

    There are none where last is not more than first.
    """
    pitch = np.int32(width + 2)  # more than any stop + 1: positions of different rows never mix
    # 32 bits hold three times the pixels of the largest page
    lines = runs.rows * pitch
    start_keys, stop_keys = lines + runs.starts, lines + runs.stops
    del lines
    first, last = np.empty(len(runs), np.int32), np.empty(len(runs), np.int32)
    for part in (slice(at, at + _BLOCK) for at in range(0, len(runs), _BLOCK)):
        # two runs touch when neither ends before the other starts: corners may count
        before, after = start_keys[part] + pitch, stop_keys[part] + pitch
        first[part] = np.searchsorted(stop_keys, before, "left" if diagonal else "right")
        last[part] = np.searchsorted(start_keys, after, "right" if diagonal else "left")
    return first, last


def _join_block(first: Whole, last: Whole) -> tuple[int, Whole]:
    """Number of components, and the component of each run, among runs that touch first…last."""
    total = len(first)
    counts = np.maximum(last - first, 0)
    pointers = np.zeros(total + 1, np.int32)
    np.cumsum(counts, out=pointers[1:])
    pairs = int(pointers[-1])
    neighbours = np.arange(pairs, dtype=np.int32) + np.repeat(first - pointers[:-1], counts)
    graph = sparse.csr_array((np.ones(pairs, np.int8), neighbours, pointers), shape=(total, total))
    count, ids = csgraph.connected_components(graph, directed=False)
    return int(count), ids


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


def runs_inside(stroke: ArrayLike, width: int, height: int) -> Runs:
    """Find the pixels of a page whose centres lie inside a closed stroke.

    Parameters
    ----------
    stroke : (N, 2) array_like
        x, y in px; closed automatically. Points may lie outside the page.
    width, height : int
        Size of the page in px.

    Returns
    -------
    Runs
        Empty where the stroke encloses no centre.

    Examples
    --------
    >>> runs = runs_inside([(1, 1), (4, 1), (4, 3), (1, 3)], 10, 10)
    >>> runs.rows.tolist(), runs.starts.tolist(), runs.stops.tolist()
    ([1, 2], [1, 1], [4, 4])
    """
    rings = enclosed_rings(polygon.as_points(stroke))
    if not rings:
        return Runs.of([], [], [])
    begins = np.concatenate(rings)
    ends = np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])
    rows, crossings = _crossings(begins, ends, height)
    order = np.lexsort((crossings, rows))
    rows, crossings = rows[order][::2], crossings[order]
    # the centre of pixel x lies at x + .5
    columns = np.clip(np.ceil(crossings - 0.5), 0, width).astype(np.int64)
    starts, stops = columns[::2], columns[1::2]
    some = stops > starts
    return _merged(rows[some], starts[some], stops[some])


def enclosed_rings(points: Points) -> list[Points]:
    """Return the outer rings of all that a closed stroke encloses.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px; closed automatically.

    Returns
    -------
    list of (n, 2) float
        Open rings that do not overlap; none for a stroke without area.
    """
    if len(points) < 3:
        return []
    if not polygon.crosses_itself(points):
        return [points] if polygon.signed_area(points) != 0 else []
    line = shapely.linestrings(np.vstack([points, points[:1]]))
    faces = shapely.get_parts(shapely.polygonize([shapely.node(line)]))
    merged = shapely.get_parts(shapely.union_all(faces))
    return [shapely.get_coordinates(part.exterior)[:-1] for part in merged]


def _crossings(begins: Points, ends: Points, height: int) -> tuple[Ints, NDArray[np.float64]]:
    """(row, x) of every crossing of an edge with the line through the centres of a row."""
    low = np.minimum(begins[:, 1], ends[:, 1])
    high = np.maximum(begins[:, 1], ends[:, 1])
    first = np.clip(np.ceil(low - 0.5), 0, height).astype(np.int64)
    last = np.clip(np.ceil(high - 0.5), 0, height).astype(np.int64)
    counts = last - first
    edge = np.repeat(np.arange(len(counts)), counts)
    rows = concatenate_ranges(first, counts)
    (x1, y1), (x2, y2) = begins[edge].T, ends[edge].T
    return rows, x1 + (rows + 0.5 - y1) / (y2 - y1) * (x2 - x1)


def _merged(rows: Ints, starts: Ints, stops: Ints) -> Runs:
    """Join runs of a row that touch, where rings touch each other."""
    if not len(rows):
        return Runs.of(rows, starts, stops)
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]) | (starts[1:] > stops[:-1])
    first = np.flatnonzero(new)
    return Runs.of(rows[first], starts[first], np.maximum.reduceat(stops, first))


def select_components(components: Components, stroke: ArrayLike, share: float = 0.5) -> Whole:
    """Select the components that a closed stroke encloses.

    Parameters
    ----------
    components : Components
        Of the page.
    stroke : (N, 2) array_like
        x, y in px; closed automatically.
    share : float
        A component is selected if more than this share of its pixels lies inside, or all of them;
        0.5 means more inside than outside.

    Returns
    -------
    (M,) int32
        Ids of the components, ascending; empty where the stroke encloses no ink.

    Examples
    --------
    >>> from spotlab.imaging.page_ink import label_components
    >>> ink = np.zeros((9, 9), bool); ink[2:4, 2:4] = True; ink[4:8, 6] = True
    >>> select_components(label_components(ink), [(0, 0), (5, 0), (5, 5), (0, 5)]).tolist()
    [0]
    """
    ids, inside = count_pixels_inside(components, stroke)
    sizes = components.sizes[ids]
    selected: Whole = ids[~is_outside(inside, sizes, share)]
    return selected


def is_outside(
    inside: NDArray[np.int64], sizes: NDArray[np.int64], share: float
) -> NDArray[np.bool_]:
    """Tell which components a stroke leaves out, however many more pixels they have outside.

    Parameters
    ----------
    inside, sizes : (K,) int
        Pixels of each component inside the stroke, and in all.
    share : float
        In [0, 1]; see `select_components`.

    Returns
    -------
    (K,) bool

    Examples
    --------
    >>> is_outside(np.array([5, 6, 3]), np.array([10, 10, 3]), 0.5).tolist()
    [True, False, False]
    """
    return (inside <= share * sizes) & (inside < sizes)


def count_pixels_inside(
    components: Components, stroke: ArrayLike
) -> tuple[Whole, NDArray[np.int64]]:
    """Count the pixels of components inside a closed stroke.

    Parameters
    ----------
    components : Components
        Of the page.
    stroke : (N, 2) array_like
        x, y in px; closed automatically.

    Returns
    -------
    ids : (K,) int32
        The components with pixels inside, ascending.
    inside : (K,) int
        How many each has there.

    Examples
    --------
    >>> from spotlab.imaging.page_ink import label_components
    >>> components = label_components(np.ones((4, 4), bool))
    >>> ids, inside = count_pixels_inside(components, [(0, 0), (2, 0), (2, 2), (0, 2)])
    >>> ids.tolist(), inside.tolist()
    ([0], [4])
    """
    stroke_runs = runs_inside(stroke, components.width, components.height)
    ink, which = components.runs.crop(*stroke_runs.bounds)
    covered = ink.count_shared(stroke_runs)
    ids, which = np.unique(components.ids[which], return_inverse=True)
    inside = np.bincount(which, covered, minlength=len(ids)).astype(np.int64)
    return ids[inside > 0], inside[inside > 0]


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
        """Tell whether the components of the whole page are known."""
        return self._components is not None

    @property
    def components(self) -> Components | None:
        """The components of the whole page; None until it is labelled."""
        return self._components

    @property
    def tone(self) -> InkTone:
        """Tell whether the page's ink is dark or light."""
        return self._binariser.tone

    @property
    def cleaned(self) -> CleanedInk | None:
        """Return what has been removed from the ink; None until it is known, or if nothing is."""
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
            See `spotlab.imaging.page_ink.select_components`.

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


def _distinct_colours() -> Pixels:
    """(256, 3): white, then colours that differ from the next ones and show on white."""
    golden = 0.618033988749895
    colours = [
        colorsys.hls_to_rgb(which * golden % 1, 0.32 + 0.1 * (which % 3), 0.75)
        for which in range(255)
    ]
    return np.asarray(np.rint(np.array([(1.0, 1.0, 1.0), *colours]) * 255), np.uint8)


_COLOURS = _distinct_colours()
_BLACK_ON_WHITE = np.repeat(np.array([[255], [0]], np.uint8), 3, axis=1)


def ink_tile(ink: PageInk, level: int, column: int, row: int, coloured: bool) -> Pixels:
    """Draw a tile of the binarised page, aligned with `Pyramid.tile` of its pixels.

    Parameters
    ----------
    ink : PageInk
        Ink of the page.
    level, column, row : int
        As in the pyramid: 2 to the power of ``level`` px are averaged in each direction.
    coloured : bool
        Give each component a colour of its own. Until the page is labelled, all ink is black.

    Returns
    -------
    (h, w, 3) uint8
        RGB on white, at most ``TILE`` × ``TILE``; empty outside the page.

    Examples
    --------
    >>> ink = PageInk(np.array([[0, 255], [255, 255]], np.uint8))
    >>> ink_tile(ink, 0, 0, 0, coloured=False)[..., 0].tolist()
    [[0, 255], [255, 255]]
    """
    factor = 2**level
    width, height = ink.page_size
    left, top = column * TILE * factor, row * TILE * factor
    right, bottom = min(width, left + TILE * factor), min(height, top + TILE * factor)
    if left >= right or top >= bottom:
        return np.empty((0, 0, 3), np.uint8)
    tile = np.empty((-(-(bottom - top) // factor), -(-(right - left) // factor), 3), np.uint8)
    # a band of the page at a time: at the last level one tile is the whole page
    for first, last in row_bands(right - left, len(tile), max(1, 2_000_000 // factor)):
        low, high = top + first * factor, min(bottom, top + last * factor)
        indices, table = _indices(ink, (left, low, right, high), coloured)
        for channel in range(3):
            tile[first:last, :, channel] = _averaged(table[:, channel], indices, factor)
    return tile


def _indices(ink: PageInk, box: tuple[int, int, int, int], coloured: bool) -> tuple[Pixels, Pixels]:
    """The colour of each pixel of a window, and the table of colours."""
    if not coloured or ink.components is None:
        return ink.ink(*box).view(np.uint8), _BLACK_ON_WHITE
    left, top, right, bottom = box
    pieces, which = ink.components.runs.crop(*box)
    colours = (ink.components.ids[which] % 255 + 1).astype(np.uint8)
    return pieces.translate(-left, -top).fill(right - left, bottom - top, colours), _COLOURS


def _averaged(levels: Pixels, indices: Pixels, factor: int) -> Pixels:
    """Means of factor × factor px; the last ones of each row and column repeat the edge."""
    whole = np.full(256, 255, np.uint8)
    whole[: len(levels)] = levels
    pixels = np.asarray(cv2.LUT(np.ascontiguousarray(indices), whole), np.uint8)
    if factor == 1:
        return pixels
    height, width = pixels.shape
    padded = np.pad(pixels, ((0, -height % factor), (0, -width % factor)), mode="edge")
    size = padded.shape[1] // factor, padded.shape[0] // factor
    return np.asarray(cv2.resize(padded, size, interpolation=cv2.INTER_AREA), np.uint8)
