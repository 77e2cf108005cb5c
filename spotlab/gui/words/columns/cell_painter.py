"""Paints one cell: a word, framed by what it is, its mark, its rank and its score."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPalette, QPen, QPixmap

from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.shades import mixed
from spotlab.gui.words.columns.geometry import CAPTION, CORNER, PAD
from spotlab.report.figure_text import written

RELEVANT, IRRELEVANT = QColor("#009E73"), QColor("#D55E00")
UNKNOWN = QColor("#8b95a0")
FAINT = 0.38  # opacity of what is purged
TINT = 0.22  # of the accent, around what is selected
FRAME, RING = 2.0, 2.0  # px
EDGE = 5.0  # px around a cell, for the ring; less than half of what is between two cells

_CHECK = [(0.24, 0.54), (0.43, 0.72), (0.77, 0.3)]
_CROSS = [[(0.29, 0.29), (0.71, 0.71)], [(0.71, 0.29), (0.29, 0.71)]]


class Cell(NamedTuple):
    """What is said of one word in one list: two that are equal look the same.

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
    current, focused : bool
        Whether it is the current one, and keys go to it.
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
    focused: bool
    hovered: bool


class CellPainter:
    """Holds colours and the font for all cells.

    Parameters
    ----------
    palette : QPalette
        Of the theme.
    font : QFont
        Of the window.
    """

    def __init__(self, palette: QPalette, font: QFont) -> None:
        colours = theme.colours(palette)
        self._behind = QColor(colours.window)
        self._text, self._quiet = QColor(colours.text), QColor(colours.quiet)
        self._base, self._raised = QColor(colours.base), QColor(colours.raised)
        self._accent = QColor(colours.accent)
        self._tint = QColor(mixed(colours.accent, colours.window, TINT))
        self._font = QFont(font)
        self._font.setPointSizeF(font.pointSizeF() * 0.86)

    def paint(self, cell: Cell, width: float, height: float, ratio: float) -> QPixmap:
        """A cell with `EDGE` around it; ``width`` and ``height`` are its frame's and caption's.

        The picture's dots are those of the screen, of which there are ``ratio`` a px.
        """
        dots = (round((size + 2 * EDGE) * ratio) for size in (width, height))
        painted = QPixmap(*dots)
        painted.setDevicePixelRatio(ratio)
        painted.fill(self._behind)
        with QPainter(painted) as painter:
            painter.setFont(self._font)
            self._paint(painter, cell, QRectF(EDGE, EDGE, width, height))
        painted.setDevicePixelRatio(1.0)
        return painted

    def _paint(self, painter: QPainter, cell: Cell, place: QRectF) -> None:
        frame = place.adjusted(0, 0, 0, -CAPTION)
        if cell.selected or cell.chosen:
            painter.fillRect(place.adjusted(-4, -4, 4, 2), self._tint)
        painter.fillRect(frame, self._raised if cell.hovered else self._base)
        self._paint_picture(painter, cell, frame)
        colour = colour_of(cell.relevance)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(colour, FRAME)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.drawRect(frame.adjusted(1, 1, -1, -1))
        corner = QRectF(frame.right() - CORNER, frame.top(), CORNER, CORNER)
        self._paint_mark(painter, cell, corner, colour)
        caption = QRectF(frame.left(), frame.bottom(), frame.width(), CAPTION)
        self._paint_caption(painter, cell, caption)
        if cell.purged:  # a veil at the end: text of some opacity takes five times as long
            veil = QColor(self._tint if cell.selected or cell.chosen else self._behind)
            veil.setAlphaF(1 - FAINT)
            painter.fillRect(place, veil)
        if cell.current:
            pen = QPen(self._accent if cell.focused else self._quiet, RING)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(place.adjusted(-4, -4, 4, 2))

    def _paint_picture(self, painter: QPainter, cell: Cell, frame: QRectF) -> None:
        inside = frame.adjusted(PAD, PAD, -PAD, -PAD)
        if cell.picture is not None:
            ratio = painter.device().devicePixelRatioF()
            dots = cell.picture.deviceIndependentSize()
            width, height = dots.width(), dots.height()
            scale = min(inside.width() / width, inside.height() / height)
            if 0.97 < scale < 1.03 or (scale > 1 and height >= inside.height() - 1):
                scale = 1.0  # made for this size: dot by dot
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale != 1.0)
            width, height = width * scale, height * scale
            left = round((inside.center().x() - width / 2) * ratio) / ratio
            top = round((inside.center().y() - height / 2) * ratio) / ratio
            whole = QRectF(0, 0, cell.picture.width(), cell.picture.height())
            painter.drawPixmap(QRectF(left, top, width, height), cell.picture, whole)
        elif not cell.waiting:
            painter.setPen(self._quiet)
            said = painter.fontMetrics().elidedText(
                cell.words, Qt.TextElideMode.ElideMiddle, int(inside.width())
            )
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, said)

    def _paint_mark(self, painter: QPainter, cell: Cell, corner: QRectF, colour: QColor) -> None:
        """A filled corner is the user's word, a hollow one the truth's."""
        if cell.relevance < 0 and not cell.hovered:
            return
        judged = cell.judged >= 0
        painter.fillRect(corner, colour)
        if not judged:
            painter.fillRect(corner.adjusted(FRAME, FRAME, -FRAME, -FRAME), self._base)
        if cell.relevance < 0:
            return
        pen = QPen(QColor("#ffffff") if judged else colour, 2.0)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in [_CHECK] if cell.relevance else _CROSS:
            points = [
                QPointF(corner.left() + x * corner.width(), corner.top() + y * corner.height())
                for x, y in line
            ]
            painter.drawPolyline(points)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_caption(self, painter: QPainter, cell: Cell, line: QRectF) -> None:
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
