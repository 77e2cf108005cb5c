"""Drawings of bathroom fixtures."""

from __future__ import annotations

from spotlab.lab.draw.collection import SymbolDrawing, SymbolKind
from spotlab.lab.draw.plans.strokes import arc, box, line, path, spokes

WASHBASIN = SymbolKind(
    "washbasin",
    (
        SymbolDrawing(
            60, 48, (box(0, 0, 60, 48, 6), arc(30, 27, 23, 16), arc(30, 9, 3), arc(30, 26, 2))
        ),
        SymbolDrawing(
            56,
            44,
            (
                path((0, 0), (56, 0)),
                arc(28, 16, 28, 28, start=0, stop=180),
                line(0, 0, 0, 16),
                line(56, 0, 56, 16),
                arc(28, 20, 20, 15),
                line(28, 4, 28, 14),
            ),
        ),
        SymbolDrawing(
            64, 50, (box(0, 0, 64, 50), box(8, 12, 56, 44, 10), arc(32, 28, 3), line(32, 3, 32, 16))
        ),
        SymbolDrawing(
            52, 42, (arc(26, 21, 26, 21), arc(26, 23, 18, 13), arc(26, 7, 2.5), line(26, 9, 26, 17))
        ),
    ),
)

TOILET = SymbolKind(
    "toilet",
    (
        SymbolDrawing(40, 68, (box(0, 0, 40, 18, 3), arc(20, 43, 18, 25), arc(20, 44, 12, 17))),
        SymbolDrawing(
            38,
            66,
            (
                box(0, 0, 38, 16),
                path((6, 16), (3, 40)),
                path((32, 16), (35, 40)),
                arc(19, 40, 16, 26, start=0, stop=180),
                arc(19, 40, 10, 17),
            ),
        ),
        SymbolDrawing(
            36,
            58,
            (
                path((2, 30), (2, 4), (6, 0), (30, 0), (34, 4), (34, 30)),
                arc(18, 30, 16, 28, start=0, stop=180),
                arc(18, 33, 11, 17),
                line(2, 12, 34, 12),
            ),
        ),
        SymbolDrawing(
            42, 70, (box(0, 0, 42, 20, 4), arc(21, 9, 3), arc(21, 45, 17, 25), line(11, 24, 31, 24))
        ),
    ),
)

BATHTUB = SymbolKind(
    "bathtub",
    (
        SymbolDrawing(170, 75, (box(0, 0, 170, 75), box(8, 8, 162, 67, 22), arc(24, 37.5, 4))),
        SymbolDrawing(
            165,
            72,
            (
                box(0, 0, 165, 72),
                path((130, 8), (14, 8), (8, 14), (8, 58), (14, 64), (130, 64)),
                arc(130, 36, 27, 28, start=-90, stop=90),
                arc(20, 36, 3.5),
                line(0, 36, 12, 36),
            ),
        ),
        SymbolDrawing(
            160, 72, (box(0, 0, 160, 72, 10), arc(80, 36, 70, 28), arc(28, 36, 4), arc(28, 36, 1.5))
        ),
        SymbolDrawing(
            175,
            80,
            (
                box(0, 0, 175, 80),
                box(10, 10, 165, 70, 14),
                box(16, 16, 159, 64, 10),
                arc(30, 40, 3),
                line(4, 34, 4, 46),
                line(2, 40, 12, 40),
            ),
        ),
    ),
)

SHOWER = SymbolKind(
    "shower",
    (
        SymbolDrawing(
            90, 90, (box(0, 0, 90, 90), line(0, 0, 90, 90), line(90, 0, 0, 90), arc(45, 45, 5))
        ),
        SymbolDrawing(
            90,
            90,
            (
                path((90, 45), (90, 0), (0, 0), (0, 90), (45, 90)),
                arc(45, 45, 45, 45, start=0, stop=90),
                arc(20, 20, 6),
                path((84, 45), (84, 6), (6, 6), (6, 84), (45, 84)),
                arc(45, 45, 39, 39, start=0, stop=90),
            ),
        ),
        SymbolDrawing(
            85,
            85,
            (
                box(0, 0, 85, 85),
                box(6, 6, 79, 79, 8),
                arc(42.5, 42.5, 8),
                *spokes(42.5, 42.5, 12, 24, 8),
            ),
        ),
        SymbolDrawing(
            100,
            80,
            (
                box(0, 0, 100, 80),
                arc(16, 16, 7),
                *(line(8, 30 + 9 * i, 92, 30 + 9 * i) for i in range(5)),
            ),
        ),
    ),
)

BIDET = SymbolKind(
    "bidet",
    (
        SymbolDrawing(
            37,
            56,
            (
                path((1, 28), (1, 0), (36, 0), (36, 28)),
                arc(18.5, 28, 17.5, 28, start=0, stop=180),
                arc(18.5, 30, 12, 19),
                arc(18.5, 6, 2.5),
            ),
        ),
        SymbolDrawing(38, 58, (arc(19, 29, 19, 29), arc(19, 33, 12, 18), line(12, 8, 26, 8))),
        SymbolDrawing(
            36,
            54,
            (box(0, 0, 36, 54, 14), box(7, 14, 29, 48, 9), arc(18, 31, 2), line(18, 3, 18, 14)),
        ),
    ),
)

WASHING_MACHINE = SymbolKind(
    "washing machine",
    (
        SymbolDrawing(60, 60, (box(0, 0, 60, 60), arc(30, 32, 19), line(0, 8, 60, 8))),
        SymbolDrawing(
            60, 58, (box(0, 0, 60, 58, 3), arc(30, 30, 20), arc(30, 30, 14), arc(8, 5, 2))
        ),
        SymbolDrawing(
            60,
            62,
            (
                box(0, 0, 60, 62),
                box(5, 13, 55, 57, 5),
                line(5, 6, 25, 6),
                arc(50, 6.5, 3),
                arc(30, 35, 12),
            ),
        ),
    ),
)
