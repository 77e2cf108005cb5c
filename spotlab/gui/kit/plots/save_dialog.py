"""Asks where a plot shall go as a picture, and writes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from spotlab.errors import SpotlabError
from spotlab.formats.rows.atomic import write_atomically
from spotlab.gui.kit import theme
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.kit.plots.pointed import PointedPlot
from spotlab.gui.kit.plots.saving import PICTURES, picture
from spotlab.gui.pages.workbench import Workbench


def ask_picture(workbench: Workbench, plot: PointedPlot, name: str, *_: object) -> None:
    """Write the plot to the file that the user chooses, as its name says."""
    folder = workbench.collection.folder or Path.home()
    dialog = QFileDialog(plot, "Save plot", str(folder))
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
        save_picture(workbench, plot, path)

    dialog.accepted.connect(save)
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()


def save_picture(workbench: Workbench, plot: PointedPlot, path: Path) -> None:
    """Write the plot there, and say so or why not."""
    content = picture(plot, path.suffix[1:].lower(), theme.colours(plot.palette()))
    try:
        write_atomically(path, content)
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
    else:
        workbench.said.emit(f"Wrote {path}", False)
