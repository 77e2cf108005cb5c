"""Precision and recall of one answer over rank, above each other, and what they are at a rank."""

from __future__ import annotations

import html

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.systems.subjects.bands import BandsPlot
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.report.figure_text import written
from spotlab.uncertain_truth.answers import Band


class SubjectBands(QWidget):
    """A click chooses the item of a rank."""

    def __init__(self, subjects: Subjects, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.subjects = subjects
        self.plots = (BandsPlot("Precision"), BandsPlot("Recall"))
        self.plots[0].set_titled(False)
        self.readout = QLabel()
        self.readout.setToolTip("Median, and between which values the middle 50 % and 95 % are")
        self.readout.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
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
        if answer is not None:
            bands = answer.bands
            for plot, band in zip(self.plots, (bands.precision, bands.recall), strict=True):
                if plot.band is not band:
                    plot.show_band(bands.cut_off, band)
        at = self._chosen()
        for plot in self.plots:
            plot.show_chosen(at)
        self._read_out(at)

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
        for title, band in (("P", answer.bands.precision), ("R", answer.bands.recall)):
            lines.append(f"{title} {band_text(band, at)}")
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
            now, last = self._chosen(), len(answer.bands.cut_off) - 1
            start = now if now is not None else -1 if step > 0 else last + 1
            self._choose(min(max(start + step, 0), last))

    def _paint(self) -> None:
        for plot in self.plots:
            plot.paint_in(theme.colours(self.palette()))


def band_text(band: Band, at: int) -> str:
    """Median and both bands at a cut-off, as far as there are bands."""
    half, most = band.middle_50[at].tolist(), band.middle_95[at].tolist()
    if not np.isfinite(most).all():
        return written(float(band.median[at]))
    return (
        f"{written(float(band.median[at]))}, 50 % {written(half[0])}–{written(half[1])}, "
        f"95 % {written(most[0])}–{written(most[1])}"
    )
