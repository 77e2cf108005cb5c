"""Components of a plot of curves: curves, means, bands and marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from spotlab.gui.kit.plots.polylines import KINDS, Polylines, polylines
from spotlab.gui.kit.plots.readout import Place
from spotlab.gui.kit.text import line_pen
from spotlab.gui.kit.theme import Colours
from spotlab.measures.figures import RunFigures
from spotlab.studies.evaluate.cuts import MeanCurve, prepare_means


@dataclass(frozen=True, eq=False)
class Drawn:
    """Elements that a plot draws for a run.

    Attributes
    ----------
    colour : str
        The run's.
    lines : Polylines or None
        Exact curves.
    bold : bool
        Whether they are what is looked at, not what is behind a mean.
    dash : tuple of float
        Lengths drawn and left out in turn, in line widths; empty for solid lines. Thin lines behind
        a mean are solid.
    mean : MeanCurve or None
    band : bool
        Whether the mean has its band.
    """

    colour: str
    lines: Polylines | None = None
    bold: bool = False
    dash: tuple[float, ...] = ()
    mean: MeanCurve | None = None
    band: bool = True


def prepare_curves(
    figures: RunFigures, earlier: RunFigures | None = None, *, lines: bool = False
) -> None:
    """Compute what plots show of a run now, in a thread, so that the window need not wait.

    Parameters
    ----------
    figures : RunFigures
    earlier : RunFigures, optional
        Those in whose place they come: the same means are computed.
    lines : bool
        Whether the curves of all queries are shown, too.
    """
    prepare_means(figures, earlier)
    if lines:
        for kind in KINDS:
            _ = polylines(figures, kind).finest


def extent_of(shown: Sequence[Drawn], at_least: float) -> tuple[float, float]:
    """The largest recall and the largest value, so that all is in sight.

    Recall and precision pass 1 where areas are summed; fall-out is mostly far below.

    Parameters
    ----------
    shown : sequence of Drawn
    at_least : float
        The value that is always in sight.
    """
    right, top = 1.0, at_least
    for each in shown:
        if each.lines is not None and len(each.lines):
            lines = each.lines.finest or each.lines
            right = max(right, float(lines.x.max()))
            top = max(top, float(lines.y.max()))
        if each.mean is not None and len(each.mean.x):
            right = max(right, float(each.mean.x.max()))
            spread = each.mean.deviation if each.band else 0.0
            if not at_least:  # a band over 1 is an artefact, not a value
                top = max(top, float((each.mean.y + spread).max()))
    return right, top or 1.0


CONTRAST = 3.0  # of lines to what is behind them (WCAG 2.1, 1.4.11)
STEP = 0.04


@cache
def readable(colour: str, behind: str) -> str:
    """The colour, as much darker or lighter as lines on this background need.

    Parameters
    ----------
    colour, behind : str
        Of the form "#rrggbb".

    Examples
    --------
    >>> readable("#882255", "#ffffff"), readable("#56b4e9", "#ffffff")
    ('#882255', '#4897c4')
    """
    away = "#000000" if _luminance(behind) > 0.18 else "#ffffff"
    found, share = colour.lower(), 0.0
    while contrast(found, behind) < CONTRAST and share < 1:
        share += STEP
        found = mixed(away, colour, share)
    return found


def mixed(colour: str, other: str, share: float) -> str:
    """This share of the colour, the rest of the other.

    Examples
    --------
    >>> mixed("#000000", "#ffffff", 0.2)
    '#cccccc'
    """
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(255 * (share * a + (1 - share) * b)):02x}" for a, b in pairs)


def contrast(colour: str, other: str) -> float:
    """Tell how much one is brighter than the other, from 1 to 21 (WCAG 2.1).

    Examples
    --------
    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    dark, bright = sorted((_luminance(colour), _luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
        for each in _channels(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> list[float]:
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


class CurveStack(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """Paints curves, those on top last; on the screen from a picture as long as none changes."""

    def __init__(self) -> None:
        super().__init__()
        self._levels: list[tuple[float, pg.PlotCurveItem]] = []
        self._picture: tuple[QTransform, float, QRect, QPixmap] | None = None

    def add(self, curve: pg.PlotCurveItem, level: float) -> None:
        """Paint this curve, too, above those of lower levels."""
        self._levels.append((level, curve))
        self._levels.sort(key=lambda each: each[0])
        self.draw_again()

    def draw_again(self) -> None:
        """Draw the curves anew: they have other points or pens, or are shown or hidden."""
        self._picture = None
        self.update()

    def boundingRect(self) -> QRectF:
        """All that the plot shows."""
        box = self.getViewBox()
        return QRectF(0, 0, 1, 1) if box is None else QRectF(box.viewRect())

    def viewTransformChanged(self) -> None:
        """The plot shows another part."""
        self.prepareGeometryChange()
        self._picture = None

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint the picture; what is saved to files has lines instead."""
        if widget is None:
            self._paint_curves(painter, option)
            return
        at, ratio = painter.transform(), widget.devicePixelRatioF()
        if self._picture is None or self._picture[:2] != (at, ratio):
            place = at.mapRect(self.boundingRect()).toAlignedRect() & widget.rect()
            self._picture = at, ratio, place, self._drawn(at, ratio, place, painter, option)
        *_, place, picture = self._picture
        painter.save()
        painter.resetTransform()
        painter.drawPixmap(QPointF(place.topLeft()), picture)
        painter.restore()

    def _drawn(
        self,
        at: QTransform,
        ratio: float,
        place: QRect,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
    ) -> QPixmap:
        picture = QPixmap((place.size().toSizeF() * ratio).toSize())
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        if not picture.isNull():
            with QPainter(picture) as into:
                into.setRenderHints(painter.renderHints())
                into.setTransform(at * QTransform.fromTranslate(-place.x(), -place.y()))
                self._paint_curves(into, option)
        return picture

    def _paint_curves(self, painter: QPainter, option: QStyleOptionGraphicsItem) -> None:
        for _, curve in self._levels:
            if curve.isVisible():
                painter.save()
                curve.paint(painter, option, None)
                painter.restore()


PALE = 0.38  # of thin curves, the rest is what they are drawn on
BAND = 42  # of 255


class CurveItems:
    """Makes items once and gives them other data: pyqtgraph's leak when they are made anew.

    They are not in the scene themselves, which would ask hundreds of them where they are for each
    mark that moves.

    Parameters
    ----------
    plot : pyqtgraph.PlotItem

    Attributes
    ----------
    shown : sequence of Drawn
    items : list of (curves, band, mean)
        Items of each of ``shown``, and hidden ones.
    """

    def __init__(self, plot: pg.PlotItem) -> None:
        self._stack = CurveStack()
        plot.addItem(self._stack, ignoreBounds=True)
        self.shown: Sequence[Drawn] = ()
        self.items: list[tuple[pg.PlotCurveItem, pg.PlotCurveItem, pg.PlotCurveItem]] = []
        self._painted: list[tuple[object, ...]] = []  # how each of the items looks

    def show(self, shown: Sequence[Drawn]) -> None:
        """Draw the means and bands of these, the first one on top; `draw_lines` draws the rest."""
        self.shown = shown
        while len(self.items) < len(shown):
            self.items.append(self._make_items(len(self.items)))
        for (_, band, mean), drawn in zip(self.items, self._padded(), strict=True):
            curve = drawn.mean if drawn else None
            mean.setVisible(curve is not None)
            banded = curve is not None and drawn is not None and drawn.band
            band.setVisible(banded)
            if curve is not None:
                mean.setData(curve.x, curve.y)
                if banded:
                    band.setData(*curve.band())
        self._stack.draw_again()

    def draw_lines(self, low: float, high: float, columns: int) -> None:
        """Draw exact curves from ``low`` to ``high``, thinned to this many columns."""
        for (item, _, _), drawn in zip(self.items, self._padded(), strict=True):
            lines = drawn.lines if drawn else None
            item.setVisible(lines is not None and len(lines) > 0)
            if lines is not None and len(lines):
                item.setData(*lines.thinned(low, high, columns), connect="finite")
        self._stack.draw_again()

    def heights(self, low: float, high: float) -> tuple[float, float] | None:
        """Return the lowest and highest value drawn from ``low`` to ``high``; None if none is."""
        drawn = [item.getData() for lines, _, mean in self.items for item in (lines, mean)
                 if item.isVisible() and item.getData()[0] is not None]  # fmt: skip
        if not drawn:
            return None
        x, y = (np.concatenate(of) for of in zip(*drawn, strict=True))
        inside = (x >= low) & (x <= high) & np.isfinite(y)
        known = y[inside] if inside.any() else y[np.isfinite(y)]  # a segment may lead across
        return (float(known.min()), float(known.max())) if len(known) else None

    def paint_in(self, colours: Colours) -> None:
        """Use the colours of the theme."""
        behind = colours.base
        self._painted += [()] * (len(self.items) - len(self._painted))
        for at, ((lines, band, mean), drawn) in enumerate(
            zip(self.items, self._padded(), strict=True)
        ):
            if drawn is None:
                continue
            look = drawn.colour, drawn.dash, drawn.bold, behind
            if look == self._painted[at]:  # pens cost more than what they draw
                continue
            self._painted[at] = look
            strong = readable(drawn.colour, behind)
            pale = mixed(strong, behind, PALE)
            wide, thin = line_pen(strong, drawn.dash, 2), pg.mkPen(pale, width=1)
            lines.setPen(wide if drawn.bold else thin)
            mean.setPen(line_pen(strong, drawn.dash, 2.4))
            shade = QColor(strong)
            shade.setAlpha(BAND)
            band.setBrush(pg.mkBrush(shade))
        self._stack.draw_again()

    def _padded(self) -> list[Drawn | None]:
        """Return what each of the items shows."""
        return [*self.shown, *[None] * (len(self.items) - len(self.shown))]

    def _make_items(
        self, number: int
    ) -> tuple[pg.PlotCurveItem, pg.PlotCurveItem, pg.PlotCurveItem]:
        lines = pg.PlotCurveItem(antialias=True)
        band = pg.PlotCurveItem(antialias=True, pen=None, fillLevel="enclosed")
        mean = pg.PlotCurveItem(antialias=True)
        for level, item in enumerate((lines, band, mean)):
            self._stack.add(item, 10 * level - number * 0.01)
        return lines, band, mean


def point_items(plot: pg.PlotItem, size: int) -> pg.ScatterPlotItem:
    """Marks of a size in px on top of the curves of a plot."""
    marks = pg.ScatterPlotItem(
        size=size, pxMode=True, antialias=True, pen=None, brush=None, useCache=False
    )  # without its cache of pixels: pictures of it shall be lines, too
    marks.setZValue(50)
    plot.addItem(marks, ignoreBounds=True)
    return marks


SIZE = 10  # px
BEST = 13


class CutMarks:
    """Dots on the curve of a query; diamonds for mean end points, which no curve has to pass.

    Parameters
    ----------
    plot : pyqtgraph.PlotItem

    Attributes
    ----------
    item : pyqtgraph.ScatterPlotItem
    """

    def __init__(self, plot: pg.PlotItem) -> None:
        self.item = point_items(plot, SIZE)
        self._marks: Sequence[tuple[Place, str]] = ()
        self._mean = False
        self._behind = "#ffffff"

    def show(self, marks: Sequence[tuple[Place, str]], mean: bool) -> None:
        """Mark these places, each in its colour."""
        self._marks, self._mean = marks, mean
        behind = self._behind
        self.item.setData(
            [place[0] for place, _ in marks],
            [place[1] for place, _ in marks],
            symbol="d" if mean else "o",
            brush=[_brush(behind if mean else readable(colour, behind)) for _, colour in marks],
            pen=[_pen(readable(colour, behind) if mean else behind, 2) for _, colour in marks],
        )

    def paint_in(self, colours: Colours) -> None:
        """Use the colours of the theme."""
        self._behind = colours.base
        self.show(self._marks, self._mean)


class BestMarks:
    """A hollow star in each run's colour where its F is highest.

    Parameters
    ----------
    plot : pyqtgraph.PlotItem

    Attributes
    ----------
    item : pyqtgraph.ScatterPlotItem
    """

    def __init__(self, plot: pg.PlotItem) -> None:
        self.item = point_items(plot, BEST)
        self.item.setZValue(45)  # a mark of the cut lies on top of it
        self._marks: Sequence[tuple[Place, str]] = ()
        self._behind = "#ffffff"

    def show(self, marks: Sequence[tuple[Place, str]]) -> None:
        """Mark these places, each in its colour."""
        self._marks = marks
        self.item.setData(
            [place[0] for place, _ in marks],
            [place[1] for place, _ in marks],
            symbol="star",
            brush=_brush(self._behind),
            pen=[_pen(readable(colour, self._behind), 1.4) for _, colour in marks],
        )

    def paint_in(self, colours: Colours) -> None:
        """Use the colours of the theme."""
        self._behind = colours.base
        self.show(self._marks)


@lru_cache(1024)
def _pen(colour: str, width: float) -> QPen:
    """Making it costs more than drawing with it."""
    pen: QPen = pg.mkPen(colour, width=width)
    return pen


@lru_cache(1024)
def _brush(colour: str) -> QBrush:
    brush: QBrush = pg.mkBrush(colour)
    return brush


def nearest_point(
    lines: Polylines, at: tuple[float, float], pixel: tuple[float, float]
) -> tuple[int, float] | None:
    """The point whose curve passes closest to a place.

    Parameters
    ----------
    lines : Polylines
    at : (x, y)
        The place.
    pixel : (width, height)
        How much of each axis a pixel of the screen spans: distances are measured in pixels.

    Returns
    -------
    (int, float) or None
        The place among the lines' points, that end of the nearest segment which is closer, and how
        many pixels away the segment is. None where there are no curves.

    Examples
    --------
    >>> line = Polylines(np.array([0.0, 1.0]), np.zeros(2), np.arange(2), np.array([0, 2]))
    >>> nearest_point(line, (0.75, 0.5), (0.25, 0.25))
    (1, 2.0)
    """
    if not len(lines.x):
        return None
    x, y = (lines.x - at[0]) / pixel[0], (lines.y - at[1]) / pixel[1]
    across, up = np.diff(x, append=x[-1]), np.diff(y, append=y[-1])
    ends = lines.starts[1:] - 1  # from there no segment goes to the next curve
    across[ends] = up[ends] = 0
    length = across * across + up * up
    along = np.zeros(len(x))
    np.divide(-(x * across + y * up), length, out=along, where=length > 0)
    np.clip(along, 0, 1, out=along)
    distance = np.hypot(x + along * across, y + along * up)
    found = int(np.argmin(distance))
    return found + int(along[found] > 0.5), float(distance[found])
