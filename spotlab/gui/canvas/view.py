"""The transform between page and screen, and the paths and pens that regions are drawn with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen, QPolygonF

from spotlab.arrays import Points
from spotlab.model import LabelSet, Primitive, Region

MAXIMUM_SCALE = 64.0
STEP = 1.25  # of one notch of the wheel or one press of a key
_MARGIN = 24.0  # screen px around a page that is fitted
_FRAMED = 0.7  # of the window's width or height, for what is zoomed to
_FRAMED_SCALE = 16.0  # at most, for what is zoomed to

Place = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]


class ViewTransform:
    """Turns page px into screen px and back.

    A place p of the page is at ``scale · R(angle) · p + offset`` on the screen. The middle of the
    window always shows some place of the page, so a page cannot be lost out of sight. The offset is
    kept on whole device pixels, so that what has been painted can be moved without blur.

    Examples
    --------
    >>> view = ViewTransform()
    >>> view.resize(400, 300)
    >>> view.use_page(1000, 500)
    >>> before = view.to_page(100, 100)
    >>> view.zoom_at(100, 100, 4)
    >>> after = view.to_page(100, 100)
    >>> max(abs(after[0] - before[0]), abs(after[1] - before[1])) < 0.5
    True
    """

    def __init__(self) -> None:
        self.scale = 1.0
        self.angle = 0.0  # degrees, clockwise on the screen
        self.x, self.y = 0.0, 0.0  # the offset, screen px, on whole device pixels
        # where on the screen was zoomed last, and what was there: rounding must not add up
        self._anchor: tuple[Place, Place] | None = None
        self.ratio = 1.0  # device pixels in a screen px
        self.page_size = (1, 1)
        self.size = (1.0, 1.0)  # of the window, screen px
        self.covered = 0.0  # of its height, at the top, by what lies over it; screen px
        self.fitted = True  # follows the window's size until somebody zooms

    def use_page(self, width: int, height: int, keep: bool = False) -> None:
        """Show another page whole and unturned, or the same part of it as of the page before."""
        across, down = (at / size for at, size in zip(self.centre, self.page_size, strict=True))
        self.page_size = (width, height)
        if keep and not self.fitted:
            self.scale = min(max(self.scale, self.smallest_scale), MAXIMUM_SCALE)
            self.centre_on(across * width, down * height)
        else:
            self.angle = 0.0
            self.fit()

    def resize(self, width: float, height: float) -> None:
        """The window has another size; what was in its middle stays there."""
        centre = self.centre
        self.size = (max(1.0, width), max(1.0, height))
        if self.fitted:
            self.fit()
        else:
            self.centre_on(*centre)

    @property
    def centre(self) -> Place:
        """The place of the page in the middle of the window."""
        return self.to_page(self.size[0] / 2, self.size[1] / 2)

    @property
    def smallest_scale(self) -> float:
        """Tell how far one can zoom out: until the page fills a quarter of the window."""
        return min(1.0, self.fitting_scale() / 4)

    @property
    def matrix(self) -> Matrix:
        """(m11, m12, m21, m22, dx, dy) in the order of a QTransform."""
        cosine, sine = self._turn()
        cosine, sine = cosine * self.scale, sine * self.scale
        return cosine, sine, -sine, cosine, self.x, self.y

    @property
    def key(self) -> tuple[float, ...]:
        """Equal for views that show the same."""
        return (self.scale, self.angle, self.x, self.y, *self.size, self.ratio)

    def to_view(self, x: float, y: float) -> Place:
        """Tell where on the screen the place (x, y) of the page is."""
        a, b, c, d, dx, dy = self.matrix
        return a * x + c * y + dx, b * x + d * y + dy

    def to_page(self, x: float, y: float) -> Place:
        """The place of the page at (x, y) on the screen."""
        cosine, sine = self._turn()
        x, y = (x - self.x) / self.scale, (y - self.y) / self.scale
        return cosine * x + sine * y, -sine * x + cosine * y

    def points_to_view(self, points: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) screen px of (N, 2) page px."""
        a, b, c, d, dx, dy = self.matrix
        array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        shown: NDArray[np.float64] = array @ np.array([[a, b], [c, d]]) + (dx, dy)
        return shown

    def box_to_view(
        self, left: float, top: float, right: float, bottom: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The upper left and the lower right corner in screen px of what holds a box in page px."""
        shown = self.points_to_view([(left, top), (right, top), (right, bottom), (left, bottom)])
        return shown.min(axis=0), shown.max(axis=0)

    def visible(self) -> tuple[float, float, float, float]:
        """(left, top, right, bottom) in page px of what the window can show, also off the page."""
        width, height = self.size
        corners = [self.to_page(x, y) for x in (0.0, width) for y in (0.0, height)]
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def fitting_scale(self) -> float:
        """The scale at which the page, turned as it is, just fits."""
        cosine, sine = map(abs, self._turn())
        width, height = self.page_size
        room = [max(1.0, side - 2 * _MARGIN) for side in self.uncovered]
        across, down = width * cosine + height * sine, width * sine + height * cosine
        return min(MAXIMUM_SCALE, room[0] / across, room[1] / down)

    @property
    def uncovered(self) -> Place:
        """Width and height of what nothing lies over, screen px."""
        return self.size[0], max(1.0, self.size[1] - self.covered)

    def fit(self) -> None:
        """Show the whole page, in the middle of what nothing lies over."""
        self.scale = self.fitting_scale()
        self._bring(self.page_size[0] / 2, self.page_size[1] / 2)
        self.fitted = True

    def zoom_at(self, x: float, y: float, factor: float) -> None:
        """Zoom; the place of the page that is at (x, y) on the screen stays there."""
        self.zoom_to(self.scale * factor, x, y)

    def zoom_to(self, scale: float, x: float | None = None, y: float | None = None) -> None:
        """Zoom to a scale about a place on the screen, by default the middle."""
        x = self.size[0] / 2 if x is None else x
        y = self.size[1] / 2 if y is None else y
        if self._anchor is None or self._anchor[0] != (x, y):
            self._anchor = (x, y), self.to_page(x, y)
        anchor = self._anchor
        self.scale = min(max(scale, self.smallest_scale), MAXIMUM_SCALE)
        self._put(anchor[1], x, y)
        self._anchor = anchor

    def pan(self, dx: float, dy: float) -> None:
        """Move the page by screen px."""
        self.x, self.y = self.x + dx, self.y + dy
        self._settle()

    def follow(self, other: ViewTransform) -> None:
        """Show what another view of the same page shows: its middle or all, as large and turned."""
        self.scale, self.angle = other.scale, other.angle
        if other.fitted:
            self.fit()
        else:
            self.centre_on(*other.centre)

    def rotate_by(self, angle: float) -> None:
        """Turn the page on the screen about the window's middle, in degrees clockwise."""
        self.rotate_to(self.angle + angle)

    def rotate_to(self, angle: float) -> None:
        """Turn the page on the screen to an angle; the window's middle stays, or all fits again."""
        fitted, centre = self.fitted, self.centre
        self.angle = (angle + 180) % 360 - 180
        if fitted:
            self.fit()
        else:
            self.centre_on(*centre)

    def centre_on(self, x: float, y: float) -> None:
        """Bring a place of the page into the window's middle."""
        self._put((x, y), self.size[0] / 2, self.size[1] / 2)

    def show(self, left: float, top: float, right: float, bottom: float) -> None:
        """Bring a rectangle of the page into sight, zooming out only if it does not fit."""
        low, high = self.box_to_view(left, top, right, bottom)
        if (low >= (0, self.covered)).all() and (high <= self.size).all():
            return
        room = np.array(self.uncovered) - 2 * _MARGIN
        share = float((room / np.maximum(high - low, 1)).min())
        if share < 1:
            self.scale = max(self.scale * share, self.smallest_scale)
        self._bring((left + right) / 2, (top + bottom) / 2)

    def zoom_on(self, left: float, top: float, right: float, bottom: float) -> None:
        """Show a rectangle of the page as large as there is room, with some of the page around."""
        low, high = self.box_to_view(left, top, right, bottom)
        extent = np.maximum(high - low, 1e-9) / self.scale
        scale = float((_FRAMED * np.array(self.uncovered) / extent).min())
        self.scale = min(max(scale, self.smallest_scale), _FRAMED_SCALE)
        self._bring((left + right) / 2, (top + bottom) / 2)

    def _turn(self) -> tuple[float, float]:
        quarters = self.angle / 90
        if quarters == int(quarters):
            return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]
        return math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))

    def _bring(self, x: float, y: float) -> None:
        """Bring a place of the page into the middle of what nothing lies over."""
        self._put((x, y), self.size[0] / 2, self.covered + self.uncovered[1] / 2)

    def _put(self, place: Place, x: float, y: float) -> None:
        """Move so that a place of the page is at (x, y) on the screen."""
        cosine, sine = self._turn()
        self.x = x - self.scale * (cosine * place[0] - sine * place[1])
        self.y = y - self.scale * (sine * place[0] + cosine * place[1])
        self._settle()

    def _settle(self) -> None:
        """Keep the page in sight and the offset on whole device pixels."""
        self.fitted = False
        self._anchor = None
        x, y = self.centre
        inside = (min(max(x, 0.0), self.page_size[0]), min(max(y, 0.0), self.page_size[1]))
        if inside != (x, y):
            cosine, sine = self._turn()
            self.x = self.size[0] / 2 - self.scale * (cosine * inside[0] - sine * inside[1])
            self.y = self.size[1] / 2 - self.scale * (sine * inside[0] + cosine * inside[1])
        self.x = round(self.x * self.ratio) / self.ratio
        self.y = round(self.y * self.ratio) / self.ratio


def frames(view: ViewTransform, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 4) boxes of the page (left, top, right, bottom) on the screen: x, y, width, height."""
    first, last = view.points_to_view(boxes[:, :2]), view.points_to_view(boxes[:, 2:])
    return np.hstack([np.minimum(first, last), np.abs(last - first)])


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
