"""The canvas: shows the page, its regions, the layers of workspaces and the tool's work."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from spotlab.editing.operations import bounds_of
from spotlab.editing.region_index import RegionIndex
from spotlab.gui.canvas.events import CanvasEvents, paint
from spotlab.gui.canvas.following import Following
from spotlab.gui.canvas.navigation import Gliding, Minimap, Navigation
from spotlab.gui.canvas.overlay import Overlay, PointerNote
from spotlab.gui.canvas.page_layer import Backdrop, PageLayer
from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.region_style import SELECTED, RegionStyle
from spotlab.gui.canvas.region_tiles import Light
from spotlab.gui.canvas.tool import Layer, Pointer, Pointing, ToolKind
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import CAPTIONS, MINIMAP
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
        self,
        workbench: Workbench,
        tools: Mapping[str, ToolKind],
        parent: QWidget | None = None,
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
        self._events = CanvasEvents(self, self)
        self._following = Following(self)

    def add_layer(self, name: str, layer: Layer, above: Collection[str] = ()) -> None:
        """Show a workspace's layer over those that are there, but for those named ``above``."""
        upper = {each: self.layers.pop(each) for each in tuple(self.layers) if each in above}
        self.layers |= {name: layer, **upper}
        layer.follow()
        layer.place()
        self.layer_changed()

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
        """Where the pointer is on the page as it is shown now; None while it is elsewhere."""
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
            paint(painter, self, event.region())

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
