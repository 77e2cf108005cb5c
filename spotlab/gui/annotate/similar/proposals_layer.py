"""Paints what the spotter proposes: dashed and quiet, but for the one that keys mean."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPixmap,
    QTransform,
)

from spotlab.editing.document import Edit
from spotlab.editing.region_index import RegionIndex
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.gui.annotate.similar.actions import COMMANDS
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.label_chips import drawn_chip
from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.tool import Layer, Pointer
from spotlab.gui.canvas.view import (
    RegionStyle,
    ViewTransform,
    casing_pen,
    faint,
    in_view,
    line_pen,
    path_of,
)
from spotlab.gui.kit.theme import PROPOSED
from spotlab.model import Region
from spotlab.model.region import DIGITS
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal

_BY_KEY = {key: command.does for command in COMMANDS for key in command.keys}
CURRENT = QColor(PROPOSED)
QUIET = 0.8  # how much of the others is seen
_INSIDE = 64  # of 255, of the current one
_FEW = 60  # captions at once: more would hide the page
_MOST_CHIPS = 500  # kept
_ROOM = 28.0  # screen px that a proposal is high at least to have a caption
_GAP = 4.0

Look = tuple[str, bytes]  # a proposal's label and outline


class ProposalsLayer(Layer):
    """Lies between the regions and what the tools paint; tiles as of regions show the others."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._workbench = workbench = canvas.workbench
        self._proposals = proposals = workbench.state(Proposals)
        self._style = RegionStyle()
        self._index = RegionIndex()
        self._others = RegionLayer(self._index, self._style, canvas.refresh)
        self._regions: dict[Look, Region] = {}
        self._shown: tuple[Proposal, ...] = ()
        self._current: Proposal | None = None  # one of them
        self._bounds = np.empty((0, 4))
        self._chip = lru_cache(_MOST_CHIPS)(_drawn_chip)
        self._disconnect = [
            proposals.changed.connect(self._follow),
            proposals.current_changed.connect(self._follow),
            workbench.labels_changed.connect(self._restyle),
        ]
        self._style.use(workbench.labels)  # they were read before anything was proposed

    @property
    def busy(self) -> bool:
        """Tell whether tiles are still being drawn."""
        return self._others.busy

    def stop(self) -> None:
        """Hear of nothing and draw nothing any more."""
        for disconnect in self._disconnect:
            disconnect()
        self._others.stop()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint over the page and its regions."""
        if not self._shown:
            return
        left, top, right, bottom = view.visible()
        bounds = self._bounds
        begun, open_yet = bounds[:, :2] <= (right, bottom), bounds[:, 2:] >= (left, top)
        seen = np.asarray((begun & open_yet).all(axis=1))
        current = self._current
        painter.save()
        painter.setOpacity(QUIET)
        self._others.paint(painter, view)
        painter.setOpacity(1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        if current is not None:
            self._paint_current(painter, view, current)
        roomy = seen & ((bounds[:, 2:] - bounds[:, :2]).min(1) * view.scale >= _ROOM)
        numbers = np.flatnonzero(roomy).tolist()
        for number in numbers if len(numbers) <= _FEW else ():
            if self._shown[number] is not current:
                self._paint_caption(painter, view, self._shown[number], False)
        if current is not None and seen[self._shown.index(current)]:
            self._paint_caption(painter, view, current, True)
        painter.restore()

    def describe(self, pointer: Pointer) -> str | None:
        """Return what is proposed at a place and why, where a click would mean that."""
        proposal = self._proposals.at(*pointer.place)
        if proposal is None:
            return None
        regions = self._canvas.index.regions_at(*pointer.place)
        if regions and regions[0].area <= polygon.area(proposal.outline):
            return None
        why = f" · {proposal.why}" if proposal.why else ""
        place = f"x {int(pointer.x // 1):,}  y {int(pointer.y // 1):,}"
        return f"{place} · proposed: {caption(proposal)}{why}"

    def answer(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key says of the current proposal; selected regions are meant first."""
        proposals, workbench = self._proposals, self._workbench
        if not proposals.active or not workbench.draws or len(workbench.selection):
            return None
        key = QKeySequence(event.keyCombination()).toString().replace("Num+", "")
        if key in set(DIGITS) and proposals.current is not None:
            return partial(proposals.accept_digit, key)
        return partial(_BY_KEY[key], proposals) if key in _BY_KEY else None

    def double_click(self, pointer: Pointer) -> bool:
        """Accept the proposal that the first click has chosen."""
        there = self._proposals.at(*pointer.place)
        if there is None or there is not self._proposals.current:
            return False
        self._proposals.accept()
        return True

    def _follow(self) -> None:
        """Other ones are shown; what looks as before is not drawn again."""
        proposals = self._proposals
        if proposals.shown is not self._shown:
            self._shown = proposals.shown
            self._bounds = Outlines.of([each.outline for each in self._shown]).bounds
            wanted = {_look(each): each for each in self._shown}
            gone = [self._regions.pop(look) for look in set(self._regions) - set(wanted)]
            new = {look: _region(wanted[look]) for look in wanted if look not in self._regions}
            self._regions |= new
            edits = [Edit(before=tuple(gone)), Edit(after=tuple(new.values()))]
            self._index.remove(region.id for region in gone)
            self._index.put(tuple(new.values()))
            self._others.follow(edits)
        self._current = proposals.current
        self._others.hide([self._regions[_look(self._current)].id] if self._current else [])
        self._canvas.refresh()

    def _restyle(self) -> None:
        self._style.use(self._workbench.labels)
        self._others.restyle()

    def _paint_current(self, painter: QPainter, view: ViewTransform, proposal: Proposal) -> None:
        region = self._regions[_look(proposal)]
        colour, path = self._style.colour(region), path_of(region)
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        painter.fillPath(path, faint(colour, _INSIDE))
        painter.strokePath(path, line_pen(faint(CURRENT, 110), view.ratio, width=11))
        painter.strokePath(path, casing_pen(view.ratio, 6))
        painter.strokePath(path, line_pen(colour, view.ratio, dashes=True, width=3))
        painter.restore()

    def _paint_caption(
        self, painter: QPainter, view: ViewTransform, proposal: Proposal, current: bool
    ) -> None:
        """Label and score at the upper left, inside the window."""
        region = self._regions[_look(proposal)]
        frame, colour = in_view(view, region.bounds), self._style.colour(region)
        shade = (CURRENT if current else colour).rgb()
        chip = self._chip(caption(proposal), shade, current, view.ratio, painter.font())
        width, height = chip.deviceIndependentSize().toTuple()
        x = min(max(frame.left(), 2.0), view.size[0] - width - 2)
        above = frame.top() - height - _GAP - (3 if current else 0)
        y = above if above >= 2 else min(frame.bottom() + _GAP, view.size[1] - height - 2)
        painter.drawPixmap(QPointF(round(x), round(y)), chip)


def caption(proposal: Proposal) -> str:
    """Return what stands at a proposal.

    Examples
    --------
    >>> caption(Proposal("plan", "sofa", np.zeros((3, 2)), 0.874))
    'sofa  0.87'
    """
    return f"{proposal.label or 'unlabeled'}  {proposal.score:.2f}"


def _drawn_chip(text: str, shade: int, current: bool, ratio: float, font: QFont) -> QPixmap:
    """A caption: hollow, so that nobody takes it for a region's; filled for the current one."""
    font, colour = QFont(font), QColor(shade)
    font.setPixelSize(12 if current else 11)
    font.setWeight(QFont.Weight.DemiBold if current else QFont.Weight.Normal)
    colours = (
        (QColor(255, 255, 255, 200), colour, QColor("#ffffff")) if current
        else (colour, QColor(255, 255, 255, 225), QColor("#1d2329"))
    )  # fmt: skip
    return drawn_chip(text, font, 4 if current else 1, colours, ratio)


def _look(proposal: Proposal) -> Look:
    return proposal.label, proposal.outline.tobytes()


def _region(proposal: Proposal) -> Region:
    """Return what is painted as an uncertain region is: dashed."""
    points = tuple((float(x), float(y)) for x, y in proposal.outline)
    return Region(points, proposal.label, uncertain=True)
