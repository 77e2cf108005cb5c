"""Cases as small pictures in rows: only those in sight are cut, and painted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from spotlab.extras import cv2
from spotlab.gui.kit import theme
from spotlab.gui.kit.cut_pictures import Crop, CutPictures
from spotlab.imaging.reading.pixels import WordCrops
from spotlab.measures.confusion import regions_under
from spotlab.measures.matching import Errors
from spotlab.model import Truth

SIDE = 240  # px of the longer side of a picture
MARGIN, LEAST = 0.35, 24.0  # around the outlines: a share of their size, and px at least
SPOT, TRUTH = "#D55E00", "#0072B2"


def spot_key(spot: int) -> int:
    """Return what stands for a spot where pictures are asked for."""
    return 2 * spot


def region_key(region: int) -> int:
    """Return what stands for a region where pictures are asked for."""
    return 2 * region + 1


class CaseCrops:
    """Cuts pictures in a thread; all that it reads stays as it is.

    Parameters
    ----------
    pages : WordCrops
        Reads pages.
    errors : Errors
    truths : mapping of str to Truth
        Those that were tallied.
    """

    def __init__(self, pages: WordCrops, errors: Errors, truths: Mapping[str, Truth]) -> None:
        self.pages = pages
        self.errors = errors
        self._truths = truths
        self._under = regions_under(errors)

    def crop(self, key: int) -> NDArray[np.uint8] | None:
        """(h, w, 3) a spot or a region, see `spot_key`; None where the page cannot be read."""
        tally, place = self.errors.tally, key // 2
        region = place if key % 2 else int(self._under[place])
        page = int(tally.region_page[place] if key % 2 else tally.page[place])
        rings = []
        if region >= 0:
            rings.append((self._region(region), TRUTH))
        if not key % 2:
            rings.append((tally.run.outlines[int(tally.spot[place])], SPOT))
        pixels = self.pages.page(tally.pages[page])
        rings = [(ring, colour) for ring, colour in rings if len(ring)]
        return None if pixels is None or not rings else _drawn(pixels, rings)

    def _region(self, region: int) -> NDArray[np.float64]:
        tally = self.errors.tally
        page = int(tally.region_page[region])
        regions = self._truths[tally.pages[page]].regions
        return regions[region - int(np.searchsorted(tally.region_page, page))].array


def _drawn(
    page: NDArray[np.uint8], rings: list[tuple[NDArray[np.float64], str]]
) -> NDArray[np.uint8] | None:
    points = np.concatenate([ring for ring, _ in rings])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = np.maximum(MARGIN * (high - low).max(), LEAST)
    size = np.array(page.shape[1::-1])
    low = np.clip(np.floor(low - margin), 0, size).astype(int)
    high = np.clip(np.ceil(high + margin), 0, size).astype(int)
    part = page[low[1] : high[1], low[0] : high[0]]
    if not part.size:
        return None
    scale = SIDE / max(part.shape)
    wanted = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.cvtColor(cv2.resize(part, wanted, interpolation=way), cv2.COLOR_GRAY2RGB)
    small = np.ascontiguousarray(255 - (255 - small) // 2)  # ink is quiet beside the outlines
    for ring, colour in rings:
        corners = [np.round((ring - low) * scale * 16).astype(np.int32)]
        named = QColor(colour)
        inks = (((255, 255, 255), 5), ((named.red(), named.green(), named.blue()), 2))
        for ink, width in inks:
            cv2.polylines(small, corners, True, ink, width, cv2.LINE_AA, shift=4)
    return np.asarray(small, np.uint8)


CELL, PICTURE, GAP = QSize(148, 168), 124, 8  # px


class Case(NamedTuple):
    """Caption of a picture."""

    key: int  # of its picture
    title: str
    note: str
    colour: str


class CaseGallery(QAbstractScrollArea):
    """Pictures with two lines of text each; a click chooses one."""

    chosen = Signal(int)  # its place

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Cases as pictures")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pictures = CutPictures(lambda _: None, self)
        self.pictures.arrived.connect(lambda _: self.viewport().update())
        self.current: int | None = None
        self._count = 0
        self._case: Callable[[int], Case] = lambda at: Case(0, "", "", "")
        self.verticalScrollBar().valueChanged.connect(lambda _: self._look())

    @property
    def count(self) -> int:
        """Tell how many cases there are."""
        return self._count

    def show_cases(self, count: int, case: Callable[[int], Case], crop: Crop) -> None:
        """Show these; pictures are cut by ``crop``, in a thread."""
        self._count, self._case, self.current = count, case, None
        self.pictures.forget()
        self.pictures.cut_with(crop)
        self._fit()
        self.verticalScrollBar().setValue(0)
        self._look()

    def mark(self, at: int | None) -> None:
        """Mark a case, and bring it into sight."""
        self.current = at
        if at is not None and self.isVisible():
            top = at // self._across * CELL.height()
            bar = self.verticalScrollBar()
            if top < bar.value():
                bar.setValue(top)
            elif top + CELL.height() > bar.value() + self.viewport().height():
                bar.setValue(top + CELL.height() - self.viewport().height())
        self.viewport().update()

    def at(self, point: QPoint) -> int | None:
        """The case at a point of the viewport."""
        column = point.x() // CELL.width()
        row = (point.y() + self.verticalScrollBar().value()) // CELL.height()
        found = row * self._across + column
        return found if 0 <= column < self._across and 0 <= found < self._count else None

    def visible_cases(self) -> Sequence[int]:
        """The places of the cases in sight."""
        top = self.verticalScrollBar().value()
        first = top // CELL.height() * self._across
        rows = (self.viewport().height() + top % CELL.height()) // CELL.height() + 1
        return range(first, min(self._count, first + rows * self._across))

    def place_of(self, at: int) -> QRect:
        """Tell where a case is painted."""
        row, column = divmod(at, self._across)
        top = row * CELL.height() - self.verticalScrollBar().value()
        return QRect(QPoint(column * CELL.width(), top), CELL)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cases in sight."""
        palette = self.palette()
        with QPainter(self.viewport()) as painter:
            for at in self.visible_cases():
                place = self.place_of(at)
                if place.intersects(event.rect()):
                    self._paint(painter, place, self._case(at), palette, at == self.current)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what is clicked."""
        at = self.at(event.position().toPoint())
        if at is not None and event.button() is Qt.MouseButton.LeftButton:
            self._choose(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys go from case to case."""
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self._across, Qt.Key.Key_Down: self._across,
        }  # fmt: skip
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self._count:
            super().keyPressEvent(event)
            return
        at = 0 if self.current is None else self.current + step
        self._choose(max(0, min(at, self._count - 1)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit as many in a row as there is room for."""
        super().resizeEvent(event)
        self._fit()
        self._look()

    def showEvent(self, event: QShowEvent) -> None:
        """Have the pictures cut: they are not while nobody sees them."""
        super().showEvent(event)
        self._look()

    @property
    def _across(self) -> int:
        return max(1, self.viewport().width() // CELL.width())

    def _choose(self, at: int) -> None:
        self.mark(at)
        self.chosen.emit(at)

    def _fit(self) -> None:
        rows = -(-self._count // self._across)
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, rows * CELL.height() - height))
        bar.setPageStep(height)
        bar.setSingleStep(CELL.height() // 3)

    def _look(self) -> None:
        """Have the pictures in sight cut."""
        self.pictures.fit(PICTURE, PICTURE, self.devicePixelRatioF())
        if self.isVisible():
            self.pictures.want([self._case(at).key for at in self.visible_cases()])
        self.viewport().update()

    def _paint(
        self, painter: QPainter, place: QRect, case: Case, palette: QPalette, marked: bool
    ) -> None:
        inner = place.adjusted(GAP // 2, GAP // 2, -GAP // 2, -GAP // 2)
        if marked:
            colour = QColor(palette.color(QPalette.ColorRole.Highlight))
            colour.setAlpha(70)
            painter.fillRect(inner, colour)
        frame = QRect(
            inner.left() + (inner.width() - PICTURE) // 2, inner.top() + 4, PICTURE, PICTURE
        )
        painter.fillRect(frame, palette.color(QPalette.ColorRole.AlternateBase))
        picture = self.pictures.get(case.key)
        if picture is not None:
            size = picture.deviceIndependentSize().toSize()
            left = frame.left() + (PICTURE - size.width()) // 2
            top = frame.top() + (PICTURE - size.height()) // 2
            painter.drawPixmap(left, top, picture)
            theme.shade(painter, QRect(QPoint(left, top), size))
        elif self.pictures.known(case.key):
            painter.setPen(theme.quiet(palette))
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, "no picture")
        painter.fillRect(frame.left(), frame.bottom() + 1, PICTURE, 3, QColor(case.colour))
        metrics = QFontMetrics(painter.font())
        line = metrics.height()
        top = frame.bottom() + 5
        for number, text in enumerate((case.title, case.note)):
            quiet = theme.quiet(palette) if number else palette.color(QPalette.ColorRole.Text)
            painter.setPen(quiet)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, PICTURE)
            painter.drawText(frame.left(), top + number * line, PICTURE, line, 0, shown)
