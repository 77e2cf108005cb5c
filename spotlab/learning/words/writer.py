"""Writes words: by fonts of handwriting, carelessly, on paper, among other words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.learning.words.hands import LATIN, FontHand, Pen, write_letters
from spotlab.learning.words.paper import (
    Mask,
    pasted,
    photographed,
    rotated,
    sheared,
    spaced,
    thicker,
    tight,
)
from spotlab.spotting.words.embedding.characters import Alphabet
from spotlab.spotting.words.embedding.network import HEIGHT, WIDTH

_NARROW, _LEAST = 2.4, 0.35  # as pictures of words are cut
_JOINED = 2.0  # how often a hand that joins its letters writes, beside one that does not
_BY_PEN = 0.4  # share of words along the middle of strokes
_BY_LETTERS = 0.6  # share of words by a hand that does not, which are written letter by letter
_BESIDE = (0.35, 0.35, 0.35, 0.25)  # shares of words with others left, right, above and below
_FRAMED = 0.15  # share of words with lines of a drawing beside them
_THROUGH = 0.12  # share of words through which writing on the other side of the sheet is seen
_KEPT = 40  # words that were written before, which others have beside them


class Writer:
    """Writes words.

    Parameters
    ----------
    fonts : sequence of Path
    seed : int
    alphabet : Alphabet
    """

    def __init__(self, fonts: Sequence[Path], seed: int, alphabet: Alphabet = LATIN) -> None:
        self._random = np.random.default_rng(seed)
        self._hands = [FontHand(path, alphabet.letters) for path in fonts]
        self._by_letters = not alphabet.runs_left  # whose letters change with what is beside them
        often = np.array([_JOINED if hand.is_joined else 1.0 for hand in self._hands])
        self._often = np.cumsum(often) / often.sum()
        self._apart = [hand for hand in self._hands if not hand.is_joined]
        self._pen = Pen(self._hands)
        self._before: list[Mask] = []

    def write(self, text: str) -> Mask:
        """Write a word and photograph it in a box.

        Parameters
        ----------
        text : str

        Returns
        -------
        (48, 160) uint8
            As `spotlab.spotting.words.embedding.network.cut_pictures` cuts words.
        """
        random = self._random
        word = self._written(text)
        high, wide = word.shape
        unit = min(high, 60)
        pad = int(unit * 0.7)
        canvas = np.zeros((high + 2 * pad, wide + 2 * pad), np.uint8)
        canvas[pad : pad + high, pad : pad + wide] = word
        self._neighbours(canvas, pad, word.shape, unit)
        if random.random() < _FRAMED:
            self._frame(canvas, pad, word.shape, unit)
        if self._before and random.random() < _THROUGH:
            self._shine(canvas)
        left, above, right, below = self._margins(unit)
        box = (pad - left, pad - above, pad + wide + right, pad + high + below)
        seen = warped(canvas, box, random)
        self._before.append(word)
        if len(self._before) > _KEPT:
            self._before.pop(int(random.integers(_KEPT)))
        return padded(photographed(seen, random))

    def _written(self, text: str) -> Mask:
        random = self._random
        number = int(np.searchsorted(self._often, random.random()))
        by_pen = self._by_letters and random.random() < _BY_PEN
        word = self._pen.write(text, number, random) if by_pen else self._printed(text, number)
        if random.random() < 0.7:  # letters wider or narrower, relative to neighbours and margins
            factor = float(np.exp(random.normal(0.0 if by_pen else 0.2, 0.3)))
            word = np.asarray(cv2.resize(word, None, fx=factor, fy=1.0), np.uint8)
        if random.random() < 0.5:
            word = tight(rotated(word, float(random.normal(0, 1.5))))
        return word[:, : 64 * 14]

    def _printed(self, text: str, number: int) -> Mask:
        """A word in the strokes of its font."""
        random, hand = self._random, self._hands[number]
        pen = float(np.clip(np.exp(random.normal(1.15, 0.33)), 1.6, 6.5))
        change = float(np.clip(pen - hand.pen, -1.5, 4) + random.normal(0, 0.3))
        word = thicker(self._ink(text, hand), round(change))
        # most hands that join their letters lean right, and most others hardly
        usual = 0.65 if hand.is_joined or random.random() < 0.4 else 0.1
        aimed = float(np.clip(random.normal(usual, 0.3), -0.3, 1.15))
        lean = hand.lean
        if random.random() < 0.6:
            word = spaced(sheared(word, -lean), pen, random.gamma(1.5, 0.45))
            lean = 0.0
        return tight(sheared(word, (aimed - lean) * (random.uniform(0.3, 1) if lean else 1)))

    def _ink(self, text: str, hand: FontHand) -> Mask:
        if hand.is_joined or not self._by_letters or self._random.random() > _BY_LETTERS:
            return hand.mask(text)
        other = self._apart[int(self._random.integers(len(self._apart)))]
        return write_letters(text, (hand, other), self._random)

    def _margins(self, unit: int) -> list[float]:
        """Tell how far a box is from a word on each side, px; below 0 where it cuts the word."""
        random = self._random
        margins = random.gamma(1.3, 0.06, 4) - 0.03
        if random.random() < 0.15:
            margins += random.uniform(0, 0.15, 4)
        if random.random() < 0.35:  # boxes of candidates: loose, or cut
            margins = random.uniform(-0.12, 0.32, 4)
        margins = np.clip(margins, -0.12, 0.34) * unit
        margins[[0, 2]] += np.abs(random.normal(0, 0.06, 2)) * unit
        return [float(margin) for margin in margins]

    def _neighbours(self, canvas: Mask, pad: int, size: tuple[int, ...], unit: int) -> None:
        """Strokes of words beside, above and below reach into the box."""
        random, (high, wide) = self._random, size
        if not self._before:
            return
        for side, often in enumerate(_BESIDE):
            if random.random() > often:
                continue
            other = self._before[int(random.integers(len(self._before)))]
            reach = int(pad - unit * random.uniform(-0.16, 0.3))
            row = pad + int(random.normal(0, 0.1) * high)
            column = int(random.uniform(-0.5, 0.8) * wide)
            if side == 0:
                part = other[:, -max(reach, 1) :]
                pasted(canvas, part, row, reach - part.shape[1])
            elif side == 1:
                pasted(canvas, other[:, : max(reach, 1)], row, canvas.shape[1] - reach)
            elif side == 2:
                pasted(canvas, other, reach - other.shape[0], column)
            else:
                pasted(canvas, other, canvas.shape[0] - reach, column)

    def _shine(self, canvas: Mask) -> None:
        """Let a word on the other side of the sheet be seen, turned round."""
        random = self._random
        other = self._before[int(random.integers(len(self._before)))][:, ::-1]
        faint = cv2.GaussianBlur(other * random.uniform(0.1, 0.4), (0, 0), random.uniform(0.8, 3))
        row = int(random.uniform(-0.3, 1) * canvas.shape[0])
        column = int(random.uniform(-0.5, 0.7) * canvas.shape[1])
        pasted(canvas, np.asarray(faint, np.uint8), row, column)

    def _frame(self, canvas: Mask, pad: int, size: tuple[int, ...], unit: int) -> None:
        """Lines of a drawing beside a word, as in a box of a diagram."""
        random, (high, wide) = self._random, size
        thick, tilt = max(round(unit * random.uniform(0.03, 0.14)), 1), random.normal(0, 0.03)
        ends = int(pad + high + pad), int(pad + wide + pad)
        for side in random.permutation(4)[: random.integers(1, 3)].tolist():
            away = pad - unit * random.uniform(-0.05, 0.3)
            axis = side // 2  # across, then down
            place = away if side % 2 == 0 else ends[axis] - away
            more = tilt * ends[1 - axis]
            line = ((0, place), (ends[1], place + more)), ((place, 0), (place + more, ends[0]))
            start, end = (tuple(round(each) for each in point) for point in line[axis])
            cv2.line(canvas, start, end, 255, thick, cv2.LINE_AA)


def rewritten(
    grey: Mask, box: tuple[float, float, float, float], random: np.random.Generator
) -> Mask:
    """A word of a page as it might have been written and boxed as well.

    Parameters
    ----------
    grey : (H, W) uint8
        The page.
    box : (float, float, float, float)
        left, top, right, bottom in px.
    random : Generator

    Returns
    -------
    (48, 160) uint8
    """
    high, wide = max(box[3] - box[1], 2.0), max(box[2] - box[0], 2.0)
    pad = int(0.5 * high)
    left, top = int(max(box[0] - pad, 0)), int(max(box[1] - pad, 0))
    cut = grey[top : int(box[3]) + pad, left : int(box[2]) + pad]
    paper = float(np.percentile(cut[::3, ::3], 75))
    shear = float(random.normal(0, 0.12))
    ink = sheared(np.asarray(np.clip(paper - cut.astype(np.float32), 0, 255), np.uint8), shear)
    middle = box[3] - high / 2 - top
    start = box[0] - left + (shear * (len(ink) - middle) if shear > 0 else -shear * middle)
    sides = np.array([start, box[1] - top, start + wide, box[3] - top])
    sides += random.normal(0, 0.06, 4) * high + np.array([-1, 0, 1, 0]) * abs(shear) * high * 0.3
    sides[2:] = np.maximum(sides[2:], sides[:2] + 2)
    seen = warped(ink, tuple(sides.tolist()), random).astype(np.float32)
    seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.2, 0.7)) * random.uniform(0.7, 1.2)
    grain = random.standard_normal(seen.shape, np.float32) * random.gamma(1.3, 1.2)
    return padded(np.asarray(np.clip(paper - seen + grain, 0, 255), np.uint8))


def warped(canvas: Mask, box: tuple[float, ...], random: np.random.Generator) -> Mask:
    """Return what is in a box, in the network's size, a little out of shape.

    Parameters
    ----------
    canvas : (H, W) uint8
        Ink.
    box : (float, float, float, float)
        left, top, right, bottom in px.
    random : Generator

    Returns
    -------
    (48, up to 160) uint8
    """
    left, top, right, bottom = box
    high, long = bottom - top, right - left
    size = (int(WIDTH * np.clip(long / max(high, 1) / _NARROW, _LEAST, 1)), HEIGHT)
    across = np.linspace(left, right, size[0], dtype=np.float32)
    down = _tall(np.linspace(0, 1, HEIGHT, dtype=np.float32), random) * high + top
    coarse = random.normal(0, 1, (2, 4, max(3, size[0] // 18))).astype(np.float32)
    strength = random.uniform(0, 0.04) * high
    moves = [cv2.resize(each, size, interpolation=cv2.INTER_CUBIC) * strength for each in coarse]
    slow = random.normal(0, 1, (1, 5)).astype(np.float32)
    slow = np.asarray(cv2.resize(slow, (size[0], 1), interpolation=cv2.INTER_CUBIC), np.float32)
    columns = across[None] + moves[0] * 1.4 + slow * random.uniform(0, 0.035) * long
    rows = down[:, None] + moves[1]
    blur = max(long / size[0], high / HEIGHT) * 0.45
    if blur > 0.6:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), blur), np.uint8)
    maps = np.asarray(columns, np.float32), np.asarray(rows, np.float32)
    return np.asarray(cv2.remap(canvas, *maps, cv2.INTER_LINEAR), np.uint8)


def _tall(rows: NDArray[np.float32], random: np.random.Generator) -> NDArray[np.float32]:
    """Make upper or lower parts of letters longer beside the others: rows of 0 to 1."""
    power = np.float32(np.exp(random.normal(0, 0.15)))
    return rows**power if random.random() < 0.5 else 1 - (1 - rows) ** power


def padded(image: Mask) -> Mask:
    """Paper on both sides of a narrow word.

    Parameters
    ----------
    image : (48, up to 160) uint8

    Returns
    -------
    (48, 160) uint8
    """
    missing = WIDTH - image.shape[1]
    if not missing:
        return image
    whole = np.full((HEIGHT, WIDTH), np.percentile(image[:, ::3], 75), np.uint8)
    whole[:, missing // 2 : missing // 2 + image.shape[1]] = image
    return whole
