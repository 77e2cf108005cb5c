"""From a rough stroke on a page to the outline of the ink that is meant."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.api.arguments import as_arguments, check_choice, is_path
from spotlab.api.job import checked, unusable
from spotlab.errors import BadArgument
from spotlab.files import PathLike, is_file
from spotlab.imaging.ink import InkMethod, InkSettings, InkTone
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.stroke_outline import InkCut, InkSearch, outline_stroke
from spotlab.model import Primitive


@checked
def hull_of_stroke(
    image: PathLike | NDArray[np.uint8],
    stroke: ArrayLike,
    *,
    share: float = 0.5,
    primitive: str = "hull",
    cut: str = "proposed",
    ink: str = "otsu",
    tone: str = "auto",
) -> NDArray[np.float64]:
    """Outline the ink that a rough closed stroke takes, exactly as Sketch in the window does.

    Parameters
    ----------
    image : path or array
        The page: an image file, or (H, W) or (H, W, 3) uint8 pixels.
    stroke : (N, 2) array_like
        x, y in px, origin top left; closed by itself.
    share : float
        A connected component of ink is taken when more than this share in [0, 1] of its pixels lies
        inside the stroke, or all of them.
    primitive : str
        "hull", "box", "ellipse", "isothetic", "trace" or "cells".
    cut : "proposed", "stroke" or "none"
        Where ink is cut that continues outside the stroke: where it hangs on something larger, as a
        door hangs on its wall; at the stroke; or nowhere, so that components are taken whole.
    ink : "otsu", "sauvola" or "wolf"
        How ink is told from paper.
    tone : "auto", "dark" or "light"
        Whether ink is darker or lighter than the paper; "auto" takes for ink what there is less of.

    Returns
    -------
    (M, 2) float
        Open ring in px; (0, 2) where the stroke takes no ink.

    Raises
    ------
    SpotlabError
        The image cannot be read, or the stroke is no list of points.

    Examples
    --------
    >>> page = np.full((40, 60), 255, np.uint8)
    >>> page[10:20, 15:35] = 0
    >>> hull_of_stroke(page, [(10, 5), (40, 5), (40, 25), (10, 25)]).tolist()
    [[15.0, 10.0], [35.0, 10.0], [35.0, 20.0], [15.0, 20.0]]
    """
    check_choice(primitive, "primitive", [str(each) for each in Primitive if each.has_area])
    check_choice(cut, "cut", [str(each) for each in InkCut])
    check_choice(ink, "ink", [str(each) for each in InkMethod])
    check_choice(tone, "tone", [str(each) for each in InkTone])
    try:
        points = np.asarray(stroke, np.float64)
    except (TypeError, ValueError) as error:
        raise unusable(stroke, "stroke", "points x, y in px, (N, 2)") from error
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
        raise BadArgument(f"`stroke` has the shape {points.shape}; expected finite points, (N, 2)")
    with as_arguments():
        settings = InkSettings(InkMethod(ink), tone=InkTone(tone))
        page_ink = _page_ink(image, settings)
        search = InkSearch(page_ink, tuple(map(tuple, points.tolist())), share, InkCut(cut))
        drawn = outline_stroke(search, Primitive(primitive))
    return np.asarray(drawn.points, np.float64)


def _page_ink(image: Any, settings: InkSettings) -> PageInk:
    if is_path(image):
        path = Path(image)
        changed = path.stat().st_mtime_ns if is_file(path) else 0
        return _ink_of_file(path, changed, settings)
    pixels = np.asarray(image)
    if pixels.ndim not in (2, 3) or pixels.dtype != np.uint8:
        raise unusable(image, "image", "a path, or (H, W) or (H, W, 3) uint8 pixels")
    return PageInk(pixels, settings)


@lru_cache(maxsize=1)
def _ink_of_file(path: Path, _changed: int, settings: InkSettings) -> PageInk:
    """The ink of a page; several strokes on one page read it once."""
    return PageInk(read_page(path), settings)
