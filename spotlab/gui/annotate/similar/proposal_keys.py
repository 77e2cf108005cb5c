"""The keys that answer proposals: they mean them while no region is selected."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.pages.workbench import Workbench
from spotlab.model.labels import DIGITS

_Key = Qt.Key
_PLAIN, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_BOTH = Qt.KeyboardModifier.ControlModifier | _SHIFT
Answer = Callable[[Proposals], object]

_ANSWERS: dict[tuple[Qt.KeyboardModifier, int], Answer] = {
    (_PLAIN, _Key.Key_Return): lambda proposals: proposals.accept(),
    (_PLAIN, _Key.Key_Enter): lambda proposals: proposals.accept(),
    (_SHIFT, _Key.Key_Return): lambda proposals: proposals.accept_all(),
    (_SHIFT, _Key.Key_Enter): lambda proposals: proposals.accept_all(),
    (_BOTH, _Key.Key_Return): lambda proposals: proposals.accept_likely(),
    (_BOTH, _Key.Key_Enter): lambda proposals: proposals.accept_likely(),
    (_PLAIN, _Key.Key_Delete): lambda proposals: proposals.reject(),
    (_PLAIN, _Key.Key_Backspace): lambda proposals: proposals.reject(),
    (_PLAIN, _Key.Key_Tab): lambda proposals: proposals.step(1),
    (_SHIFT, _Key.Key_Backtab): lambda proposals: proposals.step(-1),
    (_SHIFT, _Key.Key_Tab): lambda proposals: proposals.step(-1),
    (_PLAIN, _Key.Key_Right): lambda proposals: proposals.step(1),
    (_PLAIN, _Key.Key_Down): lambda proposals: proposals.step(1),
    (_PLAIN, _Key.Key_Left): lambda proposals: proposals.step(-1),
    (_PLAIN, _Key.Key_Up): lambda proposals: proposals.step(-1),
    (_PLAIN, _Key.Key_Escape): lambda proposals: proposals.pages.end(),
}


def answer_for(workbench: Workbench, event: QKeyEvent) -> Answer | None:
    """What a key means to the proposals; None while a region is selected, which it means then."""
    there = workbench.state(Proposals).active and workbench.draws
    if not there or len(workbench.selection):
        return None
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    digit = event.text()
    if (
        held == _PLAIN
        and digit
        and digit in DIGITS
        and workbench.state(Proposals).current is not None
    ):
        return lambda proposals: proposals.accept_digit(digit)
    return _ANSWERS.get((held, event.key()))
