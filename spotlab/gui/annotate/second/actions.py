"""The Annotate menu: who draws, and a second annotator of the same pages."""

from __future__ import annotations

from spotlab.gui.annotate.second.author_dialog import ask_author
from spotlab.gui.workspace.action import Action, Menu

MENU = Menu(
    "annotate",
    "&Annotate",
    5,
    (
        Action(
            "annotate.author",
            "&Author…",
            ask_author,
            icon="account-edit-outline",
            tip="Set your name, which is kept with each region that you draw or change",
        ),
    ),
)
