"""Paints a run over the truth, area by area, and the spot or region that is chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPolygonF, QTransform

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Layer
from spotlab.gui.canvas.view import CHOSEN, ViewTransform, casing_pen, line_pen
from spotlab.gui.inspect.legend import Legend
from spotlab.gui.inspect.state.comparison import SecondRun
from spotlab.gui.inspect.state.inspection import Inspection, OverlayChoice
from spotlab.gui.inspect.symbol_marks import paint_marks, paint_symbol_outlines
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.settings import OPACITY
from spotlab.imaging.overlay import (
    COLOURS,
    TRUTH_LINE,
    AreaKind,
    OverlayRaster,
    PageAreas,
    Pixels,
    area_kinds,
    paint_areas,
    paint_outlines,
)
from spotlab.progress import Progress, silent
from spotlab.signal import Signal
from spotlab.studies.tally.page_view import PageSymbols

SPOT_LINE = "#3a3f45"


class PaintedOverlay:
    """The image that lies over a canvas's page; an old one is stretched until the next is painted.

    Parameters
    ----------
    canvas : Canvas
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._task = Task(urgent=True)
        self._key: tuple[Hashable, ...] = ()  # of the image: the page first
        self._matrix, self._image = QTransform(), QImage()
        self.cancel = self._task.cancel

    @property
    def busy(self) -> bool:
        """Tell whether a thread is painting."""
        return self._task.busy

    def clear(self) -> None:
        """Let go of the image."""
        self._key, self._image = (), QImage()

    def clear_other_page(self) -> None:
        """Let go of the image of another page than the open one, which never shows it."""
        if self._key and self._key[0] != self._canvas.workbench.entry:
            self.clear()

    def draw(
        self,
        painter: QPainter,
        view: ViewTransform,
        key: tuple[Hashable, ...],
        paint: Callable[[OverlayRaster, Progress], QImage],
        *,
        at_once: bool,
    ) -> None:
        """Draw the image over the open page.

        Parameters
        ----------
        painter : QPainter
        view : ViewTransform
        key : tuple
            Equal for equal images in the same view.
        paint : callable
            Paints the image.
        at_once : bool
            Whether to wait for it; otherwise a thread paints, and the canvas is refreshed.
        """
        matrix = QTransform(*view.matrix)
        key = (self._canvas.workbench.entry, view.key, view.ratio, *key)

        def keep(image: QImage) -> None:
            self._key, self._matrix, self._image = key, matrix, image

        def done(image: QImage) -> None:
            keep(image)
            self._canvas.refresh()

        if self._key != key and at_once:
            keep(paint(raster_of(view), silent))
        elif self._key != key and not self._task.busy:  # else the next painting looks again
            self._task.start(paint, raster_of(view), done=done)
        if not self._image.isNull():
            painter.save()
            if self._matrix != matrix:  # else every pixel is drawn as it is
                painter.setTransform(self._matrix.inverted()[0] * matrix, True)
            painter.scale(1 / view.ratio, 1 / view.ratio)
            painter.drawImage(0, 0, self._image)
            painter.restore()


def raster_of(view: ViewTransform) -> OverlayRaster:
    """The canvas' device pixels, and how the page lies on them."""
    ratio = view.ratio
    a, b, c, d, dx, dy = (value * ratio for value in view.matrix)
    width, height = (max(1, math.ceil(side * ratio)) for side in view.size)
    return OverlayRaster((a, b, c, d, dx, dy), width, height, ratio)


@dataclass(frozen=True, eq=False)
class Picture:
    """Picture to be painted over a page.

    Attributes
    ----------
    areas : PageAreas
        Truth and spots.
    symbols : PageSymbols or None
        None until the run's figures are computed.
    marked : bool
        Whether symbols have marks of their states.
    filled : bool
        Whether areas are filled by their kinds.
    opacity : float
        Of the areas, from 0 to 1.
    """

    areas: PageAreas
    symbols: PageSymbols | None
    marked: bool
    filled: bool
    opacity: float

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal pictures."""
        return self.areas, self.symbols, self.marked, self.filled, self.opacity


def painted(picture: Picture, sheet: OverlayRaster, progress: Progress = silent) -> QImage:
    """The picture as an image in device pixels."""
    areas, opacity = picture.areas, picture.opacity
    if picture.filled:
        pixels = paint_areas(area_kinds(areas, sheet), sheet, opacity)
    else:
        pixels = np.zeros((sheet.height, sheet.width, 4), np.uint8)
    progress(0, None, "painting")
    symbols = picture.symbols
    marked = symbols if picture.marked else None
    if marked is not None:
        paint_outlines(pixels, marked.other_outlines, sheet, SPOT_LINE, 0.8)
        paint_symbol_outlines(pixels, marked, sheet)
    elif opacity > 0:
        paint_outlines(pixels, areas.spots, sheet, SPOT_LINE, 0.8)
        ignored = areas.ignored.take(np.flatnonzero(areas.looked_at))
        paint_outlines(pixels, ignored, sheet, COLOURS[AreaKind.IGNORED], 1.4)
        _paint_truth(pixels, areas, symbols, sheet)
    image = image_of(pixels)
    if marked is not None:
        with QPainter(image) as painter:
            paint_marks(painter, marked, sheet)
    return image


def _paint_truth(
    pixels: Pixels, areas: PageAreas, symbols: PageSymbols | None, sheet: OverlayRaster
) -> None:
    """Draw truth in the colour of its state; in a neutral one while states are not known."""
    if symbols is None:
        sought = areas.truth.take(np.flatnonzero(areas.sought))
        paint_outlines(pixels, sought, sheet, TRUTH_LINE, 1.4)
        return
    for kind in (AreaKind.FOUND, AreaKind.OTHER_LABEL, AreaKind.MISSED):
        outlines = symbols.outlines.take(np.flatnonzero(symbols.kinds == kind))
        paint_outlines(pixels, outlines, sheet, TRUTH_LINE, 3.2)  # colours show on any paper
        paint_outlines(pixels, outlines, sheet, COLOURS[kind], 1.6)


MANY = 400  # more spots on a page are painted by a thread, and the window goes on
MANY_MARKED = 100  # the same where symbols have marks


class InspectLayer(Layer):
    """The areas of the open page by their kinds, the states of its symbols, or both.

    Parameters
    ----------
    canvas : Canvas
    inspection : Inspection or SecondRun
        Whose current run is painted.
    shown : callable
        Whether it is to be painted in the Inspect workspace.

    Attributes
    ----------
    opacity : float
        From 0 to 1.
    legend : Legend
        Says in a corner what the colours mean.
    """

    workspace = "inspect"
    hides_regions = True

    def __init__(
        self, canvas: Canvas, inspection: Inspection | SecondRun, shown: Callable[[], bool]
    ) -> None:
        self._canvas = canvas
        self._workbench = workbench = canvas.workbench
        self._inspection = inspection
        self._wanted = shown
        self._overlay = workbench.state(OverlayChoice)
        self._image = PaintedOverlay(canvas)
        self.opacity = workbench.settings.get(OPACITY)
        self.legend = Legend(canvas, workbench, inspection.page, self.opacity, self.set_opacity)
        self.legend.hide()
        self._disconnect = [
            signal.connect(self._inspection_changed)
            for signal in (
                inspection.runs.changed,
                inspection.runs.figures_changed,
                inspection.query_changed,
                inspection.cut_changed,
                inspection.spot_changed,
                self._overlay.changed,
            )
        ]

    def _inspection_changed(self) -> None:
        self.follow()
        self._canvas.layer_changed()

    def follow(self) -> None:
        """Another page, run or workspace: let go of what is not shown any more."""
        if not self.shown:
            self._image.clear()
        self.legend.follow(self.shown)

    def place(self) -> None:
        """Keep the legend in its corner."""
        self.legend.place()

    def stop(self) -> None:
        """Hear of nothing any more."""
        for disconnect in self._disconnect:
            disconnect()

    @property
    def busy(self) -> bool:
        """Tell whether a thread is painting or measuring."""
        return self._image.busy or self.legend.sums.busy

    @property
    def shown(self) -> bool:
        """Tell whether there is a run to be shown."""
        here = self._workbench.workspace == "inspect"
        return here and self._inspection.runs.current is not None and self._wanted()

    def follow_also(self, *signals: Signal[[]]) -> None:
        """Look again after these, too."""
        self._disconnect += [signal.connect(self._inspection_changed) for signal in signals]

    def set_opacity(self, opacity: float) -> None:
        """Hide more or less of the page."""
        self.opacity = opacity
        self._workbench.settings.set(OPACITY, opacity)
        self._canvas.refresh()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint over the page."""
        areas = self._inspection.page.areas()
        self._image.clear_other_page()
        if areas is None:
            return
        overlay = self._overlay.value
        symbols = self._inspection.page.symbols()
        picture = Picture(areas, symbols, overlay.has_symbols, overlay.has_areas, self.opacity)
        few = len(areas.spots) <= (MANY_MARKED if overlay.has_symbols else MANY)
        self._image.draw(painter, view, picture.key, partial(painted, picture), at_once=few)
        self._paint_chosen(painter, view)

    def _paint_chosen(self, painter: QPainter, view: ViewTransform) -> None:
        inspection = self._inspection
        current = inspection.runs.current
        tally = current.tally if current else None
        entry, document = self._workbench.entry, self._workbench.document
        if current is None or tally is None or entry is None:
            return
        if inspection.spot is not None:
            spot = inspection.spot
            if tally.pages[tally.page[spot]] == entry.name:
                points = tally.run.outlines[int(tally.spot[spot])]
                ring(painter, view, points, CHOSEN)
                chip(painter, view, points, current.describe(spot))
        elif (
            document is not None
            and inspection.region in document
            and inspection.region_page == entry.name
        ):
            region = document[str(inspection.region)]
            ring(painter, view, region.array, COLOURS[AreaKind.MISSED])
            chip(painter, view, region.array, f"{region.label} · missed")


def ring(painter: QPainter, view: ViewTransform, points: np.ndarray, colour: str) -> None:
    """An outline that stands out, in this colour."""
    shown = view.points_to_view(points)
    polygon = QPolygonF([QPointF(x, y) for x, y in shown.tolist()])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = casing_pen(view.ratio, 6)
    pen.setColor(QColor(20, 22, 25, 235))
    painter.setPen(pen)
    painter.drawPolygon(polygon)
    painter.setPen(line_pen(QColor(colour), view.ratio, width=3))
    painter.drawPolygon(polygon)
    painter.restore()


def chip(painter: QPainter, view: ViewTransform, points: np.ndarray, text: str) -> None:
    """A few words at the upper left of an outline, inside the window."""
    shown = view.points_to_view(points)
    low, high = shown.min(axis=0), shown.max(axis=0)
    if (high < 0).any() or (low > view.size).any():
        return
    font = QFont(painter.font())
    font.setPixelSize(12)
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text) + 16, metrics.height() + 6
    x = min(max(low[0], 4.0), max(4.0, view.size[0] - width - 4))
    y = low[1] - height - 8 if low[1] > height + 12 else min(high[1] + 8, view.size[1] - height - 4)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(20, 22, 25, 225))
    place = QRectF(round(x), round(y), width, height)
    painter.drawRoundedRect(place, 5, 5)
    painter.setPen(QColor("#ffffff"))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
