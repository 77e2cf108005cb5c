"""Rows of lists that paint themselves: all of one height, so that thousands need no measuring."""

from __future__ import annotations

from copy import copy

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from spotlab.gui.kit import theme
from spotlab.gui.kit.row_model import Index

ACCENT, HOVERED = 46, 120  # of 255: how strong the background is
STRIP = 3  # px at the left of the current row
SWATCH = 12

_Align = Qt.AlignmentFlag
_Role = QPalette.ColorRole


class RowDelegate(QStyledItemDelegate):
    """Paints rows of one height.

    A subclass sets `ROW` and implements `paint_row`, in most cases with a `RowPainter`::

        row = RowPainter(painter, option)
        row.background(current)
        row.swatch(label.colour)
        row.right(f"{count:,}", quiet=True)
        row.text(label.name, bold=current)
    """

    ROW = 30  # px

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """All alike."""
        return QSize(120, self.ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row, with smooth edges."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_row(painter, option, index)
        painter.restore()

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint what is in the row; the painter may be left in any state."""
        super().paint(painter, option, index)


class RowPainter:
    """Paints the parts of a row from its edges inwards: each part takes its room from the next.

    First the background, then what stands at the left, then what stands at the right, and last the
    text that fills the rest. For a row of two lines, `upper` and `lower` are painters of one each.

    Parameters
    ----------
    painter : QPainter
    option : QStyleOptionViewItem
    left, right, above, below : int
        Margins in px.

    Attributes
    ----------
    room : QRect
        What is left of the row.
    """

    def __init__(
        self, painter: QPainter, option: QStyleOptionViewItem,
        *, left: int = 12, right: int = 10, above: int = 0, below: int = 0,
    ) -> None:  # fmt: skip
        self.painter = painter
        self.palette: QPalette = option.palette
        self.rect: QRect = option.rect
        self.room = self.rect.adjusted(left, above, -right, -below)
        self.selected = bool(option.state & QStyle.StateFlag.State_Selected)
        self.hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._align = _Align.AlignVCenter

    @property
    def upper(self) -> RowPainter:
        """The upper line of what is left."""
        return self._line(_Align.AlignTop)

    @property
    def lower(self) -> RowPainter:
        """The lower line of what is left."""
        return self._line(_Align.AlignBottom)

    def background(self, current: bool) -> None:
        """The accent with a strip at the left for the current row, grey under the pointer."""
        if not current and not self.hovered:
            return
        colour = QColor(self.palette.color(_Role.Highlight if current else _Role.Midlight))
        colour.setAlpha(ACCENT if current else HOVERED)
        self.painter.fillRect(self.rect, colour)
        if current:
            strip = QRect(self.rect.left(), self.rect.top(), STRIP, self.rect.height())
            self.painter.fillRect(strip, self.palette.color(_Role.Highlight))

    def swatch(self, colour: str) -> None:
        """A square in the colour of what the row stands for."""
        place = QRectF(self.room.left(), self.room.center().y() - 5.5, SWATCH, SWATCH)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(colour))
        self.painter.drawRoundedRect(place, 3, 3)
        self.room.adjust(SWATCH + 6, 0, 0, 0)

    def icon(self, icon: QIcon | QPixmap, size: int, gap: int = 4) -> None:
        """An icon of so many px at the left."""
        low = self._align == _Align.AlignBottom
        top = self.room.bottom() - size - 1 if low else self.room.center().y() - size // 2
        QIcon(icon).paint(self.painter, QRect(self.room.left(), top, size, size))
        self.room.adjust(size + gap, 0, 0, 0)

    def pixmap(self, pixmap: QPixmap, width: int, height: int, gap: int = 6) -> None:
        """A picture of so many px at the left, in the middle of the line of text."""
        line = self.painter.fontMetrics().height()
        low = self._align == _Align.AlignBottom
        middle = self.room.bottom() - line // 2 if low else self.room.center().y()
        place = QRect(self.room.left(), middle - height // 2, width, height)
        self.painter.drawPixmap(place, pixmap)
        self.room.adjust(width + gap, 0, 0, 0)

    def right(
        self, text: str, *, quiet: bool = False, gap: int = 8, widest: int | None = None
    ) -> None:
        """A text at the right, elided at its left where it is wider than ``widest`` px."""
        metrics = self.painter.fontMetrics()
        if widest is not None:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideLeft, widest)
        self.write(self.room, text, _Align.AlignRight | self._align, quiet=quiet)
        self.room.adjust(0, 0, -metrics.horizontalAdvance(text) - gap, 0)

    def text(
        self,
        text: str,
        *,
        quiet: bool = False,
        bold: bool = False,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        """The text that fills what is left."""
        plain = self.painter.font()
        if bold:
            strong = QFont(plain)
            strong.setBold(True)
            self.painter.setFont(strong)
        shown = self.painter.fontMetrics().elidedText(text, elide, self.room.width())
        self.write(self.room, shown, _Align.AlignLeft | self._align, quiet=quiet)
        self.painter.setFont(plain)

    def write(self, place: QRect, text: str, align: _Align, *, quiet: bool = False) -> None:
        """A text in a place of its own."""
        palette = self.palette
        self.painter.setPen(theme.quiet(palette) if quiet else palette.color(_Role.Text))
        self.painter.drawText(place, align, text)

    def _line(self, align: _Align) -> RowPainter:
        line = copy(self)
        line.room = QRect(self.room)
        line._align = align
        return line


HINT = Qt.ItemDataRole.UserRole + 1
QUIET = Qt.ItemDataRole.UserRole + 2  # whether the row is dimmed: it cannot be used now

FAINT = 0.5  # of the icon of a dimmed row


class CommandDelegate(RowDelegate):
    """Rows of one height; the selected one stands on a rounded ground."""

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        icon = index.data(Qt.ItemDataRole.DecorationRole)
        has_icon = isinstance(icon, QIcon | QPixmap)
        row = RowPainter(painter, option, left=8 if has_icon else 12)
        if row.selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(row.palette.color(QPalette.ColorRole.Midlight))
            painter.drawRoundedRect(row.rect.adjusted(0, 1, 0, -1), 5, 5)
        quiet = bool(index.data(QUIET))
        if has_icon:
            painter.setOpacity(FAINT if quiet else 1)
            row.icon(icon, 17, gap=9)
            painter.setOpacity(1)
        row.right(index.data(HINT) or "", quiet=True, gap=16, widest=row.rect.width() // 2)
        row.text(index.data(), quiet=quiet)
