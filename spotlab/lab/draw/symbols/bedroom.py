"""Drawings of bedroom furniture."""

from __future__ import annotations

from spotlab.arrays import Points
from spotlab.lab.draw.collection import SymbolDrawing, SymbolKind
from spotlab.lab.draw.plans.strokes import arc, box, line, path, posts

BED = SymbolKind(
    "bed",
    (
        SymbolDrawing(90, 200, (box(0, 0, 90, 200), box(12, 10, 78, 42, 6), line(0, 58, 90, 58))),
        SymbolDrawing(
            95,
            205,
            (
                box(0, 0, 95, 6),
                box(3, 6, 92, 205, 4),
                box(14, 14, 81, 48, 12),
                path((3, 66), (58, 66), (92, 100)),
                path((58, 66), (58, 100), (92, 100)),
            ),
        ),
        SymbolDrawing(
            90,
            200,
            (
                box(0, 0, 90, 200, 8),
                box(10, 8, 80, 45, 10),
                line(0, 62, 90, 62),
                line(0, 74, 90, 74),
            ),
        ),
        SymbolDrawing(
            100,
            200,
            (
                box(0, 0, 100, 200),
                box(15, 8, 85, 40),
                path((0, 55), (100, 55)),
                line(100, 55, 0, 200),
            ),
        ),
    ),
)


def _double(width: float, depth: float, radius: float, *more: Points) -> SymbolDrawing:
    half = width / 2
    pillows = (box(10, 10, half - 5, 46, radius), box(half + 5, 10, width - 10, 46, radius))
    return SymbolDrawing(width, depth, (box(0, 0, width, depth, radius / 2), *pillows, *more))


DOUBLE_BED = SymbolKind(
    "double bed",
    (
        _double(160, 200, 5, line(0, 62, 160, 62)),
        _double(
            180,
            205,
            12,
            path((0, 66), (120, 66), (180, 126)),
            path((120, 66), (120, 126), (180, 126)),
        ),
        _double(160, 205, 0, line(0, 60, 160, 60), line(0, 72, 160, 72), line(80, 72, 80, 205)),
        SymbolDrawing(
            180,
            212,
            (
                box(0, 0, 180, 8, 3),
                box(6, 8, 174, 212, 6),
                box(16, 18, 84, 52, 9),
                box(96, 18, 164, 52, 9),
                arc(90, 40, 82, 30, start=160, stop=20),
            ),
        ),
    ),
)

NIGHTSTAND = SymbolKind(
    "nightstand",
    (
        SymbolDrawing(45, 40, (box(0, 0, 45, 40), arc(22.5, 20, 11))),
        SymbolDrawing(
            42,
            42,
            (box(0, 0, 42, 42, 5), arc(21, 21, 12), line(21, 13, 21, 29), line(13, 21, 29, 21)),
        ),
        SymbolDrawing(48, 38, (box(0, 0, 48, 38), line(0, 32, 48, 32), line(19, 35, 29, 35))),
        SymbolDrawing(42, 42, (arc(21, 21, 21), arc(21, 21, 9))),
    ),
)


def _hangers(width: float, depth: float, count: int, slant: float) -> tuple[Points, ...]:
    step = (width - 20) / count
    return tuple(
        line(10 + step * (i + 0.5) - slant, 12, 10 + step * (i + 0.5) + slant, depth - 12)
        for i in range(count)
    )


WARDROBE = SymbolKind(
    "wardrobe",
    (
        SymbolDrawing(160, 60, (box(0, 0, 160, 60), line(0, 0, 160, 60), line(160, 0, 0, 60))),
        SymbolDrawing(
            180, 60, (box(0, 0, 180, 60), line(8, 30, 172, 30), *_hangers(180, 60, 9, 3))
        ),
        SymbolDrawing(
            200,
            62,
            (
                box(0, 0, 200, 62),
                box(4, 4, 98, 56),
                box(102, 4, 196, 56),
                line(4, 30, 98, 30),
                line(102, 30, 196, 30),
            ),
        ),
        SymbolDrawing(
            150,
            60,
            (
                box(0, 0, 150, 54),
                *posts(0, 0, 150, 54, 3),
                line(15, 57, 35, 57),
                line(65, 57, 85, 57),
                line(115, 57, 135, 57),
                line(0, 54, 0, 60),
                line(150, 54, 150, 60),
                line(0, 60, 150, 60),
            ),
        ),
    ),
    smallest=0.85,
    largest=1.15,
)

DRESSER = SymbolKind(
    "chest of drawers",
    (
        SymbolDrawing(110, 48, (box(0, 0, 110, 48), line(0, 40, 110, 40), line(55, 40, 55, 48))),
        SymbolDrawing(100, 46, (box(0, 0, 100, 46), box(5, 5, 95, 41), line(42, 43.5, 58, 43.5))),
        SymbolDrawing(120, 50, (box(0, 0, 120, 50), *posts(0, 0, 120, 50, 3), arc(60, 18, 14, 8))),
    ),
)

DRESSING_TABLE = SymbolKind(
    "dressing table",
    (
        SymbolDrawing(
            110,
            78,
            (
                box(0, 4, 110, 48),
                path((22, 4), (16, 0), (94, 0), (88, 4)),
                arc(55, 26, 24, 12),
                arc(55, 62, 16),
            ),
        ),
        SymbolDrawing(
            100,
            80,
            (
                path((0, 0), (100, 0), (100, 40), (72, 40), (66, 32), (34, 32), (28, 40), (0, 40)),
                line(0, 0, 0, 40),
                line(14, 6, 86, 6),
                box(34, 44, 66, 80, 7),
            ),
        ),
        SymbolDrawing(
            120,
            74,
            (
                box(0, 0, 120, 44, 4),
                line(40, 4, 80, 4),
                line(40, 4, 28, 14),
                line(80, 4, 92, 14),
                box(8, 18, 34, 38),
                box(86, 18, 112, 38),
                arc(60, 58, 16, 14),
            ),
        ),
    ),
    further=True,
)

CRIB = SymbolKind(
    "cot",
    (
        SymbolDrawing(70, 130, (box(0, 0, 70, 130), box(5, 5, 65, 125), box(14, 12, 56, 34, 6))),
        SymbolDrawing(
            66,
            126,
            (
                box(0, 0, 66, 126, 8),
                *posts(0, 46, 66, 126, 5),
                arc(33, 24, 20, 11),
                line(0, 46, 66, 46),
            ),
        ),
        SymbolDrawing(
            70,
            130,
            (box(0, 0, 70, 130), line(6, 44, 64, 44), box(6, 6, 64, 124, 10), arc(35, 25, 18, 10)),
        ),
    ),
)
