"""The rail at the left: the workspaces, and below them the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.kit import icons
from spotlab.gui.workspace.workspace import Workspace, tool_kinds

if TYPE_CHECKING:
    from spotlab.gui.canvas.tool import ToolKind
    from spotlab.gui.window.action_table import Actions

SIDE, BETWEEN = 22, 3  # px of an icon, and between buttons
BESIDE = 2  # tools in a row where one column is too high
MORE = "More tools"


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
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.column = _Column(
            [actions[f"workspace.{workspace.name}"] for workspace in shown],
            {kind: actions[f"tool.{kind.name}"] for kind in tool_kinds()},
        )
        self.addWidget(self.column)

    def offer(self, workspace: str) -> None:
        """Show the tools of this workspace, if there is a choice."""
        self.column.offer(workspace)


class _Column(QWidget):
    """All workspaces and tools, in two columns where one is too high; a menu has what is left."""

    def __init__(self, workspaces: list[QAction], tools: dict[ToolKind, QAction]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._tools = tools
        self._offered: list[QToolButton] = []
        self._workspaces = [_button(action) for action in workspaces]
        self._buttons = {kind: _button(action) for kind, action in tools.items()}
        self.menu = QMenu(self)
        self.more = _button()
        self.more.setToolTip(MORE)
        self.more.setAccessibleName(MORE)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self.menu)
        line = QFrame()
        line.setProperty("role", "line")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(BETWEEN)
        for button in self._workspaces:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            column.addWidget(button)
        column.addWidget(line)
        self._places = QGridLayout()
        self._places.setSpacing(BETWEEN)
        column.addLayout(self._places)
        column.addWidget(self.more)
        column.addStretch()
        icons.repainted.changed.connect(self._paint_icons)
        self._paint_icons()

    def offer(self, workspace: str) -> None:
        """Show these tools."""
        for kind, action in self._tools.items():
            action.setVisible(kind.workspace == workspace)
        self._offered = [
            button for kind, button in self._buttons.items() if kind.workspace == workspace
        ]
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """The workspaces, and the menu of the tools."""
        wide = max(button.sizeHint().width() for button in self._workspaces)
        return QSize(wide, self._above() + self.more.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is room for more tools or for fewer."""
        super().resizeEvent(event)
        self._fit()

    def _above(self) -> int:
        """Px of height of what stands above the tools."""
        heights = [button.sizeHint().height() for button in self._workspaces]
        return sum(heights) + (len(heights) + 1) * BETWEEN + 1

    def _fit(self) -> None:
        each = self.more.sizeHint().height() + BETWEEN
        places = max(0, (self.height() - self._above() + BETWEEN) // each)
        beside = 1 if len(self._offered) <= places else BESIDE
        fitting = beside * (places if len(self._offered) <= beside * places else max(0, places - 1))
        for button in self._buttons.values():
            self._places.removeWidget(button)
        for at, button in enumerate(self._offered[:fitting]):
            self._places.addWidget(button, at // beside, at % beside)
        shown, others = self._offered[:fitting], self._offered[fitting:]
        for button in self._buttons.values():
            button.setVisible(button in shown)
        self.more.setVisible(bool(others))
        self.menu.clear()
        self.menu.addActions([button.defaultAction() for button in others])

    def _paint_icons(self) -> None:
        self.more.setIcon(icons.icon("dots-horizontal"))


def _button(action: QAction | None = None) -> QToolButton:
    button = QToolButton()
    button.setAutoRaise(True)
    button.setIconSize(QSize(SIDE, SIDE))
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if action is not None:
        button.setDefaultAction(action)
    return button
