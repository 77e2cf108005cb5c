"""The keys that decide between two annotators: they mean the current pair of regions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from spotlab.gui.annotate.second.adjudication import Adjudication
from spotlab.gui.annotate.second.second_annotator import SecondAnnotator
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Deed

_Key = Qt.Key
_PLAIN, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
Answer = Callable[[Adjudication], object]

_ANSWERS: dict[tuple[Qt.KeyboardModifier, int], Answer] = {
    (_PLAIN, _Key.Key_N): lambda deciding: deciding.step(1),
    (_PLAIN, _Key.Key_P): lambda deciding: deciding.step(-1),
    (_PLAIN, _Key.Key_K): lambda deciding: deciding.decide(Deed.KEPT),
    (_PLAIN, _Key.Key_T): lambda deciding: deciding.decide(Deed.TAKEN),
    (_PLAIN, _Key.Key_M): lambda deciding: deciding.decide(Deed.MERGED),
    (_SHIFT, _Key.Key_M): lambda deciding: deciding.decide(Deed.MERGED, their_label=True),
    (_PLAIN, _Key.Key_U): lambda deciding: deciding.decide(Deed.UNDECIDED),
    (_PLAIN, _Key.Key_Escape): lambda deciding: deciding.second.set_current(None),
}


def answer_for(workbench: Workbench, event: QKeyEvent) -> Answer | None:
    """What a key means to the current pair; None while it means a region that is selected."""
    there = workbench.state(SecondAnnotator).current is not None and workbench.draws
    if not there or len(workbench.selection):
        return None
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return _ANSWERS.get((held, event.key()))
