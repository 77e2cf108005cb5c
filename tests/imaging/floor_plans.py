"""A small floor plan, drawn with filled or with outlined walls."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

SIZE = (900, 700)  # width, height in px
LEFT, RIGHT, HALL = (112, 112, 394, 388), (406, 112, 788, 388), (112, 400, 788, 588)
DOORS = ((394, 230, 406, 280), (200, 388, 250, 400))  # left to right; left to the hall
WINDOW = (520, 100, 620, 112)
FRONT = (500, 588, 640, 600)  # a gap in the outer wall, with nothing drawn


def draw_plan(*, outlined: bool = False, front: bool = False) -> NDArray[np.uint8]:
    """Two rooms over a hall, with doors, a window, furniture and lettering; (H, W) grey."""
    walls = np.zeros(SIZE[::-1], np.uint8)
    walls[100:600, 100:800] = 1
    for left, top, right, bottom in (LEFT, RIGHT, HALL):
        walls[top:bottom, left:right] = 0
    for left, top, right, bottom in (*DOORS, WINDOW, *((FRONT,) if front else ())):
        walls[top:bottom, left:right] = 0
    page = np.full(walls.shape, 255, np.uint8)
    if outlined:
        rings, _ = cv2.findContours(walls, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(page, rings, -1, 0, 1)
    else:
        page[walls > 0] = 0
    left, top, right, bottom = WINDOW
    page[(top + bottom) // 2, left:right] = 0
    cv2.rectangle(page, (150, 150), (230, 260), 0, 1)  # a bed
    cv2.putText(page, "ROOM 12.5", (250, 340), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 0, 1)
    cv2.rectangle(page, (0, 640), (899, 641), 0, -1)  # a thin line below the plan
    return page
