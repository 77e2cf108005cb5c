"""Masks of foreign formats: decodes run lengths and pictures, and follows their outlines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.errors import BadInput
from spotlab.formats.page.images import embedded_file
from spotlab.geometry.rings import join_rings
from spotlab.imaging.reading.pixels import read_page

Ring = list[tuple[float, float]]
Mask = NDArray[np.bool_]
MAXIMUM_MASK = 300_000_000  # pixels, as for an image
MOST_BITS = 30  # that come before the last character of a number


def joined(rings: Sequence[Ring]) -> Ring:
    """Return one ring of several: parts and holes joined by edges that run there and back."""
    ring = join_rings([np.array(corners, np.float64) for corners in rings])
    return [(x, y) for x, y in ring.tolist()]


def mask_of_runs(runs: Sequence[float], width: int, height: int, *, by_column: bool) -> Mask:
    """Turn runs of background and ink, in turn, into a mask.

    Parameters
    ----------
    runs : sequence of float
        Lengths in pixels; the first is of background.
    width, height : int
        Of the mask.
    by_column : bool
        Runs go down the columns, as COCO's do, not along the rows.

    Returns
    -------
    (height, width) bool

    Raises
    ------
    ValueError
        The runs do not fill the mask, or the mask has no ink.

    Examples
    --------
    >>> mask_of_runs([1, 2, 1], 2, 2, by_column=False).astype(int).tolist()
    [[0, 1], [1, 0]]
    """
    lengths = np.asarray(runs, np.float64)
    if not (width > 0 and height > 0 and width * height <= MAXIMUM_MASK):
        raise ValueError(f"a mask of {width} × {height}; expected at most {MAXIMUM_MASK:,} pixels")
    if not (lengths >= 0).all() or lengths.sum() != width * height:  # NaN, too
        raise ValueError(f"the run lengths sum up to {lengths.sum():.0f} in a mask of "
                         f"{width} × {height}; expected {width * height}")  # fmt: skip
    pixels = np.repeat(np.arange(len(lengths)) % 2 == 1, lengths.astype(np.int64))
    return _inked(pixels.reshape(width, height).T if by_column else pixels.reshape(height, width))


def _inked(mask: Mask) -> Mask:
    if not mask.any():
        raise ValueError("the mask is empty; expected a region")
    return mask


def run_lengths_from_text(text: str) -> list[int]:
    """The run lengths that COCO packs into a text: 5 bits a character, the lowest first.

    From the fourth on they are differences to the last but one: `rleFrString` of the COCO API.

    Raises
    ------
    ValueError
        It is not such a text.

    Examples
    --------
    >>> run_lengths_from_text("52203")
    [5, 2, 2, 2, 5]
    """
    counts: list[int] = []
    number = shift = 0
    for character in text:
        bits = ord(character) - ord("0")
        if not 0 <= bits < 64 or shift > MOST_BITS:
            raise ValueError(f"{character!r} in compressed run lengths")
        number |= (bits & 0x1F) << shift
        shift += 5
        if bits & 0x20:  # more of this number follows
            continue
        if bits & 0x10:
            number -= 1 << shift
        counts.append(number + counts[-2] if len(counts) > 2 else number)
        number = shift = 0
    if shift:
        raise ValueError("the compressed run lengths are truncated")
    return counts


def brush_mask(values: Sequence[object], width: int, height: int) -> Mask:
    """Decode the run lengths of Label Studio's brush: the alpha channel of an RGBA picture.

    A stream of bits: how many values there are (32), bits per value (5), bits of four kinds of
    run lengths (4 each), then runs: a bit that says whether one value is repeated, two for the kind
    of the length, the length, and the value or the values.

    Parameters
    ----------
    values : sequence of int
        The bytes.
    width, height : int
        Of the image.

    Returns
    -------
    (height, width) bool

    Raises
    ------
    ValueError
        They are not such a stream, or not of an image of this size.
    """
    if not all(type(value) is int and 0 <= value < 256 for value in values):
        raise ValueError("the run lengths are no bytes; expected Label Studio's RLE")
    if not 0 < width * height <= MAXIMUM_MASK // 4:
        raise ValueError(f"a mask of {width} × {height}")
    stream = _Bits(bytes(values))  # type: ignore[arg-type]
    count = stream.take(32)
    if count != width * height * 4:
        raise ValueError(f"the brush has {count:,} values; expected {width * height * 4:,}")
    bits = stream.take(5) + 1
    sizes = [stream.take(4) + 1 for _ in range(4)]
    pixels = np.zeros(count, np.uint8)
    at = 0
    while at < count:
        is_repeated = stream.take(1)
        end = at + 1 + stream.take(sizes[stream.take(2)])
        if is_repeated:
            pixels[at:end] = stream.take(bits) & 255
        else:
            given = [stream.take(bits) & 255 for _ in range(min(end, count) - at)]
            pixels[at : at + len(given)] = given
        at = end
    return _inked(pixels.reshape(height, width, 4)[..., 3] > 0)


class _Bits:
    """A stream of bits, the highest of each byte first."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> int:
        end = self._at + count
        if end > 8 * len(self._data):
            raise ValueError("the run lengths are truncated")
        first, last = self._at // 8, -(-end // 8)
        number = int.from_bytes(self._data[first:last]) >> (8 * last - end)
        self._at = end
        return number & ((1 << count) - 1)


def picture_mask(path: Path, picture: str, place: str) -> Mask:
    """Decode a mask that is embedded as a picture in Base64: what is not black is ink.

    Raises
    ------
    ValueError
        The mask is empty.
    BadInput
        It is no picture.
    """
    with embedded_file(path, picture, place) as file:
        try:
            pixels = read_page(file)
        except BadInput as error:
            raise BadInput(path, f"the mask {error.problem}", place=place,
                           expected="a PNG picture in Base64") from error  # fmt: skip
    ink: Any = pixels > 0
    return _inked(np.asarray(ink if ink.ndim == 2 else ink.any(axis=2)))


def run_lengths(points: Points, width: int, height: int) -> list[int]:
    """Runs of background and ink in turn, down the columns, of the pixels in an outline.

    A pixel is in it if its middle is, by the even-odd rule.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.
    width, height : int
        Of the page.

    Returns
    -------
    list of int
        Together width · height; only one where no pixel is in the outline.

    Examples
    --------
    >>> run_lengths(np.array([[1, 0], [2, 0], [2, 2], [1, 2]], float), 3, 3)
    [3, 2, 4]
    """
    x, y = points.T
    x_next, y_next = np.roll(points, -1, axis=0).T
    first = np.clip(np.ceil(np.minimum(x, x_next) - 0.5), 0, width).astype(np.int64)
    last = np.clip(np.ceil(np.maximum(x, x_next) - 0.5), 0, width).astype(np.int64)
    counts = last - first
    edge = np.repeat(np.arange(len(points)), counts)
    column = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts) + first[edge]
    share = (column + 0.5 - x[edge]) / (x_next - x)[edge]
    crossing = y[edge] + share * (y_next - y)[edge]
    row = np.clip(np.ceil(crossing - 0.5), 0, height).astype(np.int64)
    places, times = np.unique(column * height + row, return_counts=True)
    turns = places[times % 2 == 1]
    return [int(run) for run in np.diff([0, *turns.tolist(), width * height])]


def mask_outline(mask: Mask, left: float = 0, top: float = 0) -> Ring:
    """The outline of the True pixels of a mask along their edges, holes and parts joined.

    Parameters
    ----------
    mask : (H, W) bool
        At least one pixel is True.
    left, top : float
        Where its first pixel is.
    """
    ring = joined(_pixel_rings(mask))
    return [(x + left, y + top) for x, y in ring] if left or top else ring


def _pixel_rings(mask: Any) -> list[Ring]:
    """Outlines along pixel edges; holes are rings of their own."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    top, left = int(rows[0]), int(columns[0])
    part = mask[top : rows[-1] + 1, left : columns[-1] + 1].astype(np.uint8)
    return [[(x + left, y + top) for x, y in ring] for ring in _trace(part)]


def _trace(mask: Any) -> list[list[tuple[int, int]]]:
    """Rings along the pixel edges of a mask, every edge once."""
    padded = np.pad(mask, 1)
    following: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for y, x in zip(*np.nonzero(padded[1:] != padded[:-1]), strict=True):
        down = bool(padded[y + 1, x])  # ink below: the edge runs to the right
        edge = ((int(x) - 1, int(y)), (int(x), int(y)))
        start, stop = edge if down else edge[::-1]
        following.setdefault(start, []).append(stop)
    for y, x in zip(*np.nonzero(padded[:, 1:] != padded[:, :-1]), strict=True):
        right = bool(padded[y, x + 1])  # ink at the right: the edge runs up
        edge = ((int(x), int(y)), (int(x), int(y) - 1))
        start, stop = edge if right else edge[::-1]
        following.setdefault(start, []).append(stop)
    rings = []
    while following:
        start = next(iter(following))
        ring: list[tuple[int, int]] = []
        at = start
        while True:
            ends = following[at]
            stop = ends.pop()
            if not ends:
                del following[at]
            if len(ring) >= 2 and _straight(ring[-2], ring[-1], at):
                ring.pop()
            ring.append(at)
            at = stop
            if at == start:
                break
        rings.append(ring)
    return rings


def _straight(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0])
