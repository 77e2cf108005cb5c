"""Style of regions: the colour of their label, and dashed lines for open questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen, QPolygonF

from spotlab.arrays import Points
from spotlab.gui.canvas.view import ViewTransform, frames
from spotlab.model import LabelSet, Primitive, Region

UNLABELED = "#64748b"
IGNORED = "#808080"
SELECTED = "#2563eb"
CHOSEN = "#F0E442"  # of the ring around what is chosen: none of the data's colours
FILL = 44  # of 255, the translucent inside
FILL_HOVERED = 84
FILL_SELECTED = 64
LINE = 2.0  # screen px
CASING = 4.0  # the light border of lines, so that they are seen on ink
CASING_COLOUR = (255, 255, 255, 190)
DASH, GAP = 6.0, 4.0  # screen px
_DIAMOND = ((0, -6), (6, 0), (0, 6), (-6, 0))  # px around a point


class RegionStyle:
    """The colours of the labels, looked up once per change of the labels; ignored is grey.

    Attributes
    ----------
    dash : (float, float)
        Dash and gap of dashed outlines, in screen px.
    fill : int
        Of 255, the translucent inside.
    """

    dash = (DASH, GAP)
    fill = FILL

    def __init__(self) -> None:
        self._colours: dict[str, QColor] = {}

    def use(self, labels: LabelSet) -> None:
        """Take the labels' colours."""
        self._colours = {label.name: QColor(label.colour) for label in labels}

    def colour(self, region: Region) -> QColor:
        """Its label's colour; grey while it has none, or where it is ignored."""
        if _is_out(region):
            return QColor(IGNORED)
        return self._colours.get(region.label) or QColor(UNLABELED)

    def colours(self) -> Callable[[Region], tuple[int, int, int]]:
        """Return what gives the red, green and blue of a region as they are now, in any thread."""
        known: dict[tuple[str, bool], tuple[int, int, int]] = {}
        style = copy(self)

        def rgb(region: Region) -> tuple[int, int, int]:
            key = region.label, _is_out(region)
            if key not in known:
                known[key] = _rgb(style.colour(region))
            return known[key]

        return rgb


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def dashed(region: Region) -> bool:
    """Unlabeled, uncertain and ignored regions have dashed outlines."""
    return region.uncertain or _is_out(region) or not region.label


def _is_out(region: Region) -> bool:
    """Tell whether somebody has ignored it; lines and points always are."""
    return region.ignored and region.primitive.has_area


def shown_ring(region: Region) -> Points:
    """Return what is drawn of a region, (N, 2) in page px: its outline, for a point a diamond."""
    if region.primitive is not Primitive.POINT:
        return region.array
    place: Points = region.array[:1] + np.array(_DIAMOND, np.float64)
    return place


def line_pen(
    colour: QColor,
    ratio: float,
    *,
    dashes: bool = False,
    width: float = LINE,
    dash: tuple[float, float] = (DASH, GAP),
) -> QPen:
    """A line of a width in screen px, whatever the zoom; ``ratio`` is device px a screen px."""
    pen = QPen(colour, width * ratio)  # cosmetic pens are as wide in device px
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if dashes else Qt.PenCapStyle.RoundCap)
    if dashes:
        pen.setDashPattern([length / width for length in dash])
    return pen


def casing_pen(ratio: float, width: float = CASING) -> QPen:
    """The light border that is painted under a line."""
    return line_pen(QColor(*CASING_COLOUR), ratio, width=width)


def faint(colour: QColor, alpha: int) -> QColor:
    """The colour, translucent."""
    return QColor(colour.red(), colour.green(), colour.blue(), alpha)


def text_colour(background: QColor) -> QColor:
    """Black or white, whichever is read better on it."""
    luminance = 0.299 * background.red() + 0.587 * background.green() + 0.114 * background.blue()
    return QColor("#111111") if luminance > 140 else QColor("#ffffff")


@lru_cache(maxsize=4096)
def path_of(region: Region) -> QPainterPath:
    """The outline in page px; filled by the even-odd rule."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in shown_ring(region).tolist()]))
    path.closeSubpath()
    return path


def stroke_of(region: Region) -> QPainterPath:
    """Return what is stroked of a region, in page px: a line once, from end to end."""
    if region.primitive is not Primitive.LINE:
        return path_of(region)
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in region.corners.tolist()]))
    return path


def in_view(view: ViewTransform, box: Sequence[float]) -> QRectF:
    """A box of the page (left, top, right, bottom) on the screen."""
    return QRectF(*frames(view, np.array([box], np.float64))[0].tolist())
