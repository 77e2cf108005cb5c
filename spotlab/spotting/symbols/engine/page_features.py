"""Pages and query models as searches need them: ink, primitives, and what methods extract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Points
from spotlab.extras import cv2
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import hull, runs_from_mask
from spotlab.representation import short_repr
from spotlab.spotting.symbols.drawing.contours import Primitives

Arrays = Mapping[str, NDArray[Any]]
Value = TypeVar("Value")
INK = "ink"  # among the arrays, no method is called so


def pack_ink(ink: Ink) -> Arrays:
    """Pack ink for a file, eight pixels a byte.

    Parameters
    ----------
    ink : (H, W) bool

    Returns
    -------
    mapping of str to (H, ceil(W / 8)) uint8

    Examples
    --------
    >>> pack_ink(np.array([[True, False, True]]))["bits"].tolist()
    [[160]]
    """
    return {"bits": np.packbits(ink, axis=1)}


@dataclass(frozen=True, eq=False)
class PageFeatures:
    """Features extracted from a page, or from the ink of a query model.

    Attributes
    ----------
    size : (int, int)
        Width and height in px.
    pen : float
        Width of a usual line in px.
    primitives : Primitives
    arrays : mapping of str to mapping of str to array
        What each method keeps, by the method's name, and the ink; all of it goes into a file.
    """

    size: tuple[int, int]
    pen: float
    primitives: Primitives
    arrays: Mapping[str, Arrays]
    _cached: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def ink(self) -> Ink:
        """(H, W) bool; unpacked anew each time, since whole pages are large."""
        bits = np.unpackbits(self.arrays[INK]["bits"], axis=1, count=self.size[0])
        return bits.view(np.bool_)

    def cached(self, name: str, make: Callable[[], Value]) -> Value:
        """Return what ``make`` returns, called once for each name.

        For trees and the like, which do not go into a file.

        Parameters
        ----------
        name : str
            What is made; it says all that the result depends on besides the page.
        make : callable

        Examples
        --------
        >>> page = PageFeatures((9, 9), 1.0, Primitives(Outlines.of([]), np.zeros(0, int)), {})
        >>> page.cached("answer", lambda: 42), page.cached("answer", lambda: 43)
        (42, 42)
        """
        if name not in self._cached:
            self._cached[name] = make()
        value: Value = self._cached[name]
        return value


@dataclass(frozen=True, eq=False)
class QueryFeatures:
    """Features extracted from a query model.

    Attributes
    ----------
    name : str
        The label that is searched.
    outline : (N, 2) float
        Open ring around the symbol, in px of ``features``.
    features : PageFeatures
    """

    name: str
    outline: Points
    features: PageFeatures


@dataclass(frozen=True, eq=False)
class QuerySpots:
    """The spots of one query on one page, best first.

    Attributes
    ----------
    outlines : Outlines
        Regions of the page, in px.
    scores : (N,) float
        0 to 1, falling.
    """

    outlines: Outlines
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def none(cls) -> QuerySpots:
        """Spots of a query that is nowhere on the page."""
        return cls(Outlines.of([]), np.zeros(0))

    @classmethod
    def concatenated(cls, parts: Sequence[QuerySpots]) -> QuerySpots:
        """Join lists of spots one after the other, without sorting them.

        Parameters
        ----------
        parts : sequence of QuerySpots
            May be empty.
        """
        scores = np.concatenate([np.empty(0), *(part.scores for part in parts)])
        return cls(Outlines.joined([part.outlines for part in parts]), scores)


MARGIN = 8  # px of paper around a model, so that its outer contours close


@dataclass(frozen=True, eq=False)
class SymbolModel:
    """The ink of one symbol alone.

    Attributes
    ----------
    name : str
        The label that is searched.
    ink : (H, W) bool
    outline : (N, 2) float
        Open ring around the symbol, in px of ``ink``.
    """

    name: str
    ink: Ink
    outline: Points

    __repr__ = short_repr


def crop_model(name: str, ink: Ink, outline: ArrayLike, slack: float = 2.0) -> SymbolModel:
    """Crop the model of a region of a page, as in Rusiñol & Lladós (2009), §5.3.

    Parameters
    ----------
    name : str
        The label that is searched.
    ink : (H, W) bool
        The page's.
    outline : (N, 2) array_like
        The region, in px of the page.
    slack : float
        Distance in px within which ink outside the region still belongs to it.

    Returns
    -------
    SymbolModel
        Without the ink outside; empty where the region is outside of the page.

    Examples
    --------
    >>> page = np.zeros((60, 60), bool)
    >>> page[20:30, 20:40] = page[:, 50] = True
    >>> model = crop_model("bar", page, [(20, 20), (40, 20), (40, 30), (20, 30)])
    >>> int(model.ink.sum()), model.outline[0].tolist()
    (200, [10.0, 10.0])
    """
    points = polygon.as_points(outline)
    left, top, right, bottom = polygon.bounds(points)
    margin = int(np.ceil(slack)) + MARGIN
    corner = np.array([int(np.floor(left)) - margin, int(np.floor(top)) - margin])
    width, height = (
        int(np.ceil(right)) + margin - corner[0],
        int(np.ceil(bottom)) + margin - corner[1],
    )
    window = np.zeros((height, width), bool)
    x, y = np.maximum(corner, 0)
    part = ink[y : max(corner[1] + height, 0), x : max(corner[0] + width, 0)]
    window[y - corner[1] :, x - corner[0] :][: part.shape[0], : part.shape[1]] = part
    inside = np.zeros((height, width), np.uint8)
    ring = np.round((points - corner) * 8).astype(np.int32)
    cv2.fillPoly(inside, [ring], 1, cv2.LINE_8, 3)
    if slack > 0:
        side = 2 * int(np.ceil(slack)) + 1
        inside = cv2.dilate(inside, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    return SymbolModel(name, window & (inside > 0), points - corner)


def draw_model(name: str, strokes: Sequence[ArrayLike], pen: float) -> SymbolModel:
    """Make a model of strokes; its outline is the hull of their ink.

    Parameters
    ----------
    name : str
        The label that is searched.
    strokes : sequence of (N, 2) array_like
        In px; a stroke is closed where its last point is its first.
    pen : float
        Width of the strokes in px; 1 where it is less.

    Returns
    -------
    SymbolModel

    Raises
    ------
    ValueError
        There is no stroke.

    Examples
    --------
    >>> model = draw_model("box", [[(0, 0), (20, 0), (20, 10), (0, 10), (0, 0)]], pen=1)
    >>> int(model.ink.sum()), np.ptp(model.outline, axis=0).tolist()
    (60, [21.0, 11.0])
    """
    lines = [np.asarray(stroke, np.float64).reshape(-1, 2) for stroke in strokes]
    if not any(len(line) for line in lines):
        raise ValueError("nothing is drawn; a query model needs at least one stroke")
    points = np.concatenate(lines)
    margin = int(np.ceil(pen)) + MARGIN
    corner = np.floor(points.min(0)) - margin
    width, height = (np.ceil(points.max(0)) + margin - corner).astype(int)
    canvas = np.zeros((int(height), int(width)), np.uint8)
    closed = [np.vstack([line, line]) if len(line) == 1 else line for line in lines]  # dots
    rings = [np.round((line - corner) * 8).astype(np.int32) for line in closed]
    cv2.polylines(canvas, rings, False, 1, max(round(pen), 1), cv2.LINE_8, 3)
    ink = canvas > 0
    return SymbolModel(name, ink, hull(runs_from_mask(ink)))
