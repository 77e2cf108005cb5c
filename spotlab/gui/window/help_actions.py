"""The Help menu."""

from __future__ import annotations

from contextlib import suppress

from spotlab.errors import SpotlabError
from spotlab.gui.workspace.action import Action, Menu
from spotlab.gui.workspace.window import Window
from spotlab.resources import help_pages


def _page(id: str, title: str, name: str, icon: str, tip: str, words: str = "") -> Action:
    return Action(id, title, lambda window: window.show_help(name), icon=icon, tip=tip, words=words)


def _show_help_here(window: Window) -> None:
    """Open the page of the workspace, which has the workspace's name."""
    name = window.workbench.workspace
    with suppress(SpotlabError):  # the viewer says that the help is missing
        name = name if name in help_pages() else "index"
    window.show_help(name)


MENU = Menu(
    "help",
    "&Help",
    9,
    (
        Action(
            "help.here",
            "&Help on This Workspace",
            _show_help_here,
            ("F1",),
            icon="help-circle-outline",
            words="manual documentation",
            tip="How to work in the current workspace",
        ),
        _page(
            "help.contents",
            "&Contents",
            "index",
            "bookshelf",
            "All help pages and the terms",
            "help manual documentation glossary search",
        ),
        _page(
            "help.tour",
            "Five &Minutes",
            "five-minutes",
            "school-outline",
            "First steps: open, sketch, label, correct",
            "start begin introduction beginner",
        ),
        _page(
            "help.tutorial",
            "&Tutorial",
            "tutorial",
            "map-marker-path",
            "From your own scans to a report, step by step",
            "learn start guide walkthrough",
        ),
        _page(
            "help.troubleshooting",
            "T&roubleshooting",
            "troubleshooting",
            "lifebuoy",
            "What to do when something is odd",
            "problem bug error slow crash support",
        ),
        Action(
            "help.keys",
            "&Keys",
            lambda window: window.show_help("keys"),
            ("Shift+F1",),
            icon="keyboard-outline",
            words="shortcuts hotkeys keyboard",
            tip="Table of all keyboard shortcuts",
            rule=True,
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
            words="version licence",
            tip="Purpose and version of spotlab",
            rule=True,
        ),
    ),
)
