"""Annotate: draw ground truth."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt

from spotlab.editing.operations import bounds_of
from spotlab.geometry.polygon import bounds
from spotlab.gui.annotate import label_set_actions, page_menu, region_actions
from spotlab.gui.annotate.hidden_layer import HiddenLayer
from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.annotate.panels.history import HistoryPanel
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.annotate.panels.regions import RegionsPanel
from spotlab.gui.annotate.picking_layer import PickingLayer
from spotlab.gui.annotate.region_list import RegionList
from spotlab.gui.annotate.rooms.rooms import Rooms
from spotlab.gui.annotate.rooms.rooms_bar import RoomsBar
from spotlab.gui.annotate.second import actions as second_actions
from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.dialogs import ask_decisions
from spotlab.gui.annotate.second.layer import SecondLayer
from spotlab.gui.annotate.second.panel import SecondPanel
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
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
        height=390,
        menu_title="&Labels",
        tip="The labels of the collection, with their colours and digits",
    ),
    Panel(
        "region_list",
        "Regions",
        _RIGHT,
        lambda window: RegionsPanel(window.workbench, window.canvas.gliding),
        beside="labels",
        menu_title="Re&gions",
        tip="All regions of the page, to sort, find, hide and lock them",
        key="Ctrl+Shift+T",
    ),
    Panel(
        "properties",
        "Region",
        _RIGHT,
        lambda window: PropertiesPanel(window.workbench),
        height=350,
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
    Panel(
        "second",
        "Second Annotator",
        _RIGHT,
        SecondPanel,
        shown=False,
        beside="properties",
        menu_title="Second &Annotator",
        tip="Agreement with a second annotator of the same pages, and what is decided",
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

    workbench.collection.label_refused.connect(partial(label_set_actions.refuse, window))
    proposals.current_changed.connect(show_current)
    second = workbench.state(SecondAnnotator)

    def show_pair() -> None:
        pair = second.current
        if pair is not None and workbench.document is not None:
            regions = [region for region in (pair.first, pair.second) if region is not None]
            canvas.gliding.show(bounds_of(regions))

    second.current_changed.connect(show_pair)
    workbench.state(Adjudication).folder_wanted.connect(lambda: ask_decisions(window))
    proposals.pages.may_go = lambda: canvas.pointing.gesture is None


WORKSPACE = Workspace(
    "annotate",
    "Annotate",
    "shape-polygon-plus",
    "Annotate your pages",
    1,
    states=(Proposals, Rooms, RegionList, SecondAnnotator, Adjudication),
    panels=_PANELS,
    layers=(
        LayerKind("second", SecondLayer),
        LayerKind("proposals", ProposalsLayer),
        LayerKind("picking", PickingLayer),
        LayerKind("hidden", HiddenLayer),
    ),
    tools=(*(module.KIND for module in _TOOLS), draw_query.KIND),
    menus=(region_actions.MENU, second_actions.MENU),
    undo=TruthUndo,
    draws=True,
    page_menu=page_menu.offered,
    begin=_begin,
    shares=("pages",),
    offers=("findings", "curves"),
)
