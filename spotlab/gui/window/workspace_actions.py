"""The workspaces as actions: on the rail, in View, by keys, in the palette."""

from __future__ import annotations

from spotlab.gui.workspace.action import Action, needs
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import Workspace, workspaces


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
        section="Workspace",
    )


def workspace_actions() -> tuple[Action, ...]:
    """An action for each workspace, which enters it."""
    return tuple(map(_enter, workspaces()))
