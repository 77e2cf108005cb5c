"""What is recommended for the open votes, why, and what to do first."""

from __future__ import annotations

import html

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.systems.loaded_votes import paper_weights
from spotlab.gui.systems.state import BY_WEIGHTS, Systems

WAIT = "The methods are being compared …"
PAPER_TIP = rich(
    "<p>Show the figures of Lamiroy &amp; Sun (2013), with the weights of the paper: all systems, "
    "⊤ and ⊥ count the same. The sliders at the left change these weights.</p>"
)
ASK_TIP = rich(
    "<p>Say of some items whether they are relevant. Items are drawn for you, one after another; "
    "each takes a key. Figures follow from 20 answers on.</p>"
)


class AdviceStrip(QFrame):
    """A sentence or two, and a button for each thing that can be done about it."""

    answers_wanted = Signal()

    def __init__(self, systems: Systems, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.systems = systems
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.answer = QPushButton()
        self.answer.setProperty("prominent", True)
        self.answer.setToolTip(ASK_TIP)
        self.follow = QPushButton("Show the Recommended Estimate")
        self.paper = QPushButton("Lamiroy && Sun")
        self.paper.setToolTip(PAPER_TIP)
        self.answer.clicked.connect(lambda _: self.answers_wanted.emit())
        self.follow.clicked.connect(lambda _: systems.follow_advice())
        self.paper.clicked.connect(lambda _: systems.reset_weights())
        self._lay_out()
        systems.table_changed.connect(self.refresh)
        systems.comparison_changed.connect(self.refresh)
        systems.answered_changed.connect(self.refresh)
        systems.method_changed.connect(self.refresh)
        systems.weights_changed.connect(self._offer_paper)
        self.refresh()

    def refresh(self) -> None:
        """Say what is recommended now."""
        systems, advice = self.systems, self.systems.advice
        self.setVisible(systems.table is not None)
        if advice is None:
            self.text.setText(WAIT if systems.busy else "")
            self.text.setVisible(systems.busy)
            for button in (self.answer, self.follow, self.paper):
                button.hide()
            return
        result = systems.result(advice.method)
        title = html.escape(result.title if result else advice.method)
        parts = [f"<b>Recommended: {title}.</b>", html.escape(advice.reason)]
        if advice.answer_items:
            parts.append(html.escape(advice.disagreement))
        self.text.setText(rich(" ".join(part for part in parts if part)))
        self.text.show()
        self.answer.setText(f"Answer {advice.answer_items:,} Items")
        self.answer.setVisible(bool(advice.answer_items))
        self.follow.setVisible(advice.method != systems.method)
        self._offer_paper()

    def _offer_paper(self) -> None:
        loaded, method = self.systems.loaded, self.systems.method
        sliders = loaded is not None and self.systems.weights == paper_weights(loaded)
        self.paper.setVisible(method != "paper" and not (method == BY_WEIGHTS and sliders))

    def _lay_out(self) -> None:
        self.setProperty("role", "strip")
        buttons = Flow(6)
        for button in (self.answer, self.follow, self.paper):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 10, 6)
        column.setSpacing(6)
        column.addWidget(self.text)
        column.addLayout(buttons)
