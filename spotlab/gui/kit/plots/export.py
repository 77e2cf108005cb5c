"""Asks for the file that a plot or a table of figures is exported to, and writes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QWidget

from spotlab.formats.rows.csv_rows import safe_csv
from spotlab.gui.kit import theme
from spotlab.gui.kit.files import FileDialog, Say, write_file
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.readout import (
    WEIGHT,
    WIDTH,
    PlotName,
    PointedPlot,
    draw_line_sample,
    line_pen,
)
from spotlab.gui.kit.theme import LIGHT, Colours
from spotlab.report.tables import CSV, TableFormat
from spotlab.representation import utf8

SAFE = "CSV for spreadsheets, names never run as formulas (*.csv)"


def ask(
    parent: QWidget, format: TableFormat, name: str, text: Callable[[], str],
    folder: Path | None, say: Say,
) -> None:  # fmt: skip
    """Write a table to the file that the user chooses.

    Parameters
    ----------
    parent : QWidget
    format : TableFormat
    name : str
        The file name that is suggested, without suffix.
    text : callable
        Gives the content of the file; empty where there is none yet: nothing is written then.
    folder : Path or None
        That of the work at hand; see `start_folder`.
    say : callable
        Told that the file was written, or why not.
    """
    dialog = FileDialog(parent, f"Export {format.title}", folder)
    dialog.setNameFilters(
        [f"{format.title} (*{format.suffix})", *([SAFE] if format is CSV else [])]
    )
    dialog.setDefaultSuffix(format.suffix.removeprefix("."))
    dialog.selectFile(f"{name}{format.suffix}")

    def save() -> None:
        path, safe = dialog.path, dialog.selectedNameFilter() == SAFE
        content = text()
        if not content:
            say(f"{path.name} was not written: the table is not there yet; try again", True)
            return
        write_file(path, utf8(safe_csv(content) if safe else content), say)

    dialog.accepted.connect(save)
    dialog.open()


LINE = 24  # px, of a line of names
LEFT, GAP, BETWEEN = 8.0, 6.0, 20.0  # px: before the first, after a sign, after a name
DOT = 8.0  # px


@dataclass(frozen=True)
class PlacedName:
    """A name and where its sign begins; ``room`` is the width of its text in px."""

    named: PlotName
    left: float
    line: int
    room: float


def place_names(names: Sequence[PlotName], width: float, font: QFont) -> list[PlacedName]:
    """Tell where each name stands in a picture of this width in px; one name alone is left out."""
    if len(names) < 2:
        return []
    metrics, placed = QFontMetricsF(font), []
    left, line = LEFT, 0
    for named in names:
        sign = _sign_width(named) + GAP
        room = min(metrics.horizontalAdvance(named.name) + 2, width - LEFT - sign)
        if left > LEFT and left + sign + room > width:
            left, line = LEFT, line + 1
        placed.append(PlacedName(named, left, line, room))
        left += sign + room + BETWEEN
    return placed


def names_height(names: Sequence[PlotName], width: float) -> int:
    """Px of all lines of names."""
    placed = place_names(names, width, QApplication.font())
    return LINE * (placed[-1].line + 1) if placed else 0


def draw_names(names: Sequence[PlotName], width: float, painter: QPainter) -> None:
    """Draw a piece of each line, or a dot, and the name beside it."""
    for placed in place_names(names, width, QApplication.font()):
        named, middle = placed.named, LINE * (placed.line + 0.5)
        colour = readable(named.colour, LIGHT.base)
        if named.dash is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawEllipse(QPointF(placed.left + DOT / 2, middle), DOT / 2, DOT / 2)
        else:
            draw_line_sample(painter, placed.left, middle, line_pen(colour, named.dash, WEIGHT))
        painter.setPen(QColor(LIGHT.text))
        painter.setFont(QApplication.font())
        text = QRectF(
            placed.left + _sign_width(named) + GAP, LINE * placed.line, placed.room + 1, LINE
        )
        shown = QFontMetricsF(painter.font()).elidedText(
            named.name, Qt.TextElideMode.ElideMiddle, placed.room
        )
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)


def _sign_width(named: PlotName) -> float:
    return DOT if named.dash is None else WIDTH


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


def ask_picture(plot: PointedPlot, name: str, folder: Path | None, say: Say) -> None:
    """Write the plot to the file that the user chooses; its suffix says the format.

    Parameters
    ----------
    plot : PointedPlot
    name : str
        The file name that is suggested, without suffix.
    folder : Path or None
        That of the work at hand; see `start_folder`.
    say : callable
        Told that the file was written, or why not.
    """
    dialog = FileDialog(plot, "Save plot", folder)
    dialog.offer_kinds(f".{kind}" for kind in PICTURES)
    dialog.selectFile(name)
    dialog.accepted.connect(lambda: save_picture(plot, dialog.path, say))
    dialog.open()


def save_picture(plot: PointedPlot, path: Path, say: Say) -> None:
    """Write the plot in the format of the path's suffix, and say so or why not."""
    content = picture(plot, path.suffix[1:].lower(), theme.colours(plot.palette()))
    write_file(path, content, say)
