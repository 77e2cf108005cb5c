"""Where the cells of the columns are now, and which of them a scroll area shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QAbstractScrollArea

from spotlab.gui.words.columns.cell_selection import CellSelection
from spotlab.gui.words.columns.geometry import GAP, LARGEST, PAD, SMALLEST, TOP, Geometry
from spotlab.gui.words.columns.placing import Placing
from spotlab.signal import Signal


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
        self.level = False
        self.kept: Sequence[int] | None = None
        self._scroll_to: float | None = None
        self.moved = Signal[[]]()

    def update(self) -> None:
        """Place the cells anew, and set how far one may scroll."""
        lengths = tuple(len(items) for items in self.placing.items)
        shifts = (0,) * len(lengths)
        if self.kept is not None and len(self.kept) == len(lengths):
            shifts = tuple(max(self.kept) - kept for kept in self.kept)
        elif self.level:
            shifts = self.placing.shifts(self._selection.item, self._selection.column)
        size = self._area.viewport().size()
        geometry = replace(
            self.geometry, lengths=lengths, shifts=shifts, width=size.width(), height=size.height()
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
        whole = max(geometry.lengths, default=0) * geometry.row_height + TOP <= geometry.height
        if not kept or (whole and self.kept is None):  # they are visible already
            return
        self.kept = tuple(kept)
        cut = TOP - GAP / 2 + max(kept) * geometry.row_height
        self._scroll_to = cut - geometry.height / 2
        self.update()

    def leave_cut(self) -> None:
        """Show rank beside rank again, or the current word at one height."""
        if self.kept is not None:
            self.kept = None
            self.update()

    def sees_current(self) -> bool:
        """Whether the current cell is visible."""
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
        sideways.setValue(int(max(sideways.value(), left + geometry.cell_width - geometry.width)))
