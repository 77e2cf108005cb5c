"""Files and folders that are asked for, imported and opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QInputDialog

from spotlab.errors import BadInput, Cancelled, SpotlabError, counted
from spotlab.files import is_file
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.detect import format_of, known_formats
from spotlab.formats.collection.export import Converted
from spotlab.formats.truth import mets, page_xml
from spotlab.formats.truth.format import Format
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import FileDialog, Mode
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.pages.offers import Question
from spotlab.gui.window.dialogs.closing import ask
from spotlab.gui.window.dialogs.export_dialog import ExportDialog
from spotlab.gui.window.session import Session
from spotlab.gui.workspace.view_file import SUFFIX
from spotlab.gui.workspace.window import Window
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.progress import Progress, track
from spotlab.resources import PLANS, own_sample
from spotlab.trust import confined_truth

Import = Callable[[Sequence[Path]], object]


def open_foreign(window: Window, paths: Sequence[Path], import_files: Import) -> bool:
    """Ask how to open files that are truth of another program; False where they are not.

    Parameters
    ----------
    window : Window
    paths : sequence of Path
        What the user wants to open.
    import_files : callable
        Converts files to PAGE XML beside them, and opens these.
    """
    try:
        formats = window.workbench.opening.call(_formats, tuple(paths))
    except Cancelled:
        return True
    if not formats or None in formats:
        return False
    if len(paths) == 1 and formats[0] is mets.FORMAT:
        open_mets(window, paths[0])
        return True
    title = formats[0].title if formats[0] is not None else ""
    name = paths[0].name if len(paths) == 1 else f"{len(paths):,} files"
    question = Question(
        f"Import {name}?",
        f"This is {title}, and spotlab works on PAGE XML. It writes PAGE XML files into the same "
        "folder and opens them; the file stays as it is.",
        (),
        "Import",
    )
    ask(question, lambda: import_files(paths), window.frame)
    return True


def is_mets(path: Path) -> bool:
    """Tell whether a file is METS."""
    return background.call(_foreign, path) is mets.FORMAT


def open_mets(window: Window, path: Path) -> None:
    """Open the PAGE files of a file group; which one is asked where there are several."""
    try:
        groups = background.call(_groups_inside, path)
        if len(groups) <= 1:
            window.open_paths(groups[background.call(mets.group_for, path)])
            return
    except SpotlabError as error:
        window.workbench.said.emit(str(error), True)
        return
    preferred = ""
    with suppress(BadInput):  # none is to be preferred
        preferred = background.call(mets.group_for, path)
    dialog = QInputDialog(window.frame)
    OnScreen(dialog)
    dialog.setWindowTitle("Open METS")
    dialog.setLabelText(f"File group of {path.name} to open:")
    dialog.setComboBoxItems(list(groups))
    dialog.setTextValue(preferred or next(iter(groups)))
    dialog.accepted.connect(lambda: window.open_paths(groups[dialog.textValue()]))
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()


def _formats(paths: tuple[Path, ...], progress: Progress) -> list[Format | None]:
    names = ", ".join(path.name for path in paths)
    return [_foreign(path) for path in track(paths, progress, f"Opening {names}")]


def _groups_inside(path: Path) -> dict[str, list[Path]]:
    """The PAGE files of each file group; `BadInput` if one leads out of the folder of the METS."""
    groups = mets.page_groups(path)
    for files in groups.values():
        for file in files:
            confined_truth(file.absolute(), path.parent)
    return groups


def _foreign(path: Path) -> Format | None:
    """The format of a truth file that is neither PAGE nor an image; None of anything else."""
    if path.suffix.lower() in IMAGE_SUFFIXES or not is_file(path):
        return None
    try:
        format = format_of(path)
    except BadInput:
        return None
    return None if format is page_xml.FORMAT else format


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
