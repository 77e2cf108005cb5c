"""Keeps the chosen rows of the Regions panel and the page's selection in step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import TypeVar, cast

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, QModelIndex
from PySide6.QtWidgets import QTableView

from spotlab.gui.annotate.panels.region_model import RegionModel
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region
from spotlab.signal import Signal

Value = TypeVar("Value")


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
        return self._chosen(self._model.regions)

    def _chosen(self, values: Sequence[Value]) -> list[Value]:
        """Of values of all rows, those of the chosen ones."""
        selected = self._table.selectionModel().selection()  # a list of indexes takes long
        selection = cast(Iterable[QItemSelectionRange], selected)
        blocks = sorted({(block.top(), block.bottom() + 1) for block in selection})
        chosen: list[Value] = []
        end = 0
        for top, bottom in blocks:
            chosen += values[max(top, end) : bottom]
            end = max(end, bottom)
        return chosen

    def _reachable_ids(self) -> list[str]:
        """The ids of the chosen regions that can be changed."""
        if not self._visibility.has_marks:
            return self._chosen(self._model.ids)
        return [region.id for region in filter(self._visibility.is_reachable, self.regions())]

    def region_at(self, index: QModelIndex) -> Region | None:
        """The region of a row."""
        at = index.row()
        return self._model.regions[at] if 0 <= at < len(self._model.regions) else None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Let other rows be shown: those of the same regions are chosen afterwards."""
        before = self._chosen(self._model.ids)
        with self._quiet():
            yield
        if not _same(self._chosen(self._model.ids), before):
            self._select({*before, *self._workbench.selection.ids})
        self.follow()

    def follow(self) -> None:
        """Choose the rows of what is selected on the page, and bring the last one into sight."""
        if self._following:
            return
        ids = self._workbench.selection.ids
        if not _same(self._reachable_ids(), list(ids)):
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
        found = np.fromiter(map(self._model.places.get, ids, repeat(-1)), np.intp, len(ids))
        places = np.sort(found[found >= 0])
        breaks = np.flatnonzero(np.diff(places) != 1) + 1  # where a block of rows ends
        selection = QItemSelection()
        last = len(self._model.columns) - 1
        for block in np.split(places, breaks) if len(places) else ():
            first = self._model.index(int(block[0]), 0)
            end = self._model.index(int(block[-1]), last)
            selection.append(QItemSelectionRange(first, end))
        flags = QItemSelectionModel.SelectionFlag
        model = self._table.selectionModel()
        with self._quiet():
            if len(places):
                model.setCurrentIndex(self._model.index(int(places[-1]), 0), flags.NoUpdate)
            model.select(selection, flags.ClearAndSelect)

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        """Neither side answers to the other meanwhile."""
        self._following = True
        try:
            yield
        finally:
            self._following = False


def _same(ids: list[str], others: list[str]) -> bool:
    """Whether these are the same ids, in any order."""
    return ids == others or (len(ids) == len(others) and set(ids) == set(others))
