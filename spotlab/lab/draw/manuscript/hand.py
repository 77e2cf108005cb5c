"""A hand: what one writer's letters have in common, and how they vary."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.manuscript.letters import BASELINE, Letter, letter
from spotlab.libraries import ndimage

_OTHER_FORM = 0.3  # how often a letter takes its other form


@dataclass(frozen=True)
class LetterHand:
    """How somebody writes.

    Attributes
    ----------
    seed : int
        Gives the shapes of the letters.
    slant : float
        How far a letter leans to the right, in widths per height.
    breadth : float
        How wide letters are, 1 as in the font.
    tall, deep : float
        How far ascenders and descenders reach, 1 as in the font.
    thick, thin : float
        Width of down- and upstrokes, in units of which small letters are nine high.
    space : float
        Between words, 1 as in the font.
    unsteady : float
        How much letters differ from one time to the next, 1 is usual.
    """

    seed: int
    slant: float = 0.3
    breadth: float = 1.0
    tall: float = 1.0
    deep: float = 1.0
    thick: float = 2.6
    thin: float = 0.65
    space: float = 1.0
    unsteady: float = 1.0

    def once(self, character: str, jitter: float, rng: np.random.Generator) -> Letter:
        """The letter as it comes out one time."""
        amount = jitter * self.unsteady
        if not amount:
            return letter_shape(self, character, 0)
        form = int(rng.random() < min(1, amount) * _OTHER_FORM)
        shape = letter_shape(self, character, form)
        width, height = np.maximum(0.5, 1 + amount * rng.normal(0, (0.1, 0.07)))
        lean = amount * float(rng.normal(0, 0.06))
        rise = amount * float(rng.normal(0, 0.35))
        strokes = []
        for stroke in shape.strokes:
            x, y = _bent(stroke, 0.3 * amount, rng).T
            up = BASELINE - y
            strokes.append(np.column_stack([x * width + up * lean, BASELINE - up * height + rise]))
        return Letter(tuple(strokes), shape.width * width)


@lru_cache(2_000)
def letter_shape(hand: LetterHand, character: str, form: int) -> Letter:
    """The letter as this writer means it, the same every time; form 1 is his other way."""
    model = letter(character)
    rng = np.random.default_rng((hand.seed, zlib.crc32(character.encode()), form))
    breadth = hand.breadth * float(rng.uniform(0.92, 1.08))
    strokes = []
    for stroke in model.strokes:
        x, y = _bent(stroke, 0.62, rng).T
        above, below = np.minimum(y, 0), np.maximum(y - BASELINE, 0)
        y = y + above * (hand.tall - 1) + below * (hand.deep - 1)
        strokes.append(np.column_stack([x * breadth, y]))
    return Letter(tuple(strokes), model.width * breadth)


def _bent(stroke: Points, amount: float, rng: np.random.Generator) -> Points:
    """A stroke pushed a little here and there; its ends, which join, stay about where they are."""
    # neighbouring corners go together: a hand errs in whole curves, it does not tremble
    pushes = 2.2 * ndimage.gaussian_filter1d(rng.normal(0, amount, stroke.shape), 1.6, axis=0)
    pushes[[0, -1]] *= 0.35
    return np.asarray(stroke + pushes, np.float64)


def make_hand(seed: int) -> LetterHand:
    """The hand with this number; the same every time.

    Examples
    --------
    >>> make_hand(3) == make_hand(3) != make_hand(4)
    True
    """
    rng = np.random.default_rng((seed, 0x4A2D))
    return LetterHand(
        seed,
        slant=float(rng.uniform(0.2, 0.75)),
        breadth=float(rng.uniform(0.82, 1.18)),
        tall=float(rng.uniform(0.8, 1.2)),
        deep=float(rng.uniform(0.7, 1.1)),
        thick=float(rng.uniform(1.6, 3.1)),
        thin=float(rng.uniform(0.5, 0.85)),
        space=float(rng.uniform(0.85, 1.25)),
        unsteady=float(rng.uniform(0.8, 1.2)),
    )
