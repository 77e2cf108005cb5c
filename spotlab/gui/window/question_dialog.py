"""A question before a step over all pages, which the window waits for; nothing else does."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.pages.step_questions import Question


def ask(question: Question, go: Callable[[], object], parent: QWidget) -> QMessageBox:
    """Show the question; what it is about happens if the user accepts."""
    box = QMessageBox(
        QMessageBox.Icon.Warning if question.details else QMessageBox.Icon.Question,
        "spotlab",
        question.text,
        parent=parent,
    )
    OnScreen(box)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setInformativeText(question.more.strip())
    if question.details:
        box.setDetailedText("\n".join(question.details))
    accept = box.addButton(question.accept, QMessageBox.ButtonRole.AcceptRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel if question.details else accept)
    box.setEscapeButton(cancel)
    accept.clicked.connect(lambda _=False: go())
    box.open()
    return box
