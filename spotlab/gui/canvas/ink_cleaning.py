"""Controls of what is removed from the ink of a page, and of the colour that it has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QSlider, QWidget

from spotlab.errors import counted
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.widgets import Flow
from spotlab.imaging.cleaning import CleanedInk
from spotlab.imaging.ink import Colour, InkSettings
from spotlab.imaging.reading.pyramid import Pixels

SWATCH = 12  # px
REACH = 2  # px around the place that was picked: a stroke's middle is its strongest colour
AddSlider = Callable[[str, int, int, str, Callable[[int], str]], QSlider]
AddRow = Callable[[str, QWidget], None]


class CleaningControls:
    """A row for each option of cleaning, made by whoever holds them.

    Parameters
    ----------
    canvas : Canvas
    add_slider, add_row : callable
        Add a row.
    changed : callable
        Called when the user has chosen something that takes effect at once.
    """

    def __init__(
        self, canvas: Canvas, add_slider: AddSlider, add_row: AddRow, changed: Callable[[], object]
    ) -> None:
        self._canvas, self._changed = canvas, changed
        self._colour: Colour | None = None
        self.rulings = QCheckBox("Remove")
        self.rulings.setToolTip(
            "Removes the lines of squared or lined paper, also tilted or bent ones. "
            "Strokes that cross them stay whole"
        )
        self.rulings.clicked.connect(lambda _: changed())
        add_row("Rulings", self.rulings)
        self.specks = add_slider(
            "Specks",
            0,
            100,
            "Removes connected ink of at most this area",
            lambda area: f"≤ {area} px" if area else "keep",
        )
        self.smallest = add_slider(
            "Smallest",
            0,
            60,
            "Removes connected ink whose larger side is shorter than this",
            lambda side: f"{side} px" if side else "any",
        )
        self.pick = set_up(QPushButton("Pick from Page"), checkable=True, does=self._start_picking)
        self.any_colour = QPushButton("Any")
        self.any_colour.setToolTip("Use ink of every colour")
        self.any_colour.clicked.connect(lambda _: self._choose(None))
        both = QWidget()
        row = Flow()
        both.setLayout(row)
        row.addWidget(self.pick)
        row.addWidget(self.any_colour)
        both.setToolTip(
            "Uses only ink of one colour. Press the button, then click on a stroke of that colour"
        )
        add_row("Colour", both)
        self.tolerance = add_slider(
            "Hue range",
            5,
            90,
            "How far the hue of ink may be from the colour picked",
            lambda degrees: f"± {degrees}°",
        )

    @property
    def sliders(self) -> tuple[QSlider, ...]:
        """Those that take effect when they rest."""
        return self.specks, self.smallest, self.tolerance

    @property
    def values(self) -> dict[str, object]:
        """Return what is chosen, by the names of `InkSettings`."""
        return {
            "rulings": self.rulings.isChecked(),
            "specks": self.specks.value(),
            "smallest": self.smallest.value(),
            "colour": self._colour,
            "tolerance": self.tolerance.value(),
        }

    def show(self, settings: InkSettings) -> dict[QSlider, float]:
        """Show settings; returns what the sliders have to show."""
        self.rulings.setChecked(settings.rulings)
        self._colour = settings.colour
        icon = QIcon()
        if settings.colour is not None:
            pixmap = QPixmap(SWATCH, SWATCH)
            pixmap.fill(QColor(*settings.colour))
            icon = QIcon(pixmap)
        self.pick.setIcon(icon)
        self.any_colour.setEnabled(settings.colour is not None)
        self.tolerance.setEnabled(settings.colour is not None)
        return {
            self.specks: settings.specks,
            self.smallest: settings.smallest,
            self.tolerance: settings.tolerance,
        }

    def pick_at(self, place: QPointF) -> bool:
        """Use the colour at a place of the canvas; False where the user has not asked for it."""
        if not self.pick.isChecked():
            return False
        self.stop_picking()
        page = self._canvas.workbench.ink.page
        if page is not None:
            x, y = self._canvas.view.to_page(place.x(), place.y())
            colour = strongest_colour(page.pixels, int(np.floor(x)), int(np.floor(y)))
            if colour is not None:
                self._choose(colour)
        return True

    def stop_picking(self) -> bool:
        """Wait for no click any more; False where none was waited for."""
        if not self.pick.isChecked():
            return False
        self.pick.setChecked(False)
        self._canvas.unsetCursor()
        self._canvas.setCursor(self._canvas.pointing.tool.cursor)
        return True

    def _start_picking(self, on: bool) -> None:
        if on:
            self._canvas.setCursor(Qt.CursorShape.CrossCursor)
        else:
            self.pick.setChecked(True)
            self.stop_picking()

    def _choose(self, colour: Colour | None) -> None:
        self._colour = colour
        self._changed()


def strongest_colour(pixels: Pixels, x: int, y: int) -> Colour | None:
    """The colour of the pixel around a place that differs most from white.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    x, y : int
        In px.

    Returns
    -------
    (int, int, int) or None
        None outside the page.

    Examples
    --------
    >>> strongest_colour(np.array([[255, 90, 255]], np.uint8), 0, 0)
    (90, 90, 90)
    """
    height, width = pixels.shape[:2]
    if not (0 <= x < width and 0 <= y < height):
        return None
    near = pixels[max(y - REACH, 0) : y + REACH + 1, max(x - REACH, 0) : x + REACH + 1]
    colours = near.reshape(-1, 1 if pixels.ndim == 2 else 3).astype(int)
    strongest = colours[colours.sum(axis=1).argmin()].tolist()
    red, green, blue = strongest * 3 if len(strongest) == 1 else strongest
    return red, green, blue


def removed_text(removed: CleanedInk | None, settings: InkSettings) -> str:
    """Say what has been removed from the page.

    Parameters
    ----------
    removed : CleanedInk or None
        None until it is known.
    settings : InkSettings

    Examples
    --------
    >>> removed_text(CleanedInk(0, 1204, 3), InkSettings(specks=4, smallest=9))
    'Removed: 1,204 specks, 3 small parts'
    """
    if not settings.cleans:
        return ""
    if removed is None:
        return "Looking for what to remove…"
    parts = []
    if settings.rulings:
        parts.append(f"{removed.rulings:,} px of rulings" if removed.rulings else "no rulings")
    if settings.specks:
        parts.append(counted(removed.specks, "speck"))
    if settings.smallest:
        parts.append(counted(removed.small, "small part"))
    return "Removed: " + ", ".join(parts)


def quiet_line() -> QLabel:
    """A wrapped line of explanation."""
    return set_up(QLabel(wordWrap=True), role="quiet")
