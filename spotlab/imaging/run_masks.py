"""Between runs of pixels, masks of a window, and selections of ink."""

from __future__ import annotations

import numpy as np

from spotlab.imaging.ink import Ink
from spotlab.imaging.ink_selection import InkSelection
from spotlab.imaging.runs import Runs


def select_runs(page_size: tuple[int, int], runs: Runs) -> InkSelection:
    """Pixels of which each run is a component of its own.

    Parameters
    ----------
    page_size : (int, int)
        Width and height of the page in px.
    runs : Runs
        Any pixels.

    Returns
    -------
    InkSelection

    Examples
    --------
    >>> select_runs((9, 9), Runs.of([2, 3], [1, 1], [4, 4])).component_keys.tolist()
    [19, 28]
    """
    return InkSelection(page_size, runs, runs.rows.astype(np.int64) * page_size[0] + runs.starts)


def paint_runs(runs: Runs, left: int, top: int, right: int, bottom: int) -> Ink:
    """The part of the runs in a window, as a mask.

    Parameters
    ----------
    runs : Runs
        In px of the page.
    left, top, right, bottom : int
        The window in px, right and bottom exclusive.

    Returns
    -------
    (bottom − top, right − left) bool

    Examples
    --------
    >>> paint_runs(Runs.of([2], [1], [4]), 2, 2, 6, 3).tolist()
    [[True, True, False, False]]
    """
    pieces = runs.crop(left, top, right, bottom)[0].translate(-left, -top)
    return pieces.fill(right - left, bottom - top, np.ones(len(pieces), np.uint8)) > 0
