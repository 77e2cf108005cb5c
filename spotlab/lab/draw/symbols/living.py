"""Drawings of living-room furniture."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.collection import SymbolDrawing, SymbolKind
from spotlab.lab.draw.plans.strokes import arc, box, line, path, posts


def _seats(
    width: float, depth: float, arm: float, back: float, count: int, *, radius: float
) -> tuple[Points, ...]:
    """A seat with a back and two arms, its cushions side by side."""
    inner = np.linspace(arm, width - arm, count + 1)
    cushions = tuple(
        box(left + 1.5, back + 1.5, right - 1.5, depth - 2, radius)
        for left, right in pairwise(inner.tolist())
    )
    return (box(0, 0, width, depth, radius), *cushions)


def _framed(width: float, depth: float, arm: float, back: float, count: int) -> tuple[Points, ...]:
    """The same in plain lines, as programs draw it."""
    return (
        box(0, 0, width, depth),
        path((arm, depth), (arm, back), (width - arm, back), (width - arm, depth)),
        *posts(arm, back, width - arm, depth, count),
    )


SOFA = SymbolKind(
    "sofa",
    (
        SymbolDrawing(200, 88, _seats(200, 88, 18, 22, 3, radius=7)),
        SymbolDrawing(160, 85, _framed(160, 85, 15, 20, 2)),
        SymbolDrawing(
            190,
            86,
            (
                box(0, 14, 18, 86, 8),
                box(172, 14, 190, 86, 8),
                box(10, 0, 180, 22, 8),
                path((18, 84), (172, 84)),
                line(95, 22, 95, 84),
                box(30, 24, 62, 38, 5),
                box(128, 24, 160, 38, 5),
            ),
        ),
        SymbolDrawing(210, 90, _framed(210, 90, 16, 24, 3)),
    ),
)

CORNER_SOFA = SymbolKind(
    "corner sofa",
    (
        SymbolDrawing(
            250,
            180,
            (
                path((0, 0), (250, 0), (250, 85), (85, 85), (85, 180), (0, 180), (0, 0)),
                path((250, 20), (20, 20), (20, 180)),
                line(85, 20, 85, 85),
                line(20, 85, 85, 85),
                line(168, 20, 168, 85),
            ),
        ),
        SymbolDrawing(
            240,
            170,
            (
                path((8, 0), (240, 0), (240, 88), (88, 88), (88, 170), (0, 170), (0, 8), (8, 0)),
                box(22, 22, 86, 84, 6),
                box(90, 22, 154, 84, 6),
                box(158, 22, 222, 84, 6),
                box(22, 90, 84, 166, 6),
                line(224, 0, 224, 88),
            ),
        ),
        SymbolDrawing(
            260,
            190,
            (
                path((0, 0), (260, 0), (260, 90), (92, 90), (92, 190), (0, 190), (0, 0)),
                line(0, 22, 260, 22),
                line(22, 22, 22, 190),
                box(30, 28, 60, 58, 6),
                line(176, 22, 176, 90),
            ),
        ),
    ),
    smallest=0.92,
    largest=1.04,
)

ARMCHAIR = SymbolKind(
    "armchair",
    (
        SymbolDrawing(82, 80, _seats(82, 80, 16, 20, 1, radius=8)),
        SymbolDrawing(78, 78, _framed(78, 78, 14, 18, 1)),
        SymbolDrawing(
            80,
            78,
            (
                arc(40, 40, 40, 40, start=180, stop=360),
                path((0, 40), (0, 78), (16, 78), (16, 40)),
                path((80, 40), (80, 78), (64, 78), (64, 40)),
                arc(40, 40, 24, 24, start=180, stop=360),
                line(16, 74, 64, 74),
            ),
        ),
        SymbolDrawing(
            80,
            82,
            (
                box(0, 16, 15, 78, 7),
                box(65, 16, 80, 78, 7),
                box(8, 0, 72, 20, 8),
                box(16, 21, 64, 82, 6),
            ),
        ),
    ),
)

COFFEE_TABLE = SymbolKind(
    "coffee table",
    (
        SymbolDrawing(110, 60, (box(0, 0, 110, 60), box(5, 5, 105, 55))),
        SymbolDrawing(100, 56, (arc(50, 28, 50, 28), arc(50, 28, 43, 22))),
        SymbolDrawing(80, 80, (arc(40, 40, 40), arc(40, 40, 35))),
        SymbolDrawing(
            105,
            58,
            (
                box(0, 0, 105, 58, 8),
                line(20, 46, 50, 12),
                line(32, 48, 62, 14),
                line(60, 44, 82, 20),
            ),
        ),
    ),
)

TELEVISION = SymbolKind(
    "television",
    (
        SymbolDrawing(
            140,
            42,
            (
                box(0, 0, 140, 42),
                box(20, 12, 120, 19),
                path((60, 19), (55, 26), (85, 26), (80, 19)),
            ),
        ),
        SymbolDrawing(
            120,
            45,
            (
                box(0, 0, 120, 45, 3),
                path((25, 8), (95, 8), (85, 34), (35, 34), (25, 8)),
                line(32, 28, 88, 28),
            ),
        ),
        SymbolDrawing(
            150,
            40,
            (
                box(0, 0, 150, 40),
                *posts(0, 30, 150, 40, 3),
                line(0, 30, 150, 30),
                box(30, 10, 120, 15),
            ),
        ),
    ),
)

BOOKSHELF = SymbolKind(
    "bookshelf",
    (
        SymbolDrawing(
            120,
            32,
            (
                box(0, 0, 120, 32),
                *posts(0, 0, 120, 32, 3),
                line(0, 0, 40, 32),
                line(40, 0, 80, 32),
                line(80, 0, 120, 32),
            ),
        ),
        SymbolDrawing(
            140,
            30,
            (
                box(0, 0, 140, 30),
                line(70, 0, 70, 30),
                *(line(6 + 7 * i, 5, 6 + 7 * i, 24) for i in range(9)),
                *(line(78 + 7 * i, 5, 78 + 7 * i, 24) for i in range(5)),
                line(116, 5, 124, 24),
                line(4, 26, 66, 26),
                line(74, 26, 136, 26),
            ),
        ),
        SymbolDrawing(
            100,
            34,
            (
                box(0, 0, 100, 34),
                line(0, 28, 100, 28),
                line(50, 0, 50, 28),
                line(0, 0, 50, 28),
                line(50, 28, 100, 0),
            ),
        ),
    ),
    smallest=0.9,
    largest=1.15,
)
