"""Removes from ink what nobody drew: the lines of the paper, specks, and what is too small."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.labelled_parts import label_parts
from spotlab.imaging.rulings import remove_rulings

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class CleanedInk:
    """What has been removed from the ink of a page.

    Attributes
    ----------
    rulings : int
        Pixels of the paper's lines.
    specks : int
        Connected components with too small an area.
    small : int
        Further ones with too short a side.
    """

    rulings: int
    specks: int
    small: int


def clean_ink(
    ink: Mask, *, rulings: bool = False, specks: int = 0, smallest: int = 0
) -> tuple[Mask, CleanedInk]:
    """Remove rulings, then specks, then components that are too small.

    Parameters
    ----------
    ink : (H, W) bool
    rulings : bool
        Remove the lines of squared and lined paper.
    specks : int
        Largest area of a speck in px; 0 removes none.
    smallest : int
        Shortest larger side of a component that stays, in px; 0 keeps all.

    Returns
    -------
    ink : (H, W) bool
    removed : CleanedInk

    Examples
    --------
    >>> ink = np.zeros((20, 20), bool)
    >>> ink[2, 2] = ink[5:7, 2:5] = ink[10, 3:18] = True
    >>> left, removed = clean_ink(ink, specks=1, smallest=4)
    >>> int(left.sum()), removed
    (15, CleanedInk(rulings=0, specks=1, small=1))
    """
    kept = remove_rulings(ink) if rulings else ink
    ruled = int(ink.sum() - kept.sum()) if rulings else 0
    if not (specks or smallest) or not kept.size:
        return kept, CleanedInk(ruled, 0, 0)
    number, facts = label_parts(kept, diagonal=True)
    is_speck = facts[:, cv2.CC_STAT_AREA] <= specks
    sides = facts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    is_small = (sides < smallest) & ~is_speck
    is_speck[0] = is_small[0] = False  # the paper
    left = np.asarray(kept & ~(is_speck | is_small)[number])
    return left, CleanedInk(ruled, int(is_speck.sum()), int(is_small.sum()))
