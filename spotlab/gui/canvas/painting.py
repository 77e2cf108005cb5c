"""Paints all of the canvas: which layer lies over which, and what is there without a page."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPainter, QRegion

from spotlab.gui.canvas.overlay import banner
from spotlab.gui.canvas.shown_page import ShownPage


def paint(painter: QPainter, canvas: ShownPage, exposed: QRegion) -> None:
    """The page, its regions, what stands out, and the gesture, as far as it is exposed."""
    dark = canvas.palette().window().color().lightness() < 128
    behind = QColor("#202327" if dark else "#d5d9df")  # neither paper nor ink
    workbench, view = canvas.workbench, canvas.view
    if workbench.document is None:
        painter.fillRect(canvas.rect(), behind)
        empty = "Open a folder of pages, or drop images here"
        text = workbench.problem or (empty if workbench.index is None else "")
        banner(painter, view, text, QColor("#9aa3af" if dark else "#4b5563"))
        return
    layers = [layer for layer in canvas.layers.values() if layer.shown]
    hidden = any(layer.hides_regions for layer in layers)
    canvas.backdrop.paint(painter, view, behind, regions=not hidden)
    for layer in layers:
        layer.paint(painter, view)
    if not hidden and canvas.region_layer.visible:
        gone = canvas.region_layer.hidden
        index = canvas.region_layer.index
        part = None if exposed.contains(canvas.rect()) else exposed
        canvas.overlay.waits = canvas.region_layer.lacks(view)
        canvas.overlay.paint(painter, view, index, workbench.selection.ids, gone, part)
    if hidden or canvas.region_layer.visible:
        (canvas.pointing.gesture or canvas.pointing.tool).paint(painter, view)
