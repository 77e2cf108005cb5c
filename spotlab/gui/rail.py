"""The rail at the left: the workspaces, and below them the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolBar, QToolButton, QWidget

from spotlab.gui import icons
from spotlab.gui.tools import tool_kinds
from spotlab.gui.workspaces import Workspace

if TYPE_CHECKING:
    from spotlab.gui.actions import Actions


class Rail(QToolBar):
    """A narrow column of icons."""

    def __init__(
        self, shown: list[Workspace], actions: Actions, parent: QWidget | None = None
    ) -> None:
        super().__init__("Rail", parent)
        self.setObjectName("rail")
        self.setOrientation(Qt.Orientation.Vertical)
        self.setMovable(False)
        self.setFloatable(False)
        self.setIconSize(QSize(22, 22))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._buttons: list[tuple[QToolButton, str]] = []
        for workspace in shown:
            button = QToolButton()
            button.setText(workspace.title)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setToolTip(f"{workspace.title}: {workspace.tip}  (Ctrl+{workspace.order})")
            button.setCheckable(True)
            button.setChecked(True)
            button.setAutoExclusive(True)
            button.setShortcut(f"Ctrl+{workspace.order}")
            self.addWidget(button)
            self._buttons.append((button, workspace.icon))
        line = QFrame()
        line.setProperty("role", "line")
        self.addWidget(line)
        for kind in tool_kinds():
            self.addAction(actions[f"tool.{kind.name}"])
        for button in self.findChildren(QToolButton):
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        icons.repainted.changed.connect(self._paint)
        self._paint()

    def _paint(self) -> None:
        for button, name in self._buttons:
            button.setIcon(icons.icon(name))
