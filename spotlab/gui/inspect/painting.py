"""Paints what a run has on a page into an image; this may be done by a thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QImage, QPainter

from spotlab.gui.inspect.symbol_marks import paint_marks, paint_symbol_outlines
from spotlab.imaging.overlay import (
    COLOURS,
    TRUTH_LINE,
    AreaKind,
    OverlayRaster,
    PageAreas,
    Pixels,
    area_kinds,
    paint_areas,
    paint_outlines,
)
from spotlab.progress import Progress, silent
from spotlab.studies.tally.page_view import PageSymbols

SPOT_LINE = "#3a3f45"


@dataclass(frozen=True, eq=False)
class Picture:
    """What is painted of a page.

    Attributes
    ----------
    areas : PageAreas
        Truth and spots.
    symbols : PageSymbols or None
        None until the run's figures are computed.
    marked : bool
        Whether symbols have marks of their states.
    filled : bool
        Whether areas are filled by their kinds.
    opacity : float
        Of the areas, from 0 to 1.
    """

    areas: PageAreas
    symbols: PageSymbols | None
    marked: bool
    filled: bool
    opacity: float

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal pictures."""
        return self.areas, self.symbols, self.marked, self.filled, self.opacity


def painted(picture: Picture, sheet: OverlayRaster, progress: Progress = silent) -> QImage:
    """The picture as an image in device pixels."""
    areas, opacity = picture.areas, picture.opacity
    if picture.filled:
        pixels = paint_areas(area_kinds(areas, sheet), sheet, opacity)
    else:
        pixels = np.zeros((sheet.height, sheet.width, 4), np.uint8)
    progress(0, None, "painting")
    symbols = picture.symbols
    marked = symbols if picture.marked else None
    if marked is not None:
        paint_outlines(pixels, marked.other_outlines, sheet, SPOT_LINE, 0.8)
        paint_symbol_outlines(pixels, marked, sheet)
    elif opacity > 0:
        paint_outlines(pixels, areas.spots, sheet, SPOT_LINE, 0.8)
        ignored = areas.ignored.take(np.flatnonzero(areas.looked_at))
        paint_outlines(pixels, ignored, sheet, COLOURS[AreaKind.IGNORED], 1.4)
        _paint_truth(pixels, areas, symbols, sheet)
    image = QImage(
        pixels.data, sheet.width, sheet.height, QImage.Format.Format_ARGB32_Premultiplied
    ).copy()  # its own memory: the array goes
    if marked is not None:
        with QPainter(image) as painter:
            paint_marks(painter, marked, sheet)
    return image


def _paint_truth(
    pixels: Pixels, areas: PageAreas, symbols: PageSymbols | None, sheet: OverlayRaster
) -> None:
    """Draw truth in the colour of its state; in a neutral one while states are not known."""
    if symbols is None:
        sought = areas.truth.take(np.flatnonzero(areas.sought))
        paint_outlines(pixels, sought, sheet, TRUTH_LINE, 1.4)
        return
    for kind in (AreaKind.FOUND, AreaKind.OTHER_LABEL, AreaKind.MISSED):
        outlines = symbols.outlines.take(np.flatnonzero(symbols.kinds == kind))
        paint_outlines(pixels, outlines, sheet, TRUTH_LINE, 3.2)  # colours show on any paper
        paint_outlines(pixels, outlines, sheet, COLOURS[kind], 1.6)
