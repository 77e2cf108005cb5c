"""The canvas: shows the page, its regions and the tool's work, and hands events to the tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from spotlab.editing.document import Edit
from spotlab.editing.hit import RegionIndex
from spotlab.editing.operations import bounds_of
from spotlab.gui.annotate.similar.proposals_layer import ProposalsLayer
from spotlab.gui.canvas.events import CanvasEvents
from spotlab.gui.canvas.gliding import Gliding
from spotlab.gui.canvas.legend import Legend
from spotlab.gui.canvas.minimap import Minimap
from spotlab.gui.canvas.navigation import Navigation
from spotlab.gui.canvas.overlay import Overlay
from spotlab.gui.canvas.page_layer import PageLayer
from spotlab.gui.canvas.painting import paint
from spotlab.gui.canvas.pointer_note import PointerNote
from spotlab.gui.canvas.pointing import Pointing
from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.region_style import SELECTED, RegionStyle
from spotlab.gui.canvas.tiles import Light
from spotlab.gui.canvas.view import STEP, ViewTransform
from spotlab.gui.inspect.layer import InspectLayer
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.layer import WordsLayer
from spotlab.gui.words.state.words import Words
from spotlab.model import Region


class Canvas(CanvasEvents):
    """Shows the workbench's page and lets the tools work on it."""

    view_changed = Signal()
    covered_changed = Signal()  # something lies over more or less of the top

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.view = ViewTransform()
        self.index = RegionIndex()
        self.style_of_regions = RegionStyle()
        self.page_layer = PageLayer(self.refresh)
        self.region_layer = RegionLayer(self.index, self.style_of_regions, self.refresh)
        self.overlay = Overlay(self.style_of_regions)
        self.navigation = Navigation(self.view, self._view_moved)
        self.gliding = Gliding(self.view, self._view_moved, self)
        self.pointing = Pointing(self)
        self.minimap = Minimap(self, self.view, self._view_moved)
        self.minimap.hide()
        self.note = PointerNote(self)
        self.inspect_layer = InspectLayer(workbench, self.refresh)
        self.words_layer = WordsLayer(workbench)
        self.proposals_layer = ProposalsLayer(workbench, self.refresh)
        self.legend = Legend(
            self, workbench, self.inspect_layer.opacity, self.inspect_layer.set_opacity
        )
        self.legend.hide()
        self.overlay.captions = bool(workbench.settings.get("captions", True))
        self.minimap.wanted = bool(workbench.settings.get("minimap", True))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Page")
        self._connections = self._listen()
        self._page_changed()
        self._tool_changed()

    def _listen(self) -> list[Callable[[], None]]:
        workbench = self.workbench
        return [
            workbench.page_changed.connect(self._page_changed),
            workbench.pixels_changed.connect(self._pixels_changed),
            workbench.document_changed.connect(self._document_changed),
            workbench.selection_changed.connect(self._selection_changed),
            workbench.labels_changed.connect(self._labels_changed),
            workbench.tool_changed.connect(self._tool_changed),
            workbench.ink_changed.connect(self._ink_changed),
            workbench.refused.connect(self._refused),
            workbench.workspace_changed.connect(self._inspection_changed),
            *(
                signal.connect(self._inspection_changed)
                for signal in (
                    workbench.state(Inspection).runs.changed,
                    workbench.state(Inspection).runs.figures_changed,
                    workbench.state(Inspection).query_changed,
                    workbench.state(Inspection).cut_changed,
                    workbench.state(Inspection).spot_changed,
                )
            ),
            *(
                signal.connect(self._words_changed)
                for signal in (
                    workbench.state(Words).lists_changed,
                    workbench.state(Words).relevance_changed,
                    workbench.state(Words).threshold_changed,
                    workbench.state(Words).item_changed,
                )
            ),
        ]

    def stop(self) -> None:
        """Hear of nothing and draw nothing any more; called before the window goes."""
        for disconnect in self._connections:
            disconnect()
        self._connections = []
        self.pointing.cancel()
        self.region_layer.stop()
        self.proposals_layer.stop()
        self.page_layer.use(None, (1, 1))

    def settle(self, timeout: float = 10.0) -> bool:
        """Wait until all that the window shows is there in full quality; for pictures of it."""

        def quiet() -> bool:
            layers = self.page_layer, self.region_layer, self.inspect_layer, self.proposals_layer
            return not any(layer.busy for layer in layers)

        for _ in range(3):  # painting may want more
            self.repaint()
            if not background.wait_until(quiet, timeout):
                return False
        return True

    # What menus and buttons do

    def zoom_in(self) -> None:
        """Zoom in by a step about the middle."""
        self._zoom(self.view.scale * STEP)

    def zoom_out(self) -> None:
        """Zoom out by a step about the middle."""
        self._zoom(self.view.scale / STEP)

    def zoom_to(self, scale: float) -> None:
        """Zoom about the middle; 1 shows a pixel as a pixel of the screen."""
        self._zoom(scale / self.view.ratio)

    def actual_size(self) -> None:
        """Show every pixel of the page as one of the screen."""
        self.zoom_to(1.0)

    def fit(self) -> None:
        """Show the whole page."""
        self.view.fit()
        self._view_moved()

    def rotate_by(self, angle: float) -> None:
        """Turn the view by degrees clockwise; the page itself stays as it is."""
        self.view.rotate_by(angle)
        self._view_moved()

    def rotate_to(self, angle: float) -> None:
        """Turn the view to an angle in degrees clockwise."""
        self.view.rotate_to(angle)
        self._view_moved()

    def set_light(self, brightness: float, contrast: float) -> None:
        """Brightness from -1 to 1 and contrast as a factor, for looking only."""
        self.page_layer.set_light(Light(brightness, contrast))
        self.minimap.use(self.page_layer.thumbnail())
        self.refresh()

    def set_minimap(self, shown: bool) -> None:
        """Show the small picture in the corner, or not."""
        self.minimap.wanted = shown
        self.workbench.settings.set("minimap", shown)
        self.minimap.offer(self.page_layer.shown)

    def set_regions_visible(self, visible: bool) -> None:
        """Show the regions, or only the page."""
        self.region_layer.visible = visible
        self.refresh()

    def set_captions(self, shown: bool) -> None:
        """Show the labels of all regions that have room for them, or only of those in use."""
        self.overlay.captions = shown
        self.workbench.settings.set("captions", shown)
        self.refresh()

    def show_selected(self) -> None:
        """Bring the selected regions into sight."""
        if self.workbench.selected:
            self.view.show(*bounds_of(self.workbench.selected))
            self._view_moved()

    def show_place(self, left: float, top: float, right: float, bottom: float) -> None:
        """Bring a rectangle of the page into sight."""
        self.view.show(left, top, right, bottom)
        self._view_moved()

    def centre_on(self, x: float, y: float) -> None:
        """Bring a place of the page into the middle."""
        self.view.centre_on(x, y)
        self._view_moved()

    def cover(self, height: float) -> None:
        """Bring nothing into sight that would be behind this many px at the top; nothing moves."""
        if self.view.covered != height:
            self.view.covered = height
            self.covered_changed.emit()

    def cancel(self) -> bool:
        """Give up the gesture under way, without a trace; False if there is none."""
        return self.pointing.cancel()

    # What tools ask for

    def refresh(self) -> None:
        """Paint again soon."""
        self.update()

    def show_instead(self, regions: Iterable[Region], hidden: Iterable[str] = ()) -> None:
        """Show these, as selected, in place of the hidden ones."""
        self.overlay.instead = list(regions)
        self.region_layer.hide(hidden)
        self.refresh()

    def colour(self, region: Region | None) -> QColor:
        """The colour of a region, or of what is drawn next."""
        if region is not None:
            return self.style_of_regions.colour(region)
        labels = self.workbench.labels
        name = self.workbench.label
        return QColor(labels[name].colour if name in labels else SELECTED)

    # What the workbench tells

    def _page_changed(self) -> None:
        self.pointing.cancel()
        self.note.hide()
        document = self.workbench.document
        self.index = RegionIndex(document or ())
        self.region_layer.reset(self.index)
        self.overlay.hovered, self.overlay.instead = None, []
        self.style_of_regions.use(self.workbench.labels)
        self._inspection_changed()
        if document is None:
            self.page_layer.use(None, (1, 1))
        elif not self.page_layer.shown:
            self.view.use_page(document.page.width, document.page.height)
        self._view_moved()

    def _pixels_changed(self) -> None:
        document, pixels = self.workbench.document, self.workbench.pixels
        if document is not None and pixels is not None:
            size = (document.page.width, document.page.height)
            self.page_layer.use(pixels.pyramid, size)
            self._ink_changed()
            self.minimap.use(self.page_layer.thumbnail())
            self.minimap.offer(self.page_layer.shown)
        self.refresh()

    def _document_changed(self, edits: tuple[Edit, ...]) -> None:
        self.region_layer.follow(edits)
        self.index.apply(edits)
        self.note.hide()
        self.pointing.document_changed()
        self.look_again()
        self.refresh()

    def _refused(self, why: str) -> None:
        """Say it where the pointer is; the status line, far from there, says it for longer."""
        pointer = self.pointer
        if pointer is not None:
            self.note.tell(why, QPoint(round(pointer.view_x), round(pointer.view_y)))

    def _selection_changed(self) -> None:
        self.note.hide()
        self.look_again()
        self.refresh()

    def _labels_changed(self) -> None:
        self.style_of_regions.use(self.workbench.labels)
        self.region_layer.restyle()
        self.refresh()

    def _tool_changed(self) -> None:
        self.note.hide()
        self.pointing.choose(self.workbench.tool)
        self.setCursor(self.pointing.tool.cursor)
        self.look_again()

    def _ink_changed(self) -> None:
        ink = self.workbench.ink
        self.page_layer.show_ink(ink.page if ink.view != "raw" else None, ink.view == "components")
        self.refresh()

    def _inspection_changed(self) -> None:
        if not self.inspect_layer.shown:
            self.inspect_layer.forget()
        self.legend.follow(self.inspect_layer.shown)
        self.look_again()
        self.refresh()

    def _words_changed(self) -> None:
        if self.words_layer.shown:
            self.look_again()
            self.refresh()

    # Events

    def sizeHint(self) -> QSize:
        """Room for a page."""
        return QSize(900, 700)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The page, its regions, what stands out, and the gesture."""
        self._follow_ratio()
        with QPainter(self) as painter:  # which ends also where something fails
            paint(painter, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the middle in the middle."""
        self._follow_ratio()
        self.view.resize(self.width(), self.height())
        self.minimap.place()
        self.legend.place()
        self._view_moved()

    def _zoom(self, scale: float) -> None:
        self.view.zoom_to(scale)
        self._view_moved()

    def _view_moved(self) -> None:
        self.minimap.offer(self.page_layer.shown)
        self.minimap.update()
        self.view_changed.emit()
        self.note.hide()
        self.look_again()
        self.refresh()

    def _follow_ratio(self) -> None:
        if self.view.ratio != self.devicePixelRatioF():
            self.view.ratio = self.devicePixelRatioF()
            self.view.pan(0, 0)
