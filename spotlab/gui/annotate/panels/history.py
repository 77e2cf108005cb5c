"""All steps of the open page; a click goes back or on to one of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.pages.workbench import Workbench

SHOWN = 500  # steps; older ones can be reached by undoing
START = "State when opened"


class HistoryPanel(QWidget):
    """The step done last is marked, undone ones are pale."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName("Steps of this page")
        self.list.setToolTip("Click a step to return to the state after it")
        self._done = 0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self.list)
        self.list.itemClicked.connect(self._go)
        workbench.history_moved.connect(self._fill)
        workbench.page_changed.connect(self._fill)
        self._fill()

    def _fill(self) -> None:
        history = self.workbench.history
        self.list.clear()
        if history is None:
            return
        done, undone = history.done_names, history.undone_names
        self._done = len(done)
        first = max(0, len(done) - SHOWN)
        names = [START, *done] if first == 0 else done[first:]
        before = 0 if first == 0 else first + 1
        for place, name in enumerate([*names, *undone[:SHOWN]]):
            item = QListWidgetItem(name)
            item.setData(Qt.ItemDataRole.UserRole, before + place)
            if before + place > self._done:
                item.setForeground(theme.quiet(self.palette()))
            self.list.addItem(item)
        self.list.setCurrentRow(self._done - before)

    def _go(self, item: QListWidgetItem) -> None:
        steps = item.data(Qt.ItemDataRole.UserRole) - self._done
        for _ in range(abs(steps)):
            if steps < 0:
                self.workbench.editing.undo()
            else:
                self.workbench.editing.redo()
