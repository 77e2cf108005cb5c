"""Drawings of parts of the building itself, and of cars parked in it."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.collection import SymbolDrawing, SymbolKind
from spotlab.lab.draw.plans.strokes import arc, box, line, path, rungs


def _winding(steps: int, inner: float, outer: float) -> tuple[Points, ...]:
    """Steps around a post, over three quarters of a turn."""
    return tuple(
        line(
            outer + inner * np.cos(angle),
            outer + inner * np.sin(angle),
            outer + outer * np.cos(angle),
            outer + outer * np.sin(angle),
        )
        for angle in np.linspace(0, 1.75 * np.pi, steps)
    )


STAIRS = SymbolKind(
    "stairs",
    (
        SymbolDrawing(
            100,
            300,
            (
                box(0, 0, 100, 300),
                *rungs(0, 0, 100, 300, 12),
                line(50, 290, 50, 12),
                path((42, 26), (50, 10), (58, 26)),
            ),
        ),
        SymbolDrawing(
            205,
            290,
            (
                box(0, 0, 205, 290),
                *rungs(0, 95, 95, 290, 9),
                *rungs(110, 95, 205, 290, 9),
                box(95, 95, 110, 290),
                line(0, 95, 205, 95),
                path((47, 280), (47, 47), (157, 47), (157, 270)),
                path((150, 256), (157, 272), (164, 256)),
            ),
        ),
        SymbolDrawing(
            180,
            180,
            (
                arc(90, 90, 90),
                arc(90, 90, 10),
                *_winding(16, 10, 90),
                arc(90, 90, 55, 55, start=10, stop=290),
            ),
        ),
        SymbolDrawing(
            110,
            310,
            (
                box(0, 0, 110, 310),
                box(0, 0, 6, 310),
                box(104, 0, 110, 310),
                *rungs(6, 0, 104, 310, 13),
                line(6, 180, 104, 132),
                line(6, 188, 104, 140),
            ),
        ),
    ),
    smallest=0.96,
    largest=1.04,
)

ELEVATOR = SymbolKind(
    "lift",
    (
        SymbolDrawing(150, 150, (box(0, 0, 150, 150), line(0, 0, 150, 150), line(150, 0, 0, 150))),
        SymbolDrawing(
            150,
            160,
            (
                box(0, 0, 150, 150),
                box(12, 10, 138, 130),
                line(12, 10, 138, 130),
                line(138, 10, 12, 130),
                box(30, 150, 120, 156),
                line(75, 150, 75, 156),
                line(30, 156, 30, 160),
                line(120, 156, 120, 160),
                line(30, 160, 120, 160),
            ),
        ),
        SymbolDrawing(
            140,
            145,
            (
                box(0, 0, 140, 145),
                box(10, 10, 130, 120, 4),
                path((70, 35), (55, 60), (85, 60), (70, 35)),
                path((70, 95), (55, 70), (85, 70), (70, 95)),
                line(20, 138, 120, 138),
            ),
        ),
    ),
    smallest=0.95,
    largest=1.05,
)

CAR = SymbolKind(
    "car",
    (
        SymbolDrawing(
            180,
            430,
            (
                box(4, 0, 176, 430, 40),
                path(
                    (18, 130),
                    (34, 112),
                    (90, 104),
                    (146, 112),
                    (162, 130),
                    (148, 170),
                    (32, 170),
                    (18, 130),
                ),
                path((32, 350), (90, 340), (148, 350), (158, 380), (90, 392), (22, 380), (32, 350)),
                line(22, 150, 32, 350),
                line(158, 150, 148, 350),
                path((4, 140), (0, 146), (0, 156), (4, 158)),
                path((176, 140), (180, 146), (180, 156), (176, 158)),
            ),
        ),
        SymbolDrawing(
            170,
            400,
            (
                box(0, 0, 170, 400, 30),
                box(16, 110, 154, 360, 22),
                box(26, 165, 144, 320, 12),
                line(16, 125, 26, 172),
                line(154, 125, 144, 172),
                arc(24, 16, 12, 8),
                arc(146, 16, 12, 8),
            ),
        ),
        SymbolDrawing(
            178,
            420,
            (
                box(0, 0, 178, 420, 46),
                arc(89, 170, 74, 60, start=190, stop=350),
                arc(89, 210, 66, 50, start=200, stop=340),
                line(20, 165, 28, 195),
                line(158, 165, 150, 195),
                path((28, 195), (26, 340), (40, 372), (138, 372), (152, 340), (150, 195)),
                line(34, 345, 144, 345),
            ),
        ),
    ),
    smallest=0.97,
    largest=1.03,
)
