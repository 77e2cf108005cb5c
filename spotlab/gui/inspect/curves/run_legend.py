"""Which line is whose: a piece of each run's line with its name, in the order of opening."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.plots.line_sample import line_sample_html
from spotlab.gui.kit.plots.shades import readable
from spotlab.studies.areas.inspected_run import InspectedRun

MOST_NAMED = 8  # runs; of more, the names stand with the figures only
LONGEST = 24  # characters of a name; its tooltip has all of it


class RunLegend(QWidget):
    """Labels made once; those that nothing is shown in are hidden. One run needs no legend."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[QLabel] = []
        self._flow = Flow(12, 2)
        self._flow.setContentsMargins(12, 2, 12, 2)
        self.setLayout(self._flow)

    def follow(self, runs: Sequence[InspectedRun], current: InspectedRun | None) -> None:
        """Name these; the name of the current one is bold."""
        self.setVisible(1 < len(runs) <= MOST_NAMED)
        while len(self.labels) < len(runs):
            label = QLabel(self)
            label.setTextFormat(Qt.TextFormat.RichText)
            self.labels.append(label)
            self._flow.addWidget(label)
        behind = theme.colours(self.palette()).window
        for label, run in zip(self.labels, runs, strict=False):
            sample = line_sample_html(readable(run.colour, behind), run.dash)
            name = html.escape(shortened_name(run.name))
            label.setText(f"{sample} {f'<b>{name}</b>' if run is current else name}")
            label.setToolTip(f"<p>{html.escape(run.name)}</p>")
            label.setAccessibleName(run.name)
        for place, label in enumerate(self.labels):
            label.setVisible(place < len(runs))


def shortened_name(name: str) -> str:
    """The name without its middle where it is long: names of runs differ at their ends.

    Examples
    --------
    >>> shortened_name("method_a"), shortened_name("a_very_long_name_of_a_method_v12")
    ('method_a', 'a_very_long_…_method_v12')
    """
    if len(name) <= LONGEST:
        return name
    half = LONGEST // 2
    return f"{name[:half]}…{name[-(LONGEST - half - 1) :]}"
