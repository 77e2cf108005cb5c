"""Undo in Annotate: the page's steps, and before them a proposal that was rejected."""

from __future__ import annotations

from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.pages.page_undo import PageUndo
from spotlab.gui.pages.workbench import Workbench
from spotlab.signal import Signal


class TruthUndo:
    """A rejected proposal comes back first; then the open page's steps."""

    def __init__(self, workbench: Workbench) -> None:
        self._page = PageUndo(workbench)
        self._proposals = workbench.state(Proposals)

    @property
    def signals(self) -> tuple[Signal[...], ...]:
        """Emitted when another step may be undone or redone."""
        return *self._page.signals, self._proposals.changed

    @property
    def may_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._proposals.undo_name) or self._page.may_undo

    @property
    def may_redo(self) -> bool:
        """Whether there is an undone step to take again."""
        return self._page.may_redo

    @property
    def undo_name(self) -> str | None:
        """What the next step back is called."""
        return self._proposals.undo_name or self._page.undo_name

    @property
    def redo_name(self) -> str | None:
        """What the next step forward is called."""
        return self._page.redo_name

    def undo(self) -> None:
        """Take the last step back."""
        if not self._proposals.undo():
            self._page.undo()

    def redo(self) -> None:
        """Take the last undone step again."""
        self._page.redo()
