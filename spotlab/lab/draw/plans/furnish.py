"""Furnishes the rooms of a plan, and sees to it that nothing necessary is missing."""

from __future__ import annotations

from spotlab.lab.draw.plans.groups import Catalogue
from spotlab.lab.draw.plans.layout import Plan
from spotlab.lab.draw.plans.recipes import RECIPES, RoomToFurnish
from spotlab.lab.draw.plans.space import Space
from spotlab.lab.draw.plans.strokes import Rect
from spotlab.lab.draw.plans.walls import Shell

# what a room of a kind is not complete without: something from each set
NEEDED: dict[str, tuple[set[str], ...]] = {
    "bathroom": ({"toilet"}, {"washbasin"}, {"bathtub", "shower"}),
    "kitchen": ({"sink"}, {"stove"}, {"fridge"}, {"table", "round table"}),
    "living": ({"sofa", "corner sofa"}, {"television"}, {"coffee table"}),
    "lounge": ({"sofa", "corner sofa"},),
    "master bedroom": ({"double bed"}, {"wardrobe"}),
    "bedroom": ({"bed", "double bed"}, {"wardrobe"}),
    "child": ({"bed"}, {"wardrobe"}),
    "office": ({"desk"}, {"bookshelf"}),
    "meeting": ({"table", "conference table"},),
    "dining": ({"table", "round table"},),
    "stairs": ({"stairs"},),
    "lift": ({"lift"},),
    "garage": ({"car"},),
}
ATTEMPTS = 8  # to complete a room


def spaces(plan: Plan, building: Shell, clear: float) -> list[Space]:
    """The empty rooms, with doors' swings and windows marked."""
    rooms = []
    for room, inside in zip(plan.rooms, building.inside, strict=True):
        doors: list[Rect] = []
        windows: list[Rect] = []
        for opening in building.openings:
            if opening.zone.overlaps(room.rect):
                (windows if opening.style == "window" else doors).append(opening.zone)
        rooms.append(Space(inside, doors, windows, clear))
    return rooms


def furnish(kind: str, space: Space, catalogue: Catalogue) -> None:
    """Fill one room with what belongs there, and take out again what the density leaves away."""
    wanted = NEEDED.get(kind, ())
    best, best_met = space, -1
    for _ in range(ATTEMPTS if wanted else 1):
        attempt = Space(space.rect, space.kept, space.windows, space.clear)
        RECIPES[kind](RoomToFurnish(attempt, catalogue))
        labels = {piece.label for piece in attempt.pieces}
        met = sum(bool(labels & alternatives) for alternatives in wanted)
        if met > best_met:
            best, best_met = attempt, met
        if met == len(wanted):
            break
    there = catalogue.rng.random(len(best.placed)) < catalogue.options.density
    kept = [i for i, stays in enumerate(there.tolist()) if stays]
    space.placed = [best.placed[i] for i in kept]
    space.bodies = [best.bodies[i] for i in kept]
