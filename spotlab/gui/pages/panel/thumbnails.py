"""Small pictures of pages, made in the background for those that are looked at."""

from __future__ import annotations

from collections import OrderedDict, deque
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QPixmap

from spotlab.formats.truth.folder import PageEntry
from spotlab.gui.kit import background
from spotlab.imaging.contrast import stretch_contrast
from spotlab.imaging.pixels import read_thumbnail
from spotlab.progress import Progress

SIDE = 88  # px: twice what is shown, for screens of double density
KEPT = 1000  # pictures
WAITING = 40  # requests: older ones have been scrolled past
AT_ONCE = 1  # decoding a large page takes memory


class Thumbnails(QObject):
    """Asked for while painting; says when one has come."""

    arrived = Signal(object)  # the entry

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: OrderedDict[PageEntry, QPixmap | None] = OrderedDict()
        self._waiting: deque[PageEntry] = deque(maxlen=WAITING)
        self._running: set[PageEntry] = set()

    def get(self, entry: PageEntry) -> QPixmap | None:
        """The picture, or None: it comes later, or never where the page cannot be read."""
        if entry in self._kept:
            self._kept.move_to_end(entry)
            return self._kept[entry]
        if entry not in self._running and entry not in self._waiting and not entry.missing:
            self._waiting.append(entry)
            self._next()
        return None

    def forget(self) -> None:
        """Nobody waits any more."""
        self._waiting.clear()

    def _next(self) -> None:
        while self._waiting and len(self._running) < AT_ONCE:
            entry = self._waiting.pop()  # the newest request is the one in sight
            self._running.add(entry)
            background.run(
                _picture,
                entry,
                done=partial(self._done, entry),
                failed=partial(self._failed, entry),
            )

    def _done(self, entry: PageEntry, image: QImage) -> None:
        self._keep(entry, QPixmap.fromImage(image))

    def _failed(self, entry: PageEntry, _: Exception) -> None:
        self._keep(entry, None)  # opening the page says what is wrong

    def _keep(self, entry: PageEntry, pixmap: QPixmap | None) -> None:
        self._running.discard(entry)
        self._kept[entry] = pixmap
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        self.arrived.emit(entry)
        self._next()


def _picture(entry: PageEntry, _: Progress) -> QImage:
    pixels = stretch_contrast(read_thumbnail(entry.image, entry.frame, SIDE))
    height, width = pixels.shape[:2]
    if pixels.ndim == 2:
        image = QImage(pixels.tobytes(), width, height, width, QImage.Format.Format_Grayscale8)
    else:
        image = QImage(pixels.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.copy()
