"""Which of two systems is better, how sure that is, and what this stands on."""

from __future__ import annotations

import html
import math

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from spotlab.gui.kit.choice import Choice, Option
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.systems.state import Systems
from spotlab.report.figure_text import written

USUAL = "By Lamiroy & Sun's weights. "
CAPTION = "By Lamiroy & Sun's weights; it assumes that systems err independently of each other."
NOT_SAID = "not said"


class BetterThan(QWidget):
    """P(one system is better than another); the first follows the chosen one."""

    def __init__(self, systems: Systems, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.systems = systems
        self._names: tuple[str, ...] = ()
        self.first: Choice[int] = Choice(name="First system")
        self.second: Choice[int] = Choice(name="Second system")
        self.probability, self.caption = QLabel(), QLabel(CAPTION, wordWrap=True)
        self.caption.setProperty("role", "quiet")
        self._lay_out()
        for combo in (self.first, self.second):
            combo.setToolTip("A system whose F is compared with that of the other one")
            combo.chosen.connect(lambda _: self.refresh())
        systems.table_changed.connect(self._rebuild)
        systems.comparison_changed.connect(self.refresh)
        systems.chosen_changed.connect(self._follow_system)
        self._rebuild()

    def refresh(self) -> None:
        """Say it of the two that are named; nothing while it is not known."""
        comparison = self.systems.comparison
        found = comparison.intervals if comparison else None
        self.setVisible(len(self._names) > 1 and found is not None)
        if found is None:
            return
        one, other = self.first.value, self.second.value
        value = math.nan if one == other else float(found.superiority[one, other])
        said = NOT_SAID if math.isnan(value) else written(value)
        self.probability.setText(rich(f"has the higher F with probability <b>{said}</b>"))
        for label in (self.probability, self.caption):
            label.setToolTip(rich(f"<p>{html.escape(USUAL + found.assumption)}</p>"))

    def _rebuild(self) -> None:
        names = self.systems.names
        if names != self._names:
            self._names = names
            for combo, place in ((self.first, 0), (self.second, min(1, len(names) - 1))):
                combo.offer(Option(system, name) for system, name in enumerate(names))
                combo.show_value(place)
        self.refresh()

    def _follow_system(self) -> None:
        system = self.systems.system
        if system is not None and system != self.first.value:
            if system == self.second.value:
                self.second.show_value(self.first.value)
            self.first.show_value(system)
            self.refresh()

    def _lay_out(self) -> None:
        for combo in (self.first, self.second):
            combo.give_way()
        form = QGridLayout(self)  # below each other: no name is cut off where names begin alike
        form.setContentsMargins(12, 4, 12, 6)
        form.setSpacing(4)
        form.setColumnStretch(1, 1)
        form.addWidget(self.first, 0, 0, 1, 2)
        form.addWidget(self.probability, 1, 0, 1, 2)
        form.addWidget(QLabel("than"), 2, 0)
        form.addWidget(self.second, 2, 1)
        form.addWidget(self.caption, 3, 0, 1, 2)
