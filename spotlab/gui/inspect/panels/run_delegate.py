"""Paints rows of the list of runs, and of the list of queries."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from spotlab.gui.inspect.panels.run_model import QueryRow, RunModel
from spotlab.gui.kit import icons, theme
from spotlab.gui.kit.row_delegate import RowDelegate
from spotlab.gui.kit.row_model import ROW_ROLE, Index
from spotlab.report.figure_text import written
from spotlab.studies.areas.inspected_run import InspectedRun

BOX = 16
LEFT = 12
RIGHT = 10
FIGURE = 44  # px, of a figure's column
COUNT = 40
WARNING = "#E69F00"

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
        rect: QRect = option.rect
        palette: QPalette = option.palette
        current = index.row() == self._model.inspection.runs.current_index
        paint_background(painter, option, current)
        paint_box(painter, box_place(rect), run.colour, run.shown, palette)
        text = rect.adjusted(LEFT + BOX + 10, 6, -RIGHT, -6)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        painter.drawText(text, _Align.AlignRight | _Align.AlignTop, self._model.value(run))
        painter.setPen(theme.quiet(palette))
        painter.drawText(text, _Align.AlignRight | _Align.AlignBottom, self._model.figure.title)
        taken = painter.fontMetrics().horizontalAdvance(self._model.figure.title)
        lower = text.adjusted(0, 0, -taken - 8, 0)
        if run.has_problems:
            mark = icons.pixmap("alert", 14, WARNING)
            painter.drawPixmap(lower.left(), lower.bottom() - 15, mark)
            lower.adjust(18, 0, 0, 0)
        count = len(run.run)
        spots = f"{count:,} spot{'s' * (count != 1)}"
        painter.drawText(lower, _Align.AlignLeft | _Align.AlignBottom, spots)
        font = painter.font()
        font.setBold(current)
        painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        upper = text.adjusted(0, 0, -FIGURE - 4, 0)
        name = painter.fontMetrics().elidedText(
            run.name, Qt.TextElideMode.ElideMiddle, upper.width()
        )
        painter.drawText(upper, _Align.AlignLeft | _Align.AlignTop, name)

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


class QueryDelegate(RowDelegate):
    """Colour of the label, name, symbols, spots, F."""

    ROW = 27

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.widths = {"symbols": COUNT, "spots": COUNT, "f": COUNT}

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        row: QueryRow = index.data(ROW_ROLE)
        rect: QRect = option.rect
        palette: QPalette = option.palette
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_background(painter, option, chosen)
        middle = rect.center().y()
        swatch = QRectF(rect.left() + LEFT, middle - 5.5, 12, 12)
        if row.colour:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(row.colour))
            painter.drawRoundedRect(swatch, 3, 3)
        columns = query_columns(rect, self.widths)
        text, quiet = palette.color(QPalette.ColorRole.Text), theme.quiet(palette)
        right = _Align.AlignRight | _Align.AlignVCenter
        painter.setPen(quiet)
        painter.drawText(columns["symbols"], right, f"{row.symbols:,}")
        painter.drawText(columns["spots"], right, f"{row.spots:,}")
        painter.setPen(text)
        painter.drawText(columns["f"], right, written(row.figure))
        font = painter.font()
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(text if row.symbols and row.in_run else quiet)
        name = columns["name"]
        if not row.colour:
            name.setLeft(int(swatch.left()))  # "All queries" has no swatch, but a long name
        title = painter.fontMetrics().elidedText(
            row.title, Qt.TextElideMode.ElideRight, name.width()
        )
        painter.drawText(name, _Align.AlignLeft | _Align.AlignVCenter, title)


def query_columns(rect: QRect, widths: Mapping[str, int]) -> dict[str, QRect]:
    """Where a row's name and figures stand; the head of the list stands over them."""
    right = rect.right() - RIGHT
    places = {}
    for name in ("f", "spots", "symbols"):
        places[name] = QRect(right - widths[name], rect.top(), widths[name], rect.height())
        right -= widths[name]
    left = rect.left() + LEFT + 18
    places["name"] = QRect(left, rect.top(), right - left - 2, rect.height())
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


def paint_background(painter: QPainter, option: QStyleOptionViewItem, current: bool) -> None:
    """The accent for the current row, grey under the pointer."""
    hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    if not current and not hovered:
        return
    role = QPalette.ColorRole.Highlight if current else QPalette.ColorRole.Midlight
    colour = QColor(option.palette.color(role))
    colour.setAlpha(46 if current else 120)
    painter.fillRect(option.rect, colour)
    if current:
        accent = option.palette.color(QPalette.ColorRole.Highlight)
        painter.fillRect(
            QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), accent
        )
