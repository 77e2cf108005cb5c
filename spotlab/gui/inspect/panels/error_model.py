"""The errors of the current run as a model for a table, worst first."""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject, Qt

from spotlab.arrays import Ints
from spotlab.errors import counted
from spotlab.gui.inspect.panels.case_gallery import (
    Case,
    CaseCrops,
    CaseGallery,
    region_key,
    spot_key,
)
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.rows import LazyRows, RowColumn, RowModel
from spotlab.measures.confusion import ErrorColumns, ErrorFilter
from spotlab.measures.figures import RunFigures
from spotlab.measures.matching import ERROR_KINDS as ALL_KINDS
from spotlab.measures.matching import ErrorKind, ErrorList, ErrorPlace
from spotlab.model.run import Run
from spotlab.report.figure_text import UNDEFINED, written, written_area
from spotlab.report.images import ModelCrop, model_crops
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.tally.outlines import BOTH

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
    ErrorKind.IGNORED: "a spot on an ignored region: neither right nor false",
}
LOOKS = {
    ErrorKind.CORRECT: ("check-circle-outline", "#009E73"),
    ErrorKind.MISSED: ("eye-off-outline", "#0072B2"),
    ErrorKind.FALSE: ("close-circle-outline", "#D55E00"),
    ErrorKind.BADLY_PLACED: ("arrow-all", "#E69F00"),
    ErrorKind.DUPLICATE: ("content-duplicate", "#CC79A7"),
    ErrorKind.WRONG_LABEL: ("tag-off-outline", "#56B4E9"),
    ErrorKind.IGNORED: ("minus-circle-outline", "#8A8F98"),
}


class ErrorRow(NamedTuple):
    """An error as the table shows it."""

    place: ErrorPlace
    texts: dict[str, str]


TITLES = {
    "kind": ("Error", "What is wrong"),
    "query": ("Query", "Label that was searched, or label of the missed region"),
    "taken_for": (
        "Other label",
        "Label of the truth that the spot lies on, or query of the spot on the missed region",
    ),
    "page": ("Page", "Page that the spot or region is on"),
    "rank": ("Rank", "Rank in the query's list, from 1"),
    "score": ("Score", "Score that the run gives; higher means more certain"),
    "iou": ("IoU", "Intersection over union of the spot and the region that it lies on"),
    "area": ("Area", "Area of the spot or of the missed region in px²"),
    "own_share": ("Own truth", "Share of the spot's area on truth of its query"),
    "other_share": ("Other labels", "Share of the spot's area on truth of other labels only"),
    "no_truth_share": ("No truth", "Share of the spot's area on no truth"),
    "wrong_area": ("Wrong area", "Area in px² that is wrong; the list starts with the largest"),
}
NAMES = tuple(TITLES)
WORST = ("wrong_area", True)  # how the list is sorted at first


def _column(name: str) -> RowColumn[ErrorRow]:
    title, tip = TITLES[name]
    return RowColumn[ErrorRow](
        title,
        lambda row: row.texts[name],
        icon=(lambda row: theme.icon(*LOOKS[row.place.kind])) if name == "kind" else None,
        right=name in NAMES[4:],
        head_tip=f"{tip}. Click to sort.",
    )


class ErrorModel(RowModel[ErrorRow]):
    """Rows are places to step to; only those that are visible are ever looked up."""

    def __init__(self, inspection: Inspection, parent: QObject | None = None) -> None:
        super().__init__([_column(name) for name in NAMES], parent, tip=_tip)
        self._inspection = inspection
        self.table: ErrorColumns | None = None
        self.kinds: frozenset[ErrorKind] = frozenset(KINDS)
        self.filters: tuple[ErrorFilter, ...] = ()
        self.sorted: tuple[str, bool] = WORST  # by which column, and whether it falls
        self.counts: dict[ErrorKind, int] = dict.fromkeys(ErrorKind, 0)
        self.entries = np.empty(0, np.int64)  # of the rows
        self._of_query = np.empty(0, np.int64)  # of the chosen query, within the cut
        self._filtered = np.empty(0, np.int64)  # which pass the filters

    @property
    def list(self) -> ErrorList | None:
        """The errors that rows are of."""
        return self.table.list if self.table is not None else None

    def use(self, table: ErrorColumns | None) -> None:
        """List these errors, as far as the chosen query and the cut have them."""
        self.table = table
        self._of_query = np.empty(0, np.int64)
        if table is not None:
            inspection, tally = self._inspection, table.list.errors.tally
            query = inspection.query
            number = tally.queries.index(query) if query in tally.queries else None
            self._of_query = table.list.within(inspection.counts, number)
        self._filter()

    def set_kinds(self, kinds: frozenset[ErrorKind]) -> None:
        """List these kinds only."""
        self.kinds = kinds
        self._show()

    def set_filters(self, filters: Sequence[ErrorFilter]) -> None:
        """List what passes these only."""
        self.filters = tuple(filters)
        self._filter()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; numbers that are undefined come last."""
        self.sorted = (NAMES[column], order is Qt.SortOrder.DescendingOrder)
        self._show()

    def texts_of(self, column: str) -> dict[str, int]:
        """Return what a column of texts holds under all filters but its own, and how often."""
        if self.table is None:
            return {}
        others = [each for each in self.filters if each.column != column]
        entries = self._in_kinds(self.table.keep(self._of_query, others))
        return self.table.count_texts(entries, column)

    def place(self, row: int) -> ErrorPlace:
        """The error of a row."""
        return self.shown[row].place

    def first_of(self, kind: ErrorKind) -> int | None:
        """The first row of a kind."""
        if self.list is None:
            return None
        rows = np.flatnonzero(self.list.kind[self.entries] == ALL_KINDS.index(kind))
        return int(rows[0]) if len(rows) else None

    def row_of_next_kind(self, by: int) -> int | None:
        """The first row of the kind that comes so many after that of the choice; None without."""
        kinds = [kind for kind in KINDS if self.first_of(kind) is not None]
        if not kinds:
            return None
        at = self.row_of_choice()
        here = self.place(at).kind if at is not None else None
        number = (kinds.index(here) + by) % len(kinds) if here in kinds else 0
        return self.first_of(kinds[number])

    def row_of_choice(self) -> int | None:
        """The row of the chosen spot or region."""
        inspection = self._inspection
        if self.list is None:
            return None
        tally, entries = self.list.errors.tally, self.entries
        if inspection.spot is not None:
            rows = np.flatnonzero(self.list.spot[entries] == inspection.spot)
            return int(rows[0]) if len(rows) else None
        if inspection.region is None or inspection.region_page not in tally.pages:
            return None
        regions = self.list.region[entries]
        page = tally.pages.index(inspection.region_page)
        for row in np.flatnonzero((regions >= 0) & (tally.region_page[regions] == page)):
            if tally.region_id[regions[row]] == inspection.region:
                return int(row)
        return None

    def _filter(self) -> None:
        self.counts = dict.fromkeys(ErrorKind, 0)
        self._filtered = self._of_query
        if self.table is not None:
            self._filtered = self.table.keep(self._of_query, self.filters)
            self.counts = self.table.list.count(self._filtered)
        self._show()

    def _in_kinds(self, entries: Ints) -> Ints:
        if self.list is None or len(self.kinds) == len(KINDS):
            return entries
        return self.list.of_kinds(entries, self.kinds)

    def _show(self) -> None:
        entries = self._in_kinds(self._filtered)
        if self.table is not None and self.sorted != WORST:  # the list is sorted like that
            entries = self.table.order(entries, *self.sorted)
        self.entries = entries
        self.show_rows(LazyRows(len(entries), self._row))

    def _row(self, at: int) -> ErrorRow:
        assert self.table is not None  # else there are no rows
        return error_row(self.table, int(self.entries[at]))


def error_row(table: ErrorColumns, entry: int) -> ErrorRow:
    """An entry of the list as a row."""
    listed = table.list
    spot, region = int(listed.spot[entry]), int(listed.region[entry])
    kind = ALL_KINDS[listed.kind[entry]]
    place = ErrorPlace(kind, region=region) if spot < 0 else ErrorPlace(kind, spot)
    texts, here = {}, np.array([entry])
    for name in NAMES[:4]:
        code = int(table.codes(name, here)[0])
        texts[name] = table.names[name][code] if code >= 0 else UNDEFINED
    for name in NAMES[4:]:
        texts[name] = written_value(name, float(table.values(name, here)[0]))
    return ErrorRow(place, texts)


def written_value(name: str, value: float) -> str:
    """A value of a column of numbers."""
    if math.isnan(value):
        return UNDEFINED
    if name == "rank":
        return f"{int(value):,}"
    if name == "score":
        return written_score(value)
    if name.endswith("share"):
        return f"{100 * value:.1f} %"
    return written(value) if name == "iou" else written_area(value)


def _tip(row: ErrorRow) -> str:
    return f"{row.place.kind.words.capitalize()}: {MEANINGS[row.place.kind]}"


def written_score(score: float) -> str:
    """A score with four digits; scales are the systems' own."""
    if math.isnan(score):
        return UNDEFINED
    text = f"{score:#.4g}".rstrip(".")
    return text.removeprefix("0") if text.startswith("0.") else text.replace("-", "−", 1)


class ErrorPictures:
    """Fills a gallery with a case for each row of the model; pictures are cut when they are seen.

    Attributes
    ----------
    gallery : CaseGallery
    """

    def __init__(self, inspection: Inspection, model: ErrorModel) -> None:
        self.gallery = CaseGallery()
        self._inspection, self._model = inspection, model
        self._crops: CaseCrops | None = None

    def show_rows(self) -> None:
        """Show the rows as they are now."""
        table = self._model.table
        if table is None:
            return
        if self._crops is None or self._crops.errors is not table.list.errors:
            pictures, truths = self._inspection.page_pictures(), self._inspection.runs.truth.all
            self._crops = CaseCrops(pictures, table.list.errors, truths)
        model = self._model
        self.gallery.show_cases(
            model.rowCount(), lambda at: case_of(model.shown[at]), self._crops.crop
        )
        self.gallery.mark(model.row_of_choice())


def case_of(row: ErrorRow) -> Case:
    """An error as a picture with two lines of text."""
    place, texts = row.place, row.texts
    other = texts["taken_for"]
    key = region_key(place.region or 0) if place.spot is None else spot_key(place.spot)
    lies = "found as" if place.spot is None else "on"
    note = place.kind.words if other == UNDEFINED else f"{place.kind.words}, {lies} {other}"
    return Case(key, f"{texts['query']} · {texts['page']}", note, LOOKS[place.kind][1])


SHOWN = 12  # pictures


class ModelTips:
    """Pictures are cut out in the background when a run with models is first seen.

    Parameters
    ----------
    inspection : Inspection
    """

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._crops: WeakKeyDictionary[Run, Sequence[ModelCrop]] = WeakKeyDictionary()
        self._task = Task()

    @property
    def busy(self) -> bool:
        """Tell whether pictures are being cut out."""
        return self._task.busy

    def follow(self) -> None:
        """Look for runs whose models have no pictures yet."""
        if self._task.busy:
            return
        for run in self._inspection.runs:
            if run.models and run.run not in self._crops:
                self._start(run)
                return

    def of(self, run: InspectedRun) -> list[str]:
        """Paragraphs on the models of a run, as HTML; none where it has no models."""
        number = sum(map(len, run.models.values()))
        with_models = run.with_models
        if not number or run.figures is None or with_models is None:
            return []
        text = (
            f"{counted(number, 'query model')} left out: {_figures(run.figures)}<br>"
            f"with {'it' if number == 1 else 'them'}: {_figures(with_models)}"
        )
        crops = [crop for crop in self._crops.get(run.run, ()) if crop.png is not None]
        more = f" and {number - len(crops):,} more" if 0 < len(crops) < number else ""
        images = " ".join(map(_image, crops))
        return [text, f"{images}{more}"] if crops else [text]

    def _start(self, run: InspectedRun) -> None:
        truths = {name: self._inspection.runs.truth.of(name) for name in run.models}
        pages = {name: truth.page for name, truth in truths.items() if truth is not None}
        key, models = run.run, run.models

        def done(crops: Sequence[ModelCrop]) -> None:
            self._crops[key] = crops
            self.follow()

        self._task.start(lambda progress: model_crops(pages, models, progress, SHOWN), done=done)


def _figures(figures: RunFigures) -> str:
    return ", ".join(f"{name} {written(figures.mean[key])}" for key, name in BOTH.items())


def _image(crop: ModelCrop) -> str:
    assert crop.png is not None
    width, height = crop.size
    data = base64.b64encode(crop.png).decode()
    said = html.escape(f"{crop.query} on {crop.page}", quote=True)
    size = f'width="{(width + 1) // 2}" height="{(height + 1) // 2}"'
    return f'<img src="data:image/png;base64,{data}" {size} alt="{said}">'
