"""Words written letter by letter, as hands do that do not join their letters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spotlab.extras import cv2
from spotlab.learning.words.hands import FontHand
from spotlab.learning.words.masks import Mask, pasted, rotated, thicker
from spotlab.learning.words.texts import LONG_S

_ROOM = 160  # px above and below the line
_OTHERS = 0.3  # share of letters that are formed as the other hand forms them, at most
# of letters, times how careless a hand is: their size, turn in degrees, height and distance in px
_SIZE, _TURN, _HEIGHT, _DISTANCE = 0.06, 2.5, 1.6, 1.2


def write_letters(text: str, hands: Sequence[FontHand], random: np.random.Generator) -> Mask:
    """Write a word letter by letter, in a hand of chance.

    Parameters
    ----------
    text : str
    hands : sequence of FontHand
        Most letters are those of the first; the second forms some, the same ones all along the
        word.
    random : Generator

    Returns
    -------
    (H, W) uint8
    """
    signs = text.replace(LONG_S, "fs")
    careless = float(random.gamma(2, 0.5))
    share = float(random.uniform(0, _OTHERS))
    of = {sign: hands[int(random.random() < share)] for sign in sorted(set(signs))}
    apart = float(random.normal(1, 2))
    page = np.zeros((2 * _ROOM, 160 + 110 * len(signs)), np.uint8)
    place = 80.0
    for sign in signs:
        letter = of[sign].letter(sign)
        size = float(np.exp(random.normal(0, _SIZE * careless)))
        mask = thicker(letter.mask, round(hands[0].pen - of[sign].pen))
        mask = np.asarray(cv2.resize(mask, None, fx=size, fy=size), np.uint8)
        if careless > 0.5:
            mask = rotated(mask, float(random.normal(0, _TURN * careless)))
        middle = letter.top * size + letter.mask.shape[0] * size / 2
        row = _ROOM + middle - mask.shape[0] / 2 + random.normal(0, _HEIGHT * careless)
        column = place + (letter.left + letter.mask.shape[1] / 2) * size - mask.shape[1] / 2
        pasted(page, mask, round(row), round(column))
        place += letter.advance * size + max(apart + random.normal(0, _DISTANCE * careless), -4.0)
    rows, columns = np.flatnonzero(page.max(1)), np.flatnonzero(page.max(0))
    if not len(rows):
        return page[:8, :8]
    return page[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
