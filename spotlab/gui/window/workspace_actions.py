"""The workspaces as actions: on the rail, by keys, in the palette."""

from __future__ import annotations

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace.action import Action, Menu, needs
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import Workspace, workspaces
from spotlab.signal import Signal


def _enter(workspace: Workspace) -> Action:
    def is_shown(window: Window) -> bool:
        return window.workbench.workspace == workspace.name

    return Action(
        f"workspace.{workspace.name}",
        workspace.title,
        lambda window: window.enter(workspace.name),
        (f"Ctrl+{workspace.order}",),
        enabled=needs("This workspace could not be loaded")(
            lambda window: window.has_workspace(workspace.name)
        ),
        checked=is_shown,
        icon=workspace.icon,
        tip=f"{workspace.title}: {workspace.tip}",
    )


def _signals(workbench: Workbench) -> tuple[Signal[...], ...]:
    return (workbench.workspace_changed,)


def menu() -> Menu:
    """The Workspace menu."""
    return Menu("workspace", "&Workspace", 8, tuple(map(_enter, workspaces())), signals=_signals)
