"""The dialog that asks for files and folders: where it opens, and that it stays on the screen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from spotlab.gui.kit.known_paths import is_there
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.resources import is_own_folder

Mode = QFileDialog.FileMode

_saved_in: list[
    Path
] = []  # the folders saved to since the program started, the last one at the end


def start_folder(folder: Path | None, saves: bool = False) -> Path:
    """Choose the folder in which a dialog opens.

    Parameters
    ----------
    folder : Path or None
        That of the work at hand, such as the open collection.
    saves : bool
        Whether something is to be saved: the folder that was saved to last comes first then.

    Returns
    -------
    Path
        The user's documents where there is no such folder, or where it is one of spotlab's own,
        such as the copy of the sample collection: nobody finds again what is saved there.
    """
    if saves and _saved_in and is_there(_saved_in[-1]):
        return _saved_in[-1]
    if folder is not None and not is_own_folder(folder):
        return folder
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(documents) if documents and is_there(Path(documents)) else Path.home()


def note_saved(path: Path) -> None:
    """Let the next dialog that saves open in the folder of this file."""
    if not is_own_folder(path.parent):
        _saved_in[:] = [path.parent]


class FileDialog(QFileDialog):
    """Asks for files or a folder, and is gone when it is answered.

    Parameters
    ----------
    parent : QWidget
    title : str
    folder : Path or None
        Of the work at hand; see `start_folder`.
    mode : QFileDialog.FileMode
        What is chosen. ``AnyFile`` asks where to save.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        folder: Path | None,
        mode: QFileDialog.FileMode = Mode.AnyFile,
    ) -> None:
        saves = mode is Mode.AnyFile
        super().__init__(parent, title, str(start_folder(folder, saves)))
        OnScreen(self)
        self.setFileMode(mode)
        if saves:
            self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            self.accepted.connect(self._note)
        self._suffixes: dict[str, str] = {}
        self.finished.connect(self._end)

    @property
    def paths(self) -> list[Path]:
        """What is chosen."""
        return [Path(name) for name in self.selectedFiles()]

    @property
    def path(self) -> Path:
        """The one path that is chosen, with the suffix of the chosen kind if it has none of any."""
        path = self.paths[0]
        if self._suffixes and path.suffix.lower() not in self._suffixes.values():
            path = path.with_name(f"{path.name}{self._suffixes[self.selectedNameFilter()]}")
        return path

    def offer_kinds(self, suffixes: Iterable[str]) -> None:
        """Offer kinds of files by their suffixes, such as ``.png``."""
        self._suffixes = {f"{suffix[1:].upper()} (*{suffix})": suffix for suffix in suffixes}
        self.setNameFilters(list(self._suffixes))

    def save_to_folder(self, label: str) -> None:
        """Let the name be that of a folder, whose other files stay."""
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)
        self.setLabelText(QFileDialog.DialogLabel.FileName, label)

    def _note(self) -> None:
        note_saved(self.paths[0])

    def _end(self, _: int) -> None:
        self.deleteLater()
