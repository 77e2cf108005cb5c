"""Keeps what was painted of the page and its regions, so that a frame paints only what is new.

While the pointer moves, the kept picture is shown again. Where the view is moved, it is moved too:
views lie on whole device pixels. Only the edges that come into sight, and tiles that have arrived,
are painted. A zoom paints everything; on screens with many pixels at half the resolution, until the
zoom stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from copy import copy

from PySide6.QtCore import QRect, QTimer
from PySide6.QtGui import QColor, QPainter, QPixmap, QRegion

from spotlab.gui.canvas.page_layer import PageLayer
from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit import paper

_MANY_PIXELS = 3_000_000  # of the window, from which a zoom is painted at half the resolution
_SHARP_AFTER = 90  # ms without another zoom


class Backdrop:
    """The page and its regions as they were painted last.

    Parameters
    ----------
    page : PageLayer
    regions : RegionLayer
    refresh : callable
        Called when the picture can be painted better.
    """

    def __init__(
        self, page: PageLayer, regions: RegionLayer, refresh: Callable[[], object]
    ) -> None:
        self._page, self._regions, self._refresh = page, regions, refresh
        self._picture = QPixmap()
        self._shows: tuple[Hashable, ...] | None = None
        self._offset = (0, 0)  # of the page in the picture, device px
        self._timer = QTimer(singleShot=True, interval=_SHARP_AFTER)
        self._timer.timeout.connect(refresh)

    @property
    def busy(self) -> bool:
        """Whether the picture is not painted in full quality yet."""
        return self._timer.isActive()

    def stop(self) -> None:
        """Keep nothing, and paint nothing any more."""
        self._timer.stop()
        self._picture, self._shows = QPixmap(), None

    def paint(
        self, painter: QPainter, view: ViewTransform, behind: QColor, *, regions: bool
    ) -> None:
        """Paint all of the window.

        Parameters
        ----------
        painter : QPainter
        view : ViewTransform
        behind : QColor
            Around the page.
        regions : bool
            Whether the regions are painted, too.
        """
        scale = (view.scale, view.angle, *view.size, view.ratio)
        zoomed = self._shows is not None and self._shows[0] != scale
        whole = math.ceil(view.size[0] * view.ratio) * math.ceil(view.size[1] * view.ratio)
        if zoomed and whole > _MANY_PIXELS:
            self._timer.start()
        draft = copy(view)
        if self._timer.isActive():
            draft.ratio = view.ratio / 2
        width, height = (math.ceil(side * draft.ratio) for side in view.size)
        shows = (scale, draft.ratio, behind.rgb(), paper.look(), regions, self._regions.visible)
        new = self._new_parts(shows, QRect(0, 0, width, height), draft, view)
        if not new.isEmpty():
            self._paint_parts(new, draft, view, behind, regions)
        elif regions:
            self._regions.look(view)
        painter.drawPixmap(0, 0, self._picture)

    def _new_parts(
        self, shows: tuple[Hashable, ...], window: QRect, draft: ViewTransform, view: ViewTransform
    ) -> QRegion:
        """What of the picture has to be painted, in its pixels; the rest is moved there."""
        offset = (round(draft.x * draft.ratio), round(draft.y * draft.ratio))
        dx, dy = offset[0] - self._offset[0], offset[1] - self._offset[1]
        page, regions = self._page.take_damage(draft), self._regions.take_damage(view)
        same = shows == self._shows and self._picture.size() == window.size()
        self._shows, self._offset = shows, offset
        if not same or page is None or regions is None:
            if self._picture.size() != window.size():
                self._picture = QPixmap(window.size())
                self._picture.setDevicePixelRatio(draft.ratio)
            return QRegion(window)
        new = QRegion()
        if dx or dy:
            if abs(dx) >= window.width() or abs(dy) >= window.height():
                return QRegion(window)
            self._picture.scroll(dx, dy, window)
            new = QRegion(window) - QRegion(window.translated(dx, dy))
        for place in (*page, *regions):
            scaled = QRect(
                math.floor(place.x() * draft.ratio) - 1,
                math.floor(place.y() * draft.ratio) - 1,
                math.ceil(place.width() * draft.ratio) + 3,
                math.ceil(place.height() * draft.ratio) + 3,
            )
            new += scaled & window
        return new

    def _paint_parts(
        self,
        parts: QRegion,
        draft: ViewTransform,
        view: ViewTransform,
        behind: QColor,
        regions: bool,
    ) -> None:
        with QPainter(self._picture) as painter:
            painter.scale(1 / draft.ratio, 1 / draft.ratio)
            painter.setClipRegion(parts)
            painter.resetTransform()
            painter.fillRect(0, 0, math.ceil(view.size[0]), math.ceil(view.size[1]), behind)
            self._page.paint(painter, draft)
            if regions:
                self._regions.paint(painter, view)
