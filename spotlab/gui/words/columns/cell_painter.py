"""Paints one cell: a word, framed by what it is, its mark, its rank and its score."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPalette, QPen, QPixmap

from spotlab.gui.kit import paper, theme
from spotlab.gui.kit.plots.shades import mixed
from spotlab.gui.words.columns.geometry import CAPTION, CORNER, PAD
from spotlab.report.figure_text import written

RELEVANT, IRRELEVANT = QColor("#009E73"), QColor("#D55E00")
UNKNOWN = QColor("#8b95a0")
FAINT = 0.38  # opacity of what is purged
TINT = 0.22  # of the accent, around what is selected
FRAME, RING = 2.0, 2.0  # px
EDGE = 5.0  # px around a cell, for the ring; less than half of what is between two cells

_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_CHECK = [(0.24, 0.54), (0.43, 0.72), (0.77, 0.3)]
_CROSS = [[(0.29, 0.29), (0.71, 0.71)], [(0.71, 0.29), (0.29, 0.71)]]


class WordCell(NamedTuple):
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
    """Holds what many cells have in common: colours, the font and painted grounds.

    Parameters
    ----------
    palette : QPalette
        Of the theme.
    font : QFont
        Of the window.
    width, height : float
        px of a cell: its frame and its caption.
    ratio : float
        Dots of the screen a px.
    """

    def __init__(
        self, palette: QPalette, font: QFont, width: float, height: float, ratio: float
    ) -> None:
        colours = theme.colours(palette)
        self._behind = QColor(colours.window)
        self._text, self._quiet = QColor(colours.text), QColor(colours.quiet)
        self._base, self._raised = QColor(colours.base), QColor(colours.raised)
        self._accent = QColor(colours.accent)
        self._tint = QColor(mixed(colours.accent, colours.window, TINT))
        self._veils = _veil(self._behind), _veil(self._tint)
        self.font = QFont(font)
        self.font.setPointSizeF(font.pointSizeF() * 0.86)
        self._width, self._height, self._ratio = width, height, ratio
        self._grounds: dict[tuple[bool, bool, int], QPixmap] = {}
        self._marks: dict[tuple[int, bool], QPixmap] = {}

    def paint(self, painter: QPainter, cell: WordCell, left: float, top: float) -> None:
        """Paint a cell, with `EDGE` around it, where its frame begins.

        It is painted on the spot: while a cut is dragged nearly every cell is a new one.

        Parameters
        ----------
        painter : QPainter
            With `font`; smooth pictures and lines are turned on and off.
        cell : Cell
        left, top : float
            px; moved to the nearest dot of the screen.
        """
        left, top = (round(each * self._ratio) / self._ratio for each in (left, top))
        place = QRectF(left, top, self._width, self._height)
        painter.drawPixmap(QPointF(left - EDGE, top - EDGE), self._ground(cell))
        self._paint_picture(painter, cell, place.adjusted(0, 0, 0, -CAPTION))
        if cell.relevance >= 0 or cell.hovered:
            corner = QPointF(left + self._width - CORNER, top)
            painter.drawPixmap(corner, self._mark(cell))
        self._paint_caption(
            painter, cell, QRectF(left, top + self._height - CAPTION, self._width, CAPTION)
        )
        if cell.purged:  # a veil at the end: text of some opacity takes five times as long
            painter.fillRect(place, self._veils[cell.selected or cell.chosen])
        if cell.current:
            pen = QPen(self._accent if cell.focused else self._quiet, RING)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(place.adjusted(-4, -4, 4, 2))

    def _ground(self, cell: WordCell) -> QPixmap:
        """What many cells have in common: the frame and what lies in and around it."""
        tinted = cell.selected or cell.chosen
        key = tinted, cell.hovered, cell.relevance
        if key not in self._grounds:
            place = QRectF(EDGE, EDGE, self._width, self._height)
            ground = self._empty(self._width + 2 * EDGE, self._height + 2 * EDGE, self._behind)
            with QPainter(ground) as painter:
                frame = place.adjusted(0, 0, 0, -CAPTION)
                if tinted:
                    painter.fillRect(place.adjusted(-4, -4, 4, 2), self._tint)
                painter.fillRect(frame, self._raised if cell.hovered else self._base)
                pen = QPen(colour_of(cell.relevance), FRAME)
                pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
                painter.setPen(pen)
                painter.drawRect(frame.adjusted(1, 1, -1, -1))
            self._grounds[key] = ground
        return self._grounds[key]

    def _empty(self, width: float, height: float, colour: QColor) -> QPixmap:
        empty = QPixmap(round(width * self._ratio), round(height * self._ratio))
        empty.setDevicePixelRatio(self._ratio)
        empty.fill(colour)
        return empty

    def _paint_picture(self, painter: QPainter, cell: WordCell, frame: QRectF) -> None:
        inside = frame.adjusted(PAD, PAD, -PAD, -PAD)
        if cell.picture is not None:
            ratio = self._ratio
            dots = cell.picture.deviceIndependentSize()
            width, height = dots.width(), dots.height()
            scale = min(inside.width() / width, inside.height() / height)
            if 0.97 < scale < 1.03 or (scale > 1 and height >= inside.height() - 1):
                scale = 1.0  # made for this size: dot by dot
            width, height = width * scale, height * scale
            left = round((inside.center().x() - width / 2) * ratio) / ratio
            top = round((inside.center().y() - height / 2) * ratio) / ratio
            if scale == 1.0:
                painter.drawPixmap(QPointF(left, top), cell.picture)
                paper.shade(painter, QRectF(left, top, width, height))
                return
            whole = QRectF(0, 0, cell.picture.width(), cell.picture.height())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(QRectF(left, top, width, height), cell.picture, whole)
            paper.shade(painter, QRectF(left, top, width, height))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        elif not cell.waiting:
            painter.setPen(self._quiet)
            said = painter.fontMetrics().elidedText(
                cell.words, Qt.TextElideMode.ElideMiddle, int(inside.width())
            )
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, said)

    def _mark(self, cell: WordCell) -> QPixmap:
        """The corner of a cell: filled it is the user's word, hollow the truth's."""
        key = cell.relevance, cell.judged >= 0
        if key not in self._marks:
            mark = self._empty(CORNER, CORNER, self._base)
            with QPainter(mark) as painter:
                self._paint_mark(painter, *key, QRectF(0, 0, CORNER, CORNER))
            self._marks[key] = mark
        return self._marks[key]

    def _paint_mark(self, painter: QPainter, relevance: int, judged: bool, corner: QRectF) -> None:
        colour = colour_of(relevance)
        painter.fillRect(corner, colour)
        if not judged:
            painter.fillRect(corner.adjusted(FRAME, FRAME, -FRAME, -FRAME), self._base)
        if relevance < 0:
            return
        pen = QPen(QColor("#ffffff") if judged else colour, 2.0)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in [_CHECK] if relevance else _CROSS:
            points = [
                QPointF(corner.left() + x * corner.width(), corner.top() + y * corner.height())
                for x, y in line
            ]
            painter.drawPolyline(points)

    def _paint_caption(self, painter: QPainter, cell: WordCell, line: QRectF) -> None:
        painter.setPen(self._text)
        painter.drawText(line, _RIGHT, written(cell.score))
        painter.setPen(self._quiet)
        said = f"{cell.rank:,}"
        if cell.climbed:
            said += f"  {'↑' if cell.climbed > 0 else '↓'}{abs(cell.climbed):,}"
        painter.drawText(line, _LEFT, said)


def _veil(colour: QColor) -> QColor:
    """Over what is purged."""
    veil = QColor(colour)
    veil.setAlphaF(1 - FAINT)
    return veil


def colour_of(relevance: int) -> QColor:
    """Green, red or neither."""
    return {1: RELEVANT, 0: IRRELEVANT}.get(relevance, UNKNOWN)
