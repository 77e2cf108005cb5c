"""What average precision would gain if each kind of error were mended, in a line."""

from __future__ import annotations

import html
from collections.abc import Mapping
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from spotlab.arrays import Ints
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.kit.task import Task
from spotlab.measures.tally import Tally
from spotlab.measures.tide import TIDE_KINDS, TideErrors, TideKind, tide_errors
from spotlab.progress import Progress
from spotlab.report.figure_text import UNDEFINED, written


class TideBar(QLabel):
    """AP, and ΔAP of each kind, the largest first; the tooltip has counts and definitions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, wordWrap=True)
        self.setContentsMargins(12, 0, 12, 4)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._mending = Task(urgent=True)
        self._tide: TideErrors | None = None
        self._query: str | None = None
        self.hide()

    def mend(self, tally: Tally, iou: float, counts: Ints | None) -> None:
        """Find in the background what mending each kind would gain, and show it."""

        def done(tide: TideErrors) -> None:
            self._tide = tide
            self.show_query(self._query)

        self._mending.start(_mended, tally, iou, counts, done=done)

    def forget(self) -> None:
        """There are no errors."""
        self._mending.cancel()
        self._tide = None
        self.hide()

    def show_query(self, query: str | None) -> None:
        """Show what is known of this query, or the mean over queries."""
        self._query, tide = query, self._tide
        if tide is None:
            return
        names = tide.tally.queries
        number = names.index(query) if query in names else None
        gains = {kind: tide.gain(kind, number) for kind in TIDE_KINDS}
        ordered = sorted(TIDE_KINDS[:6], key=lambda kind: -(gains[kind] or 0.0))
        alike = groupby(ordered, lambda kind: _gain(gains[kind]))  # in less room where many are 0
        parts = [f"{', '.join(k.words for k in kinds)} <b>{gain}</b>" for gain, kinds in alike]
        parts += [f"all {kind.words}s {_gain(gains[kind])}" for kind in TIDE_KINDS[6:]]
        of = html.escape(query) if number is not None and query else "mean"
        head = f"ΔAP if mended (TIDE, AP {written(tide.mean(number))}, {of})"
        self.setText(rich(f"{head}: {' · '.join(parts)}"))
        self.setToolTip(_tip(tide, number, gains))
        self.show()


def _mended(tally: Tally, iou: float, counts: Ints | None, _: Progress) -> TideErrors:
    return tide_errors(tally, iou, counts)


def _gain(gain: float | None) -> str:
    return UNDEFINED if gain is None else f"{gain:+.3f}".replace("0.", ".").replace("-", "−")


def _tip(tide: TideErrors, query: int | None, gains: Mapping[TideKind, float | None]) -> str:
    rows = []
    for kind in TIDE_KINDS:
        counts = tide.count(kind)
        count = int(counts.sum() if query is None else counts[query])
        rows.append(
            f"<tr><td><b>{kind.words}</b> ({kind.short})</td><td align='right'>{count:,}</td>"
            f"<td align='right'>{_gain(gains[kind])}</td><td>{kind.meaning}</td></tr>"
        )
    return rich(
        f"<p>What average precision at IoU {tide.iou:g} would gain without each kind of error "
        "(Bolya et al. 2020). TIDE tests kinds in another order than the list below, so numbers "
        f"may differ.</p><table cellspacing='6'>{''.join(rows)}</table>"
    )
