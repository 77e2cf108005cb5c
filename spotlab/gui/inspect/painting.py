"""Paints what runs have on a page into an image, at once or by a thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QImage, QPainter, QTransform

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.inspect.symbol_marks import paint_marks, paint_symbol_outlines
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.task import Task
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


class PaintedOverlay:
    """The image that lies over a canvas's page; an old one is stretched until the next is painted.

    Parameters
    ----------
    canvas : Canvas
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._task = Task(urgent=True)
        self._key: tuple[Hashable, ...] = ()  # of the image: the page first
        self._matrix, self._image = QTransform(), QImage()
        self.cancel = self._task.cancel

    @property
    def busy(self) -> bool:
        """Whether a thread is painting."""
        return self._task.busy

    def clear(self) -> None:
        """Let go of the image."""
        self._key, self._image = (), QImage()

    def clear_other_page(self) -> None:
        """Let go of the image of another page than the open one, which never shows it."""
        if self._key and self._key[0] != self._canvas.workbench.entry:
            self.clear()

    def draw(
        self,
        painter: QPainter,
        view: ViewTransform,
        key: tuple[Hashable, ...],
        paint: Callable[[OverlayRaster, Progress], QImage],
        *,
        at_once: bool,
    ) -> None:
        """Draw the image over the open page.

        Parameters
        ----------
        painter : QPainter
        view : ViewTransform
        key : tuple
            Equal for equal images in the same view.
        paint : callable
            Paints the image.
        at_once : bool
            Whether to wait for it; otherwise a thread paints, and the canvas is refreshed.
        """
        matrix = QTransform(*view.matrix)
        key = (self._canvas.workbench.entry, view.key, view.ratio, *key)

        def keep(image: QImage) -> None:
            self._key, self._matrix, self._image = key, matrix, image

        def done(image: QImage) -> None:
            keep(image)
            self._canvas.refresh()

        if self._key != key and at_once:
            keep(paint(raster_of(view), silent))
        elif self._key != key and not self._task.busy:  # else the next painting looks again
            self._task.start(paint, raster_of(view), done=done)
        if not self._image.isNull():
            painter.save()
            if self._matrix != matrix:  # else every pixel is drawn as it is
                painter.setTransform(self._matrix.inverted()[0] * matrix, True)
            painter.scale(1 / view.ratio, 1 / view.ratio)
            painter.drawImage(0, 0, self._image)
            painter.restore()


def raster_of(view: ViewTransform) -> OverlayRaster:
    """The canvas' device pixels, and how the page lies on them."""
    ratio = view.ratio
    a, b, c, d, dx, dy = (value * ratio for value in view.matrix)
    width, height = (max(1, math.ceil(side * ratio)) for side in view.size)
    return OverlayRaster((a, b, c, d, dx, dy), width, height, ratio)


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
    image = image_of(pixels)
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
