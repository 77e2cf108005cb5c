"""The heads of the columns: whose list it is, how good it is, how much of it is kept."""

from __future__ import annotations

import html
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.theme import Colours
from spotlab.gui.words.columns.layout import Geometry, Placing
from spotlab.gui.words.state.queries import short_title
from spotlab.gui.words.state.word_search import score_text
from spotlab.ranking.list_scale import ListScale
from spotlab.report.figure_text import written
from spotlab.spotting.words.extraction.descriptor import DEFINITIONS, TITLES

if TYPE_CHECKING:
    from spotlab.gui.words.state.word_search import WordList
    from spotlab.gui.words.state.words import Words


_WHAT = {1: "relevant", 0: "not relevant", -1: "relevance not known"}


def text_of(words: Words, item: int) -> str:
    """Return what is written there, or its name where that is not known."""
    items = words.queries.items
    assert items is not None  # the item is one of them
    return items.text(item) or items.name(item)


def tip_of(words: Words, placing: Placing, item: int) -> str:
    """Text, page, what it is, and its rank and score in every list."""
    items = words.queries.items
    assert items is not None  # the item is one of them
    said = html.escape(items.text(item) or "text not known")
    page = items.page_name(item)
    where = f"page {html.escape(page)}" if page else html.escape(items.name(item))
    rows = [
        f"<p><b>{said}</b><br>{where}<br>{what_it_is(words, item)}{_reading(words, item)}</p>",
        "<table cellspacing=0 cellpadding=1>",
    ]
    for column, each in enumerate(words.ranking.lists):
        row = placing.row_of(column, item)
        figures = "–</td><td>"
        if row is not None:
            score = score_text(float(each.ranked.score[row]), words.queries.scale)
            figures = _figures(row, score)
        rows.append(f"<tr><td>{html.escape(each.title)}&nbsp;</td><td align=right>{figures}</tr>")
    return rich("".join([*rows, "</table>"]))


def _reading(words: Words, item: int) -> str:
    """Return what the word may say, and how sure that is."""
    source = words.queries.current
    reading = source.readings.get(item) if source is not None else None
    if reading is None:
        return ""
    return f"<br>reads as “{html.escape(reading.text)}”, {reading.probability:.0%} sure"


def _figures(row: int, score: str) -> str:
    return f"{row + 1:,}</td><td align=right>&nbsp;{score}</td>"


def what_it_is(words: Words, item: int) -> str:
    """Relevant or not, and who says so."""
    said = _WHAT[int(words.judgements.relevance[item])]
    return f"{said}, judged by you" if words.judgements.judged[item] >= 0 else said


def spoken(words: Words, placing: Placing, column: int, row: int) -> str:
    """A cell in one line."""
    item = placing.item_at(column, row)
    assert item is not None  # the cell is there
    each = words.ranking.lists[column]
    parts = [
        f"{each.title}, rank {row + 1:,} of {len(each.ranked):,}: {text_of(words, item)}",
        what_it_is(words, item),
    ]
    score = score_text(float(each.ranked.score[row]), words.queries.scale)
    parts += [f"{words.queries.scale} {score}"] if score else []
    page = words.queries.items.page_name(item) if words.queries.items else ""
    if page:
        parts.append(f"page {page}")
    if row >= each.kept(words.threshold):
        parts.append("purged")
    return ", ".join(parts)


HEIGHT = 46  # px
APART = 6  # px between a name and its figure, at least
PRECISION = rich(
    "<b>Average precision (AP)</b>: the mean of the precision at the rank of each relevant word, "
    "over all relevant words of the collection; a word that is not in the list counts as 0. "
    "AP = Σ P(r) · rel(r) / R. The mean of AP over queries is mAP."
)
CALIBRATED = {
    ListScale.SCORE: "Its scores have a scale of their own. They were brought to that of the "
    "search: a word has the score that consensus ranking gives on average to words of its rank.",
    ListScale.PROBABILITY: "Its scores are probabilities of being relevant: of words at such a "
    "rank in the lists of other queries, so many were judged relevant.",
    ListScale.RANK: "Only its ranks count: its scores have a scale of their own, and too few "
    "queries are judged to tell what they mean.",
}
OWN = {
    True: "The query itself is left out: it has no rank, and is not to be found.",
    False: "The query itself counts, if it is in the list: it is not known which word it is.",
}
SAID = {True: "without query", False: "with query"}
UNDEFINED = ": not defined, because no word is known to be relevant, or only such words are judged."
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Fonts(NamedTuple):
    """Of a head's two lines."""

    bold: QFont
    small: QFont
    bold_metrics: QFontMetrics
    small_metrics: QFontMetrics


class ColumnHeads(QWidget):
    """Painted over the columns, as far as they are scrolled sideways."""

    pressed = Signal(int)  # a column

    def __init__(self, words: Words, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = words
        self._geometry = Geometry((), (), 1, 1)
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName("Headers of the lists")

    def place(self, geometry: Geometry) -> None:
        """The columns are here now; how far they are scrolled down is not seen here."""
        geometry = replace(geometry, y=0.0)
        if geometry != self._geometry:
            self._geometry = geometry
            self.update()

    def event(self, event: QEvent) -> bool:
        """Return what a list is, where the pointer rests on its head."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            column = self._geometry.column_at(event.pos().x())
            if column is not None and column < len(self._words.ranking.lists):
                QToolTip.showText(event.globalPos(), self.tip(column), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the top of a list."""
        column = self._geometry.column_at(event.position().x())
        if column is not None:
            self.pressed.emit(column)

    def tip(self, column: int) -> str:
        """Definition and figures of a list."""
        each = self._words.ranking.lists[column]
        kept = each.kept(self._words.threshold)
        lines = [
            f"<p><b>{html.escape(each.title)}</b>: {html.escape(each.definition)}</p>",
            f"<p>{PRECISION}</p>",
            *([f"<p>{OWN[self._without_query()]}</p>"] if self._has_places() else []),
            f"<p>AP {written(each.average_precision)}"
            f"{UNDEFINED if each.average_precision is None else ''}</p>",
        ]
        lines.append(f"<p>{kept:,} of {len(each.ranked):,} kept at the threshold.</p>")
        source = self._words.queries.current
        if source is not None and source.descriptor is not None:
            title, what = TITLES[source.descriptor], DEFINITIONS[source.descriptor]
            lines.append(f"<p>Words were compared by <b>{title.lower()}</b>. {what}</p>")
        if each.calibrated:
            how = CALIBRATED[self._words.queries.scale]
            lines.append(f"<p>{how} Its order is unchanged.</p>")
        return rich("".join(lines))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The short name, AP at the right, a line in the list's colour."""
        with QPainter(self) as painter:
            colours = theme.colours(self.palette())
            painter.fillRect(self.rect(), QColor(colours.window))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(colours.line))
            bold, small = self.font(), self.font()
            bold.setBold(True)
            small.setPointSizeF(small.pointSizeF() * 0.86)
            fonts = Fonts(bold, small, QFontMetrics(bold), QFontMetrics(small))
            for column in self._geometry.columns():
                if column < len(self._words.ranking.lists):
                    each = self._words.ranking.lists[column]
                    place = QRectF(
                        self._geometry.left(column), 0, self._geometry.column_width, HEIGHT
                    )
                    self._paint_head(painter, each, place, colours, fonts)

    def _paint_head(
        self, painter: QPainter, each: WordList, place: QRectF, colours: Colours, fonts: Fonts
    ) -> None:
        colour = QColor(readable(each.colour, colours.window))
        painter.fillRect(QRectF(place.left(), HEIGHT - 4, place.width(), 3), colour)
        upper = QRectF(place.left(), 4, place.width(), 19)
        name, value = short_title(each.title), f"AP {written(each.average_precision)}"
        metrics, room = fonts.bold_metrics, int(place.width())
        if metrics.horizontalAdvance(name + value) + APART > room:
            value = value.removeprefix("AP ")
        room -= metrics.horizontalAdvance(value) + APART
        painter.setFont(fonts.bold)
        painter.setPen(QColor(colours.text))
        painter.drawText(upper, _RIGHT, value)
        painter.drawText(upper, _LEFT, metrics.elidedText(name, Qt.TextElideMode.ElideRight, room))
        painter.setFont(fonts.small)
        painter.setPen(QColor(colours.quiet))
        kept = f"{each.kept(self._words.threshold):,} of {len(each.ranked):,}"
        lower = QRectF(place.left(), 23, place.width(), 17)
        painter.drawText(lower, _LEFT, kept)
        metrics, said = fonts.small_metrics, SAID[self._without_query()]
        if not self._has_places():
            return
        if metrics.horizontalAdvance(kept + said) + APART > lower.width():
            said = said.replace("without ", "w/o ").replace("with ", "+ ")
        if metrics.horizontalAdvance(kept + said) + APART <= lower.width():
            painter.drawText(lower, _RIGHT, said)

    def _has_places(self) -> bool:
        """Tell whether items are words on pages, of which one may be the query itself."""
        items = self._words.queries.items
        return items is not None and bool((items.page >= 0).any())

    def _without_query(self) -> bool:
        """Tell whether average precision leaves the query itself out."""
        source = self._words.queries.current
        return source is not None and source.example is not None
