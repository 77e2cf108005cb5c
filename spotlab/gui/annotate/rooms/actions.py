"""All rooms of the page: what the Region menu has of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.gui.kit.late import late
from spotlab.gui.workspace.action import Action, may_draw

if TYPE_CHECKING:
    from spotlab.gui.annotate.rooms import proposing
else:
    proposing = late("spotlab.gui.annotate.rooms.proposing")


ACTIONS = (
    Action(
        "proposals.rooms",
        "Propose Roo&ms",
        lambda window: proposing.propose_rooms(window.workbench),
        ("Ctrl+Alt+R",),
        enabled=may_draw,
        icon="floor-plan",
        tip="Propose every enclosed space of this floor plan, with doors and windows closed",
    ),
)
