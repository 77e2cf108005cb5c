"""The File menu."""

from __future__ import annotations

from spotlab.gui.kit.settings import REOPEN
from spotlab.gui.window.panels import validate
from spotlab.gui.workspace.action import Action, Menu, has_page, has_pages, needs
from spotlab.gui.workspace.window import Window
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
