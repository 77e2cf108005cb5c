"""Paints what only A found, only B, both and neither over the page, and names the run shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.layer import Layer
from spotlab.gui.canvas.region_style import CHOSEN
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.inspect.compare.comparison_legend import ComparisonLegend
from spotlab.gui.inspect.compare.on_page import ComparedOnPage
from spotlab.gui.inspect.layer import chip, ring
from spotlab.gui.inspect.painting import PaintedOverlay
from spotlab.gui.inspect.state.comparison import ComparisonSide, ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.known_settings import OPACITY
from spotlab.imaging.overlay import (
    COLOURS,
    COMPARED_LOOKS,
    FIRST_COLOUR,
    SECOND_COLOUR,
    TRUTH_LINE,
    AreaKind,
    ComparedAreas,
    OverlayRaster,
    compared_kinds,
    paint_areas,
    paint_outlines,
)
from spotlab.progress import Progress, silent

MANY = 200  # spots of both runs that are painted by a thread, and the window goes on
LETTERS = {ComparisonSide.FIRST: "A", ComparisonSide.SECOND: "B"}


class ComparisonLayer(Layer):
    """The differences between two runs on the open page; what else is shown, only its name.

    Parameters
    ----------
    canvas : Canvas
    side : ComparisonSide, optional
        The run that this canvas always shows; by default what the comparison says.

    Attributes
    ----------
    legend : ComparisonLegend
    """

    hides_regions = True

    def __init__(self, canvas: Canvas, side: ComparisonSide | None = None) -> None:
        self._canvas = canvas
        self._side = side
        self._workbench = workbench = canvas.workbench
        self._inspection = inspection = workbench.state(Inspection)
        self._comparison = comparison = workbench.state(ComparisonState)
        self._on_page = ComparedOnPage(workbench)
        self._image = PaintedOverlay(canvas)
        self._opacity = workbench.settings.get(OPACITY)
        self.legend = ComparisonLegend(
            canvas,
            comparison,
            self._on_page,
            workbench.settings,
            self._opacity,
            self._set_opacity,
        )
        self.legend.hide()
        self._on_page.changed.connect(self.legend.place)
        self._disconnect: list[Callable[[], None]] = [
            signal.connect(self._changed)
            for signal in (
                comparison.changed,
                comparison.side_changed,
                comparison.computed,
                comparison.chosen_changed,
                inspection.runs.changed,
                inspection.query_changed,
                inspection.cut_changed,
            )
        ]

    @property
    def shown(self) -> bool:
        """Whether two runs are compared here."""
        return self._workbench.workspace == "inspect" and self._comparison.on

    @property
    def busy(self) -> bool:
        """Whether a thread is still painting or comparing."""
        return self._image.busy or (self.shown and (self._on_page.busy or self._comparison.busy))

    @property
    def differs(self) -> bool:
        """Whether the differences are shown, and not a single run."""
        return (
            self.shown
            and self._side is None
            and self._comparison.side is ComparisonSide.DIFFERENCES
        )

    def follow(self) -> None:
        """Another page, run or workspace: let go of what is not shown any more."""
        if not self.differs:
            self._image.clear()
        self.legend.follow(self.differs)

    def place(self) -> None:
        """Keep the legend in its corner."""
        self.legend.place()

    def stop(self) -> None:
        """Hear of nothing any more."""
        for disconnect in self._disconnect:
            disconnect()
        self._image.cancel()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The areas, or the name of the run that is shown."""
        if self.differs:
            self._paint_areas(painter, view)
            self._paint_chosen(painter, view)
            return
        side = self._side or self._comparison.side
        side = (
            ComparisonSide.FIRST if side is ComparisonSide.BOTH else side
        )  # the canvas at the left
        run = self._comparison.second if side is ComparisonSide.SECOND else self._comparison.first
        if run is not None:
            colour = SECOND_COLOUR if side is ComparisonSide.SECOND else FIRST_COLOUR
            _name(painter, view, LETTERS[side], run.name, colour)

    def _changed(self) -> None:
        self.follow()
        self._canvas.layer_changed()

    def _set_opacity(self, opacity: float) -> None:
        self._opacity = opacity
        self._workbench.settings.set(OPACITY, opacity)
        self._canvas.refresh()

    def _paint_areas(self, painter: QPainter, view: ViewTransform) -> None:
        areas = self._on_page.areas()
        self._image.clear_other_page()
        if areas is not None:
            few = len(areas.first) + len(areas.second) <= MANY
            paint = partial(painted, areas, self._opacity)
            self._image.draw(painter, view, (areas, self._opacity), paint, at_once=few)

    def _paint_chosen(self, painter: QPainter, view: ViewTransform) -> None:
        """The symbol and the spots of the chosen change."""
        comparison, entry, document = (
            self._comparison, self._workbench.entry, self._workbench.document
        )  # fmt: skip
        changes, chosen = comparison.changes, comparison.chosen
        if changes is None or chosen is None or entry is None or document is None:
            return
        if changes.page_name(chosen) != entry.name:
            return
        id, rings = changes.region_id(chosen), []
        if id is not None and id in document:
            rings.append((document[id].array, COLOURS[AreaKind.MISSED]))
        for run, spot, colour in (
            (changes.first, changes.first_spot[chosen], FIRST_COLOUR),
            (changes.second, changes.second_spot[chosen], SECOND_COLOUR),
        ):
            if spot >= 0:
                rings.append((run.tally.run.outlines[int(run.tally.spot[spot])], colour))
        for points, colour in rings:
            ring(painter, view, points, CHOSEN if id is None else colour)
        if rings:
            kind = comparison.words_of(chosen)
            chip(painter, view, rings[0][0], f"{changes.query[chosen]} · {kind}")


def painted(
    areas: ComparedAreas, opacity: float, sheet: OverlayRaster, progress: Progress = silent
) -> QImage:
    """The areas of a page as an image in device pixels; this may run in a thread."""
    pixels = paint_areas(compared_kinds(areas, sheet), sheet, opacity, COMPARED_LOOKS)
    progress(0, None, "painting")
    if opacity > 0:
        paint_outlines(pixels, areas.first, sheet, FIRST_COLOUR, 1.0)
        paint_outlines(pixels, areas.second, sheet, SECOND_COLOUR, 1.0)
        paint_outlines(pixels, areas.truth, sheet, TRUTH_LINE, 1.4)
    return image_of(pixels)


def _name(painter: QPainter, view: ViewTransform, letter: str, name: str, colour: str) -> None:
    """The letter of a run on its colour, and its name, at the upper left of the canvas."""
    font = QFont(painter.font())
    font.setPixelSize(13)
    metrics = QFontMetricsF(font)
    shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, max(40.0, view.size[0] - 80))
    height, top = metrics.height() + 8, view.covered + 8
    width = metrics.horizontalAdvance(shown) + 20
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(20, 22, 25, 225))
    painter.drawRoundedRect(QRectF(8, top, height + width, height), 5, 5)
    painter.setBrush(QColor(colour))
    box = QRectF(8, top, height, height)
    painter.drawRoundedRect(box, 5, 5)
    painter.setPen(QColor("#16181b"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
    painter.setPen(QColor("#ffffff"))
    place = QRectF(8 + height + 8, top, width, height)
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
    painter.restore()
