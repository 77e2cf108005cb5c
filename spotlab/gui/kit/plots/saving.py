"""Plots as pictures for a paper: SVG and PDF of lines and letters, PNG of many pixels."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QPoint,
    QRect,
    QRectF,
    QSize,
    QSizeF,
)
from PySide6.QtGui import (
    QColor,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.picture_names import draw_names, names_height
from spotlab.gui.kit.plots.pointed import PointedPlot
from spotlab.gui.kit.theme import LIGHT

PIXELS = 4  # of a PNG for each of the screen's: 300 dpi where the plot is 8 cm wide
POINTS = 72.0  # an inch
SCREEN = 96.0  # px an inch
PICTURES = ("svg", "pdf", "png")


def picture(plot: PointedPlot, kind: str, theme: Colours) -> bytes:
    """The plot as it is on the screen, but on white: the content of a file of this kind.

    Parameters
    ----------
    plot : PointedPlot
    kind : str
        "svg", "pdf" or "png".
    theme : Colours
        What the plot is painted in otherwise.
    """
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    titled = plot.titled
    plot.set_titled(True)
    plot.paint_in(LIGHT, PIXELS if kind == "png" else 1)  # lines are so many pixels wide
    try:
        _DRAWERS[kind](plot, buffer)
    finally:
        plot.set_titled(titled)
        plot.paint_in(theme)
    buffer.close()
    written = bytes(content.data())
    if kind == "svg":  # a browser without this computer's letters shall take similar ones
        written = re.sub(rb'font-family="([^"]+)"', rb'font-family="\1, sans-serif"', written)
    return written


def _draw_svg(plot: PointedPlot, buffer: QBuffer) -> None:
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the one that can clip
    generator.setOutputDevice(buffer)
    generator.setSize(_size(plot))
    generator.setViewBox(QRect(QPoint(), _size(plot)))
    generator.setResolution(int(SCREEN))
    generator.setTitle(plot.accessibleName())
    _draw(plot, generator)


def _draw_pdf(plot: PointedPlot, buffer: QBuffer) -> None:
    writer = QPdfWriter(buffer)
    writer.setTitle(plot.accessibleName())
    writer.setResolution(int(SCREEN))
    size = QSizeF(_size(plot)) * (POINTS / SCREEN)
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF())
    _draw(plot, writer)


def _draw_png(plot: PointedPlot, buffer: QBuffer) -> None:
    image = QImage(_size(plot) * PIXELS, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(PIXELS)
    image.fill(LIGHT.base)
    _draw(plot, image)
    QImageWriter(buffer, QByteArray(b"png")).write(image)


def _size(plot: PointedPlot) -> QSize:
    """With room for the runs' names where there are several."""
    return QSize(plot.width(), plot.height() + names_height(plot.names, plot.width()))


def _draw(plot: PointedPlot, device: QSvgGenerator | QPdfWriter | QImage) -> None:
    size = _size(plot)
    head = size.height() - plot.height()
    with QPainter(device) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRect(QPoint(), size), QColor(LIGHT.base))
        plot.render(painter, QRectF(0, head, plot.width(), plot.height()), plot.rect())
        draw_names(plot.names, plot.width(), painter)


_DRAWERS: dict[str, Callable[[PointedPlot, QBuffer], None]] = {
    "svg": _draw_svg,
    "pdf": _draw_pdf,
    "png": _draw_png,
}
