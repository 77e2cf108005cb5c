"""All or shown pages: which of them figures, curves and tables are of."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from spotlab.gui.inspect.state.inspection import Inspection


class PageSwitch(QWidget):
    """Two buttons; they are there while the page list leaves pages out."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self.all = self._button("Compute figures, curves and tables from all pages")
        self.shown = self._button(
            "Compute figures, curves and tables from the pages that the page list shows"
        )
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 6)
        row.setSpacing(2)
        for button in (self.all, self.shown):
            group.addButton(button)
            row.addWidget(button)
        row.addStretch()
        group.buttonClicked.connect(lambda _: inspection.shown.set_only(self.shown.isChecked()))
        inspection.shown.changed.connect(self.follow)
        inspection.collection.entries_changed.connect(self.follow)
        inspection.runs.changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show which pages figures are of."""
        names, entries = self.inspection.shown.names, self.inspection.collection.entries
        self.setVisible(names is not None and bool(self.inspection.runs))
        self.all.setText(f"All {len(entries):,} Pages")
        self.shown.setText(f"{len(names or ()):,} Shown")
        only = self.inspection.shown.only
        (self.shown if only else self.all).setChecked(True)

    def _button(self, tip: str) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setToolTip(tip)
        return button
