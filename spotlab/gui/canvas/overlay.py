"""Paints what stands out: hovered and selected regions, labels, and what a gesture moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QTransform

from spotlab.editing.region_index import RegionIndex
from spotlab.gui.canvas.label_chips import MOST_RAISED, LabelChips
from spotlab.gui.canvas.label_positions import ROOM
from spotlab.gui.canvas.region_style import (
    FILL_HOVERED,
    FILL_SELECTED,
    SELECTED,
    RegionStyle,
    casing_pen,
    dashed,
    faint,
    line_pen,
    path_of,
)
from spotlab.gui.canvas.selected_layer import SelectedLayer
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region

_MOST_OUTLINED = 8  # selected regions that are painted one by one
_MANY = 500  # regions of a page whose labels look for places only when the view rests
_RESTS_AFTER = 90  # ms without another view


class Overlay:
    """The regions that are not like the others."""

    def __init__(self, style: RegionStyle, arrived: Callable[[], object]) -> None:
        self._style = style
        self.captions = True  # labels also of regions that are neither selected nor pointed at
        self.hovered: str | None = None
        self.instead: list[Region] = []
        self._labels = LabelChips(style)
        self.many = SelectedLayer(arrived)
        self._key: object = None  # of what the labels were placed for
        self._labelled: tuple[object, ...] = ()
        self._view: object = None  # that was painted last
        self._timer = QTimer(singleShot=True, interval=_RESTS_AFTER)
        self._timer.timeout.connect(arrived)

    @property
    def busy(self) -> bool:
        """Whether labels or selected regions are still to be painted in full."""
        return self.many.busy or self._timer.isActive()

    def forget(self) -> None:
        """Other regions are shown, or the same ones with other labels."""
        self._labels.forget()
        self._labelled = ()

    def stop(self) -> None:
        """Paint nothing any more."""
        self._timer.stop()
        self.many.clear()

    def paint(
        self,
        painter: QPainter,
        view: ViewTransform,
        index: RegionIndex,
        selected: Sequence[str],
        hidden: frozenset[str],
    ) -> None:
        """Paint them over the page."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        outlined = self._outlined(painter, view, index, selected, hidden)
        hovered = index.get(self.hovered) if self.hovered else None
        if hovered is not None and any(region.id == hovered.id for region in outlined):
            hovered = None
        if hovered is not None and hovered.id not in hidden:
            self._paint_hovered(painter, view, hovered)
        if self._is_moving(view, index) and self._labels.paint_moved(painter, view, outlined):
            painter.restore()
            return
        pointed_at = hovered if hovered is not None and hovered.id not in hidden else None
        labelled = (index, hidden, pointed_at, *outlined)
        key = (view.key, index.version, self.captions)
        if key == self._key and _same(labelled, self._labelled):
            self._labels.paint_again(painter, view)
        else:
            self._key, self._labelled = key, labelled
            ids = {region.id for region in outlined} | {self.hovered}
            extent = ROOM / view.scale
            shown = index.visible(view.visible(), extent) if self.captions else ()
            others = [
                region for region in shown if region.id not in ids and region.id not in hidden
            ]
            self._labels.paint(painter, view, outlined, pointed_at, others)
        painter.restore()

    def _is_moving(self, view: ViewTransform, index: RegionIndex) -> bool:
        """Whether the labels wait until the view rests before they look for places."""
        if view.key != self._view:
            if self._view is not None and len(index) > _MANY:
                self._timer.start()
            self._view = view.key
        return self._timer.isActive()

    def _outlined(
        self,
        painter: QPainter,
        view: ViewTransform,
        index: RegionIndex,
        selected: Sequence[str],
        hidden: frozenset[str],
    ) -> list[Region]:
        """Paint the outlines of the selected regions; those that may have labels."""
        if len(selected) <= _MOST_OUTLINED:
            self.many.clear()
            standing = [
                region
                for id in selected
                if id not in hidden and (region := index.get(id)) is not None
            ]
            outlined = standing + self.instead
            self._paint_outlines(painter, view, outlined)
            return outlined
        self.many.paint(painter, view, index, selected, hidden)
        self._paint_outlines(painter, view, self.instead)
        if self.instead:
            return self.instead[-MOST_RAISED:]
        return self.many.index.last_visible(view.visible(), ROOM / view.scale, MOST_RAISED)

    def _paint_outlines(
        self, painter: QPainter, view: ViewTransform, regions: list[Region]
    ) -> None:
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        left, top, right, bottom = view.visible()
        shown = [
            region
            for region in regions
            if region.bounds[0] <= right and region.bounds[2] >= left
            and region.bounds[1] <= bottom and region.bounds[3] >= top
        ]  # fmt: skip
        for region in shown:
            path = path_of(region)
            painter.fillPath(path, faint(self._style.colour(region), FILL_SELECTED))
            painter.strokePath(path, line_pen(faint(QColor(SELECTED), 70), view.ratio, width=9))
            painter.strokePath(path, casing_pen(view.ratio, 5))
            pen = line_pen(self._style.colour(region), view.ratio, dashes=dashed(region), width=2.5)
            painter.strokePath(path, pen)
        painter.restore()

    def _paint_hovered(self, painter: QPainter, view: ViewTransform, region: Region) -> None:
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        path = path_of(region)
        painter.fillPath(path, faint(self._style.colour(region), FILL_HOVERED))
        painter.strokePath(path, casing_pen(view.ratio, 5))
        pen = line_pen(self._style.colour(region), view.ratio, dashes=dashed(region), width=3)
        painter.strokePath(path, pen)
        painter.restore()


def _same(values: Sequence[object], before: Sequence[object]) -> bool:
    return len(values) == len(before) and all(map(is_, values, before))


def banner(painter: QPainter, view: ViewTransform, text: str, colour: QColor) -> None:
    """A few words in the middle of an empty canvas."""
    font = QFont(painter.font())
    font.setPixelSize(15)
    painter.setFont(font)
    painter.setPen(colour)
    width, height = view.size
    place = QRectF(QPointF(24, 24), QPointF(max(25.0, width - 24), max(25.0, height - 24)))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)
