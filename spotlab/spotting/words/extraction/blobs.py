"""Blobs of smeared writing: at each width and height of the smear, whole and cut between lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes
from spotlab.extras import cv2
from spotlab.spotting.words.extraction.strokes import Strokes
from spotlab.spotting.words.extraction.text_size import HEIGHT

# in heights of small letters
_WIDTHS = (0.1, 0.17, 0.25, 0.38, 0.5, 0.65, 0.82, 1.0, 1.25)
_HEIGHTS = (0.12, 0.25)
_SHARES = (0.06, 0.12)  # of the darkest that a smear can be


def find_blobs(strokes: Strokes, between: NDArray[np.bool_]) -> Boxes:
    """Smear strokes, and find the boxes of the ink of each blob.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke, small letters being `HEIGHT` px high.
    between : (H, W) bool
        Where there are valleys between lines, along which blobs are cut, too.

    Returns
    -------
    (N, 4) float
        left, top, right, bottom in px.

    Examples
    --------
    >>> strokes = np.zeros((20, 40), np.uint8)
    >>> strokes[5:15, 3:20] = 1
    >>> np.unique(find_blobs(strokes, np.zeros((20, 40), np.bool_)), axis=0).tolist()
    [[3.0, 5.0, 20.0, 15.0]]
    """
    dark, ink = strokes.astype(np.float32), LabelledInk(strokes)
    found = [np.empty((0, 4))]
    for width in _WIDTHS:
        along = cv2.GaussianBlur(dark, (0, 1), sigmaX=width * HEIGHT)
        for height in _HEIGHTS:
            smeared = cv2.GaussianBlur(along, (1, 0), sigmaX=1, sigmaY=height * HEIGHT)
            for share in _SHARES:
                whole = smeared > share
                for blobs in (whole, whole & ~between):
                    _, labels = cv2.connectedComponents(blobs.view(np.uint8), connectivity=8)
                    found.append(ink.boxes(np.asarray(labels, np.int32)))
    return np.concatenate(found)


class LabelledInk:
    """Boxes of ink that has labels; ink is little of a page, so that only it is looked at.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke.
    """

    def __init__(self, strokes: Strokes) -> None:
        self._places = np.flatnonzero(strokes)
        starts_row = self._places[1:] % strokes.shape[1] == 0
        self._is_apart = starts_row | (np.diff(self._places) > 1)  # each place from the one before

    def boxes(self, labels: NDArray[np.int32]) -> Boxes:
        """Find the box of the ink of each label that has ink.

        Parameters
        ----------
        labels : (H, W) int32
            0 for what belongs to nothing.

        Returns
        -------
        (N, 4) float
            By label.

        Examples
        --------
        >>> labels = np.array([[2, 2, 2, 1]], np.int32)
        >>> LabelledInk(np.array([[1, 0, 1, 1]], np.uint8)).boxes(labels)
        array([[3., 0., 4., 1.],
               [0., 0., 3., 1.]])
        """
        label = labels.ravel()[self._places]
        is_new = np.ones(len(label) + 1, np.bool_)
        is_new[1:-1] = self._is_apart | (label[1:] != label[:-1])
        first, last = np.flatnonzero(is_new[:-1]), np.flatnonzero(is_new[1:])  # of runs along a row
        order = np.argsort(label[first], kind="stable")
        order = order[label[first[order]] > 0]
        starts = np.flatnonzero(np.diff(label[first[order]], prepend=0))
        if not len(starts):
            return np.empty((0, 4))
        top, left = np.divmod(self._places[first[order]], labels.shape[1])
        right = self._places[last[order]] % labels.shape[1] + 1
        begin = [np.minimum.reduceat(edge, starts) for edge in (left, top)]
        end = [np.maximum.reduceat(edge, starts) for edge in (right, top + 1)]
        return np.stack([*begin, *end], axis=1).astype(np.float64)
