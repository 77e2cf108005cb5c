"""The path of the pen: letters of a word joined and made round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from spotlab.synthesis.manuscript.hand import Hand
from spotlab.synthesis.manuscript.letters import BASELINE, JOIN

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Path:
    """What the pen does for one word.

    Attributes
    ----------
    strokes : tuple of (K, 2) float
        Points along each stroke in px; x from where the word begins, y downwards from the line.
    width : float
        How far the pen moves on, in px.
    """

    strokes: tuple[Points, ...]
    width: float


def write_word(text: str, hand: Hand, unit: float, jitter: float, rng: np.random.Generator) -> Path:
    """Write a word.

    Parameters
    ----------
    text : str
        Letters, figures and points, without spaces.
    unit : float
        A ninth of the height of small letters, in px.
    jitter : float
        How much letters differ from one time to the next.

    Raises
    ------
    ValueError
        There is a character that no hand can write.
    """
    open_end: Points | None = None  # a stroke that waits for the next letter
    done: list[Points] = []
    x = 0.0
    for character in text:
        once = hand.once(character, jitter, rng)
        strokes = [stroke + np.array([x, 0]) for stroke in once.strokes]
        if open_end is not None:
            starts = [float(np.hypot(*(stroke[0] - open_end[-1]))) for stroke in strokes]
            nearest = int(np.argmin(starts))
            if starts[nearest] < 2.2:
                meeting = (open_end[-1] + strokes[nearest][0]) / 2
                strokes[nearest] = np.vstack([open_end[:-1], [meeting], strokes[nearest][1:]])
            else:
                done.append(open_end)
        x += once.width
        ends = [abs(stroke[-1, 0] - x) + abs(stroke[-1, 1] - JOIN) for stroke in strokes]
        last = int(np.argmin(ends))
        open_end = strokes.pop(last) if ends[last] < 3 and character.islower() else None
        done += strokes
    if open_end is not None:
        done.append(open_end)
    return Path(tuple(_round(stroke, hand, unit) for stroke in done), x * unit)


def _round(stroke: Points, hand: Hand, unit: float) -> Points:
    """Points about 1.2 px apart on a smooth curve through the corners, leaning as the hand does."""
    up = BASELINE - stroke[:, 1]
    corners = np.column_stack([stroke[:, 0] + up * hand.slant * 0.8 - up * 0.2, -up]) * unit
    steps = np.hypot(*np.diff(corners, axis=0).T)
    corners = corners[np.concatenate([[True], steps > 1e-6])]
    if len(corners) < 2:
        return np.vstack([corners[:1], corners[:1] + 0.3])
    steps = np.hypot(*np.diff(corners, axis=0).T)
    # the square root keeps the curve from swinging out where corners are close together
    knots = np.concatenate([[0], np.cumsum(np.sqrt(steps))])
    count = max(3, int(np.ceil(steps.sum() / 1.2)))
    places = np.interp(
        np.linspace(0, steps.sum(), count), np.concatenate([[0], steps.cumsum()]), knots
    )
    return np.asarray(CubicSpline(knots, corners)(places), np.float64)
