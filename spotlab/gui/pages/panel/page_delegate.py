"""Paints a row of the page list: picture, name, what is known, state."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from spotlab.gui.kit import icons, paper, theme
from spotlab.gui.kit.row_delegate import RowDelegate
from spotlab.gui.kit.row_model import Index
from spotlab.gui.kit.theme import PROPOSED
from spotlab.gui.pages.panel.page_model import PAGE_ROLE, PageModel
from spotlab.model import PageState

PICTURE = 44
GAP = 9

STATE_ICONS = {
    PageState.UNTOUCHED: "checkbox-blank-outline",
    PageState.DRAFT: "circle-half-full",
    PageState.CHECKED: "check-bold",
    PageState.UNCERTAIN: "help-circle-outline",
}


class PageDelegate(RowDelegate):
    """Rows of one height, so that ten thousand of them need no measuring."""

    ROW = 58

    def __init__(self, model: PageModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        page = index.data(PAGE_ROLE)
        palette: QPalette = option.palette
        rect: QRect = option.rect
        chosen = page == self._model.workbench.index
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if chosen or hovered:
            self._paint_background(painter, rect, palette, chosen)
        picture = QRect(rect.left() + GAP, rect.top() + (self.ROW - PICTURE) // 2, PICTURE, PICTURE)
        self._paint_picture(painter, picture, page, palette)
        self._paint_state(painter, rect, page, palette)
        taken = self._paint_proposals(painter, rect, self._model.proposals(page))
        text = rect.adjusted(PICTURE + 2 * GAP, 10, -34, -10)
        metrics = painter.fontMetrics()
        room = text.width() - taken
        name = metrics.elidedText(index.data(), Qt.TextElideMode.ElideMiddle, room)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        painter.drawText(text, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, name)
        remark = metrics.elidedText(
            self._model.remark(page), Qt.TextElideMode.ElideRight, text.width()
        )
        painter.setPen(theme.quiet(palette))
        painter.drawText(text, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, remark)

    def _paint_background(
        self, painter: QPainter, rect: QRect, palette: QPalette, chosen: bool
    ) -> None:
        if chosen:
            accent = palette.color(QPalette.ColorRole.Highlight)
            faint = QColor(accent)
            faint.setAlpha(46)
            painter.fillRect(rect, faint)
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), accent)
        else:
            hovered = QColor(palette.color(QPalette.ColorRole.Midlight))
            hovered.setAlpha(120)
            painter.fillRect(rect, hovered)

    def _paint_picture(self, painter: QPainter, place: QRect, page: int, palette: QPalette) -> None:
        pixmap = self._model.thumbnail(page)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        line = palette.color(QPalette.ColorRole.Mid)
        if pixmap is None:
            painter.setPen(line)
            painter.drawRect(place.adjusted(4, 4, -5, -5))
            if self._model.problem(page):
                mark = icons.pixmap("image-off-outline", 18, theme.quiet(palette).name())
                painter.drawPixmap(place.center().x() - 9, place.center().y() - 9, mark)
            return
        size = pixmap.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
        shown = QRect(place.topLeft(), size)
        shown.moveCenter(place.center())
        painter.drawPixmap(shown, pixmap)
        paper.shade(painter, shown)
        painter.setPen(line)
        painter.drawRect(shown.adjusted(0, 0, -1, -1))

    def _paint_proposals(self, painter: QPainter, rect: QRect, count: int) -> int:
        """How many proposals there are, beside the name; gives the width that this takes."""
        if not count:
            return 0
        text = f"{count:,}"
        width = painter.fontMetrics().horizontalAdvance(text) + 12
        place = QRect(rect.right() - 34 - width, rect.top() + 9, width, 18)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(PROPOSED))
        painter.drawRoundedRect(place, 9, 9)
        painter.setPen(QColor("#ffffff"))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        return width + GAP

    def _paint_state(self, painter: QPainter, rect: QRect, page: int, palette: QPalette) -> None:
        known = self._model.workbench.collection.summary(page)
        if self._model.problem(page):
            name, colour = "alert-circle-outline", "#D55E00"
        elif known is None or known.state is None:
            return
        else:
            name = STATE_ICONS[known.state]
            colour = "#009E73" if known.state is PageState.CHECKED else theme.quiet(palette).name()
        mark = icons.pixmap(name, 16, colour)
        painter.drawPixmap(rect.right() - 16 - GAP, rect.center().y() - 8, mark)
