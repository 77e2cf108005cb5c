"""Asks for the file that a plot is saved to as a picture, and writes it."""

from __future__ import annotations

from pathlib import Path

from spotlab.gui.kit import theme
from spotlab.gui.kit.file_dialog import FileDialog
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
        That of the work at hand; see `start_folder`.
    say : callable
        Told that the file was written, or why not.
    """
    dialog = FileDialog(plot, "Save plot", folder)
    dialog.offer_kinds(f".{kind}" for kind in PICTURES)
    dialog.selectFile(name)
    dialog.accepted.connect(lambda: save_picture(plot, dialog.path, say))
    dialog.open()


def save_picture(plot: PointedPlot, path: Path, say: Say) -> None:
    """Write the plot in the format of the path's suffix, and say so or why not."""
    content = picture(plot, path.suffix[1:].lower(), theme.colours(plot.palette()))
    write_file(path, content, say)
