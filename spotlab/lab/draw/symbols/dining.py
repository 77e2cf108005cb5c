"""Drawings of furniture for dining and working."""

from __future__ import annotations

from spotlab.lab.draw.collection import SymbolDrawing, SymbolKind
from spotlab.lab.draw.plans.strokes import arc, box, line, path, posts, rungs, spokes

TABLE = SymbolKind(
    "table",
    (
        SymbolDrawing(140, 85, (box(0, 0, 140, 85),)),
        SymbolDrawing(160, 90, (box(0, 0, 160, 90, 8), box(6, 6, 154, 84, 5))),
        SymbolDrawing(180, 95, (box(0, 0, 180, 95), line(60, 0, 60, 95), line(120, 0, 120, 95))),
        SymbolDrawing(
            150,
            85,
            (box(0, 0, 150, 85), line(20, 70, 60, 15), line(32, 75, 72, 20), line(85, 65, 115, 25)),
        ),
    ),
)

CONFERENCE_TABLE = SymbolKind(
    "conference table",
    (
        SymbolDrawing(260, 110, (box(0, 0, 260, 110, 12), line(130, 0, 130, 110))),
        SymbolDrawing(280, 115, (box(0, 0, 280, 115, 57), box(12, 12, 268, 103, 45))),
        SymbolDrawing(
            300,
            120,
            (
                path((20, 0), (280, 0)),
                path((20, 120), (280, 120)),
                arc(20, 60, 20, 60, start=90, stop=270),
                arc(280, 60, 20, 60, start=-90, stop=90),
                box(110, 50, 190, 70, 4),
            ),
        ),
    ),
    smallest=0.9,
    largest=1.1,
)

ROUND_TABLE = SymbolKind(
    "round table",
    (
        SymbolDrawing(110, 110, (arc(55, 55, 55),)),
        SymbolDrawing(100, 100, (arc(50, 50, 50), arc(50, 50, 44))),
        SymbolDrawing(120, 120, (arc(60, 60, 60), arc(60, 60, 14), *spokes(60, 60, 20, 26, 6))),
    ),
    smallest=0.85,
)

CHAIR = SymbolKind(
    "chair",
    (
        SymbolDrawing(44, 46, (box(0, 6, 44, 46, 5), box(2, 0, 42, 6, 2))),
        SymbolDrawing(
            42,
            44,
            (
                path((2, 44), (0, 8), (42, 8), (40, 44), (2, 44)),
                arc(21, 12, 23, 12, start=205, stop=335),
            ),
        ),
        SymbolDrawing(42, 46, (box(0, 0, 42, 46), line(0, 8, 42, 8))),
        SymbolDrawing(44, 44, (arc(22, 24, 20), arc(22, 22, 22, 22, start=200, stop=340))),
        SymbolDrawing(
            46,
            48,
            (box(3, 8, 43, 48, 8), path((0, 14), (0, 4), (4, 0), (42, 0), (46, 4), (46, 14))),
        ),
    ),
)

DESK = SymbolKind(
    "desk",
    (
        SymbolDrawing(
            140,
            70,
            (
                box(0, 0, 140, 70),
                box(48, 8, 92, 14),
                path((64, 14), (60, 22), (80, 22), (76, 14)),
                box(46, 34, 94, 48),
            ),
        ),
        SymbolDrawing(
            150,
            72,
            (
                box(0, 0, 150, 72),
                box(110, 6, 144, 66),
                line(110, 26, 144, 26),
                line(110, 46, 144, 46),
            ),
        ),
        SymbolDrawing(
            130,
            65,
            (box(0, 0, 130, 65), box(92, 12, 116, 46), arc(22, 18, 11), line(22, 18, 36, 32)),
        ),
        SymbolDrawing(
            160,
            120,
            (
                path((0, 0), (160, 0), (160, 70), (95, 70), (70, 95), (70, 120), (0, 120), (0, 0)),
                path((18, 50), (50, 18), (58, 26), (26, 58), (18, 50)),
                path((46, 66), (66, 46), (76, 56), (56, 76), (46, 66)),
            ),
        ),
    ),
)

OFFICE_CHAIR = SymbolKind(
    "office chair",
    (
        SymbolDrawing(
            56,
            56,
            (
                box(10, 10, 46, 48, 9),
                path((6, 8), (14, 2), (42, 2), (50, 8)),
                line(4, 22, 4, 42),
                line(52, 22, 52, 42),
                line(4, 32, 10, 32),
                line(52, 32, 46, 32),
            ),
        ),
        SymbolDrawing(
            58,
            58,
            (arc(29, 30, 19), arc(29, 29, 28, 28, start=215, stop=325), *spokes(29, 30, 21, 27, 5)),
        ),
        SymbolDrawing(
            54,
            56,
            (
                box(8, 12, 46, 54, 6),
                box(10, 0, 44, 8, 3),
                box(0, 20, 6, 44, 2),
                box(48, 20, 54, 44, 2),
                line(27, 8, 27, 12),
            ),
        ),
    ),
)

FILING_CABINET = SymbolKind(
    "filing cabinet",
    (
        SymbolDrawing(
            47,
            92,
            (box(0, 0, 47, 62), path((4, 62), (4, 90), (43, 90), (43, 62)), box(16, 90, 31, 92)),
        ),
        SymbolDrawing(
            90,
            48,
            (
                box(0, 0, 90, 42),
                line(45, 0, 45, 42),
                line(0, 0, 45, 42),
                line(90, 0, 45, 42),
                box(14, 42, 31, 48),
                box(59, 42, 76, 48),
            ),
        ),
        SymbolDrawing(
            50,
            64,
            (box(0, 0, 50, 64), box(6, 8, 44, 50), *rungs(6, 8, 44, 50, 4), line(18, 57, 32, 57)),
        ),
    ),
    further=True,
)

STOOL = SymbolKind(
    "stool",
    (
        SymbolDrawing(36, 36, (arc(18, 18, 18),)),
        SymbolDrawing(36, 36, (arc(18, 18, 18), arc(18, 18, 14))),
        SymbolDrawing(34, 34, (box(0, 0, 34, 34, 5), line(0, 0, 34, 34), line(34, 0, 0, 34))),
    ),
    smallest=0.9,
)

SIDEBOARD = SymbolKind(
    "sideboard",
    (
        SymbolDrawing(
            150, 45, (box(0, 0, 150, 45), *posts(0, 38, 150, 45, 3), line(0, 38, 150, 38))
        ),
        SymbolDrawing(
            160, 46, (box(0, 0, 160, 46, 3), box(50, 12, 110, 32, 8), line(0, 40, 160, 40))
        ),
        SymbolDrawing(
            140,
            44,
            (box(0, 0, 140, 44), *posts(0, 0, 140, 44, 2), arc(35, 22, 10), arc(105, 22, 10)),
        ),
    ),
)
