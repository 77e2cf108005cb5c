"""Actions of the Run menu on runs that change: one's own spotter, and what a reading changed."""

from __future__ import annotations

from spotlab.gui.workspace.action import Action, always, has_pages, needs
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.inspect.dialogs import own_spotters as spotters_dialog
    from spotlab.gui.inspect.panels import runs
    from spotlab.gui.inspect.state import inspection, own_spotters


def _reads_changed(window: Window) -> bool:
    return window.workbench.state(inspection.Inspection).runs.live.watch.wanted


def _switch_reading(window: Window) -> None:
    watch = window.workbench.state(inspection.Inspection).runs.live.watch
    watch.set_wanted(not watch.wanted)


@needs("The file of this run has not changed")
def _has_changes(window: Window) -> bool:
    current = window.workbench.state(inspection.Inspection).runs.current
    return current is not None and bool(current.changes)


def _show_changes(window: Window) -> None:
    window.panel(runs.RunsPanel).show_changes(
        window.workbench.state(inspection.Inspection).runs.current_index
    )


@needs("No spotter of yours has run, or it is still running", has_pages)
def _may_run_again(window: Window) -> bool:
    spotters = window.workbench.state(own_spotters.OwnSpotters)
    return spotters.last is not None and not spotters.busy


def _run_again(window: Window) -> None:
    spotters = window.workbench.state(own_spotters.OwnSpotters)
    if spotters.last is not None:
        spotters.run(spotters.last)


LIVE = (
    Action(
        "run.add_spotter",
        "Add a Spo&tter…",
        lambda window: spotters_dialog.show(window),
        enabled=has_pages,
        before=has_pages,
        icon="console",
        tip="Run a spotter of your own on all pages by its command line, and open its run",
    ),
    Action(
        "run.spotter_again",
        "R&un the Spotter Again",
        _run_again,
        enabled=_may_run_again,
        tip="Run the spotter that was run last; its run is replaced, and what changed is listed",
    ),
    Action(
        "run.read_changed",
        "Rea&d Changed Runs",
        _switch_reading,
        before=always,
        preference=True,
        checked=_reads_changed,
        tip="Read the file of an open run again when it changes, and list what changed",
        rule=True,
    ),
    Action(
        "run.changes",
        "Chan&ges of the Run…",
        _show_changes,
        enabled=_has_changes,
        icon="playlist-edit",
        tip="List the spots, symbols and figures that changed when the file was read again",
    ),
)
