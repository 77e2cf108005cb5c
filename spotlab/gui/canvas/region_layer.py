"""Draws all regions: a few directly, thousands into a picture that is made in slices of time.

A picture holds more than the widget shows, so that panning moves it and zooming stretches it while
the next one is being made; no frame waits for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPolygonF, QTransform

from spotlab.editing.document import Document, Edit, Insert, Remove, Replace
from spotlab.editing.hit import RegionIndex
from spotlab.gui.canvas.style import UNLABELED, casing_pen, region_brush, region_pen
from spotlab.gui.canvas.view import View
from spotlab.model import LabelSet, Region

DIRECTLY = 400  # regions that are drawn into every frame; more go into a picture
SLICE = 0.008  # s of drawing into the picture between two frames
MARGIN = 0.25  # of the widget's size that the picture is larger on each side
CAPTION_FROM = 26.0  # px of the widget that a region is wide before its label is written


class RegionLayer:
    """The regions of a document.

    Parameters
    ----------
    changed : callable
        Called when there is something new to paint.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        self.index = RegionIndex()
        self.captions = True
        self._changed = changed
        self._colours: dict[str, str] = {}
        self._outlines: dict[str, QPolygonF] = {}
        self._picture: _Picture | None = None
        self._next: _Picture | None = None
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._go_on)
        self._edited: set[str] = set()

    def use(self, document: Document | None, labels: LabelSet) -> None:
        """Show this document from now on."""
        self.index = RegionIndex(document or ())
        self._outlines.clear()
        self.colour(labels)

    def colour(self, labels: LabelSet) -> None:
        """Draw the labels in these colours."""
        self._colours = {label.name: label.colour for label in labels}
        self._forget()

    def follow(self, edits: Iterable[Edit]) -> None:
        """The document has changed."""
        edits = tuple(edits)
        self.index.apply(edits)
        for edit in edits:
            match edit:
                case Insert(Region() as region) | Remove(Region() as region):
                    changed = region
                case Replace(_, Region() as after):
                    changed = after
                case _:
                    continue
            self._outlines.pop(changed.id, None)
            self._edited.add(changed.id)
        if self._picture:
            self._picture.stale = True
        self._next = None

    def colour_of(self, region: Region) -> str:
        """The colour that the region is drawn in."""
        return self._colours.get(region.label, UNLABELED)

    def outline(self, region: Region) -> QPolygonF:
        """The region's points for Qt."""
        outline = self._outlines.get(region.id)
        if outline is None:
            outline = QPolygonF([QPointF(x, y) for x, y in region.points])
            self._outlines[region.id] = outline
        return outline

    @property
    def settled(self) -> bool:
        """Whether what is painted is sharp and up to date."""
        return self._next is None and (self._picture is None or not self._picture.stale)

    def paint(self, painter: QPainter, view: View, ratio: float, hidden: frozenset[str]) -> None:
        """Draw what the view shows, without the regions that are drawn otherwise."""
        visible = self.index.visible(view.seen)
        if len(visible) <= DIRECTLY:
            self._forget()
            self._paint_directly(painter, view, visible, hidden)
            return
        self._paint_picture(painter, view, ratio)
        if self._edited:
            fresh = [region for region in visible if region.id in self._edited]
            self._paint_directly(painter, view, fresh[:DIRECTLY], hidden)

    def _paint_directly(
        self, painter: QPainter, view: View, regions: list[Region], hidden: frozenset[str]
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        transform = view.transform
        painter.setTransform(transform, True)
        shown = [region for region in regions if region.id not in hidden]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(casing_pen(4.0))
        for region in shown:
            painter.drawPolygon(self.outline(region))
        for region in shown:
            self._draw(painter, region, 2.0)
        painter.restore()
        if self.captions:
            for region in shown:
                draw_caption(painter, view, region, self.colour_of(region))

    def _draw(self, painter: QPainter, region: Region, width: float) -> None:
        colour = self.colour_of(region)
        painter.setPen(region_pen(colour, width, region.uncertain or not region.label))
        painter.setBrush(region_brush(colour, 0.16))
        painter.drawPolygon(self.outline(region), Qt.FillRule.OddEvenFill)

    def _paint_picture(self, painter: QPainter, view: View, ratio: float) -> None:
        picture = self._picture
        if picture is not None:
            picture.paint(painter, view)
        good = picture is not None and not picture.stale and picture.serves(view, ratio)
        if good:
            return
        if self._next is None or not self._next.serves(view, ratio):
            wide = replace(
                view, size=(view.size[0] * (1 + 2 * MARGIN), view.size[1] * (1 + 2 * MARGIN))
            )
            regions = self.index.visible(wide.seen)
            regions.sort(key=lambda region: (region.label, region.uncertain))
            self._next = _Picture(wide, ratio, regions, set(self._edited))
        self._timer.start()

    def _go_on(self) -> None:
        """Draw for a slice of time into the picture that is being made."""
        picture = self._next
        if picture is None:
            self._timer.stop()
            return
        if picture.go_on(self._draw):
            self._timer.stop()
            self._picture, self._next = picture, None
            self._edited -= picture.holds
            self._changed()

    def _forget(self) -> None:
        self._picture = self._next = None
        self._edited.clear()
        self._timer.stop()


class _Picture:
    """The regions of one view, drawn bit by bit."""

    def __init__(self, view: View, ratio: float, regions: list[Region], holds: set[str]) -> None:
        self.view = view
        self.ratio = ratio
        self.holds = holds
        self.stale = False
        self._regions = regions
        self._done = 0
        self._image = QImage(
            max(1, round(view.size[0] * ratio)),
            max(1, round(view.size[1] * ratio)),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        self._image.fill(Qt.GlobalColor.transparent)
        self._image.setDevicePixelRatio(ratio)

    def serves(self, view: View, ratio: float) -> bool:
        """Whether this view is in the picture, at its scale."""
        same = (view.scale, view.angle, ratio) == (self.view.scale, self.view.angle, self.ratio)
        if not same:
            return False
        x, y = self.view.to_widget(*view.to_page(0, 0))
        fits = x >= 0 and y >= 0
        return (
            fits and x + view.size[0] <= self.view.size[0] and y + view.size[1] <= self.view.size[1]
        )

    def go_on(self, draw: Callable[[QPainter, Region, float], object]) -> bool:
        """Draw for a while; whether all is drawn."""
        end = time.perf_counter() + SLICE
        painter = QPainter(self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setTransform(self.view.transform, True)
        while self._done < len(self._regions):
            draw(painter, self._regions[self._done], 1.0)
            self._done += 1
            if self._done % 16 == 0 and time.perf_counter() > end:
                break
        painter.end()
        return self._done == len(self._regions)

    def paint(self, painter: QPainter, view: View) -> None:
        """Draw the picture where it lies in another view."""
        back, _ = self.view.transform.inverted()
        transform: QTransform = back * view.transform
        painter.save()
        if self.view.scale != view.scale or self.view.angle != view.angle:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setTransform(transform, True)
            painter.drawImage(QPointF(0, 0), self._image)
        else:
            painter.drawImage(QPointF(transform.dx(), transform.dy()), self._image)
        painter.restore()


def draw_caption(painter: QPainter, view: View, region: Region, colour: str) -> None:
    """Write the region's label on a chip at its top, if there is room for it."""
    left, _, right, _ = region.bounds
    if (right - left) * view.scale < CAPTION_FROM or not (region.label or region.uncertain):
        return
    text = f"{region.label or 'no label'}{' ?' if region.uncertain else ''}"
    font = QFont(painter.font())
    font.setPointSizeF(8.5)
    metrics = QFontMetricsF(font)
    x, y = min(
        (view.to_widget(*point) for point in region.points), key=lambda place: (place[1], place[0])
    )
    width = metrics.horizontalAdvance(text) + 10
    chip = QRectF(x - 2, y - metrics.height() - 5, width, metrics.height() + 2)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    painter.setPen(Qt.PenStyle.NoPen)
    fill = QColor(colour)
    painter.setBrush(fill)
    painter.drawRoundedRect(chip, 3, 3)
    dark = fill.lightnessF() > 0.55
    painter.setPen(QColor("#1B1B1B" if dark else "#FFFFFF"))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
