"""Findings from checking the collection's truth; a click goes to the place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spotlab.editing.validate import Severity, ValidatedPage, validate_files
from spotlab.errors import counted
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.pages.workbench import Workbench

SHOWN = 5000  # findings; the head line says how many there are in all
PLACE = Qt.ItemDataRole.UserRole
NOTHING = "The truth of these pages has not been checked yet."


class FindingsPanel(QWidget):
    """A list of findings by page, worst first on each.

    Findings are not kept from one start to the next: files may have changed since. Until the truth
    is checked, and while it is, a button stands where they will.
    """

    def __init__(
        self,
        workbench: Workbench,
        check: Callable[[], object],
        show_region: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self._show_region = show_region
        self._wanted = ""
        self.task = Task(workbench, say=lambda text, _: self._say(text, known=False))
        self.head = set_up(QLabel(), role="quiet")
        self.head.setContentsMargins(12, 8, 12, 4)
        self.head.setWordWrap(True)
        self.tree = set_up(QTreeWidget(), name="Findings")
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.itemClicked.connect(lambda item, _: self._go(item))
        self.tree.itemActivated.connect(lambda item, _: self._go(item))
        self.check = QPushButton("Check the Truth")
        self.check.setToolTip("Check the truth of all pages for mistakes and doubtful regions")
        self.check.clicked.connect(lambda _: check())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.check, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch()
        workbench.page_changed.connect(self._page_opened)
        workbench.collection_changed.connect(self.forget)
        self.forget()

    def forget(self) -> None:
        """Nothing is known of these pages."""
        self.task.cancel()
        self.tree.clear()
        self._say(NOTHING, known=False)

    def run(self) -> None:
        """Look through the truth of all pages, in the background."""
        workbench = self.workbench
        if not workbench.autosave.finish():
            workbench.said.emit(
                "There are unsaved changes: only the saved truth files are checked", True
            )
        self.forget()
        self.head.setText("Checking the truth of all pages …")
        paths = [entry.image for entry in workbench.entries if not entry.missing]
        paths += [entry.truth_path for entry in workbench.entries if entry.missing]
        check = partial(validate_files, labels=workbench.labels)
        self.task.start(check, list(dict.fromkeys(paths)), done=self._show)

    def _show(self, looked: list[ValidatedPage]) -> None:
        self.tree.clear()
        total = sum(page.errors + page.warnings for page in looked)
        errors = sum(page.errors for page in looked)
        if total:
            shown = f"; only the first {SHOWN:,} are listed" if total > SHOWN else ""
            self._say(
                f"{counted(errors, 'error')}, {counted(total - errors, 'warning')} "
                f"on {counted(len(looked), 'page')}{shown}"
            )
        else:
            self._say(f"No mistakes found on {counted(len(looked), 'page')}")
        left = SHOWN
        for page in looked:
            if left > 0 and (page.unreadable or page.findings):
                left -= self._add(page)
        self.tree.expandAll()

    def _add(self, page: ValidatedPage) -> int:
        name = page.entry.name
        parent = QTreeWidgetItem([f"{name}  ({page.errors + page.warnings})"])
        parent.setData(0, PLACE, (page.entry.truth_path, ""))
        for problem in page.unreadable:
            self._add_line(parent, problem, Severity.ERROR, page.entry.truth_path, "")
        for found in sorted(page.findings, key=lambda found: found.severity is Severity.WARNING):
            self._add_line(
                parent, found.message, found.severity, page.entry.truth_path, found.region or ""
            )
        self.tree.addTopLevelItem(parent)
        return parent.childCount()

    def _add_line(
        self, parent: QTreeWidgetItem, text: str, severity: Severity, path: Path, region: str
    ) -> None:
        item = QTreeWidgetItem([text])
        item.setToolTip(0, f"{severity}: {text}")
        error = severity is Severity.ERROR
        name, colour = ("close-circle", "#D55E00") if error else ("alert", "#E69F00")
        item.setIcon(0, theme.icon(name, colour))
        item.setData(0, PLACE, (path, region))
        parent.addChild(item)

    def _say(self, text: str, *, known: bool = True) -> None:
        self.head.setText(text)
        self.tree.setVisible(known)
        self.check.setVisible(not known)

    def _go(self, item: QTreeWidgetItem) -> None:
        path, self._wanted = item.data(0, PLACE)
        workbench = self.workbench
        pages = [page for page, entry in enumerate(workbench.entries) if entry.truth_path == path]
        if not pages:
            return
        if pages[0] == workbench.index and workbench.document is not None:
            self._page_opened()
        else:
            workbench.open_page(pages[0])

    def _page_opened(self) -> None:
        document = self.workbench.document
        if self._wanted and document is not None and self._wanted in document:
            self.workbench.selection.set([self._wanted])
            self._show_region()
            self._wanted = ""
