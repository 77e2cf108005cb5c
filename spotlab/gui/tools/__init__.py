"""What the pointer does on the canvas: one tool in each file, found by the registry."""

from spotlab.gui.tools.base import ToolKind
from spotlab.registry import discover


def tool_kinds(workspace: str | None = None) -> list[ToolKind]:
    """The tools of a workspace, or of all, in the order in which they are offered.

    The first one of a workspace is its default.
    """
    kinds = discover("spotlab.gui.tools", ToolKind).values()
    offered = [kind for kind in kinds if workspace in (None, kind.workspace)]
    return sorted(offered, key=lambda kind: kind.order)


__all__ = ["ToolKind", "tool_kinds"]
