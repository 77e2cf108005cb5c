"""Undo in Words: judgements, and the step that wrote them into the truth."""

from __future__ import annotations

from spotlab.editing.collection_step import CollectionStep
from spotlab.editing.history import Step
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.words import Words

JUDGEMENT = "Judgement"


class JudgementUndo:
    """The judgements of words; words that were written since the last one come first."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._words = workbench.state(Words)
        self._written: dict[str, object] = {}  # the last judgement before each step
        self._words.writing.offered.connect(self._note)

    @property
    def may_undo(self) -> bool:
        """Tell whether there is a judgement, or a step, to take back."""
        return self._writes_back or self._words.judgements.may_undo

    @property
    def may_redo(self) -> bool:
        """Tell whether a judgement, or a step, was taken back."""
        return self._writes_again or self._words.judgements.may_redo

    @property
    def undo_name(self) -> str | None:
        """Return what the next step back is called."""
        history = self._workbench.history
        return history.undo_name if history and self._writes_back else JUDGEMENT

    @property
    def redo_name(self) -> str | None:
        """Return what the next step forward is called."""
        history = self._workbench.history
        return history.redo_name if history and self._writes_again else JUDGEMENT

    def undo(self) -> None:
        """Take the last judgement, or the step, back."""
        if self._writes_back:
            self._workbench.collection_steps.undo()
        else:
            self._words.judgements.undo()

    def redo(self) -> None:
        """Judge, or write, again as before."""
        if self._writes_again:
            self._workbench.collection_steps.redo()
        else:
            self._words.judgements.redo()

    @property
    def _writes_back(self) -> bool:
        history = self._workbench.history
        return history is not None and self._is_now(history.mark)

    @property
    def _writes_again(self) -> bool:
        history = self._workbench.history
        again = history is not None and self._is_now(history.undone)
        return again and not self._words.judgements.may_redo

    def _is_now(self, step: Step | None) -> bool:
        """Tell whether a step of the page wrote words, and nothing was judged since."""
        if step is None or step.of not in self._written:
            return False
        last = self._words.judgements.last
        return last is None or last is self._written[step.of]

    def _note(self, step: CollectionStep) -> None:
        self._written[step.id] = self._words.judgements.last
