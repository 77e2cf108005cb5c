"""Paints what stands out: hovered and selected regions, labels, and what a gesture moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QRegion, QTransform
from PySide6.QtWidgets import QLabel, QWidget

from spotlab.editing.region_index import RegionIndex
from spotlab.gui.canvas.label_chips import MOST_RAISED, ROOM, LabelChips
from spotlab.gui.canvas.region_layer import SelectedLayer
from spotlab.gui.canvas.view import (
    FILL_HOVERED,
    FILL_SELECTED,
    SELECTED,
    RegionStyle,
    ViewTransform,
    casing_pen,
    dashed,
    faint,
    line_pen,
    path_of,
    stroke_of,
)
from spotlab.model import Region

_SHOWN_FOR = 6000  # ms
_WIDEST = 420  # px
_AWAY = 18  # px from the pointer, which hides nothing of it
_EDGE = 6  # px from the canvas' edges


class PointerNote(QLabel):
    """Goes by itself, and as soon as something else is done."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setProperty("role", "note")
        self.setWordWrap(True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._timer = QTimer(self, singleShot=True, interval=_SHOWN_FOR)
        self._timer.timeout.connect(self.hide)
        self.hide()

    def tell(self, text: str, place: QPoint) -> None:
        """Show a line beside a place of the canvas."""
        self.setText(text)
        self.setAccessibleName(text)
        wide = self.fontMetrics().horizontalAdvance(text) + 24
        self.setFixedWidth(min(wide, _WIDEST, max(40, self._canvas.width() - 2 * _EDGE)))
        self.setFixedHeight(self.heightForWidth(self.width()))
        right, low = self._canvas.width() - self.width(), self._canvas.height() - self.height()
        x, y = place.x() + _AWAY, place.y() + _AWAY
        if y > low - _EDGE:
            y = place.y() - self.height() - _AWAY
        self.move(max(_EDGE, min(x, right - _EDGE)), max(_EDGE, min(y, low - _EDGE)))
        self.show()
        self.raise_()
        self._timer.start()


_MOST_OUTLINED = 8  # selected regions that are painted one by one
_MANY = 500  # regions of a page whose labels look for places only when the view rests
_RESTS_AFTER = 90  # ms without another view
_LINE = 12  # screen px that the lines of a region under the pointer stick out at most

_Shown = tuple[RegionIndex, frozenset[str]]


class Overlay:
    """The regions that are not like the others."""

    def __init__(self, style: RegionStyle, arrived: Callable[[], object]) -> None:
        self._style = style
        self.captions = True  # labels also of regions that are neither selected nor pointed at
        self.hovered: str | None = None
        self.instead: list[Region] = []
        self.waits = False  # with the labels' places until the lines of regions are there
        self._labels = LabelChips(style)
        self.many = SelectedLayer(arrived)
        self._key: object = None  # of what the labels were placed for
        self._labelled: tuple[object, ...] = ()
        self._shown: _Shown | None = None  # for which labels were placed last
        self._large: tuple[object, list[Region]] = None, []  # in sight, with room for a label
        self._view: object = None  # that was painted last
        self._timer = QTimer(singleShot=True, interval=_RESTS_AFTER)
        self._timer.timeout.connect(arrived)

    @property
    def busy(self) -> bool:
        """Tell whether labels or selected regions are still to be painted in full."""
        return self.many.busy or self._timer.isActive()

    def forget(self) -> None:
        """Other regions are shown, or the same ones look otherwise."""
        self._labels.forget()
        self._labelled, self._shown = (), None

    def look_again(self) -> None:
        """The document has changed: some regions are others, and the rest looks as before."""
        self._labels.look_again()
        self._labelled, self._shown = (), None

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
        exposed: QRegion | None = None,
    ) -> None:
        """Paint them over the page; ``exposed`` is what is painted of the window."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        outlined = self._outlined(painter, view, index, selected, hidden)
        hovered = self._pointed_at(index, outlined, hidden)
        if hovered is not None:
            self._paint_hovered(painter, view, hovered)
        if self._is_moving(view, index) and self._labels.paint_moved(painter, view, outlined):
            painter.restore()
            return
        labelled = (index, hidden, hovered, *outlined)
        key = (view.key, index.version, self.captions)
        if key == self._key and _same(labelled, self._labelled):
            self._labels.paint_again(painter, exposed)
        else:
            self._key, self._labelled = key, labelled
            others = self._others(view, index, outlined, hidden)
            self._labels.paint(painter, view, outlined, hovered, others, exposed)
        self._shown = None if outlined or len(selected) else (index, hidden)
        painter.restore()

    def hover(self, id: str | None, view: ViewTransform) -> QRegion | None:
        """Another region is under the pointer, or none.

        Returns
        -------
        QRegion or None
            What has to be painted for that in the window; None for all of it, as where regions are
            selected: tools paint more of them.
        """
        self.hovered, before = id, self.hovered
        if self._shown is None or self._timer.isActive():
            return None
        index, hidden = self._shown
        if self._key != (view.key, index.version, self.captions):
            return None
        gone = index.get(before) if before else None
        hovered = self._pointed_at(index, (), hidden)
        self._labelled = (index, hidden, hovered)
        changed = self._labels.place(view, (), hovered, self._others(view, index, (), hidden))
        if changed is None:
            self._labelled = ()
            return None
        for region in (gone, hovered):
            if region is not None:
                changed += _around(region, view)
        return changed

    def _pointed_at(
        self, index: RegionIndex, outlined: Sequence[Region], hidden: frozenset[str]
    ) -> Region | None:
        """The region under the pointer, where it stands out for nothing else."""
        hovered = index.get(self.hovered) if self.hovered else None
        if hovered is None or hovered.id in hidden:
            return None
        return None if any(region.id == hovered.id for region in outlined) else hovered

    def _others(
        self,
        view: ViewTransform,
        index: RegionIndex,
        outlined: Sequence[Region],
        hidden: frozenset[str],
    ) -> list[Region]:
        """The regions in sight that have room for a label and do not stand out."""
        if not self.captions:
            return []
        of = (view.key, index, index.version)
        if self._large[0] != of:
            self._large = of, index.visible(view.visible(), ROOM / view.scale)
        ids = {region.id for region in outlined} | {self.hovered, *hidden}
        return [region for region in self._large[1] if region.id not in ids]

    def _is_moving(self, view: ViewTransform, index: RegionIndex) -> bool:
        """Tell whether the labels wait until the view rests before they look for places."""
        if view.key != self._view:
            if self._view is not None and len(index) > _MANY:
                self._timer.start()
            self._view = view.key
        return self._timer.isActive() or self.waits

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
            painter.fillPath(path_of(region), faint(self._style.colour(region), FILL_SELECTED))
            path = stroke_of(region)
            painter.strokePath(path, line_pen(faint(QColor(SELECTED), 70), view.ratio, width=9))
            painter.strokePath(path, casing_pen(view.ratio, 5))
            pen = line_pen(self._style.colour(region), view.ratio, dashes=dashed(region), width=2.5)
            painter.strokePath(path, pen)
        painter.restore()

    def _paint_hovered(self, painter: QPainter, view: ViewTransform, region: Region) -> None:
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        painter.fillPath(path_of(region), faint(self._style.colour(region), FILL_HOVERED))
        path = stroke_of(region)
        painter.strokePath(path, casing_pen(view.ratio, 5))
        pen = line_pen(self._style.colour(region), view.ratio, dashes=dashed(region), width=3)
        painter.strokePath(path, pen)
        painter.restore()


def _around(region: Region, view: ViewTransform) -> QRect:
    """Tell where a region is in the window, with the lines around it."""
    low, high = view.box_to_view(*region.bounds)
    box = QRectF(QPointF(*low), QPointF(*high)).adjusted(-_LINE, -_LINE, _LINE, _LINE)
    return box.toAlignedRect()


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
