"""The Edit menu."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from spotlab.errors import SpotlabError, counted
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.workspace.action import Action, Menu, has_selection, may_draw, needs
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.editing import clipboard


def _undo_title(window: Window) -> str:
    name = window.undo_stack.undo_name
    return f"&Undo {name}" if name else "&Undo"


def _redo_title(window: Window) -> str:
    name = window.undo_stack.redo_name
    return f"&Redo {name}" if name else "&Redo"


def _undo(window: Window) -> None:
    window.undo_stack.undo()


def _redo(window: Window) -> None:
    window.undo_stack.redo()


def _copy(window: Window) -> None:
    document = window.workbench.document
    if document is not None:
        copied = clipboard.Clipboard.of(window.workbench.selected, document.page)
        QApplication.clipboard().setText(copied.text())
        count = len(copied.regions)
        window.workbench.said.emit(f"Copied {counted(count, 'region')}", False)


def _cut(window: Window) -> None:
    _copy(window)
    window.workbench.editing.remove_selected()


def _paste(window: Window) -> None:
    document = window.workbench.document
    if document is None:
        return
    try:
        copied = clipboard.Clipboard.from_text(QApplication.clipboard().text())
        taken = {region.points for region in document}
        step = 10 if any(region.points in taken for region in copied.regions) else 0
        pasted = copied.paste(document.page, (step, step))
    except SpotlabError as error:
        window.workbench.said.emit(str(error), True)
        return
    name = "Paste region" if len(pasted) == 1 else f"Paste {len(pasted)} regions"
    if window.workbench.editing.do(name, document.adding(*pasted)):
        window.workbench.selection.set([region.id for region in pasted])


def _select_all(window: Window) -> None:
    reachable = window.workbench.state(RegionVisibility).reachable_ids()
    window.workbench.selection.set(reachable)


EDIT = Menu(
    "edit",
    "&Edit",
    2,
    (
        Action(
            "edit.undo",
            _undo_title,
            _undo,
            ("Ctrl+Z",),
            enabled=needs("There is nothing to undo here")(
                lambda window: window.undo_stack.may_undo
            ),
            icon="undo",
            words="revert back",
            tip="Undo the last step on the page, including steps before the last save",
            repeats=True,
        ),
        Action(
            "edit.redo",
            _redo_title,
            _redo,
            ("Ctrl+Shift+Z", "Ctrl+Y"),
            enabled=needs("There is nothing to redo here")(
                lambda window: window.undo_stack.may_redo
            ),
            icon="redo",
            words="again repeat",
            tip="Redo the last undone step",
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
            words="clipboard",
            tip="Copy the selected regions, to paste them on this or another page",
        ),
        Action(
            "edit.paste",
            "&Paste",
            _paste,
            ("Ctrl+V",),
            enabled=may_draw,
            icon="content-paste",
            words="clipboard insert",
            tip="Insert the copied regions at their original position",
        ),
        Action(
            "edit.delete",
            "&Delete",
            lambda window: window.workbench.editing.remove_selected(),
            ("Del",),
            enabled=has_selection,
            icon="delete-outline",
            words="remove erase clear discard",
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
            words="deselect unselect",
            tip="Clear the selection",
        ),
        Action(
            "edit.commands",
            "Command &Palette…",
            lambda window: window.find_command(),
            ("Ctrl+K",),
            icon="magnify",
            tip="Find an action, label or page by a few letters",
            rule=True,
        ),
        Action(
            "edit.keys",
            "&Keys…",
            lambda window: window.show_keys(),
            ("Ctrl+Alt+K",),
            icon="keyboard-outline",
            words="shortcuts hotkeys keyboard bindings",
            tip="Show and change the keyboard shortcuts",
        ),
        Action(
            "edit.preferences",
            "Prefe&rences…",
            lambda window: window.show_preferences(),
            ("Ctrl+,",),
            icon="cog-outline",
            words="settings options configuration configure theme dark language author startup",
            tip="Choose the theme, the author, the keys and what is shown",
        ),
    ),
)
