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
from spotlab.gui.kit.settings import TOOL_NAMES, Settings
from spotlab.gui.workspace.workspace import Workspace, tool_kinds

if TYPE_CHECKING:
    from spotlab.gui.canvas.tool import ToolKind
    from spotlab.gui.window.actions import Actions

SIDE, NAMED_SIDE, BETWEEN = 22, 15, 3  # px of an icon, of one with its name, between icons
SMALL = 0.85  # of the size of other text, for names of tools
BESIDE = 2  # tools in a row where one column is too high
MORE = "More tools"


class Rail(QToolBar):
    """A narrow column of icons, with names below them where there is room for all."""

    def __init__(
        self,
        shown: list[Workspace],
        actions: Actions,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Rail", parent)
        self.setObjectName("rail")
        self.setOrientation(Qt.Orientation.Vertical)
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.column = _Column(
            [actions.on_button(f"workspace.{workspace.name}") for workspace in shown],
            {kind: actions.on_button(f"tool.{kind.name}") for kind in tool_kinds()},
            settings,
        )
        self.addWidget(self.column)

    def offer(self, workspace: str) -> None:
        """Show the tools of this workspace, if there is a choice."""
        self.column.offer(workspace)


class _Column(QWidget):
    """All workspaces and tools, in two columns where one is too high; a menu has what is left."""

    def __init__(
        self, workspaces: list[QAction], tools: dict[ToolKind, QAction], settings: Settings
    ) -> None:
        super().__init__()
        self._settings = settings
        self.destroyed.connect(settings.changed.connect(self._follow_setting))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._tools = tools
        self._offered: list[QToolButton] = []
        self._workspaces = [_button(action) for action in workspaces]
        for kind, action in tools.items():
            action.setIconText(kind.caption or kind.title)
        self._buttons = {kind: _button(action) for kind, action in tools.items()}
        for button in self._buttons.values():
            font = button.font()
            font.setPointSizeF(SMALL * font.pointSizeF())
            button.setFont(font)
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
        self.more.setIcon(icons.icon("dots-horizontal"))

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

    def _follow_setting(self, name: str) -> None:
        if name == TOOL_NAMES.name:
            self._fit()

    def _show_names(self) -> bool:
        """Show the names of the tools; False, and icons alone, if there is no room for all."""
        wanted = self._settings.get(TOOL_NAMES) and len(self._offered) > 1
        for named in (True, False) if wanted else (False,):
            style = Qt.ToolButtonStyle
            for button in self._offered:
                button.setToolButtonStyle(
                    style.ToolButtonTextUnderIcon if named else style.ToolButtonIconOnly
                )
                button.setProperty("role", "named" if named else "")
                button.style().polish(button)
                side = NAMED_SIDE if named else SIDE
                button.setIconSize(QSize(side, side))
            hints = [button.sizeHint() for button in self._offered]
            between = 0 if named else BETWEEN
            self._places.setSpacing(between)
            high = sum(hint.height() + between for hint in hints)
            wide = max((hint.width() for hint in hints), default=0)
            room = self.minimumSizeHint().width(), self.height() - self._above()
            if named and wide <= room[0] and high <= room[1]:
                return True
        return False

    def _fit(self) -> None:
        each = self.more.sizeHint().height() + BETWEEN
        if self._show_names():
            each = 1  # all have room
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


def _button(action: QAction | None = None) -> QToolButton:
    button = QToolButton()
    button.setAutoRaise(True)
    button.setIconSize(QSize(SIDE, SIDE))
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if action is not None:
        button.setDefaultAction(action)
    return button
