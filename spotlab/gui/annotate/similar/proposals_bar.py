"""A strip over the page while proposals are answered: what is proposed, and what keys mean."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Elided, Flow, in_column
from spotlab.gui.pages.workbench import Workbench

_HUNDREDTHS = 100  # of the score
_WIDE = 940  # px, from which buttons have their long names
_MOST = 9999  # proposals that a button has room for
_SAID = 60  # px, at least, for the figures
_LONGEST = 220  # px, of the title
_SELECTED = "Keys act on the selected region · Esc returns to the proposals"
_MINIMUM = rich(
    "<p><b>Minimum score</b></p><p>Proposals with a lower score are hidden. It follows what has "
    "been learned until you move it; a double click lets it follow again.</p>"
)


class ProposalsBar(QFrame):
    """Buttons for what the keys do; the keys stay with the page."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.proposals = workbench.state(Proposals)
        self.setObjectName("proposals")
        self._wide = True
        # a small window does not grow because of it, and its height never changes
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAutoFillBackground(True)
        self.setStyleSheet("#proposals { border-bottom: 1px solid palette(mid); }")
        self.title = QLabel()
        self.title.setMaximumWidth(_LONGEST)
        self.title.setStyleSheet("font-weight: 600")
        self.figures = Elided()
        self.figures.setMinimumWidth(_SAID)
        self.previous = self._button(
            "chevron-left", "", "Go to the previous proposal (Shift+Tab, ←)"
        )
        self.next = self._button("chevron-right", "", "Go to the next proposal (Tab, →)")
        self.accept = self._button(
            "check", "Accept", "Accept the proposal as a region (Enter, double click)"
        )
        self.reject = self._button("close", "Reject", "Reject the proposal for good (Del)")
        self.accept_all = self._button(
            "check-all",
            "",
            "Accept all proposals shown on this page in one step (Shift+Enter)",
        )
        self.accept_likely = self._button(
            "check-all",
            "",
            "Accept the best proposals of this page in one step, of which 9 of 10 are expected to "
            "be right (Ctrl+Shift+Enter)",
        )
        self.order = self._choice(
            "Reading order", "Go through the proposals line by line instead of the best first"
        )
        self.page = self._choice("Page", "Search the open page")
        self.everywhere = self._choice(
            "Collection",
            "Search all pages; after a page's last proposal, the next page with proposals opens",
        )
        self.reach = QButtonGroup(self)
        self.reach.addButton(self.page)
        self.reach.addButton(self.everywhere)
        self.minimum = _Slider()
        self.score = QLabel()
        self.close_button = self._button("close", "", "Stop proposing (Esc)")
        self._connect()
        self._lay_out()
        self._paint_icons()
        self._follow()

    def _connect(self) -> None:
        proposals, workbench = self.proposals, self.workbench
        self.previous.clicked.connect(lambda: proposals.list.step(-1))
        self.next.clicked.connect(lambda: proposals.list.step(1))
        self.accept.clicked.connect(proposals.accept)
        self.reject.clicked.connect(proposals.reject)
        self.accept_all.clicked.connect(proposals.accept_all)
        self.accept_likely.clicked.connect(proposals.accept_likely)
        self.order.clicked.connect(proposals.list.set_reading)
        self.close_button.clicked.connect(proposals.pages.end)
        self.reach.buttonClicked.connect(self._reach_chosen)
        self.minimum.valueChanged.connect(self._slid)
        self.minimum.forgotten.connect(lambda: proposals.list.set_minimum(None))
        for signal in (
            proposals.changed,
            proposals.current_changed,
            proposals.pages.busy_changed,
            workbench.selection_changed,
            workbench.workspace_changed,
        ):
            signal.connect(self._follow)
        theme.repainted.changed.connect(self._paint_icons)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say which keys the buttons have, and all words, where there is room for them."""
        super().resizeEvent(event)
        self._wide = event.size().width() >= _WIDE
        self._name_buttons()

    def _name_buttons(self) -> None:
        """Name the buttons as long as there is room for; none moves whatever the numbers are."""
        wide = self._wide
        self.accept.setText("Accept (Enter)" if wide else "Accept")
        self.reject.setText("Reject (Del)" if wide else "Reject")
        self.order.setText("Reading order" if wide else "In order")
        count, likely = len(self.proposals.shown), len(self.proposals.list.likely)
        every, some = ("Accept all {}", "Accept all {} likely") if wide else ("All {}", "Likely {}")
        none = "None likely" if wide else "Likely 0"
        self.accept_all.setText(every.format(count) if count > 1 else every.format("").strip())
        self.accept_likely.setText(some.format(likely) if likely else none)
        for button, text in ((self.accept_all, every), (self.accept_likely, some)):
            named = button.text()
            button.setText(text.format(_MOST))
            button.setFixedWidth(button.sizeHint().width())
            button.setText(named)

    def _follow(self) -> None:
        """Show how things stand."""
        proposals = self.proposals
        self.setVisible(proposals.active and self.workbench.draws)
        sought = proposals.pages.sought
        if sought is None:
            return
        count, selected = len(proposals.shown), len(self.workbench.selection)
        self.title.setText(sought.title)
        self.title.setToolTip(sought.title)
        self.figures.setText(_SELECTED if selected else self._figures())
        self.figures.setToolTip(self.figures.whole())
        for button in (self.previous, self.next):
            button.setEnabled(count > 1)
        for button in (self.accept, self.reject):
            button.setEnabled(count > 0)
        self.accept_all.setEnabled(count > 1)
        for button in (self.page, self.everywhere):
            button.setVisible(not sought.given)
        self.accept_likely.setEnabled(len(proposals.list.likely) > 0)
        self._name_buttons()
        self.order.setChecked(proposals.list.reading)
        (self.everywhere if proposals.pages.everywhere else self.page).setChecked(True)
        self.minimum.show_value(round(proposals.list.minimum * _HUNDREDTHS))
        self.score.setText(f"≥ {proposals.list.minimum:.2f}")

    def _figures(self) -> str:
        """Tell how much is proposed and answered, and what else could be done."""
        proposals = self.proposals
        if proposals.pages.problem:
            return f"This page cannot be searched: {proposals.pages.problem}"
        count = len(proposals.shown)
        total, pages = proposals.list.counted
        accepted, rejected = proposals.answers.counts
        parts = [counted(count, "proposal")]
        if proposals.pages.everywhere:
            parts = [f"{count} here, {total} on {counted(pages, 'page')}"]
        elif not count and not proposals.pages.looking:
            parts = ["No proposals left: lower the minimum score to see less likely ones"]
        if not count and proposals.pages.looking:
            parts = ["Searching this page …"]
        elif not count and total:
            parts = [
                f"No proposals left on this page: Enter opens the next page, {total} on "
                f"{counted(pages, 'page')}"
            ]
        answered, work = parts, list[str]()
        if accepted or rejected:
            answered = [*parts, f"{accepted} accepted", f"{rejected} rejected"]
            work = self._work()
        odd = proposals.untypical
        if odd is not None:
            said = f"A region is unlike the others of {odd.label or 'no label'}"
            work = [f"{said}: Find Untypical Example shows it", *work]
        busy = count or proposals.pages.looking
        return " · ".join([*answered, *work] if busy else [*work, *answered])

    def _work(self) -> list[str]:
        """Tell how much of the page was proposed, and what a region has cost so far."""
        answers, document = self.proposals.answers, self.workbench.document
        parts = []
        if document is not None and len(document):
            proposed, kept = answers.of_page(document)
            here = counted(len(document), "region")
            parts.append(f"{here} on this page: {proposed} proposed, {kept} kept")
        if answers.made > 0:
            parts.append(f"{answers.actions / answers.made:.2f} actions per region so far")
        return parts

    def _reach_chosen(self, button: QAbstractButton) -> None:
        self.proposals.pages.set_everywhere(button is self.everywhere)

    def _slid(self, value: int) -> None:
        if not self.minimum.following:
            self.proposals.list.set_minimum(value / _HUNDREDTHS)

    def _button(self, icon: str, text: str, tip: str) -> QToolButton:
        button = set_up(QToolButton(), text=text, tip=tip, name=text or tip, focus=False)
        button.setProperty("drawn", icon)
        if icon != "" and (text or icon == "check-all"):
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        return button

    def _choice(self, text: str, tip: str) -> QToolButton:
        button = self._button("", text, tip)
        button.setCheckable(True)
        return button

    def _paint_icons(self) -> None:
        for button in self.findChildren(QToolButton):
            if button.property("drawn"):
                button.setIcon(theme.icon(button.property("drawn")))

    def _lay_out(self) -> None:
        upper, lower = Flow(8, 0), Flow(2, 0)
        upper.addWidget(self.title)
        upper.addWidget(self.figures)
        upper.addWidget(self.page)
        upper.addWidget(self.everywhere)
        upper.addWidget(self.close_button)
        for button in (self.previous, self.next, self.accept, self.reject):
            lower.addWidget(button)
        for button in (self.accept_likely, self.accept_all, self.order):
            lower.addWidget(button)
        lower.addStretch()
        lower.addWidget(self.minimum)
        lower.addWidget(self.score)
        self.score.setFixedWidth(self.score.fontMetrics().horizontalAdvance("≥ 0.00") + 4)
        in_column(upper, lower, of=self, margins=(12, 5, 8, 5), spacing=2)


class _Slider(QSlider):
    """The least score; it knows when it only shows one."""

    forgotten = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.following = False
        self.setRange(5, _HUNDREDTHS)
        self.setMinimumWidth(40)
        self.setMaximumWidth(110)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Minimum score")
        self.setToolTip(_MINIMUM)

    def show_value(self, value: int) -> None:
        """Nobody asks for another one."""
        self.following = True
        self.setValue(value)
        self.following = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Whatever was chosen counts no more."""
        self.forgotten.emit()
