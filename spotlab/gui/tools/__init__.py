"""What the pointer does on the canvas: one tool in each file, found by the registry."""

from spotlab.gui.tools.base import ToolKind
from spotlab.registry import discover


def tool_kinds() -> list[ToolKind]:
    """All tools in the order in which they are offered; the first one is the default."""
    return sorted(discover("spotlab.gui.tools", ToolKind).values(), key=lambda kind: kind.order)


__all__ = ["ToolKind", "tool_kinds"]
