"""Operations on regions: pure functions that give new, valid ones.

Each gives regions with whole coordinates, on the page, with an area, and true to their primitive,
or raises `SpotlabError` with one line that says why it cannot. To make an undoable step of them::

    history.do("Move", document.replacing(*move_all(selected, 5, 0, document.page)))

A gesture applies its whole way to the regions as they were when it began, never to its own last
result, so that nothing adds up on the way.
"""

from spotlab.editing.operations.combining import (
    add_area,
    dividing_line,
    merge,
    split,
    subtract_area,
)
from spotlab.editing.operations.corners import (
    add_point,
    delete_point,
    move_edge,
    move_handle,
    nearest_edge,
    place_on_edge,
)
from spotlab.editing.operations.handles import Handle, HandleKind, frame_of, handles, handles_apart
from spotlab.editing.operations.moving import (
    across,
    as_primitive,
    bounds_of,
    duplicate,
    flag_uncertain,
    make_free,
    make_hull,
    make_turned_box,
    move,
    move_all,
    move_borders,
    relabel,
    rotate,
    scale,
    set_comment,
    set_ignore,
    toggle_ignore,
    toggle_uncertain,
)
from spotlab.editing.operations.outline import behaves_as, drawn, reshaped

__all__ = [
    "Handle",
    "HandleKind",
    "across",
    "add_area",
    "add_point",
    "as_primitive",
    "behaves_as",
    "bounds_of",
    "delete_point",
    "dividing_line",
    "drawn",
    "duplicate",
    "flag_uncertain",
    "frame_of",
    "handles",
    "handles_apart",
    "make_free",
    "make_hull",
    "make_turned_box",
    "merge",
    "move",
    "move_all",
    "move_borders",
    "move_edge",
    "move_handle",
    "nearest_edge",
    "place_on_edge",
    "relabel",
    "reshaped",
    "rotate",
    "scale",
    "set_comment",
    "set_ignore",
    "split",
    "subtract_area",
    "toggle_ignore",
    "toggle_uncertain",
]
