"""The shapes of a COCO annotation as one outline: rings, and masks as run lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spotlab.formats.rows.json_values import Reader
from spotlab.geometry.rings import join_rings

Ring = list[tuple[float, float]]
MOST_BITS = 30  # that come before the last character of a number
MAXIMUM_MASK = 300_000_000  # pixels, as for an image


def segmentation_points(reader: Reader, value: Any, place: str) -> Ring:
    """The outline of a ``segmentation``; empty where there is none.

    Rings of fewer than three corners enclose nothing and are passed over as long as another one is
    there.
    """
    place = f"{place}.segmentation"
    if value is None or value == []:
        return []
    if isinstance(value, dict):
        return _joined(_mask_rings(reader, value, place))
    if not isinstance(value, list):
        raise reader.fail(f"this is a {type(value).__name__}", place, "rings or run lengths")
    rings = []
    for index, numbers in enumerate(value):
        inner = f"{place}[{index}]"
        if not isinstance(numbers, list) or len(numbers) % 2:
            raise reader.fail("this is no ring", inner, "a list x, y, x, y, …")
        values = [reader.number(number, inner) for number in numbers]
        rings.append(list(zip(values[::2], values[1::2], strict=True)))
    outlines = [ring for ring in rings if len(ring) >= 3]
    if not outlines:
        raise reader.fail("no ring has three corners", place, "three corners or more")
    return _joined(outlines)


def _joined(rings: Sequence[Ring]) -> Ring:
    ring = join_rings([np.array(corners, np.float64) for corners in rings])
    return [(x, y) for x, y in ring.tolist()]


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


def _mask_rings(reader: Reader, value: dict[str, Any], place: str) -> list[Ring]:
    counts, size = value.get("counts"), value.get("size")
    if isinstance(counts, str):
        try:
            counts = run_lengths_from_text(counts)
        except ValueError as error:
            problem = "the value is not compressed run lengths"
            raise reader.fail(
                problem, f"{place}.counts", "a string in COCO's RLE encoding"
            ) from error
    if not (isinstance(counts, list) and isinstance(size, list) and len(size) == 2):
        raise reader.fail("this is no mask", place, "counts and size")
    height, width = (int(reader.number(number, f"{place}.size")) for number in size)
    runs = np.array([reader.number(number, f"{place}.counts") for number in counts])
    if height <= 0 or width <= 0 or height * width > MAXIMUM_MASK:
        expected = f"at most {MAXIMUM_MASK:,} pixels"
        raise reader.fail(f"a mask of {width} × {height}", place, expected)
    if (runs < 0).any() or runs.sum() != height * width:
        problem = f"the run lengths sum up to {runs.sum():.0f}"
        raise reader.fail(problem, place, f"{height * width}")
    starts_with_ink = np.arange(len(runs)) % 2 == 1
    mask = np.repeat(starts_with_ink, runs.astype(np.int64)).reshape(width, height).T
    if not mask.any():
        raise reader.fail("the mask is empty", place, "a region")
    return _pixel_rings(mask)


def mask_outline(mask: Any) -> Ring:
    """The outline of the True pixels of a mask along their edges, holes and parts joined.

    Parameters
    ----------
    mask : (H, W) bool
        At least one pixel is True.
    """
    return _joined(_pixel_rings(mask))


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
