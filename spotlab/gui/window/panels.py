"""All panels of the window: the page list and the findings, and those of the workspaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace import (
    LayerKind,
    Panel,
    UndoStack,
    Window,
    Workspace,
    layer_kinds,
    outside_panels,
    workspaces,
)
from spotlab.libraries import late_imports
from spotlab.registry import guarded, is_outside
from spotlab.signal import Signal

with late_imports(__name__):
    from spotlab.gui.pages.panel import findings, pages


PACKAGE = "spotlab.gui."  # and the workspace's name: where its own states are


class LateWorkspaces:
    """Makes the states, layers and undo stack of a workspace, and begins it, as late as it can be.

    Those of other packages are made at once; one that cannot be made is left out.

    Attributes
    ----------
    by_name : dict of str to Workspace
        Made or not, in their order.
    undo_stacks : dict of str to UndoStack
        Of those that are made and have their own.
    made : Signal of Workspace
        A workspace has been made.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self.by_name = {space.name: space for space in workspaces()}
        self.undo_stacks: dict[str, UndoStack] = {}
        self.made = Signal[[Workspace]]()
        self._made: list[Workspace] = []
        self._begun: list[Workspace] | None = None  # None: the window is not complete yet
        kinds = layer_kinds()
        self._layers = [kind.name for kind in kinds]
        window.workbench.states.wanted.connect(self._make_owner)
        for name, space in list(self.by_name.items()):
            if is_outside(space) and not guarded(space, partial(self._make, space)):
                del self.by_name[name]
        of_workspaces = {kind.name for space in workspaces() for kind in space.layers}
        for kind in kinds:
            if kind.name not in of_workspaces:
                guarded(kind, partial(self._add_layer, kind))

    def leave_out(self, name: str) -> None:
        """A workspace has panels that cannot be made."""
        del self.by_name[name]

    def is_made(self, name: str) -> bool:
        """Tell whether a workspace has been made."""
        return any(space.name == name for space in self._made)

    def make(self, name: str) -> None:
        """Make a workspace, unless that is done."""
        space = self.by_name.get(name)
        if space is not None and not self.is_made(name):
            self._make(space)

    def begin(self) -> None:
        """The window is complete: begin those that are made, and from now on each at once."""
        self._begun = []
        for space in self.by_name.values():
            if space in self._made:
                self._begin(space)

    def _make_owner(self, kind: Callable[[Workbench], object]) -> None:
        """A state is wanted: all of its workspace has to be there."""
        name = str(getattr(kind, "__module__", "")).removeprefix(PACKAGE).partition(".")[0]
        self.make(name)

    def _make(self, space: Workspace) -> bool:
        self._made.append(space)
        for state in space.states:
            self._window.workbench.state(state)
        for kind in space.layers:
            self._add_layer(kind, space.name)
        if space.undo:
            self.undo_stacks[space.name] = space.undo(self._window.workbench)
        self._begin(space)
        self.made.emit(space)
        return True

    def _begin(self, space: Workspace) -> None:
        if self._begun is not None and space not in self._begun:
            self._begun.append(space)
            if space.begin:
                guarded(space, partial(space.begin, self._window))

    def _add_layer(self, kind: LayerKind, workspace: str = "") -> None:
        """Layers lie over each other in the same order, whichever workspace is made first."""
        layer = kind.make(self._window.canvas)
        layer.workspace = workspace
        after = self._layers[self._layers.index(kind.name) + 1 :]
        self._window.canvas.add_layer(kind.name, layer, after)


Widget = TypeVar("Widget", bound=QWidget)


def validate(window: Window) -> None:
    """Look through the truth of all pages."""
    window.docks.bring("findings")
    panel = window.panel(findings.FindingsPanel)
    panel.run()
    window.status.watch(panel.task)


def filter_pages(window: Window) -> None:
    """Let the user filter the page list."""
    window.docks.bring("pages")
    box = window.panel(pages.PagesPanel).box
    box.setFocus()
    box.selectAll()


def _findings(window: Window) -> findings.FindingsPanel:
    show = window.canvas.show_selected
    return findings.FindingsPanel(window.workbench, lambda: validate(window), show)


PANELS = (
    Panel(
        "pages",
        "Pages",
        Qt.DockWidgetArea.LeftDockWidgetArea,
        lambda window: pages.PagesPanel(window.workbench),
        230,
        words="thumbnails files list",
        menu_title="&Pages",
        tip="The pages of the collection",
    ),
    Panel(
        "findings",
        "Findings",
        Qt.DockWidgetArea.BottomDockWidgetArea,
        _findings,
        200,
        shown=False,
        words="problems check",
        menu_title="F&indings",
        tip="Mistakes and doubtful regions found by the check of all pages",
    ),
)


class PanelWidgets:
    """The panels that a window has, and their widgets.

    Those of a workspace are made when it is entered for the first time, or asked for. Those of
    other packages are made at once: a workspace with a panel that cannot be made is left out, and
    so is a panel.

    Attributes
    ----------
    by_workspace : dict of str to list of Panel
        The window's own panels are those of "".
    made : Signal
        A panel's name: its widget has been made.
    """

    def __init__(self, window: Window, spaces: Iterable[Workspace]) -> None:
        self.made = Signal[[str]]()
        self._window = window
        self._widgets: dict[str, QWidget] = {}
        self._panels = {panel.name: panel for panel in PANELS}
        self.by_workspace: dict[str, list[Panel]] = {"": list(PANELS)}
        for space in spaces:
            if not is_outside(space) or guarded(space, partial(self._make_all, space)):
                self.by_workspace[space.name] = list(space.panels)
                self._panels |= {panel.name: panel for panel in space.panels}
        for panel in outside_panels(frozenset(self._panels)):
            widget = guarded(panel, partial(panel.make, window))
            if widget is not None and panel.workspace in self.by_workspace:
                self._widgets[panel.name] = widget
                self._panels[panel.name] = panel
                self.by_workspace[panel.workspace].append(panel)

    @property
    def every(self) -> list[Panel]:
        """All panels."""
        return [panel for panels in self.by_workspace.values() for panel in panels]

    @property
    def workspaces(self) -> list[str]:
        """The names of the workspaces whose panels could be made."""
        return [name for name in self.by_workspace if name]

    def of(self, kind: type[Widget]) -> Widget:
        """Return the panel of this class."""
        near = set(kind.__module__.split("."))  # a workspace is in a package of its name

        def distance(name: str) -> tuple[bool, bool]:
            return not self.is_made(name), self.workspace_of(name) not in near

        for name in sorted(self._panels, key=distance):
            if isinstance(widget := self[name], kind):
                return widget
        raise LookupError(f"no panel is a {kind.__name__}")

    def workspace_of(self, name: str) -> str:
        """The workspace that has a panel."""
        return next(
            space
            for space, panels in self.by_workspace.items()
            if any(panel.name == name for panel in panels)
        )

    def is_made(self, name: str) -> bool:
        """Tell whether a panel has its widget."""
        return name in self._widgets

    def __getitem__(self, name: str) -> QWidget:
        if name not in self._widgets:
            self._widgets[name] = self._panels[name].make(self._window)
            self.made.emit(name)
        return self._widgets[name]

    def _make_all(self, space: Workspace) -> bool:
        self._widgets |= {panel.name: panel.make(self._window) for panel in space.panels}
        return True
