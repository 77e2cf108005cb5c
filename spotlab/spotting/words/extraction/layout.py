"""What is on a page: running text, or drawings with words in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from spotlab.extras import cv2
from spotlab.representation import short_repr
from spotlab.spotting.words.extraction.drawings import without_drawings
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.slant import page_slant
from spotlab.spotting.words.extraction.strokes import Strokes, page_strokes
from spotlab.spotting.words.extraction.text_lines import (
    Darkness,
    TextLine,
    running_lines,
    smear_along,
)
from spotlab.spotting.words.extraction.text_size import (
    HEIGHT,
    scaled_strokes,
    text_height,
)

IN_TEXT = 2.5  # heights of small letters from a line's middle to that of what is beside it
# Of the strokes that are in running text: pages of letters and of books have .82 or more, diagrams
# and plans .56 or less
_TEXT = 0.7
_MISTAKEN = 1.5  # times that letters are larger without drawings, which were measured then


@dataclass(frozen=True, eq=False)
class Layout:
    """What is on a page, small letters being `HEIGHT` px high.

    Attributes
    ----------
    scale : float
        Its px per px of the page.
    slant : float
        px to the right per px upwards.
    strokes : (H, W) uint8
        1 where there is a stroke that may belong to letters, or hang together with what is drawn.
    written : (H, W) uint8
        1 where there is such a stroke that is not drawn. On a page of text they are all written,
        even a ruling or a flourish.
    is_text : bool
        Whether most of the page is running text.
    """

    scale: float
    slant: float
    strokes: Strokes
    written: Strokes
    is_text: bool

    __repr__ = short_repr

    @cached_property
    def along(self) -> Darkness:
        """(H, W) how dark what is written is along lines."""
        return smear_along(self.written)

    @cached_property
    def lines(self) -> list[TextLine]:
        """Lines of running text."""
        return running_lines(self.written, self.along)

    def turned(self, turn: int) -> Layout:
        """The same where the page is turned by a quarter.

        Parameters
        ----------
        turn : int
            1 clockwise, -1 anticlockwise, 0 for none.
        """
        if not turn:
            return self
        strokes, written = (
            np.ascontiguousarray(np.rot90(each, -turn)) for each in (self.strokes, self.written)
        )
        return replace(self, strokes=strokes, written=written)


def find_layout(ink: InkMap) -> Layout:
    """Find out what is on a page, and how large its letters are.

    Parameters
    ----------
    ink : (H, W) float32
        As `spotlab.spotting.words.extraction.ink.word_ink` gives it.

    Raises
    ------
    ValueError
        The page has no pixels.

    Examples
    --------
    >>> page = np.zeros((300, 400), np.float32)
    >>> page[40:52, 40:360:6] = page[80:92, 40:360:6] = 1
    >>> find_layout(page).is_text
    True
    """
    if not ink.size:  # OpenCV would end the program
        raise ValueError(f"a page of {ink.shape[1]} × {ink.shape[0]} px has no pixels")
    found = page_strokes(ink)
    drawn, letters = found.drawn, found.letters
    unit = text_height(letters)
    strokes = scaled_strokes(letters, HEIGHT / unit)
    text = Layout(HEIGHT / unit, page_slant(letters, unit), strokes, strokes, True)
    if _share_in_text(text) >= _TEXT:
        return text
    written = without_drawings(drawn, unit)
    larger = text_height(written)
    if larger > _MISTAKEN * unit:  # the lines of drawings were measured
        unit, written = larger, without_drawings(drawn, larger)
    scale = HEIGHT / unit
    kept, words = scaled_strokes(letters | written, scale), scaled_strokes(written, scale)
    return Layout(scale, page_slant(written, unit), kept, words, False)


def _share_in_text(layout: Layout) -> float:
    """How much of the strokes is in lines of running text, or beside them; 1 on a blank page."""
    _, _, parts, middles = cv2.connectedComponentsWithStats(layout.strokes, connectivity=8)
    areas, places = parts[1:, cv2.CC_STAT_AREA], np.asarray(middles[1:], np.float64)
    beside = np.zeros(len(places), np.bool_)
    for line in layout.lines:
        beside |= line.is_beside(places, IN_TEXT * HEIGHT)
    return float(areas[beside].sum() / areas.sum()) if len(areas) else 1.0
