"""A strip over the page while proposals are answered: what is proposed, and what keys mean."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QSlider, QToolButton

from spotlab.errors import counted
from spotlab.gui.annotate.similar.actions import COMMANDS, ProposalCommand
from spotlab.gui.annotate.similar.proposal_list import ProposalList
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.kit.controls import chips_of, set_up
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Elided, Flow, in_column
from spotlab.gui.workspace import Window

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
_NAMES = {  # of buttons, where there is room and where there is little
    "accept": ("Accept (Enter)", "Accept"),
    "reject": ("Reject (Del)", "Reject"),
    "accept_likely": ("Accept all {} likely", "Likely {}"),
    "accept_all": ("Accept all {}", "All {}"),
    "reading_order": ("Reading order", "In order"),
}
_REACH = {  # whether everywhere
    False: ("Page", "Search the open page"),
    True: (
        "Collection",
        "Search all pages; after a page's last proposal, the next page with proposals opens",
    ),
}


class ProposalsBar(QFrame):
    """Buttons for what the keys do; the keys stay with the page."""

    def __init__(self, window: Window) -> None:
        super().__init__()
        self._window = window
        self.workbench = workbench = window.workbench
        self.proposals = proposals = workbench.state(Proposals)
        self.setObjectName("proposals")
        # a small window does not grow because of it, and its height never changes
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAutoFillBackground(True)
        self.setStyleSheet("#proposals { border-bottom: 1px solid palette(mid); }")
        self.title = QLabel()
        self.title.setMaximumWidth(_LONGEST)
        self.title.setStyleSheet("font-weight: 600")
        self.figures = Elided()
        self.figures.setMinimumWidth(_SAID)
        self.buttons = {command.name: self._button(command) for command in COMMANDS}
        self.reach = chips_of(_REACH, False, proposals.pages.set_everywhere, self)
        for chip in self.reach.values():
            chip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.minimum = _Slider(proposals.list)
        self.score = QLabel()
        for signal in (
            proposals.changed,
            proposals.current_changed,
            workbench.selection_changed,
            workbench.workspace_changed,
        ):
            signal.connect(self._follow)
        self._lay_out()
        self._follow()

    def _button(self, command: ProposalCommand) -> QToolButton:
        button = set_up(
            QToolButton(),
            tip=command.tip,
            name=command.title.replace("&", ""),
            icon=command.icon,
            checkable=command.checked is not None,
            focus=False,
            does=lambda: command.does(self.proposals),
        )
        if command.name in _NAMES:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say which keys the buttons have, and all words, where there is room for them."""
        super().resizeEvent(event)
        self._name_buttons()

    def _name_buttons(self) -> None:
        """Name the buttons as long as there is room for; none moves whatever the numbers are."""
        count, likely = len(self.proposals.shown), len(self.proposals.list.likely)
        wide = self.width() >= _WIDE
        numbers = {"accept_all": count if count > 1 else "", "accept_likely": likely}
        for name, (long, short) in _NAMES.items():
            button, text = self.buttons[name], long if wide else short
            button.setText(text.format(_MOST))
            button.setFixedWidth(button.sizeHint().width())
            none = wide and numbers.get(name) == 0
            button.setText("None likely" if none else text.format(numbers.get(name)).strip())

    def _follow(self) -> None:
        """Show how things stand."""
        proposals, sought = self.proposals, self.proposals.pages.sought
        self.setVisible(sought is not None and self.workbench.draws)
        if sought is None:
            return
        self.title.setText(sought.title)
        self.title.setToolTip(sought.title)
        self.figures.setText(_SELECTED if len(self.workbench.selection) else self._figures())
        self.figures.setToolTip(self.figures.whole())
        for command in COMMANDS:
            self.buttons[command.name].setEnabled(command.enabled.holds(self._window))
        self._name_buttons()
        self.buttons["reading_order"].setChecked(proposals.list.reading)
        for everywhere, chip in self.reach.items():
            chip.setVisible(not sought.given)
            chip.setChecked(everywhere == proposals.pages.everywhere)
        with QSignalBlocker(self.minimum):
            self.minimum.setValue(round(proposals.list.minimum * _HUNDREDTHS))
        self.score.setText(f"≥ {proposals.list.minimum:.2f}")

    def _figures(self) -> str:
        """Tell how much is proposed and answered, and what else could be done."""
        proposals, pages = self.proposals, self.proposals.pages
        if pages.problem:
            return f"This page cannot be searched: {pages.problem}"
        count, (total, number) = len(proposals.shown), proposals.list.counted
        everywhere = f"{total} on {counted(number, 'page')}"
        if not count and pages.looking:
            here = "Searching this page …"
        elif not count and total:
            here = f"No proposals left on this page: Enter opens the next page, {everywhere}"
        elif pages.everywhere:
            here = f"{count} here, {everywhere}"
        elif count:
            here = counted(count, "proposal")
        else:
            here = "No proposals left: lower the minimum score to see less likely ones"
        answered, work = [here], list[str]()
        accepted, rejected = proposals.answers.counts
        if accepted or rejected:
            answered += [f"{accepted} accepted", f"{rejected} rejected"]
            work = self._work()
        odd = proposals.untypical
        if odd is not None:
            said = f"A region is unlike the others of {odd.label or 'no label'}"
            work = [f"{said}: Find Untypical Example shows it", *work]
        busy = count or pages.looking
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

    def _lay_out(self) -> None:
        upper, lower = Flow(8, 0), Flow(2, 0)
        for widget in (self.title, self.figures, *self.reach.values(), self.buttons["end"]):
            upper.addWidget(widget)
        for name in ("previous", "next", *_NAMES):
            lower.addWidget(self.buttons[name])
        lower.addStretch()
        lower.addWidget(self.minimum)
        lower.addWidget(self.score)
        self.score.setFixedWidth(self.score.fontMetrics().horizontalAdvance("≥ 0.00") + 4)
        in_column(upper, lower, of=self, margins=(12, 5, 8, 5), spacing=2)


class _Slider(QSlider):
    """The score from which proposals are shown; a double click leaves it to what is learned."""

    def __init__(self, found: ProposalList) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._found = found
        self.setRange(5, _HUNDREDTHS)
        self.setMinimumWidth(40)
        self.setMaximumWidth(110)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Minimum score")
        self.setToolTip(_MINIMUM)
        self.valueChanged.connect(lambda value: found.set_minimum(value / _HUNDREDTHS))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Forget what was chosen."""
        self._found.set_minimum(None)
