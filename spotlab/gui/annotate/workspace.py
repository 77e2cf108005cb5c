"""Annotate: draw ground truth."""

from __future__ import annotations

from PySide6.QtCore import Qt

from spotlab.geometry.polygon import bounds
from spotlab.gui.annotate import page_menu, region_actions
from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.annotate.panels.history import HistoryPanel
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.annotate.picking_layer import PickingLayer
from spotlab.gui.annotate.rooms.rooms import Rooms
from spotlab.gui.annotate.rooms.rooms_bar import RoomsBar
from spotlab.gui.annotate.second import actions as second_actions
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.annotate.similar.proposals_layer import ProposalsLayer
from spotlab.gui.annotate.tools import (
    box,
    cells,
    draw_query,
    ellipse,
    free_polygon,
    isothetic,
    polygon,
    room,
    select,
    sketch,
    split,
    trace,
    wall,
)
from spotlab.gui.annotate.undo import TruthUndo
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import LayerKind, Panel, Workspace

_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_TOOLS = (
    sketch,
    trace,
    box,
    ellipse,
    polygon,
    free_polygon,
    isothetic,
    cells,
    room,
    wall,
    split,
    select,
)


_PANELS = (
    Panel(
        "labels",
        "Labels",
        _RIGHT,
        lambda window: LabelsPanel(window.workbench),
        menu_title="&Labels",
        tip="The labels of the collection, with their colours and digits",
    ),
    Panel(
        "properties",
        "Region",
        _RIGHT,
        lambda window: PropertiesPanel(window.workbench),
        menu_title="&Region",
        tip="Properties of the selected regions",
    ),
    Panel(
        "history",
        "Steps",
        _RIGHT,
        lambda window: HistoryPanel(window.workbench),
        shown=False,
        menu_title="&Steps",
        tip="Editing steps of the page; go back to any of them",
        key="Ctrl+Shift+Y",
    ),
)


def _begin(window: Window) -> None:
    """Show proposals where they are, and let nothing change under a gesture."""
    workbench, canvas = window.workbench, window.canvas
    proposals = workbench.state(Proposals)
    window.part(LabelFinder)
    window.add_strip(RoomsBar(workbench))
    window.add_strip(ProposalsBar(workbench))
    window.status.watch_when_busy(proposals.pages)

    def show_current() -> None:
        current = proposals.current
        if current is not None and workbench.document is not None:
            canvas.gliding.show(bounds(current.outline))

    proposals.current_changed.connect(show_current)
    proposals.pages.may_go = lambda: canvas.pointing.gesture is None


WORKSPACE = Workspace(
    "annotate",
    "Annotate",
    "shape-polygon-plus",
    "Annotate your pages",
    1,
    states=(Proposals, Rooms),
    panels=_PANELS,
    layers=(LayerKind("proposals", ProposalsLayer), LayerKind("picking", PickingLayer)),
    tools=(*(module.KIND for module in _TOOLS), draw_query.KIND),
    menus=(region_actions.MENU, second_actions.MENU),
    undo=TruthUndo,
    draws=True,
    page_menu=page_menu.offered,
    begin=_begin,
    shares=("pages",),
    offers=("findings", "curves"),
)
