"""Three buttons in the legend: areas, symbols or both."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from spotlab.gui.inspect.state.overlay_choice import OverlayChoice, OverlayKind

_TIPS = {
    OverlayKind.AREAS: "Fill areas by their kinds: found, other label, false, missed",
    OverlayKind.SYMBOLS: "Mark each symbol as recognised, partly found or missed, and false spots",
    OverlayKind.BOTH: "Fill areas, and mark symbols",
}


class OverlaySwitch(QWidget):
    """Shows and changes what the canvas paints.

    Attributes
    ----------
    buttons : dict of OverlayKind to QToolButton
    """

    def __init__(self, overlay: OverlayChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overlay = overlay
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        self.buttons: dict[OverlayKind, QToolButton] = {}
        for value in OverlayKind:
            button = self.buttons[value] = QToolButton()
            button.setText(value.value.capitalize())
            button.setToolTip(_TIPS[value])
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            group.addButton(button)
            row.addWidget(button)
        group.buttonClicked.connect(self._choose)
        self._stop = overlay.changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show what is chosen."""
        self.buttons[self._overlay.value].setChecked(True)

    def stop(self) -> None:
        """Hear of nothing any more."""
        self._stop()

    def _choose(self, clicked: QToolButton) -> None:
        self._overlay.choose(
            next(value for value, button in self.buttons.items() if button is clicked)
        )
