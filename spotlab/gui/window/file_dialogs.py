"""Asks for files and folders, and starts what is to be done with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from spotlab.errors import SpotlabError, counted
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.export import Converted
from spotlab.gui.kit.file_dialog import FileDialog, Mode
from spotlab.gui.kit.task import Task
from spotlab.gui.window.export_dialog import ExportDialog
from spotlab.gui.window.foreign_truth import is_mets, open_mets
from spotlab.gui.window.session import Session
from spotlab.gui.workspace.view_file import SUFFIX
from spotlab.gui.workspace.window import Window
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.resources import PLANS, own_sample

VIEWS = f"Views (*{SUFFIX})"


def ask_folder(window: Window) -> None:
    """Open a folder."""
    dialog = _dialog(window, "Open folder", Mode.Directory)
    _when_chosen(dialog, window.open_paths)


def ask_files(window: Window) -> None:
    """Open pages."""
    dialog = _dialog(window, "Open pages", Mode.ExistingFiles)
    patterns = " ".join(f"*{suffix}" for suffix in sorted(IMAGE_SUFFIXES | {".xml"}))
    dialog.setNameFilters([f"Pages ({patterns})", "All files (*)"])
    _when_chosen(dialog, window.open_paths)


def ask_view(window: Window) -> None:
    """Open a saved view."""
    dialog = _dialog(window, "Open view", Mode.ExistingFile)
    dialog.setNameFilters([VIEWS, "All files (*)"])
    _when_chosen(dialog, window.open_paths)


def ask_save_view(window: Window) -> None:
    """Save what is open and where one looks."""
    dialog = _dialog(window, "Save view", Mode.AnyFile)
    dialog.setNameFilter(VIEWS)
    dialog.setDefaultSuffix(SUFFIX.lstrip("."))
    entry = window.workbench.entry
    dialog.selectFile(f"{entry.name if entry else 'view'}{SUFFIX}")

    def save(paths: list[Path]) -> None:
        try:
            window.part(Session).save(paths[0])
        except SpotlabError as error:
            window.workbench.said.emit(str(error), True)
        else:
            window.workbench.said.emit(f"Wrote {paths[0]}", False)

    _when_chosen(dialog, save)


def open_sample(window: Window, name: str = PLANS) -> None:
    """Open this user's copy of a sample collection."""
    try:
        window.open_paths([own_sample(name)])
    except SpotlabError as error:
        window.workbench.said.emit(str(error), True)


def ask_copy(window: Window) -> None:
    """Write the open page's truth somewhere else."""
    session = window.workbench.session
    if session is None:
        return
    dialog = _dialog(window, "Save a copy of the truth", Mode.AnyFile)
    dialog.setNameFilter("PAGE XML (*.xml)")
    dialog.setDefaultSuffix("xml")
    dialog.selectFile(f"{session.path.stem}-copy.xml")

    def save(paths: list[Path]) -> None:
        try:
            session.save_copy(paths[0])
        except SpotlabError as error:
            window.workbench.said.emit(str(error), True)
        else:
            window.workbench.said.emit(f"Wrote {paths[0]}", False)

    _when_chosen(dialog, save)


def ask_export(window: Window) -> None:
    """Write the collection's truth in another format, or as a data set."""
    workbench = window.workbench
    if not workbench.autosave.finish():  # what is exported is what lies in the truth files
        workbench.said.emit(f"Nothing was exported: {workbench.autosave.failure}", True)
        return
    dialog = ExportDialog(workbench, partial(_tell, window), window.frame)
    dialog.open()


def ask_import(window: Window) -> None:
    """Turn truth of another format into PAGE XML in its folder, and open that."""
    dialog = _dialog(window, "Import truth", Mode.ExistingFiles)
    formats = [format for format in known_formats().values() if format.name != "page"]
    suffixes = {suffix for format in formats for suffix in format.suffixes}
    patterns = " ".join(f"*{suffix}" for suffix in sorted(suffixes))
    dialog.setNameFilters([f"Truth files ({patterns})", "All files (*)"])

    _when_chosen(dialog, lambda paths: import_files(window, paths))


def import_files(window: Window, paths: Sequence[Path], folder: Path | None = None) -> None:
    """Convert truth files to PAGE XML, and open that folder; of METS open a group.

    The PAGE XML files go into the folder; by default beside the first of the truth files.
    """
    if len(paths) == 1 and is_mets(paths[0]):
        open_mets(window, paths[0])
        return
    target = folder or paths[0].parent
    _convert(window, paths, target, "page", lambda: window.open_paths([target]))


def _convert(
    window: Window,
    source: Path | Sequence[Path],
    target: Path,
    format_name: str,
    then: Callable[[], object] | None = None,
) -> None:
    workbench = window.workbench

    def done(converted: Converted) -> None:
        _tell(window, converted, target)
        if then:
            then()

    task = Task(workbench)
    task.start(convert, source, target, format_name, done=done)
    window.status.watch(task)


def _tell(window: Window, converted: Converted, target: Path) -> None:
    """Say what was written, and what was left out."""
    pages, regions = counted(converted.pages, "page"), counted(converted.regions, "region")
    text = f"Wrote {regions} of {pages} to {target}"
    if converted.remarks:
        window.banner.show_remark(text, "\n".join(converted.remarks))
    else:
        window.workbench.said.emit(text, False)


def _dialog(window: Window, title: str, mode: Mode) -> FileDialog:
    return FileDialog(window.frame, title, window.workbench.collection.folder, mode)


def _when_chosen(dialog: FileDialog, use: Callable[[list[Path]], object]) -> None:
    dialog.accepted.connect(lambda: use(dialog.paths))
    dialog.open()
