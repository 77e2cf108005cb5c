"""The rows of the second annotator's panel: labels with their agreement, and differences."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from spotlab.gui.kit import icons
from spotlab.gui.kit.row_model import RowColumn
from spotlab.model import Deed, Region
from spotlab.report.figure_text import UNDEFINED, written, written_area
from spotlab.studies.annotators.decisions import Decision
from spotlab.studies.annotators.differences import AnnotatorAgreement, RegionPair

OPEN = ("circle-outline", "#8a9099")
LOOKS = {
    Deed.KEPT: ("account-check-outline", "#009E73"),
    Deed.TAKEN: ("account-arrow-left-outline", "#be185d"),
    Deed.MERGED: ("set-merge", "#0072B2"),
    Deed.UNDECIDED: ("help-circle-outline", "#D55E00"),
}


class LabelRow(NamedTuple):
    """A label's agreement."""

    label: str
    mine: int
    theirs: int
    iou: float


class DifferenceRow(NamedTuple):
    """A difference as the table shows it."""

    pair: RegionPair
    decision: Decision | None


def label_rows(agreement: AnnotatorAgreement) -> list[LabelRow]:
    """A row for each label, in alphabetical order."""
    pairs = agreement.differences.pairs
    mine, theirs = (Counter(pair.labels[side] for pair in pairs) for side in (0, 1))
    return [
        LabelRow(label, mine[label], theirs[label], iou)
        for label, iou in sorted(agreement.iou_by_label.items())
    ]


def _label(region: Region | None) -> str:
    return UNDEFINED if region is None else region.label or "unlabeled"


def _look(row: DifferenceRow) -> tuple[str, str]:
    return OPEN if row.decision is None else LOOKS[row.decision.verdict]


def _decided(row: DifferenceRow) -> str:
    if row.decision is None:
        return "open"
    return f"{row.decision.verdict} by {row.decision.author}"


LABEL_COLUMNS = (
    RowColumn[LabelRow]("Label", lambda row: row.label),
    RowColumn[LabelRow]("Mine", lambda row: f"{row.mine:,}", right=True),
    RowColumn[LabelRow]("Theirs", lambda row: f"{row.theirs:,}", right=True),
    RowColumn[LabelRow](
        "Area IoU",
        lambda row: written(row.iou),
        right=True,
        head_tip="Area that both mark with the label, divided by the area that one of the two does",
    ),
)
DIFFERENCE_COLUMNS = (
    RowColumn[DifferenceRow](
        "Difference",
        lambda row: row.pair.kind.value,
        icon=lambda row: icons.icon(*_look(row)),
    ),
    RowColumn[DifferenceRow]("Mine", lambda row: _label(row.pair.first)),
    RowColumn[DifferenceRow]("Theirs", lambda row: _label(row.pair.second)),
    RowColumn[DifferenceRow](
        "IoU",
        lambda row: written(row.pair.iou),
        right=True,
        head_tip="Intersection over union of the two outlines; regions match from 0.5 on",
    ),
    RowColumn[DifferenceRow](
        "Disputed",
        lambda row: written_area(row.pair.disputed),
        right=True,
        head_tip="Area that the two do not agree on: all of it where the labels differ or one has "
        "no region, else what only one outline encloses. The table is sorted by it",
    ),
    RowColumn[DifferenceRow]("Decision", _decided),
)
