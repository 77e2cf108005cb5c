"""Describes words whose boxes are given: along their writing, and seen several times each."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Ints
from spotlab.spotting.words.embedding.characters import characters_read
from spotlab.spotting.words.embedding.network import Described, WordNetwork
from spotlab.spotting.words.embedding.pictures import Grey, cut_pictures

_MOVES = (0, 3, -3)  # px downwards in the pictures of a word; chosen on five pages of letters
_TALL = 1.5  # widths in a box's height from which its word may run up or down the page
_MORE = 2  # characters that are read in it, at least, when it is turned
_UPWARDS, _DOWNWARDS = 1, -1  # quarter turns clockwise that make a word run from left to right


def describe_given(
    network: WordNetwork, grey: Grey, boxes: ArrayLike, turns: ArrayLike = 0
) -> Described:
    """Describe words whose boxes are given.

    People draw boxes more or less tightly above and below, so each word is shown to the network
    three times: as it is, a bit lower and a bit higher. What it says is the mean.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    turns : int or (N,) int
        Quarter turns clockwise that make each word run from left to right, as of `writing_turns`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> sizes = ((2,), (3,), (4, 5))
    >>> network = SimpleNamespace(
    ...     describe=lambda grey, boxes, turns, moves: Described(
    ...         *(np.zeros((len(boxes), *size), np.uint8) for size in sizes)
    ...     )
    ... )
    >>> page = np.full((90, 90), 255, np.uint8)
    >>> len(describe_given(network, page, [[5, 5, 65, 30], [70, 5, 90, 55]]))
    2
    """
    return network.describe(grey, boxes, turns, _MOVES)


def writing_turns(network: WordNetwork, grey: Grey, boxes: ArrayLike) -> Ints:
    """Find the words of a page that are written up or down it.

    A word is, if its box is tall and more is read in it when it is turned. All of them run the same
    way: the one in which more is read.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    (N,) int
        Quarter turns clockwise that make each word run from left to right: 1 for a word that is
        written upwards, -1 for one that is written downwards, 0 for the others.

    Examples
    --------
    A box that is wider than tall is never turned:

    >>> writing_turns(None, np.full((90, 90), 255, np.uint8), [[5, 5, 65, 30]]).tolist()
    [0]
    """
    corners = np.asarray(boxes, np.float64).reshape(-1, 4)
    turns = np.zeros(len(corners), np.int64)
    width, height = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    tall = np.flatnonzero(height > _TALL * width)
    if not len(tall):
        return turns
    level, upwards, downwards = (
        characters_read(
            network.describe_pictures(cut_pictures(grey, corners[tall], turn)).characters
        )
        for turn in (0, _UPWARDS, _DOWNWARDS)
    )
    are_turned = np.maximum(upwards, downwards) >= level + _MORE
    runs_up = upwards[are_turned].sum() >= downwards[are_turned].sum()
    turns[tall[are_turned]] = _UPWARDS if runs_up else _DOWNWARDS
    return turns
