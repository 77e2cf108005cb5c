"""The workspaces as actions: on the rail, by keys, in the palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.gui.workspace.action import Action, Menu
from spotlab.gui.workspace.workspace import Workspace, workspaces

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow


def _enter(workspace: Workspace) -> Action:
    def is_shown(window: MainWindow) -> bool:
        return window.workbench.workspace == workspace.name

    return Action(
        f"workspace.{workspace.name}",
        workspace.title,
        lambda window: window.enter(workspace.name),
        (f"Ctrl+{workspace.order}",),
        enabled=lambda window: workspace.name in window.workspaces,
        checked=is_shown,
        icon=workspace.icon,
        tip=f"{workspace.title}: {workspace.tip}",
    )


MENU = Menu("workspace", "&Workspace", 8, tuple(_enter(each) for each in workspaces()))
