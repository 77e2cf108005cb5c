"""The workspaces of a window: declared at its start, made when they are entered or needed first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.workspace.window import UndoStack, Window
from spotlab.gui.workspace.workspace import LayerKind, Workspace, layer_kinds, workspaces
from spotlab.registry import guarded, is_outside
from spotlab.signal import Signal

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
        """Whether a workspace has been made."""
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
            self._add_layer(kind)
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

    def _add_layer(self, kind: LayerKind) -> None:
        """Layers lie over each other in the same order, whichever workspace is made first."""
        layer = kind.make(self._window.canvas)
        after = self._layers[self._layers.index(kind.name) + 1 :]
        self._window.canvas.add_layer(kind.name, layer, after)
