"""Small pictures, cut in a thread for what is in sight and kept within a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QToolButton, QWidget

from spotlab.errors import SpotlabError
from spotlab.extras import cv2
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.progress import Progress

BYTES = 96_000_000  # of pictures kept
AT_ONCE = 0.004  # s of a frame, for pictures that need not wait
BATCH = 12  # pictures a job: few enough that what is in sight now need not wait long

FORMATS = {
    1: QImage.Format.Format_Grayscale8,
    3: QImage.Format.Format_RGB888,
    4: QImage.Format.Format_ARGB32_Premultiplied,
}  # by values a pixel

Crop = Callable[[int], NDArray[np.uint8] | None]
Size = tuple[int, int]


class CutPictures(QObject):
    """Keeps the pictures used last; says when others have come.

    Parameters
    ----------
    crop : callable
        An item's picture, (h, w) grey or (h, w, 3) colours; called in a thread.
    limit : int
        Bytes of pictures kept.
    at_once : callable, optional
        An item's picture if that takes no reading of files, else None; called while painting.
    """

    arrived = Signal(list)  # items

    def __init__(
        self,
        crop: Crop,
        parent: QObject | None = None,
        limit: int = BYTES,
        at_once: Crop = lambda _: None,
    ) -> None:
        super().__init__(parent)
        self._crop, self._at_once = crop, at_once
        self._limit = limit
        self._kept: OrderedDict[int, tuple[Size, QPixmap | None]] = OrderedDict()
        self._bytes = 0
        self._size: Size = (1, 1)
        self._ratio = 1.0
        self._until = 0.0  # when a frame has cut enough
        self._waiting: list[int] = []
        self._cutting = Task(urgent=True)

    def cut_with(self, crop: Crop) -> None:
        """Have the pictures cut by this from now on."""
        self._crop = crop

    def fit(self, width: int, height: int, ratio: float) -> None:
        """A frame begins: pictures are no larger than this, in px, with this many dots a px."""
        self._size = max(1, round(width * ratio)), max(1, round(height * ratio))
        self._ratio = ratio
        self._until = perf_counter() + AT_ONCE

    def known(self, item: int) -> bool:
        """Tell whether the picture has come, or it is known that there is none."""
        return item in self._kept

    def get(self, item: int) -> QPixmap | None:
        """The picture, for a moment of the size that was wanted before; None if it is not here."""
        if item not in self._kept and not self._cut_at_once(item):
            return None
        self._kept.move_to_end(item)
        return self._kept[item][1]

    def _cut_at_once(self, item: int) -> bool:
        """Spare a word that is in sight for a moment the way through a thread."""
        pixels = self._at_once(item) if perf_counter() < self._until else None
        if pixels is None or not pixels.size:
            return False
        self._keep(item, self._size, _image(pixels, self._size), self._ratio)
        return True

    def want(self, items: Sequence[int]) -> None:
        """Cut these next, in this order, and nothing that was wanted before."""
        self._waiting = [
            item for item in items if item not in self._kept or self._kept[item][0] != self._size
        ]
        self._next()

    def forget(self) -> None:
        """Items have other pictures now, or nobody looks at them."""
        self._cutting.cancel()
        self._waiting = []
        self._kept.clear()
        self._bytes = 0

    def _next(self) -> None:
        if self._cutting.busy or not self._waiting:
            return
        batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
        size, ratio = self._size, self._ratio

        def done(images: list[QImage | None]) -> None:
            for item, image in zip(batch, images, strict=True):
                self._keep(item, size, image, ratio)
            self._next()
            self.arrived.emit(batch)

        self._cutting.start(_cut, self._crop, batch, size, done=done)

    def _keep(self, item: int, size: Size, image: QImage | None, ratio: float) -> None:
        self._drop(item)
        pixmap = None
        if image is not None:
            pixmap = QPixmap.fromImage(image)
            pixmap.setDevicePixelRatio(ratio)
        self._kept[item] = size, pixmap
        self._bytes += _bytes(pixmap)
        while self._bytes > self._limit and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, item: int) -> None:
        kept = self._kept.pop(item, None)
        if kept:
            self._bytes -= _bytes(kept[1])


def _bytes(pixmap: QPixmap | None) -> int:
    return 0 if pixmap is None else 4 * pixmap.width() * pixmap.height()


def _cut(crop: Crop, items: list[int], size: Size, progress: Progress) -> list[QImage | None]:
    images = []
    for done, item in enumerate(items):
        progress(done, len(items), "cutting pictures")
        try:
            pixels = crop(item)
        except (SpotlabError, OSError):  # opening the page says what is wrong with it
            pixels = None
        images.append(None if pixels is None or not pixels.size else _image(pixels, size))
    return images


def _image(pixels: NDArray[np.uint8], size: Size) -> QImage:
    """Fit by height, wide ones by width; the ratio stays."""
    height, width = pixels.shape[:2]
    scale = min(size[0] / width, size[1] / height)
    wanted = max(1, round(width * scale)), max(1, round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    image = image_of(np.asarray(cv2.resize(pixels, wanted, interpolation=way), np.uint8))
    return image.convertToFormat(QImage.Format.Format_RGB32)  # as the screen has it


def image_of(pixels: NDArray[np.uint8]) -> QImage:
    """Pixels as an image with memory of its own.

    Parameters
    ----------
    pixels : (H, W), (H, W, 3) or (H, W, 4) uint8
        Grey, colours, or what `spotlab.imaging` paints for an overlay.
    """
    height, width = pixels.shape[:2]
    form = FORMATS[pixels.shape[2] if pixels.ndim == 3 else 1]
    pixels = np.ascontiguousarray(pixels)
    return QImage(pixels.data, width, height, pixels.strides[0], form).copy()


class PictureButtons(QObject):
    """Rows of buttons that are pictures, each row with a key.

    Parameters
    ----------
    kinds : iterable of str
        The keys.
    count : int
        Buttons of a row.
    size : QSize
        Of a picture, px.
    crop : callable
        Gives the picture of a number, (h, w) grey; None where there is none.
    parent : QWidget

    Attributes
    ----------
    buttons : dict of str to list of QToolButton
    numbers : dict of str to list of int
        Those of the pictures that are shown.
    pictures : CutPictures
    """

    clicked = Signal(str, int)  # the key of a row, the place of the button in it

    def __init__(
        self, kinds: Iterable[str], count: int, size: QSize, crop: Crop, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._size = size
        self.numbers: dict[str, list[int]] = {kind: [] for kind in kinds}
        self.pictures = CutPictures(crop, self)
        self.pictures.arrived.connect(lambda _: self._paint())
        theme.repainted.changed.connect(self._paint)
        self.buttons = {
            kind: [self._button(kind, number) for number in range(count)] for kind in self.numbers
        }

    def show_numbers(self, numbers: dict[str, list[int]], ratio: float) -> None:
        """Show these, on a screen of this many pixels for each px; other buttons are hidden."""
        self.numbers = numbers
        self.pictures.fit(self._size.width(), self._size.height(), ratio)
        self.pictures.want([number for row in numbers.values() for number in row])
        for kind, row in numbers.items():
            for place, button in enumerate(self.buttons[kind]):
                button.setVisible(place < len(row))
        self._paint()

    def _paint(self) -> None:
        for kind, row in self.numbers.items():
            for button, number in zip(self.buttons[kind], row, strict=False):
                pixmap = self.pictures.get(number)
                button.setIcon(QIcon(theme.shaded(pixmap)) if pixmap else QIcon())

    def _button(self, kind: str, place: int) -> QToolButton:
        button = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(self._size)
        name, does = f"{kind} query {place + 1}", partial(self.clicked.emit, kind, place)
        return set_up(button, name=name, does=lambda _: does())
