"""The regions of the open page as the Regions panel lists them; Tab goes through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spotlab.editing.selection import RegionColumn, RegionRow, list_regions
from spotlab.errors import counted
from spotlab.gui.kit.rows import LazyRows
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region
from spotlab.signal import Signal


class ListedRegions(LazyRows[RegionRow]):
    """Rows of the list, made when they are seen.

    Attributes
    ----------
    regions : sequence of Region
        In the order of the rows.
    ids : sequence of str
        Theirs.
    """

    def __init__(
        self, regions: Sequence[Region], ids: Sequence[str], make: Callable[[int], RegionRow]
    ) -> None:
        super().__init__(len(regions), make)
        self.regions, self.ids = regions, ids


class RegionList:
    """Order and filter of the list.

    Attributes
    ----------
    text : str
        Words that a region has to hold.
    column : RegionColumn
    falling : bool
        Whether the largest comes first.
    changed : Signal
        Order or filter are others.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._visibility = workbench.state(RegionVisibility)
        self.text = ""
        self.column = RegionColumn.NUMBER
        self.falling = False
        self.changed = Signal[[]]()
        workbench.collection_changed.connect(lambda: self.filter(""))

    def filter(self, text: str) -> None:
        """List only regions that hold these words."""
        if text != self.text:
            self.text = text
            self.changed.emit()

    def sort(self, column: RegionColumn, falling: bool) -> None:
        """Use another order."""
        if (column, falling) != (self.column, self.falling):
            self.column, self.falling = column, falling
            self.changed.emit()

    def rows(self) -> ListedRegions:
        """The rows as they are listed."""
        document = self._workbench.document
        regions, ids = (document.regions, document.ids) if document else ((), ())
        if not self.text and self.column is RegionColumn.NUMBER:
            way = -1 if self.falling else 1
            places, listed = range(len(regions))[::way], regions[::way]
            return ListedRegions(
                listed, ids[::way], lambda at: self._row(places[at] + 1, listed[at])
            )
        rows = [self._row(number, region) for number, region in enumerate(regions, 1)]
        kept = list_regions(rows, self.text, self.column, falling=self.falling)
        regions = tuple(row.region for row in kept)
        return ListedRegions(regions, tuple(region.id for region in regions), kept.__getitem__)

    def _row(self, number: int, region: Region) -> RegionRow:
        visibility = self._visibility
        if not visibility.has_marks:
            return RegionRow(number, region)
        return RegionRow(number, region, visibility.is_hidden(region), visibility.is_locked(region))

    def step(self, by: int) -> Region | None:
        """Select the next listed region that can be reached, or the one before, and say which.

        After the last comes the first. None, and said why, where there is none.
        """
        workbench = self._workbench
        listed = [row for row in self.rows() if not (row.hidden or row.locked)]
        filtered = " that the Regions panel lists" if self.text else ""
        if not listed:
            workbench.said.emit(f"There is no region{filtered} to go to on this page", False)
            return None
        ids = [row.region.id for row in listed]
        current = workbench.selection.primary
        start = ids.index(current) if current in ids else (-1 if by > 0 else 0)
        at = (start + by) % len(ids)
        region = listed[at].region
        workbench.selection.set([region.id])
        label = region.label or "unlabeled"
        workbench.said.emit(
            f"{label} · {at + 1:,} of {counted(len(ids), 'region')}{filtered}", False
        )
        return region
