"""The chosen spot, or the chosen missed region: what it is, and what it did."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QLabel,
    QLayout,
    QScrollArea,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from spotlab.gui.inspect.panels.error_model import LOOKS, MEANINGS, written_score
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import GoTo
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.table_view import tabular
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import EmptyNote, in_column, in_row
from spotlab.measures.confusion import taken_for
from spotlab.measures.cuts import covered_share, spot_facts
from spotlab.measures.matching import ERROR_KINDS as KIND_OF
from spotlab.measures.matching import ErrorKind, ErrorPlace
from spotlab.measures.tally import Tally
from spotlab.report.figure_text import UNDEFINED, written, written_area
from spotlab.studies.evaluate.inspected_run import InspectedRun

TIPS = {
    "Query": "The label that was searched",
    "Page": "The page that the spot is on",
    "Rank": "Rank in the query's list, from 1, and the length of the list",
    "Score": "Score that the run gives; higher means more certain. A dash where it gives none",
    "Area": "Enclosed area in px², by the even-odd rule",
    "IoU": "Intersection over union: the area that spot and region share, divided by the area "
    "that they cover together",
    "Of the region": "Share of the region's area that the spot covers",
    "In the region": "Share of the spot's area that lies in the region",
    "New area": "Area that no earlier spot of the query covers: what the spot adds to A(R)",
    "New relevant": "Part of the new area that lies in the truth: what the spot adds to A(R ⊕ T)",
    "Precision": "Area precision of the query before → after this spot: "
    "A(R_n ⊕ T) / A(R_n). Undefined before the first",
    "Recall": "Area recall of the query before → after this spot: A(R_n ⊕ T) / A(T)",
    "Covered": "Share of the region that the query's spots cover together, up to the cut",
}
OF_SPOT = (
    "Query", "Page", "Rank", "Score", "Area", "IoU", "Of the region", "In the region",
    "New area", "New relevant", "Precision", "Recall",
)  # fmt: skip
OF_REGION = ("Query", "Page", "Area", "Covered")
NOTHING = "Click a spot on the page or a point\nof a curve, or step with N and P."


class SpotPanel(QWidget):
    """Figures with their definitions, and buttons to the ranks beside."""

    def __init__(self, inspection: Inspection, go_to: GoTo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self._go_to = go_to
        self.kind = QLabel(wordWrap=True)
        self.kind_icon = QLabel()
        self.figures = {name: _value(name) for name in TIPS}
        self.before = self._button("Go to the spot with the previous rank", -1)
        self.after = self._button("Go to the spot with the next rank", 1)
        self.case = QToolButton()
        self.case.setToolTip("Show it on its page, with the region that it is about")
        self.case.setAccessibleName(self.case.toolTip())
        self.case.clicked.connect(self._open_case)
        self.nothing = EmptyNote(NOTHING)
        self._lay_out()
        for signal in (
            self.inspection.spot_changed,
            self.inspection.runs.figures_changed,
            self.inspection.cut_changed,
        ):
            signal.connect(self._follow)
        self.case.setIcon(theme.icon("crosshairs"))
        self.before.setIcon(theme.icon("chevron-up"))
        self.after.setIcon(theme.icon("chevron-down"))
        self._follow()

    def step(self, by: int) -> None:
        """Go to the spot this many ranks further in the same query's list."""
        inspection, current = self.inspection, self.inspection.runs.current
        if inspection.spot is None or current is None or current.tally is None:
            return
        tally, wanted = current.tally, inspection.spot + by
        if 0 <= wanted < len(tally) and tally.query[wanted] == tally.query[inspection.spot]:
            self._go_to(ErrorPlace(ErrorKind.CORRECT, spot=wanted))

    def _open_case(self) -> None:
        """Show the spot and the region that it was taken for, or the region that was missed."""
        inspection, current = self.inspection, self.inspection.runs.current
        if current is None or current.tally is None:
            return
        if inspection.spot is not None:
            self._go_to(ErrorPlace(ErrorKind.CORRECT, spot=inspection.spot))
        elif inspection.region is not None:
            region = _region_of(current.tally, inspection.region_page, inspection.region)
            if region is not None:
                self._go_to(ErrorPlace(ErrorKind.MISSED, region=region))

    def _button(self, tip: str, by: int) -> QToolButton:
        button = set_up(QToolButton(), tip=tip, name=tip, does=lambda: self.step(by))
        button.setAutoRepeat(True)
        return button

    def _lay_out(self) -> None:
        head = in_row(
            self.kind_icon,
            (self.kind, 1),
            self.case,
            self.before,
            self.after,
            margins=(12, 8, 8, 4),
            spacing=6,
        )
        self.form = QFormLayout()
        self.form.setContentsMargins(12, 2, 12, 10)
        self.form.setVerticalSpacing(3)
        self.form.setHorizontalSpacing(14)
        for name, value in self.figures.items():
            title = set_up(QLabel(name), tip=_tip(name), role="quiet")
            self.form.addRow(title, value)
        filled = QWidget()
        in_column(head, (_scrolled(self.form), 1), of=filled, margins=0, spacing=0)
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(filled)

    def _follow(self) -> None:
        inspection, current = self.inspection, self.inspection.runs.current
        shown: dict[str, str] = {}
        if current is not None and current.tally is not None and current.figures is not None:
            if inspection.spot is not None and inspection.spot < len(current.tally):
                shown = self._show_spot(current, inspection.spot)
            elif inspection.region is not None:
                shown = self._show_region(current, inspection.region)
        self.stack.setCurrentIndex(1 if shown else 0)
        for name, value in self.figures.items():
            value.setText(shown.get(name, ""))
            self.form.setRowVisible(value, name in shown)

    def _show_spot(self, current: InspectedRun, spot: int) -> dict[str, str]:
        tally, figures, errors = current.tally, current.figures, current.errors
        assert tally is not None and figures is not None  # the only caller has looked
        region = int(errors.region[spot]) if errors is not None else -1
        facts = spot_facts(tally, figures.precision, figures.recall, spot, region)
        self._show_kind(
            KIND_OF[int(errors.kind[spot])] if errors is not None else None,
            taken_for(errors, spot) if errors is not None else "",
        )
        self.before.setVisible(True)
        self.after.setVisible(True)
        self.before.setEnabled(facts.rank > 1)
        self.after.setEnabled(facts.rank < facts.count)
        tied = ", tied" if current.run.tied[tally.spot[spot]] else ""
        kept = facts.rank <= self.inspection.counts[tally.query[spot]]
        after = "" if kept else ", after the cut"
        texts = (
            tally.queries[tally.query[spot]],
            tally.pages[tally.page[spot]],
            f"{facts.rank:,} of {facts.count:,}{tied}{after}",
            written_score(float(tally.score[spot])),
            written_area(facts.area),
            written(facts.iou),
            _percent(facts.region_share),
            _percent(facts.spot_share),
            written_area(facts.gained_area),
            written_area(facts.gained_true_area),
            _change(*facts.precision),
            _change(*facts.recall),
        )
        return dict(zip(OF_SPOT, texts, strict=True))

    def _show_region(self, current: InspectedRun, id: str) -> dict[str, str]:
        tally, name = current.tally, self.inspection.region_page
        assert tally is not None  # the only caller has looked
        region = _region_of(tally, name, id)
        if region is None:
            return {}
        errors, counts = current.errors, self.inspection.counts
        missed = errors is not None and errors.is_missed(region, counts)
        self._show_kind(ErrorKind.MISSED if missed else None)
        self.before.setVisible(False)
        self.after.setVisible(False)
        query = int(tally.region_query[region])
        texts = (
            tally.queries[query] if query >= 0 else UNDEFINED,
            name,
            written_area(float(tally.region_area[region])),
            _percent(covered_share(tally, region, self.inspection.counts)),
        )
        return dict(zip(OF_REGION, texts, strict=True))

    def _show_kind(self, kind: ErrorKind | None, other: str = "") -> None:
        text = kind.words.capitalize() if kind else "Region"
        self.kind.setText(f"{text}, on {other}" if other else text)
        self.kind.setToolTip(MEANINGS[kind].capitalize() if kind else "")
        self.kind_icon.setVisible(kind is not None)
        if kind:
            self.kind_icon.setPixmap(theme.pixmap(LOOKS[kind][0], 18, LOOKS[kind][1]))


def _region_of(tally: Tally, page: str, id: str) -> int | None:
    """A region's place in the tally."""
    if page not in tally.pages:
        return None
    on_page = (tally.region_page == tally.pages.index(page)).nonzero()[0]
    return next((int(at) for at in on_page if tally.region_id[at] == id), None)


def _tip(name: str) -> str:
    return rich(f"<p>{TIPS[name]}</p>")


def _value(name: str) -> QLabel:
    value = set_up(QLabel(), tip=_tip(name))
    value.setFont(tabular(value.font()))
    value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return value


def _percent(share: float | None) -> str:
    return UNDEFINED if share is None else f"{100 * share:.1f} %"


def _change(before: float | None, after: float | None) -> str:
    return f"{written(before)} → {written(after)}"


def _scrolled(layout: QLayout) -> QScrollArea:
    """Return what it lays out, in as little height as there is: small screens have to do."""
    inside = QWidget()
    inside.setLayout(layout)
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    return area
