"""Everything in a run that could not be used, whole and to be copied."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.tally.remarks import spot_places


class ProblemsDialog(QDialog):
    """Stands beside the window while the file is put right."""

    def __init__(self, run: InspectedRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Problems of {run.name}")
        self.resize(640, 420)
        OnScreen(self)
        head = QLabel(f"{summary(run)}.")
        head.setWordWrap(True)
        self.text = QPlainTextEdit("\n".join(lines(run)))
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName("Problems")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy All", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(self.copy)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(head)
        layout.addWidget(self.text)
        layout.addWidget(buttons)

    def copy(self) -> None:
        """Put all lines on the clipboard."""
        QApplication.clipboard().setText(self.text.toPlainText())


def summary(run: InspectedRun) -> str:
    """What kinds of problems there are, in a line; empty if there are none."""
    found = []
    bad, pages, queries = len(run.bad_lines), run.unknown_pages, run.unknown_queries
    if bad:
        found.append(f"{bad:,} bad line{'s' * (bad != 1)}")
    if pages:
        spots = sum(pages.values())
        found.append(f"{counted(spots, 'spot')} on pages without truth")
    if queries:
        many = len(queries) != 1
        found.append(f"{len(queries):,} unknown {'queries' if many else 'query'}")
    for spots_beyond, how in ((run.off_page.partly, "partly"), (run.off_page.wholly, "wholly")):
        number = len(spots_beyond)
        if number:
            found.append(f"{counted(number, 'spot')} {how} off the page")
    if run.remarks:
        found.append(f"{counted(len(run.remarks), 'remark')}")
    return ", ".join(found)


def lines(run: InspectedRun) -> list[str]:
    """All problems, one a line."""
    found = [f"{bad.place or f'line {bad.line}'}: {bad.problem}" for bad in run.bad_lines]
    found += [
        f"page {name}: not in the collection or without truth; {count:,} "
        f"spot{'s' * (count != 1)} left out"
        for name, count in run.unknown_pages.items()
    ]
    found += [
        f"query {name}: no truth region has this label; all its spots are false, and it is left "
        "out of means"
        for name in run.unknown_queries
    ]
    for spots, how in (
        (run.off_page.partly, "partly off the page; only what lies on it counts"),
        (run.off_page.wholly, "wholly off the page; nothing of it counts"),
    ):
        found += [f"{place}: a spot {how}" for place in spot_places(run.run, spots)]
    return [*found, *run.remarks]
