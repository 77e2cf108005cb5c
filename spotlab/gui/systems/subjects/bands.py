"""A measure over rank where it is uncertain: median, and the bands of 50 and 95 %."""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from spotlab.arrays import Floats
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.readout import ACROSS, PointedPlot, ShareAxis, stepped
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.theme import Colours
from spotlab.gui.kit.widgets import in_column
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import written
from spotlab.studies.uncertain.study import JudgedAnswer
from spotlab.uncertain_truth.answers import Band

MOST, HALF = 42, 84  # of 255: the wide band is paler
DOTS = 40  # cut-offs up to which each median has a dot
MARGIN = 0.07  # of an axis, beyond what it shows: a ring at its end is whole


@dataclass(frozen=True, eq=False)
class DrawnBands:
    """Medians and bands as places of a plot, one for each cut-off; NaN where undefined.

    Attributes
    ----------
    median : (N, 2) float
    half, most : (2, N, 2) float
        Lower and upper edge of the bands that hold 50 % and 95 %.
    """

    median: Floats
    half: Floats
    most: Floats

    @property
    def known(self) -> NDArray[np.bool_]:
        """Tell where the median is defined, (N,)."""
        return np.asarray(~np.isnan(self.median).any(axis=1))


def over_rank(cut_off: NDArray[np.int64], band: Band) -> DrawnBands:
    """A measure over the number of items returned.

    Examples
    --------
    >>> ends = np.array([[0.2, 0.6], [0.3, 0.5]])
    >>> median = np.array([0.4, 0.4])
    >>> found = over_rank(np.array([1, 2]), Band(median, median, ends, ends))
    >>> found.median.tolist(), found.most[1].tolist()
    ([[1.0, 0.4], [2.0, 0.4]], [[1.0, 0.6], [2.0, 0.5]])
    """
    x = cut_off.astype(np.float64)

    def at(values: Floats) -> Floats:
        return np.stack([x, values], axis=-1)

    def edges(ends: Floats) -> Floats:
        return np.stack([at(ends[:, 0]), at(ends[:, 1])])

    return DrawnBands(at(band.median), edges(band.middle_50), edges(band.middle_95))


def over_recall(precision: Band, recall: Band) -> DrawnBands:
    """Precision over recall, as a region.

    Both count the same relevant items among those returned, so their quantiles go together: the
    lower edge has the lower ends of both, the upper edge the upper ends. Where recall has no bands,
    those of precision stand over its median.
    """

    def edges(high: Floats, wide: Floats) -> Floats:
        across = np.where(np.isnan(wide), recall.median[:, None], wide)
        return np.stack([np.stack([across[:, end], high[:, end]], axis=-1) for end in (0, 1)])

    return DrawnBands(
        np.stack([recall.median, precision.median], axis=-1),
        edges(precision.middle_50, recall.middle_50),
        edges(precision.middle_95, recall.middle_95),
    )


class _Bands:
    """The items of a plot that draw one system's bands."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self.most, self.half = (
            pg.PlotCurveItem(antialias=True, pen=None, fillLevel="enclosed") for _ in range(2)
        )
        self.median = pg.PlotCurveItem(antialias=True)
        self.dots = pg.ScatterPlotItem(size=6, pen=None, brush=None, useCache=False)
        for item in (self.most, self.half, self.median, self.dots):
            plot.addItem(item, ignoreBounds=True)

    def paint_in(self, colour: str) -> None:
        self.median.setPen(pg.mkPen(colour, width=2))
        self.dots.setBrush(pg.mkBrush(colour))
        for item, alpha in ((self.most, MOST), (self.half, HALF)):
            shade = QColor(colour)
            shade.setAlpha(alpha)
            item.setBrush(pg.mkBrush(shade))

    def show(self, bands: DrawnBands | None) -> None:
        """Draw these, as far as they are defined."""
        known = np.zeros(0, bool) if bands is None else bands.known
        for item, name in ((self.most, "most"), (self.half, "half")):
            edges = None if bands is None else getattr(bands, name)[:, known]
            drawn = edges is not None and int(known.sum()) > 1 and not np.isnan(edges).any()
            item.setVisible(drawn)
            if edges is not None and drawn:
                item.setData(*np.concatenate([edges[0], edges[1][::-1]]).T)
        median = np.zeros((0, 2)) if bands is None else bands.median[known]
        self.median.setData(*median.T)
        self.dots.setData(*(median if len(median) <= DOTS else median[:0]).T)


class BandsPlot(PointedPlot):
    """A click chooses a cut-off, arrows the next one."""

    moves = ACROSS

    def __init__(self, title: str, across: str = "Items returned") -> None:
        axes = {"left": ShareAxis("left", title), "bottom": ShareAxis("bottom", across)}
        super().__init__(axisItems=axes)
        self.title = title
        self.over_rank = across == "Items returned"
        over = "the number of items returned" if self.over_rank else across.lower()
        self.setAccessibleName(f"{title} over {over}")
        self.setMinimumHeight(90)
        self.plotItem.layout.setContentsMargins(0, 6, 6, 0)
        self._axes = tuple(axes.values())
        self.bands: DrawnBands | None = None
        self.beside: DrawnBands | None = None
        self._second, self._first = _Bands(self.plotItem), _Bands(self.plotItem)
        self._ring, self._over = (
            pg.ScatterPlotItem(size=size, pen=None, brush=None, useCache=False) for size in (13, 8)
        )
        for item in (self._ring, self._over):
            self.plotItem.addItem(item, ignoreBounds=True)
        self._chosen: int | None = None

    def set_titled(self, titled: bool) -> None:
        """Of plots above each other the last one's axis says what it is."""
        self._axes[1].titled = titled

    def paint_in(self, colours: Colours) -> None:
        """Take the theme's colours."""
        self.setBackground(colours.base)
        for axis in self._axes:
            axis.paint_in(colours, self.small_font)
        for bands, colour in zip((self._first, self._second), colours_of(colours), strict=True):
            bands.paint_in(colour)
        self._ring.setPen(pg.mkPen(colours.text, width=2))
        self._over.setBrush(pg.mkBrush(colours.text))

    def show_bands(self, bands: DrawnBands | None, beside: DrawnBands | None = None) -> None:
        """Draw these, and those of a second system below them."""
        self.bands, self.beside = bands, beside
        self._first.show(bands)
        self._second.show(beside)
        self.show_hover(None)
        self.show_chosen(None)
        self.reset_view()

    def show_chosen(self, at: int | None) -> None:
        """Ring a cut-off, by its place."""
        self._chosen = at
        self._ring.setData(*self._point(at))

    def show_hover(self, at: int | None) -> None:
        """Put a dot at what the pointer is at."""
        self._over.setData(*self._point(at))

    def reset_view(self) -> None:
        """Show all there is; recall may pass 1."""
        parts = [each for each in (self.bands, self.beside) if each is not None]
        places = [np.concatenate([each.median, *each.most]) for each in parts]
        last, high = 1.0, 1.0
        if places and not np.isnan(whole := np.concatenate(places)).all():
            last, high = (max(1.0, end) for end in np.nanmax(whole, axis=0).tolist())
        up = MARGIN * high
        if self.over_rank:
            across = MARGIN * max(last - 1, 1)
            x = (1.0 if last > 1 else 0.5) - across, max(last, 1.5) + across
        else:
            x = -MARGIN * last, last * (1 + MARGIN)
        y = -up, high + up
        least = 2 if self.over_rank else 0.02
        self.box.setLimits(
            xMin=x[0], xMax=x[1], yMin=y[0], yMax=y[1], minXRange=least, minYRange=0.02
        )
        self.box.setRange(xRange=x, yRange=y, padding=0)

    def hit(self, position: QPointF) -> int | None:
        """The place of the nearest cut-off that is defined; None beside the plot."""
        known = np.flatnonzero(self._known())
        x, _ = self.place_at(position)
        inside = self.box.mapRectToScene(self.box.rect()).contains(
            self.mapToScene(position.toPoint())
        )
        if self.bands is None or not len(known) or not inside:
            return None
        return int(known[np.abs(self.bands.median[known, 0] - x).argmin()])

    def _known(self) -> NDArray[np.bool_]:
        return np.zeros(0, bool) if self.bands is None else self.bands.known

    def _point(self, at: int | None) -> tuple[list[float], list[float]]:
        if at is None or self.bands is None or not self._known()[at]:
            return [], []
        x, y = self.bands.median[at].tolist()
        return [x], [y]


def colours_of(colours: Colours) -> tuple[str, str]:
    """Colours of the chosen system and of the second one, as they can be read on the ground."""
    return readable(colours.accent, colours.base), readable(run_colour(0), colours.base)


class SubjectBands(QWidget):
    """A click chooses the item of a rank."""

    def __init__(self, subjects: Subjects, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.subjects = subjects
        self.plots = (
            BandsPlot("Precision"), BandsPlot("Recall"), BandsPlot("Precision", "Recall"),
        )  # fmt: skip
        self.plots[0].set_titled(False)
        self.plots[2].hide()
        self._drawn: tuple[JudgedAnswer | None, JudgedAnswer | None] = (None, None)
        self.readout = QLabel()
        self.readout.setToolTip("Median, and between which values the middle 50 % and 95 % are")
        self.readout.setWordWrap(True)
        column = in_column(of=self, margins=0, spacing=4)
        for plot in self.plots:
            column.addWidget(plot, 1)
            plot.hovered.connect(self._hover)
            plot.clicked.connect(self._choose)
            plot.moved.connect(self._move)
        column.addWidget(self.readout)
        self._paint()

    def refresh(self) -> None:
        """Show the chosen answer and item."""
        answer = self.subjects.answer
        self.setVisible(answer is not None)
        both = answer, self.subjects.second_answer
        if any(new is not old for new, old in zip(both, self._drawn, strict=True)):
            self._drawn = both
            drawn = [(None,) * 3 if each is None else _drawn(each) for each in both]
            for plot, bands, beside in zip(self.plots, *drawn, strict=True):
                plot.show_bands(bands, beside)
        at = self._chosen()
        for plot in self.plots:
            plot.show_chosen(at)
        self._read_out(at)

    def show_regions(self, regions: bool) -> None:
        """Show precision over recall, or both over the rank."""
        for plot, shown in zip(self.plots, (not regions, not regions, regions), strict=True):
            plot.setVisible(shown)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._paint()

    def _chosen(self) -> int | None:
        """The place of the first cut-off that has the chosen item."""
        answer = self.subjects.answer
        if answer is None or self.subjects.item not in answer.items:
            return None
        rank = answer.items.index(self.subjects.item) + 1
        cuts = answer.bands.cut_off
        found = int(cuts.searchsorted(rank))
        return found if found < len(cuts) else None

    def _read_out(self, at: int | None) -> None:
        answer = self.subjects.answer
        if answer is None or at is None:
            self.readout.setText("")
            return
        cut = int(answer.bands.cut_off[at])
        lines = [f"<b>{cut:,}</b> {html.escape(answer.items[cut - 1])}"]
        second = self.subjects.second_answer
        colours = colours_of(theme.colours(self.palette()))
        for each, colour in zip((answer, second), colours, strict=True):
            if each is None or cut not in each.bands.cut_off:
                continue
            place = int(each.bands.cut_off.searchsorted(cut))
            named = f"<span style='color:{colour}'>{html.escape(each.system)}</span> "
            for title, band in (("P", each.bands.precision), ("R", each.bands.recall)):
                whose = named if second is not None else ""
                lines.append(f"{whose}{title} {band_text(band, place)}")
        self.readout.setText(rich("<br>".join(lines)))

    def _hover(self, at: int | None) -> None:
        for plot in self.plots:
            plot.show_hover(at)
        self._read_out(at if at is not None else self._chosen())

    def _choose(self, at: int | None) -> None:
        answer = self.subjects.answer
        if at is not None and answer is not None:
            self.subjects.choose_item(answer.items[int(answer.bands.cut_off[at]) - 1])

    def _move(self, step: int) -> None:
        answer = self.subjects.answer
        if answer is not None and len(answer.bands.cut_off):
            self._choose(stepped(self._chosen(), step, len(answer.bands.cut_off)))

    def _paint(self) -> None:
        for plot in self.plots:
            plot.paint_in(theme.colours(self.palette()))


def _drawn(answer: JudgedAnswer) -> tuple[DrawnBands, DrawnBands, DrawnBands]:
    """Bands of an answer for each plot."""
    bands = answer.bands
    precision, recall = bands.precision, bands.recall
    cuts = bands.cut_off
    return over_rank(cuts, precision), over_rank(cuts, recall), over_recall(precision, recall)


def band_text(band: Band, at: int) -> str:
    """Median and both bands at a cut-off, as far as there are bands."""
    half, most = band.middle_50[at].tolist(), band.middle_95[at].tolist()
    if not np.isfinite(most).all():
        return written(float(band.median[at]))
    return (
        f"{written(float(band.median[at]))}, 50 % {written(half[0])}–{written(half[1])}, "
        f"95 % {written(most[0])}–{written(most[1])}"
    )
