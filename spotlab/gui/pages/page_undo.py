"""The undo stack of the open page."""

from __future__ import annotations

from spotlab.gui.pages.workbench import Workbench


class PageUndo:
    """The open page's steps, as Undo and Redo mean them."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    @property
    def may_undo(self) -> bool:
        """Tell whether there is a step to take back."""
        return self.undo_name is not None

    @property
    def may_redo(self) -> bool:
        """Tell whether there is an undone step to take again."""
        return self.redo_name is not None

    @property
    def undo_name(self) -> str | None:
        """Return what the next step back is called."""
        history = self._workbench.history
        return history.undo_name if history else None

    @property
    def redo_name(self) -> str | None:
        """Return what the next step forward is called."""
        history = self._workbench.history
        return history.redo_name if history else None

    def undo(self) -> None:
        """Take the last step back."""
        self._workbench.editing.undo()

    def redo(self) -> None:
        """Take the last undone step again."""
        self._workbench.editing.redo()
