"""Files and folders that are asked for, imported and opened."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from spotlab.editing.session import EditingSession
from spotlab.errors import BadInput, Cancelled, SpotlabError, counted
from spotlab.files import is_file, is_folder
from spotlab.formats.collection.containers import is_archive, unpack
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.detect import format_of, known_formats, truth_files_in
from spotlab.formats.collection.export import Converted
from spotlab.formats.collection.truth_files import pages_among
from spotlab.formats.page.images import ImageIndex
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth import mets, page_xml
from spotlab.formats.truth.format import Format
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background, files
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import FileDialog, Mode
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.pages.offers import Question
from spotlab.gui.window.panels import LateWorkspaces
from spotlab.gui.window.session import Session
from spotlab.gui.workspace import SUFFIX, Window, Workspace
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.libraries import late_imports
from spotlab.progress import Progress, silent, track
from spotlab.resources import PLANS, own_sample
from spotlab.trust import confined_truth

with late_imports(__name__):
    from spotlab.gui.window.dialogs import export_dialog


def may_lose_work(parent: QWidget, why: str, sessions: Sequence[EditingSession] = ()) -> bool:
    """Tell whether the user wants to close although something could not be saved.

    Parameters
    ----------
    parent : QWidget
    why : str
        What could not be done.
    sessions : sequence of EditingSession
        The pages that are not saved; copies of them can be written to another folder.
    """
    problem = why
    while True:
        box = QMessageBox(
            QMessageBox.Icon.Warning,
            "Not saved",
            "\n\n".join(text for text in (problem, _kept(sessions)) if text),
            parent=parent,
        )
        OnScreen(box)
        stay = box.addButton("Stay", QMessageBox.ButtonRole.RejectRole)
        leave = box.addButton("Close without saving", QMessageBox.ButtonRole.DestructiveRole)
        copy = box.addButton("Save copies…", QMessageBox.ButtonRole.ActionRole)
        copy.setVisible(any(session.dirty for session in sessions))
        box.setDefaultButton(stay)
        box.exec()
        if box.clickedButton() is leave:
            return True
        if box.clickedButton() is not copy:
            return False
        problem = _save_copies(parent, [session for session in sessions if session.dirty]) or why


def _kept(sessions: Sequence[EditingSession]) -> str:
    """Tell where the steps are that no truth file has."""
    unsaved = [session for session in sessions if session.dirty]
    journals = [str(session.journal) for session in unsaved if session.journal]
    lines = []
    if journals:
        lines.append(f"The next start restores all steps from {_listed(journals)}.")
    if lost := [session.path.name for session in unsaved if not session.journal]:
        lines.append(
            f"The unsaved steps of {_listed(lost)} are not in a journal: they would be lost."
        )
    return "\n".join(lines)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _save_copies(parent: QWidget, sessions: Sequence[EditingSession]) -> str:
    """Write copies to a folder that the user chooses; gives what became of that."""
    title = "Save copies of unsaved truth files"
    dialog = FileDialog(parent, title, None, FileDialog.FileMode.Directory)
    dialog.setOption(FileDialog.Option.ShowDirsOnly)
    if not dialog.exec():
        return ""
    folder = dialog.path
    try:
        copies = [session.save_copy_in(folder) for session in sessions]
    except Exception as error:  # whatever stands against saving may stand against this
        return f"No copy was written: {error}"
    return f"Copies are in {_listed([str(copy) for copy in copies])}."


def ask(
    question: Question,
    go: Callable[[], object],
    parent: QWidget,
    other: tuple[str, Callable[[], object]] | None = None,
) -> QMessageBox:
    """Show the question; what it is about happens if the user accepts.

    Parameters
    ----------
    question : Question
    go : callable
        Called where the user accepts.
    parent : QWidget
    other : pair of str and callable, optional
        Text of another button, and what it does.
    """
    box = QMessageBox(
        QMessageBox.Icon.Warning if question.details else QMessageBox.Icon.Question,
        "spotlab",
        question.text,
        parent=parent,
    )
    OnScreen(box)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setInformativeText(question.more.strip())
    if question.details:
        box.setDetailedText("\n".join(question.details))
    accept = box.addButton(question.accept, QMessageBox.ButtonRole.AcceptRole)
    if other is not None:
        text, otherwise = other
        button = box.addButton(text, QMessageBox.ButtonRole.ActionRole)
        button.clicked.connect(lambda _=False: otherwise())
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel if question.details else accept)
    box.setEscapeButton(cancel)
    accept.clicked.connect(lambda _=False: go())
    box.open()
    return box


Result = TypeVar("Result")


def close(frame: QWidget, canvas: Canvas, remember: Callable[[], object]) -> bool:
    """Save and stop; asks only if something cannot be saved. False if the user wants to stay.

    Parameters
    ----------
    frame : QWidget
        The parent of the question.
    canvas : Canvas
        Shows what is saved.
    remember : callable
        Keeps for the next start where the window and its panels are.
    """
    workbench = canvas.workbench
    for step in (workbench.opening.cancel, remember, canvas.cancel):
        _attempt(step)
    unsafe = _attempt(files.flush_all)
    if unsafe and not may_lose_work(frame, unsafe[0], ()):
        return False
    closed = _attempt(workbench.close)
    if not closed and not may_lose_work(frame, workbench.autosave.failure, workbench.sessions):
        return False
    for step in (workbench.collection.stop_following, canvas.stop, background.cancel_all):
        _attempt(step)
    return True


def _attempt(step: Callable[[], Result]) -> Result | None:
    try:
        return step()
    except Exception:
        sys.excepthook(*sys.exc_info())
        return None


Apart = tuple[list[Path], list[Path], Workspace | None]


def told_apart(window: Window, paths: Sequence[Path]) -> Apart:
    """Tell pages from other files.

    Parameters
    ----------
    window : Window
    paths : sequence of Path
        What is to be opened.

    Returns
    -------
    pages, others : list of Path
    space : Workspace or None
        The one that opens the others; None where there are none, or no workspace knows them.

    Raises
    ------
    Cancelled
        Something else is opened meanwhile.
    """
    known = window.part(LateWorkspaces).by_name.values()
    # what needs no pages is known by more than a run is: any table may be one
    spaces = tuple(sorted(known, key=lambda space: not space.pageless))
    return window.workbench.opening.call(_told_apart, tuple(paths), spaces)


def _told_apart(
    paths: tuple[Path, ...], spaces: tuple[Workspace, ...], progress: Progress
) -> Apart:
    pages, others = pages_among(paths, progress)
    for space in spaces:
        if others and space.opens and space.opens.recognises(tuple(others), progress):
            return pages, others, space
    return pages, others, None


def open_in(window: Window, space: Workspace, others: list[Path], pages: list[Path]) -> bool:
    """Open pages, if any, and then other files in a workspace.

    Parameters
    ----------
    window : Window
    space : Workspace
        One that opens other files.
    others, pages : list of Path

    Returns
    -------
    bool
        False where the pages could not be opened, or something is asked first.
    """
    if pages and open_foreign(window, pages):
        names = _listed([path.name for path in others])
        window.workbench.said.emit(f"{names}: open this once the pages are open", True)
        return False
    if (pages and not window.open_paths(pages)) or space.opens is None:
        return False
    window.enter(space.name)
    return space.opens.open(window, others)


def open_foreign(window: Window, paths: Sequence[Path]) -> bool:
    """Ask how to open an archive or files that are truth of another program.

    Parameters
    ----------
    window : Window
    paths : sequence of Path
        What the user wants to open.

    Returns
    -------
    bool
        False where the paths are something else.
    """
    try:
        formats, archive = window.workbench.opening.call(_formats, tuple(paths))
    except Cancelled:
        return True
    if archive:
        ask_to_unpack(window, paths[0])
        return True
    if not formats or None in formats:
        return False
    if len(paths) == 1 and formats[0] is mets.FORMAT:
        open_mets(window, paths[0])
        return True
    ask_to_import(window, paths, formats[0].title if formats[0] is not None else "")
    return True


def ask_to_import(window: Window, paths: Sequence[Path], title: str) -> None:
    """Ask whether to write PAGE XML, and where: with the images, wherever these are."""
    open_folder = window.workbench.collection.folder
    try:
        place = window.workbench.opening.call(_import_place, tuple(paths), open_folder)
    except Cancelled:
        return
    name = paths[0].name if len(paths) == 1 else f"{len(paths):,} files"
    where = "the same folder" if place == paths[0].parent else f"{place}, where the images are,"
    question = Question(
        f"Import {name}?",
        f"This is {title}, and spotlab works on PAGE XML. It writes PAGE XML files into {where} "
        f"and opens them; {'the file stays as it is' if len(paths) == 1 else 'the files stay'}.",
        (),
        "Import",
    )
    use = partial(import_files, window, paths)
    elsewhere = partial(_ask_place, window, "Import into folder", use)
    ask(question, lambda: import_files(window, paths, place), window.frame,
        ("Other folder…", elsewhere))  # fmt: skip


def _ask_place(window: Window, title: str, use: Callable[[Path], object]) -> None:
    dialog = _dialog(window, title, Mode.Directory)
    dialog.ask(use)


def _import_place(paths: tuple[Path, ...], folder: Path | None, progress: Progress) -> Path:
    """The folder of the truth; the open one where the images are in that one only."""
    own = paths[0].parent
    if folder is None or folder == own:
        return own
    for find, place in ((None, own), (ImageIndex(folder).find, folder)):
        for path in track(paths, progress, f"Opening {paths[0].name}"):
            with suppress(BadInput):  # importing will say so
                truths = format_of(path).read_file(path, Reading(find_image=find))
                if any(is_file(truth.page.image) for truth in truths):
                    return place
    return own


def ask_to_unpack(window: Window, path: Path) -> None:
    """Ask where to unpack an archive, and open what was in it."""
    question = Question(
        f"Unpack {path.name}?",
        "This is an archive. spotlab unpacks it into a new folder, in a folder that you choose, "
        "and opens that; the archive stays as it is.",
        (),
        "Choose folder…",
    )

    def unpack_into(folder: Path) -> None:
        target = folder / (path.name.split(".")[0] or "archive")
        task = Task(window.workbench)
        task.start(unpack, path, target, done=lambda _: window.open_paths([target]))
        window.status.watch(task)

    go = partial(_ask_place, window, f"Unpack {path.name} into folder", unpack_into)
    ask(question, go, window.frame)


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


def _formats(paths: tuple[Path, ...], progress: Progress) -> tuple[list[Format | None], bool]:
    """The format of each file, and whether it is one archive instead."""
    names = ", ".join(path.name for path in paths)
    formats = [_foreign(path) for path in track(paths, progress, f"Opening {names}")]
    return formats, formats == [None] and is_file(paths[0]) and is_archive(paths[0])


def _groups_inside(path: Path) -> dict[str, list[Path]]:
    """The PAGE files of each file group; `BadInput` if one leads out of the folder of the METS."""
    groups = mets.page_groups(path)
    for group in groups.values():
        for file in group:
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
ARCHIVES = {".zip", ".tar", ".tar.gz", ".tgz"}


def ask_folder(window: Window) -> None:
    """Open a folder."""
    _dialog(window, "Open folder", Mode.Directory).ask_all(window.open_paths)


def ask_files(window: Window) -> None:
    """Open pages."""
    patterns = " ".join(f"*{suffix}" for suffix in sorted(IMAGE_SUFFIXES | {".xml"}))
    filters = [f"Pages ({patterns})", "All files (*)"]
    _dialog(window, "Open pages", Mode.ExistingFiles).ask_all(window.open_paths, filters)


def ask_view(window: Window) -> None:
    """Open a saved view."""
    dialog = _dialog(window, "Open view", Mode.ExistingFile)
    dialog.ask_all(window.open_paths, [VIEWS, "All files (*)"])


def ask_save_view(window: Window) -> None:
    """Save what is open and where one looks."""
    entry = window.workbench.entry
    name = f"{entry.name if entry else 'view'}{SUFFIX}"
    _ask_target(window, "Save view", VIEWS, name, window.part(Session).save)


def _ask_target(
    window: Window, title: str, kind: str, name: str, save: Callable[[Path], object]
) -> None:
    """Save to the file that the user names, and say so, or why not."""

    def use(path: Path) -> None:
        try:
            save(path)
        except SpotlabError as error:
            window.workbench.said.emit(str(error), True)
        else:
            window.workbench.said.emit(f"Wrote {path}", False)

    dialog = _dialog(window, title, Mode.AnyFile)
    dialog.setDefaultSuffix(name.rpartition(".")[2])
    dialog.ask(use, [kind], name)


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
    name = f"{session.path.stem}-copy.xml"
    title = "Save a copy of the truth"
    _ask_target(window, title, "PAGE XML (*.xml)", name, session.save_copy)


def ask_export(window: Window) -> None:
    """Write the collection's truth in another format, or as a data set."""
    workbench = window.workbench
    if not workbench.autosave.finish():  # what is exported is what lies in the truth files
        workbench.said.emit(f"Nothing was exported: {workbench.autosave.failure}", True)
        return
    dialog = export_dialog.ExportDialog(workbench, partial(_tell, window), window.frame)
    dialog.open()


def ask_import(window: Window) -> None:
    """Turn truth of another format into PAGE XML, and open that."""
    dialog = _dialog(window, "Import truth", Mode.ExistingFiles)
    formats = [format for format in known_formats().values() if format.name != "page"]
    suffixes = {suffix for format in formats for suffix in format.suffixes} | ARCHIVES
    patterns = " ".join(f"*{suffix}" for suffix in sorted(suffixes))
    dialog.setNameFilters([f"Truth files ({patterns})", "All files (*)"])

    def use(paths: list[Path]) -> None:
        if not open_foreign(window, paths):
            names = ", ".join(path.name for path in paths)
            window.workbench.said.emit(f"{names}: this is no truth of another program", True)

    dialog.ask_all(use)


def import_files(window: Window, paths: Sequence[Path], folder: Path) -> None:
    """Convert truth files to PAGE XML in a folder, and open that.

    Images that are not found beside the truth are those of the open collection.

    Parameters
    ----------
    window : Window
    paths : sequence of Path
    folder : Path
    """
    look_in = window.workbench.collection.folder
    opened = window.part(Session).opened
    # images that are open stay so
    again = opened if look_in == folder and opened else (folder,)
    job = partial(convert, look_in=look_in)
    _convert(window, job, paths, folder, lambda: window.open_paths(again))


def _convert(
    window: Window,
    job: Callable[..., Converted],
    source: Sequence[Path],
    target: Path,
    then: Callable[[], object],
) -> None:
    workbench = window.workbench

    def done(converted: Converted) -> None:
        _tell(window, converted, target)
        then()

    task = Task(workbench)
    task.start(job, source, target, "page", done=done)
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


FilesWithFormat = Sequence[tuple[Path, Format]]
KIND = "foreign truth"  # of the banner


class ImportOffer:
    """Looks into each folder that is opened and has no page with PAGE XML."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._task = Task(say=lambda _text, _serious: None)  # a folder that cannot be read
        window.opened.connect(self._look)

    def _look(self) -> None:
        """Look for truth files in the background."""
        window = self._window
        window.banner.withdraw(KIND)
        paths = window.part(Session).opened
        entries = window.workbench.collection.entries
        if len(paths) == 1 and not any(entry.has_truth for entry in entries):
            self._task.start(foreign_truth_in, paths[0], done=partial(self._offer, paths[0]))

    def _offer(self, folder: Path, files: FilesWithFormat) -> None:
        window = self._window
        if not files or window.part(Session).opened != (folder,):
            return
        window.banner.show_message(
            KIND,
            f"There is truth of other programs in this folder: {listed(files)}. Importing writes "
            "PAGE XML files into the folder; the files of the other programs stay as they are.",
            [
                (
                    "Import",
                    "Write PAGE XML files into this folder, and open them",
                    partial(self._import, folder, files),
                )
            ],
        )

    def _import(self, folder: Path, files: FilesWithFormat) -> None:
        self._window.banner.dismiss()
        import_files(self._window, [path for path, _ in files], folder)


def foreign_truth_in(folder: Path, progress: Progress = silent) -> FilesWithFormat:
    """The truth files of other programs in a folder and all in it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     foreign_truth_in(Path(folder))
    []
    """
    if not is_folder(folder):
        return []
    files, *_ = truth_files_in(folder)
    return [(path, format) for path, format in files if format is not page_xml.FORMAT]


def listed(files: FilesWithFormat) -> str:
    """Tell how many files there are of each format, in words.

    Examples
    --------
    >>> from spotlab.formats.truth import coco
    >>> listed([(Path("a.json"), coco.FORMAT), (Path("b.json"), coco.FORMAT)])
    'COCO (2 files)'
    """
    counts = Counter(format.title for _, format in files)
    return ", ".join(f"{title} ({counted(count, 'file')})" for title, count in counts.most_common())
