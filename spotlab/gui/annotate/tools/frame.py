"""The frame around a selection: corners that scale it and a handle above that turns it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from spotlab.editing.operations import bounds_of
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.canvas.pointer import NEAR, Pointer
from spotlab.gui.canvas.region_style import SELECTED, faint
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region

_OUT = 12.0  # screen px from the regions to the frame
_ARM = 26.0  # screen px from the frame to the handle that turns

TURN = "turn"
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class SelectionFrame:
    """The bounds of regions, in px of the page, and its handles on the screen."""

    left: float
    top: float
    right: float
    bottom: float

    @staticmethod
    def around(regions: Sequence[Region]) -> SelectionFrame | None:
        """The frame of these regions; None around nothing."""
        return SelectionFrame(*bounds_of(regions)) if regions else None

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle, to the nearest half px."""
        return round(self.left + self.right) / 2, round(self.top + self.bottom) / 2

    def corner(self, across: int, down: int) -> tuple[float, float]:
        """A corner of the bounds: -1 is left and top, 1 right and bottom."""
        return (
            self.left if across < 0 else self.right,
            self.top if down < 0 else self.bottom,
        )

    def corners_in_view(self, view: ViewTransform) -> list[tuple[float, float]]:
        """Its four corners on the screen, somewhat outside of the bounds."""
        out = _OUT / view.scale
        return [
            view.to_view(x + across * out, y + down * out)
            for across, down in CORNERS
            for x, y in [self.corner(across, down)]
        ]

    def turner_in_view(self, view: ViewTransform) -> tuple[float, float]:
        """The handle that turns, on the screen."""
        return view.to_view((self.left + self.right) / 2, self.top - (_OUT + _ARM) / view.scale)

    def hit(self, pointer: Pointer, view: ViewTransform) -> str | tuple[int, int] | None:
        """`TURN`, or which corner the pointer is on; None elsewhere."""
        places = [(TURN, self.turner_in_view(view))]
        places += list(zip(CORNERS, self.corners_in_view(view), strict=True))  # type: ignore[arg-type]
        for what, (x, y) in places:
            if max(abs(pointer.view_x - x), abs(pointer.view_y - y)) <= NEAR:
                return what
        return None

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Thin lines and the handles."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        corners = [QPointF(x, y) for x, y in self.corners_in_view(view)]
        turner = QPointF(*self.turner_in_view(view))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(faint(QColor(SELECTED), 170), 1, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawPolygon(corners)
        painter.drawLine((corners[0] + corners[1]) / 2, turner)
        drawing.handle(painter, turner.x(), turner.y(), ring=True)
        painter.setPen(QPen(QColor(SELECTED), 1.5))
        painter.setBrush(QColor("#ffffff"))
        for corner in corners:
            painter.drawRect(QRectF(corner.x() - 3, corner.y() - 3, 6, 6))
