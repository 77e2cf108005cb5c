"""The tools: one in each file, and those of outside packages."""

import pkgutil

import spotlab.gui
from spotlab.gui.canvas.tool import ToolKind
from spotlab.registry import discover


def tool_kinds(workspace: str | None = None) -> list[ToolKind]:
    """The tools of a workspace, or of all, in the order in which they are offered.

    The first one of a workspace is its default.
    """
    modules = tuple(
        info.name
        for info in pkgutil.walk_packages(spotlab.gui.__path__, "spotlab.gui.")
        if info.name.endswith(".tool") or ".tools." in info.name or info.name.endswith("draw_query")
    )
    kinds = discover("spotlab.gui.tools", ToolKind, frozenset(), modules).values()
    offered = [kind for kind in kinds if workspace in (None, kind.workspace)]
    return sorted(offered, key=lambda kind: kind.order)
