"""Undo in Annotate: the page's steps, rejected proposals, decisions between annotators."""

from __future__ import annotations

from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.pages.page_undo import PageUndo
from spotlab.gui.pages.workbench import Workbench


class TruthUndo:
    """A decision since the page's last step or a rejected proposal first; then the page's steps."""

    def __init__(self, workbench: Workbench) -> None:
        self._page = PageUndo(workbench)
        self._proposals = workbench.state(Proposals)
        self._deciding = workbench.state(Adjudication)

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
        return self._deciding.undo_name or self._proposals.undo_name or self._page.undo_name

    @property
    def redo_name(self) -> str | None:
        """Return what the next step forward is called."""
        return self._deciding.redo_name or self._page.redo_name

    def undo(self) -> None:
        """Take the last step back."""
        if not self._deciding.undo() and not self._proposals.undo():
            self._page.undo()

    def redo(self) -> None:
        """Take the last undone step again."""
        if not self._deciding.redo():
            self._page.redo()
