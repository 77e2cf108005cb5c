"""The tools of Annotate, as the rail, menus and help have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.kit.late import late

if TYPE_CHECKING:
    from spotlab.gui.annotate.tools import (
        box,
        cells,
        draw_query,
        ellipse,
        free_polygon,
        isothetic,
        polygon,
        room,
        select,
        sketch,
        split,
        trace,
        wall,
    )
else:
    box = late("spotlab.gui.annotate.tools.box")
    cells = late("spotlab.gui.annotate.tools.cells")
    draw_query = late("spotlab.gui.annotate.tools.draw_query")
    ellipse = late("spotlab.gui.annotate.tools.ellipse")
    free_polygon = late("spotlab.gui.annotate.tools.free_polygon")
    isothetic = late("spotlab.gui.annotate.tools.isothetic")
    polygon = late("spotlab.gui.annotate.tools.polygon")
    room = late("spotlab.gui.annotate.tools.room")
    select = late("spotlab.gui.annotate.tools.select")
    sketch = late("spotlab.gui.annotate.tools.sketch")
    split = late("spotlab.gui.annotate.tools.split")
    trace = late("spotlab.gui.annotate.tools.trace")
    wall = late("spotlab.gui.annotate.tools.wall")

TOOLS = (
    ToolKind(
        name="sketch",
        title="Sketch",
        icon="mdi6.draw",
        shortcut="F2",
        hint="Draw a rough stroke around ink",
        keys="Shift adds, Alt takes away, Ctrl cuts at the stroke, C changes cutting, "
        "Backspace undoes",
        order=1,
        make=lambda surface: sketch.SketchTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="trace",
        title="Trace",
        icon="mdi6.vector-curve",
        shortcut="F9",
        hint="Click ink, or draw a stroke around it, for its outline",
        keys="Shift adds to the selected region, Alt takes away",
        order=8,
        make=lambda surface: trace.TraceTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="box",
        title="Box",
        icon="mdi6.rectangle-outline",
        shortcut="F11",
        hint="Drag from corner to corner",
        keys="Shift makes the sides equal, Alt starts at the centre, a click selects",
        order=5,
        make=lambda surface: box.BoxTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="ellipse",
        title="Ellipse",
        icon="mdi6.ellipse-outline",
        shortcut="F7",
        hint="Drag from corner to corner",
        keys="Shift makes the sides equal, Alt starts at the centre, a click selects",
        order=6,
        make=lambda surface: ellipse.EllipseTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="polygon",
        title="Convex polygon",
        caption="Convex",
        icon="mdi6.hexagon-outline",
        shortcut="F4",
        hint="Click the corners of a convex outline; Enter closes it",
        keys="Backspace takes the last corner back, Esc all of them",
        order=3,
        make=lambda surface: polygon.ConvexTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="free_polygon",
        title="Free polygon",
        caption="Polygon",
        icon="mdi6.vector-polygon",
        shortcut="F5",
        hint="Click the corners of the outline; Enter closes it",
        keys="Backspace takes the last corner back, Esc all of them",
        order=4,
        make=lambda surface: free_polygon.FreeTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="isothetic",
        title="Isothetic polygon",
        caption="Isothetic",
        icon="mdi6.vector-polyline",
        shortcut="F8",
        hint="Click corners; edges run along x and y; Enter closes",
        keys="Backspace takes the last corner back, Esc all of them",
        order=7,
        make=lambda surface: isothetic.IsotheticTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="cells",
        title="Quad-tree cells",
        caption="Cells",
        icon="mdi6.grid",
        shortcut="F10",
        hint="Paint cells with the pointer; zoom in for smaller ones",
        keys="Shift adds to the selected region, Alt takes away, a click selects",
        order=9,
        make=lambda surface: cells.CellsTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="room",
        title="Room",
        icon="mdi6.floor-plan",
        shortcut="Shift+F4",
        hint="Click inside a room; doors and windows are closed",
        keys="Shift joins spaces, Alt takes them away; drag across rooms to take each",
        order=11,
        make=lambda surface: room.RoomTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="wall",
        title="Wall",
        icon="mdi6.wall",
        shortcut="Shift+F5",
        hint="Click both ends of a wall, or draw a stroke along walls",
        keys="Esc gives up; Shift and a click selects",
        order=12,
        make=lambda surface: wall.WallTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="split",
        title="Split",
        icon="mdi6.content-cut",
        shortcut="F12",
        hint="Draw a line across a region to split it",
        keys="A click selects",
        order=10,
        make=lambda surface: split.SplitTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="select",
        title="Select and edit",
        caption="Select",
        icon="mdi6.cursor-default-outline",
        shortcut="F3",
        hint="Click selects, again the next larger one; drag moves",
        keys="Alt copies, Shift keeps the shape; pull an edge for a point, click one for Delete",
        order=2,
        make=lambda surface: select.SelectTool(surface),
        workspace="annotate",
    ),
    ToolKind(
        name="draw_query",
        title="Draw a Query",
        caption="Query",
        icon="mdi6.fountain-pen-tip",
        shortcut="Shift+F2",
        hint="Draw the symbol to search for at its size; Enter searches",
        keys="Shift draws straight lines, Backspace removes the last stroke",
        order=13,
        make=lambda surface: draw_query.DrawQueryTool(surface),
        workspace="annotate",
    ),
)
