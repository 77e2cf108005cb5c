"""Drawings of pianos, fireplaces and plants, which make a room homely."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.collection import SymbolDrawing, SymbolKind
from spotlab.lab.draw.plans.strokes import arc, box, line, path, posts, spokes

PIANO = SymbolKind(
    "piano",
    (
        SymbolDrawing(
            150,
            160,
            (
                path((0, 0), (150, 0)),
                line(0, 0, 0, 30),
                line(150, 0, 150, 30),
                line(0, 30, 150, 30),
                path(
                    (0, 30),
                    (0, 125),
                    (6, 148),
                    (22, 159),
                    (44, 160),
                    (62, 150),
                    (74, 130),
                    (86, 108),
                    (108, 90),
                    (134, 78),
                    (150, 60),
                    (150, 30),
                ),
                *posts(8, 6, 142, 24, 14),
                box(8, 6, 142, 24),
            ),
        ),
        SymbolDrawing(
            148,
            62,
            (
                box(0, 0, 148, 38),
                box(4, 38, 144, 62),
                *posts(4, 48, 144, 62, 16),
                line(4, 48, 144, 48),
            ),
        ),
        SymbolDrawing(
            145,
            92,
            (
                box(0, 0, 145, 34),
                box(5, 34, 140, 58),
                *posts(5, 44, 140, 58, 20),
                box(45, 68, 100, 92, 4),
                line(5, 44, 140, 44),
                line(0, 10, 145, 10),
            ),
        ),
    ),
)

FIREPLACE = SymbolKind(
    "fireplace",
    (
        SymbolDrawing(
            130,
            50,
            (
                path(
                    (0, 0),
                    (0, 50),
                    (25, 50),
                    (38, 14),
                    (92, 14),
                    (105, 50),
                    (130, 50),
                    (130, 0),
                    (0, 0),
                ),
                line(25, 50, 105, 50),
            ),
        ),
        SymbolDrawing(
            120,
            55,
            (
                box(0, 0, 120, 45),
                path((20, 45), (32, 12), (88, 12), (100, 45)),
                line(10, 45, 10, 55),
                line(110, 45, 110, 55),
                line(10, 55, 110, 55),
            ),
        ),
        SymbolDrawing(
            110,
            48,
            (box(0, 0, 110, 48), box(20, 10, 90, 48), line(32, 40, 78, 22), line(32, 22, 78, 40)),
        ),
    ),
)


def _leaves(centre: float, radius: float, count: int) -> tuple[Points, ...]:
    """Pointed leaves around a centre."""
    found = []
    for angle in np.arange(count) * 2 * np.pi / count:
        tip = np.array([np.cos(angle), np.sin(angle)])
        side = np.array([-tip[1], tip[0]])
        along = np.array([0, 0.35, 0.65, 1.0])[:, None] * radius
        bulge = np.array([0, 0.16, 0.15, 0])[:, None] * radius
        there = along * tip + bulge * side
        back = along * tip - bulge * side
        found.append(np.vstack([there, back[-2::-1]]) + centre)
    return tuple(found)


PLANT = SymbolKind(
    "plant",
    (
        SymbolDrawing(50, 50, (arc(25, 25, 12), *spokes(25, 25, 0, 25, 10))),
        SymbolDrawing(56, 56, _leaves(28, 28, 7)),
        SymbolDrawing(
            50,
            50,
            (
                *(
                    arc(25 + 16 * c, 25 + 16 * s, 9)
                    for c, s in (
                        (1, 0),
                        (0.5, 0.87),
                        (-0.5, 0.87),
                        (-1, 0),
                        (-0.5, -0.87),
                        (0.5, -0.87),
                    )
                ),
                arc(25, 25, 8),
            ),
        ),
        SymbolDrawing(48, 48, (box(6, 6, 42, 42), arc(24, 24, 18), *spokes(24, 24, 3, 24, 8))),
    ),
    smallest=0.85,
    largest=1.2,
)
