"""Paints who moved where: curves between neighbouring columns, from an item to itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from spotlab.gui.words.columns.geometry import CAPTION, GUTTER, Geometry
from spotlab.gui.words.columns.placing import Placing

FAR = 40.0  # px out of sight: a curve that goes farther only has to point there
HEAD = 5.0  # px, of an arrow
STUB = 9.0  # px, of what leads nowhere

ColourOf = Callable[[int], QColor]


class Connectors:
    """Curves of one frame, gathered by colour and drawn at once.

    Parameters
    ----------
    geometry : Geometry
    placing : Placing
    """

    def __init__(self, geometry: Geometry, placing: Placing) -> None:
        self._geometry = geometry
        self._placing = placing

    def items_in_sight(self, column: int) -> list[int]:
        """The items of the cells that are in sight in a column or the next."""
        found: dict[int, None] = {}
        for each in (column, column + 1):
            rows = self._geometry.rows(each)
            found.update(dict.fromkeys(self._placing.items[each][rows.start : rows.stop].tolist()))
        return list(found)

    def paint_all(self, painter: QPainter, colour_of: ColourOf, opacity: float = 0.4) -> None:
        """Thin curves for every item in sight."""
        for column in self._gutters():
            self._paint(painter, column, self.items_in_sight(column), colour_of, 1.0, opacity)

    def paint_item(
        self, painter: QPainter, item: int, colour_of: ColourOf, width: float = 2.2
    ) -> None:
        """Strong arrows for one item, through all columns."""
        for column in self._gutters():
            self._paint(painter, column, [item], colour_of, width, 1.0)

    def _gutters(self) -> Iterable[int]:
        columns = self._geometry.columns()
        return range(max(columns.start - 1, 0), min(columns.stop, len(self._placing) - 1))

    def _paint(
        self,
        painter: QPainter,
        column: int,
        items: Iterable[int],
        colour_of: ColourOf,
        width: float,
        opacity: float,
    ) -> None:
        lines: dict[int, QPainterPath] = {}
        heads: dict[int, QPainterPath] = {}
        for item in items:
            colour = colour_of(item).rgb()
            self._add(
                lines.setdefault(colour, QPainterPath()),
                heads.setdefault(colour, QPainterPath()),
                column,
                item,
            )
        left = self._geometry.left(column) + self._geometry.cell_width
        painter.save()
        painter.setClipRect(QRectF(left, 0, GUTTER, self._geometry.height))
        painter.setOpacity(opacity)
        for rgb, path in lines.items():
            if path.isEmpty():
                continue
            pen = QPen(QColor(rgb), width)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setCosmetic(width <= 1)  # these are drawn as lines, which is ten times as fast
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
            painter.fillPath(heads[rgb], QColor(rgb))
        painter.restore()

    def _add(self, line: QPainterPath, head: QPainterPath, column: int, item: int) -> None:
        start, end = self._middle(column, item), self._middle(column + 1, item)
        if not self._may_be_seen(start, end):
            return
        left = self._geometry.left(column) + self._geometry.cell_width + 4
        right = left + GUTTER - 8
        if start is not None and end is not None:
            half = (left + right) / 2
            line.moveTo(left, start)
            line.cubicTo(QPointF(half, start), QPointF(half, end), QPointF(right - HEAD, end))
            head.addPolygon(_triangle(right, end))
        elif start is not None:  # the next list does not have it
            line.moveTo(left, start)
            line.lineTo(left + STUB, start)
            line.moveTo(left + STUB, start - 4)
            line.lineTo(left + STUB, start + 4)
        elif end is not None:  # the list before did not
            line.moveTo(right - HEAD - STUB, end)
            line.lineTo(right - HEAD, end)
            head.addPolygon(_triangle(right, end))

    def _may_be_seen(self, start: float | None, end: float | None) -> bool:
        heights = [each for each in (start, end) if each is not None]
        return bool(heights) and max(heights) > -FAR and min(heights) < self._geometry.height + FAR

    def _middle(self, column: int, item: int) -> float | None:
        row = self._placing.row_of(column, item)
        if row is None:
            return None
        cell = self._geometry.cell(column, row)
        middle = cell.center().y() - CAPTION / 2
        return min(max(middle, -FAR), self._geometry.height + FAR)


def _triangle(x: float, y: float) -> list[QPointF]:
    return [QPointF(x, y), QPointF(x - HEAD - 1, y - HEAD), QPointF(x - HEAD - 1, y + HEAD)]
