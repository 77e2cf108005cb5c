"""The one question that keeps the window waiting: closing although something is not saved."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget


def may_lose_work(parent: QWidget, why: str) -> bool:
    """Whether the user wants to close although something could not be saved."""
    box = QMessageBox(
        QMessageBox.Icon.Warning,
        "Not saved",
        f"{why}\n\nThe steps stay in the journal beside the truth file where that could be "
        "written; the next start takes them over.",
        parent=parent,
    )
    stay = box.addButton("Stay", QMessageBox.ButtonRole.RejectRole)
    leave = box.addButton("Close without saving", QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(stay)
    box.exec()
    return box.clickedButton() is leave
