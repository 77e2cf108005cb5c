"""Short pieces of a run's line, in its colour and dash, for legends, lists and tables."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

WIDTH, HEIGHT = 30, 10  # px
WEIGHT = 2.4  # px, of the line
RATIO = 2.0  # pixels of the picture for each of the screen's

Dash = tuple[float, ...]


def line_pen(colour: str, dash: Dash, width: float) -> QPen:
    """A pen that draws a run's line.

    Parameters
    ----------
    colour : str
        As it is drawn, see `readable`.
    dash : tuple of float
        Lengths drawn and left out in turn, in line widths; empty for a solid line.
    width : float
        In px.
    """
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        pen.setDashPattern(dash)
    return pen


def draw_line_sample(painter: QPainter, left: float, middle: float, pen: QPen) -> None:
    """Draw a piece of `WIDTH` px from a point on."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.drawLine(QLineF(QPointF(left, middle), QPointF(left + WIDTH, middle)))


@cache
def line_sample(colour: str, dash: Dash) -> QPixmap:
    """A piece of the line on nothing, `WIDTH` × `HEIGHT` px."""
    pixmap = QPixmap(round(WIDTH * RATIO), round(HEIGHT * RATIO))
    pixmap.setDevicePixelRatio(RATIO)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        draw_line_sample(painter, 0, HEIGHT / 2, line_pen(colour, dash, WEIGHT))
    return pixmap


@cache
def line_sample_html(colour: str, dash: Dash) -> str:
    """The piece as an image in rich text."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    line_sample(colour, dash).save(buffer, "PNG")
    data = bytes(content.toBase64().data()).decode()
    return f'<img src="data:image/png;base64,{data}" width="{WIDTH}" height="{HEIGHT}">'
