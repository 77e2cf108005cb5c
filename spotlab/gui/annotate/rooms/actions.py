"""All rooms of the page: what the Region menu has of it."""

from __future__ import annotations

from spotlab.gui.workspace import Action, may_draw
from spotlab.libraries import late_imports

with late_imports(__name__):
    from spotlab.gui.annotate.rooms import rooms


ACTIONS = (
    Action(
        "proposals.rooms",
        "Propose Roo&ms",
        lambda window: rooms.propose_rooms(window.workbench),
        ("Ctrl+Alt+R",),
        enabled=may_draw,
        icon="floor-plan",
        tip="Propose every enclosed space of this floor plan, with doors and windows closed",
    ),
)
