"""Paints a second annotator's regions: dotted, in a colour of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QTransform

from spotlab.editing.region_index import RegionIndex
from spotlab.gui.annotate.second.actions import COMMANDS, Does
from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.label_chips import drawn_chip
from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.tool import Layer, Pointer
from spotlab.gui.canvas.view import (
    CHOSEN,
    RegionStyle,
    ViewTransform,
    casing_pen,
    faint,
    in_view,
    line_pen,
    path_of,
)
from spotlab.gui.kit.theme import SECOND
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region
from spotlab.studies.annotators.differences import RegionPair

_BY_KEY: dict[str, Does] = {command.key: command.does for command in COMMANDS}
_BY_KEY["Esc"] = lambda deciding: deciding.second.set_current(None)
DOTS = (2.0, 3.0)  # screen px, of a dot and a gap


def answer_for(workbench: Workbench, event: QKeyEvent) -> Callable[[], object] | None:
    """Return what a key does with the current pair.

    None while it means a region that is selected.
    """
    there = workbench.state(SecondAnnotator).current is not None and workbench.draws
    if not there or len(workbench.selection):
        return None
    does = _BY_KEY.get(QKeySequence(event.keyCombination()).toString().replace("Num+", ""))
    return partial(does, workbench.state(Adjudication)) if does else None


class _TheirStyle(RegionStyle):
    """One colour for all, dotted lines and nothing inside, as regions of the page have labels'."""

    dash = DOTS
    fill = 0

    def colour(self, region: Region) -> QColor:
        return QColor(SECOND)


class SecondLayer(Layer):
    """Lies between the regions and what the tools paint."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._workbench = workbench = canvas.workbench
        self._second = second = workbench.state(SecondAnnotator)
        self._index = RegionIndex()
        self._theirs = RegionLayer(self._index, _TheirStyle(), canvas.refresh)
        self._drawn: tuple[Region, ...] = ()
        self._disconnect = [
            second.changed.connect(self.follow),
            second.current_changed.connect(canvas.refresh),
        ]

    @property
    def shown(self) -> bool:
        """Only where the truth is drawn."""
        return self._workbench.draws and self._second.active

    @property
    def busy(self) -> bool:
        """Tell whether tiles are still being drawn."""
        return self._theirs.busy

    def stop(self) -> None:
        """Hear of nothing and draw nothing any more."""
        for disconnect in self._disconnect:
            disconnect()
        self._theirs.stop()

    def follow(self) -> None:
        """Other regions are theirs here."""
        here = self._second.here if self._second.shown else None
        regions = here.regions if here is not None else ()
        if regions is not self._drawn:
            self._drawn = regions
            self._index = RegionIndex(map(_dashed, regions))  # as uncertain regions are
            self._theirs.reset(self._index)
        self._canvas.refresh()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint over the page and its regions."""
        self._theirs.paint(painter, view)
        pair = self._second.current
        if pair is not None:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            self._paint_current(painter, view, pair)
            self._paint_caption(painter, view, pair)
            painter.restore()

    def describe(self, pointer: Pointer) -> str | None:
        """Return what they have drawn at a place where the page has no region."""
        if self._canvas.index.regions_at(*pointer.place):
            return None
        there = self._index.regions_at(*pointer.place)
        if not there:
            return None
        place = f"x {int(pointer.x // 1):,}  y {int(pointer.y // 1):,}"
        return f"{place} · {self._second.name}: {there[0].label or 'unlabeled'}"

    def answer(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key says of the current pair."""
        return answer_for(self._workbench, event)

    def _paint_current(self, painter: QPainter, view: ViewTransform, pair: RegionPair) -> None:
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        for region in (pair.first, pair.second):
            if region is not None:
                glow = line_pen(faint(QColor(CHOSEN), 150), view.ratio, width=11)
                painter.strokePath(path_of(region), glow)
        if pair.first is not None:
            colour = self._canvas.style_of_regions.colour(pair.first)
            painter.strokePath(path_of(pair.first), casing_pen(view.ratio, 5))
            painter.strokePath(path_of(pair.first), line_pen(colour, view.ratio, width=3))
        if pair.second is not None:
            painter.fillPath(path_of(pair.second), faint(QColor(SECOND), 36))
            painter.strokePath(path_of(pair.second), casing_pen(view.ratio, 5))
            pen = line_pen(QColor(SECOND), view.ratio, dashes=True, width=3, dash=DOTS)
            painter.strokePath(path_of(pair.second), pen)
        painter.restore()

    def _paint_caption(self, painter: QPainter, view: ViewTransform, pair: RegionPair) -> None:
        """Say at the pair how the two differ."""
        boxes = [in_view(view, r.bounds) for r in (pair.first, pair.second) if r is not None]
        frame = boxes[0] if len(boxes) == 1 else boxes[0].united(boxes[1])
        colours = (QColor(SECOND), QColor(SECOND), QColor("#ffffff"))
        chip = drawn_chip(caption(pair), painter.font(), 4, colours, view.ratio)
        width, height = chip.deviceIndependentSize().toTuple()
        x = min(max(frame.left(), 2.0), max(2.0, view.size[0] - width - 2))
        below = frame.bottom() + 8  # the label is above
        fits = below + height + 2 <= view.size[1]
        y = below if fits else max(frame.top() - 2 * height - 12, 2.0)
        painter.drawPixmap(QPointF(round(x), round(y)), chip)


def caption(pair: RegionPair) -> str:
    """Tell how the two differ, in a few words.

    Examples
    --------
    >>> from spotlab.studies.annotators.differences import compare_regions
    >>> square = ((0, 0), (4, 0), (4, 4), (0, 4))
    >>> found = compare_regions([Region(square, "sofa")], [Region(square, "bed")])
    >>> caption(found.pairs[0])
    'sofa / bed'
    """
    first, second = (
        None if region is None else region.label or "unlabeled"
        for region in (pair.first, pair.second)
    )
    if first is None or second is None:
        return f"{pair.kind}: {first or second}"
    return f"{first} / {second}" if first != second else f"{first}  IoU {pair.iou:.2f}"


def _dashed(region: Region) -> Region:
    return Region(region.points, region.label, region.id, region.primitive, uncertain=True)
