"""Paints what only A found, only B, both and neither over the page, and names the run shown."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Layer
from spotlab.gui.canvas.view import CHOSEN, ViewTransform
from spotlab.gui.inspect.layer import InspectLayer, PaintedOverlay, chip, ring
from spotlab.gui.inspect.legend import (
    ROW,
    LegendControls,
    LegendRow,
    LegendTable,
    area_mark,
    paint_sheet,
    paint_words,
    word_width,
)
from spotlab.gui.inspect.state.comparison import ComparisonSide, ComparisonState, SecondRun
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.settings import LEGEND_FOLDED, OPACITY, Settings
from spotlab.gui.kit.text import rich
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.overlay import (
    COLOURS,
    COMPARED_STYLES,
    FALSE_KINDS,
    FIRST_COLOUR,
    SECOND_COLOUR,
    TRUTH_KINDS,
    TRUTH_LINE,
    AreaKind,
    ComparedAreas,
    ComparedKind,
    OverlayRaster,
    compared_kinds,
    paint_areas,
    paint_outlines,
)
from spotlab.measures.cuts import CutRun
from spotlab.progress import Progress, silent
from spotlab.signal import Signal
from spotlab.studies.compare.comparison import compared_areas, painted_areas
from spotlab.studies.tally.page_view import SUM_OVER_QUERIES
from spotlab.studies.tally.tallying import truth_without_models

FEW = 80  # outlines that are measured while the window waits


class ComparedOnPage:
    """The truth and the kept spots of both runs on the open page, of the query looked at.

    Attributes
    ----------
    changed : Signal
        A thread has measured what is painted.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._inspection = workbench.state(Inspection)
        self._comparison = workbench.state(ComparisonState)
        self.changed = Signal[[]]()
        self._areas: tuple[object, ComparedAreas] | None = None
        self._measured: tuple[ComparedAreas, dict[ComparedKind, float]] | None = None
        self._task = Task(urgent=True)

    @property
    def busy(self) -> bool:
        """Tell whether a thread is measuring."""
        return self._task.busy

    def areas(self) -> ComparedAreas | None:
        """The outlines; None where no page is open or nothing is compared."""
        first, second = self._comparison.first, self._comparison.second
        entry, document = self._workbench.entry, self._workbench.document
        if first is None or second is None or entry is None or document is None:
            return None
        if first.figures is None or second.figures is None:
            return None
        inspection = self._inspection
        counts = [inspection.counts_of(run) for run in (first, second)]
        query, primitive = inspection.query, inspection.runs.primitive
        regions = document.truth.regions
        key = (
            first.figures, second.figures, *(each.tobytes() for each in counts),
            entry.name, query, primitive, regions,
        )  # fmt: skip
        if self._areas is None or self._areas[0] != key:
            one = CutRun(first.name, first.figures, counts[0])
            other = CutRun(second.name, second.figures, counts[1])
            models = self._comparison.models.get(entry.name, ())
            judged = truth_without_models(document.truth, models)
            areas = compared_areas(one, other, entry.name, judged, query, primitive)
            self._areas = key, areas
        return self._areas[1]

    def sums(self) -> dict[ComparedKind, float] | None:
        """The exact areas in px², each query by itself; None until the page is compared."""
        entry = self._workbench.entry
        compared = self._comparison.pages.get(entry.name) if entry is not None else None
        return None if compared is None else compared.sums(self._inspection.query)

    def painted(self) -> dict[ComparedKind, float] | None:
        """The exact areas in px² as they are painted; None while a thread measures them."""
        areas = self.areas()
        if areas is None:
            return None
        if self._measured is not None and self._measured[0] is areas:
            return self._measured[1]
        if len(areas.truth) + len(areas.first) + len(areas.second) <= FEW:
            self._measured = areas, painted_areas(areas)
            return self._measured[1]
        if not self._task.busy:  # else what is shown now is measured after that
            self._task.start(_measured, areas, done=lambda found: self._take(areas, found))
        return None

    def _take(self, areas: ComparedAreas, found: dict[ComparedKind, float]) -> None:
        self._measured = areas, found
        self.changed.emit()


def _measured(areas: ComparedAreas, progress: Progress) -> dict[ComparedKind, float]:
    progress(0, None, "measuring areas")
    return painted_areas(areas)


_CORNER = 14  # from the canvas' corner, screen px
_EDGE = 10  # px around what it says
_SLIDER = 26  # px of height
_FOLD = 20  # px, the side of the button
_MUCH = 0.12  # of the canvas, from which it begins folded
_PART = 0.6  # of the canvas' height that it may cover
SAME = 1e-6  # share up to which a sum over queries is the area as painted


class ComparisonLegend(QWidget):
    """The kinds of truth and of false area in px² with their shares; a slider for the opacity."""

    def __init__(
        self, canvas: QWidget, comparison: ComparisonState, on_page: ComparedOnPage,
        settings: Settings, opacity: float, set_opacity: Callable[[float], object],
    ) -> None:  # fmt: skip
        super().__init__(canvas)
        self._canvas = canvas
        self._comparison = comparison
        self._on_page = on_page
        self._settings = settings
        self._wanted = False
        self._table = LegendTable((), ())
        self._in_lines = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        controls = LegendControls(self, opacity, set_opacity, self._fold)
        self.slider, self.fold, self._show_folded = (
            controls.slider,
            controls.fold,
            controls.show_folded,
        )
        self.fold.setFixedSize(_FOLD, _FOLD)

    def texts(self) -> dict[ComparedKind, str]:
        """Return what is said of each kind."""
        rows = self._full_table().rows
        kinds = (*TRUTH_KINDS, *FALSE_KINDS)
        return {
            kind: " · ".join((row.name, *row.cells)) for kind, row in zip(kinds, rows, strict=True)
        }

    def follow(self, shown: bool) -> None:
        """Show it while differences are on the canvas."""
        self._wanted = shown
        self.place()

    def place(self) -> None:
        """Stay in the canvas' lower left corner; in a small canvas it has no figures."""
        if not self._wanted:
            self.hide()
            return
        full = self._full_table()
        words = LegendTable((), tuple(LegendRow(row.mark, row.name) for row in full.rows))
        folded = self._is_folded(full)
        fits = False
        for self._table, self._in_lines in ((full, False), (words, True))[folded:]:
            size = self.sizeHint()
            fits = (
                size.width() <= self._canvas.width() - 2 * _CORNER
                and size.height() <= _PART * self._canvas.height()
            )
            if fits:
                break
        self.setToolTip(self._explained())
        self.setVisible(fits)
        self.resize(self.sizeHint())
        self.move(_CORNER, self._canvas.height() - self.height() - _CORNER)
        self.slider.setVisible(not self._in_lines)
        left = self.width() - _FOLD - 4
        self.slider.move(left - self.slider.width() - 4, self.height() - _SLIDER)
        self.fold.move(left, 4 if self._in_lines else self.height() - _FOLD - 4)
        self._show_folded(bool(folded))
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the rows with the slider below them, or for lines of words."""
        if self._in_lines:
            lines = self._lines()
            wide = max(sum(map(self._width, line)) for line in lines)
            return QSize(round(wide) + 2 * _EDGE + _FOLD, len(lines) * ROW + 8)
        size = self._table.size(self.font())
        width = max(round(size.width()), self.slider.width() + _FOLD)
        return QSize(width + 2 * _EDGE, round(size.height()) + _SLIDER + 8)

    def _lines(self) -> list[list[LegendRow]]:
        """The rows side by side, truth first, in as many lines as the canvas needs."""
        room = self._canvas.width() - 2 * (_CORNER + _EDGE) - _FOLD
        lines: list[list[LegendRow]] = []
        for rows in (self._table.rows[: len(TRUTH_KINDS)], self._table.rows[len(TRUTH_KINDS) :]):
            lines.append([])
            for row in rows:
                if lines[-1] and sum(map(self._width, [*lines[-1], row])) > room:
                    lines.append([])
                lines[-1].append(row)
        return lines

    def _width(self, row: LegendRow) -> float:
        return word_width(row, self.font())

    def _fold(self) -> None:
        self._settings.set(LEGEND_FOLDED, not self._is_folded(self._full_table()))
        self.place()

    def _is_folded(self, full: LegendTable) -> bool:
        """As the user has chosen; else where the figures would cover much of the canvas."""
        chosen, size = self._settings.get(LEGEND_FOLDED), full.size(self.font())
        covers = size.width() * size.height() > _MUCH * self._canvas.width() * self._canvas.height()
        return bool(covers if chosen is None else chosen)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks, the words, and the figures."""
        colours = theme.colours(self.palette())
        with QPainter(self) as painter:
            paint_sheet(painter, self.rect(), colours)
            if not self._in_lines:
                self._table.paint(painter, _EDGE, 6, colours)
                return
            for number, line in enumerate(self._lines()):
                place = QRectF(_EDGE, 4 + ROW * number, self.width(), ROW)
                paint_words(painter, line, place, colours)

    def _full_table(self) -> LegendTable:
        """Figures of what is shown now; without them where they are not known yet."""
        painted, summed = self._on_page.painted(), self._on_page.sums()
        kinds = (*TRUTH_KINDS, *FALSE_KINDS)
        if painted is None:
            return LegendTable((), tuple(_row(kind) for kind in kinds))
        several = summed is not None and any(
            abs(summed[kind] - painted[kind]) > SAME * max(summed[kind], painted[kind])
            for kind in kinds
        )
        rows = []
        for of_kind in (TRUTH_KINDS, FALSE_KINDS):
            whole = sum(painted[kind] for kind in of_kind)
            for kind in of_kind:
                share = f"{100 * painted[kind] / whole:.1f} %" if whole > 0 else "–"
                cells = [f"{painted[kind]:,.0f} px²", share]
                if several and summed is not None:
                    cells.append(f"{summed[kind]:,.0f} px²")
                rows.append(_row(kind, *cells))
        head = ("as painted", "share", *([SUM_OVER_QUERIES] if several else []))
        return LegendTable(head, tuple(rows))

    def _explained(self) -> str:
        first, second = self._comparison.first, self._comparison.second
        names = ""
        if first and second:
            names = html.escape(f"A is {first.name}, B is {second.name}. ")
        lines = "<br>".join(map(html.escape, self.texts().values()))
        return rich(
            f"<p>{lines}</p><p>{names}Areas on this page as they are painted, each place once, "
            "exactly and in px²; shares are of all truth, and of all false area. A sum over "
            "queries counts a place once for each query that retrieves it or has it as truth.</p>"
        )


def _row(kind: ComparedKind, *cells: str) -> LegendRow:
    return LegendRow(area_mark(kind, COMPARED_STYLES), kind.words, cells)


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

    workspace = "inspect"
    hides_regions = True

    def __init__(self, canvas: Canvas, side: ComparisonSide | None = None) -> None:
        self._canvas = canvas
        self._side = side
        self._workbench = workbench = canvas.workbench
        inspection = workbench.state(Inspection)
        self._comparison = comparison = workbench.state(ComparisonState)
        self._on_page = ComparedOnPage(workbench)
        self._image = PaintedOverlay(canvas)
        self._opacity = workbench.settings.get(OPACITY)
        self.legend = ComparisonLegend(
            canvas, comparison, self._on_page, workbench.settings, self._opacity, self._set_opacity
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
        """Tell whether two runs are compared here."""
        return self._workbench.workspace == "inspect" and self._comparison.on

    @property
    def busy(self) -> bool:
        """Tell whether a thread is still painting or comparing."""
        return self._image.busy or (self.shown and (self._on_page.busy or self._comparison.busy))

    @property
    def differs(self) -> bool:
        """Tell whether the differences are shown, and not a single run."""
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
    pixels = paint_areas(compared_kinds(areas, sheet), sheet, opacity, COMPARED_STYLES)
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


def current_run(canvas: Canvas) -> InspectLayer:
    """The current run, unless the differences or run B are shown in its place."""
    comparison = canvas.workbench.state(ComparisonState)

    def shown() -> bool:
        return not comparison.on or comparison.side in (ComparisonSide.FIRST, ComparisonSide.BOTH)

    return _following(InspectLayer(canvas, canvas.workbench.state(Inspection), shown), comparison)


def second_run(canvas: Canvas) -> InspectLayer:
    """Run B, while the page shows it alone."""
    comparison = canvas.workbench.state(ComparisonState)

    def shown() -> bool:
        return comparison.on and comparison.side is ComparisonSide.SECOND

    return _following(InspectLayer(canvas, SecondRun(canvas.workbench), shown), comparison)


def _following(layer: InspectLayer, comparison: ComparisonState) -> InspectLayer:
    layer.follow_also(comparison.side_changed, comparison.changed)
    return layer
