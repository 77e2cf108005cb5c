"""Offers to import truth of other programs that lies in an opened folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from spotlab.errors import counted
from spotlab.files import is_folder
from spotlab.formats.truth import page_xml
from spotlab.formats.truth.format import Format
from spotlab.gui.kit.background import Task
from spotlab.gui.window.session import Session
from spotlab.gui.workspace.window import Window
from spotlab.libraries import late_imports
from spotlab.progress import Progress, silent

with late_imports(__name__):
    from spotlab.formats.collection import detect
    from spotlab.gui.window.dialogs import file_dialogs


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
        file_dialogs.import_files(self._window, [path for path, _ in files], folder)


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
    files, *_ = detect.truth_files_in(folder)
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
