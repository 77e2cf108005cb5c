"""The Edit menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from spotlab.editing.clipboard import Clipboard
from spotlab.errors import SpotlabError
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.words.state.words import Words
from spotlab.gui.workspace.action import Action, Menu, has_selection, may_draw

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow


def _judging(window: MainWindow) -> bool:
    """Steps are judgements there, not edits of the page."""
    return window.workbench.workspace == "words"


def _undo_title(window: MainWindow) -> str:
    history = window.workbench.history
    if _judging(window):
        return "&Undo Judgement"
    rejection = window.workbench.state(Proposals).undo_name
    if rejection:
        return f"&Undo {rejection}"
    return f"&Undo {history.undo_name}" if history and history.undo_name else "&Undo"


def _redo_title(window: MainWindow) -> str:
    history = window.workbench.history
    if _judging(window):
        return "&Redo Judgement"
    return f"&Redo {history.redo_name}" if history and history.redo_name else "&Redo"


def _can_undo(window: MainWindow) -> bool:
    if _judging(window):
        return window.workbench.state(Words).may_undo
    history = window.workbench.history
    if window.workbench.state(Proposals).undo_name:
        return True
    return history is not None and history.undo_name is not None


def _can_redo(window: MainWindow) -> bool:
    if _judging(window):
        return window.workbench.state(Words).may_redo
    history = window.workbench.history
    return history is not None and history.redo_name is not None


def _undo(window: MainWindow) -> None:
    if _judging(window):
        window.workbench.state(Words).undo()
    elif not window.workbench.state(Proposals).undo():
        window.workbench.undo()


def _redo(window: MainWindow) -> None:
    (window.workbench.state(Words) if _judging(window) else window.workbench).redo()


def _copy(window: MainWindow) -> None:
    document = window.workbench.document
    if document is not None:
        copied = Clipboard.of(window.workbench.selected, document.page)
        QApplication.clipboard().setText(copied.text())
        count = len(copied.regions)
        window.workbench.said.emit(f"Copied {count} region{'s' * (count > 1)}", False)


def _cut(window: MainWindow) -> None:
    _copy(window)
    window.workbench.remove_selected()


def _paste(window: MainWindow) -> None:
    document = window.workbench.document
    if document is None:
        return
    try:
        copied = Clipboard.from_text(QApplication.clipboard().text())
        taken = {region.points for region in document}
        step = 10 if any(region.points in taken for region in copied.regions) else 0
        pasted = copied.paste(document.page, (step, step))
    except SpotlabError as error:
        window.workbench.said.emit(str(error), True)
        return
    name = "Paste region" if len(pasted) == 1 else f"Paste {len(pasted)} regions"
    if window.workbench.do(name, document.adding(*pasted)):
        window.workbench.selection.set([region.id for region in pasted])


def _select_all(window: MainWindow) -> None:
    window.workbench.selection.set([region.id for region in window.workbench.document or ()])


MENU = Menu(
    "edit",
    "&Edit",
    2,
    (
        Action(
            "edit.undo",
            _undo_title,
            _undo,
            ("Ctrl+Z",),
            enabled=_can_undo,
            icon="undo",
            tip="Take the page's last step back; also steps from before the last save",
            repeats=True,
        ),
        Action(
            "edit.redo",
            _redo_title,
            _redo,
            ("Ctrl+Shift+Z", "Ctrl+Y"),
            enabled=_can_redo,
            icon="redo",
            tip="Do the last undone step again",
            repeats=True,
        ),
        Action(
            "edit.cut",
            "Cu&t",
            _cut,
            ("Ctrl+X",),
            enabled=has_selection,
            icon="content-cut",
            tip="Copy the selected regions and delete them",
            rule=True,
        ),
        Action(
            "edit.copy",
            "&Copy",
            _copy,
            ("Ctrl+C",),
            enabled=has_selection,
            icon="content-copy",
            tip="Copy the selected regions, to paste them on this or another page",
        ),
        Action(
            "edit.paste",
            "&Paste",
            _paste,
            ("Ctrl+V",),
            enabled=may_draw,
            icon="content-paste",
            tip="Insert copied regions at the place where they were copied",
        ),
        Action(
            "edit.delete",
            "&Delete",
            lambda window: window.workbench.remove_selected(),
            ("Del",),
            enabled=has_selection,
            icon="delete-outline",
            tip="Delete the selected regions",
            on_canvas=True,
        ),
        Action(
            "edit.select_all",
            "Select &All",
            _select_all,
            ("Ctrl+A",),
            enabled=may_draw,
            tip="Select all regions of the page",
            rule=True,
        ),
        Action(
            "edit.select_none",
            "Select &None",
            lambda window: window.workbench.selection.clear(),
            ("Ctrl+Shift+A",),
            enabled=has_selection,
            tip="Select nothing",
        ),
        Action(
            "edit.commands",
            "Command &Palette…",
            lambda window: window.palette_of_commands.open(),
            ("Ctrl+K",),
            icon="magnify",
            tip="Find any action, label or page by a few letters",
            rule=True,
        ),
        Action(
            "edit.keys",
            "&Keys…",
            lambda window: window.show_keys(),
            ("Ctrl+,",),
            icon="keyboard-outline",
            tip="See all keys and choose others",
        ),
    ),
)
