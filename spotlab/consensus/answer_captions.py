"""What figures from a few answers are based on, and when there are too few."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FEW = 20  # answers below which they help little, and intervals are undefined
FEWEST = 10  # answers below which figures are undefined

CALIBRATED = (
    "Based on {count} answers to items drawn by chance. Assumes one model for all items: the "
    "probability of relevance follows from the votes with a weight per system, fitted to "
    "these answers. Intervals (95 %) from {draws} models that the answers leave possible."
)
WEIGHTED = (
    "Based on {count} answers to items drawn by chance, weighted back to all items, and on "
    "nothing else. Intervals (95 %) from {draws} draws of the answers."
)
BY_HAND = " {count} more items were picked by hand: they count for themselves only."
UNDEFINED = " With fewer than {fewest} answers, figures are undefined."
TOO_FEW = (
    " With so few answers the figures may be worse than without any. With fewer than {few} there "
    "are no intervals, because they would not hold the truth often enough."
)
MORE_SYSTEMS = (
    " There are more systems than answers: most weights are guesses, so the intervals are wide."
)


def answer_caption(
    drawn: NDArray[np.bool_], items: int, systems: int, draws: int, *, calibrate: bool
) -> str:
    """Say what figures from answers are based on.

    Parameters
    ----------
    drawn : (K,) bool
        Whether each answered item was drawn by chance.
    items, systems : int
        Numbers of items and of systems.
    draws : int
        Number of repetitions for the intervals.
    calibrate : bool
        Whether a model was fitted to the answers.

    Returns
    -------
    str

    Examples
    --------
    >>> "no intervals" in answer_caption(np.ones(12, bool), 100, 5, 200, calibrate=True)
    True
    """
    answers, chosen = len(drawn), int(drawn.sum())
    caption = (CALIBRATED if calibrate else WEIGHTED).format(count=chosen, draws=draws)
    if chosen < answers:
        caption += BY_HAND.format(count=answers - chosen)
    if answers < items:
        if answers < FEWEST:
            caption += UNDEFINED.format(fewest=FEWEST)
        elif answers < FEW:
            caption += TOO_FEW.format(few=FEW)
        if answers < systems:
            caption += MORE_SYSTEMS
    return caption
