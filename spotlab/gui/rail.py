"""The rail at the left: the workspaces, and below them the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolBar, QToolButton, QWidget

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
        for workspace in shown:
            self.addAction(actions[f"workspace.{workspace.name}"])
        line = QFrame()
        line.setProperty("role", "line")
        self.addWidget(line)
        self._tools = {kind: actions[f"tool.{kind.name}"] for kind in tool_kinds()}
        self.addActions(list(self._tools.values()))
        for button in self.findChildren(QToolButton):
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            if button.defaultAction() not in self._tools.values():
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)

    def offer(self, workspace: str) -> None:
        """Show the tools of this workspace, if there is a choice."""
        for kind, action in self._tools.items():
            action.setVisible(kind.workspace == workspace)
