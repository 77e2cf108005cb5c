"""Dims or inverts paper where it is shown in the dark theme; pixels of pages stay as they are."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import icons, theme

PAPERS = {
    "plain": "As it is",
    "dimmed": "Dimmed in the dark theme",
    "inverted": "Inverted in the dark theme",
}
_DIMMED = "#aaa69e"  # of white paper
_Mode = QPainter.CompositionMode
_chosen = "plain"


def use(name: str) -> None:
    """Show paper like this from now on, one of `PAPERS`."""
    global _chosen  # noqa: PLW0603 - there is one application, as for the theme
    if name not in PAPERS:
        raise ValueError(f"there is no paper {name!r}; there are {', '.join(PAPERS)}")
    before = look()
    _chosen = name
    if look() != before:
        icons.repainted.changed.emit()
        for widget in QApplication.allWidgets():
            widget.update()


def look() -> str:
    """How paper is shown now: "plain" in the light theme, whatever is chosen."""
    return _chosen if theme.is_dark(QApplication.palette()) else "plain"


def shade(painter: QPainter, place: QRect | QRectF) -> None:
    """Dim or invert what a painter has just painted of a page, if that is chosen.

    Parameters
    ----------
    painter : QPainter
    place : QRect or QRectF
        The place of the page, in the painter's coordinates.
    """
    match look():
        case "dimmed":
            steps = [(_Mode.CompositionMode_Multiply, _DIMMED)]
        case "inverted":  # paper becomes the background of fields, ink the colour of text
            steps = [
                (_Mode.CompositionMode_Difference, "#ffffff"),
                (_Mode.CompositionMode_Multiply, theme.DARK.text),
                (_Mode.CompositionMode_Screen, theme.DARK.base),
            ]
        case _:
            return
    before = painter.compositionMode()
    for mode, colour in steps:
        painter.setCompositionMode(mode)
        painter.fillRect(place, QColor(colour))
    painter.setCompositionMode(before)


def shaded(pixmap: QPixmap) -> QPixmap:
    """A picture of a page as it is shown now; the same one if that is as it is."""
    if look() == "plain":
        return pixmap
    shown = QPixmap(pixmap)
    with QPainter(shown) as painter:
        shade(painter, QRectF(shown.rect()))
    return shown
