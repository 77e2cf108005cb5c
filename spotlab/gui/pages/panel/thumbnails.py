"""Small pictures of pages, made in the background for those that are looked at."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QPixmap

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store import previews
from spotlab.formats.store.previews import find_preview
from spotlab.gui.kit import background
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.imaging.reading.conversion import Pixels
from spotlab.imaging.reading.crops import stretch_contrast
from spotlab.imaging.reading.pixels import read_thumbnail, shrink
from spotlab.imaging.reading.pyramid import Pyramid
from spotlab.progress import Progress

SIDE = 88  # px: twice what is shown, for screens of double density
KEPT = 1000  # pictures
WAITING = 40  # requests: older ones have been scrolled past
AT_ONCE = 1  # decoding a large page takes memory


class Thumbnails(QObject):
    """Asked for while painting; says when one has come.

    Parameters
    ----------
    is_opening : callable
        Whether nothing of the open page is shown yet: until then, no picture is made.
    is_decoding : callable
        Whether the open page is being decoded: until it is there, no other large page is.
    """

    arrived = Signal(object)  # the entry

    def __init__(
        self,
        is_opening: Callable[[], bool],
        is_decoding: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_opening, self._is_decoding = is_opening, is_decoding
        self._kept: OrderedDict[PageEntry, QPixmap | None] = OrderedDict()
        self._waiting: deque[PageEntry] = deque(maxlen=WAITING)
        self._slow: deque[PageEntry] = deque(maxlen=WAITING)  # to be decoded in full
        self._running: set[PageEntry] = set()

    def get(self, entry: PageEntry) -> QPixmap | None:
        """The picture, or None: it comes later, or never where the page cannot be read."""
        if entry in self._kept:
            self._kept.move_to_end(entry)
            return self._kept[entry]
        wanted = entry in self._running or entry in self._waiting or entry in self._slow
        if not wanted and not entry.missing:
            self._waiting.append(entry)
            self.go_on()
        return None

    def take(self, entry: PageEntry, pyramid: Pyramid) -> None:
        """Make the picture of a page that has been decoded already."""
        if self._kept.get(entry) is None and entry not in self._running:
            self._run(_picture_of_pyramid, entry, pyramid)

    def forget(self) -> None:
        """Nobody waits any more."""
        self._waiting.clear()
        self._slow.clear()

    def go_on(self) -> None:
        """Make what is waited for, as far as there is time for it."""
        while len(self._running) < AT_ONCE and not self._is_opening():
            if self._waiting:
                entry = self._waiting.pop()  # the newest request is the one in sight
                self._run(_quick_picture, entry)
            elif self._slow and not self._is_decoding():
                entry = self._slow.pop()
                self._run(_slow_picture, entry)
            else:
                return

    def _run(self, make: Callable[..., QImage | None], entry: PageEntry, *args: object) -> None:
        self._running.add(entry)
        background.run(
            make,
            entry,
            *args,
            done=partial(self._done, entry),
            failed=partial(self._failed, entry),
        )

    def _done(self, entry: PageEntry, image: QImage | None) -> None:
        if image is not None:
            self._keep(entry, QPixmap.fromImage(image))
            return
        self._running.discard(entry)
        if self._kept.get(entry) is None:
            self._slow.append(entry)
        self.go_on()

    def _failed(self, entry: PageEntry, _: Exception) -> None:
        self._keep(entry, None)  # opening the page says what is wrong

    def _keep(self, entry: PageEntry, pixmap: QPixmap | None) -> None:
        self._running.discard(entry)
        for wishes in (self._waiting, self._slow):
            if entry in wishes:
                wishes.remove(entry)
        self._kept[entry] = pixmap
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        self.arrived.emit(entry)
        self.go_on()


def _quick_picture(entry: PageEntry, _: Progress) -> QImage | None:
    """The picture, unless a large page has to be decoded for it."""
    place = find_preview(entry.image, entry.frame)
    if place is None:
        return _picture(read_thumbnail(entry.image, entry.frame, SIDE))
    pixels = place.read()
    return None if pixels is None else _picture(pixels)


def _slow_picture(entry: PageEntry, _: Progress) -> QImage:
    """The picture of a large page, which is kept for the next time, also for the canvas."""
    place = find_preview(entry.image, entry.frame)
    pixels = read_thumbnail(entry.image, entry.frame, previews.SIDE)
    if place is not None:
        with suppress(SpotlabError, OSError):
            place.write(pixels)
    return _picture(pixels)


def _picture_of_pyramid(_entry: PageEntry, pyramid: Pyramid, _: Progress) -> QImage:
    return _picture(pyramid.tile(pyramid.levels - 1, 0, 0))


def _picture(pixels: Pixels) -> QImage:
    return image_of(stretch_contrast(shrink(pixels, SIDE)))
