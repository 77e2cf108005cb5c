"""Paints one cell: a word, framed by what it is, its mark, its rank and its score."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPalette, QPen, QPixmap

from spotlab.gui import theme
from spotlab.gui.words_view.geometry import CAPTION, CORNER, PAD
from spotlab.report.figure_text import written

RELEVANT, IRRELEVANT = QColor("#009E73"), QColor("#D55E00")
UNKNOWN = QColor("#8b95a0")
FAINT = 0.38  # opacity of what is purged
FRAME, RING = 2.0, 2.0  # px

_CHECK = [(0.24, 0.54), (0.43, 0.72), (0.77, 0.3)]
_CROSS = [[(0.29, 0.29), (0.71, 0.71)], [(0.71, 0.29), (0.29, 0.71)]]


@dataclass(frozen=True)
class Cell:
    """What is said of one word in one list.

    Attributes
    ----------
    picture : QPixmap or None
        None while it has not come, or where there is none.
    waiting : bool
        Whether the picture may still come.
    words : str
        Instead of a picture.
    relevance, judged : int
        1 relevant, 0 not, -1 not known, not judged.
    rank : int
        From 1.
    climbed : int or None
        By how many ranks it is better than in the column before; None where that lacks it.
    """

    picture: QPixmap | None
    waiting: bool
    words: str
    relevance: int
    judged: int
    rank: int
    score: float
    climbed: int | None
    purged: bool
    chosen: bool
    selected: bool
    current: bool
    hovered: bool


class CellPainter:
    """Holds pens and fonts for all the cells of a frame.

    Parameters
    ----------
    painter : QPainter
    palette : QPalette
        Of the theme.
    font : QFont
        Of the window.
    focused : bool
        Whether keys go to the cells.
    """

    def __init__(self, painter: QPainter, palette: QPalette, font: QFont, focused: bool) -> None:
        colours = theme.colours(palette)
        self._painter = painter
        self._text, self._quiet = QColor(colours.text), QColor(colours.quiet)
        self._base, self._raised = QColor(colours.base), QColor(colours.raised)
        self._accent = QColor(colours.accent)
        self._tint = QColor(self._accent)
        self._tint.setAlpha(56)
        self._focused = focused
        small = QFont(font)
        small.setPointSizeF(font.pointSizeF() * 0.86)
        painter.setFont(small)

    def paint(self, cell: Cell, place: QRectF) -> None:
        """Paint a cell at its place; ``place`` is frame and caption."""
        painter = self._painter
        frame = place.adjusted(0, 0, 0, -CAPTION)
        if cell.selected or cell.chosen:
            painter.fillRect(place.adjusted(-4, -4, 4, 2), self._tint)
        painter.setOpacity(FAINT if cell.purged else 1.0)
        painter.fillRect(frame, self._raised if cell.hovered else self._base)
        self._paint_picture(cell, frame)
        colour = colour_of(cell.relevance)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(colour, FRAME)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.drawRect(frame.adjusted(1, 1, -1, -1))
        corner = QRectF(frame.right() - CORNER, frame.top(), CORNER, CORNER)
        self._paint_mark(cell, corner, colour)
        self._paint_caption(cell, QRectF(frame.left(), frame.bottom(), frame.width(), CAPTION))
        painter.setOpacity(1.0)
        if cell.current:
            pen = QPen(self._accent if self._focused else self._quiet, RING)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(place.adjusted(-4, -4, 4, 2))

    def _paint_picture(self, cell: Cell, frame: QRectF) -> None:
        painter = self._painter
        inside = frame.adjusted(PAD, PAD, -PAD, -PAD)
        if cell.picture is not None:
            ratio = cell.picture.devicePixelRatio()
            width, height = cell.picture.width() / ratio, cell.picture.height() / ratio
            scale = min(inside.width() / width, inside.height() / height)
            if 0.97 < scale < 1.03 or (scale > 1 and height >= inside.height() - 1):
                scale = 1.0  # made for this size: dot by dot
            width, height = width * scale, height * scale
            left = round(inside.center().x() - width / 2)
            top = round(inside.center().y() - height / 2)
            whole = QRectF(0, 0, cell.picture.width(), cell.picture.height())
            painter.drawPixmap(QRectF(left, top, width, height), cell.picture, whole)
        elif not cell.waiting:
            painter.setPen(self._quiet)
            said = painter.fontMetrics().elidedText(
                cell.words, Qt.TextElideMode.ElideMiddle, int(inside.width())
            )
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, said)

    def _paint_mark(self, cell: Cell, corner: QRectF, colour: QColor) -> None:
        """A filled corner is the user's word, a hollow one the truth's."""
        if cell.relevance < 0 and not cell.hovered:
            return
        painter = self._painter
        judged = cell.judged >= 0
        painter.fillRect(corner, colour)
        if not judged:
            painter.fillRect(corner.adjusted(FRAME, FRAME, -FRAME, -FRAME), self._base)
        if cell.relevance < 0:
            return
        pen = QPen(QColor("#ffffff") if judged else colour, 2.0)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        for line in [_CHECK] if cell.relevance else _CROSS:
            points = [
                QPointF(corner.left() + x * corner.width(), corner.top() + y * corner.height())
                for x, y in line
            ]
            painter.drawPolyline(points)

    def _paint_caption(self, cell: Cell, line: QRectF) -> None:
        painter = self._painter
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self._text)
        painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, written(cell.score))
        painter.setPen(self._quiet)
        said = f"{cell.rank:,}"
        if cell.climbed:
            said += f"  {'↑' if cell.climbed > 0 else '↓'}{abs(cell.climbed):,}"
        painter.drawText(line, middle | Qt.AlignmentFlag.AlignLeft, said)


def colour_of(relevance: int) -> QColor:
    """Green, red or neither."""
    return {1: RELEVANT, 0: IRRELEVANT}.get(relevance, UNKNOWN)
