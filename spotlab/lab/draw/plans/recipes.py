"""Furnishing recipes for each kind of room: furniture listed first gets the best place."""

from __future__ import annotations

from collections.abc import Callable

from spotlab.lab.draw.plans.groups import Catalogue, FurnitureGroup
from spotlab.lab.draw.plans.layout import BuildingPlan
from spotlab.lab.draw.plans.strokes import Rect
from spotlab.lab.draw.plans.walls import PlacedGroup, Shell, Space, sides


class RoomToFurnish:
    """One room and the catalogue, so that the recipes read like a list of furniture."""

    def __init__(self, space: Space, catalogue: Catalogue) -> None:
        self.space, self.catalogue, self.rng = space, catalogue, catalogue.rng

    def chance(self, probability: float) -> bool:
        """Tell whether this is there."""
        return bool(self.rng.random() < probability)

    def wall(self, group: FurnitureGroup, where: str = "any") -> int | None:
        """Against any wall."""
        return self.space.against_wall(group, self.catalogue, where)

    def one(
        self,
        label: str,
        where: str = "any",
        front: float = 50,
        tall: bool = False,
        likely: float = 1.0,
    ) -> int | None:
        """A single piece against a wall; tries again as drawings differ in size."""
        if not self.chance(likely):
            return None
        for _ in range(5):
            group = self.wall(self.catalogue.single(label, front, tall), where)
            if group is not None:
                return group
        return None

    def further(self, label: str, where: str = "any", front: float = 50, likely: float = 1) -> None:
        """A single piece of a kind that only some collections have."""
        if self.catalogue.options.further:
            self.one(label, where, front, likely=likely)

    def table(self, sizes: list[tuple[str, int]], spread: float) -> bool:
        """The first of these tables with chairs that fits somewhere around the middle."""
        return any(
            self.space.standing_free(self.catalogue.dining(chairs, label), self.rng, spread)
            for label, chairs in sizes
        )

    def plants(self, likely: float) -> None:
        """A plant in a corner."""
        self.one("plant", "corner", 0, likely=likely)

    def any_of(self, groups: list[Callable[[], FurnitureGroup]], where: str) -> int | None:
        """The first group that fits."""
        for make in groups:
            for _ in range(3):
                group = self.wall(make(), where)
                if group is not None:
                    return group
        return None


def _master(room: RoomToFurnish) -> None:
    c = room.catalogue
    stands = 2 if room.rng.random() < 0.75 else 1
    room.any_of(
        [
            lambda: c.bed("double bed", stands),
            lambda: c.bed("double bed", 0),
            lambda: c.bed("bed", 1),
        ],
        "middle",
    )
    room.one("wardrobe", "corner", 50, tall=True)
    room.one("wardrobe", "corner", 50, tall=True, likely=0.3)
    room.further("dressing table", front=30, likely=0.6)
    room.one("chest of drawers", likely=0.55)
    if room.chance(0.35):
        room.wall(c.corner_chair())
    room.one("cot", "corner", 40, likely=0.15)
    room.one("television", "middle", likely=0.25)
    room.plants(0.26)


def _bedroom(room: RoomToFurnish) -> None:
    c = room.catalogue
    if room.rng.random() < 0.55:
        return _master(room)
    room.any_of([lambda: c.bed("bed", 1), lambda: c.bed("bed", 0)], "corner")
    room.one("wardrobe", "corner", 50, tall=True)
    if room.chance(0.7):
        room.wall(c.workplace(False))
    room.one("chest of drawers", likely=0.4)
    room.one("bookshelf", tall=True, likely=0.3)
    room.plants(0.2)
    return None


def _child(room: RoomToFurnish) -> None:
    c = room.catalogue
    for _ in range(2 if room.rng.random() < 0.45 else 1):
        room.any_of([lambda: c.bed("bed", 0)], "corner")
    room.one("cot", "corner", 40, likely=0.2)
    if room.chance(0.85):
        room.wall(c.workplace(False))
    room.one("wardrobe", "corner", 45, tall=True, likely=0.8)
    room.one("bookshelf", front=35, tall=True, likely=0.6)
    if room.chance(0.2):
        room.space.standing_free(c.single("stool"), room.rng)
    room.plants(0.1)


def _bathroom(room: RoomToFurnish) -> None:
    if room.rng.random() < 0.6:
        bathed = room.one("bathtub", "corner", 35)
        if bathed is None or room.rng.random() < 0.25:
            room.one("shower", "corner", 30)
    else:
        room.one("shower", "corner", 35)
    room.one("washbasin", front=40)
    room.one("toilet", front=36)
    room.one("bidet", front=40, likely=0.35)
    room.one("washing machine", "corner", 45, likely=0.3)
    room.one("washbasin", front=45, likely=0.15)
    room.plants(0.08)


def _laundry(room: RoomToFurnish) -> None:
    room.one("washing machine", "corner", 50)
    room.one("washing machine", "corner", 50, likely=0.35)
    room.one("sink", likely=0.6)
    room.one("wardrobe", "corner", 40, tall=True, likely=0.5)


def _storage(room: RoomToFurnish) -> None:
    room.one("bookshelf", "corner", 40, tall=True)
    room.one("bookshelf", "corner", 40, tall=True, likely=0.6)
    room.one("wardrobe", "corner", 40, tall=True, likely=0.4)


def _kitchen(room: RoomToFurnish) -> None:
    c = room.catalogue
    walls = sorted(range(4), key=lambda i: -sides(room.space.rect)[i].length)
    for share in (0.98, 0.85, 0.7, 0.6, 0.5):
        done = False
        for wall in walls:
            group = c.counter(share * sides(room.space.rect)[wall].length - 20)
            done = room.space.against_wall(group, c, "corner", [wall]) is not None
            if done:
                break
        if done:
            break
    if room.chance(0.85):
        tables = [("table", 6), ("table", 4), ("round table", 4), ("round table", 4), ("table", 2)]
        if not room.table(tables, 0.5):
            room.any_of([c.breakfast, c.breakfast], "any")
    room.one("sideboard", likely=0.3)
    room.plants(0.23)


def _living(room: RoomToFurnish) -> None:
    c = room.catalogue
    if room.rng.random() < 0.3:
        wall = room.one("corner sofa", front=60)
        if wall is not None and room.chance(0.9):
            sofa = room.space.pieces[-1]
            low = c.piece("coffee table")
            side = -1 if sofa.mirrored else 1
            spot = low.at(side * (45 + low.width / 2 - 20), 40 + low.depth / 2).placed(
                sofa.x, sofa.y, sofa.angle
            )
            half = max(low.width, low.depth) / 2
            body = Rect(spot.x - half, spot.y - half, spot.x + half, spot.y + half)
            if room.space.rect.holds(body) and not any(body.overlaps(k) for k in room.space.kept):
                room.space.placed.append(PlacedGroup((spot,)))
                room.space.bodies.append(body)
    else:
        wall = room.any_of([c.lounge, c.lounge, c.lounge], "middle")
    if wall is not None:
        far = c.single("television", 30)
        room.space.against_wall(far, c, "middle", [(wall + 2) % 4, (wall + 1) % 4, (wall + 3) % 4])
    if room.chance(0.75):
        tables = [("table", 8), ("table", 6), ("round table", 4)]
        room.table(tables, 0.7)
    room.one("piano", "corner", 70, likely=0.3)
    room.one("fireplace", "middle", 60, likely=0.25)
    room.one("bookshelf", front=45, tall=True, likely=0.7)
    room.one("sideboard", likely=0.4)
    if room.chance(0.5):
        room.wall(c.corner_chair())
    room.plants(0.45)
    room.plants(0.26)


def _dining(room: RoomToFurnish) -> None:
    tables = [("table", 8), ("table", 6), ("round table", 4), ("table", 4)]
    room.table(tables, 0.25)
    room.one("sideboard", "middle", 40, likely=0.8)
    room.one("piano", "corner", 60, likely=0.15)
    room.plants(0.33)


def _office(room: RoomToFurnish) -> None:
    c = room.catalogue
    first = bool(room.rng.random() < 0.6)
    room.any_of(
        [lambda: c.workplace(first), lambda: c.workplace(False)], "middle" if first else "any"
    )
    if room.chance(0.35):
        room.wall(c.workplace(False))
    room.further("filing cabinet", "corner", 35, likely=0.25)
    room.one("bookshelf", "corner", 45, tall=True)
    room.one("bookshelf", "corner", 45, tall=True, likely=0.4)
    if room.chance(0.3):
        room.wall(c.corner_chair())
    room.plants(0.39)


def _open_office(room: RoomToFurnish) -> None:
    c = room.catalogue
    for _ in range(int(room.rng.integers(3, 7))):
        room.wall(c.workplace(False))
    room.further("filing cabinet", "corner", 35, likely=0.5)
    room.one("bookshelf", "corner", 45, tall=True, likely=0.8)
    if room.chance(0.5):
        room.space.standing_free(c.dining(4, "round table"), room.rng, 0.5)
    room.plants(0.52)


def _meeting(room: RoomToFurnish) -> None:
    big = "conference table"
    room.table([(big, 12), (big, 10), ("table", 8), ("table", 6)], 0.2)
    room.one("television", "middle", 40)
    room.one("sideboard", likely=0.7)
    room.plants(0.45)
    room.plants(0.33)


def _stairs(room: RoomToFurnish) -> None:
    room.one("stairs", "corner", 30)


def _lift(room: RoomToFurnish) -> None:
    room.one("lift", "middle", 0)


def _hall(room: RoomToFurnish) -> None:
    room.one("wardrobe", "corner", 40, tall=True, likely=0.6)
    room.one("stool", "any", 20, likely=0.3)
    room.plants(0.33)


def _corridor(room: RoomToFurnish) -> None:
    room.one("bookshelf", "any", 70, tall=True, likely=0.3)
    room.plants(0.26)


def _garage(room: RoomToFurnish) -> None:
    room.one("car", "middle", 0)
    room.one("bookshelf", "corner", 20, tall=True, likely=0.5)


def _terrace(room: RoomToFurnish) -> None:
    if room.chance(0.8):
        room.space.standing_free(room.catalogue.dining(4, "round table"), room.rng, 0.5)
    for _ in range(2):
        room.plants(0.39)


RECIPES: dict[str, Callable[[RoomToFurnish], None]] = {
    "master bedroom": _master,
    "bedroom": _bedroom,
    "child": _child,
    "bathroom": _bathroom,
    "laundry": _laundry,
    "storage": _storage,
    "kitchen": _kitchen,
    "living": _living,
    "lounge": _living,
    "dining": _dining,
    "office": _office,
    "open office": _open_office,
    "meeting": _meeting,
    "stairs": _stairs,
    "lift": _lift,
    "hall": _hall,
    "corridor": _corridor,
    "garage": _garage,
    "terrace": _terrace,
}


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


def spaces(plan: BuildingPlan, building: Shell, clear: float) -> list[Space]:
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
