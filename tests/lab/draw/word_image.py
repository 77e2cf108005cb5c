"""One handwritten word as a picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.lab.draw.manuscript.hand import lay_ink, make_hand, write_word
from spotlab.lab.draw.manuscript.pages import INK_LEVEL

_PAPER, _INK = 232, 45


def render_word(
    text: str, hand: int = 0, seed: int = 0, *, x_height: float = 20.0, jitter: float = 1.0
) -> NDArray[np.uint8]:
    """A word in somebody's hand, cut out to its ink with 3 px of paper around it.

    Parameters
    ----------
    text : str
        Letters A to Z, figures and . , ; : - – ', without spaces.
    hand : int
        Whose hand, from 0; the same number always writes the same letters.
    seed : int
        Which time it is written; two times differ as in one person's writing.
    x_height : float
        Height of small letters in px.
    jitter : float
        How much letters differ from one time to the next, 0 (never) to 4.

    Returns
    -------
    (h, w) uint8
        Grey levels.

    Raises
    ------
    ValueError
        The text is empty, or has a character that no hand can write.

    Examples
    --------
    >>> render_word("Letter", hand=1, seed=5).dtype
    dtype('uint8')
    >>> (render_word("Letter", seed=5) == render_word("Letter", seed=5)).all()
    np.True_
    """
    if not text:
        raise ValueError("there is no text to write")
    writer, rng, unit = make_hand(hand), np.random.default_rng(seed), x_height / 9
    path = write_word(text, writer, unit, jitter, rng)
    ink = lay_ink(path.strokes, writer, unit, 0.95, rng).ink
    rows, columns = (np.flatnonzero((ink >= INK_LEVEL).any(axis=axis)) for axis in (1, 0))
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    share = np.pad(ink, 3).astype(np.float32) / 255
    return np.round(_PAPER + (_INK - _PAPER) * share).astype(np.uint8)
