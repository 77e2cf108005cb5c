"""All rooms of the open page as proposals, answered as those of Find Similar are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.gui.annotate.rooms.rooms import Rooms
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.imaging.rooms.room_map import RoomMap
from spotlab.spotting.symbols.proposals.region_proposals import Proposal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


def propose_rooms(workbench: Workbench) -> None:
    """Propose every enclosed space of the open page that has no region yet."""
    entry = workbench.entry
    if workbench.document is None or entry is None:
        return

    def offer(room_map: RoomMap) -> None:
        found = proposals_of(room_map, workbench.label, entry.name)
        if found:
            workbench.state(Proposals).offer("Rooms", found)
        else:
            text = "No enclosed space on this page: raise Gap, or choose how the walls are drawn"
            workbench.said.emit(text, False)

    workbench.state(Rooms).when_known(offer)


def proposals_of(room_map: RoomMap, label: str, page: str) -> list[Proposal]:
    """A proposal for each room; the score is the share of its outline that walls make."""
    found = []
    for number in room_map.rooms:
        outline = room_map.outline([number])
        if len(outline):
            closed = room_map.closed_share(number)
            why = f"enclosed; {closed:.0%} of its outline are closed openings"
            found.append(Proposal(page, label, outline, 1 - closed, why))
    return found
