"""Definition of an action: its name, its place in a menu, its keys, and its effect."""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import quote, unquote_to_bytes

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

import spotlab.gui
from spotlab.errors import BadInput
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.shared.checked_json import MISSING, fit, parse_object
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Layer, ToolKind
from spotlab.gui.pages.workbench import Workbench
from spotlab.progress import Progress
from spotlab.registry import discover
from spotlab.signal import Signal

SUFFIX = ".spotlab"
FORMAT = "spotlab view"
VERSION = 1

Kind = TypeVar("Kind")

_QUOTED = "file:"  # before what is quoted as in a URI


class Place(msgspec.Struct, frozen=True):
    """Position of the view on a page.

    Attributes
    ----------
    x, y : float
        The place of the page in the middle of the canvas, in px.
    scale : float
        Screen px for a px of the page.
    angle : float
        Degrees clockwise.
    """

    x: float
    y: float
    scale: float
    angle: float = 0.0


class Filter(msgspec.Struct, frozen=True, omit_defaults=True):
    """The filter of the page list, and whether figures are of the shown pages only."""

    text: str = ""
    states: tuple[str, ...] = ()
    only: bool = False


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """Open pages and the current view of them.

    Attributes
    ----------
    pages : tuple of str
        Paths of the folders and files of the collection.
    workspace, page : str
        The names of the current workspace and page.
    place : Place or None
        None shows the whole page.
    filter : Filter
    workspaces : dict of str to dict
        What each workspace keeps, by its name.
    format, version
        Say what the file is.
    """

    pages: tuple[str, ...]
    workspace: str = ""
    page: str = ""
    place: Place | None = None
    filter: Filter = Filter()
    workspaces: dict[str, Any] = {}
    format: str = ""
    version: int = 0


def as_unicode(name: str) -> str:
    """The name as JSON can have it: bytes that are not UTF-8 as in a URI, after ``file:``.

    Examples
    --------
    >>> as_unicode("café"), as_unicode(os.fsdecode(b"caf\\xe9"))
    ('café', 'file:caf%E9')
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return _QUOTED + quote(os.fsencode(name))
    return name


def from_unicode(text: str) -> str:
    """The name that `as_unicode` has written.

    Examples
    --------
    >>> from_unicode(as_unicode(os.fsdecode(b"caf\\xe9"))) == os.fsdecode(b"caf\\xe9")
    True
    """
    if not text.startswith(_QUOTED):
        return text
    return os.fsdecode(unquote_to_bytes(text.removeprefix(_QUOTED)))


class PathTexts:
    """Paths as a view file has them.

    Parameters
    ----------
    folder : Path, optional
        Of the file; paths are relative to it where they can be. Absolute by default.

    Examples
    --------
    >>> texts = PathTexts(Path("/plans/views"))
    >>> texts.text(Path("/plans/runs/mine.csv"))
    '../runs/mine.csv'
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder.absolute() if folder else None

    def text(self, path: Path) -> str:
        """The path as text."""
        path = path.absolute()
        if self._folder is None:
            return as_unicode(str(path))
        try:
            return as_unicode(Path(os.path.relpath(path, self._folder)).as_posix())
        except ValueError:  # on another drive
            return as_unicode(str(path))

    def path(self, text: str) -> Path:
        """The path that a text stands for."""
        path = Path(from_unicode(text))
        if path.is_absolute() or self._folder is None:
            return path
        return Path(os.path.normpath(self._folder / path))


def read_view(path: Path) -> tuple[View, list[str]]:
    """Read the view in a file.

    Returns
    -------
    view : View
    problems : list of str
        What made no sense and is left out, with its place in the file.

    Raises
    ------
    BadInput
        It cannot be read, is no view, or is of a newer version.
    """
    values, problems = parse_object(read_bytes(path))
    if not values and problems:
        raise BadInput(path, problems[0], expected="a saved view")
    if values.get("format") != FORMAT:
        raise BadInput(
            path, "it is not a view", expected=f"a file made by File > Save View ({SUFFIX})"
        )
    view, wrong = fitted(values, View, "")
    if view is None:
        raise BadInput(path, wrong[-1], expected="a view as spotlab saves it")
    if view.version > VERSION:
        problem = f"it is of version {view.version}"
        raise BadInput(path, problem, expected=f"version {VERSION}; a newer spotlab reads it")
    return view, [*problems, *wrong]


def write_view(path: Path, view: View) -> None:
    """Write a view, or raise and leave the old file as it was.

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    marked = msgspec.structs.replace(view, format=FORMAT, version=VERSION)
    write_atomically(path, msgspec.json.format(msgspec.json.encode(marked), indent=1) + b"\n")


def fitted(value: object, kind: type[Kind], place: str) -> tuple[Kind | None, list[str]]:
    """Return a value of a view file as what it has to be, without what makes no sense in it.

    Parameters
    ----------
    value : object
    kind : type
    place : str
        The value's place in the file, for messages.

    Returns
    -------
    value : object
        None if nothing makes sense.
    problems : list of str
        What was left out.
    """
    left, problems = fit(value, kind, place)
    return (None if left is MISSING else msgspec.convert(left, kind)), problems


Widget = TypeVar("Widget", bound=QWidget)
Part = TypeVar("Part")
Choice = tuple[str, str, Callable[[], object]]  # title, tip, what it does


class Cancellable(Protocol):
    """Work that can be given up."""

    def cancel(self) -> None:
        """Give it up."""


class Worker(Cancellable, Protocol):
    """Component that sometimes runs long tasks."""

    @property
    def busy_changed(self) -> Signal[[]]:
        """Emitted when work begins and when it ends."""

    @property
    def busy(self) -> bool:
        """Tell whether there is any."""


class Messages(Protocol):
    """The strip over the canvas for what has to be known."""

    def show_message(self, kind: str, text: str, choices: list[Choice]) -> None:
        """Show a line with buttons; kinds are those of the workbench's ``trouble``."""

    def show_remark(self, text: str, details: str) -> None:
        """Show a line with details that can be copied."""

    def dismiss(self) -> None:
        """Take the message away."""

    def withdraw(self, *kinds: str) -> None:
        """Take the message away if it is of one of these kinds."""


class ProgressLine(Protocol):
    """The line at the bottom, with progress and a button that cancels."""

    def watch(self, job: Cancellable | None) -> None:
        """Let the button cancel this job."""

    def watch_when_busy(self, worker: Worker) -> None:
        """Let the button cancel the worker whenever it has work under way."""


class UndoStack(Protocol):
    """The steps that Undo and Redo mean in a workspace."""

    @property
    def may_undo(self) -> bool:
        """Tell whether there is a step to take back."""

    @property
    def may_redo(self) -> bool:
        """Tell whether there is an undone step to take again."""

    @property
    def undo_name(self) -> str | None:
        """Return what the next step back is called, after "Undo"."""

    @property
    def redo_name(self) -> str | None:
        """Return what the next step forward is called, after "Redo"."""

    def undo(self) -> object:
        """Take the last step back."""

    def redo(self) -> object:
        """Take the last undone step again."""


class PanelDocks(Protocol):
    """The panels around the canvas."""

    def bring(self, name: str) -> None:
        """Show a panel in front of those that share its place."""

    def toggle(self, name: str) -> None:
        """Show a panel, bring it to the front, or hide it."""

    def reset(self) -> None:
        """Put the panels of the current workspace back to where they are at first."""

    def is_shown(self, name: str) -> bool:
        """Tell whether a panel is shown."""

    def offered(self, name: str) -> bool:
        """Tell whether the current workspace has the panel."""


class CanvasFrame(Protocol):
    """The canvas and what stands above and beside it."""

    def show_beside_canvas(self, widget: QWidget | None) -> None:
        """Show this at the right of the canvas; None takes it away."""

    def want_canvas(self, workspace: str, wanted: bool) -> None:
        """Say whether the canvas has anything to show in a workspace."""

    def want_above(self, workspace: str, wanted: bool) -> None:
        """Say whether what a workspace has above the canvas has anything to show."""


class Window(Protocol):
    """A window with the canvas, panels around it, messages and a status line.

    Attributes
    ----------
    entered : Signal of str
        Another workspace was entered: its name.
    opened : Signal
        A collection was opened.
    """

    entered: Signal[[str]]
    opened: Signal[[]]

    @property
    def workbench(self) -> Workbench:
        """The open collection and page."""

    @property
    def canvas(self) -> Canvas:
        """The canvas that all workspaces share."""

    @property
    def frame(self) -> QWidget:
        """The parent of dialogs."""

    @property
    def banner(self) -> Messages:
        """The strip for messages."""

    @property
    def status(self) -> ProgressLine:
        """The status line."""

    @property
    def centre(self) -> CanvasFrame:
        """The canvas and what stands above and beside it."""

    @property
    def docks(self) -> PanelDocks:
        """The panels."""

    @property
    def ink_box(self) -> QWidget:
        """The sliders over the canvas for light and ink."""

    @property
    def undo_stack(self) -> UndoStack:
        """Return what Undo and Redo mean in the current workspace."""

    @property
    def recent_paths(self) -> Sequence[Path]:
        """The collections that were open before."""

    def part(self, kind: Callable[[Window], Part]) -> Part:
        """Return what a workspace keeps for this window; it is made when it is asked for first."""

    def panel(self, kind: type[Widget]) -> Widget:
        """Return the panel of this class."""

    def has_workspace(self, name: str) -> bool:
        """Tell whether a workspace could be made."""

    def enter(self, name: str) -> None:
        """Work in another workspace."""

    def open_paths(self, paths: Sequence[Path], demo: bool = False) -> bool:
        """Open a collection; False, and said why, if there is none."""

    def open_sample(self, name: str) -> None:
        """Open this user's copy of a sample collection."""

    def add_strip(self, strip: QWidget) -> None:
        """Lay a strip over the top of the canvas, below those that are there."""

    def find_command(self, text: str = "") -> None:
        """Open the command palette with this typed already."""

    def show_help(self, name: str) -> None:
        """Show a help page."""

    def show_keys(self) -> None:
        """Show all keys, to choose others."""

    def show_preferences(self) -> None:
        """Show all choices about the window."""

    def set_theme(self, name: str) -> None:
        """Paint the window in another theme."""


Obstacles = dict["Condition", str]  # by condition: why it does not hold; empty if it does


@dataclass(frozen=True)
class Condition:
    """Condition that must hold before an action can be performed.

    Attributes
    ----------
    holds : callable
        Takes the window.
    unmet : str
        A short sentence without a full stop: why the action cannot be done now. The command palette
        and the status line show it.
    first : tuple of Condition
        What has to hold before ``holds`` is asked.
    """

    holds: Callable[[Window], bool]
    unmet: str
    first: tuple[Condition, ...] = ()

    def __call__(self, window: Window) -> bool:
        """Tell whether it holds."""
        return not self.obstacle(window)

    def obstacle(self, window: Window, known: Obstacles | None = None) -> str:
        """Why the action cannot be done; empty if it can.

        ``known`` are the answers for the same state of the window; the own one is added.
        """
        known = {} if known is None else known
        if self not in known:
            before = (condition.obstacle(window, known) for condition in self.first)
            known[self] = next(filter(None, before), "") or self._own_obstacle(window)
        return known[self]

    def _own_obstacle(self, window: Window) -> str:
        return "" if self.holds(window) else self.unmet


def needs(unmet: str, *first: Condition) -> Callable[[Callable[[Window], bool]], Condition]:
    """Make a condition of a function that takes the window.

    Parameters
    ----------
    unmet : str
        Why an action cannot be done where the function returns False.
    *first : Condition
        What has to hold before the function is called.

    Examples
    --------
    >>> needs("No page is open")(lambda window: False).obstacle(None)
    'No page is open'
    """
    return lambda holds: Condition(holds, unmet, first)


@needs("It is not possible now")
def always(_: Window) -> bool:
    """It can be done at any time."""
    return True


def never(_: Window) -> bool:
    """It cannot be done."""
    return False


@dataclass(frozen=True)
class Action:
    """Something that a menu, a key, the command palette and scripts can do.

    Attributes
    ----------
    id : str
        For settings and scripts, for instance "region.merge".
    title : str or callable
        In menus; a callable gives one that changes, as of Undo.
    run : callable
        Takes the window.
    keys : tuple of str
        By default; the first one is shown.
    enabled : Condition
        What has to hold before it can be done, with the sentence that says so; other packages may
        give any function that takes the window.
    checked : callable
        Takes the window; None for actions that are not switches.
    before : callable
        Takes the window; whether it can be done before anything of its workspace is loaded. It has
        to agree with ``enabled`` and to know nothing of the workspace.
    icon, tip : str
        Of the icon set; a line for the status bar and tooltip.
    section : str
        Name of a submenu, if it is in one.
    rule : bool
        A line above it in the menu.
    on_canvas : bool
        Its keys count only while the canvas has the focus, as lists and fields need them, too.
    repeats : bool
        Its keys repeat while they are held.
    words : str
        Other words that people use for it, separated by spaces; the command palette finds it by
        them.
    preference : bool
        Whether *Preferences* lists it: a switch that holds for every collection.
    in_menu : bool
        Whether menus have it; else only keys and the command palette.
    shown : callable, optional
        Takes the window; where it says False, menus leave the action out.
    """

    id: str
    title: str | Callable[[Window], str]
    run: Callable[[Window], Any]
    keys: tuple[str, ...] = ()
    enabled: Callable[[Window], bool] = always
    checked: Callable[[Window], bool] | None = None
    before: Callable[[Window], bool] = never
    icon: str = ""
    tip: str = ""
    section: str = ""
    rule: bool = False
    on_canvas: bool = False
    repeats: bool = False
    words: str = ""
    preference: bool = False
    in_menu: bool = True
    shown: Callable[[Window], bool] | None = None

    @property
    def plain_title(self) -> str:
        """The title without marks, for lists; of a changing one the word that stays."""
        title = self.title if isinstance(self.title, str) else self.id.split(".")[-1].capitalize()
        return title.replace("&", "").rstrip("…")

    def obstacle(self, window: Window, known: Obstacles | None = None) -> str:
        """Why it cannot be done now; empty if it can. For ``known`` see `Condition.obstacle`."""
        if isinstance(self.enabled, Condition):
            return self.enabled.obstacle(window, known)
        return "" if self.enabled(window) else always.unmet


@dataclass(frozen=True)
class Menu:
    """A menu and its actions, in their order.

    Attributes
    ----------
    name, title : str
    order : int
        Its place in the menu bar.
    actions : tuple of Action
    shown : callable
        Takes the window; where it says False, the menu bar leaves the menu out. The menus of other
        workspaces are left out anyway.
    """

    name: str
    title: str
    order: int
    actions: tuple[Action, ...]
    shown: Callable[[Window], bool] = always


@needs("No page is open")
def has_page(window: Window) -> bool:
    """Tell whether a page is open."""
    return window.workbench.document is not None


@needs("Regions are drawn and changed in Annotate", has_page)
def may_draw(window: Window) -> bool:
    """Tell whether a page is open and its truth is what is worked on."""
    return window.workbench.draws


@needs("No region is selected", may_draw)
def has_selection(window: Window) -> bool:
    """Tell whether regions are selected, to be worked on."""
    return len(window.workbench.selection) > 0


@needs("No collection is open")
def has_pages(window: Window) -> bool:
    """Tell whether a collection is open."""
    return bool(window.workbench.entries)


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
    help : str
        Help page that F1 opens while the panel has the keyboard; by default that of the workspace.
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
    help: str = ""


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
class OtherFiles:
    """Files that are neither pages nor their truth, and are opened in a workspace.

    Attributes
    ----------
    recognises : callable
        Takes such files and a progress, in a thread; whether all of them are for the workspace.
    open : callable
        Opens them, beside the pages where it needs any; False, and said why, if it cannot.
    """

    recognises: Callable[[tuple[Path, ...], Progress], bool]
    open: Callable[[Window, Sequence[Path]], bool]


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
    opens : OtherFiles, optional
        Files that it opens wherever they are opened from, such as runs or votes.
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
    opens: OtherFiles | None = None
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
    rooms = [info.name for info in pkgutil.iter_modules(spotlab.gui.__path__) if info.ispkg]
    modules = [f"spotlab.gui.{room}.workspace" for room in rooms]
    return tuple(module for module in modules if find_spec(module))


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
