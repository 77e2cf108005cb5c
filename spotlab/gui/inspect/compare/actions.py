"""The actions of the Run menu that compare two runs and step through what there is to look at."""

from __future__ import annotations

from spotlab.gui.workspace import Action, Window, needs
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.inspect.panels import compare, errors
    from spotlab.gui.inspect.state import comparison


SECTION = "&Compare Runs"


def step(window: Window, by: int) -> None:
    """Go to the next or the previous change while runs are compared, else to an error."""
    if _is_on(window):
        window.panel(compare.ComparePanel).step(by)
    else:
        window.panel(errors.ErrorsPanel).step(by)


def _state(window: Window) -> comparison.ComparisonState:
    return window.workbench.state(comparison.ComparisonState)


@needs("No runs are compared")
def _is_on(window: Window) -> bool:
    return _state(window).on


@needs("Open two runs first")
def _may_compare(window: Window) -> bool:
    return bool(_state(window).others)


@needs("Go to Inspect first", _is_on)
def _here(window: Window) -> bool:
    """Letters are keys only there: elsewhere they find labels."""
    return window.workbench.workspace == "inspect"


def _compare(window: Window) -> None:
    """Begin with the run after the current one, or end it."""
    compared = _state(window)
    if compared.on:
        compared.choose(None)
        return
    others = compared.others
    if others:
        if window.workbench.workspace != "inspect":
            window.enter("inspect")
        compared.choose(others[compared.next_place])
        window.docks.bring("compare")


def _side(window: Window, side: comparison.ComparisonSide) -> None:
    compared = _state(window)
    compared.show(comparison.ComparisonSide.DIFFERENCES if compared.side is side else side)


ACTIONS = (
    Action(
        "run.compare",
        "&Compare with Another Run",
        _compare,
        ("Ctrl+Alt+B",),
        enabled=_may_compare,
        checked=_is_on,
        icon="compare-horizontal",
        tip="Show what changes from the current run, A, to another one, B",
        section=SECTION,
    ),
    Action(
        "run.compare_swap",
        "S&wap A and B",
        lambda window: _state(window).swap(),
        enabled=_is_on,
        icon="swap-horizontal",
        tip="Let run B be the current run, and compare it with A",
        section=SECTION,
    ),
    Action(
        "run.compare_flip",
        "&Flip between A and B",
        lambda window: _state(window).flip(),
        ("B",),
        enabled=_here,
        icon="flip-horizontal",
        tip="Show run A on the page, then run B, then A again; hold the key to blink",
        section=SECTION,
        rule=True,
        repeats=True,
    ),
    Action(
        "run.compare_differences",
        "Show &Differences",
        lambda window: _state(window).show(comparison.ComparisonSide.DIFFERENCES),
        ("Shift+B",),
        enabled=_here,
        checked=lambda window: (
            _is_on(window) and _state(window).side is comparison.ComparisonSide.DIFFERENCES
        ),
        tip="Show on the page what only A found, only B, both, and neither",
        section=SECTION,
    ),
    Action(
        "run.compare_side_by_side",
        "A and B &Side by Side",
        lambda window: _side(window, comparison.ComparisonSide.BOTH),
        ("Ctrl+B",),
        enabled=_is_on,
        checked=lambda window: (
            _is_on(window) and _state(window).side is comparison.ComparisonSide.BOTH
        ),
        icon="view-split-vertical",
        tip="Show A at the left and B at the right, with linked zoom",
        section=SECTION,
    ),
)
