"""Paints what a run has on a page into an image; this may be done by a thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QImage, QPainter

from spotlab.gui.inspect.symbol_marks import paint_marks, paint_symbol_outlines
from spotlab.imaging.area_overlay import (
    COLOURS,
    AreaKind,
    PageAreas,
    area_kinds,
    paint_areas,
)
from spotlab.imaging.outline_painting import paint_outlines
from spotlab.imaging.overlay_raster import OverlayRaster
from spotlab.progress import Progress, silent
from spotlab.studies.areas.page_symbols import PageSymbols

SPOT_LINE = "#3a3f45"


@dataclass(frozen=True, eq=False)
class Picture:
    """What is painted of a page.

    Attributes
    ----------
    areas : PageAreas
        Truth and spots.
    symbols : PageSymbols or None
        None: their states are not shown.
    filled : bool
        Whether areas are filled by their kinds.
    opacity : float
        Of the areas, from 0 to 1.
    """

    areas: PageAreas
    symbols: PageSymbols | None
    filled: bool
    opacity: float

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal pictures."""
        return self.areas, self.symbols, self.filled, self.opacity


def painted(picture: Picture, sheet: OverlayRaster, progress: Progress = silent) -> QImage:
    """The picture as an image in device pixels."""
    areas, opacity = picture.areas, picture.opacity
    if picture.filled:
        pixels = paint_areas(area_kinds(areas, sheet), sheet, opacity)
    else:
        pixels = np.zeros((sheet.height, sheet.width, 4), np.uint8)
    progress(0, None, "painting")
    symbols = picture.symbols
    if symbols is not None:
        paint_outlines(pixels, symbols.other_outlines, sheet, SPOT_LINE, 0.8)
        paint_symbol_outlines(pixels, symbols, sheet)
    elif opacity > 0:
        paint_outlines(pixels, areas.spots, sheet, SPOT_LINE, 0.8)
        ignored = areas.ignored.take(np.flatnonzero(areas.looked_at))
        paint_outlines(pixels, ignored, sheet, COLOURS[AreaKind.IGNORED], 1.4)
        sought = areas.truth.take(np.flatnonzero(areas.sought))
        paint_outlines(pixels, sought, sheet, COLOURS[AreaKind.MISSED], 1.4)
    image = QImage(
        pixels.data, sheet.width, sheet.height, QImage.Format.Format_ARGB32_Premultiplied
    ).copy()  # its own memory: the array goes
    if symbols is not None:
        with QPainter(image) as painter:
            paint_marks(painter, symbols, sheet)
    return image
