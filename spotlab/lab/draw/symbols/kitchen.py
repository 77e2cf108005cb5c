"""Drawings of kitchen fixtures and appliances."""

from __future__ import annotations

from spotlab.arrays import Points
from spotlab.lab.draw.collection import SymbolDrawing, SymbolKind
from spotlab.lab.draw.plans.strokes import arc, box, line, path, posts, rungs, spokes

SINK = SymbolKind(
    "sink",
    (
        SymbolDrawing(
            90,
            48,
            (
                box(0, 0, 90, 48, 3),
                box(6, 10, 44, 42, 5),
                arc(25, 26, 3),
                *posts(50, 10, 84, 42, 7),
            ),
        ),
        SymbolDrawing(
            80,
            48,
            (
                box(0, 0, 80, 48),
                box(5, 11, 37, 43, 6),
                box(43, 11, 75, 43, 6),
                arc(21, 27, 2.5),
                arc(59, 27, 2.5),
                line(40, 3, 40, 16),
            ),
        ),
        SymbolDrawing(
            58,
            48,
            (
                box(0, 0, 58, 48, 8),
                box(6, 12, 52, 43, 10),
                arc(29, 28, 3),
                arc(29, 6, 2.5),
                line(29, 6, 29, 18),
            ),
        ),
        SymbolDrawing(
            96,
            50,
            (
                box(0, 0, 96, 50),
                arc(24, 27, 17),
                arc(24, 27, 2.5),
                *rungs(48, 8, 90, 44, 6),
                line(24, 3, 24, 12),
            ),
        ),
    ),
)


def _burners(radii: tuple[float, float, float, float], inner: float) -> tuple[Points, ...]:
    centres = ((16, 16), (42, 16), (16, 40), (42, 40))
    rings = tuple(arc(x, y, r) for (x, y), r in zip(centres, radii, strict=True))
    return rings + tuple(arc(x, y, inner) for x, y in centres)


STOVE = SymbolKind(
    "stove",
    (
        SymbolDrawing(58, 56, (box(0, 0, 58, 56), *_burners((9, 11, 11, 9), 4))),
        SymbolDrawing(
            58,
            56,
            (
                box(0, 0, 58, 56, 4),
                *_burners((10, 8, 8, 10), 1.5),
                *(
                    s
                    for x, y in ((16, 16), (42, 16), (16, 40), (42, 40))
                    for s in spokes(x, y, 4, 12, 4)
                ),
            ),
        ),
        SymbolDrawing(
            60,
            60,
            (
                box(0, 0, 60, 60),
                line(0, 9, 60, 9),
                *(arc(12 + 12 * i, 4.5, 2) for i in range(4)),
                *(arc(x, y, r) for x, y, r in ((17, 22, 9), (43, 22, 9), (17, 46, 9), (43, 46, 9))),
            ),
        ),
        SymbolDrawing(
            75,
            52,
            (
                box(0, 0, 75, 52, 3),
                arc(15, 15, 9),
                arc(15, 38, 8),
                arc(60, 15, 8),
                arc(60, 38, 9),
                arc(37.5, 26, 12),
                arc(37.5, 26, 7),
            ),
        ),
    ),
    smallest=0.95,
    largest=1.03,
)

FRIDGE = SymbolKind(
    "fridge",
    (
        SymbolDrawing(
            62, 64, (box(0, 0, 62, 58), box(0, 58, 62, 64), line(0, 0, 62, 58), line(62, 0, 0, 58))
        ),
        SymbolDrawing(60, 62, (box(0, 0, 60, 62), line(0, 54, 60, 54), *spokes(30, 27, 0, 17, 6))),
        SymbolDrawing(
            64,
            66,
            (
                box(0, 0, 64, 60, 3),
                path((2, 60), (2, 66), (62, 66), (62, 60)),
                line(50, 63, 58, 63),
                line(0, 8, 64, 8),
            ),
        ),
        SymbolDrawing(
            90,
            66,
            (
                box(0, 0, 90, 60),
                line(45, 60, 45, 66),
                box(0, 60, 90, 66),
                line(45, 0, 45, 60),
                line(38, 69 - 6, 42, 69 - 6),
            ),
        ),
    ),
)

DISHWASHER = SymbolKind(
    "dishwasher",
    (
        SymbolDrawing(
            58,
            56,
            (box(0, 0, 58, 56), line(0, 49, 58, 49), line(18, 52.5, 40, 52.5), line(0, 0, 58, 49)),
        ),
        SymbolDrawing(58, 56, (box(0, 0, 58, 56), box(6, 6, 52, 46, 4), *posts(6, 6, 52, 46, 6))),
        SymbolDrawing(
            60,
            58,
            (
                box(0, 0, 60, 58, 3),
                arc(30, 26, 16),
                arc(30, 26, 9),
                line(10, 51, 50, 51),
                line(30, 10, 30, 42),
            ),
        ),
    ),
    smallest=0.95,
    largest=1.02,
)
