"""Asks for the file that a plot is saved to as a picture, and writes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from spotlab.gui.kit import theme
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.kit.plots.pointed import PointedPlot
from spotlab.gui.kit.plots.saving import PICTURES, picture
from spotlab.gui.kit.write_file import Say, write_file


def ask_picture(plot: PointedPlot, name: str, folder: Path | None, say: Say) -> None:
    """Write the plot to the file that the user chooses; its suffix says the format.

    Parameters
    ----------
    plot : PointedPlot
    name : str
        The file name that is suggested, without suffix.
    folder : Path or None
        Where the dialog starts; None: the home folder.
    say : callable
        Told that the file was written, or why not.
    """
    dialog = QFileDialog(plot, "Save plot", str(folder or Path.home()))
    OnScreen(dialog)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    filters = {f"{kind.upper()} (*.{kind})": kind for kind in PICTURES}
    dialog.setNameFilters(list(filters))
    dialog.selectFile(name)

    def save() -> None:
        path = Path(dialog.selectedFiles()[0])
        if path.suffix[1:].lower() not in PICTURES:
            path = path.with_name(f"{path.name}.{filters[dialog.selectedNameFilter()]}")
        save_picture(plot, path, say)

    dialog.accepted.connect(save)
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()


def save_picture(plot: PointedPlot, path: Path, say: Say) -> None:
    """Write the plot in the format of the path's suffix, and say so or why not."""
    content = picture(plot, path.suffix[1:].lower(), theme.colours(plot.palette()))
    write_file(path, content, say)
