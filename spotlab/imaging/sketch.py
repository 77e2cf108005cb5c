"""From a sketched stroke to the components that it selects."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.imaging.components import Components
from spotlab.imaging.runs import Whole
from spotlab.imaging.stroke import runs_inside


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
    >>> from spotlab.imaging.components import label_components
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
    >>> from spotlab.imaging.components import label_components
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
