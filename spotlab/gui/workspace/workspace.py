"""Definition of a workspace: state, panels, layers, tools, actions and undo stack of one job."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

import spotlab.gui
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Layer, ToolKind
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace.action import Menu
from spotlab.gui.workspace.view_file import PathTexts
from spotlab.gui.workspace.window import UndoStack, Window
from spotlab.registry import discover


@dataclass(frozen=True)
class Panel:
    """A panel beside or below the canvas.

    Attributes
    ----------
    name, title : str
    area : Qt.DockWidgetArea
    make : callable
        Makes the panel for a window.
    width : int
        Screen px, at first; below the canvas, the height.
    share : float
        Of the window's width, at first, where that is more than ``width``. Below the canvas, of the
        window's height, at most.
    height : int
        Screen px at a side, in proportion to the panels above and below; 0: what it needs.
    shown : bool
        At first.
    front : bool
        At first, in front of the panels that it shares its place with.
    beside : str
        Another panel that it shares its place with, as tabs do.
    menu_title, tip : str
        In View > Panels; the title by default.
    words : str
        Other words that the command palette finds it by, separated by spaces.
    key : str
        By default, of the action that shows the panel.
    workspace : str
        The workspace that a panel of an outside package joins.
    """

    name: str
    title: str
    area: Qt.DockWidgetArea
    make: Callable[[Window], QWidget]
    width: int = 260
    shown: bool = True
    beside: str = ""
    menu_title: str = ""
    tip: str = ""
    words: str = ""
    key: str = ""
    workspace: str = ""
    share: float = 0.0
    height: int = 0
    front: bool = False


@dataclass(frozen=True)
class LayerKind:
    """A layer that a workspace shows over the page.

    Attributes
    ----------
    name : str
    make : callable
        Makes the layer on a canvas.
    """

    name: str
    make: Callable[[Canvas], Layer]


@dataclass(frozen=True)
class PageMenu:
    """Menu of actions for a right click on the page.

    Attributes
    ----------
    groups : sequence of sequences of str
        Ids of actions, with a line between the groups.
    all : bool
        Whether actions that cannot be done now are shown, dimmed.
    """

    groups: Sequence[Sequence[str]]
    all: bool = False


@dataclass(frozen=True)
class KeptView:
    """Part of a workspace that a view saves and restores; see `view_file`.

    Attributes
    ----------
    kind : type
        A `msgspec.Struct` whose fields have defaults.
    take : callable
        Takes the window and `PathTexts`; gives a value of that kind.
    give : callable
        Takes the window, a value of that kind, and `PathTexts`; looks at that again.
    opens : callable
        Takes a value as JSON has it; whether it opens anything where no page is open.
    """

    kind: type[Any]
    take: Callable[[Window, PathTexts], object]
    give: Callable[[Window, Any, PathTexts], object]
    opens: Callable[[Any], bool] = lambda _: False


@dataclass(frozen=True)
class Workspace:
    """One job that the window is for, with all that belongs to it.

    Attributes
    ----------
    name, title, icon, tip : str
        What the rail shows.
    order : int
        Its place on the rail, and the digit that goes with Ctrl.
    states : tuple of callables
        Classes of what the workspace knows; each is made with the workbench at the start and is
        ``workbench.state(kind)`` from then on.
    panels : tuple of Panel
    layers : tuple of LayerKind
    tools : tuple of ToolKind
        The first one is the default.
    menus : tuple of Menu
    undo : callable, optional
        Gives the undo stack; by default that of the open page.
    draws : bool
        Whether the regions of the open page may be drawn and changed.
    page_menu : callable, optional
        What a right click on the page offers.
    begin : callable, optional
        Called once with the window when its panels are there.
    open_dropped : callable, optional
        What is done with files dropped on the window; by default they are opened as a collection.
    shares : tuple of str
        Panels of others that are shown in this workspace, too.
    offers : tuple of str
        Panels of others that may be shown in this workspace, and are not at first.
    above : callable, optional
        Makes what stands above the canvas for a window.
    pageless : bool
        Whether it has something to show where no collection is open.
    arrangement : int
        Which arrangement of panels ``panels`` is: what users have remembered of another one is not
        restored. To be counted up when panels get other places.
    folds : tuple of Qt.DockWidgetArea
        The sides whose panels are folded away at first in a narrow window.
    middle : int
        The width in px that the middle needs. In a narrow window, opening the panels of one side
        folds those of the other side away where the middle would have less.
    sample : callable, optional
        Opens sample pages that suit it; by default, the floor plans are opened.
    kept : callable, optional
        What of it a view keeps.
    """

    name: str
    title: str
    icon: str
    tip: str
    order: int
    states: tuple[Callable[[Workbench], object], ...] = ()
    panels: tuple[Panel, ...] = ()
    layers: tuple[LayerKind, ...] = ()
    tools: tuple[ToolKind, ...] = ()
    menus: tuple[Menu, ...] = ()
    undo: Callable[[Workbench], UndoStack] | None = None
    draws: bool = False
    page_menu: Callable[[Window], PageMenu] | None = None
    begin: Callable[[Window], object] | None = None
    open_dropped: Callable[[Window, Sequence[Path]], object] | None = None
    shares: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    above: Callable[[Window], QWidget] | None = None
    pageless: bool = False
    arrangement: int = 0
    folds: tuple[Qt.DockWidgetArea, ...] = ()
    middle: int = 0
    sample: Callable[[Window], object] | None = None
    kept: Callable[[], KeptView] | None = None


def workspaces() -> list[Workspace]:
    """All workspaces in their order: those in folders of the gui, and those of outside packages."""
    every = discover("spotlab.gui.workspaces", Workspace, frozenset(), _own_modules()).values()
    return sorted(every, key=lambda workspace: workspace.order)


@cache
def _own_modules() -> tuple[str, ...]:
    folders = [f"spotlab.gui.{info.name}" for info in pkgutil.iter_modules(spotlab.gui.__path__)]
    return tuple(f"{folder}.workspace" for folder in folders if find_spec(folder + ".workspace"))


def tool_kinds(workspace: str | None = None) -> list[ToolKind]:
    """The tools of a workspace, or of all, in the order in which they are offered.

    The first one of a workspace is its default.
    """
    own = [kind for space in workspaces() for kind in space.tools]
    taken = frozenset(kind.name for kind in own)
    every = [*own, *discover("spotlab.gui.tools", ToolKind, taken, ()).values()]
    offered = [kind for kind in every if workspace in (None, kind.workspace)]
    return sorted(offered, key=lambda kind: kind.order)


def layer_kinds() -> list[LayerKind]:
    """The layers of all workspaces, and those of outside packages above them."""
    own = [kind for space in workspaces() for kind in space.layers]
    taken = frozenset(kind.name for kind in own)
    return [*own, *discover("spotlab.gui.layers", LayerKind, taken, ()).values()]


def outside_panels(taken: frozenset[str]) -> list[Panel]:
    """The panels that outside packages add to workspaces; ``taken`` are names in use."""
    return list(discover("spotlab.gui.panels", Panel, taken, ()).values())
