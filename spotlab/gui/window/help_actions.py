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
            tip="First steps and the terms used",
        ),
        Action(
            "help.annotate",
            "&Drawing Truth",
            lambda window: window.show_help("annotate"),
            ("F1",),
            icon="help-circle-outline",
            tip="How to sketch, edit and label regions",
        ),
        Action(
            "help.keys",
            "&Keys",
            lambda window: window.show_help("keys"),
            ("Shift+F1",),
            icon="keyboard-outline",
            tip="Table of all keyboard shortcuts",
        ),
        Action(
            "help.files",
            "&Files",
            lambda window: window.show_help("files"),
            icon="file-outline",
            tip="File formats that are read and written, and their locations",
        ),
        Action(
            "help.about",
            "&About spotlab",
            lambda window: window.show_help("about"),
            tip="Purpose and version of spotlab",
            rule=True,
        ),
    ),
)
