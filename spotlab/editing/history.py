"""Undo and redo: steps of edits, each recorded before anybody hears of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from spotlab.editing.document import Document, Edit, inverses
from spotlab.editing.reading_order import following
from spotlab.signal import Signal

Kind = Literal["do", "merge", "undo", "redo"]  # merge: do, joined to the step before


@dataclass(frozen=True)
class Step:
    """The edits of one user action, under the name that the menu shows.

    Attributes
    ----------
    name : str
    edits : tuple of Edit
        In the order in which they are applied.
    of : str
        The id of the collection step that this is one page's part of; empty for a step of the page
        alone. Such a part may have no edits: then it only says where among the page's own steps the
        collection step was taken.
    """

    name: str
    edits: tuple[Edit, ...]
    of: str = ""


class Recorder(Protocol):
    """Keeps what happened; a journal."""

    def record(self, kind: Kind, step: Step) -> None:
        """Keep the step's edits as they were applied."""


class History:
    """All steps of a document, done and undone, without a limit.

    ``signed`` gives the edits of a step of the page alone with who made it in the regions' history.
    A step over all pages, such as a label that is renamed, changes no region in this sense.
    ``moved`` is emitted whenever what can be undone or redone has changed.
    """

    def __init__(
        self,
        document: Document,
        recorder: Recorder | None = None,
        signed: Callable[[Sequence[Edit]], Sequence[Edit]] | None = None,
    ) -> None:
        self.document = document
        self._recorder = recorder
        self._signed = signed
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._saved: Step | None = None
        self._forced_dirty = False
        self.moved = Signal[[]]()

    @property
    def undo_name(self) -> str | None:
        """Name of the step that undo would take back; None where there is none."""
        return self._done[-1].name if self._done else None

    @property
    def redo_name(self) -> str | None:
        """Name of the step that redo would do again; None where there is none."""
        return self._undone[-1].name if self._undone else None

    @property
    def done_names(self) -> list[str]:
        """The names of all steps that undo can take back, the oldest first."""
        return [step.name for step in self._done]

    @property
    def undone_names(self) -> list[str]:
        """The names of all steps that redo can do again, the next one first."""
        return [step.name for step in reversed(self._undone)]

    @property
    def undone(self) -> Step | None:
        """The step that redo would do again; None where there is none."""
        return self._undone[-1] if self._undone else None

    @property
    def dirty(self) -> bool:
        """True if the document differs from what was last marked as saved."""
        return self._forced_dirty or self.mark is not self._saved

    @property
    def mark(self) -> Step | None:
        """Names the state the document is in now, for `mark_saved`."""
        return self._done[-1] if self._done else None

    def mark_saved(self, mark: Step | None) -> None:
        """The file holds the document as it was at this mark."""
        self._saved = mark
        self._forced_dirty = False
        self.moved.emit()

    def mark_dirty(self) -> None:
        """The file does not hold what the document holds, whatever was done here."""
        self._forced_dirty = True
        self.moved.emit()

    def holds(self, of: str) -> bool:
        """Tell whether the page's part of a collection step is done and not undone."""
        return any(step.of == of for step in self._done)

    def do(self, name: str, edits: Sequence[Edit], *, merge: bool = False, of: str = "") -> None:
        """Apply the edits as one step; nothing happens when there are none.

        Parameters
        ----------
        name : str
            What the menu shows, for instance "Move corner".
        edits : sequence of Edit
            Applied in this order, all or none.
        merge : bool
            Join the step before if it has the same name, as for repeated nudges.
        of : str
            The collection step that this is the page's part of; kept even without edits.

        Raises
        ------
        EditError
            An edit does not fit; nothing has changed.
        """
        if not edits and not of:
            return
        if not of:
            edits = (*edits, *following(self.document, edits))
        if self._signed is not None and not of:
            edits = self._signed(edits)
        last = self.mark
        joins = merge and last is not None and last.name == name and last is not self._saved
        joins = joins and last is not None and not last.of
        self._perform("merge" if joins else "do", Step(name, tuple(edits), of))

    def note_done(self, step: Step) -> None:
        """Put in a step whose edits the document holds already; it is not recorded again."""
        clean = not self.dirty
        self.remember("do", step)
        if clean:
            self._saved = step
        self.moved.emit()

    def take_out(
        self,
        of: str,
        name: str,
        edits: Sequence[Edit],
        rewritten: Callable[[Step, Sequence[Step]], Sequence[Step]],
    ) -> None:
        """Take back a collection step's part although the page has later steps, which stay.

        Parameters
        ----------
        of : str
            The collection step.
        name : str
            What the recorder calls this.
        edits : sequence of Edit
            What takes the part back in the document as it is now.
        rewritten : callable
            Takes the part and the steps after it, done and undone, in the order in which they are
            done; gives these as if the part had never been done.

        Raises
        ------
        EditError
            An edit does not fit; nothing has changed.
        """
        self._apply("do", Step(name, tuple(edits)))
        at = next((place for place, step in enumerate(self._done) if step.of == of), -1)
        before, later = self._done[: max(at, 0)], self._done[at + 1 :]
        part = self._done[at] if at >= 0 else Step(name, (), of)
        if at >= 0 and part is self._saved:
            self._saved = before[-1] if before else None
        now = list(rewritten(part, [*later, *reversed(self._undone)]))
        later, undone = (
            [step for step in steps if step.edits or step.of]
            for steps in (now[: len(later)], now[len(later) :])
        )
        if edits:
            self._forced_dirty = True
            later[-1:] = [replace(step) for step in later[-1:]]  # no mark of a save under way
        self._done = [*before, *later]
        self._undone = undone[::-1]
        if edits:
            self.document.changed.emit(tuple(edits))
        self.moved.emit()

    def take_over(self, name: str, edits: Sequence[Edit]) -> None:
        """Apply what is saved already as one step, without recording it."""
        if edits:
            step = Step(name, tuple(edits))
            self.document.apply(step.edits)
            self.remember("do", step)
            self.document.changed.emit(step.edits)
            self.mark_saved(step)

    def undo(self) -> str | None:
        """Take the last step back; gives its name, or None if there was none."""
        if not self._done:
            return None
        step = self._done[-1]
        self._perform("undo", Step(step.name, inverses(step.edits)))
        return step.name

    def redo(self) -> str | None:
        """Do the last undone step again; gives its name, or None if there was none."""
        if not self._undone:
            return None
        step = self._undone[-1]
        self._perform("redo", step)
        return step.name

    def remember(self, kind: Kind, step: Step) -> None:
        """Move the step between the two stacks without applying it (a journal's replay does)."""
        match kind:
            case "do":
                self._done.append(step)
                self._undone.clear()
            case "merge":
                before = self._done.pop().edits if self._done else ()
                self._done.append(Step(step.name, (*before, *step.edits)))
                self._undone.clear()
            case "undo":
                if self._done:
                    self._undone.append(self._done.pop())
            case "redo":
                if self._undone:
                    self._done.append(self._undone.pop())
                else:
                    self._done.append(step)

    def _perform(self, kind: Kind, step: Step) -> None:
        clean = not self.dirty and not step.edits
        self._apply(kind, step)
        self.remember(kind, step)
        if clean:
            self._saved = self.mark
        if step.edits:
            self.document.changed.emit(step.edits)
        self.moved.emit()

    def _apply(self, kind: Kind, step: Step) -> None:
        """Change the document and have it recorded, or neither."""
        if not step.edits:
            return
        self.document.apply(step.edits)
        if self._recorder:
            try:
                self._recorder.record(kind, step)
            except Exception:
                self.document.apply(inverses(step.edits))
                raise
