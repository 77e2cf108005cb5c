"""Where the cells of the columns are on the screen, and which of them are in sight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPointF, QRectF

MARGIN = 10.0  # px at the sides
GUTTER = 42.0  # px between columns, for the arrows
GAP = 13.0  # px between rows
TOP = 14.0  # px above the first row
CAPTION = 17.0  # px for rank and score
PAD = 4.0  # px between the frame and the picture
CORNER = 17.0  # px: the mark that says relevant or not
NARROWEST = 92.0  # px
SMALLEST, USUAL, LARGEST = 20, 40, 140  # px: the height of pictures


@dataclass(frozen=True)
class Geometry:
    """Cells of one size in columns; all numbers in px of the screen.

    Attributes
    ----------
    lengths : tuple of int
        The rows of each column.
    shifts : tuple of int
        By how many rows each column stands lower than the first rank of all.
    width, height : float
        Of what is seen.
    picture : int
        The height of pictures.
    x, y : float
        How far it is scrolled.
    """

    lengths: tuple[int, ...]
    shifts: tuple[int, ...]
    width: float
    height: float
    picture: int = USUAL
    x: float = 0.0
    y: float = 0.0

    @cached_property
    def row_height(self) -> float:
        """From one row to the next."""
        return self.picture + 2 * PAD + CAPTION + GAP

    @cached_property
    def cell_width(self) -> float:
        """As wide as there is room, but not so wide that short words are lost in it."""
        count = max(len(self.lengths), 1)
        room = (self.width - 2 * MARGIN - (count - 1) * GUTTER) / count
        least = max(NARROWEST, 2.2 * self.picture)
        return float(int(min(max(room, least), max(least, 6 * self.picture))))

    @property
    def content_width(self) -> float:
        """Of all columns."""
        count = len(self.lengths)
        return 2 * MARGIN + count * self.cell_width + max(count - 1, 0) * GUTTER

    @property
    def span(self) -> tuple[float, float]:
        """The least and the largest y that are of use for scrolling."""
        pairs = list(zip(self.lengths, self.shifts, strict=True))
        first = min((shift for _, shift in pairs), default=0)
        last = max((length + shift for length, shift in pairs), default=0)
        top = first * self.row_height
        return top, max(top, last * self.row_height + TOP - self.height)

    def left(self, column: int) -> float:
        """Of a column."""
        return MARGIN + column * (self.cell_width + GUTTER) - self.x

    def cell(self, column: int, row: int) -> QRectF:
        """Of the frame and the line below it."""
        top = TOP + (row + self.shifts[column]) * self.row_height - self.y
        return QRectF(self.left(column), top, self.cell_width, self.row_height - GAP)

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
        first = int((above + GAP) // step) - shift
        last = int(-(-below // step)) - shift
        return range(max(first, 0), max(min(last, self.lengths[column]), 0))

    def columns(self) -> range:
        """The columns that are in sight, at least in part."""
        step = self.cell_width + GUTTER
        first = int((self.x - MARGIN) // step)
        last = int(-(-(self.x - MARGIN + self.width) // step))
        return range(max(first, 0), max(min(last, len(self.lengths)), 0))

    def column_at(self, x: float) -> int | None:
        """The column under a place; None between columns."""
        step = self.cell_width + GUTTER
        column = int((x + self.x - MARGIN) // step)
        inside = (x + self.x - MARGIN) - column * step < self.cell_width
        return column if inside and 0 <= column < len(self.lengths) else None

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """Column and row under a place; None beside the cells."""
        column = self.column_at(place.x())
        if column is None:
            return None
        row = int((place.y() + self.y - TOP) // self.row_height) - self.shifts[column]
        inside = 0 <= row < self.lengths[column] and self.cell(column, row).contains(place)
        return (column, row) if inside else None

    def row_near(self, column: int, y: float) -> int | None:
        """The row of a column that is nearest to a height; None where the column is empty."""
        if not self.lengths[column]:
            return None
        row = int((y + self.y - TOP) // self.row_height) - self.shifts[column]
        return min(max(row, 0), self.lengths[column] - 1)

    def y_showing(self, column: int, row: int) -> float:
        """The y nearest to the present one with the whole cell in sight."""
        top = (row + self.shifts[column]) * self.row_height
        bottom = top + TOP + self.row_height - self.height
        return min(max(self.y, bottom), top) if bottom < top else top
