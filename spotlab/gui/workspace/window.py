"""Interface of the window for workspaces, their actions and their dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.pages.workbench import Workbench
from spotlab.signal import Signal

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
