"""Gestures that change selected regions: shown live, one step when the button is let go."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtGui import QPainter

from spotlab.arrays import Points
from spotlab.editing.operations import (
    across,
    add_point,
    behaves_as,
    move_all,
    move_borders,
    move_edge,
    move_handle,
    rotate,
    scale,
)
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import box, ellipse
from spotlab.gui.annotate.tools import drawing
from spotlab.gui.annotate.tools.drawing import ClickOr, DrawingTool, SelectionFrame, ShapeDrawing
from spotlab.gui.canvas.tool import Gesture, Pointer, Surface
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Page, Primitive, Region, new_id


class StretchTool(DrawingTool):
    """Drags draw outlines; clicks select."""

    primitive = Primitive.BOX

    def press(self, pointer: Pointer) -> Gesture | None:
        """The first corner."""
        return Stretch(self.surface, pointer, self.primitive)


class Stretch(ShapeDrawing):
    """A box or an ellipse; Shift makes its sides equal, Alt begins in its middle."""

    def __init__(self, surface: Surface, pointer: Pointer, primitive: Primitive) -> None:
        super().__init__(surface, pointer)
        self._primitive = primitive
        self._end = pointer

    def drag(self, pointer: Pointer) -> None:
        """The opposite corner is here."""
        self._end = pointer

    def drop(self, pointer: Pointer) -> None:
        """Make a region of it."""
        self._end = pointer
        self.surface.workbench.editing.draw(self.points(), self._primitive)

    def points(self) -> Points:
        """The outline as it is now."""
        x, y = self.start.place
        dx, dy = self._end.x - x, self._end.y - y
        if self._end.shift:
            side = max(abs(dx), abs(dy))
            dx, dy = math.copysign(side, dx), math.copysign(side, dy)
        x0, y0 = (x - dx, y - dy) if self._end.alt else (x, y)
        x1, y1 = x + dx, y + dy
        if self._primitive is Primitive.BOX:
            return box(x0, y0, x1, y1)
        return ellipse(Frame((x0 + x1) / 2, (y0 + y1) / 2, abs(x1 - x0), abs(y1 - y0)))

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The outline."""
        if self.dragged:
            drawing.outline(painter, self.points(), view, self.surface.colour(None), fill=36)


NOT_CONVEX = "The outline must stay convex: drag the point outwards, or make the outline free first"
_STEP = 15.0  # degrees with Shift


class Reshape(ClickOr):
    """Shows what the regions would become, and makes it one step at the end.

    What cannot be, such as a region without area, leaves the last that could.
    """

    name = "Change"

    def __init__(self, surface: Surface, pointer: Pointer, regions: Sequence[Region]) -> None:
        super().__init__(surface, pointer)
        self.before = regions
        self.after = regions

    @property
    def page(self) -> Page:
        """The page on which all has to stay."""
        document = self.surface.workbench.document
        assert document is not None
        return document.page

    def changed(self, pointer: Pointer) -> list[Region]:
        """Return what the regions become with the pointer here."""
        raise SpotlabError("Nothing changes")

    def drag(self, pointer: Pointer) -> None:
        """Show it."""
        try:
            self.after = self.changed(pointer)
        except SpotlabError:
            return
        hidden = () if self.leaves(pointer) else [region.id for region in self.after]
        self.surface.show_instead(self.after, hidden)

    def leaves(self, pointer: Pointer) -> bool:
        """Tell whether the regions stay and copies are changed."""
        return False

    def bordering(
        self, outlines: Sequence[Points], step: tuple[float, float], near: float
    ) -> list[Region]:
        """Return what others become, of which corners lie along outlines or edges that move."""
        own = {region.id for region in self.before}
        left, top = np.min([each.min(axis=0) for each in outlines], axis=0) - near
        right, bottom = np.max([each.max(axis=0) for each in outlines], axis=0) + near
        there = self.surface.index.visible((left, top, right, bottom))
        others = [region for region in there if region.id not in own]
        return move_borders(outlines, others, step, self.page, near)

    def drop(self, pointer: Pointer) -> None:
        """Make it a step."""
        self.surface.show_instead([])
        self.finish(pointer)

    def finish(self, pointer: Pointer) -> None:
        """The step itself."""
        self.surface.workbench.editing.replace_regions(self.name, self.after)

    def document_changed(self) -> None:
        """Let go of what is no longer there, or has become another."""
        document = self.surface.workbench.document
        if document is None or any(document.get(each.id) != each for each in self.before):
            self.cancel()

    def cancel(self) -> None:
        """Show them as they are."""
        self.surface.show_instead([])
        super().cancel()


class Move(Reshape):
    """Moves regions; Alt leaves them and moves copies, Ctrl moves borders along them, too."""

    name = "Move"

    def changed(self, pointer: Pointer) -> list[Region]:
        """All of them by the same whole step."""
        x, y = self.start.place
        moved = move_all(self.before, pointer.x - x, pointer.y - y, self.page)
        if not pointer.control or pointer.alt:
            return moved
        (to_x, to_y), (from_x, from_y) = moved[0].points[0], self.before[0].points[0]
        outlines = [region.array for region in self.before]
        step = to_x - from_x, to_y - from_y
        return [*moved, *self.bordering(outlines, step, pointer.near)]

    def leaves(self, pointer: Pointer) -> bool:
        """Show the originals, too, while copies are moved."""
        return pointer.alt

    def finish(self, pointer: Pointer) -> None:
        """Replace the regions, or put the copies on top."""
        workbench = self.surface.workbench
        document = workbench.document
        if not pointer.alt or document is None:
            super().finish(pointer)
            return
        copies = [replace(region, id=new_id()) for region in self.after]
        if workbench.editing.do("Duplicate", document.adding(*copies)):
            workbench.selection.set([region.id for region in copies])


class MoveHandle(Reshape):
    """Moves one control point of a region, and of others that share it; Alt moves it alone."""

    name = "Move point"

    def __init__(
        self,
        surface: Surface,
        pointer: Pointer,
        region: Region,
        index: int,
        clicked: Callable[[], object],
    ) -> None:
        sharing = _sharing(surface, region, index)
        super().__init__(surface, pointer, [region, *(other for other, _ in sharing)])
        self.handles = [index, *(point for _, point in sharing)]
        self._clicked = clicked

    def changed(self, pointer: Pointer) -> list[Region]:
        """The regions with the handle at the pointer."""
        place = drawing.snapped(self.surface, pointer, [each.id for each in self.before]).place
        moved = [
            move_handle(region, handle, place, self.page)
            for region, handle in zip(self.before, self.handles, strict=True)
        ]
        return [moved[0], *self.before[1:]] if pointer.alt else moved

    def click(self, pointer: Pointer) -> None:
        """Select the point."""
        self._clicked()


def _sharing(surface: Surface, region: Region, index: int) -> list[tuple[Region, int]]:
    """Other free polygons with a point at the same place, as those of a room that was divided."""
    if behaves_as(region) is not Primitive.POLYGON or index >= len(region.points):
        return []
    x, y = place = region.points[index]
    return [
        (other, other.points.index(place))
        for other in surface.index.visible((x - 1, y - 1, x + 1, y + 1))
        if other.id != region.id
        and behaves_as(other) is Primitive.POLYGON
        and place in other.points
    ]


class PullEdge(Reshape):
    """Pulls a new control point out of an edge; a click means what it means elsewhere.

    Parameters
    ----------
    surface, pointer, region, edge
        The region, and the first point of its edge that the press is on.
    otherwise : Gesture or None
        What the press begins where there is no edge.
    """

    name = "Add point"

    def __init__(
        self,
        surface: Surface,
        pointer: Pointer,
        region: Region,
        edge: int,
        otherwise: Gesture | None,
    ) -> None:
        super().__init__(surface, pointer, [region])
        self.edge = edge
        self._otherwise = otherwise

    def changed(self, pointer: Pointer) -> list[Region]:
        """The region with a point at the pointer; a convex one as it is while that is inside."""
        return [add_point(self.before[0], self.edge, pointer.place, self.page)]

    def finish(self, pointer: Pointer) -> None:
        """The step, or why there is none."""
        if self.after == self.before:
            self.surface.workbench.editing.refuse(NOT_CONVEX)
        else:
            super().finish(pointer)

    def click(self, pointer: Pointer) -> None:
        """It was no pull."""
        if self._otherwise is not None:
            self._otherwise.release(pointer)
            self.following = None if self._otherwise.over else self._otherwise


class PushEdge(Reshape):
    """Pushes an edge across itself, and borders of other free polygons along it."""

    name = "Move border"

    def __init__(self, surface: Surface, pointer: Pointer, region: Region, edge: int) -> None:
        super().__init__(surface, pointer, [region])
        self.edge = edge

    def changed(self, pointer: Pointer) -> list[Region]:
        """The region with the edge at the pointer, and those whose borders go along."""
        [region] = self.before
        ends = region.array[[self.edge, (self.edge + 1) % len(region.points)]]
        x, y = across(ends, np.array(pointer.place) - self.start.place).round().tolist()
        pushed = move_edge(region, self.edge, (x, y), self.page)
        return [pushed, *self.bordering([ends], (x, y), pointer.near)]

    def click(self, pointer: Pointer) -> None:
        """A click on the edge changes nothing."""


class Rotate(Reshape):
    """Turns the selection about its middle; Shift in steps of 15°."""

    name = "Rotate"

    def changed(self, pointer: Pointer) -> list[Region]:
        """Each of them turned about the middle of all."""
        frame = SelectionFrame.around(self.before)
        assert frame is not None
        x, y = frame.centre
        angle = math.degrees(
            math.atan2(pointer.y - y, pointer.x - x)
            - math.atan2(self.start.y - y, self.start.x - x)
        )
        if pointer.shift:
            angle = round(angle / _STEP) * _STEP
        return [rotate(region, angle, self.page, (x, y)) for region in self.before]

    def click(self, pointer: Pointer) -> None:
        """A click on the handle changes nothing."""


class Scale(Reshape):
    """Draws the selection out by a corner; Shift keeps its shape, Alt its middle."""

    name = "Scale"

    def __init__(
        self, surface: Surface, pointer: Pointer, regions: Sequence[Region], corner: tuple[int, int]
    ) -> None:
        super().__init__(surface, pointer, regions)
        self.corner = corner

    def changed(self, pointer: Pointer) -> list[Region]:
        """Each of them drawn out from the opposite corner or the middle of all."""
        frame = SelectionFrame.around(self.before)
        assert frame is not None
        across, down = self.corner
        about = frame.centre if pointer.alt else frame.corner(-across, -down)
        held = frame.corner(across, down)
        # the corner moves as far as the pointer, which took hold of it somewhat outside
        to_x = held[0] + pointer.x - self.start.x
        to_y = held[1] + pointer.y - self.start.y
        factor_x = (to_x - about[0]) / (held[0] - about[0])
        factor_y = (to_y - about[1]) / (held[1] - about[1])
        if pointer.shift:
            larger = max(abs(factor_x), abs(factor_y))
            factor_x, factor_y = math.copysign(larger, factor_x), math.copysign(larger, factor_y)
        return [scale(region, factor_x, factor_y, self.page, about) for region in self.before]

    def click(self, pointer: Pointer) -> None:
        """A click on the handle changes nothing."""
