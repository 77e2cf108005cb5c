"""Bands between two parallel faces of a drawing: walls, each with its kind and thickness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Points
from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import label_parts
from spotlab.libraries import shapely

Flags = NDArray[np.bool_]

_TOLERANCE = 1.5  # px between an outline and its polygon
_SHORTEST = 6.0  # px: a shorter edge is part of no face
_DIRECTIONS = 6  # of faces at most,
_RARE = 0.03  # and what share of the commonest one's length the others have at least
_LONG = 20.0  # px: edges that tell the directions
_SLACK = 2.5  # degrees between an edge and its direction
_NEAR = 2.0  # px across between the edges of one face,
_GAP = 10.0  # and along: what crosses a face interrupts it
_STOUT = 0.8  # times its thickness: a band is no shorter


class BandKind(StrEnum):
    """Ink between the faces of a wall."""

    FILLED = "filled"
    HATCHED = "hatched"
    DOUBLE = "double"


@dataclass(frozen=True, eq=False)
class WallBand:
    """A straight strip between two faces.

    Attributes
    ----------
    ahead : (2,) float
        Unit vector along it.
    first, last : float
        Where it begins and ends along that vector, in px.
    low, high : float
        Where its faces are across that vector, in px.
    """

    ahead: Floats
    first: float
    last: float
    low: float
    high: float

    @property
    def length(self) -> float:
        """Along the faces, in px."""
        return self.last - self.first

    @property
    def thickness(self) -> float:
        """From face to face, in px."""
        return self.high - self.low

    @property
    def across(self) -> Floats:
        """The unit vector from the low face to the high one, (2,) float."""
        return np.array([-self.ahead[1], self.ahead[0]])

    @property
    def ring(self) -> Points:
        """The four corners, (4, 2) float in px."""
        along = np.array([self.first, self.last, self.last, self.first])
        aside = np.array([self.low, self.low, self.high, self.high])
        corners: Points = along[:, None] * self.ahead + aside[:, None] * self.across
        return corners

    def part(self, first: float, last: float) -> WallBand:
        """Cut out what lies between two places along the band.

        Parameters
        ----------
        first, last : float
            In px from the start of the band.

        Returns
        -------
        WallBand
            As thick as this one.

        Examples
        --------
        >>> band = WallBand(np.array([1.0, 0.0]), 10.0, 80.0, 5.0, 9.0)
        >>> part = band.part(20.0, 30.0)
        >>> part.first, part.last, part.thickness
        (30.0, 40.0, 4.0)
        """
        return WallBand(self.ahead, self.first + first, self.first + last, self.low, self.high)

    def sampled(self, image: Flags) -> Flags:
        """Look a band up in an image: one row for each px across, one column for each along.

        Parameters
        ----------
        image : (H, W) bool

        Returns
        -------
        (thickness, length) bool
            False beyond the image.
        """
        along = np.arange(self.first + 0.5, self.last)
        aside = np.arange(self.low + 0.5, self.high)
        places = along[None, :, None] * self.ahead + aside[:, None, None] * self.across
        whole = np.floor(places).astype(np.int64)
        height, width = image.shape
        inside = (whole >= 0).all(axis=2) & (whole[..., 0] < width) & (whole[..., 1] < height)
        rows, columns = np.clip(whole[..., 1], 0, height - 1), np.clip(whole[..., 0], 0, width - 1)
        return np.asarray(image[rows, columns] & inside)


def bands_between(
    mask: Flags, widest: float, gap: float = _GAP, stout: float = _STOUT
) -> Iterator[WallBand]:
    """Find all pairs of parallel faces that look away from each other.

    Parameters
    ----------
    mask : (H, W) bool
        Ink, or what is inside walls.
    widest : float
        Of the thickest bands in px.
    gap : float
        A face goes on behind what interrupts it by this many px at most.
    stout : float
        Times its thickness: no band is shorter.

    Yields
    ------
    WallBand
        Whatever lies between its faces.

    Examples
    --------
    >>> mask = np.zeros((60, 90), np.bool_)
    >>> mask[10:15, 10:80] = True
    >>> [(band.thickness, band.length) for band in bands_between(mask, 20) if band.length > 20]
    [(5.0, 70.0)]
    """
    starts, ends = _edges(mask)
    ways = ends - starts
    lengths = np.hypot(*ways.T)
    angles = np.degrees(np.arctan2(ways[:, 1], ways[:, 0]))
    for angle in _directions(angles % 180, lengths):
        turned = np.radians(angle)
        ahead = np.array([np.cos(turned), np.sin(turned)])
        across = np.array([-ahead[1], ahead[0]])
        near = np.abs((angles - angle + 90) % 180 - 90) <= _SLACK
        along = np.stack([starts[near] @ ahead, ends[near] @ ahead], axis=1)
        aside = (starts[near] + ends[near]) @ across / 2
        forth = along[:, 1] > along[:, 0]  # ink lies to the right of an edge's way
        along.sort(axis=1)
        low = _faces(along[forth], aside[forth], gap)
        high = _faces(along[~forth], aside[~forth], gap)
        apart = high[None, :, 2] - low[:, None, 2]
        first = np.maximum(low[:, None, 0], high[None, :, 0])
        last = np.minimum(low[:, None, 1], high[None, :, 1])
        usable = (apart >= 1) & (apart <= widest)
        usable &= last - first >= np.maximum(_SHORTEST, stout * apart)
        for one, other in np.argwhere(usable).tolist():
            ends_at = float(first[one, other]), float(last[one, other])
            yield WallBand(ahead, *ends_at, float(low[one, 2]), float(high[other, 2]))


def _edges(mask: Flags) -> tuple[Points, Points]:
    """Straight edges of a mask, along pixel edges, with the mask to the right of their way."""
    padded = cv2.resize(mask.astype(np.uint8), None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    rings, _ = cv2.findContours(padded, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    starts, ends = [np.empty((0, 2))], [np.empty((0, 2))]
    for ring in rings:
        if len(ring) >= 4 * _SHORTEST:
            corners = cv2.approxPolyDP(ring, 2 * _TOLERANCE, True)[:, 0].astype(np.float64)
            starts.append(corners)
            ends.append(np.roll(corners, -1, axis=0))
    # rings turn with the mask at their left, on the outermost of four px for each
    first, last = np.concatenate(ends), np.concatenate(starts)
    ways = last - first
    lengths = np.hypot(*ways.T)
    kept = lengths >= 2 * _SHORTEST
    first, last, ways = first[kept], last[kept], ways[kept] / lengths[kept, None]
    outside = np.stack([ways[:, 1], -ways[:, 0]], axis=1)
    rim = 0.5 + outside / 2  # corners of the outermost of these px
    return (first + rim - ways / 2) / 2, (last + rim + ways / 2) / 2


def _directions(angles: Floats, lengths: Floats) -> list[float]:
    """The commonest directions of long edges in degrees, [0, 180)."""
    long = lengths >= _LONG
    angles, lengths = angles[long], lengths[long]
    found: list[float] = []
    most = 0.0
    for _ in range(_DIRECTIONS):
        counts = np.bincount((2 * angles).astype(int), lengths, minlength=360)
        sums = np.sum([np.roll(counts, by) for by in range(-2, 3)], axis=0)
        best = int(np.argmax(sums))
        most = most or float(sums[best])
        if not sums[best] or sums[best] < _RARE * most:
            break
        from_best = (angles - (best + 0.5) / 2 + 90) % 180 - 90
        near = np.abs(from_best) <= _SLACK / 2
        found.append(float((best + 0.5) / 2 + np.average(from_best[near], weights=lengths[near])))
        rest = np.abs(from_best) > _SLACK
        angles, lengths = angles[rest], lengths[rest]
    return found


def _faces(along: Floats, aside: Floats, gap: float) -> Floats:
    """Start, end and offset of each face: edges in line are joined, (N, 3) float."""
    order = np.argsort(aside)
    along, aside = along[order], aside[order]
    parent = np.arange(len(aside))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = int(parent[number])
        return number

    beyond = np.searchsorted(aside, aside + _NEAR, side="right")
    for number in range(len(aside)):
        others = np.arange(number + 1, beyond[number])
        apart = np.maximum(along[others, 0], along[number, 0])
        apart -= np.minimum(along[others, 1], along[number, 1])
        for other in others[apart <= gap].tolist():
            parent[root(other)] = root(number)
    _, face = np.unique([root(number) for number in range(len(aside))], return_inverse=True)
    count = int(face.max()) + 1 if len(face) else 0
    first, last = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(first, face, along[:, 0])
    np.maximum.at(last, face, along[:, 1])
    lengths = along[:, 1] - along[:, 0]
    weights = np.bincount(face, lengths, count)
    offsets = np.bincount(face, lengths * aside, count) / np.maximum(weights, 1e-9)
    return np.stack([first, last, offsets], axis=1)


_DENSE = 0.85  # share of ink from which a stretch is filled
_SOLID = 0.5  # and of heavy strokes there
_CLOSED = 0.75  # share of its length along which a face is drawn
_WITHIN = 0.7  # of the length, from which ink along a band is a line in it, no hatching
_HATCHED = (0.06, 0.7)  # share of ink between the faces of a hatched stretch
_HEAVY = 0.6  # share of a face's length that is a heavy stroke
_SLENDER = 1.5  # times its thickness: a stretch of hatching is longer
_LEAST = 8.0  # px: a thinner band is a stroke
_COMMON = 0.2  # of the length of filled strokes, that bands of one thickness have at least
_USUAL = 0.28  # of the commonest thickness, that bands of another one have
_ALIKE = 2  # px between bands of one thickness
_OF_PAGE = 1 / 30  # of the page's longer side: no wall is thicker,
_OF_WALLS = 1 / 24  # nor of the diagonal of what is drawn in heavy strokes
_THICK = 0.25  # times that: strokes of this thickness are whole walls,
_THICKER = 1.3  # times whose thickness any other wall has at most
BROKEN = 5  # px: a heavy stroke that is scanned may be interrupted by so much
_APART = 0.9  # times the thickness: a heavy stroke that is part of a wall is longer,
_FREE = 1.5  # and so is a wall that stands free; lettering is not
_BETWEEN = 1 / 3  # times the thickness: narrower paper between two strips of a wall belongs to it


def with_bands(ink: Ink, heavy: Ink, thickness: float) -> tuple[Ink, float] | None:
    """Add walls that are hatched, or that have a thin face, to those drawn in heavy strokes.

    A plan has walls of few thicknesses, each of them along a good part of its lines. So bands count
    whose thickness is common: hatched ones, and where there is no hatching, those of which one
    face is a heavy stroke.

    Parameters
    ----------
    ink : (H, W) bool
        Long lines.
    heavy : (H, W) bool
        The heavy strokes among them, filled walls included.
    thickness : float
        Of the thickest common ones in px.

    Returns
    -------
    mask : (H, W) bool
        Inside walls.
    thickness : float
        Of the thickest common walls in px.
        None where the plan has no such bands.
    """
    rows, columns = np.flatnonzero(heavy.any(axis=1)), np.flatnonzero(heavy.any(axis=0))
    if not len(rows):
        return None
    extent = float(np.hypot(np.ptp(rows), np.ptp(columns)))
    widest = min(_OF_PAGE * max(ink.shape), _OF_WALLS * extent)
    if thickness > _THICK * widest:  # filled walls are among them, and others are not thicker
        widest = min(widest, _THICKER * thickness)
    stretches = [(part, kind) for band in bands_between(ink, widest)
                 for part, kind in _stretches(band, ink, heavy)]  # fmt: skip
    sizes = np.array([round(part.thickness) for part, _ in stretches], np.int64)
    length = np.array([part.length for part, _ in stretches])
    kinds = np.array([kind for _, kind in stretches], object)

    def support(kind: BandKind) -> NDArray[np.float64]:
        """The length of the bands of about each thickness."""
        right = (kinds == kind) & (sizes >= _LEAST)
        size = round(widest) + 2 * _ALIKE + 2
        sums = np.bincount(sizes[right], length[right], minlength=size)
        return np.asarray(sum(np.roll(sums, by) for by in range(-_ALIKE, _ALIKE + 1)))

    least = _COMMON * float(length[kinds == BandKind.FILLED].sum())
    hatched, double = support(BandKind.HATCHED), support(BandKind.DOUBLE)
    is_hatched = hatched.max() >= least
    chosen, whole = (hatched, hatched + double) if is_hatched else (double, double)
    if chosen.max() < max(least, 1.0):
        return None
    thickest = float(np.flatnonzero(whole >= _USUAL * whole.max()).max() - _ALIKE)
    usual = chosen >= _USUAL * chosen.max()
    wanted = BandKind.HATCHED if is_hatched else BandKind.DOUBLE
    parts = [part for part, kind in stretches if kind == wanted and usual[round(part.thickness)]]
    connected = closed(heavy, BROKEN)
    mask = _painted(parts, ink.shape) | (heavy & long_parts(connected, _APART * thickest))
    return long_parts(closed(mask, int(_BETWEEN * thickest)), _FREE * thickest), thickest


def _painted(parts: list[WallBand], shape: tuple[int, ...]) -> Flags:
    mask = np.zeros(shape, np.uint8)
    for part in parts:
        # corners in the middles of the outermost px
        corners = part.ring - np.where(part.ring > part.ring.mean(axis=0), 1.0, 0.0)
        cv2.fillPoly(mask, [np.rint(corners).astype(np.int32)], 1)
    return mask > 0


def closed(mask: NDArray[Any], side: int) -> Flags:
    """Join what is nearer than a distance.

    Parameters
    ----------
    mask : (H, W) bool or uint8
    side : int
        The distance in px; the next odd one, as an even one would move what is joined.

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> line = np.array([[0, 0, 1, 1, 0, 0, 1, 1, 0, 0]], np.uint8)
    >>> closed(line, 3).astype(int).tolist()
    [[0, 0, 1, 1, 1, 1, 1, 1, 0, 0]]
    """
    square = np.ones((side | 1, side | 1), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, square) > 0)


def long_parts(mask: NDArray[Any], least: float) -> Flags:
    """Keep what is connected over a distance.

    Parameters
    ----------
    mask : (H, W) bool or uint8
    least : float
        Width or height in px that a connected part has at least.

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> line = np.array([[1, 1, 1, 0, 1, 0, 1, 1]], np.uint8)
    >>> long_parts(line, 2).astype(int).tolist()
    [[1, 1, 1, 0, 0, 0, 1, 1]]
    """
    labels, stats = label_parts(mask, diagonal=True)
    kept = stats[:, 2:4].max(axis=1) >= least
    kept[0] = False
    return np.asarray(kept[labels])


def _stretches(band: WallBand, ink: Ink, heavy: Ink) -> Iterator[tuple[WallBand, BandKind]]:
    """The stretches of a band that could be walls, and of which kind they are."""
    drawn, stout = band.sampled(ink), band.sampled(heavy)
    lines = drawn.copy()
    lines[1:-1] |= drawn[:-2] | drawn[2:]  # a line that is slightly askew is in two rows
    core = lines.mean(axis=1) < _WITHIN
    core[:3] = core[-3:] = False
    count = max(1, round(drawn.shape[1] / max(_SHORTEST, band.thickness / 2)))
    cuts = np.linspace(0, drawn.shape[1], count + 1).round().astype(int)

    def shares(values: Any) -> Floats:
        sums = np.concatenate([[0.0], np.cumsum(np.asarray(values, np.float64))])
        found: Floats = (sums[cuts[1:]] - sums[cuts[:-1]]) / np.maximum(np.diff(cuts), 1)
        return found

    solid = shares(drawn.mean(axis=0))
    faces = [shares(drawn[side].any(axis=0)) for side in (slice(0, 2), slice(-2, None))]
    weights = [shares(stout[side].any(axis=0)) for side in (slice(0, 3), slice(-3, None))]
    inner = drawn[core] if core.sum() >= 3 else np.zeros((1, drawn.shape[1]), np.bool_)
    covered = _smoothed(shares(inner.mean(axis=0)), 1)
    stroke = solid >= _DENSE
    filled = stroke & (shares(stout.mean(axis=0)) >= _SOLID)
    both = (np.minimum(*faces) >= _CLOSED) & ~stroke
    some = shares(inner.any(axis=0)) > 0
    evenly = _smoothed((some | ~both).astype(np.float64), 2) > 0.99
    hatched = both & evenly & (covered > _HATCHED[0]) & (covered < _HATCHED[1])
    double = both & ~hatched & (np.maximum(*weights) > _HEAVY)
    for flags, kind in ((filled, BandKind.FILLED), (hatched, BandKind.HATCHED),
                        (double, BandKind.DOUBLE)):  # fmt: skip
        for first, last in _runs(flags):
            part = band.part(float(cuts[first]), float(cuts[last]))
            if kind is BandKind.FILLED or part.length >= _SLENDER * part.thickness:
                yield part, kind


def _smoothed(values: Floats, reach: int) -> Floats:
    size = 2 * reach + 1
    means: Floats = np.convolve(np.pad(values, reach, "edge"), np.ones(size) / size, "valid")
    return means


def _runs(flags: Flags) -> list[tuple[int, int]]:
    """Runs of set flags: the first of each, and the one after its last."""
    changes = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return list(zip(changes[::2].tolist(), changes[1::2].tolist(), strict=True))


_RIM = 1.0  # px at either face that need not be inside
_FULL = 0.9  # share of a band's breadth that is inside walls
_SHORT_FACE = 0.3  # times the thickness: the faces of a wall face each other along so much,
_SHORT = 0.4  # and with the walls that it crosses a wall is so long, at least
_BROADEST = 1.3  # times the thickness of the thickest common walls: a single wall
_SAME = 0.6  # share of its area that a wall has in common with a longer one that it is a part of


def wall_bands(mask: Flags, thickness: float) -> list[WallBand]:
    """Divide walls into straight ones, each through the walls that it crosses.

    Parameters
    ----------
    mask : (H, W) bool
        True inside walls.
    thickness : float
        Of the thickest common walls in px.

    Returns
    -------
    list of WallBand
        The largest first.

    Examples
    --------
    >>> mask = np.zeros((60, 90), np.bool_)
    >>> mask[10:15, 10:80] = mask[10:50, 40:45] = True
    >>> [np.rint(band.ring[[0, 2]]).astype(int).tolist() for band in wall_bands(mask, 5.0)]
    [[[10, 10], [80, 15]], [[45, 10], [40, 50]]]
    """
    reach = float(np.ceil(_BROADEST * thickness))
    found: list[WallBand] = []
    for band in bands_between(mask, reach, gap=reach, stout=_SHORT_FACE):
        longer = WallBand(band.ahead, band.first - reach, band.last + reach, band.low, band.high)
        rim = min(_RIM, band.thickness / 4)
        core = WallBand(longer.ahead, longer.first, longer.last, band.low + rim, band.high - rim)
        full = core.sampled(mask).mean(axis=0) >= _FULL
        for first, last in _runs(full):
            if (
                last > reach
                and first < len(full) - reach
                and last - first >= _SHORT * band.thickness
            ):
                found.append(longer.part(float(first), float(last)))
    found.sort(key=lambda band: -band.length * band.thickness)
    taken: list[WallBand] = []
    shapes: list[Any] = []
    for band in found:
        shape = shapely.Polygon(band.ring)
        shared = [shape.intersection(other).area for other in shapes]
        if not shared or max(shared) < _SAME * shape.area:
            taken.append(band)
            shapes.append(shape)
    return taken
