"""Paints a run over the truth, area by area, and the spot or region that is chosen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPolygonF

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.layer import Layer
from spotlab.gui.canvas.region_style import CHOSEN, casing_pen, line_pen
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.inspect.legend import Legend
from spotlab.gui.inspect.painting import PaintedOverlay, Picture, painted
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.overlay_choice import OverlayChoice
from spotlab.gui.inspect.state.second_run import SecondRun
from spotlab.gui.kit.known_settings import OPACITY
from spotlab.imaging.overlay import COLOURS, AreaKind
from spotlab.signal import Signal

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
        self.legend.stop()

    @property
    def busy(self) -> bool:
        """Whether a thread is painting or measuring."""
        return self._image.busy or self.legend.sums.busy

    @property
    def shown(self) -> bool:
        """Whether there is a run to be shown."""
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
