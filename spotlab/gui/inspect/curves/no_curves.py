"""What stands in the place of the plots where there are none yet."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from spotlab.gui.inspect.dialogs.runs import ask_runs
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.empty_note import EmptyNote

NOTHING = "Open a run to see its curves:\nprecision, fall-out and F over recall."
COMPUTING = "Computing the curves …"
HIDDEN = "No run is shown. Tick the box of a run\nin the list to see its curves."


class NoCurves(QWidget):
    """A line and, where there is no run, a button."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self.text = EmptyNote()
        self.open = QPushButton("Open Run…")
        self.open.setToolTip("CSV, Parquet, COCO results or PAGE with confidence")
        self.open.clicked.connect(lambda: ask_runs(inspection, self))
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addStretch()
        column.addWidget(self.text)
        column.addWidget(self.open, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()

    def follow(self) -> None:
        """Say why there are no plots."""
        runs = self.inspection.runs
        waiting = self.inspection.runs.busy or any(run.figures is None for run in runs)
        self.text.setText(COMPUTING if waiting else HIDDEN if runs else NOTHING)
        self.open.setVisible(not waiting and not runs)
