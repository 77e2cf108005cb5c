"""How the figures of labels and pages change, as rows of a table with intervals under them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from spotlab.gui.inspect.label_colours import query_colours
from spotlab.gui.kit.table_model import Note, Rows
from spotlab.imaging.overlay import ComparedKind
from spotlab.measures.comparison import ChangedFigures
from spotlab.measures.intervals import Interval
from spotlab.measures.measure import Figure
from spotlab.model import LabelSet
from spotlab.report.figure_text import written_interval
from spotlab.studies.compare.comparison import PageComparison

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
_OF_CHANGE = {
    "f_change": "f",
    "precision_change": "area_precision",
    "recall_change": "area_recall",
}


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
            tip = f"In brackets the 95 % bootstrap interval: both runs, the same draws of {drawn}."
            notes[row, column] = Note(text, tip, low > 0 or high < 0)
    return notes
