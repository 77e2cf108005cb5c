"""The layers of the canvas that show a single run: the current one, and run B of a comparison."""

from __future__ import annotations

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.inspect.layer import InspectLayer
from spotlab.gui.inspect.state.comparison import ComparisonSide, ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.second_run import SecondRun


def current_run(canvas: Canvas) -> InspectLayer:
    """The current run, unless the differences or run B are shown in its place."""
    comparison = canvas.workbench.state(ComparisonState)

    def shown() -> bool:
        return not comparison.on or comparison.side in (ComparisonSide.FIRST, ComparisonSide.BOTH)

    return _following(InspectLayer(canvas, canvas.workbench.state(Inspection), shown), comparison)


def second_run(canvas: Canvas) -> InspectLayer:
    """Run B, while the page shows it alone."""
    comparison = canvas.workbench.state(ComparisonState)

    def shown() -> bool:
        return comparison.on and comparison.side is ComparisonSide.SECOND

    return _following(InspectLayer(canvas, SecondRun(canvas.workbench), shown), comparison)


def _following(layer: InspectLayer, comparison: ComparisonState) -> InspectLayer:
    layer.follow_also(comparison.side_changed, comparison.changed)
    return layer
