"""Closing of the window: everything is saved and stopped, and no error keeps it open."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from spotlab.editing.session import EditingSession
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background, files
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.pages.offers import Question


def may_lose_work(parent: QWidget, why: str, sessions: Sequence[EditingSession] = ()) -> bool:
    """Tell whether the user wants to close although something could not be saved.

    Parameters
    ----------
    parent : QWidget
    why : str
        What could not be done.
    sessions : sequence of EditingSession
        The pages that are not saved; copies of them can be written to another folder.
    """
    problem = why
    while True:
        box = QMessageBox(
            QMessageBox.Icon.Warning,
            "Not saved",
            "\n\n".join(text for text in (problem, _kept(sessions)) if text),
            parent=parent,
        )
        OnScreen(box)
        stay = box.addButton("Stay", QMessageBox.ButtonRole.RejectRole)
        leave = box.addButton("Close without saving", QMessageBox.ButtonRole.DestructiveRole)
        copy = box.addButton("Save copies…", QMessageBox.ButtonRole.ActionRole)
        copy.setVisible(any(session.dirty for session in sessions))
        box.setDefaultButton(stay)
        box.exec()
        if box.clickedButton() is leave:
            return True
        if box.clickedButton() is not copy:
            return False
        problem = _save_copies(parent, [session for session in sessions if session.dirty]) or why


def _kept(sessions: Sequence[EditingSession]) -> str:
    """Tell where the steps are that no truth file has."""
    unsaved = [session for session in sessions if session.dirty]
    journals = [str(session.journal) for session in unsaved if session.journal]
    lines = []
    if journals:
        lines.append(f"The next start restores all steps from {_listed(journals)}.")
    if lost := [session.path.name for session in unsaved if not session.journal]:
        lines.append(
            f"The unsaved steps of {_listed(lost)} are not in a journal: they would be lost."
        )
    return "\n".join(lines)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _save_copies(parent: QWidget, sessions: Sequence[EditingSession]) -> str:
    """Write copies to a folder that the user chooses; gives what became of that."""
    title = "Save copies of unsaved truth files"
    dialog = FileDialog(parent, title, None, FileDialog.FileMode.Directory)
    dialog.setOption(FileDialog.Option.ShowDirsOnly)
    if not dialog.exec():
        return ""
    folder = dialog.path
    try:
        copies = [session.save_copy_in(folder) for session in sessions]
    except Exception as error:  # whatever stands against saving may stand against this
        return f"No copy was written: {error}"
    return f"Copies are in {_listed([str(copy) for copy in copies])}."


def ask(
    question: Question,
    go: Callable[[], object],
    parent: QWidget,
    other: tuple[str, Callable[[], object]] | None = None,
) -> QMessageBox:
    """Show the question; what it is about happens if the user accepts.

    Parameters
    ----------
    question : Question
    go : callable
        Called where the user accepts.
    parent : QWidget
    other : pair of str and callable, optional
        Text of another button, and what it does.
    """
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
    if other is not None:
        text, otherwise = other
        button = box.addButton(text, QMessageBox.ButtonRole.ActionRole)
        button.clicked.connect(lambda _=False: otherwise())
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel if question.details else accept)
    box.setEscapeButton(cancel)
    accept.clicked.connect(lambda _=False: go())
    box.open()
    return box


Result = TypeVar("Result")


def close(frame: QWidget, canvas: Canvas, remember: Callable[[], object]) -> bool:
    """Save and stop; asks only if something cannot be saved. False if the user wants to stay.

    Parameters
    ----------
    frame : QWidget
        The parent of the question.
    canvas : Canvas
        Shows what is saved.
    remember : callable
        Keeps for the next start where the window and its panels are.
    """
    workbench = canvas.workbench
    for step in (workbench.opening.cancel, remember, canvas.cancel):
        _attempt(step)
    unsafe = _attempt(files.flush_all)
    if unsafe and not may_lose_work(frame, unsafe[0], ()):
        return False
    closed = _attempt(workbench.close)
    if not closed and not may_lose_work(frame, workbench.autosave.failure, workbench.sessions):
        return False
    for step in (workbench.collection.stop_following, canvas.stop, background.cancel_all):
        _attempt(step)
    return True


def _attempt(step: Callable[[], Result]) -> Result | None:
    try:
        return step()
    except Exception:
        sys.excepthook(*sys.exc_info())
        return None
