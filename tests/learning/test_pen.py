"""Words that a pen writes: along the middle of a font's strokes, no letter twice alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import get_data_path
from scipy import ndimage

from spotlab.learning.words import hands as pen
from spotlab.learning.words.hands import X_HEIGHT, FontHand, LetterStrokes, Pen, middle_of
from spotlab.learning.words.paper import Mask, pen_width

FONTS = [
    Path(get_data_path()) / "fonts" / "ttf" / f"{name}.ttf"
    for name in ("DejaVuSans-Bold", "DejaVuSans")
]
EVERY = np.ones((3, 3), bool)  # pixels that touch at a corner belong together


@pytest.fixture(scope="module")
def hands() -> list[FontHand]:
    return [FontHand(path) for path in FONTS]


def drawn(strokes: LetterStrokes, shape: tuple[int, ...]) -> np.ndarray:
    page = np.zeros(shape, bool)
    columns, rows = strokes.points.astype(int).T
    page[rows, columns] = True
    return page


def parts_of(strokes: LetterStrokes) -> int:
    """How many parts there are, if one goes along the pairs only."""
    owner = np.arange(len(strokes.points))
    for one, other in strokes.pairs:
        owner[owner == owner[one]] = owner[other]
    return len(np.unique(owner))


@pytest.mark.parametrize("sign", "oBie8%")
def test_the_middle_has_the_parts_and_the_holes_of_the_letter(
    hands: list[FontHand], sign: str
) -> None:
    mask = hands[0].letter(sign).mask
    strokes = middle_of(mask)
    thin = drawn(strokes, mask.shape)
    assert thin.sum() < 0.35 * (mask > 100).sum()
    assert (mask[thin] > 100).all()
    dark = mask > 100
    parts = ndimage.label(dark, EVERY)[1]
    assert ndimage.label(thin, EVERY)[1] == parts == parts_of(strokes)
    holes = ndimage.label(np.pad(~dark, 1, constant_values=True))[1]
    assert ndimage.label(np.pad(~thin, 1, constant_values=True))[1] == holes


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=7, max_size=7), min_size=7, max_size=7))
def test_the_middle_of_any_ink_holds_together_as_the_ink_does(rows: list[list[bool]]) -> None:
    dark = np.kron(np.array(rows), np.ones((4, 4), bool))
    strokes = middle_of(np.asarray(dark * 255, np.uint8))
    thin = drawn(strokes, dark.shape)
    assert not (thin & ~dark).any()
    parts, count = ndimage.label(dark, EVERY)
    assert len(np.unique(parts[thin])) == count == ndimage.label(thin, EVERY)[1]


def test_no_ink_has_no_middle() -> None:
    strokes = middle_of(np.zeros((5, 9), np.uint8))
    assert strokes.points.shape == (0, 2) and strokes.pairs.shape == (0, 2)


def test_the_same_letter_is_written_in_another_way_each_time(hands: list[FontHand]) -> None:
    writer, random = Pen(hands), np.random.default_rng(1)
    words = [writer.write("oooo", 0, random) for _ in range(3)]
    letters = [part for word in words for part in parts(word)]
    assert len(letters) > 6
    shapes = {(letter.shape, letter.tobytes()) for letter in letters}
    assert len(shapes) == len(letters)


def parts(word: Mask) -> list[Mask]:
    numbers, _ = ndimage.label(word > 100, EVERY)
    return [word[place] for place in ndimage.find_objects(numbers)]


def test_bold_and_light_fonts_are_written_by_the_same_pens(hands: list[FontHand]) -> None:
    assert hands[0].pen > 1.5 * hands[1].pen
    widths = []
    for first in (0, 1):
        writer, random = Pen([hands[first]]), np.random.default_rng(2)
        widths.append(np.median([pen_width(writer.write("hills", 0, random)) for _ in range(30)]))
    assert widths[0] == pytest.approx(widths[1], rel=0.2)
    assert widths[0] / X_HEIGHT == pytest.approx(pen._PEN, rel=0.4)


def test_letters_that_are_joined_hang_together(
    hands: list[FontHand], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pen, "_LONGEST_JOIN", 1000.0)

    def count(often: float) -> float:
        random = np.random.default_rng(3)
        uniform = _Joining(random, often)
        return float(np.mean([len(parts(Pen(hands).write("nnnn", 0, uniform))) for _ in range(9)]))

    assert count(0.0) > 2.5 > 1.5 > count(1.0)


class _Joining:
    """Chance, but for how often letters are joined."""

    def __init__(self, random: np.random.Generator, often: float) -> None:
        self._random, self._often = random, often

    def __getattr__(self, name: str) -> object:
        return getattr(self._random, name)

    def uniform(self, low: float, high: float, *rest: int) -> object:
        return self._often if low < 0 and not rest else self._random.uniform(low, high, *rest)


@pytest.mark.parametrize("text", ["", " ", "i", "a\u017fs", "Gregory's, 1755-58."])
def test_every_text_can_be_written(hands: list[FontHand], text: str) -> None:
    word = Pen(hands).write(text, 1, np.random.default_rng(4))
    assert word.dtype == np.uint8 and word.ndim == 2
    assert (word.max() > 200) == bool(text.strip())
