"""Describes the words of a page by a network, boxes that are nearly the same only once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes, Ints
from spotlab.geometry.boxes import share_boxes
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.given_words import describe_given
from spotlab.spotting.words.embedding.network import Described, WordNetwork
from spotlab.spotting.words.embedding.pictures import Grey

Turns = NDArray[np.int8] | Ints

# Intersection over union from which candidates share one description; chosen on five pages of
# letters
SAME = 0.92
# px downwards in the pictures of a candidate; chosen there, on three photographs, and so that two
# pages of print are not found less well: 2 up and 2 down found letters better, and print worse
_MOVES = (0, 2)


@dataclass(frozen=True, eq=False)
class PageDescription:
    """What a network says of the words of a page.

    Attributes
    ----------
    described : Described
        Of M different words.
    row : (N,) int
        Which of them describes each word.
    """

    described: Described
    row: Ints

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.row)


def describe_page(
    network: WordNetwork, grey: Grey, boxes: Boxes, turns: Turns, *, given: bool = False
) -> PageDescription:
    """Describe the words of a page.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    turns : (N,) int
        Quarter turns clockwise that make each word run from left to right.
    given : bool
        Boxes that somebody has drawn are described one by one. Candidates overlap: those that are
        nearly the same share a description.
    """
    if given:
        return PageDescription(describe_given(network, grey, boxes, turns), np.arange(len(boxes)))
    chosen, row = _shared(boxes, turns)
    return PageDescription(network.describe(grey, boxes[chosen], turns[chosen], _MOVES), row)


def _shared(boxes: Boxes, turns: Turns) -> tuple[Ints, Ints]:
    """Boxes that are described, and which of them stands for each; words run alike in both."""
    chosen, row, count = [], np.zeros(len(boxes), np.int64), 0
    for turn in np.unique(turns):
        alike = np.flatnonzero(turns == turn)
        own, place = share_boxes(boxes[alike], SAME)
        row[alike] = count + place
        chosen.append(alike[own])
        count += len(own)
    return np.concatenate([np.zeros(0, np.int64), *chosen]), row
