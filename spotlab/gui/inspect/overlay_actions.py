"""The actions of the Run menu that say what the canvas paints: areas, symbols or both."""

from __future__ import annotations

from spotlab.gui.inspect.state.overlay_choice import OverlayChoice, OverlayKind
from spotlab.gui.workspace.action import Action, needs
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.inspect.state import inspection


SECTION = "Show on the Pa&ge"


def _choice(window: Window) -> OverlayChoice:
    return window.workbench.state(OverlayChoice)


@needs("Open a run in Inspect first")
def _inspecting(window: Window) -> bool:
    """The letter is a key only there: elsewhere it finds labels."""
    has_run = bool(window.workbench.state(inspection.Inspection).runs)
    return has_run and window.workbench.workspace == "inspect"


def _show(value: OverlayKind, title: str, tip: str) -> Action:
    return Action(
        f"run.show_{value.value}",
        title,
        lambda window: _choice(window).choose(value),
        enabled=_inspecting,
        checked=lambda window: _choice(window).value is value,
        tip=tip,
        section=SECTION,
    )


ACTIONS = (
    _show(
        OverlayKind.AREAS, "&Areas", "Fill areas by their kinds: found, other label, false, missed"
    ),
    _show(OverlayKind.SYMBOLS, "&Symbols", "Mark symbols as recognised, partly found or missed"),
    _show(OverlayKind.BOTH, "&Both", "Fill areas, and mark symbols"),
    Action(
        "run.show_next",
        "&Next of These",
        lambda window: _choice(window).next(),
        ("S",),
        enabled=_inspecting,
        icon="layers-outline",
        tip="Show areas, then symbols, then both",
        section=SECTION,
        rule=True,
    ),
)
