"""The errors of the current run as a model for a table, worst first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import icons
from spotlab.measures.error_list import ErrorList
from spotlab.measures.errors import KINDS as ALL_KINDS
from spotlab.measures.errors import ErrorKind, ErrorPlace, Errors
from spotlab.report.figure_text import UNDEFINED, written

Index = QModelIndex | QPersistentModelIndex
PLACE_ROLE = Qt.ItemDataRole.UserRole
COLUMNS = ("Error", "Query", "Page", "Rank", "Score", "IoU")
NUMBERS = {"Rank", "Score", "IoU"}
TIPS = {
    "Rank": "Place in the query's list, from 1",
    "Score": "What the run gives; higher is surer",
    "IoU": "Intersection over union of the spot and the region that it is judged by",
}
KINDS = (
    ErrorKind.MISSED,
    ErrorKind.FALSE,
    ErrorKind.BADLY_PLACED,
    ErrorKind.DUPLICATE,
    ErrorKind.WRONG_LABEL,
)
MEANINGS = {
    ErrorKind.CORRECT: "the best spot of its region, and close enough to it",
    ErrorKind.MISSED: "a truth region that no spot of its query hits closely enough",
    ErrorKind.FALSE: "a spot where there is no symbol",
    ErrorKind.BADLY_PLACED: "a spot that overlaps a region of its query, but not closely enough",
    ErrorKind.DUPLICATE: "a spot on a region that an earlier one has found already",
    ErrorKind.WRONG_LABEL: "a spot on a symbol of another label",
}
LOOKS = {
    ErrorKind.CORRECT: ("check-circle-outline", "#009E73"),
    ErrorKind.MISSED: ("eye-off-outline", "#0072B2"),
    ErrorKind.FALSE: ("close-circle-outline", "#D55E00"),
    ErrorKind.BADLY_PLACED: ("arrow-all", "#E69F00"),
    ErrorKind.DUPLICATE: ("content-duplicate", "#CC79A7"),
    ErrorKind.WRONG_LABEL: ("tag-off-outline", "#56B4E9"),
}


class ErrorModel(QAbstractTableModel):
    """Rows are places to step to; only those in sight are ever looked up."""

    def __init__(self, inspection: Inspection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inspection = inspection
        self.list: ErrorList | None = None
        self.kinds: frozenset[ErrorKind] = frozenset(KINDS)
        self.counts: dict[ErrorKind, int] = dict.fromkeys(ErrorKind, 0)
        self._entries = np.empty(0, np.int64)
        self._shown = np.empty(0, np.int64)

    def use(self, errors: ErrorList | None) -> None:
        """List these, as far as the chosen query and the cut have them."""
        self.beginResetModel()
        self.list = errors
        self._entries = np.empty(0, np.int64)
        if errors is not None:
            inspection, tally = self._inspection, errors.errors.tally
            query = inspection.query
            wanted = tally.queries.index(query) if query in tally.queries else None
            self._entries = errors.within(inspection.counts, wanted)
            self.counts = errors.count(self._entries)
        else:
            self.counts = dict.fromkeys(ErrorKind, 0)
        self._filter()
        self.endResetModel()

    def set_kinds(self, kinds: frozenset[ErrorKind]) -> None:
        """List these kinds only."""
        self.beginResetModel()
        self.kinds = kinds
        self._filter()
        self.endResetModel()

    def place(self, row: int) -> ErrorPlace:
        """The error of a row."""
        assert self.list is not None  # there is no row before
        entry = self._shown[row]
        kind = ALL_KINDS[self.list.kind[entry]]
        spot, region = int(self.list.spot[entry]), int(self.list.region[entry])
        return ErrorPlace(kind, None if spot < 0 else spot, None if region < 0 else region)

    def first_of(self, kind: ErrorKind) -> int | None:
        """The row of the worst error of a kind."""
        if self.list is None:
            return None
        rows = np.flatnonzero(self.list.kind[self._shown] == ALL_KINDS.index(kind))
        return int(rows[0]) if len(rows) else None

    def row_of_choice(self) -> int | None:
        """The row of the chosen spot or region."""
        inspection = self._inspection
        if self.list is None:
            return None
        tally, shown = self.list.errors.tally, self._shown
        if inspection.spot is not None:
            rows = np.flatnonzero(self.list.spot[shown] == inspection.spot)
            return int(rows[0]) if len(rows) else None
        if inspection.region is None:
            return None
        for row in np.flatnonzero(self.list.region[shown] >= 0):
            region = self.list.region[shown[row]]
            page = tally.pages[tally.region_page[region]]
            if page == inspection.region_page and tally.region_id[region] == inspection.region:
                return int(row)
        return None

    def rowCount(self, parent: Index | None = None) -> int:
        """How many errors are listed."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index | None = None) -> int:
        """Kind, query, page, and numbers."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What is known of an error."""
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        place, column = self.place(index.row()), COLUMNS[index.column()]
        found: Any = None
        if role == Qt.ItemDataRole.DisplayRole:
            found = self._text(place, column)
        elif role == PLACE_ROLE:
            found = place
        elif role == Qt.ItemDataRole.DecorationRole and column == "Error":
            found = icons.icon(*LOOKS[place.kind])
        elif role == Qt.ItemDataRole.TextAlignmentRole and column in NUMBERS:
            found = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        elif role == Qt.ItemDataRole.ToolTipRole:
            found = f"{place.kind.words.capitalize()}: {MEANINGS[place.kind]}"
        return found

    def headerData(
        self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles."""
        if side is Qt.Orientation.Vertical:
            return None
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column
        if role == Qt.ItemDataRole.ToolTipRole:
            return TIPS.get(column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side_of = (
                Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
            )
            return side_of | Qt.AlignmentFlag.AlignVCenter
        return None

    def _filter(self) -> None:
        self._shown = self._entries
        if self.list is not None and len(self.kinds) < len(KINDS):
            self._shown = self.list.of_kinds(self._entries, self.kinds)

    def _text(self, place: ErrorPlace, column: str) -> str:
        if column == "Error" or self.list is None:
            return place.kind.words
        return _texts(place, self.list.errors)[COLUMNS.index(column) - 1]


def _texts(place: ErrorPlace, errors: Errors) -> tuple[str, str, str, str, str]:
    """Query, page, rank, score and IoU."""
    tally = errors.tally
    if place.spot is None:
        assert place.region is not None  # a place is one or the other
        query, page = tally.region_query[place.region], tally.region_page[place.region]
        return tally.queries[query], tally.pages[page], UNDEFINED, UNDEFINED, UNDEFINED
    score = float(tally.score[place.spot])
    return (
        tally.queries[tally.query[place.spot]],
        tally.pages[tally.page[place.spot]],
        f"{int(tally.rank[place.spot]):,}",
        written_score(score),
        written(float(errors.iou[place.spot]) if errors.region[place.spot] >= 0 else None),
    )


def written_score(score: float) -> str:
    """A score with four digits; scales are the systems' own."""
    if math.isnan(score):
        return UNDEFINED
    text = f"{score:#.4g}".rstrip(".")
    return text.removeprefix("0") if text.startswith("0.") else text.replace("-", "−", 1)
