"""The File menu."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from spotlab.errors import SpotlabError, counted
from spotlab.gui.kit.settings import REOPEN
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.window.panels import validate
from spotlab.gui.workspace import (
    Action,
    Menu,
    Window,
    has_page,
    has_pages,
    has_selection,
    may_draw,
    needs,
)
from spotlab.libraries import late_imports
from spotlab.resources import LETTERS

with late_imports(__name__):
    from spotlab.gui.window.dialogs import file_dialogs as files


@needs("Everything is saved already")
def _can_save(window: Window) -> bool:
    return window.workbench.autosave.pending


def _save(window: Window) -> None:
    window.workbench.save()


def _reload(window: Window) -> None:
    window.workbench.reload()


def _switch_reopen(window: Window) -> None:
    settings = window.workbench.settings
    settings.set(REOPEN, not settings.get(REOPEN))


FILE = Menu(
    "file",
    "&File",
    1,
    (
        Action(
            "file.open_folder",
            "Open &Folder…",
            lambda window: files.ask_folder(window),
            ("Ctrl+O",),
            icon="folder-open-outline",
            words="directory load project collection browse",
            tip="Open all pages in a folder and its sub-folders",
        ),
        Action(
            "file.open_files",
            "Open &Pages…",
            lambda window: files.ask_files(window),
            ("Ctrl+Shift+O",),
            icon="file-image-outline",
            words="images scans pdf load",
            tip="Open images, PDF files or truth files",
        ),
        Action(
            "file.open_sample",
            "Open the &Sample Collection",
            lambda window: files.open_sample(window),
            icon="home-floor-1",
            words="example demo",
            tip="Open your own copy of sample floor plans with truth, to try spotlab",
        ),
        Action(
            "file.open_letters",
            "Open the Sample &Letters",
            lambda window: files.open_sample(window, LETTERS),
            icon="script-text-outline",
            words="example demo handwriting",
            tip="Open your own copy of handwritten sample pages with transcribed words, to try "
            "word search",
        ),
        Action(
            "file.open_recent",
            "Open &Recent…",
            lambda window: window.find_command("recent "),
            ("Ctrl+Shift+R",),
            enabled=needs("No collection was open before")(
                lambda window: bool(window.recent_paths)
            ),
            icon="history",
            words="history last",
            tip="Open a collection that was open before",
        ),
        Action(
            "file.open_view",
            "Open &View…",
            lambda window: files.ask_view(window),
            icon="eye-settings-outline",
            words="session state",
            tip="Open a saved view: its pages, runs, query, cut and place",
            rule=True,
        ),
        Action(
            "file.save_view",
            "Save Vie&w…",
            lambda window: files.ask_save_view(window),
            enabled=has_pages,
            words="session state bookmark",
            tip="Save what is open and where you look as a small file that opens elsewhere, too",
        ),
        Action(
            "file.reopen",
            "Start &Where You Left Off",
            _switch_reopen,
            preference=True,
            checked=lambda window: window.workbench.settings.get(REOPEN),
            words="restore session startup",
            tip="Open at the next start what was open at the end of the last one",
        ),
        Action(
            "file.save",
            "&Save Now",
            _save,
            ("Ctrl+S",),
            enabled=_can_save,
            icon="content-save-outline",
            words="write store",
            tip="Save the truth file now; it is also saved automatically",
            rule=True,
        ),
        Action(
            "file.save_copy",
            "Save a &Copy of the Truth…",
            lambda window: files.ask_copy(window),
            ("Ctrl+Shift+S",),
            enabled=has_page,
            words="save-as backup duplicate",
            tip="Save a copy of the open page's truth in another place",
        ),
        Action(
            "file.reload",
            "Re&load Truth from Disk",
            _reload,
            enabled=has_page,
            words="refresh revert discard",
            tip="Read the open page's truth file again from disk",
        ),
        Action(
            "file.export",
            "&Export…",
            lambda window: files.ask_export(window),
            ("Ctrl+E",),
            enabled=has_pages,
            icon="export-variant",
            words="convert save-as download coco yolo csv json dataset",
            tip="Export the truth for another program, or as a data set for training",
            rule=True,
        ),
        Action(
            "file.import",
            "&Import Truth…",
            lambda window: files.ask_import(window),
            ("Ctrl+I",),
            icon="import",
            words="convert load coco yolo labelme cvat alto",
            tip="Convert truth in another format to PAGE XML files beside the images",
        ),
        Action(
            "file.validate",
            "&Validate Collection",
            validate,
            ("Ctrl+Shift+V",),
            enabled=has_pages,
            icon="clipboard-check-outline",
            words="check verify errors problems mistakes lint",
            tip="Check the truth of all pages for mistakes and doubtful regions",
        ),
        Action(
            "file.quit",
            "&Quit",
            lambda window: window.frame.close(),
            ("Ctrl+Q",),
            words="exit close",
            tip="Close the window; unsaved work is saved first",
            rule=True,
        ),
    ),
)


with late_imports(__name__):
    from spotlab.editing import selection


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
        copied = selection.Clipboard.of(window.workbench.selected, document.page)
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
        copied = selection.Clipboard.from_text(QApplication.clipboard().text())
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
