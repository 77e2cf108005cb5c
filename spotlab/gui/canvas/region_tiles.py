"""Draws many regions onto a tile of the screen, outside the window's thread.

OpenCV draws thousands of small outlines ten times faster than a QPainter, and lets other threads
run meanwhile. It is fastest with lines 1 px wide and one number a pixel: one picture has the number
of each line's colour, and one how much of a pixel lines cover. Both are widened as a whole.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from spotlab.extras import cv2
from spotlab.gui.canvas.view import (
    CASING,
    CASING_COLOUR,
    DASH,
    FILL,
    GAP,
    LINE,
    Matrix,
    ViewTransform,
    dashed,
    shown_ring,
)
from spotlab.gui.kit import background
from spotlab.imaging.reading.pyramid import TILE, Pixels
from spotlab.model import Primitive, Region
from spotlab.progress import Progress, silent

Address = tuple[int, int, int]  # level, column, row
MakeTile = Callable[[int, int, int], Pixels]

_ROOM = 24_000_000  # bytes of images that are kept, if the window does not show more
_AT_ONCE = 2  # jobs under way: those that are no longer wanted would be in the way


@dataclass(frozen=True)
class Light:
    """Brightness from -1 to 1, and contrast as a factor; (0, 1) changes nothing."""

    brightness: float = 0.0
    contrast: float = 1.0

    @property
    def lookup(self) -> Pixels | None:
        """The new value of each of the 256 levels; None where all stay."""
        if self == Light():
            return None
        levels = (np.arange(256) - 127.5) * self.contrast + 127.5 + 255 * self.brightness
        return np.asarray(np.clip(np.rint(levels), 0, 255), np.uint8)


class TileCache:
    """Images of tiles by (source, level, column, row), the least recently shown forgotten first.

    ``get`` never waits: what is missing is made in a thread, and ``arrived`` is called with its
    address.
    """

    def __init__(self, arrived: Callable[[Address], object]) -> None:
        self._arrived = arrived
        self._images: OrderedDict[Hashable, QImage] = OrderedDict()
        self._bytes = 0
        self._room = _ROOM
        self._wanted: OrderedDict[Hashable, tuple[MakeTile, Address, Light]] = OrderedDict()
        self._jobs: dict[Hashable, background.Job] = {}

    @property
    def busy(self) -> bool:
        """Tell whether tiles are still being made."""
        return bool(self._jobs or self._wanted)

    def get(self, source: Hashable, address: Address) -> QImage | None:
        """The tile's image if it is there."""
        key = (source, address)
        image = self._images.get(key)
        if image is not None:
            self._images.move_to_end(key)
        return image

    def want(self, source: Hashable, make: MakeTile, address: Address, light: Light) -> None:
        """Make the tile's image soon."""
        key = (source, address)
        if key not in self._jobs and key not in self._images:
            self._wanted[key] = (make, address, light)
            self._wanted.move_to_end(key)

    def make_now(self, source: Hashable, make: MakeTile, address: Address, light: Light) -> QImage:
        """The tile's image, made here if it is not there yet."""
        image = self.get(source, address)
        if image is None:
            image = image_of(make(*address), light)
            self._keep((source, address), image)
        return image

    def start(self) -> None:
        """Begin to make what was wanted since the last call; older wishes are dropped."""
        while self._wanted and len(self._jobs) < _AT_ONCE:
            key, (make, address, light) = self._wanted.popitem(last=False)

            def done(image: QImage, key: Hashable = key, address: Address = address) -> None:
                self._jobs.pop(key, None)
                self._keep(key, image)
                self.start()
                self._arrived(address)

            self._jobs[key] = background.run(_make, make, address, light, done=done, urgent=True)

    def make_room(self, tiles: int) -> None:
        """Keep at least half as many tiles again as the window shows."""
        self._room = max(_ROOM, tiles * TILE * TILE * 4 * 3 // 2)

    def forget_wishes(self) -> None:
        """Nothing that has not been begun is wanted any more."""
        self._wanted.clear()

    def clear(self) -> None:
        """Forget all images and want nothing any more."""
        self._wanted.clear()
        for job in self._jobs.values():
            job.cancel()
        self._jobs.clear()
        self._images.clear()
        self._bytes = 0

    def _keep(self, key: Hashable, image: QImage) -> None:
        if key in self._images:
            return
        self._images[key] = image
        self._bytes += image.sizeInBytes()
        while self._bytes > self._room and len(self._images) > 1:
            _, old = self._images.popitem(last=False)
            self._bytes -= old.sizeInBytes()


def _make(make: MakeTile, address: Address, light: Light, _: Progress) -> QImage:
    return image_of(make(*address), light)


def image_of(pixels: Pixels, light: Light = Light()) -> QImage:
    """An image of its own memory, 32 bit, which is what the raster engine draws fastest.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    light : Light
    """
    lookup = light.lookup
    if lookup is not None and pixels.size:
        pixels = np.asarray(cv2.LUT(np.ascontiguousarray(pixels), lookup), np.uint8)
    height, width = pixels.shape[:2]
    image = QImage(width, height, QImage.Format.Format_RGB32)
    if pixels.size:
        code = cv2.COLOR_GRAY2BGRA if pixels.ndim == 2 else cv2.COLOR_RGB2BGRA
        memory = np.frombuffer(image.bits(), np.uint8).reshape(height, width, 4)
        cv2.cvtColor(np.ascontiguousarray(pixels), code, dst=memory)
    return image


SIDE = 512  # device px
_BITS = 4  # of the fractions of a pixel that OpenCV is given
_FEW_PIXELS = 9.0  # regions whose bounds are smaller on the screen get no casing
_SQUARE = 3  # px: a narrower line is widened by a square
_EDGE = 3  # px around lines that their edges may reach
_PREMULTIPLIED = QImage.Format.Format_ARGB32_Premultiplied
# of what OpenCV's smooth lines cover, so that their middle covers all; and of the casing's white
_OPAQUE = np.minimum(np.arange(256) * 1.6, 255).astype(np.uint8)
_WHITE = (_OPAQUE * (CASING_COLOUR[3] / 255)).astype(np.uint8)
_NONE = (0, 0, 0)

Colour = tuple[int, int, int]
Ring = NDArray[np.int32]  # (N, 2) in device px with fractions
PackedColours = NDArray[np.uint32]
# lines by the number of their colour, whether their regions are large, and whether they close
Groups = defaultdict[tuple[int, bool, bool], list[Ring]]
Picture = TypeVar("Picture", NDArray[np.uint8], NDArray[np.uint16])


@dataclass(frozen=True)
class TileDrawing:
    """Content and style of a tile to be drawn.

    Attributes
    ----------
    regions : sequence of Region
    colour : callable
        Gives the (red, green, blue) of a region.
    matrix : Matrix
        From page px to the tile's device px.
    ratio : float
        Device pixels in a screen px.
    size : (width, height)
        Of the image, in device px.
    dash : (float, float)
        Dash and gap of dashed outlines, in screen px.
    fill : int
        Of 255, the translucent inside.
    fills : bool
        Whether insides are drawn, which takes as long as all lines.
    """

    regions: Sequence[Region]
    colour: Callable[[Region], Colour]
    matrix: Matrix
    ratio: float
    size: tuple[int, int] = (SIDE, SIDE)
    dash: tuple[float, float] = (DASH, GAP)
    fill: int = FILL
    fills: bool = True


def draw(drawing: TileDrawing, progress: Progress = silent) -> QImage:
    """The tile, transparent where no region is."""
    width, height = drawing.size
    image = QImage(width, height, _PREMULTIPLIED)
    image.fill(0)
    if not drawing.regions:
        return image
    margin = round(CASING * drawing.ratio)  # px: lines beside the tile reach into it
    rings, sides = _mapped(drawing, margin)
    colours = [drawing.colour(region) for region in drawing.regions]
    palette = sorted(set(colours))
    numbers = {colour: number for number, colour in enumerate(palette, 1)}
    chosen = [numbers[colour] for colour in colours]
    size = (height + 2 * margin, width + 2 * margin)
    progress(0, None, "drawing")
    if drawing.fills:
        filled = np.zeros(size, np.uint16)
        for at in np.argsort(-sides.prod(axis=1), kind="stable").tolist():  # small ones on top
            cv2.fillPoly(filled, [rings[at]], chosen[at], cv2.LINE_8, _BITS)
        memory = np.frombuffer(image.bits(), np.uint32).reshape(height, width)
        memory[:] = _faint(palette, drawing.fill)[filled[margin:-margin, margin:-margin]]
        progress(0, None, "drawing")
    has_area = np.array([region.primitive.has_area for region in drawing.regions])
    shown = np.where(has_area, sides.min(axis=1), sides.max(axis=1))
    large = (shown > _FEW_PIXELS * drawing.ratio).tolist()
    groups = _by_colour(drawing, rings, chosen, large)
    casings, lines = _lines(drawing.ratio, groups, palette, size)
    with QPainter(image) as painter:
        for pixels, form in ((casings, _PREMULTIPLIED), (lines, QImage.Format.Format_ARGB32)):
            layer = QImage(pixels.data, size[1], size[0], 4 * size[1], form)
            painter.drawImage(-margin, -margin, layer)
    return image


def _mapped(drawing: TileDrawing, margin: int) -> tuple[list[Ring], NDArray[np.float64]]:
    """The outlines in device px with fractions, and the sides of their bounds in device px."""
    a, b, c, d, dx, dy = drawing.matrix
    arrays = [shown_ring(region) for region in drawing.regions]
    points = np.concatenate(arrays) @ np.array([[a, b], [c, d]]) + (
        dx + margin - 0.5,
        dy + margin - 0.5,
    )
    stops = np.cumsum([len(array) for array in arrays])
    starts = np.concatenate([[0], stops[:-1]])
    high = np.maximum.reduceat(points, starts, axis=0)
    low = np.minimum.reduceat(points, starts, axis=0)
    fixed = np.rint(points * 2**_BITS).astype(np.int32)
    cuts = zip(starts.tolist(), stops.tolist(), strict=True)
    return [fixed[start:stop] for start, stop in cuts], high - low


def _by_colour(
    drawing: TileDrawing, rings: Sequence[Ring], colours: Sequence[int], large: Sequence[bool]
) -> Groups:
    groups: Groups = defaultdict(list)
    for region, ring, colour, is_large in zip(drawing.regions, rings, colours, large, strict=True):
        closed = region.primitive is not Primitive.LINE
        line = ring if closed else ring[: len(region.corners)]
        if is_large and dashed(region):
            whole = np.vstack([ring, ring[:1]]) if closed else line
            groups[colour, True, False] += _dashes(whole, drawing.ratio * 2**_BITS, drawing.dash)
        else:
            groups[colour, is_large, closed].append(line)
    return groups


def _faint(palette: Sequence[Colour], alpha: int) -> PackedColours:
    """Colours by their number, translucent; 0 is none."""
    shares = np.array([_NONE, *palette], np.uint32) * np.uint32(alpha) // np.uint32(255)
    return _packed(shares) | np.array([0, *[alpha << 24] * len(palette)], np.uint32)


def _packed(colours: ArrayLike) -> PackedColours:
    return np.asarray(colours, np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)


def _lines(
    ratio: float, groups: Groups, palette: Sequence[Colour], size: tuple[int, int]
) -> tuple[PackedColours, PackedColours]:
    """The casings of large regions, and lines, which are wider for these."""
    numbers = np.zeros(size, np.uint16)
    small, large = np.zeros((2, *size), np.uint8)
    for (colour, is_large, closed), pieces in groups.items():
        number = colour if is_large else colour + len(palette)  # the highest is on top
        cv2.polylines(numbers, pieces, closed, number, 1, cv2.LINE_8, _BITS)
        cover = large if is_large else small
        cv2.polylines(cover, pieces, closed, 255, 1, cv2.LINE_AA, _BITS)
    wide, casing = (max(1, round(each * ratio)) for each in (LINE, CASING))
    large, small = _widened(large, wide - 1), _widened(small, wide - 2)
    white = cv2.LUT(_widened(large, casing - wide + 1), _WHITE)
    numbers = _widened(numbers, wide)
    under_edges = _widened(numbers, _EDGE)
    cv2.copyTo(numbers, np.greater(numbers, 0).view(np.uint8), under_edges)
    lines = _packed([_NONE, *palette, *palette])[under_edges]
    alphas = cv2.LUT(cv2.max(large, small), _OPAQUE)
    cv2.insertChannel(alphas, lines.view(np.uint8).reshape(*size, 4), 3)
    return cv2.merge([white] * 4).view(np.uint32)[..., 0], lines


def _widened(picture: Picture, width: int) -> Picture:
    """Lines of 1 px as wide as that, round at their ends; where they meet, the largest number."""
    if width < 2:
        return picture
    shape = cv2.MORPH_ELLIPSE if width > _SQUARE else cv2.MORPH_RECT
    return cast("Picture", cv2.dilate(picture, cv2.getStructuringElement(shape, (width, width))))


def _dashes(
    line: NDArray[np.int32], unit: float, dash: tuple[float, float]
) -> list[NDArray[np.int32]]:
    """The line's dashes as straight pieces."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T.astype(float)))])
    period = sum(dash) * unit
    starts = np.arange(0, along[-1], period)[:2000]
    ends = np.stack([starts, np.minimum(starts + dash[0] * unit, along[-1])], axis=1)
    x = np.interp(ends, along, line[:, 0])
    y = np.interp(ends, along, line[:, 1])
    return list(np.rint(np.stack([x, y], axis=2)).astype(np.int32))


SheetAddress = tuple[int, int]


@dataclass
class Sheet:
    """The tiles of one zoom and rotation; address (0, 0) begins at the page's origin.

    Attributes
    ----------
    scale, angle, ratio : float
        Of the view that they are drawn for.
    images : dict of (int, int) to QImage
        The tiles that are there, by column and row; null where there is no region.
    stale : set of (int, int)
        Tiles that are shown until they are drawn again.
    """

    scale: float
    angle: float
    ratio: float
    images: dict[SheetAddress, QImage] = field(default_factory=dict)
    stale: set[SheetAddress] = field(default_factory=set)

    def fits(self, view: ViewTransform) -> bool:
        """Tell whether they are of the zoom and rotation of a view."""
        return (self.scale, self.angle, self.ratio) == (view.scale, view.angle, view.ratio)


def place_of(view: ViewTransform, address: SheetAddress) -> QRectF:
    """Tell where a tile is in the window, in screen px."""
    side = SIDE / view.ratio
    return QRectF(address[0] * side + view.x, address[1] * side + view.y, side, side)
