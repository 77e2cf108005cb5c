"""From a sketched stroke to the components that are meant."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.imaging.components import Components
from spotlab.imaging.runs import Whole
from spotlab.imaging.stroke import runs_inside


def select_components(components: Components, stroke: ArrayLike, share: float = 0.5) -> Whole:
    """The components that a closed stroke takes.

    Parameters
    ----------
    components : Components
        Of the page.
    stroke : (N, 2) float
        x, y in px; closed by itself.
    share : float
        A component is taken when more than this share of its pixels lies inside, or all of them;
        0.5 means more inside than outside.

    Returns
    -------
    (M,) int32
        Their ids, ascending; empty where the stroke encloses no ink.

    Examples
    --------
    >>> from spotlab.imaging.components import label_components
    >>> ink = np.zeros((9, 9), bool); ink[2:4, 2:4] = True; ink[4:8, 6] = True
    >>> select_components(label_components(ink), [(0, 0), (5, 0), (5, 5), (0, 5)]).tolist()
    [0]
    """
    ids, inside = count_pixels_inside(components, stroke)
    sizes = components.sizes[ids]
    taken: Whole = ids[~is_outside(inside, sizes, share)]
    return taken


def is_outside(
    inside: NDArray[np.int64], sizes: NDArray[np.int64], share: float
) -> NDArray[np.bool_]:
    """Which components are not taken, and would not be if they had more pixels outside."""
    return (inside <= share * sizes) & (inside < sizes)


def count_pixels_inside(
    components: Components, stroke: ArrayLike
) -> tuple[Whole, NDArray[np.int64]]:
    """The components with pixels inside the stroke, and how many each has there."""
    stroke_runs = runs_inside(stroke, components.width, components.height)
    ink, which = components.runs.crop(*stroke_runs.bounds)
    covered = ink.count_shared(stroke_runs)
    ids, which = np.unique(components.ids[which], return_inverse=True)
    inside = np.bincount(which, covered, minlength=len(ids)).astype(np.int64)
    return ids[inside > 0], inside[inside > 0]
