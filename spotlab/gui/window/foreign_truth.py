"""Opens truth of other programs: a file group of METS, or a file that is imported first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtWidgets import QInputDialog

from spotlab.errors import BadInput, Cancelled, SpotlabError
from spotlab.files import is_file
from spotlab.formats.collection.detect import format_of
from spotlab.formats.truth import mets, page_xml
from spotlab.formats.truth.format import Format
from spotlab.gui.kit import background
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.pages.step_questions import Question
from spotlab.gui.window.question_dialog import ask
from spotlab.gui.workspace.window import Window
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.progress import Progress, track
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
    """Whether a file is METS."""
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
