"""Room for furniture: what stands in one room, and where something more can stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.plans.groups import Catalogue, FurnitureGroup, Piece
from spotlab.lab.draw.plans.strokes import Rect, turned
from spotlab.lab.draw.plans.walls import Side, sides


@dataclass(frozen=True)
class PlacedGroup:
    """A group on the plan: its symbols, and strokes that belong to none of them."""

    pieces: tuple[Piece, ...]
    lines: tuple[Points, ...] = ()


@dataclass
class Space:
    """The inside of one room while it is being furnished, in cm.

    Attributes
    ----------
    rect : Rect
        Between the faces of its walls.
    kept : list of Rect
        Doors' swings and ways through, where nothing may stand.
    windows : list of Rect
        Where nothing tall may stand.
    clear : float
        Distance that parts the ink of two pieces of furniture.
    bodies, fronts : list of Rect
        What furniture covers; what has to stay free before it.
    placed : list of PlacedGroup
        The furniture itself.
    """

    rect: Rect
    kept: list[Rect]
    windows: list[Rect]
    clear: float
    bodies: list[Rect] = field(default_factory=list)
    fronts: list[Rect] = field(default_factory=list)
    placed: list[PlacedGroup] = field(default_factory=list)

    @property
    def pieces(self) -> list[Piece]:
        """All that stands here."""
        return [piece for group in self.placed for piece in group.pieces]

    def free(self, body: Rect, front: Rect | None = None, tall: bool = False) -> bool:
        """Whether something may stand here; its front may meet other fronts."""
        if not self.rect.grown(0.5).holds(body):
            return False
        hindrances = [*self.kept, *self.fronts, *(self.windows if tall else ())]
        if any(body.overlaps(other) for other in hindrances):
            return False
        around = body.grown(self.clear)
        if any(around.overlaps(other) for other in self.bodies):
            return False
        if front is None:
            return True
        inside = self.rect.grown(1).holds(front)
        return inside and not any(front.overlaps(other) for other in self.bodies)

    def against_wall(
        self,
        group: FurnitureGroup,
        catalogue: Catalogue,
        where: str = "any",
        only: Sequence[int] = (),
    ) -> int | None:
        """Put the group at a wall: in a ``corner``, in its ``middle`` or ``any`` place of it.

        Returns
        -------
        int or None
            Which wall, 0 to 3 clockwise from the top; None if it does not fit anywhere.
        """
        rng = catalogue.rng
        walls = sides(self.rect)
        for number in only or rng.permutation(4).tolist():
            side = walls[number]
            gap = 0.0 if group.lines else catalogue.gap()  # those keep their own distance
            for u in self._places(group, side, where, catalogue):
                if self._put(group, side, u, gap):
                    return int(number)
        return None

    def _places(
        self, group: FurnitureGroup, side: Side, where: str, catalogue: Catalogue
    ) -> Iterable[float]:
        rng, half = catalogue.rng, group.width / 2
        first = half + catalogue.gap(4)
        last = side.length - half - catalogue.gap(4)
        if last < first:
            return ()
        if group.corner:
            return (first,) if group.corner == "left" else (last,)
        ends = [first, last] if rng.random() < 0.5 else [last, first]
        anywhere = rng.uniform(first, last, 8).tolist()
        if where == "corner":
            return [*ends, *anywhere[:3]]
        if where == "middle":
            return [
                (first + last) / 2,
                *np.clip((first + last) / 2 + rng.normal(0, 50, 6), first, last),
                *ends,
            ]
        return [*anywhere, *ends]

    def _put(self, group: FurnitureGroup, side: Side, u: float, gap: float) -> bool:
        half = group.width / 2
        body = side.rect(u - half, gap, u + half, gap + group.depth)
        front = side.rect(u - half, gap + group.depth, u + half, gap + group.depth + group.front)
        if not self.free(body, front if group.front else None, group.tall):
            return False
        ((x, y),) = side.points(np.array([(u, gap)])).tolist()
        lines = tuple(turned(stroke, side.angle, x, y) for stroke in group.lines)
        pieces = tuple(piece.placed(x, y, side.angle) for piece in group.pieces)
        self._keep(PlacedGroup(pieces, lines), body, front if group.front else None)
        return True

    def standing_free(
        self, group: FurnitureGroup, rng: np.random.Generator, spread: float = 0.25
    ) -> bool:
        """Put the group away from the walls, around the middle of the room."""
        middle_x, middle_y = (
            (self.rect.left + self.rect.right) / 2,
            (self.rect.top + self.rect.bottom) / 2,
        )
        upright = [0, 90] if self.rect.width >= self.rect.height else [90, 0]
        for attempt in range(60):
            angle = upright[attempt % 2]
            far = min(0.5, spread * (attempt // 2) / 12)
            x = middle_x + rng.uniform(-far, far) * self.rect.width
            y = middle_y + rng.uniform(-far, far) * self.rect.height
            w, h = (group.width, group.depth) if angle == 0 else (group.depth, group.width)
            body = Rect(x - w / 2, y - h / 2, x + w / 2, y + h / 2)
            if self.rect.grown(-15).holds(body) and self.free(body):
                ((dx, dy),) = turned([(0, -group.depth / 2)], angle).tolist()
                pieces = tuple(p.placed(x + dx, y + dy, angle) for p in group.pieces)
                self._keep(PlacedGroup(pieces), body, None)
                return True
        return False

    def _keep(self, placed: PlacedGroup, body: Rect, front: Rect | None) -> None:
        self.placed.append(placed)
        self.bodies.append(body)
        if front is not None:
            self.fronts.append(front)

    def quiet_place(self, width: float, height: float, rng: np.random.Generator) -> Rect | None:
        """Where a text of this size stands clear of everything, as near to the middle as it can."""
        if width > self.rect.width - 20 or height > self.rect.height - 20:
            return None
        x = rng.uniform(self.rect.left + 10, self.rect.right - width - 10, 80)
        y = rng.uniform(self.rect.top + 10, self.rect.bottom - height - 10, 80)
        middle = (
            np.array(
                [
                    self.rect.left + self.rect.right - width,
                    self.rect.top + self.rect.bottom - height,
                ]
            )
            / 2
        )
        order = np.argsort(np.hypot(x - middle[0], y - middle[1]), kind="stable")
        for i in order.tolist():
            place = Rect(float(x[i]), float(y[i]), float(x[i]) + width, float(y[i]) + height)
            if not any(place.grown(12).overlaps(other) for other in [*self.bodies, *self.kept]):
                return place
        return None
