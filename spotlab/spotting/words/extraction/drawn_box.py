"""Cleans a box that was drawn around a word of what belongs to its neighbours."""

from __future__ import annotations

import numpy as np

from spotlab.extras import cv2
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.text_size import DARK, HEIGHT

_AROUND = 6.0  # heights of small letters around the box in which strokes are followed
_INSIDE = 0.5  # share of a stroke that has to lie in the box
_FEWEST = 0.3  # share of the box's ink that has to be left, or nothing is taken out


def clean_box(
    ink: InkMap, box: tuple[float, float, float, float], scale: float
) -> tuple[tuple[int, int], InkMap] | None:
    """Take out what leaves a box: connected strokes of which less than half lies in it.

    Where nearly all would go, because the word is connected to a ruling, nothing does.

    Returns None where there is nothing to take out.

    Parameters
    ----------
    ink : (H, W) float32
        Of the page, as `word_ink` gives it.
    box : (float, float, float, float)
        left, top, right, bottom in px.
    scale : float
        px of the channels per px of the page.

    Returns
    -------
    corner : (int, int)
        left and top in px of the part of the page that is returned.
    clean : (h, w) float32
        The ink in the box, nothing around it.

    Examples
    --------
    >>> ink = np.zeros((60, 200), np.float32)
    >>> ink[20:34, 50:90:10] = ink[38, :] = 1  # letters above a ruling
    >>> _, clean = clean_box(ink, (45, 15, 95, 45), 0.4)
    >>> int(clean.sum()), len(clean.sum(axis=1).nonzero()[0])
    (56, 14)
    """
    height, width = ink.shape
    around = _AROUND * HEIGHT / scale
    left, top = (max(0, int(edge - around)) for edge in box[:2])
    right, bottom = (
        min(size, int(np.ceil(edge + around)))
        for edge, size in zip(box[2:], (width, height), strict=True)
    )
    part = ink[top:bottom, left:right]
    inside = np.zeros(part.shape, np.bool_)
    low = [max(0, round(edge - start)) for edge, start in zip(box[:2], (left, top), strict=True)]
    inside[low[1] : max(0, round(box[3] - top)), low[0] : max(0, round(box[2] - left))] = True
    strokes = (part > DARK).astype(np.uint8)
    count, labels = cv2.connectedComponents(strokes, connectivity=8)
    total = np.bincount(labels.ravel(), minlength=count)
    within = np.bincount(labels[inside], minlength=count)
    leaves = within < _INSIDE * total
    leaves[0] = False
    if within[1:][~leaves[1:]].sum() < _FEWEST * within[1:].sum():
        return None
    if not within[leaves].any():
        return None
    foreign = cv2.dilate(leaves[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    foreign &= (strokes == 0) | leaves[labels]  # their grey edges, nobody else's strokes
    clean = np.where(inside & ~foreign, part, 0).astype(np.float32)
    return (left, top), clean
