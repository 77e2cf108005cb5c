"""The Tools menu: the tools that the registry finds."""

from __future__ import annotations

from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.workspace.action import Action, Menu, needs
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import tool_kinds, workspaces


def _owner(kind: ToolKind) -> str:
    """The title of the workspace that has the tool."""
    return next((each.title for each in workspaces() if each.name == kind.workspace), "")


def _choose(kind: ToolKind) -> Action:
    def run(window: Window) -> None:
        window.workbench.set_tool(kind.name)
        window.canvas.setFocus()

    @needs(f"{kind.title} is a tool of {_owner(kind)}")
    def is_offered(window: Window) -> bool:
        return window.workbench.workspace == kind.workspace

    def is_chosen(window: Window) -> bool:
        return window.workbench.tool == kind.name

    return Action(
        f"tool.{kind.name}",
        kind.title,
        run,
        (kind.shortcut,) if kind.shortcut else (),
        enabled=is_offered,
        checked=is_chosen,
        icon=kind.icon,
        tip="\n".join(filter(None, (kind.hint, kind.keys))),
        shown=is_offered,
    )


def _has_choice(window: Window) -> bool:
    """Whether the current workspace has several tools."""
    return len(tool_kinds(window.workbench.workspace)) > 1


def menu() -> Menu:
    """The Tools menu."""
    tools = tuple(map(_choose, tool_kinds()))
    return Menu("tool", "&Tools", 6, tools, shown=_has_choice)
