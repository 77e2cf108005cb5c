"""The Help menu."""

from __future__ import annotations

from spotlab.gui.workspace.action import Action, Menu

MENU = Menu(
    "help",
    "&Help",
    9,
    (
        Action(
            "help.tour",
            "&Five Minutes",
            lambda window: window.show_help("index"),
            icon="school-outline",
            tip="What to do first, and the words",
        ),
        Action(
            "help.annotate",
            "&Drawing Truth",
            lambda window: window.show_help("annotate"),
            ("F1",),
            icon="help-circle-outline",
            tip="How to sketch, edit and label",
        ),
        Action(
            "help.keys",
            "&Keys",
            lambda window: window.show_help("keys"),
            ("Shift+F1",),
            icon="keyboard-outline",
            tip="All keys in one table",
        ),
        Action(
            "help.files",
            "&Files",
            lambda window: window.show_help("files"),
            icon="file-outline",
            tip="Which files are read and written, and where",
        ),
        Action(
            "help.about",
            "&About spotlab",
            lambda window: window.show_help("about"),
            tip="What this is, and its version",
            rule=True,
        ),
    ),
)
