"""Votes as a model of items × systems that fetches only the rows that are looked at."""

from __future__ import annotations

import html
import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from spotlab.arrays import Floats, Ints
from spotlab.consensus.precision import Weights, item_probability
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit import theme
from spotlab.gui.kit.rows import ROW_ROLE, Index, LazyRows, RowColumn, RowModel
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.systems.state import Loaded, Systems
from spotlab.progress import Progress, silent
from spotlab.report.figure_text import written

By = Literal["file", "disputed", "likely", "unlikely"]
EVERY = 200_000  # items between two reports


@dataclass(frozen=True)
class VoteFilter:
    """Filter and order of the shown items.

    Attributes
    ----------
    by : str
        "file": as the file has them; "disputed": P(δ) nearest ½ first; "likely" and "unlikely":
        the highest and the lowest P(δ) first. Equals stay as the file has them; items without
        P(δ) come last.
    text : str
        Part of the item's name or of its text, in whatever case.
    judged : bool
        Only items whose truth is known.
    """

    by: By = "file"
    text: str = ""
    judged: bool = False


def arrange_items(
    table: VoteTable,
    votes: Votes,
    weights: Weights,
    wanted: VoteFilter,
    progress: Progress = silent,
) -> Ints:
    """(K,) the items to show, in their order.

    Parameters
    ----------
    table : VoteTable
        Of N items.
    votes : Votes
        Of all who have a weight, on the same items.
    weights : Weights
    wanted : VoteFilter
    progress : Progress

    Examples
    --------
    >>> from spotlab.consensus.precision import vote_share_weights
    >>> votes = Votes.of([[1, 1], [1, 0], [0, 0]], ["a", "b"])
    >>> table = VoteTable(votes, ("one", "two", "three"))
    >>> arrange_items(table, votes, vote_share_weights(2), VoteFilter("disputed")).tolist()
    [1, 0, 2]
    >>> arrange_items(table, votes, vote_share_weights(2), VoteFilter(text="T")).tolist()
    [1, 2]
    """
    items = np.arange(len(table), dtype=np.int64)
    if wanted.judged:
        known = np.zeros(len(table), bool) if table.truth is None else ~np.isnan(table.truth)
        items = items[known]
    if wanted.text:
        items = _containing(table, items, wanted.text.casefold(), progress)
    if wanted.by == "file" or not len(items):
        return items
    whole = len(items) == len(table)
    probability = item_probability(votes, weights, None if whole else items)
    return items[np.argsort(_key(probability, wanted.by), kind="stable")]


def _key(probability: Floats, by: By) -> Floats:
    """Return what to sort by, rising; NaN is sorted last."""
    if by == "disputed":
        key = np.abs(probability - 0.5)
    else:
        key = -probability if by == "likely" else probability
    return np.asarray(np.round(key, 12), np.float64)  # equal shares stay as the file has them


def _containing(table: VoteTable, items: Ints, text: str, progress: Progress) -> Ints:
    names, texts = table.items, table.texts
    found = []
    for number, item in enumerate(items.tolist()):
        if number % EVERY == 0:
            progress(number, len(items), "Searching items")
        if text in names[item].casefold() or (texts and text in texts[item].casefold()):
            found.append(item)
    return np.array(found, np.int64)


VALUE_ROLE = ROW_ROLE + 1  # a vote or P(δ) as a number, NaN where it is not known
BLOCK = 128  # rows that are fetched at the same time
KEPT = 64  # blocks
YES, NO, UNKNOWN = "✓", "·", "?"
PROBABILITY = rich(
    "<p><b>P(δ)</b></p><p>How likely an item is relevant: the weighted share of the votes for it, "
    "ΣκₖSₖ(δ) / Σκₖ over all whose vote is known, ⊤ and ⊥ voting too (Lamiroy &amp; Sun 2013, "
    "eq. 13).</p>"
)
TRUTH_TIP = rich("<p><b>Truth</b></p><p>✓ relevant · not relevant – nobody knows.</p>")


class VoteColumn(NamedTuple):
    """Content of a column: ``kind`` is "text", "page", "truth", "probability" or "vote"."""

    kind: str
    title: str
    system: int = -1


class _Block(NamedTuple):
    votes: Floats  # (rows, systems)
    probability: Floats  # (rows,)


class VoteModel(RowModel[int]):
    """A row for each item; votes are fetched in blocks and the last ones kept.

    What is shown are places in ``order``.

    Attributes
    ----------
    votes : tuple of VoteColumn
        What stands in each column.
    order : (K,) int
        The item of each row.
    loaded : Loaded or None
        The votes that these are items of; nothing is read of any others.
    """

    def __init__(self, systems: Systems, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self.systems = systems
        self.votes: tuple[VoteColumn, ...] = ()
        self.names = RowColumn("", self._name, self._name)
        self.order: Ints = np.zeros(0, np.int64)
        self.loaded: Loaded | None = None
        self._votes: OrderedDict[int, Floats] = OrderedDict()
        self._probability: dict[int, Floats] = {}

    @property
    def table(self) -> VoteTable | None:
        """The votes that rows are shown of."""
        return self.loaded.table if self.loaded else None

    def use(self, order: Ints) -> None:
        """Show these items of the votes that are open."""
        self.order, self.loaded = order, self.systems.loaded
        self._votes.clear()
        self._probability.clear()
        self.votes = self._vote_columns()
        self.columns = tuple(self._column(at) for at in range(len(self.votes)))
        self.show_rows(LazyRows(len(order), lambda row: row))

    def weigh(self, rows: range) -> None:
        """Other weights: P(δ) is another in every row; only those in sight need to be told."""
        self._probability.clear()
        at = self.column_of("probability")
        for row in rows:  # one by one: a view paints all of itself anew for a range
            index = self.index(row, at)
            self.dataChanged.emit(index, index)

    def column_of(self, kind: str, system: int = -1) -> int:
        """Tell where it stands; -1 where it does not."""
        places = {(column.kind, column.system): at for at, column in enumerate(self.votes)}
        return places.get((kind, system), -1)

    def row_of(self, item: int | None) -> int | None:
        """Tell where an item is shown."""
        if item is None:
            return None
        rows = np.flatnonzero(self.order == item)
        return int(rows[0]) if len(rows) else None

    def item(self, row: int) -> int:
        """The item of a row."""
        return int(self.order[row])

    def value(self, row: int, column: int) -> float:
        """A vote, the truth or P(δ); NaN where it is not known."""
        what = self.votes[column]
        if what.kind == "vote":
            return float(self._block(row).votes[row % BLOCK, what.system])
        if what.kind == "probability":
            return float(self._block(row).probability[row % BLOCK])
        table = self.table
        if what.kind == "truth" and table is not None and table.truth is not None:
            return float(table.truth[self.order[row]])
        return float("nan")

    def _column(self, at: int) -> RowColumn[int]:
        return RowColumn(
            self.votes[at].title,
            lambda row: self._text(row, at),
            lambda row: self._tip(row, at),
            head_tip=self._head_tip(self.votes[at]),
            more={VALUE_ROLE: lambda row: self.value(row, at)},
        )

    def _name(self, row: int) -> str:
        return self.table.items[self.order[row]] if self.table else ""

    def _vote_columns(self) -> tuple[VoteColumn, ...]:
        table = self.table
        if table is None:
            return ()
        before = [VoteColumn("truth", "Truth")] if table.truth is not None else []
        after = [VoteColumn("text", "Text")] if table.texts else []
        after += [VoteColumn("page", "Page")] if table.pages else []
        votes = (VoteColumn("vote", name, at) for at, name in enumerate(table.systems))
        return (*before, VoteColumn("probability", "P(δ)"), *votes, *after)

    def _block(self, row: int) -> _Block:
        loaded, weights = self.loaded, self.systems.voting_weights
        assert loaded is not None and weights is not None  # there is a row
        number = row // BLOCK
        items = self.order[number * BLOCK : (number + 1) * BLOCK]
        votes = self._votes.get(number)
        if votes is None:
            votes = self._votes[number] = loaded.votes.rows(items)
            while len(self._votes) > KEPT:
                self._probability.pop(self._votes.popitem(last=False)[0], None)
        probability = self._probability.get(number)
        if probability is None:
            probability = item_probability(loaded.votes, weights, items)
            self._probability[number] = probability
        return _Block(votes, probability)

    def _text(self, row: int, at: int) -> str:
        table, kind = self.table, self.votes[at].kind
        assert table is not None  # there is a row
        if kind in ("text", "page"):
            return (table.texts if kind == "text" else table.pages)[self.item(row)]
        return self._mark(self.value(row, at), kind)

    def _mark(self, value: float, kind: str) -> str:
        if kind == "probability":
            return written(value)
        if np.isnan(value):
            return "–" if kind == "truth" else UNKNOWN
        return {1.0: YES, 0.0: NO}.get(value, written(value))

    def _tip(self, row: int, at: int) -> str:
        table, column = self.table, self.votes[at]
        assert table is not None  # there is a row
        item = html.escape(table.items[self.order[row]])
        value = self.value(row, at)
        if column.kind == "probability":
            return rich(f"<p><b>{item}</b>: P(δ) {written(value)}</p>{PROBABILITY}")
        if column.kind == "truth":
            said = {1.0: "relevant", 0.0: "not relevant"}.get(value, f"relevant with {value:.3g}")
            said = "nobody knows whether it is relevant" if np.isnan(value) else said
            return rich(f"<p><b>{item}</b>: {said} in truth</p>")
        if column.kind != "vote":
            return rich(
                f"<p><b>{item}</b></p><p>{html.escape(str(self.index(row, at).data()))}</p>"
            )
        said = {1.0: "votes for it", 0.0: "does not vote for it"}.get(
            value, f"votes for it with {value:.3g}"
        )
        said = "its vote is not known" if np.isnan(value) else said
        return rich(f"<p><b>{item}</b></p><p>{html.escape(column.title)}: {said}</p>")

    def _head_tip(self, column: VoteColumn) -> str:
        if column.kind == "probability":
            return rich(f"{PROBABILITY}<p>A click puts the highest first, then the lowest.</p>")
        if column.kind == "truth":
            return TRUTH_TIP
        if column.kind != "vote":
            return column.title
        table = self.table
        assert table is not None  # it has columns
        lines = [
            f"{html.escape(factor)}: {html.escape(values[column.system])}"
            for factor, values in table.factors.items()
            if values[column.system]
        ]
        votes = float(table.votes.counts_for[column.system])
        lines.append(f"votes for {votes:,.6g} of {len(table):,} items")
        return rich(f"<p><b>{html.escape(column.title)}</b></p><p>{'<br>'.join(lines)}</p>")


LINE = 22  # px, of a row
NARROW = 26  # px, of a system's column where there are many
MANY = 4  # systems whose names are written upright
HIGHEST = 120  # px, of an upright name
SHADE = 110  # of 255: a certain vote
_Role = QPalette.ColorRole


class VoteDelegate(QStyledItemDelegate):
    """Knows which item and system are chosen by asking the model's state."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        model = index.model()
        assert isinstance(model, VoteModel)
        column, systems = model.votes[index.column()], model.systems
        palette: QPalette = option.palette
        place: QRect = option.rect
        chosen = model.item(index.row()) == systems.item
        if chosen or (column.kind == "vote" and column.system == systems.system):
            painter.fillRect(place, _with_alpha(palette.color(_Role.Highlight), 40))
        if column.kind in ("text", "page"):
            painter.setFont(option.font)
            painter.setPen(palette.color(_Role.Text))
            inner = place.adjusted(8, 0, -4, 0)
            text = str(index.data())
            elided = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, elided)
            return
        value = model.value(index.row(), index.column())
        if column.kind == "probability":
            _paint_probability(painter, place, palette, option, value)
        else:
            _paint_vote(painter, place, palette, value, "–" if column.kind == "truth" else UNKNOWN)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Rows are all alike."""
        return QSize(QFontMetrics(option.font).horizontalAdvance(str(index.data())) + 16, LINE)


def _paint_vote(
    painter: QPainter, place: QRect, palette: QPalette, value: float, unknown: str
) -> None:
    middle = Qt.AlignmentFlag.AlignCenter
    if math.isnan(value):
        painter.setPen(theme.quiet(palette))
        painter.drawText(place, middle, unknown)
        return
    if value > 0:
        shade = _with_alpha(palette.color(_Role.Highlight), round(SHADE * value))
        painter.fillRect(place.adjusted(1, 1, -1, -1), shade)
    if value in (0.0, 1.0):
        painter.setPen(palette.color(_Role.Text) if value else theme.quiet(palette))
        painter.drawText(place, middle, "✓" if value else "·")
    elif place.width() > 2 * NARROW:
        painter.setPen(palette.color(_Role.Text))
        painter.drawText(place, middle, written(value))


def _paint_probability(
    painter: QPainter, place: QRect, palette: QPalette, option: QStyleOptionViewItem, value: float
) -> None:
    inner = place.adjusted(6, 0, -8, 0)
    if not math.isnan(value):
        bar = QRectF(inner.left(), inner.bottom() - 2, inner.width() * value, 2)
        painter.fillRect(bar, palette.color(_Role.Highlight))
    painter.setFont(tabular(option.font))
    painter.setPen(theme.quiet(palette) if math.isnan(value) else palette.color(_Role.Text))
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(inner, right, written(value))


def _with_alpha(colour: QColor, alpha: int) -> QColor:
    found = QColor(colour)
    found.setAlpha(alpha)
    return found


class VoteHead(QHeaderView):
    """Writes the names of systems upright where there are many."""

    def __init__(self, model: VoteModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._model = model
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(NARROW - 6)
        self.setAccessibleName("Systems")

    @property
    def upright(self) -> bool:
        """Tell whether names stand upright."""
        return len(self._model.systems.names) > MANY

    def sizeHint(self) -> QSize:
        """As high as the longest name needs."""
        hint = super().sizeHint()
        if not self.upright:
            return hint
        metrics = self.fontMetrics()
        longest = max(metrics.horizontalAdvance(name) for name in self._model.systems.names)
        return QSize(hint.width(), min(longest, HIGHEST) + 14)

    def paintSection(self, painter: QPainter, place: QRect, section: int) -> None:
        """A name, strong where its system is chosen."""
        column = self._model.votes[section]
        colours = theme.colours(self.palette())
        painter.save()
        painter.fillRect(place, QColor(colours.window))
        chosen = column.kind == "vote" and column.system == self._model.systems.system
        if chosen:
            painter.fillRect(place, _with_alpha(QColor(colours.accent), 60))
        painter.setPen(QColor(colours.line))
        painter.drawLine(place.bottomLeft(), place.bottomRight())
        font = painter.font()
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        side, metrics = Qt.TextElideMode.ElideRight, QFontMetrics(font)
        if column.kind == "vote" and self.upright:
            painter.translate(place.left(), place.bottom() - 6)
            painter.rotate(-90)
            inner = QRect(0, 0, place.height() - 10, place.width())
            text = metrics.elidedText(column.title, side, inner.width())
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, text)
        else:
            where = (
                Qt.AlignmentFlag.AlignLeft
                if column.kind in ("text", "page")
                else Qt.AlignmentFlag.AlignHCenter
            )
            inner = place.adjusted(6, 0, -4, -6)
            text = metrics.elidedText(column.title, side, inner.width())
            painter.drawText(inner, where | Qt.AlignmentFlag.AlignBottom, text)
        painter.restore()
