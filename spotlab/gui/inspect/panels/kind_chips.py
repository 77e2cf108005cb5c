"""A chip for each kind of error: how many there are, and whether they are listed."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from spotlab.gui.inspect.panels.error_model import KINDS, LOOKS, MEANINGS
from spotlab.gui.kit import icons
from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.plain_text import rich
from spotlab.measures.errors import ErrorKind


class KindChips(QWidget):
    """Chips, a button that checks all of them, and how many errors are listed."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips = {kind: self._chip(kind) for kind in KINDS}
        self.all = QToolButton()
        self.all.setText("All")
        self.all.setToolTip("List errors of all kinds")
        self.all.clicked.connect(self._check_all)
        self.count = QLabel()
        self.count.setProperty("role", "quiet")
        row = Flow(2, 0)
        row.setContentsMargins(8, 4, 12, 4)
        for chip in self.chips.values():
            row.addWidget(chip)
        row.addWidget(self.all)
        row.addStretch()
        row.addWidget(self.count)
        self.setLayout(row)
        icons.repainted.changed.connect(self._paint_icons)
        self._paint_icons()

    @property
    def kinds(self) -> frozenset[ErrorKind]:
        """The kinds that are checked."""
        return frozenset(kind for kind, chip in self.chips.items() if chip.isChecked())

    def show_counts(self, counts: Mapping[ErrorKind, int], listed: int, *, in_words: bool) -> None:
        """Show how many errors there are of each kind, with its name or only its icon."""
        for kind, chip in self.chips.items():
            count = f"{counts[kind]:,}"
            chip.setText(f"{kind.words} {count}" if in_words else count)
        all = sum(counts.values())
        self.count.setText(f"{listed:,} of {all:,}" if listed != all else "")
        self.all.setVisible(len(self.kinds) < len(KINDS))

    def _chip(self, kind: ErrorKind) -> QToolButton:
        chip = QToolButton()
        chip.setCheckable(True)
        chip.setChecked(True)
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.setToolTip(rich(f"<p><b>{kind.words.capitalize()}</b>: {MEANINGS[kind]}</p>"))
        chip.setAccessibleName(f"List {kind.words}")
        chip.clicked.connect(lambda _: self.changed.emit())
        return chip

    def _check_all(self) -> None:
        for chip in self.chips.values():
            chip.setChecked(True)
        self.changed.emit()

    def _paint_icons(self) -> None:
        for kind, chip in self.chips.items():
            chip.setIcon(icons.icon(*LOOKS[kind]))
