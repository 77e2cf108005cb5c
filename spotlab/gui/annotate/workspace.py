"""Annotate: draw ground truth."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt

from spotlab.gui.annotate import label_actions, region_actions
from spotlab.gui.annotate.second import actions as second_actions
from spotlab.gui.annotate.tool_kinds import TOOLS
from spotlab.gui.pages.workbench import PageUndo, Workbench
from spotlab.gui.workspace import LayerKind, Panel, Window, Workspace
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.editing import operations
    from spotlab.geometry import polygon
    from spotlab.gui.annotate import label_finder, layers, page_menu, region_list
    from spotlab.gui.annotate.order import panel as order_panel
    from spotlab.gui.annotate.panels import history, labels, properties, regions
    from spotlab.gui.annotate.rooms import rooms, rooms_bar
    from spotlab.gui.annotate.second import actions, adjudication, layer, panel, second_annotator
    from spotlab.gui.annotate.similar import proposals, proposals_bar, proposals_layer


_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea


_PANELS = (
    Panel(
        "labels",
        "Labels",
        _RIGHT,
        lambda window: labels.LabelsPanel(window.workbench),
        240,
        height=390,
        words="rename colour color class digit order",
        menu_title="&Labels",
        tip="The labels of the collection, with their colours and digits",
    ),
    Panel(
        "region_list",
        "Regions",
        _RIGHT,
        lambda window: regions.RegionsPanel(window.workbench, window.canvas.gliding),
        240,
        beside="labels",
        words="list objects annotations",
        menu_title="Re&gions",
        tip="All regions of the page, to sort, find, hide and lock them",
        key="Ctrl+Shift+T",
    ),
    Panel(
        "properties",
        "Region",
        _RIGHT,
        lambda window: properties.PropertiesPanel(window.workbench),
        240,
        height=350,
        words="properties attributes text area",
        menu_title="&Region",
        tip="Properties of the selected regions",
    ),
    Panel(
        "order",
        "Reading Order",
        _RIGHT,
        lambda window: order_panel.OrderPanel(window.workbench),
        240,
        shown=False,
        beside="labels",
        words="sequence text flow columns groups",
        menu_title="Reading &Order",
        tip="In which order the regions are read; drag them to where they belong",
    ),
    Panel(
        "history",
        "Steps",
        _RIGHT,
        lambda window: history.HistoryPanel(window.workbench),
        240,
        shown=False,
        words="history log undo",
        menu_title="&Steps",
        tip="Editing steps of the page; go back to any of them",
        key="Ctrl+Shift+Y",
    ),
    Panel(
        "second",
        "Second Annotator",
        _RIGHT,
        lambda window: panel.SecondPanel(window),
        240,
        shown=False,
        beside="properties",
        words="compare annotator",
        menu_title="Second &Annotator",
        tip="Agreement with a second annotator of the same pages, and what is decided",
        help="annotators",
    ),
)


def _begin(window: Window) -> None:
    """Show proposals where they are, and let nothing change under a gesture."""
    workbench, canvas = window.workbench, window.canvas
    proposed = workbench.state(proposals.Proposals)
    window.part(label_finder.LabelFinder)
    window.add_strip(rooms_bar.RoomsBar(workbench))
    window.add_strip(proposals_bar.ProposalsBar(window))
    window.add_strip(layers.FirstStepsStrip(window))
    window.status.watch_when_busy(proposed.pages)

    def show_current() -> None:
        current = proposed.current
        if current is not None and workbench.document is not None:
            canvas.gliding.show(polygon.bounds(current.outline))

    workbench.collection.label_refused.connect(partial(label_actions.refuse, window), canvas)
    proposed.current_changed.connect(show_current, canvas)
    second = workbench.state(second_annotator.SecondAnnotator)

    def show_pair() -> None:
        pair = second.current
        if pair is not None and workbench.document is not None:
            regions = [region for region in (pair.first, pair.second) if region is not None]
            canvas.gliding.show(operations.bounds_of(regions))

    second.current_changed.connect(show_pair, canvas)
    workbench.state(adjudication.Adjudication).folder_wanted.connect(
        lambda: actions.ask_decisions(window), canvas
    )
    proposed.pages.may_go = lambda: canvas.pointing.gesture is None


WORKSPACE = Workspace(
    "annotate",
    "Annotate",
    "shape-polygon-plus",
    "Annotate your pages",
    1,
    states=(
        lambda workbench: workbench.state(proposals.Proposals),
        lambda workbench: workbench.state(rooms.Rooms),
        lambda workbench: workbench.state(region_list.RegionList),
        lambda workbench: workbench.state(second_annotator.SecondAnnotator),
        lambda workbench: workbench.state(adjudication.Adjudication),
        lambda workbench: workbench.state(layers.FirstSteps),
    ),
    panels=_PANELS,
    layers=(
        LayerKind("reading_order", lambda canvas: layers.OrderLayer(canvas)),
        LayerKind("second", lambda canvas: layer.SecondLayer(canvas)),
        LayerKind("proposals", lambda canvas: proposals_layer.ProposalsLayer(canvas)),
        LayerKind("picking", lambda canvas: layers.PickingLayer(canvas)),
        LayerKind("first_steps", lambda canvas: layers.FirstStepsLayer(canvas)),
        LayerKind("hidden", lambda canvas: layers.HiddenLayer(canvas)),
    ),
    tools=TOOLS,
    menus=(region_actions.MENU, second_actions.MENU),
    undo=lambda workbench: TruthUndo(workbench),
    draws=True,
    page_menu=lambda window: page_menu.offered(window),
    begin=_begin,
    shares=("pages",),
    offers=("findings", "curves"),
    folds=(_LEFT,),
)


class TruthUndo(PageUndo):
    """A decision since the page's last step or a rejected proposal first; then the page's steps."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._proposals = workbench.state(proposals.Proposals)
        self._deciding = workbench.state(adjudication.Adjudication)

    @property
    def undo_name(self) -> str | None:
        """Return what the next step back is called."""
        return self._deciding.undo_name or self._proposals.undo_name or super().undo_name

    @property
    def redo_name(self) -> str | None:
        """Return what the next step forward is called."""
        return self._deciding.redo_name or super().redo_name

    def undo(self) -> None:
        """Take the last step back."""
        if not self._deciding.undo() and not self._proposals.undo():
            super().undo()

    def redo(self) -> None:
        """Take the last undone step again."""
        if not self._deciding.redo():
            super().redo()
