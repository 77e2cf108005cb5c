"""Plots and tables as files: what a plot for print shows is chosen, looked at, and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QWidget,
)

from spotlab.formats.rows.csv_rows import safe_csv
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import FileDialog, Say, write_file
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.text import HEIGHT, WIDTH, line_sample
from spotlab.gui.kit.widgets import STRETCH, Choice, Option, in_column, in_row
from spotlab.progress import Progress
from spotlab.report.colours import RunStyle
from spotlab.report.tables import CSV, TableFormat
from spotlab.representation import utf8

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAFE = "CSV for spreadsheets, names never run as formulas (*.csv)"


def ask(
    parent: QWidget, format: TableFormat, name: str, text: Callable[[], str],
    folder: Path | None, say: Say,
) -> None:  # fmt: skip
    """Write a table to the file that the user chooses.

    Parameters
    ----------
    parent : QWidget
    format : TableFormat
    name : str
        The file name that is suggested, without suffix.
    text : callable
        Gives the content of the file; empty where there is none yet: nothing is written then.
    folder : Path or None
        That of the work at hand; see `start_folder`.
    say : callable
        Told that the file was written, or why not.
    """
    dialog = FileDialog(parent, f"Export {format.title}", folder)
    dialog.setNameFilters(
        [f"{format.title} (*{format.suffix})", *([SAFE] if format is CSV else [])]
    )
    dialog.setDefaultSuffix(format.suffix.removeprefix("."))
    dialog.selectFile(f"{name}{format.suffix}")

    def save() -> None:
        path, safe = dialog.path, dialog.selectedNameFilter() == SAFE
        content = text()
        if not content:
            say(f"{path.name} was not written: the table is not there yet; try again", True)
            return
        write_file(path, utf8(safe_csv(content) if safe else content), say)

    dialog.accepted.connect(save)
    dialog.open()


PICTURES = (".pdf", ".svg", ".png")
ONE_COLUMN, TWO_COLUMNS = 3.5, 7.16  # inches, of a page of two columns
WIDTHS = {ONE_COLUMN: "One column, 3.5 in", TWO_COLUMNS: "Two columns, 7.16 in"}
ALL = "Means over all queries"
SHOWN = 104  # pixels of the preview for an inch
PRINTED = 300  # of a PNG
STILL = 120  # ms without a change until the preview follows
SIDE, ROWS = 250, 6  # px of what is chosen; lines of a list in sight


@dataclass(frozen=True)
class PlotChoice:
    """Contents of a plot for print.

    Attributes
    ----------
    plots, runs : tuple of str
        By their names, in the order of the offer.
    query : str or None
        None: means over all queries.
    options : frozenset of str
    width : float
        In inches.
    """

    plots: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    query: str | None = None
    options: frozenset[str] = frozenset()
    width: float = TWO_COLUMNS


@dataclass(frozen=True, eq=False)
class PlotOffer:
    """A plot for print and what can be chosen of it; what is empty cannot be chosen.

    Attributes
    ----------
    name : str
        The file name that is suggested, without suffix.
    draw : callable
        Gives the figure of a choice. It is called in a thread, and raises `SpotlabError` where
        there is nothing to draw.
    chosen : PlotChoice
        At first.
    plots : mapping of str to str
        Titles of plots that stand beside each other, by name.
    runs : mapping of str to RunStyle
    queries : sequence of str
    options : mapping of str to str
        Titles of what can be left out, by name.
    """

    name: str
    draw: Callable[[PlotChoice, Progress], Figure]
    chosen: PlotChoice = PlotChoice()
    plots: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, RunStyle] = field(default_factory=dict)
    queries: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)


class PlotDialog(QDialog):
    """A plot as it will be printed, beside what it shows; closed when it has been saved.

    Parameters
    ----------
    parent : QWidget
    offer : PlotOffer
    folder : Path or None
        That of the work at hand; see `start_folder`.
    say : callable
        Told that the file was written, or why not.
    """

    def __init__(self, parent: QWidget, offer: PlotOffer, folder: Path | None, say: Say) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Save Plot")
        self.resize(1060, 640)
        OnScreen(self)
        self._offer, self._folder, self._say = offer, folder, say
        chosen = offer.chosen
        self.preview = QLabel("Drawing …")
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setAccessibleName("The plot as it is printed")
        self.plots = _checked(offer.plots, chosen.plots, {})
        self.runs = _checked({name: name for name in offer.runs}, chosen.runs, offer.runs)
        self.query: Choice[str | None] = Choice(
            [Option(each, each or ALL) for each in (None, *offer.queries)], "Queries"
        )
        self.query.show_value(chosen.query)
        self.options = {name: QCheckBox(title) for name, title in offer.options.items()}
        for name, box in self.options.items():
            box.setChecked(name in chosen.options)
        self.width_choice: Choice[float] = Choice(
            [Option(width, title) for width, title in WIDTHS.items()], "Width"
        )
        self.width_choice.show_value(chosen.width)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Close
        )
        self._drawing, self._writing = Task(say=self._tell), Task(say=say)
        self._timer = QTimer(self, singleShot=True, interval=STILL)
        self._lay_out()
        self._connect()
        self._draw()

    @property
    def choice(self) -> PlotChoice:
        """Return what is chosen now."""
        options = (name for name, box in self.options.items() if box.isChecked())
        return PlotChoice(
            _chosen(self.plots), _chosen(self.runs), self.query.value, frozenset(options),
            self.width_choice.value,
        )  # fmt: skip

    @property
    def busy(self) -> bool:
        """Tell whether a preview or a file is still to come."""
        return self._timer.isActive() or self._drawing.busy or self._writing.busy

    def ask(self) -> FileDialog:
        """Ask for the file."""
        dialog = FileDialog(self, "Save plot", self._folder)
        dialog.offer_kinds(PICTURES)
        return dialog.ask(self.save, suggested=self._offer.name)

    def save(self, path: Path) -> None:
        """Write what is chosen in the format of the path's suffix, say so, and close."""

        def done(content: bytes) -> None:
            write_file(path, content, self._say)
            self.close()

        kind = path.suffix[1:].lower()
        self._writing.start(_drawn, self._offer.draw, self.choice, kind, PRINTED, done=done)

    def _draw(self) -> None:
        choice = self.choice
        lacking = [
            what
            for what, offered, given in (
                ("plot", self._offer.plots, choice.plots), ("run", self._offer.runs, choice.runs)
            )
            if offered and not given
        ]  # fmt: skip
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(not lacking)
        if lacking:
            self._drawing.cancel()
            self._tell(f"Choose a {lacking[0]}")
            return
        dots = SHOWN * self.devicePixelRatioF()
        self._drawing.start(_drawn, self._offer.draw, choice, "png", dots, done=self._show)

    def _show(self, content: bytes) -> None:
        pixmap = QPixmap()
        pixmap.loadFromData(content)
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        self.preview.setPixmap(pixmap)

    def _tell(self, text: str, failed: bool = False) -> None:
        """Say what is missing where the plot would be."""
        self.preview.setText(text)
        if failed:
            self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(False)

    def _lay_out(self) -> None:
        scrolled, offered = QScrollArea(), QWidget()
        scrolled.setWidget(self.preview)
        scrolled.setWidgetResizable(True)
        groups: list[QWidget] = []
        for title, widget, wanted in (
            ("Plots", self.plots, self._offer.plots),
            ("Runs", self.runs, self._offer.runs),
            ("Queries", self.query, self._offer.queries),
            ("Width", self.width_choice, WIDTHS),
        ):
            if wanted:
                head = set_up(QLabel(title), role="heading")
                groups += [head, widget]
        column = in_column(*groups, *self.options.values(), STRETCH, of=offered, margins=0)
        column.setSpacing(6)
        offered.setFixedWidth(SIDE)
        row = in_row((scrolled, 1), offered, spacing=12)
        in_column((row, 1), self.buttons, of=self, margins=(14, 12, 14, 12), spacing=10)

    def _connect(self) -> None:
        self._timer.timeout.connect(self._draw)
        for listed in (self.plots, self.runs):
            listed.itemChanged.connect(lambda _: self._timer.start())
        for choice in (self.query, self.width_choice):
            choice.chosen.connect(lambda _: self._timer.start())
        for box in self.options.values():
            box.toggled.connect(lambda _: self._timer.start())
        self.buttons.accepted.connect(self.ask)
        self.buttons.rejected.connect(self.close)
        self.destroyed.connect(self._drawing.cancel)  # Escape closes without a close event


def ask_plot(parent: QWidget, offer: PlotOffer, folder: Path | None, say: Say) -> PlotDialog:
    """Let the user choose what a plot shows, look at it, and save it."""
    dialog = PlotDialog(parent, offer, folder, say)
    dialog.open()
    return dialog


def _drawn(
    draw: Callable[[PlotChoice, Progress], Figure], choice: PlotChoice, kind: str, dots: float,
    progress: Progress,
) -> bytes:  # fmt: skip
    from spotlab.report.charts import file  # noqa: PLC0415 - matplotlib takes long

    return file(draw(choice, progress), kind, round(dots))


def _checked(
    titles: Mapping[str, str], chosen: Sequence[str], styles: Mapping[str, RunStyle]
) -> QListWidget:
    """A list of things that can be checked, as high as they are where they are few."""
    listed = QListWidget()
    listed.setIconSize(QSize(WIDTH, HEIGHT))
    for name, title in titles.items():
        item = QListWidgetItem(title, listed)
        item.setToolTip(title)
        item.setData(Qt.ItemDataRole.UserRole, name)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked)
        if name in styles:
            colour = readable(styles[name].colour, theme.colours(listed.palette()).base)
            item.setIcon(QIcon(line_sample(colour, styles[name].dash)))
    line = max(listed.sizeHintForRow(0), HEIGHT)
    listed.setFixedHeight(line * min(max(len(titles), 1), ROWS) + 2 * listed.frameWidth() + 2)
    return listed


def _chosen(listed: QListWidget) -> tuple[str, ...]:
    items = (listed.item(row) for row in range(listed.count()))
    return tuple(
        str(item.data(Qt.ItemDataRole.UserRole))
        for item in items
        if item.checkState() is Qt.CheckState.Checked
    )
