"""The errors of the current run as a model for a table, worst first."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import icons
from spotlab.gui.kit.row_model import Column, LazyRows, RowModel
from spotlab.measures.error_list import ErrorList
from spotlab.measures.errors import KINDS as ALL_KINDS
from spotlab.measures.errors import ErrorKind, ErrorPlace, Errors
from spotlab.measures.tally import Tally
from spotlab.report.figure_text import UNDEFINED, written

KINDS = (
    ErrorKind.MISSED,
    ErrorKind.FALSE,
    ErrorKind.BADLY_PLACED,
    ErrorKind.DUPLICATE,
    ErrorKind.WRONG_LABEL,
)
MEANINGS = {
    ErrorKind.CORRECT: "the best spot of its region; its IoU is high enough",
    ErrorKind.MISSED: "a truth region that no spot of its query overlaps with a sufficient IoU",
    ErrorKind.FALSE: "a spot where there is no symbol",
    ErrorKind.BADLY_PLACED: "a spot that overlaps a region of its query, but its IoU is too low",
    ErrorKind.DUPLICATE: "a spot on a region that an earlier spot has found",
    ErrorKind.WRONG_LABEL: "a spot on a symbol with another label",
    ErrorKind.IGNORED: "a spot on an ignored region, which is neither right nor false",
}
LOOKS = {
    ErrorKind.CORRECT: ("check-circle-outline", "#009E73"),
    ErrorKind.MISSED: ("eye-off-outline", "#0072B2"),
    ErrorKind.FALSE: ("close-circle-outline", "#D55E00"),
    ErrorKind.BADLY_PLACED: ("arrow-all", "#E69F00"),
    ErrorKind.DUPLICATE: ("content-duplicate", "#CC79A7"),
    ErrorKind.WRONG_LABEL: ("tag-off-outline", "#56B4E9"),
    ErrorKind.IGNORED: ("minus-circle-outline", "#808080"),
}


class ErrorRow(NamedTuple):
    """An error as the table shows it."""

    place: ErrorPlace
    query: str
    page: str
    rank: str = UNDEFINED
    score: str = UNDEFINED
    iou: str = UNDEFINED


COLUMNS = (
    Column[ErrorRow](
        "Error",
        lambda row: row.place.kind.words,
        icon=lambda row: icons.icon(*LOOKS[row.place.kind]),
    ),
    Column[ErrorRow]("Query", lambda row: row.query),
    Column[ErrorRow]("Page", lambda row: row.page),
    Column[ErrorRow](
        "Rank", lambda row: row.rank, right=True, head_tip="Rank in the query's list, from 1"
    ),
    Column[ErrorRow](
        "Score",
        lambda row: row.score,
        right=True,
        head_tip="Score that the run gives; higher means more certain",
    ),
    Column[ErrorRow](
        "IoU",
        lambda row: row.iou,
        right=True,
        head_tip="Intersection over union of the spot and the region that it is compared with",
    ),
)


class ErrorModel(RowModel[ErrorRow]):
    """Rows are places to step to; only those that are visible are ever looked up."""

    def __init__(self, inspection: Inspection, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent, tip=_tip)
        self._inspection = inspection
        self.list: ErrorList | None = None
        self.kinds: frozenset[ErrorKind] = frozenset(KINDS)
        self.counts: dict[ErrorKind, int] = dict.fromkeys(ErrorKind, 0)
        self._entries = np.empty(0, np.int64)  # of the chosen query, within the cut
        self._of_kinds = np.empty(0, np.int64)

    def use(self, errors: ErrorList | None) -> None:
        """List these errors, as far as the chosen query and the cut have them."""
        self.list = errors
        self._entries = np.empty(0, np.int64)
        self.counts = dict.fromkeys(ErrorKind, 0)
        if errors is not None:
            inspection, tally = self._inspection, errors.errors.tally
            query = inspection.query
            number = tally.queries.index(query) if query in tally.queries else None
            self._entries = errors.within(inspection.counts, number)
            self.counts = errors.count(self._entries)
        self._filter()

    def set_kinds(self, kinds: frozenset[ErrorKind]) -> None:
        """List these kinds only."""
        self.kinds = kinds
        self._filter()

    def place(self, row: int) -> ErrorPlace:
        """The error of a row."""
        return self.shown[row].place

    def first_of(self, kind: ErrorKind) -> int | None:
        """The row of the worst error of a kind."""
        if self.list is None:
            return None
        rows = np.flatnonzero(self.list.kind[self._of_kinds] == ALL_KINDS.index(kind))
        return int(rows[0]) if len(rows) else None

    def row_of_choice(self) -> int | None:
        """The row of the chosen spot or region."""
        inspection = self._inspection
        if self.list is None:
            return None
        tally, entries = self.list.errors.tally, self._of_kinds
        if inspection.spot is not None:
            rows = np.flatnonzero(self.list.spot[entries] == inspection.spot)
            return int(rows[0]) if len(rows) else None
        if inspection.region is None:
            return None
        for row in np.flatnonzero(self.list.region[entries] >= 0):
            region = self.list.region[entries[row]]
            page = tally.pages[tally.region_page[region]]
            if page == inspection.region_page and tally.region_id[region] == inspection.region:
                return int(row)
        return None

    def _filter(self) -> None:
        entries = self._entries
        if self.list is not None and len(self.kinds) < len(KINDS):
            entries = self.list.of_kinds(entries, self.kinds)
        self._of_kinds = entries
        self.show_rows(LazyRows(len(entries), self._row))

    def _row(self, at: int) -> ErrorRow:
        errors = self.list
        assert errors is not None  # else there are no rows
        entry = self._of_kinds[at]
        kind = ALL_KINDS[errors.kind[entry]]
        spot, region = int(errors.spot[entry]), int(errors.region[entry])
        if spot < 0:
            return _missed_row(ErrorPlace(kind, region=region), errors.errors.tally, region)
        return _spot_row(ErrorPlace(kind, spot), errors.errors, spot)


def _tip(row: ErrorRow) -> str:
    return f"{row.place.kind.words.capitalize()}: {MEANINGS[row.place.kind]}"


def _missed_row(place: ErrorPlace, tally: Tally, region: int) -> ErrorRow:
    query, page = tally.region_query[region], tally.region_page[region]
    return ErrorRow(place, tally.queries[query], tally.pages[page])


def _spot_row(place: ErrorPlace, errors: Errors, spot: int) -> ErrorRow:
    tally = errors.tally
    return ErrorRow(
        place,
        tally.queries[tally.query[spot]],
        tally.pages[tally.page[spot]],
        f"{int(tally.rank[spot]):,}",
        written_score(float(tally.score[spot])),
        written(float(errors.iou[spot]) if errors.region[spot] >= 0 else None),
    )


def written_score(score: float) -> str:
    """A score with four digits; scales are the systems' own."""
    if math.isnan(score):
        return UNDEFINED
    text = f"{score:#.4g}".rstrip(".")
    return text.removeprefix("0") if text.startswith("0.") else text.replace("-", "−", 1)
