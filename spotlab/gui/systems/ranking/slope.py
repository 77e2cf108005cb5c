"""Two rankings of systems side by side, a line for each system (Lamiroy & Sun 2013, Fig. 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from spotlab.arrays import Floats, Ints
from spotlab.errors import counted
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.readout import DOWN, stepped


def spread(wanted: Floats, apart: float, low: float, high: float) -> Floats:
    """Move places as little as needed so that each two are so far apart.

    Parameters
    ----------
    wanted : (N,) float
        Where each would stand; NaN stands nowhere.
    apart : float
    low, high : float
        Between which all stand, if there is room.

    Returns
    -------
    (N,) float
        In the same order from low to high; equals in the order given.

    Examples
    --------
    >>> spread(np.array([10.0, 10.0, 50.0]), 10, 0, 100).tolist()
    [5.0, 15.0, 50.0]
    >>> spread(np.array([0.0, 0.0, np.nan]), 10, 0, 100).tolist()
    [0.0, 10.0, nan]
    """
    found = np.full(len(wanted), np.nan)
    order = [place for place in np.argsort(wanted, kind="stable") if not np.isnan(wanted[place])]
    groups: list[list[float]] = []  # mean of what is wanted, members: pushed apart together
    for place in order:
        groups.append([float(wanted[place]), 1])
        while len(groups) > 1 and _touch(groups[-2], groups[-1], apart):
            (mean, count), (last, more) = groups[-2], groups.pop()
            groups[-1] = [(mean * count + last * more) / (count + more), count + more]
    heights = [
        mean + (number - (count - 1) / 2) * apart
        for mean, count in groups
        for number in range(int(count))
    ]
    return _within(found, order, np.array(heights), apart, low, high)


def crossings(left: Floats, right: Floats) -> Ints:
    """(N,) how many others each one passes between two rankings; NaN is in neither.

    Examples
    --------
    >>> crossings(np.array([1.0, 2, 3]), np.array([3.0, 1, 2])).tolist()
    [2, 1, 1]
    """
    before = np.sign(left[:, None] - left)
    after = np.sign(right[:, None] - right)
    return np.asarray((before * after == -1).sum(axis=1), np.int64)


def _touch(upper: list[float], lower: list[float], apart: float) -> bool:
    end = upper[0] + (upper[1] - 1) / 2 * apart
    start = lower[0] - (lower[1] - 1) / 2 * apart
    return start - end < apart


def _within(
    found: Floats, order: list[int], heights: Floats, apart: float, low: float, high: float
) -> Floats:
    steps = np.arange(len(heights)) * apart
    heights = np.maximum(heights, low + steps)
    heights = np.minimum(heights, high - steps[::-1])
    found[order] = np.maximum(heights, low + steps) if len(heights) else heights
    return found


ROOM = 10.0  # px above the first and below the last
HEAD = 22.0  # px, of the two titles
GAP = 30.0  # px between a name and its line: for the rank
NEAREST = 7.0  # px within which a line is pointed at
SHARE = 0.3  # of the width, at most, for the names of a side
CROSSING, STRAIGHT = 0.9, 0.35  # opacities
_None = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Slopes:
    """Data of the slope plot of two rankings.

    Attributes
    ----------
    names, colours : tuple of str
        Of S systems.
    left, right : (S,) float
        Ranks, 1 the best; NaN where a system has none.
    titles : (str, str)
        What the rankings are.
    """

    names: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    left: Floats = field(default_factory=lambda: _None)
    right: Floats = field(default_factory=lambda: _None)
    titles: tuple[str, str] = ("", "")

    @cached_property
    def crossings(self) -> Ints:
        """(S,) how many others each one passes."""
        return crossings(self.left, self.right)


class SlopeChart(QWidget):
    """Lines that cross many others stand out; a click chooses a system."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slopes = Slopes()
        self.system: int | None = None
        self.hovered: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Two rankings side by side")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)

    def show_slopes(self, slopes: Slopes) -> None:
        """Draw these."""
        higher = len(slopes.names) != len(self.slopes.names)
        self.slopes = slopes
        if higher:
            self.hovered = None
            self.setMinimumHeight(self.minimumSizeHint().height())
        self.update()

    def show_chosen(self, system: int | None) -> None:
        """Mark this system."""
        if system != self.system:
            self.system = system
            self.update()

    def minimumSizeHint(self) -> QSize:
        """Room for all names below each other."""
        return QSize(200, round(len(self.slopes.names) * self._line + HEAD + 2 * ROOM))

    def sizeHint(self) -> QSize:
        """As small as it can be."""
        return self.minimumSizeHint()

    def ends(self) -> tuple[Floats, Floats]:
        """(S, 2) where each line begins and ends, in px."""
        left, right = self._sides()
        start, stop = self._heights(self.slopes.left), self._heights(self.slopes.right)
        return (
            np.stack([np.full(len(start), left), start], axis=1),
            np.stack([np.full(len(stop), right), stop], axis=1),
        )

    def name_places(self) -> tuple[Floats, Floats]:
        """(S,) the middle of each name's line at the left and at the right, in px."""
        low, high = HEAD + ROOM, self.height() - ROOM
        found = [
            spread(self._heights(ranks), self._line, low, high)
            for ranks in (self.slopes.left, self.slopes.right)
        ]
        return found[0], found[1]

    def system_at(self, x: float, y: float) -> int | None:
        """Tell whose name or line is there."""
        if not self.slopes.names:
            return None
        (first, last), (left, right) = self.ends(), self._sides()
        if x < left or x > right:
            away = np.abs(self.name_places()[int(x > right)] - y)
            near = self._line / 2 + 1
        else:
            share = (x - left) / max(right - left, 1.0)
            away = np.abs(first[:, 1] + share * (last[:, 1] - first[:, 1]) - y)
            near = NEAREST
        if np.isnan(away).all():
            return None
        at = int(np.nanargmin(away))
        return at if away[at] <= near else None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lines, then names; what is pointed at or chosen last."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            colours = theme.colours(self.palette())
            self._paint_titles(painter, colours.quiet)
            first, last = self.ends()
            names = self.name_places()
            crossed = self.slopes.crossings
            most = max(int(crossed.max(initial=0)), 1)
            # Systems may be chosen whose ranking is still being computed: nothing is drawn of them.
            strong = [s for s in (self.system, self.hovered) if s is not None and s < len(crossed)]
            order = np.argsort(crossed, kind="stable").tolist()
            for system in [*(each for each in order if each not in strong), *dict.fromkeys(strong)]:
                share = float(crossed[system]) / most
                opacity = STRAIGHT + (CROSSING - STRAIGHT) * share
                width = 1.2 + 1.3 * share
                if system in strong:
                    opacity, width = 1.0, 3.2
                elif strong:
                    opacity *= 0.55
                colour = QColor(readable(self.slopes.colours[system], colours.window))
                colour.setAlphaF(opacity)
                self._paint_line(painter, colour, width, first[system], last[system])
            for system in range(len(self.slopes.names)):
                self._paint_names(painter, system, names, (first, last), strong)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say whose line it is."""
        place = event.position()
        self._hover(self.system_at(place.x(), place.y()))
        if self.hovered is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPosition().toPoint(), self.told(self.hovered), self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose it."""
        system = self.system_at(event.position().x(), event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and system is not None:
            self.chosen.emit(system)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at any more."""
        self._hover(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down walk through the left ranking."""
        step = DOWN.get(Qt.Key(event.key()))
        ranked = np.argsort(self.slopes.left, kind="stable").tolist()
        if step is None or not ranked:
            super().keyPressEvent(event)
            return
        now = ranked.index(self.system) if self.system in ranked else None
        self.chosen.emit(ranked[stepped(now, step, len(ranked))])

    def told(self, system: int) -> str:
        """A system's places in words."""
        slopes = self.slopes
        said = [
            f"{title}: " + ("no rank" if np.isnan(ranks[system]) else f"rank {ranks[system]:.0f}")
            for title, ranks in zip(slopes.titles, (slopes.left, slopes.right), strict=True)
        ]
        passed = int(slopes.crossings[system])
        others = f"{counted(passed, 'other')}"
        said.append(f"in another order than {others}" if passed else "in the same order as all")
        return "\n".join([slopes.names[system], *said])

    @property
    def _line(self) -> float:
        return QFontMetricsF(self.font()).height()

    def _sides(self) -> tuple[float, float]:
        font = self.font()
        font.setBold(True)  # as the chosen one's
        metrics = QFontMetricsF(font)
        longest = max((metrics.horizontalAdvance(name) for name in self.slopes.names), default=0)
        room = min(longest + 8, self.width() * SHARE) + GAP
        return room, self.width() - room

    def _heights(self, ranks: Floats) -> Floats:
        low, high = HEAD + ROOM + self._line / 2, self.height() - ROOM - self._line / 2
        return low + (ranks - 1) / max(len(ranks) - 1, 1) * (high - low)

    def _hover(self, system: int | None) -> None:
        if system != self.hovered:
            self.hovered = system
            shape = (
                Qt.CursorShape.ArrowCursor if system is None else Qt.CursorShape.PointingHandCursor
            )
            self.setCursor(shape)
            self.update()

    def _paint_titles(self, painter: QPainter, colour: str) -> None:
        painter.setPen(QColor(colour))
        half, metrics = self.width() / 2 - 12, QFontMetricsF(self.font())
        left, right = (
            metrics.elidedText(title, Qt.TextElideMode.ElideRight, half)
            for title in self.slopes.titles
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(8, 0, half, HEAD), middle | Qt.AlignmentFlag.AlignLeft, left)
        painter.drawText(
            QRectF(self.width() - half - 8, 0, half, HEAD),
            middle | Qt.AlignmentFlag.AlignRight,
            right,
        )

    def _paint_line(
        self, painter: QPainter, colour: QColor, width: float, first: Floats, last: Floats
    ) -> None:
        ends = [QPointF(*place) for place in (first, last) if not np.isnan(place[1])]
        painter.setPen(QPen(colour, width))
        if len(ends) > 1:
            painter.drawLine(ends[0], ends[1])
        painter.setBrush(colour)
        for place in ends:
            painter.drawEllipse(place, 2.2, 2.2)

    def _paint_names(
        self,
        painter: QPainter,
        system: int,
        places: tuple[Floats, Floats],
        ends: tuple[Floats, Floats],
        strong: Sequence[int],
    ) -> None:
        colours = theme.colours(self.palette())
        font = self.font()
        font.setBold(system in strong)
        painter.setFont(font)
        metrics, line = QFontMetricsF(font), self._line
        for side, (ranks, all_places) in enumerate(
            zip((self.slopes.left, self.slopes.right), places, strict=True)
        ):
            middle = float(all_places[system])
            if np.isnan(middle):
                continue
            x = float(ends[side][system, 0])
            room = (x if side == 0 else self.width() - x) - GAP - 2
            name = metrics.elidedText(self.slopes.names[system], Qt.TextElideMode.ElideMiddle, room)
            where = Qt.AlignmentFlag.AlignVCenter | (
                Qt.AlignmentFlag.AlignRight if side == 0 else Qt.AlignmentFlag.AlignLeft
            )
            outer = QRectF(2 if side == 0 else x + GAP, middle - line / 2, room, line)
            rank = QRectF(x - GAP if side == 0 else x + 4, middle - line / 2, GAP - 5, line)
            painter.setPen(QColor(colours.text))
            painter.drawText(outer, where, name)
            painter.setPen(QColor(colours.quiet))
            painter.drawText(rank, where, f"{ranks[system]:.0f}")
