"""Moves the view to a place by a short glide, and only as far as it must."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from spotlab.gui.canvas.view import ViewTransform

DURATION = 180  # ms
MARGIN = 48.0  # screen px between the place and the window's edge

Rectangle = tuple[float, float, float, float]


class Gliding(QObject):
    """One glide at a time; ``moved`` hears of each step of it."""

    def __init__(self, view: ViewTransform, moved: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._moved = moved
        self._way = (0.0, 0.0)
        self._gone = (0.0, 0.0)
        self._key: tuple[float, ...] = ()
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(DURATION)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._step)

    @property
    def under_way(self) -> bool:
        """Whether the view is still moving."""
        return self._animation.state() == QVariantAnimation.State.Running

    def show(self, place: Rectangle) -> None:
        """Bring a rectangle of the page (left, top, right, bottom in px) into sight."""
        self._animation.stop()
        view = self._view
        left, top, right, bottom = place
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        shown = view.points_to_view(corners)
        over = (0.0, view.covered)
        low, high = (shown.min(axis=0) - over).tolist(), (shown.max(axis=0) - over).tolist()
        room = view.uncovered
        if any(high[i] - low[i] > room[i] for i in (0, 1)):
            view.show(*place)
            self._moved()
            return
        across, down = (way_into(low[i], high[i], room[i]) for i in (0, 1))
        self._way = across, down
        if any(self._way):
            self._gone = (0.0, 0.0)
            self._key = view.key
            self._animation.start()

    def zoom(self, place: Rectangle) -> None:
        """Show a rectangle of the page as large as there is room."""
        self._animation.stop()
        self._view.zoom_on(*place)
        self._moved()

    def _step(self, share: float) -> None:
        if self._view.key != self._key:  # the user has moved it: it is theirs
            self._animation.stop()
            return
        ahead = self._way[0] * share, self._way[1] * share
        self._view.pan(ahead[0] - self._gone[0], ahead[1] - self._gone[1])
        self._gone = ahead
        self._key = self._view.key
        self._moved()


def way_into(low: float, high: float, size: float) -> float:
    """How far something from ``low`` to ``high`` moves to be seen in a window from 0 to ``size``.

    Examples
    --------
    >>> way_into(10, 90, 500), way_into(-30, 20, 500), way_into(470, 520, 500)
    (0.0, 78.0, -68.0)
    """
    if low >= 0 and high <= size:
        return 0.0
    if high - low + 2 * MARGIN > size:
        return size / 2 - (low + high) / 2
    return MARGIN - low if low < 0 else size - MARGIN - high
