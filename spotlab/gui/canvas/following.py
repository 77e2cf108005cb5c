"""Keeps a canvas up to date with the workbench: page, pixels, regions, selection, tool and ink."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint

from spotlab.editing.document import Edit
from spotlab.gui.canvas.region_layer import RegionIndexes
from spotlab.gui.canvas.shown_page import ShownPage
from spotlab.gui.pages.region_visibility import RegionVisibility


class Following:
    """Listens to the workbench for a canvas until `stop`."""

    def __init__(self, canvas: ShownPage) -> None:
        self._canvas = canvas
        self._workbench = workbench = canvas.workbench
        visibility = workbench.state(RegionVisibility)  # hears of changes before the canvas does
        self._regions = RegionIndexes(visibility)
        self._connections = [
            workbench.leaving.connect(canvas.pointing.settle),
            workbench.page_changed.connect(self._page_changed),
            workbench.pixels_changed.connect(self._pixels_changed),
            workbench.document_changed.connect(self._document_changed),
            workbench.selection_changed.connect(self._selection_changed),
            workbench.labels_changed.connect(self._labels_changed),
            workbench.tool_changed.connect(self._tool_changed),
            workbench.ink_changed.connect(self._ink_changed),
            workbench.refused.connect(self._refused),
            workbench.workspace_changed.connect(self._workspace_changed),
            visibility.changed.connect(self._visibility_changed),
        ]
        self._page_changed()
        self._pixels_changed()
        self._tool_changed()

    def stop(self) -> None:
        """Listen no longer."""
        for disconnect in self._connections:
            disconnect()
        self._connections = []

    def _page_changed(self) -> None:
        canvas, document = self._canvas, self._workbench.document
        canvas.pointing.cancel()
        canvas.note.hide()
        self._use_regions()
        canvas.region_layer.reset(self._regions.shown)
        canvas.overlay.hovered, canvas.overlay.instead = None, []
        canvas.style_of_regions.use(self._workbench.labels)
        self._layers_follow()
        self._show_cursor()
        if document is None:
            canvas.page_layer.use(None, (1, 1))
        elif not canvas.page_layer.shown:
            canvas.view.use_page(document.page.width, document.page.height)
        canvas.view_moved()

    def _use_regions(self) -> None:
        self._regions.use(self._workbench.document or ())
        self._canvas.index = self._regions.reachable
        self._canvas.region_layer.use(self._regions.shown)
        self._canvas.overlay.forget()

    def _visibility_changed(self) -> None:
        canvas = self._canvas
        self._use_regions()
        canvas.note.hide()
        canvas.pointing.document_changed()
        canvas.look_again()
        canvas.refresh()

    def _workspace_changed(self) -> None:
        if self._regions.outdated:  # only where the truth is drawn are regions hidden
            self._use_regions()
        self._layers_follow()

    def _layers_follow(self) -> None:
        for layer in self._canvas.layers.values():
            layer.follow()
        self._canvas.layer_changed()

    def _pixels_changed(self) -> None:
        canvas = self._canvas
        document, pixels = self._workbench.document, self._workbench.pixels
        if document is not None and (pixels is not None or self._workbench.problem):
            size = (document.page.width, document.page.height)
            # of a page that turns out to be damaged nothing stays
            canvas.page_layer.use(pixels.pyramid if pixels else None, size)
            self._ink_changed()
            canvas.minimap.use(canvas.page_layer.thumbnail())
            canvas.minimap.offer(canvas.page_layer.shown)
        canvas.refresh()

    def _document_changed(self, edits: Sequence[Edit]) -> None:
        canvas = self._canvas
        canvas.region_layer.follow(edits)
        canvas.overlay.look_again()
        self._regions.apply(edits)
        canvas.note.hide()
        canvas.pointing.document_changed()
        canvas.look_again()
        canvas.refresh()

    def _refused(self, why: str) -> None:
        """Say it where the pointer is; the status line, far from there, says it for longer."""
        pointer = self._canvas.pointer
        if pointer is not None:
            self._canvas.note.tell(why, QPoint(round(pointer.view_x), round(pointer.view_y)))

    def _selection_changed(self) -> None:
        self._canvas.note.hide()
        self._canvas.layer_changed()

    def _labels_changed(self) -> None:
        self._canvas.style_of_regions.use(self._workbench.labels)
        self._canvas.region_layer.restyle()
        self._canvas.overlay.forget()
        self._canvas.refresh()

    def _tool_changed(self) -> None:
        canvas = self._canvas
        canvas.note.hide()
        canvas.pointing.choose(self._workbench.tool)
        self._show_cursor()
        canvas.look_again()

    def _show_cursor(self) -> None:
        if self._workbench.index is not None:  # else no tool is needed yet
            self._canvas.setCursor(self._canvas.pointing.tool.cursor)

    def _ink_changed(self) -> None:
        ink = self._workbench.ink
        page = ink.page if ink.view != "raw" else None
        self._canvas.page_layer.show_ink(page, ink.view == "components")
        self._canvas.refresh()
