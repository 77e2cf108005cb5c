"""Connected components of ink as runs of pixels in rows, without an image of labels.

Runs in neighbouring rows that touch, also at corners, belong to the same component. A scanned plan
of 64 million pixels has some hundred thousand runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.imaging.conversion import row_bands
from spotlab.imaging.ink import Ink
from spotlab.imaging.runs import Runs, Whole, concatenate_runs, runs_from_mask
from spotlab.libraries import csgraph, sparse
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
