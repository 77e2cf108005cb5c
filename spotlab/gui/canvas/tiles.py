"""Tiles of the page as images, made in threads and kept while there is room for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QImage

from spotlab.extras import cv2
from spotlab.gui.kit import background
from spotlab.imaging.reading.conversion import Pixels
from spotlab.imaging.reading.pyramid import TILE
from spotlab.progress import Progress

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
        """Whether tiles are still being made."""
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
