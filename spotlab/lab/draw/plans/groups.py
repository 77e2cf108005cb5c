"""Furniture that belongs together: a bed with its nightstands, a table with its chairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.collection import SymbolDrawing, symbol_kinds
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.lab.draw.plans.strokes import line, turned

LOOSE = ("armchair", "chair", "office chair", "stool", "plant")  # may stand at a free angle


@dataclass(frozen=True)
class Piece:
    """One symbol: its centre in cm, turned so that its back looks to `angle` (0 is up)."""

    label: str
    drawing: SymbolDrawing
    scale: float
    mirrored: bool = False
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0

    @property
    def width(self) -> float:
        """Along its back, in cm."""
        return self.drawing.width * self.scale

    @property
    def depth(self) -> float:
        """From back to front, in cm."""
        return self.drawing.depth * self.scale

    @property
    def half(self) -> tuple[float, float]:
        """Tell how far it reaches from its centre along x and along y, as it is turned."""
        c, s = abs(np.cos(np.radians(self.angle))), abs(np.sin(np.radians(self.angle)))
        return (
            float(c * self.width + s * self.depth) / 2,
            float(s * self.width + c * self.depth) / 2,
        )

    def at(self, x: float, y: float, angle: float = 0.0) -> Piece:
        """The same piece elsewhere."""
        return replace(self, x=x, y=y, angle=angle)

    def placed(self, x: float, y: float, angle: float) -> Piece:
        """The piece after its group has been turned and moved."""
        ((px, py),) = turned([(self.x, self.y)], angle, x, y).tolist()
        return replace(self, x=px, y=py, angle=self.angle + angle)

    def strokes(self) -> tuple[Points, ...]:
        """Its strokes on the plan, in cm."""
        middle = (self.drawing.width / 2, self.drawing.depth / 2)
        return tuple(
            turned((stroke - middle) * self.scale, self.angle, self.x, self.y, self.mirrored)
            for stroke in self.drawing.strokes
        )


@dataclass(frozen=True)
class FurnitureGroup:
    """Pieces in a frame whose x runs along the wall from −width/2, and y away from it from 0.

    Attributes
    ----------
    pieces : tuple of Piece
        The symbols.
    width, depth : float
        Their footprint in cm.
    front : float
        How much has to stay free before them, in cm.
    lines : tuple of (N, 2) float
        Strokes that are drawn but are no symbol, such as a counter.
    tall : bool
        May not stand before a window.
    corner : str
        ``left`` or ``right`` where it fits that corner only.
    """

    pieces: tuple[Piece, ...]
    width: float
    depth: float
    front: float = 0.0
    lines: tuple[Points, ...] = field(default=())
    tall: bool = False
    corner: str = ""


class Catalogue:
    """Chooses drawings: mostly the same one for a kind throughout a page, as a draughtsman does."""

    def __init__(
        self,
        rng: np.random.Generator,
        options: FloorPlanOptions,
        clear: float,
        drawings: Mapping[str, SymbolDrawing] | None = None,
    ) -> None:
        self.rng, self.options, self.clear = rng, options, clear
        self._always = drawings or {}
        self._usual: dict[str, SymbolDrawing] = {}

    def piece(self, label: str) -> Piece:
        """A piece of furniture of this kind."""
        kind = symbol_kinds()[label]
        drawing = kind.drawings[int(self.rng.integers(len(kind.drawings)))]
        if self.rng.random() < 0.6:
            drawing = self._usual.setdefault(label, drawing)
        drawing = self._always.get(label, drawing)
        scale = float(self.rng.uniform(kind.smallest, kind.largest))
        return Piece(label, drawing, scale, bool(self.rng.random() < 0.5))

    def gap(self, usual: float = 0.0) -> float:
        """Distance to what a piece stands against: often none, else enough to part the ink."""
        if self.rng.random() < self.options.touching:
            return 0.0
        return max(usual, self.clear) * float(self.rng.uniform(1.0, 1.7))

    def tilt(self, piece: Piece, most: float = 25) -> Piece:
        """Turn a loose piece a little, sometimes."""
        if piece.label in LOOSE and self.rng.random() < self.options.tilt:
            turn = float(self.rng.uniform(-most, most))
            # its corner comes forward, so it moves back as far
            back = piece.width / 2 * abs(np.sin(np.radians(turn)))
            ((x, y),) = turned([(0, -back)], piece.angle, piece.x, piece.y).tolist()
            return piece.at(x, y, piece.angle + turn)
        return piece

    def single(self, label: str, front: float = 50, tall: bool = False) -> FurnitureGroup:
        """One piece with its back to the wall."""
        piece = self.piece(label)
        width, depth = piece.width, piece.depth
        corner = ""
        if label == "corner sofa" or (label == "desk" and piece.drawing.depth > 100):
            corner = "right" if piece.mirrored else "left"
        if label == "plant":
            piece = self.tilt(piece, 45)
            width, depth = 2 * piece.half[0], 2 * piece.half[1]
        return FurnitureGroup(
            (piece.at(0, depth / 2, piece.angle),), width, depth, front, tall=tall, corner=corner
        )

    def corner_chair(self) -> FurnitureGroup:
        """An armchair that looks into the room from a corner, at an angle."""
        piece = self.piece("armchair")
        side = float(np.hypot(piece.width, piece.depth))
        angle = 45.0 + float(self.rng.uniform(-12, 12))
        corner = "right"
        if self.rng.random() < 0.5:
            angle, corner = -angle, "left"
        return FurnitureGroup((piece.at(0, side / 2, angle),), side, side, 30, corner=corner)

    def bed(self, label: str, stands: int) -> FurnitureGroup:
        """A bed with its head to the wall and nightstands beside it."""
        bed = self.piece(label)
        stand = self.piece("nightstand")
        pieces = [bed.at(0, bed.depth / 2)]
        beside = bed.width / 2 + stand.width / 2 + self.clear * 1.3
        for side in (1, -1)[:stands]:
            pieces.append(stand.at(side * beside, stand.depth / 2))
        width = bed.width + 2 * (stand.width + self.clear * 1.3) * (stands > 0)
        if stands == 1:  # the other side stands free or at a wall
            pieces = [replace(p, x=p.x - (stand.width + self.clear * 1.3) / 2) for p in pieces]
            width = bed.width + stand.width + self.clear * 1.3
        return FurnitureGroup(tuple(pieces), width, bed.depth, 55)

    def lounge(self) -> FurnitureGroup:
        """A sofa, a table before it, sometimes armchairs beside that."""
        sofa, low = self.piece("sofa"), self.piece("coffee table")
        y = sofa.depth + 34 + low.depth / 2
        pieces = [sofa.at(0, sofa.depth / 2), low.at(0, y)]
        width, depth = max(sofa.width, low.width), y + low.depth / 2
        for side in (1, -1)[: int(self.rng.choice([0, 1, 2], p=[0.3, 0.45, 0.25]))]:
            chair = self.piece("armchair")
            x = low.width / 2 + 28 + chair.depth / 2
            seat = self.tilt(chair.at(side * x, y, 90 * side), 20)
            pieces.append(seat)
            width = max(width, 2 * (abs(seat.x) + seat.half[0] + 2))
            depth = max(depth, seat.y + seat.half[1] + 2)
        return FurnitureGroup(tuple(pieces), width, depth, 35)

    def dining(self, most: int = 8, label: str = "table") -> FurnitureGroup:
        """A table with chairs around it."""
        table = self.piece(label)
        chair = self.piece("chair")
        pieces: list[Piece] = []
        gap = self.gap(3)
        reach = gap + chair.depth + 8 * (self.options.tilt > 0)
        middle = (table.depth / 2) + reach
        if label == "round table":
            count = int(self.rng.integers(3, 6))
            turn = float(self.rng.choice([0, 45, 90]))
            for angle in turn + np.arange(count) * 360 / count:
                ((x, y),) = turned([(0, -table.depth / 2 - gap - chair.depth / 2)], angle).tolist()
                pieces.append(self.tilt(chair.at(x, y, float(angle)), 15))
        else:
            count = max(1, min(int(table.width // (chair.width + 16)), most // 2))
            for x in (np.arange(count) - (count - 1) / 2) * table.width / count:
                y = table.depth / 2 + gap + chair.depth / 2
                pieces.append(self.tilt(chair.at(float(x), -y, 0), 15))
                pieces.append(self.tilt(chair.at(float(x), y, 180), 15))
            if most > 2 * count + 1 and self.rng.random() < 0.5:
                x = table.width / 2 + gap + chair.depth / 2
                pieces += [chair.at(x, 0, 90), chair.at(-x, 0, 270)]
        everything = [table, *pieces]
        return FurnitureGroup(
            tuple(replace(p, y=p.y + middle) for p in everything),
            table.width + 2 * reach,
            2 * middle,
            20,
        )

    def breakfast(self) -> FurnitureGroup:
        """A table with one end at the wall and chairs along its sides."""
        table, chair = self.piece("table"), self.piece("chair")
        gap = self.gap(3)
        reach = gap + chair.depth + 8 * (self.options.tilt > 0)
        x = table.depth / 2 + gap + chair.depth / 2
        pieces = [table.at(0, table.width / 2, 90)]
        for y in (0.3, 0.72) if table.width > 2.4 * chair.width else (0.5,):
            pieces.append(self.tilt(chair.at(x, y * table.width, 90), 15))
            pieces.append(self.tilt(chair.at(-x, y * table.width, 270), 15))
        return FurnitureGroup(tuple(pieces), table.depth + 2 * reach, table.width, 20)

    def workplace(self, facing_room: bool) -> FurnitureGroup:
        """A desk with its chair, at the wall or looking into the room."""
        desk, chair = self.piece("desk"), self.piece("office chair")
        if desk.drawing.depth > 100:  # the chair sits in the desk's inner corner
            return self._corner_desk(desk, chair)
        gap = max(self.clear, 5)
        if facing_room:
            y = 45 + chair.depth
            pieces = [
                self.tilt(chair.at(0, 45 + chair.depth / 2), 30),
                desk.at(0, y + gap + desk.depth / 2, 180),
            ]
            depth = y + gap + desk.depth
            if self.rng.random() < 0.6:
                guest = self.piece("chair")
                for side in (1, -1):
                    x = side * desk.width / 4
                    pieces.append(
                        self.tilt(guest.at(x, depth + gap + guest.depth / 2 + 4, 180), 20)
                    )
                depth += gap + guest.depth + 8
            return FurnitureGroup(tuple(pieces), desk.width, depth, 20)
        y = desk.depth + gap + chair.depth / 2 + 3
        seat = self.tilt(chair.at(0, y, 180), 40)
        return FurnitureGroup(
            (desk.at(0, desk.depth / 2), seat), desk.width, y + chair.depth / 2 + 4, 20
        )

    def _corner_desk(self, desk: Piece, chair: Piece) -> FurnitureGroup:
        """The chair sits before the slanted edge in the desk's inner corner."""
        side = -1 if desk.mirrored else 1
        inner = (desk.drawing.depth + 45) / 2 * desk.scale  # middle of that edge, from both walls
        away = (chair.depth / 2 + 12 + self.clear) / 2**0.5
        x, y = side * (inner + away - desk.width / 2), inner + away
        seat = chair.at(x, y, 180 - side * 45)
        depth = max(desk.depth, y + (chair.width + chair.depth) / 2 / 2**0.5)
        corner = "right" if desk.mirrored else "left"
        return FurnitureGroup(
            (desk.at(0, desk.depth / 2), seat), desk.width, depth, 25, corner=corner
        )

    def counter(self, length: float) -> FurnitureGroup:
        """A kitchen counter at most this long, with what is built into it."""
        fridge, sink, stove = (self.piece(label) for label in ("fridge", "sink", "stove"))
        extra = [self.piece("dishwasher")] if self.rng.random() < 0.6 else []
        modules = [sink, *extra, stove]
        if self.rng.random() < 0.3:
            modules.append(self.piece("washing machine"))
        while len(modules) > 1 and fridge.width + sum(m.width + 14 for m in modules) + 25 > length:
            modules.pop(-1 if len(modules) > 3 else 1)
        depth = max(62.0, max(m.depth for m in modules) + 2.2 * self.clear)
        room = max(0.0, length - fridge.width - sum(m.width + 12 for m in modules) - 14)
        shares = self.rng.dirichlet(np.ones(len(modules)) * 2) * min(room, 60.0 * len(modules))
        x = fridge.width + self.clear
        pieces = [fridge.at(fridge.width / 2, fridge.depth / 2 + self.gap())]
        start = x + self.clear
        x = start
        for module, share in zip(modules, shares, strict=True):
            x += 6 + share / 2
            flush = self.rng.random() < self.options.touching and module.label != "sink"
            y = depth - module.depth / 2 if flush else depth / 2
            pieces.append(module.at(x + module.width / 2, y))
            x += module.width + 6 + share / 2
        half = x / 2
        pieces = [replace(p, x=p.x - half) for p in pieces]
        lines = (
            line(start - half, 0, start - half, depth),
            line(start - half, depth, x - half, depth),
            line(x - half, 0, x - half, depth),
        )
        return FurnitureGroup(tuple(pieces), x, max(depth, fridge.depth + self.clear), 60, lines)
