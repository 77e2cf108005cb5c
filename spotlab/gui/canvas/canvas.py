"""The canvas: shows the page, its regions, the layers of workspaces and the tool's work."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QWidget

from spotlab.editing.document import Edit
from spotlab.editing.operations import bounds_of
from spotlab.editing.region_index import RegionIndex
from spotlab.gui.canvas.events import CanvasEvents
from spotlab.gui.canvas.navigation import Gliding, Minimap, Navigation
from spotlab.gui.canvas.overlay import Overlay, PointerNote, banner
from spotlab.gui.canvas.page_layer import Backdrop, PageLayer
from spotlab.gui.canvas.region_layer import RegionIndexes, RegionLayer
from spotlab.gui.canvas.region_tiles import Light
from spotlab.gui.canvas.tool import Layer, Pointer, Pointing, ToolKind
from spotlab.gui.canvas.view import SELECTED, RegionStyle, ViewTransform
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import CAPTIONS, KEEP_ZOOM, MINIMAP
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region


class Canvas(QWidget):
    """Shows the workbench's page and lets the tools work on it.

    Parameters
    ----------
    workbench : Workbench
    tools : mapping of str to ToolKind
        The tools that can be chosen, by name.

    Attributes
    ----------
    layers : dict of str to Layer
        What workspaces show over the page, by name; see `add_layer`.
    """

    context_requested = Signal(QPoint)  # on the screen
    pointer_moved = Signal(str)  # what is under the pointer, in words
    view_changed = Signal()
    covered_changed = Signal()  # something lies over more or less of the top

    def __init__(
        self, workbench: Workbench, tools: Mapping[str, ToolKind], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.view = ViewTransform()
        self.index = RegionIndex()
        self.layers: dict[str, Layer] = {}
        self.style_of_regions = RegionStyle()
        self.page_layer = PageLayer(self.refresh)
        self.region_layer = RegionLayer(self.index, self.style_of_regions, self.refresh)
        self.backdrop = Backdrop(self.page_layer, self.region_layer, self.refresh)
        self.overlay = Overlay(self.style_of_regions, self.refresh)
        self.navigation = Navigation(self.view, self.view_moved)
        self.gliding = Gliding(self.view, self.view_moved, self)
        self.pointing = Pointing(self, tools)
        self.minimap = Minimap(self, self.view, self.view_moved)
        self.minimap.hide()
        self.note = PointerNote(self)
        self.overlay.captions = workbench.settings.get(CAPTIONS)
        self.minimap.wanted = workbench.settings.get(MINIMAP)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Page")
        self._events = CanvasEvents(
            self,
            self,
            self.pointing,
            self.navigation,
            self.overlay,
            self.note,
            offer_menu=self.context_requested.emit,
            tell=self.pointer_moved.emit,
        )
        self._following = _Following(self)

    def add_layer(self, name: str, layer: Layer, above: Collection[str] = ()) -> None:
        """Show a workspace's layer over those that are there, but for those named ``above``."""
        upper = {each: self.layers.pop(each) for each in tuple(self.layers) if each in above}
        self.layers |= {name: layer, **upper}
        layer.follow()
        layer.place()
        self.layer_changed()

    def layers_here(self) -> list[Layer]:
        """Layers of the current workspace and of all workspaces, from below upwards."""
        names = "", self.workbench.workspace
        return [layer for layer in self.layers.values() if layer.workspace in names]

    def stop(self) -> None:
        """Hear of nothing and draw nothing any more; called before the window goes."""
        self._following.stop()
        self.pointing.cancel()
        self.region_layer.stop()
        self.overlay.stop()
        self.backdrop.stop()
        for layer in self.layers.values():
            layer.stop()
        self.page_layer.use(None, (1, 1))

    def settle(self, timeout: float = 10.0) -> bool:
        """Wait until all that the window shows is there in full quality; for pictures of it."""

        def quiet() -> bool:
            busy = self.page_layer.busy or self.region_layer.busy
            busy = busy or self.overlay.busy or self.backdrop.busy
            return not (busy or any(layer.busy for layer in self.layers.values()))

        for _ in range(3):  # painting may want more
            self.repaint()
            if not background.wait_until(quiet, timeout):
                return False
        return True

    # What menus and buttons do

    def zoom_by(self, factor: float) -> None:
        """Zoom about the middle; more than 1 zooms in."""
        self.zoom_to(self.view.scale * self.view.ratio * factor)

    def zoom_to(self, scale: float) -> None:
        """Zoom about the middle; 1 shows a pixel as a pixel of the screen."""
        self.view.zoom_to(scale / self.view.ratio)
        self.view_moved()

    def fit(self) -> None:
        """Show the whole page."""
        self.view.fit()
        self.view_moved()

    def rotate_by(self, angle: float) -> None:
        """Turn the view by degrees clockwise; the page itself stays as it is."""
        self.view.rotate_by(angle)
        self.view_moved()

    def rotate_to(self, angle: float) -> None:
        """Turn the view to an angle in degrees clockwise."""
        self.view.rotate_to(angle)
        self.view_moved()

    def set_light(self, brightness: float, contrast: float) -> None:
        """Brightness from -1 to 1 and contrast as a factor, for looking only."""
        self.page_layer.set_light(Light(brightness, contrast))
        self.minimap.use(self.page_layer.thumbnail())
        self.refresh()

    def set_minimap(self, shown: bool) -> None:
        """Show the small picture in the corner, or not."""
        self.minimap.wanted = shown
        self.workbench.settings.set(MINIMAP, shown)
        self.minimap.offer(self.page_layer.shown)

    def set_regions_visible(self, visible: bool) -> None:
        """Show the regions, or only the page."""
        self.region_layer.visible = visible
        self.refresh()

    def set_captions(self, shown: bool) -> None:
        """Show the labels of all regions that have room for them, or only of those in use."""
        self.overlay.captions = shown
        self.workbench.settings.set(CAPTIONS, shown)
        self.refresh()

    def show_selected(self) -> None:
        """Bring the selected regions into sight."""
        if self.workbench.selected:
            self.view.show(*bounds_of(self.workbench.selected))
            self.view_moved()

    def show_place(self, left: float, top: float, right: float, bottom: float) -> None:
        """Bring a rectangle of the page into sight."""
        self.view.show(left, top, right, bottom)
        self.view_moved()

    def centre_on(self, x: float, y: float) -> None:
        """Bring a place of the page into the middle."""
        self.view.centre_on(x, y)
        self.view_moved()

    def look_at(self, x: float, y: float, scale: float, angle: float) -> None:
        """Bring a place of the page into the middle, at a scale in screen px and an angle."""
        self.view.rotate_to(angle)
        self.view.zoom_to(scale)
        self.view.centre_on(x, y)
        self.view_moved()

    def cover(self, height: float) -> None:
        """Bring nothing into sight that would be behind this many px at the top; nothing moves."""
        if self.view.covered != height:
            self.view.covered = height
            self.covered_changed.emit()

    def cancel(self) -> bool:
        """Give up the gesture under way, without a trace; False if there is none."""
        return self.pointing.cancel()

    # What tools and layers ask for

    @property
    def pointer(self) -> Pointer | None:
        """Tell where the pointer is on the page as it is shown now; None while it is elsewhere."""
        return self.pointing.pointer

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

    def layer_changed(self) -> None:
        """A layer has something else to show."""
        self.look_again()
        self.refresh()

    def look_again(self) -> None:
        """The page, its regions or the view are others: so is what the pointer is over."""
        self._events.look_again()

    def view_moved(self) -> None:
        """Another part of the page is shown."""
        self.minimap.offer(self.page_layer.shown)
        self.minimap.update()
        self.view_changed.emit()
        self.note.hide()
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
            _paint(painter, self, event.region())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the middle in the middle."""
        self._follow_ratio()
        self.view.resize(self.width(), self.height())
        self.minimap.place()
        for layer in self.layers.values():
            layer.place()
        self.view_moved()

    def _follow_ratio(self) -> None:
        if self.view.ratio != self.devicePixelRatioF():
            self.view.ratio = self.devicePixelRatioF()
            self.view.pan(0, 0)


def _paint(painter: QPainter, canvas: Canvas, exposed: QRegion) -> None:
    """Paint the page, its regions, what stands out, and the gesture, as far as it is exposed."""
    dark = canvas.palette().window().color().lightness() < 128
    behind = QColor("#202327" if dark else "#d5d9df")  # neither paper nor ink
    workbench, view = canvas.workbench, canvas.view
    if workbench.document is None:
        painter.fillRect(canvas.rect(), behind)
        empty = "Open a folder of pages, or drop images here"
        text = workbench.problem or (empty if workbench.index is None else "")
        banner(painter, view, text, QColor("#9aa3af" if dark else "#4b5563"))
        return
    layers = [layer for layer in canvas.layers_here() if layer.shown]
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


class _Following:
    """Listens to the workbench for a canvas until `stop`."""

    def __init__(self, canvas: Canvas) -> None:
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
            size = document.page.width, document.page.height
            canvas.view.use_page(*size, keep=self._workbench.settings.get(KEEP_ZOOM))
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
