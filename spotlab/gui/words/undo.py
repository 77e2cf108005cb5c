"""Undo in Words: steps are judgements there, not edits of the page."""

from __future__ import annotations

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.words import Words
from spotlab.signal import Signal


class JudgementUndo:
    """The judgements of words."""

    undo_name = redo_name = "Judgement"

    def __init__(self, workbench: Workbench) -> None:
        self._words = workbench.state(Words)

    @property
    def signals(self) -> tuple[Signal[...], ...]:
        """Emitted when another judgement may be undone or redone."""
        return self._words.judgements.changed, self._words.queries.changed

    @property
    def may_undo(self) -> bool:
        """Whether there is a judgement to take back."""
        return self._words.judgements.may_undo

    @property
    def may_redo(self) -> bool:
        """Whether a judgement was taken back."""
        return self._words.judgements.may_redo

    def undo(self) -> None:
        """Take the last judgement back."""
        self._words.judgements.undo()

    def redo(self) -> None:
        """Judge again as before."""
        self._words.judgements.redo()
