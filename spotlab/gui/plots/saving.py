"""Plots as pictures for a paper: SVG and PDF of lines and letters, PNG of many pixels."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from spotlab.gui.plots.plot import CurvePlot
from spotlab.gui.theme import LIGHT, Colours

PIXELS = 4  # of a PNG for each of the screen's: 300 dpi where the plot is 8 cm wide
POINTS = 72.0  # an inch
SCREEN = 96.0  # px an inch
PICTURES = ("svg", "pdf", "png")


def picture(plot: CurvePlot, kind: str, theme: Colours) -> bytes:
    """The plot as it is on the screen, but on white: the content of a file of this kind.

    Parameters
    ----------
    plot : CurvePlot
    kind : str
        "svg", "pdf" or "png".
    theme : Colours
        What the plot is painted in otherwise.
    """
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    plot.paint_in(LIGHT)
    try:
        _DRAWERS[kind](plot, buffer)
    finally:
        plot.paint_in(theme)
    buffer.close()
    return bytes(content.data())


def _draw_svg(plot: CurvePlot, buffer: QBuffer) -> None:
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(plot.size())
    generator.setViewBox(plot.rect())
    generator.setResolution(int(SCREEN))
    generator.setTitle(plot.accessibleName())
    _draw(plot, generator, QRectF(plot.rect()))


def _draw_pdf(plot: CurvePlot, buffer: QBuffer) -> None:
    writer = QPdfWriter(buffer)
    writer.setTitle(plot.accessibleName())
    writer.setResolution(int(SCREEN))
    size = QSizeF(plot.size()) * (POINTS / SCREEN)
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF())
    _draw(plot, writer, QRectF(plot.rect()))


def _draw_png(plot: CurvePlot, buffer: QBuffer) -> None:
    size = plot.size()
    image = QImage(
        QSize(size.width() * PIXELS, size.height() * PIXELS), QImage.Format.Format_ARGB32
    )
    image.setDevicePixelRatio(PIXELS)
    image.fill(LIGHT.base)
    _draw(plot, image, QRectF(plot.rect()))
    QImageWriter(buffer, QByteArray(b"png")).write(image)


def _draw(plot: CurvePlot, device: QSvgGenerator | QPdfWriter | QImage, place: QRectF) -> None:
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    plot.render(painter, place, plot.rect())
    painter.end()


_DRAWERS: dict[str, Callable[[CurvePlot, QBuffer], None]] = {
    "svg": _draw_svg,
    "pdf": _draw_pdf,
    "png": _draw_png,
}
