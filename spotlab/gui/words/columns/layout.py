"""Places of ranked lists, their cells, and the lines between equal words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QAbstractScrollArea

from spotlab.model import RankedList
from spotlab.signal import Signal

MARGIN = 10.0  # px at the sides
GUTTER = 42.0  # px between columns, for the arrows
GAP = 13.0  # px between rows
TOP = 14.0  # px above the first row
CAPTION = 17.0  # px for rank and score
PAD = 4.0  # px between the frame and the picture
CORNER = 17.0  # px: the mark that says relevant or not
NARROWEST = 92.0  # px
BESIDE = 2  # lists side by side whose words flow
APART = 12.0  # px between words that flow
SMALLEST, USUAL, LARGEST = 20, 40, 140  # px: the height of pictures


@dataclass(frozen=True)
class Geometry:
    """Cells of one size in columns; all numbers in px of the screen.

    Attributes
    ----------
    lengths : tuple of int
        The words of each column.
    shifts : tuple of int
        By how many rows each column stands lower than the first rank of all.
    width, height : float
        Of what is seen.
    picture : int
        The height of pictures.
    x, y : float
        How far it is scrolled.
    flows : bool
        Whether a column has several words in a line, as a text does.
    """

    lengths: tuple[int, ...]
    shifts: tuple[int, ...]
    width: float
    height: float
    picture: int = USUAL
    x: float = 0.0
    y: float = 0.0
    flows: bool = False

    @cached_property
    def row_height(self) -> float:
        """From one row to the next."""
        return self.picture + 2 * PAD + CAPTION + GAP

    @cached_property
    def column_width(self) -> float:
        """As wide as there is room, but not so wide that short words are lost in it."""
        count = max(min(len(self.lengths), BESIDE) if self.flows else len(self.lengths), 1)
        room = max((self.width - 2 * MARGIN - (count - 1) * GUTTER) / count, self._least)
        return float(int(room if self.flows else min(room, max(self._least, 6 * self.picture))))

    @property
    def _least(self) -> float:
        """The width that a word needs."""
        return max(NARROWEST, 2.2 * self.picture)

    @cached_property
    def across(self) -> int:
        """The words of a line of a column."""
        return int((self.column_width + APART) // (self._least + APART)) if self.flows else 1

    @cached_property
    def cell_width(self) -> float:
        """Of a word: its share of the column."""
        return float(int((self.column_width - (self.across - 1) * APART) / self.across))

    @property
    def content_width(self) -> float:
        """Of all columns."""
        count = len(self.lengths)
        return 2 * MARGIN + count * self.column_width + max(count - 1, 0) * GUTTER

    @property
    def span(self) -> tuple[float, float]:
        """The least and the largest y that are of use for scrolling."""
        pairs = list(zip(self.lengths, self.shifts, strict=True))
        first = min((shift for _, shift in pairs), default=0)
        last = max((-(-length // self.across) + shift for length, shift in pairs), default=0)
        top = first * self.row_height
        return top, max(top, last * self.row_height + TOP - self.height)

    def left(self, column: int) -> float:
        """Of a column."""
        return MARGIN + column * (self.column_width + GUTTER) - self.x

    def cell(self, column: int, row: int) -> QRectF:
        """Of the frame and the line below it."""
        line, place = divmod(row, self.across)
        left = self.left(column) + place * (self.cell_width + APART)
        top = TOP + (line + self.shifts[column]) * self.row_height - self.y
        return QRectF(left, top, self.cell_width, self.row_height - GAP)

    def frame(self, column: int, row: int) -> QRectF:
        """Around the picture."""
        return self.cell(column, row).adjusted(0, 0, 0, -CAPTION)

    def corner(self, column: int, row: int) -> QRectF:
        """Of the mark that says relevant or not."""
        frame = self.frame(column, row)
        return QRectF(frame.right() - CORNER, frame.top(), CORNER, CORNER)

    def rows(self, column: int, beyond: float = 0.0) -> range:
        """The rows of a column that are in sight, or not farther from it than ``beyond``."""
        above = self.y - TOP - beyond
        below = self.y - TOP + self.height + beyond
        shift, step = self.shifts[column], self.row_height
        first = (int((above + GAP) // step) - shift) * self.across
        last = (int(-(-below // step)) - shift) * self.across
        return range(max(first, 0), max(min(last, self.lengths[column]), 0))

    def columns(self) -> range:
        """The columns that are in sight, at least in part."""
        step = self.column_width + GUTTER
        first = int((self.x - MARGIN) // step)
        last = int(-(-(self.x - MARGIN + self.width) // step))
        return range(max(first, 0), max(min(last, len(self.lengths)), 0))

    def column_at(self, x: float) -> int | None:
        """The column under a place; None between columns."""
        step = self.column_width + GUTTER
        column = int((x + self.x - MARGIN) // step)
        inside = (x + self.x - MARGIN) - column * step < self.column_width
        return column if inside and 0 <= column < len(self.lengths) else None

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """Column and row under a place; None beside the cells."""
        column = self.column_at(place.x())
        if column is None:
            return None
        along = int((place.x() - self.left(column)) // (self.cell_width + APART))
        line = int((place.y() + self.y - TOP) // self.row_height) - self.shifts[column]
        row = line * self.across + min(along, self.across - 1)
        inside = 0 <= row < self.lengths[column] and self.cell(column, row).contains(place)
        return (column, row) if inside else None

    def row_near(self, column: int, y: float) -> int | None:
        """The row of a column that is nearest to a height; None where the column is empty."""
        if not self.lengths[column]:
            return None
        line = int((y + self.y - TOP) // self.row_height) - self.shifts[column]
        return min(max(line * self.across, 0), self.lengths[column] - 1)

    def y_showing(self, column: int, row: int) -> float:
        """The y nearest to the present one with the whole cell in sight."""
        top = (row // self.across + self.shifts[column]) * self.row_height
        bottom = top + TOP + self.row_height - self.height
        return min(max(self.y, bottom), top) if bottom < top else top


class Placing:
    """The rows of all items in all columns, looked up at once.

    Parameters
    ----------
    lists : sequence of RankedList
        One a column.
    count : int
        N, of the items that the lists are about.

    Attributes
    ----------
    row : (L, N) int
        The row of an item in a column, from 0; -1 where the list does not have it.

    Examples
    --------
    >>> lists = [RankedList("a", [2, 0], [0.9, 0.5]), RankedList("b", [0, 1], [0.7, 0.6])]
    >>> placing = Placing(lists, 3)
    >>> placing.row.tolist()
    [[1, -1, 0], [0, 1, -1]]
    >>> placing.climbed(1, 0), placing.climbed(1, 1), placing.climbed(0, 0)
    (1, None, None)
    """

    def __init__(self, lists: Sequence[RankedList], count: int) -> None:
        self.items: tuple[NDArray[np.int64], ...] = tuple(each.item for each in lists)
        self.row = np.full((len(lists), count), -1, np.int32)
        for column, items in enumerate(self.items):
            self.row[column, items] = np.arange(len(items))

    def __len__(self) -> int:
        return len(self.items)

    @property
    def longest(self) -> int:
        """The rows of the longest column."""
        return max((len(items) for items in self.items), default=0)

    def item_at(self, column: int, row: int) -> int | None:
        """The item of a cell; None where there is no such cell."""
        if 0 <= column < len(self.items) and 0 <= row < len(self.items[column]):
            return int(self.items[column][row])
        return None

    def row_of(self, column: int, item: int | None) -> int | None:
        """Tell where an item is in a column; None where it is not."""
        if item is None or not (0 <= column < len(self.items) and item < self.row.shape[1]):
            return None
        row = int(self.row[column, item])
        return row if row >= 0 else None

    def climbed(self, column: int, row: int) -> int | None:
        """By how many ranks a cell's item is better than in the column before.

        None in the first column, and where the column before does not have the item.
        """
        if column == 0:
            return None
        before = self.row_of(column - 1, self.item_at(column, row))
        return None if before is None else before - row

    def column_with(self, item: int, wanted: int) -> int | None:
        """The wanted column if it has the item, else the first that does; None if none does."""
        having = [each for each in range(len(self)) if self.row_of(each, item) is not None]
        if wanted in having:
            return wanted
        return having[0] if having else None

    def shifts(self, item: int | None, column: int) -> tuple[int, ...]:
        """Tell how many rows each column has to go down for an item to be level in all of them."""
        here = self.row_of(column, item)
        if here is None:
            return (0,) * len(self)
        rows = [self.row_of(each, item) for each in range(len(self))]
        return tuple(0 if row is None else here - row for row in rows)


class CellSelection:
    """The current cell, and the items that a judgement is about.

    Attributes
    ----------
    column : int
    row : int or None
        None where nothing is current.
    item : int or None
        The item of the current cell.
    items : frozenset of int
        One, or several of one column.
    """

    def __init__(self) -> None:
        self.column = 0
        self.row: int | None = None
        self.item: int | None = None
        self.items: frozenset[int] = frozenset()
        self._anchor: int | None = None

    def set(self, placing: Placing, column: int, row: int, extend: bool = False) -> None:
        """Make a cell current; extended, select everything from where the selection began."""
        same = column == self.column and self._anchor is not None
        if not (extend and same):
            self._anchor = row
        assert self._anchor is not None
        self.column, self.row = column, row
        self.item = placing.item_at(column, row)
        first, last = sorted((self._anchor, row))
        self.items = frozenset(placing.items[column][first : last + 1].tolist())

    def toggle(self, placing: Placing, column: int, row: int) -> None:
        """Add a cell to the others, or remove it from them."""
        item = placing.item_at(column, row)
        assert item is not None
        others = self.items if column == self.column else frozenset()
        self.column, self.row, self._anchor, self.item = column, row, row, item
        self.items = others - {item} if item in others and len(others) > 1 else others | {item}

    def clear(self) -> None:
        """Select nothing; the column stays."""
        self.row = self._anchor = self.item = None
        self.items = frozenset()

    def follow(self, placing: Placing, item: int | None) -> None:
        """The lists have changed: the current item stays current, wherever it is now."""
        count = placing.row.shape[1]
        self.column = min(self.column, max(len(placing) - 1, 0))
        self.items = frozenset(kept for kept in self.items if kept < count)
        column = None if item is None else placing.column_with(item, self.column)
        if item is None or column is None:
            self.clear()
            return
        self.column, self.item = column, item
        self.row = self._anchor = placing.row_of(column, item)
        self.items = self.items | {item}


class CellLayout:
    """Places the cells in a scroll area, and scrolls it.

    Parameters
    ----------
    area : QAbstractScrollArea
    selection : CellSelection
        Its current cell is the one that stands level, and that is scrolled to.

    Attributes
    ----------
    placing : Placing
        Which item is in which row of each column.
    geometry : Geometry
        Where the cells are in the viewport.
    flows : bool
        Whether a column has several words in a line; nothing is level then.
    level : bool
        Whether the current word stands at one height in all columns.
    kept : sequence of int or None
        How many cells each column keeps, while the cuts stand at one height in all columns.
    moved : Signal
        Emitted when cells are elsewhere.
    """

    def __init__(self, area: QAbstractScrollArea, selection: CellSelection) -> None:
        self._area, self._selection = area, selection
        self.placing = Placing((), 0)
        self.geometry = Geometry((), (), 1, 1)
        self.flows = False
        self.level = False
        self.kept: Sequence[int] | None = None
        self._scroll_to: float | None = None
        self.moved = Signal[[]]()

    def update(self) -> None:
        """Place the cells anew, and set how far one may scroll."""
        lengths = tuple(len(items) for items in self.placing.items)
        shifts = (0,) * len(lengths)
        if self.flows:
            pass
        elif self.kept is not None and len(self.kept) == len(lengths):
            shifts = tuple(max(self.kept) - kept for kept in self.kept)
        elif self.level:
            shifts = self.placing.shifts(self._selection.item, self._selection.column)
        size = self._area.viewport().size()
        geometry = replace(
            self.geometry,
            lengths=lengths,
            shifts=shifts,
            width=size.width(),
            height=size.height(),
            flows=self.flows,
        )
        down, sideways = self._area.verticalScrollBar(), self._area.horizontalScrollBar()
        self.geometry = geometry
        first, last = geometry.span
        down.setRange(int(first), int(last))
        down.setSingleStep(max(1, int(geometry.row_height / 3)))
        down.setPageStep(max(1, int(geometry.height - geometry.row_height)))
        sideways.setRange(0, max(0, int(geometry.content_width - geometry.width)))
        sideways.setPageStep(max(1, int(geometry.width)))
        sideways.setSingleStep(20)
        if self._scroll_to is not None:
            wanted, self._scroll_to = self._scroll_to, None
            with QSignalBlocker(down):  # one move, not one for the range and one for the place
                down.setValue(round(wanted))
        self.follow_scroll_bars()

    def follow_scroll_bars(self) -> None:
        """The area was scrolled."""
        self.geometry = replace(
            self.geometry,
            x=float(self._area.horizontalScrollBar().value()),
            y=float(self._area.verticalScrollBar().value()),
        )
        self.moved.emit()

    def set_picture_height(self, height: int, anchor: float) -> bool:
        """Set the height of pictures in px; what is at the height ``anchor`` stays there.

        Returns
        -------
        bool
            Whether the height is another one than before.
        """
        height = min(max(height, SMALLEST), LARGEST)
        before = self.geometry
        if height == before.picture:
            return False
        at = (before.y + anchor) / before.row_height
        self.geometry = replace(before, picture=height)
        self.update()
        self._area.verticalScrollBar().setValue(round(at * self.geometry.row_height - anchor))
        return True

    def follow_cut(self, kept: Sequence[int]) -> None:
        """Show the last cell that each column keeps and the first that it purges, side by side."""
        geometry = self.geometry
        lines = -(-max(geometry.lengths, default=0) // geometry.across)
        whole = lines * geometry.row_height + TOP <= geometry.height
        if not kept or (whole and self.kept is None):  # they are visible already
            return
        self.kept = tuple(kept)
        cut = TOP - GAP / 2 + max(kept) // geometry.across * geometry.row_height
        self._scroll_to = cut - geometry.height / 2
        self.update()

    def leave_cut(self) -> None:
        """Show rank beside rank again, or the current word at one height."""
        if self.kept is not None:
            self.kept = None
            self.update()

    def sees_current(self) -> bool:
        """Tell whether the current cell is visible."""
        row = self._selection.row
        return row is not None and row in self.geometry.rows(self._selection.column)

    def show_current(self) -> None:
        """Scroll until the current cell is visible, no farther than needed."""
        row = self._selection.row
        if row is None:
            return
        geometry, column = self.geometry, self._selection.column
        self._area.verticalScrollBar().setValue(round(geometry.y_showing(column, row)))
        left = geometry.left(column) + geometry.x
        sideways = self._area.horizontalScrollBar()
        sideways.setValue(int(min(sideways.value(), left - PAD)))
        sideways.setValue(int(max(sideways.value(), left + geometry.column_width - geometry.width)))


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
        if self._geometry.flows:  # words are not below each other
            return ()
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
