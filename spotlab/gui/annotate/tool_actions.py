"""The Tools menu: the tools that the registry finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.canvas.tools_found import tool_kinds
from spotlab.gui.workspace.action import Action, Menu

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow


def _choose(kind: ToolKind) -> Action:
    def run(window: MainWindow) -> None:
        window.workbench.set_tool(kind.name)
        window.canvas.setFocus()

    def is_chosen(window: MainWindow) -> bool:
        return window.workbench.tool == kind.name

    return Action(
        f"tool.{kind.name}",
        kind.title,
        run,
        (kind.shortcut,) if kind.shortcut else (),
        enabled=lambda window: window.workbench.workspace == kind.workspace,
        checked=is_chosen,
        icon=kind.icon,
        tip=kind.hint,
    )


MENU = Menu("tool", "&Tools", 6, tuple(_choose(kind) for kind in tool_kinds()))
