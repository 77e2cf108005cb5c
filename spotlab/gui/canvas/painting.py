"""Paints all of the canvas: which layer lies over which, and what is there without a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QPainter

from spotlab.gui.canvas.overlay import banner

if TYPE_CHECKING:
    from spotlab.gui.canvas.canvas import Canvas


def paint(painter: QPainter, canvas: Canvas) -> None:
    """The page, its regions, what stands out, and the gesture."""
    dark = canvas.palette().window().color().lightness() < 128
    # behind the page: neither paper nor ink
    painter.fillRect(canvas.rect(), QColor("#202327" if dark else "#d5d9df"))
    workbench, view = canvas.workbench, canvas.view
    if workbench.document is None:
        empty = "Open a folder of pages, or drop images here"
        text = workbench.problem or (empty if workbench.index is None else "")
        banner(painter, view, text, QColor("#9aa3af" if dark else "#4b5563"))
        return
    canvas.page_layer.paint(painter, view)
    if canvas.inspect_layer.shown:
        canvas.inspect_layer.paint(painter, view)
    elif canvas.words_layer.shown:
        canvas.words_layer.paint(painter, view)
        _paint_tool(painter, canvas)
    else:
        _paint_regions(painter, canvas)


def _paint_regions(painter: QPainter, canvas: Canvas) -> None:
    canvas.region_layer.paint(painter, canvas.view)
    canvas.proposals_layer.paint(painter, canvas.view)
    if canvas.region_layer.visible:
        selected, hidden = canvas.workbench.selected, canvas.region_layer.hidden
        canvas.overlay.paint(painter, canvas.view, canvas.index, selected, hidden)
        _paint_tool(painter, canvas)


def _paint_tool(painter: QPainter, canvas: Canvas) -> None:
    gesture = canvas.pointing.gesture
    (gesture or canvas.pointing.tool).paint(painter, canvas.view)
