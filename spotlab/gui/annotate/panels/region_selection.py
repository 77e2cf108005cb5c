"""Keeps the chosen rows of the Regions panel and the page's selection in step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import cast

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, QModelIndex
from PySide6.QtWidgets import QTableView

from spotlab.gui.annotate.panels.region_model import RegionModel
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region
from spotlab.signal import Signal


class RegionSelection:
    """The page's selection has those of the chosen rows that can be changed.

    Attributes
    ----------
    changed : Signal
        Other rows were chosen by hand.
    """

    def __init__(
        self,
        table: QTableView,
        model: RegionModel,
        workbench: Workbench,
        visibility: RegionVisibility,
    ) -> None:
        self._table = table
        self._model = model
        self._workbench = workbench
        self._visibility = visibility
        self._following = False
        self.changed = Signal[[]]()
        table.selectionModel().selectionChanged.connect(self._choose)

    def regions(self) -> list[Region]:
        """The regions of the chosen rows, hidden and locked ones included."""
        selected = self._table.selectionModel().selection()  # a list of indexes takes long
        selection = cast(Iterable[QItemSelectionRange], selected)
        blocks = sorted({(block.top(), block.bottom() + 1) for block in selection})
        regions: list[Region] = []
        end = 0
        for top, bottom in blocks:
            regions += self._model.regions[max(top, end) : bottom]
            end = max(end, bottom)
        return regions

    def _reachable_ids(self) -> list[str]:
        """The ids of the chosen regions that can be changed."""
        regions: Iterable[Region] = self.regions()
        if self._visibility.has_marks:
            regions = filter(self._visibility.is_reachable, regions)
        return [region.id for region in regions]

    def region_at(self, index: QModelIndex) -> Region | None:
        """The region of a row."""
        at = index.row()
        return self._model.regions[at] if 0 <= at < len(self._model.regions) else None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Let other rows be shown: those of the same regions are chosen afterwards."""
        before = {region.id for region in self.regions()}
        with self._quiet():
            yield
        if {region.id for region in self.regions()} != before:
            self._select(before | set(self._workbench.selection.ids))
        self.follow()

    def follow(self) -> None:
        """Choose the rows of what is selected on the page, and bring the last one into sight."""
        if self._following:
            return
        ids = self._workbench.selection.ids
        if set(self._reachable_ids()) != set(ids):
            self._select(set(ids))
            place = self._model.place_of(ids[-1]) if ids else None
            if place is not None:
                self._table.scrollTo(self._model.index(place, 0))

    def _choose(self) -> None:
        if self._following:
            return
        ids = self._reachable_ids()
        current = self.region_at(self._table.currentIndex())
        if current is not None and current.id in ids:  # it gets the handles
            ids.remove(current.id)
            ids.append(current.id)
        with self._quiet():
            self._workbench.selection.set(ids)
        self.changed.emit()

    def _select(self, ids: set[str]) -> None:
        places = sorted(at for at in map(self._model.places.get, ids) if at is not None)
        selection = QItemSelection()
        last = len(self._model.columns) - 1
        start = 0
        for at in range(1, len(places) + 1):
            if at == len(places) or places[at] != places[at - 1] + 1:
                first = self._model.index(places[start], 0)
                end = self._model.index(places[at - 1], last)
                selection.append(QItemSelectionRange(first, end))
                start = at
        flags = QItemSelectionModel.SelectionFlag
        model = self._table.selectionModel()
        with self._quiet():
            if places:
                model.setCurrentIndex(self._model.index(places[-1], 0), flags.NoUpdate)
            model.select(selection, flags.ClearAndSelect)

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        """Neither side answers to the other meanwhile."""
        self._following = True
        try:
            yield
        finally:
            self._following = False
