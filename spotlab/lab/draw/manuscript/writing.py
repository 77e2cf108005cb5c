"""The path of the pen: letters of a word joined and made round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.manuscript.hand import LetterHand
from spotlab.lab.draw.manuscript.letters import BASELINE, JOIN


@dataclass(frozen=True, eq=False)
class WordPath:
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


def write_word(
    text: str, hand: LetterHand, unit: float, jitter: float, rng: np.random.Generator
) -> WordPath:
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
    # a whole word is written in haste or with care: it leans and stretches
    haste = jitter * hand.unsteady * rng.normal(0, 0.07, 2)
    slant, stretch = hand.slant + float(haste[0]), float(np.exp(haste[1]))
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
    scale = np.array([stretch, 1.0])
    return WordPath(
        tuple(_round(stroke * scale, slant, unit) for stroke in done), x * stretch * unit
    )


def _round(stroke: Points, slant: float, unit: float) -> Points:
    """Points about 1.2 px apart on a smooth curve through the corners, leaning by the slant."""
    up = BASELINE - stroke[:, 1]
    corners = np.column_stack([stroke[:, 0] + up * (0.8 * slant - 0.2), -up]) * unit
    steps = np.hypot(*np.diff(corners, axis=0).T)
    corners = corners[np.concatenate([[True], steps > 1e-6])]
    if len(corners) < 2:
        return np.vstack([corners[:1], corners[:1] + 0.3])
    return _curve(corners, 1.2)


def _curve(corners: Points, step: float) -> Points:
    """Points this far apart on the curve through corners (centripetal Catmull-Rom).

    Barry & Goldman, "A recursive evaluation algorithm for a class of Catmull-Rom splines", 1988;
    the square root of the distances keeps it from swinging out where corners are close together.
    """
    lengths = np.hypot(*np.diff(corners, axis=0).T)
    knots = np.concatenate([[0], np.cumsum(np.sqrt(lengths))])
    gaps = np.diff(knots)[:, None]
    slopes = np.diff(corners, axis=0) / gaps
    tangents = np.empty_like(corners)
    tangents[[0, -1]] = slopes[[0, -1]]
    tangents[1:-1] = (slopes[:-1] * gaps[1:] + slopes[1:] * gaps[:-1]) / (gaps[1:] + gaps[:-1])
    along = np.concatenate([[0], np.cumsum(lengths)])
    places = np.linspace(0, along[-1], max(3, int(np.ceil(along[-1] / step))))
    piece = np.clip(np.searchsorted(along, places, "right") - 1, 0, len(lengths) - 1)
    t = ((places - along[piece]) / lengths[piece])[:, None]
    gap, start, stop = gaps[piece], corners[piece], corners[piece + 1]
    return np.asarray(
        (1 + 2 * t) * (1 - t) ** 2 * start
        + t * (1 - t) ** 2 * gap * tangents[piece]
        + t**2 * (3 - 2 * t) * stop
        + t**2 * (t - 1) * gap * tangents[piece + 1],
        np.float64,
    )
