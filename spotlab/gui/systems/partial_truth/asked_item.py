"""One item in large: what it looks like, what it is called, and who votes for it."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from spotlab.consensus.comparison import SystemFigures
from spotlab.consensus.precision import Estimates
from spotlab.formats.votes.format import VoteTable
from spotlab.formats.votes.token_places import Box, ItemPlace, place_of_item
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import in_column, set_up_table
from spotlab.imaging.reading.pixels import MARGIN, WordCrops
from spotlab.model import Items
from spotlab.report.figure_text import written

Index = QModelIndex | QPersistentModelIndex
INTERVAL = Qt.ItemDataRole.UserRole + 1  # value, low, high, and the truth or NaN
LINE = 34  # px
SIDE = 7
FAINT = 0.45  # of what is not up to date


class IntervalDelegate(QStyledItemDelegate):
    """The bar goes from 0 to 1."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One figure."""
        palette: QPalette = option.palette
        painter.save()
        if not option.state & QStyle.StateFlag.State_Enabled:
            painter.setOpacity(FAINT)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(theme.colours(palette).raised))
        value, low, high, truth = index.data(INTERVAL)
        place = option.rect.adjusted(SIDE, 3, -SIDE, -4)
        quiet = theme.quiet(palette)
        painter.setFont(tabular(option.font))
        painter.setPen(quiet if math.isnan(value) else palette.color(QPalette.ColorRole.Text))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        painter.drawText(place, side, written(value))
        left, width, y = float(place.left()), float(place.width()), place.bottom() - 3.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(left, y - 1, width, 2), QColor(theme.colours(palette).line))
        accent = QColor(theme.colours(palette).accent)
        if not math.isnan(low) and not math.isnan(high):
            painter.fillRect(QRectF(left + low * width, y - 2, (high - low) * width, 4), accent)
        if not math.isnan(value):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            painter.drawEllipse(QPointF(left + value * width, y), 4, 4)
        if not math.isnan(truth):
            at = left + truth * width
            painter.fillRect(QRectF(at - 1, y - 6, 2, 10), palette.color(QPalette.ColorRole.Text))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for both."""
        return QSize(76, LINE)


BESIDE, ABOVE = 3.0, 0.8  # of a word's height: what is seen around it


@dataclass(frozen=True, eq=False)
class ItemPicture:
    """Picture of an item.

    Attributes
    ----------
    grey : (h, w) uint8
    box : tuple of float
        Left, top, right, bottom of the item, in px of its page.
    frame : tuple of float or None
        The same in px of the picture, where more than the item is in it.
    """

    grey: NDArray[np.uint8]
    box: Box
    frame: Box | None = None


class ItemCrops:
    """Cuts items out of the open pages, or out of the images that files of votes name.

    Parameters
    ----------
    files : mapping of str to (Path, int)
        The image file of each open page, and which page of it.
    """

    def __init__(self, files: Mapping[str, tuple[Path, int]]) -> None:
        self._files = dict(files)
        self._crops = WordCrops(self._files)

    def picture(self, table: VoteTable, item: int) -> ItemPicture | None:
        """Cut an item out; None where its page or its place is not known."""
        place = place_of_item(table, item)
        if place is None or not self._knows(place):
            return None
        region = table.boxes is not None
        left, top, right, bottom = place.box
        high = 0.0 if region else bottom - top
        around = (
            max(left - BESIDE * high, 0.0), max(top - ABOVE * high, 0.0),
            right + BESIDE * high, bottom + ABOVE * high,
        )  # fmt: skip
        items = Items((place.page,), np.zeros(1, np.int64), np.array([around]))
        grey = self._crops.crop(items, 0)
        if grey is None:
            return None
        if region:
            return ItemPicture(grey, place.box)
        margin = MARGIN * (around[3] - around[1])
        x, y = max(0, int(around[0] - margin)), max(0, int(around[1] - margin))
        return ItemPicture(grey, place.box, (left - x, top - y, right - x, bottom - y))

    def _knows(self, place: ItemPlace) -> bool:
        """Tell whether the page can be read; the image that a file names is taken in."""
        if place.page not in self._files and place.image is not None:
            self._files[place.page] = (place.image, 0)
            self._crops = WordCrops(self._files)
        return place.page in self._files


SYSTEM = Qt.ItemDataRole.UserRole
HEADS = (
    ("System", "The best F first"),
    ("Precision", "What share of the items that it votes for is relevant"),
    ("Recall", "For what share of the relevant items it votes"),
    ("F", "Harmonic mean of precision and recall"),
)
FIGURES = ("precision", "recall", "f")


class AnsweredFigures(QTableWidget):
    """A row for each system."""

    chosen = Signal(int)  # a system

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(HEADS), parent)
        set_up_table(self, "Figures from the answers", LINE)
        for column, (title, tip) in enumerate(HEADS):
            head = QTableWidgetItem(title)
            head.setToolTip(f"{tip}. The bar is the interval of 95 %, the line the truth")
            if column == 0:
                head.setToolTip(tip)
            self.setHorizontalHeaderItem(column, head)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys answer
        self._delegate = IntervalDelegate(self)
        for column in range(1, len(HEADS)):
            self.setItemDelegateForColumn(column, self._delegate)
        self.cellClicked.connect(self._choose)

    def show_estimates(
        self, names: tuple[str, ...], found: Estimates, truth: SystemFigures | None
    ) -> None:
        """Show these, the best first."""
        self.setRowCount(len(names))
        order = np.argsort(-np.nan_to_num(found.f, nan=-1.0), kind="stable")
        for row, system in enumerate(order.tolist()):
            name = QTableWidgetItem(names[system])
            name.setToolTip(names[system])
            name.setData(SYSTEM, system)
            self.setItem(row, 0, name)
            for column, figure in enumerate(FIGURES, 1):
                value = float(getattr(found, figure)[system])
                low, high = getattr(found, f"{figure}_interval")[system].tolist()
                real = float("nan") if truth is None else float(getattr(truth, figure)[system])
                cell = QTableWidgetItem()
                cell.setData(INTERVAL, (value, low, high, real))
                known = "" if truth is None else f", with truth {written(real)}"
                cell.setToolTip(f"{written(value)} [{written(low)}, {written(high)}]{known}")
                self.setItem(row, column, cell)

    def show_chosen(self, system: int | None) -> None:
        """Select the system's row."""
        self.clearSelection()
        for row in range(self.rowCount()):
            cell = self.item(row, 0)
            if cell is not None and cell.data(SYSTEM) == system:
                self.selectRow(row)

    def _choose(self, row: int, _: int) -> None:
        cell = self.item(row, 0)
        if cell is not None:
            self.chosen.emit(cell.data(SYSTEM))


HIGHEST = 150  # px, of a picture
FRAME = "#2563eb"
NAMED = 12  # systems named in a line; all are in its tooltip


class AskedItem(QWidget):
    """A card."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        centre = Qt.AlignmentFlag.AlignCenter
        self.picture = QLabel(alignment=centre)
        self.title = set_up(QLabel(alignment=centre, wordWrap=True), role="title")
        self.place = set_up(QLabel(alignment=centre, wordWrap=True), role="quiet")
        self.votes = QLabel(wordWrap=True)
        self._pixels: QPixmap | None = None
        in_column(
            self.picture,
            self.title,
            self.place,
            self.votes,
            of=self,
            margins=(0, 4, 0, 4),
            spacing=4,
        )
        theme.repainted.changed.connect(self._fit)

    def show_item(self, table: VoteTable, item: int) -> None:
        """Show what the table says of it."""
        name = table.items[item]
        text = table.texts[item] if table.texts else ""
        self.title.setText(text or name)
        page = f"on {table.pages[item]}" if table.pages else ""
        self.place.setText(", ".join(part for part in (name if text else "", page) if part))
        self.place.setVisible(bool(self.place.text()))
        lines, every = [], []
        for title, names in voters(table, item):
            if names:
                more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
                said = html.escape(", ".join(names[:NAMED]))
                lines.append(f"<b>{title}</b> {len(names)}: {said}{more}")
                every.append(f"<b>{title}</b>: {html.escape(', '.join(names))}")
        self.votes.setText(rich("<br>".join(lines)))
        self.votes.setToolTip(rich("<p>" + "<br>".join(every) + "</p>"))

    def show_picture(self, picture: ItemPicture | None) -> None:
        """Show what its page looks like there; nothing where there is no page."""
        self._pixels = None
        if picture is not None:
            image = image_of(picture.grey).convertToFormat(QImage.Format.Format_RGB32)
            self._pixels = QPixmap.fromImage(image)
            if picture.frame is not None:
                with QPainter(self._pixels) as painter:
                    painter.setPen(QPen(QColor(FRAME), max(2.0, image.height() / 40)))
                    left, top, right, bottom = picture.frame
                    painter.drawRect(QRectF(left, top, right - left, bottom - top))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The picture takes what room there is."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.picture.setVisible(self._pixels is not None)
        if self._pixels is None:
            return
        ratio = self.devicePixelRatioF()
        wide, high = round((self.width() - 16) * ratio), round(HIGHEST * ratio)
        keep, smooth = (
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        fitted = self._pixels.scaled(max(wide, 1), high, keep, smooth)
        fitted.setDevicePixelRatio(ratio)
        self.picture.setPixmap(theme.shaded(fitted))


def voters(table: VoteTable, item: int) -> list[tuple[str, list[str]]]:
    """Tell who votes for an item, against it, in between and not at all.

    Examples
    --------
    >>> from spotlab.consensus.votes import Votes
    >>> votes = Votes.of([[1, 0, np.nan, 0.25]], ["a", "b", "c", "d"])
    >>> voters(VoteTable(votes, ("q",)), 0)
    [('Yes', ['a']), ('No', ['b']), ('In between', ['d .250']), ('No vote', ['c'])]
    """
    row = table.votes.rows(np.array([item]))[0]
    found: dict[str, list[str]] = {"Yes": [], "No": [], "In between": [], "No vote": []}
    for name, vote in zip(table.systems, row.tolist(), strict=True):
        if np.isnan(vote):
            found["No vote"].append(name)
        elif vote in (0, 1):
            found["Yes" if vote else "No"].append(name)
        else:
            found["In between"].append(f"{name} {written(vote)}")
    return list(found.items())
