"""Paints rows of the list of runs, and of the list of queries."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyleOptionViewItem

from spotlab.gui.inspect.panels.run_model import RunModel, RunQueryRow
from spotlab.gui.kit import icons
from spotlab.gui.kit.plots.line_sample import HEIGHT, WIDTH, line_sample
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.kit.row_delegate import RowDelegate, RowPainter
from spotlab.gui.kit.row_model import ROW_ROLE, Index
from spotlab.report.figure_text import short_count, written
from spotlab.studies.evaluate.inspected_run import InspectedRun

BOX = 16
LEFT = 12
RIGHT = 10
NAME = 120  # px that the name of a query keeps
COUNT = 40
WARNING = "#E69F00"
NO_COLOUR = "#808080"

_Align = Qt.AlignmentFlag


class RunDelegate(RowDelegate):
    """Colour and check box are one; the run that the canvas shows is marked."""

    ROW = 46

    def __init__(self, model: RunModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._took_click = False

    def took_click(self) -> bool:
        """Whether the last click was on a box, and so not on the row; asking forgets it."""
        took, self._took_click = self._took_click, False
        return took

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        run: InspectedRun = index.data(ROW_ROLE)
        current = index.row() == self._model.inspection.runs.current_index
        row = RowPainter(painter, option, left=LEFT + BOX + 10, right=RIGHT, above=6, below=6)
        row.background(current)
        behind = row.palette.color(QPalette.ColorRole.Base).name()
        colour = readable(run.colour or NO_COLOUR, behind)
        paint_box(painter, box_place(row.rect), colour, run.shown, row.palette)
        upper, lower = row.upper, row.lower
        upper.right(self._model.value(run))
        lower.right(self._model.title(run), quiet=True)
        if run.has_problems:
            lower.icon(icons.pixmap("alert", 14, WARNING), 14)
        lower.pixmap(line_sample(colour, run.dash), WIDTH, HEIGHT)
        lower.text(f"{self._model.spots(run)}{reading_note(run)}", quiet=True)
        upper.text(run.name, bold=current, elide=Qt.TextElideMode.ElideMiddle)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """A click on the box shows the run in the plots or hides it."""
        if not isinstance(event, QMouseEvent) or event.button() is not Qt.MouseButton.LeftButton:
            return False
        if not box_place(option.rect).adjusted(-6, -8, 6, 8).contains(event.position()):
            return False
        if event.type() == QEvent.Type.MouseButtonRelease:
            run: InspectedRun = index.data(ROW_ROLE)
            state = Qt.CheckState.Unchecked if run.shown else Qt.CheckState.Checked
            self._took_click = True
            model.setData(index, state, Qt.ItemDataRole.CheckStateRole)
        return True


class RunQueryDelegate(RowDelegate):
    """Colour of the label, name, symbols, spots, F."""

    ROW = 27

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.widths = {"symbols": COUNT, "spots": COUNT, "f": COUNT}

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        query: RunQueryRow = index.data(ROW_ROLE)
        row = RowPainter(painter, option, left=LEFT, right=RIGHT)
        row.background(row.selected)
        if query.colour:  # "All queries" has none, but a long name
            row.swatch(query.colour)
        columns, right = query_columns(row.rect, self.widths), _Align.AlignRight
        figures = {"symbols": query.symbols, "spots": query.kept}
        for name, count in figures.items():
            if name in columns:
                place = columns[name]
                row.write(place, short_count(count), right | _Align.AlignVCenter, quiet=True)
        row.write(columns["f"], written(query.figure), right | _Align.AlignVCenter)
        row.room.setRight(min(place.left() for place in columns.values()) - 3)
        elide = Qt.TextElideMode.ElideMiddle  # many names begin alike
        if query.name is None:
            elide = Qt.TextElideMode.ElideRight
        quiet = not (query.symbols and query.in_run)
        row.text(query.title, bold=row.selected, quiet=quiet, elide=elide)


def reading_note(run: InspectedRun) -> str:
    """How many spots came and went when the file was read last; empty if it was not read again."""
    if not run.changes:
        return ""
    last = run.changes[-1].whole
    return f" · +{last.added:,} −{last.removed:,}"


def query_columns(rect: QRect, widths: Mapping[str, int]) -> dict[str, QRect]:
    """Return where a row's figures stand, and the heads over them.

    Counts give way to the names of queries where there is little width.
    """
    right = rect.right() - RIGHT
    places: dict[str, QRect] = {}
    for name in ("f", "symbols", "spots"):
        if places and right - widths[name] - rect.left() < NAME:
            break
        places[name] = QRect(right - widths[name], rect.top(), widths[name], rect.height())
        right -= widths[name]
    return places


def box_place(rect: QRect) -> QRectF:
    """Where a run's box is."""
    return QRectF(rect.left() + LEFT, rect.center().y() - BOX / 2, BOX, BOX)


def paint_box(
    painter: QPainter, place: QRectF, colour: str, checked: bool, palette: QPalette
) -> None:
    """A check box in the run's colour."""
    painter.setPen(QPen(QColor(colour), 1.6))
    painter.setBrush(QColor(colour) if checked else palette.color(QPalette.ColorRole.Base))
    painter.drawRoundedRect(place, 4, 4)
    if checked:
        light = QColor(colour).lightness() > 110
        painter.setPen(QPen(QColor("#101316" if light else "#ffffff"), 1.8))
        left, top = place.left(), place.top()
        painter.drawPolyline(
            [QPointF(left + 3.8, top + 8.4), QPointF(left + 6.8, top + 11.4),
             QPointF(left + 12.4, top + 4.8)]
        )  # fmt: skip
