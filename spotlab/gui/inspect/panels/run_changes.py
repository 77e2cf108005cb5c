"""Changes between two runs as rows of a table."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Qt

from spotlab.arrays import Ints
from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.symbol_marks import query_colours
from spotlab.gui.kit import theme
from spotlab.gui.kit.rows import LazyRows, Note, RowColumn, RowModel, Rows
from spotlab.gui.kit.text import rich
from spotlab.imaging.overlay import ComparedKind
from spotlab.measures.area import ratio
from spotlab.measures.comparison import ChangedFigures
from spotlab.measures.cuts import CutRun
from spotlab.measures.intervals import Interval
from spotlab.measures.measure import Figure
from spotlab.model import LabelSet
from spotlab.report.figure_text import UNDEFINED, written, written_area, written_interval
from spotlab.studies.compare.comparison import CHANGES, ChangeKind, ChangeList, PageComparison

CHANGE = "change"  # a unit: a share with its sign
LABEL_FIGURES = (
    Figure("f_change", "ΔF", CHANGE, 1, "F of B minus F of A."),
    Figure("f_first", "F of A", "", 1, "F of run A at the cut."),
    Figure("f_second", "F of B", "", 1, "F of run B at the cut."),
    Figure("precision_change", "ΔP", CHANGE, 1, "Area precision of B minus that of A."),
    Figure("recall_change", "ΔR", CHANGE, 1, "Area recall of B minus that of A."),
)
AREA_FIGURES = (
    Figure("only_first", "Only A px²", "px²", 0, "Area of truth that only A found, in px²."),
    Figure("only_second", "Only B px²", "px²", 0, "Area of truth that only B found, in px²."),
    Figure("found_by_both", "Both px²", "px²", 0, "Area of truth that both found, in px²."),
    Figure("found_by_none", "None px²", "px²", 0, "Area of truth that neither found, in px²."),
    Figure("false_first", "False A px²", "px²", 0, "False area that only A retrieves, in px²."),
    Figure("false_second", "False B px²", "px²", 0, "False area that only B retrieves, in px²."),
)
PAGE_FIGURES = (*LABEL_FIGURES, *AREA_FIGURES)
_KINDS = (
    ComparedKind.FIRST,
    ComparedKind.SECOND,
    ComparedKind.BOTH,
    ComparedKind.NEITHER,
    ComparedKind.FALSE_FIRST,
    ComparedKind.FALSE_SECOND,
)
_OF_CHANGE = {"f_change": "f", "precision_change": "area_precision", "recall_change": "area_recall"}


def label_rows(changed: ChangedFigures, labels: LabelSet) -> Rows:
    """A row for each label of the truth."""
    return Rows(
        names=changed.names,
        keys=changed.names,
        values=np.column_stack(_columns(changed)),
        colours=query_colours(labels, changed.names),
        notes=_notes(changed, "pages"),
        reasons=("one of the runs retrieves nothing of it",) * len(changed.names),
    )


def page_rows(
    changed: ChangedFigures, compared: Mapping[str, PageComparison], query: str | None
) -> Rows:
    """A row for each page; areas are undefined until a page is compared."""
    sums = [compared[page].sums(query) if page in compared else None for page in changed.names]
    areas = [
        np.array([np.nan if of_page is None else of_page[kind] for of_page in sums], np.float64)
        for kind in _KINDS
    ]
    return Rows(
        names=changed.names,
        keys=changed.names,
        values=np.column_stack([*_columns(changed), *areas]),
        notes=_notes(changed, "the page's labels"),
        reasons=tuple(
            "the page is still being compared" if of_page is None
            else "the page has no truth, or a run retrieves nothing on it"
            for of_page in sums
        ),
    )  # fmt: skip


def _columns(changed: ChangedFigures) -> list[np.ndarray]:
    return [
        changed.change("f"),
        changed.before["f"],
        changed.after["f"],
        changed.change("area_precision"),
        changed.change("area_recall"),
    ]


def _notes(changed: ChangedFigures, drawn: str) -> dict[tuple[int, str], Note]:
    """The intervals; a difference whose interval does not hold 0 is to be read as certain."""
    notes = {}
    for column, figure in _OF_CHANGE.items():
        for row in range(len(changed.names)):
            ends = changed.interval(figure, row)
            if ends is None:
                continue
            low, high = ends
            text = written_interval(Interval(low, high), CHANGE)
            tip = f"In brackets the 95 % interval over {drawn}; none where there are too few."
            notes[row, column] = Note(text, tip, low > 0 or high < 0)
    return notes


LOOKS = {
    ChangeKind.GAINED: ("plus-circle-outline", "#009E73"),
    ChangeKind.LOST: ("minus-circle-outline", "#0072B2"),
    ChangeKind.FALSE_GAINED: ("alert-plus-outline", "#D55E00"),
    ChangeKind.FALSE_LOST: ("alert-minus-outline", "#8a9099"),
}
MEANINGS = {
    ChangeKind.GAINED: "B recognises the symbol or has a spot matched with it, and A does not",
    ChangeKind.LOST: "A recognises the symbol or has a spot matched with it, and B does not",
    ChangeKind.FALSE_GAINED: "a false spot of B, at least half of which A does not retrieve",
    ChangeKind.FALSE_LOST: "a false spot of A, at least half of which B does not retrieve",
}
AREA = 3  # the column that the table is sorted by at first
TO = " → "


class ChangeRow(NamedTuple):
    """A change as the table shows it."""

    entry: int
    kind: ChangeKind
    label: str
    page: str
    area: str
    covered: str
    iou: str
    spots: str


COLUMNS = (
    RowColumn[ChangeRow](
        "Change", lambda row: row.kind.words, icon=lambda row: theme.icon(*LOOKS[row.kind])
    ),
    RowColumn[ChangeRow]("Label", lambda row: row.label),
    RowColumn[ChangeRow]("Page", lambda row: row.page),
    RowColumn[ChangeRow](
        "Area",
        lambda row: row.area,
        right=True,
        head_tip="Of a symbol, the difference between the areas of it that A and B cover; of a "
        "false spot, the false area that the other run does not retrieve",
    ),
    RowColumn[ChangeRow](
        "Covered A → B",
        lambda row: row.covered,
        right=True,
        head_tip="Share of the symbol's area that spots of its label cover",
    ),
    RowColumn[ChangeRow](
        "IoU A → B",
        lambda row: row.iou,
        right=True,
        head_tip="Intersection over union of the symbol and the spot that is matched with it, or "
        "that shares most area with it",
    ),
    RowColumn[ChangeRow](
        "Rank A → B",
        lambda row: row.spots,
        right=True,
        head_tip="Rank of this spot in its query's list, from 1",
    ),
)


class ChangeModel(RowModel[ChangeRow]):
    """Rows are changes of the chosen query; only those that are visible are ever looked up."""

    def __init__(
        self, comparison: ComparisonState, inspection: Inspection, parent: QObject
    ) -> None:
        super().__init__(COLUMNS, parent, tip=_tip)
        self._comparison = comparison
        self._inspection = inspection
        self.column, self.falling = AREA, True
        self.kinds = frozenset(ChangeKind)
        self.list: ChangeList | None = None  # what is shown, until it is read again
        self._entries = np.empty(0, np.int64)

    def reread(self) -> None:
        """List the changes as they are now, in the order that is chosen."""
        self.list = changes = self._comparison.changes
        entries = np.empty(0, np.int64)
        if changes is not None:
            entries = changes.of_query(self._inspection.query)
            kinds = [CHANGES.index(kind) for kind in self.kinds]
            entries = entries[np.isin(changes.kind[entries], kinds)]
            keys = _keys(changes, self.column)[entries]
            keys = -keys if self.falling else keys
            entries = entries[np.argsort(keys, kind="stable")]  # NaN is put last either way
        same = np.array_equal(entries, self._entries)
        self._entries = entries
        self.show_rows(LazyRows(len(entries), self._row), same=same)

    def sort_by(self, column: int) -> None:
        """Sort by a column; once more the other way round. Numbers begin with the largest."""
        self.falling = not self.falling if column == self.column else column >= AREA
        self.column = column
        self.reread()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def headerData(self, section: int, side: Qt.Orientation, role: int = 0) -> object:
        """The titles; a mark says what the table is sorted by."""
        title = super().headerData(section, side, role)
        sorted_by = side is Qt.Orientation.Horizontal and section == self.column
        if role == Qt.ItemDataRole.DisplayRole and sorted_by:
            return f"{'▾' if self.falling else '▴'} {title}"
        return title

    def entry(self, row: int) -> int:
        """The change of a row, by its place in the list."""
        return int(self._entries[row])

    def row_of(self, entry: int | None) -> int | None:
        """Tell where a change is shown."""
        if entry is None:
            return None
        rows = np.flatnonzero(self._entries == entry)
        return int(rows[0]) if len(rows) else None

    def _row(self, at: int) -> ChangeRow:
        changes = self.list
        assert changes is not None  # else there are no rows
        entry = int(self._entries[at])
        first, second, region = changes.first, changes.second, int(changes.region[entry])
        covered = iou = ""
        if region >= 0:
            whole = first.tally.region_area[region]
            covered = TO.join(
                written(float(ratio(run.symbols.covered[region], whole))) for run in (first, second)
            )
            iou = TO.join(written(float(run.symbols.iou[region])) for run in (first, second))
        ranks = TO.join(
            _rank(run, int(spot))
            for run, spot in (
                (first, changes.first_spot[entry]), (second, changes.second_spot[entry])
            )
        )  # fmt: skip
        return ChangeRow(
            entry, CHANGES[changes.kind[entry]], changes.query[entry], changes.page_name(entry),
            written_area(float(changes.area[entry])), covered, iou, ranks,
        )  # fmt: skip


def _rank(run: CutRun, spot: int) -> str:
    return f"{int(run.tally.rank[spot]):,}" if spot >= 0 else UNDEFINED


def _keys(changes: ChangeList, column: int) -> np.ndarray:
    """(n,) what the entries are sorted by; NaN where a cell is empty."""
    first, second, region = changes.first, changes.second, changes.region
    match column:
        case 0:
            keys = changes.kind.astype(np.float64)
        case 1:
            keys = np.unique(np.array(changes.query, object), return_inverse=True)[1].astype(float)
        case 2:
            keys = changes.page.astype(np.float64)
        case 4:
            gain = (second.symbols.covered - first.symbols.covered)[region]
            keys = ratio(gain, np.where(region >= 0, first.tally.region_area[region], 0.0))
        case 5:
            gain = (second.symbols.iou - first.symbols.iou)[region]
            keys = np.where(region >= 0, gain, np.nan)
        case 6:
            keys = np.fmin(_ranks(first, changes.first_spot), _ranks(second, changes.second_spot))
        case _:
            keys = changes.area
    return np.asarray(keys)


def _ranks(run: CutRun, spot: Ints) -> np.ndarray:
    return np.where(spot >= 0, np.append(run.tally.rank, 0)[spot], np.nan)


def _tip(row: ChangeRow) -> str:
    return rich(
        f"<p><b>{html.escape(row.label)}</b> on {html.escape(row.page)}: {row.kind.words}</p>"
        f"<p>{MEANINGS[row.kind].capitalize()}.</p>"
    )
