"""One item in large: what it looks like, what it is called, and who votes for it."""

from __future__ import annotations

import html

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit import icons, paper
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.systems.partial_truth.item_crops import ItemPicture
from spotlab.report.figure_text import written

HIGHEST = 150  # px, of a picture
FRAME = "#2563eb"
NAMED = 12  # systems named in a line; all are in its tooltip


class AskedItem(QWidget):
    """A card."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        centre = Qt.AlignmentFlag.AlignCenter
        self.picture = QLabel(alignment=centre)
        self.title = QLabel(alignment=centre)
        self.title.setProperty("role", "title")
        self.title.setWordWrap(True)
        self.place = QLabel(alignment=centre)
        self.place.setProperty("role", "quiet")
        self.place.setWordWrap(True)
        self.votes = QLabel()
        self.votes.setWordWrap(True)
        self._pixels: QPixmap | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(4)
        for label in (self.picture, self.title, self.place, self.votes):
            column.addWidget(label)
        icons.repainted.changed.connect(self._fit)

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
        self.picture.setPixmap(paper.shaded(fitted))


def voters(table: VoteTable, item: int) -> list[tuple[str, list[str]]]:
    """Who votes for an item, against it, in between and not at all.

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
