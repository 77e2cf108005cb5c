"""Paints what the spotter proposes: dashed and quiet, but for the one that keys mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPixmap,
    QPolygonF,
    QTransform,
)

from spotlab.gui.canvas.region_style import UNLABELED, casing_pen, faint, line_pen
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.workbench import Workbench
from spotlab.model import LabelSet
from spotlab.spotting.symbols.proposing import Proposal

CURRENT = QColor("#7c3aed")
QUIET = 2.0  # screen px, the line of the others
_INSIDE, _INSIDE_CURRENT = 30, 64  # of 255
_FEW = 60  # captions at once: more would hide the page
_MOST_CHIPS = 500  # kept
_ROOM = 40.0  # screen px that a proposal is high at least to have a caption
_PADDING = 5.0
_GAP = 4.0


class ProposalsLayer:
    """Lies between the regions and what the tools paint."""

    def __init__(self, workbench: Workbench, refresh: Callable[[], object]) -> None:
        self._workbench = workbench
        self._chips: dict[tuple[str, int, bool, float], QPixmap] = {}
        self._disconnect = workbench.proposals.changed.connect(refresh)

    def stop(self) -> None:
        """Hear of nothing any more."""
        self._disconnect()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint over the page and its regions."""
        proposals = self._workbench.proposals
        if not proposals.shown or self._workbench.workspace != "annotate":
            return
        shown = _in_sight(proposals.shown, view)
        current = proposals.current
        others = [each for each in shown if each is not current]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self._paint_outlines(painter, view, others)
        if current in shown:
            self._paint_current(painter, view, current)
        roomy = [each for each in others if _room(each, view) >= _ROOM]
        for each in roomy if len(roomy) <= _FEW else ():
            self._paint_caption(painter, view, each, False)
        if current in shown:
            self._paint_caption(painter, view, current, True)
        painter.restore()

    def _paint_outlines(
        self, painter: QPainter, view: ViewTransform, proposals: Iterable[Proposal]
    ) -> None:
        paths: dict[int, QPainterPath] = {}
        for each in proposals:
            rgb = colour_of(each, self._workbench.labels).rgb()
            paths.setdefault(rgb, QPainterPath()).addPath(_path(each))
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        for rgb, path in paths.items():
            colour = QColor(rgb)
            painter.fillPath(path, faint(colour, _INSIDE))
            painter.strokePath(path, casing_pen(view.ratio, 3.5))
            painter.strokePath(path, line_pen(colour, view.ratio, dashes=True, width=QUIET))
        painter.restore()

    def _paint_current(self, painter: QPainter, view: ViewTransform, proposal: Proposal) -> None:
        colour, path = colour_of(proposal, self._workbench.labels), _path(proposal)
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        painter.fillPath(path, faint(colour, _INSIDE_CURRENT))
        painter.strokePath(path, line_pen(faint(CURRENT, 110), view.ratio, width=11))
        painter.strokePath(path, casing_pen(view.ratio, 6))
        painter.strokePath(path, line_pen(colour, view.ratio, dashes=True, width=3))
        painter.restore()

    def _paint_caption(
        self, painter: QPainter, view: ViewTransform, proposal: Proposal, current: bool
    ) -> None:
        """Label and score at the upper left, inside the window."""
        low, high = _frame(proposal, view)
        text = caption(proposal)
        colour = CURRENT if current else colour_of(proposal, self._workbench.labels)
        chip = self._chip(text, colour, current, view.ratio, painter.font())
        size = chip.deviceIndependentSize()
        x = min(max(low[0], 2.0), view.size[0] - size.width() - 2)
        above = low[1] - size.height() - _GAP - (3 if current else 0)
        y = above if above >= 2 else min(high[1] + _GAP, view.size[1] - size.height() - 2)
        painter.drawPixmap(QPointF(round(x), round(y)), chip)

    def _chip(self, text: str, colour: QColor, current: bool, ratio: float, font: QFont) -> QPixmap:
        key = (text, colour.rgb(), current, ratio)
        if key not in self._chips:
            if len(self._chips) >= _MOST_CHIPS:
                self._chips.clear()
            self._chips[key] = _drawn_chip(text, colour, current, ratio, font)
        return self._chips[key]


def caption(proposal: Proposal) -> str:
    """What stands at a proposal.

    Examples
    --------
    >>> caption(Proposal("plan", "sofa", np.zeros((3, 2)), 0.874))
    'sofa  0.87'
    """
    return f"{proposal.label or 'unlabeled'}  {proposal.score:.2f}"


def colour_of(proposal: Proposal, labels: LabelSet) -> QColor:
    """That of its label; grey where there is none."""
    known = proposal.label in labels
    return QColor(labels[proposal.label].colour if known else UNLABELED)


def _drawn_chip(text: str, colour: QColor, current: bool, ratio: float, font: QFont) -> QPixmap:
    """A caption: hollow, so that nobody takes it for a region's; filled for the current one."""
    font = QFont(font)
    font.setPixelSize(12 if current else 11)
    font.setWeight(QFont.Weight.DemiBold if current else QFont.Weight.Normal)
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(text) + 2 * _PADDING
    height = metrics.height() + (4 if current else 1)
    chip = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
    chip.setDevicePixelRatio(ratio)
    chip.fill(Qt.GlobalColor.transparent)
    painter = QPainter(chip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    place = QRectF(0.5, 0.5, width - 1, height - 1)
    painter.setPen(QColor(255, 255, 255, 200) if current else colour)
    painter.setBrush(colour if current else QColor(255, 255, 255, 225))
    painter.drawRoundedRect(place, 4, 4)
    painter.setFont(font)
    painter.setPen(QColor("#ffffff") if current else QColor("#1d2329"))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return chip


def _path(proposal: Proposal) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in proposal.outline.tolist()]))
    path.closeSubpath()
    return path


def _in_sight(proposals: tuple[Proposal, ...], view: ViewTransform) -> list[Proposal]:
    left, top, right, bottom = view.visible()
    found = []
    for each in proposals:
        low, high = each.outline.min(axis=0), each.outline.max(axis=0)
        if low[0] <= right and high[0] >= left and low[1] <= bottom and high[1] >= top:
            found.append(each)
    return found


def _frame(proposal: Proposal, view: ViewTransform) -> tuple[list[float], list[float]]:
    """The corners of its bounds on the screen."""
    shown = view.points_to_view(proposal.outline)
    low, high = np.min(shown, axis=0), np.max(shown, axis=0)
    return low.tolist(), high.tolist()


def _room(proposal: Proposal, view: ViewTransform) -> float:
    """How large it is on the screen, the smaller side."""
    low, high = proposal.outline.min(axis=0), proposal.outline.max(axis=0)
    return float((high - low).min()) * view.scale
