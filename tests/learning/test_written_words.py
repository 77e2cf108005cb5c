"""Words drawn by fonts: the same seed the same words, and what is drawn is what is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib import get_data_path

from spotlab.errors import BadInput
from spotlab.learning.words.hands import (
    LATIN,
    FontHand,
    FontLetter,
    Texts,
    alphabet_of,
    read_fonts,
    words_of,
    write_letters,
)
from spotlab.learning.words.lesson import LEVELS, WrittenWords, written_words
from spotlab.learning.words.paper import pasted, photographed, sheared, spaced, thicker, tight
from spotlab.learning.words.writer import Writer, rewritten
from spotlab.spotting.words.embedding.network import normalise_pictures

FONTS = [
    Path(get_data_path()) / "fonts" / "ttf" / f"{name}.ttf"
    for name in ("DejaVuSans", "STIXGeneralItalic")
]
WORDS = words_of("letters\norders\ncompany\nregiment\nbusiness\n", "To be, or not to be")


class _Noting(FontHand):
    """Notes which letters it is asked for."""

    def __init__(self, hand: FontHand, name: str, asked: list[tuple[str, str]]) -> None:
        self._hand, self._name, self._asked = hand, name, asked
        self.pen = hand.pen

    def letter(self, sign: str) -> FontLetter:
        self._asked.append((sign, self._name))
        return self._hand.letter(sign)

    def written(self, text: str) -> str:
        return self._hand.written(text)


def test_the_same_seed_draws_the_same_words() -> None:
    one, two, other = (WrittenWords(FONTS, WORDS, 12, seed) for seed in (3, 3, 4))
    for _ in range(2):
        a, b, c = one.next(), two.next(), other.next()
        assert np.array_equal(a.pictures, b.pictures)
        assert np.array_equal(a.numbers, b.numbers)
        assert not np.array_equal(a.pictures, c.pictures)


def test_another_process_writes_the_same_words() -> None:
    here = WrittenWords(FONTS, WORDS, 4, 5).next()
    with written_words(FONTS, WORDS, 4, 5, ahead=True) as source:
        there = source.next()
    assert np.array_equal(here.pictures, there.pictures)
    assert np.array_equal(here.attributes, there.attributes)


def test_a_batch_has_a_picture_and_a_label_for_each_word() -> None:
    batch = WrittenWords(FONTS, WORDS, 16, 0).next()
    assert batch.pictures.shape == (16, 48, 160)
    assert batch.attributes.shape == (16, sum(LEVELS) * len(LATIN))
    for attributes, numbers in zip(batch.attributes, batch.numbers, strict=True):
        said = {LATIN.characters[number - 1] for number in numbers if number}
        assert said == {LATIN.characters[at] for at in np.flatnonzero(attributes[: len(LATIN)])}


def test_drawn_words_have_ink_and_paper() -> None:
    writer = Writer(FONTS, 1)
    ink = normalise_pictures(np.stack([writer.write("regiment") for _ in range(8)]))
    assert (ink > 0.7).mean(axis=(1, 2, 3)).min() > 0.01
    assert (ink < 0.3).mean(axis=(1, 2, 3)).min() > 0.4


def test_texts_are_words_numbers_and_words_that_do_not_exist() -> None:
    texts = Texts(WORDS, 2)
    drawn = [texts.draw() for _ in range(600)]
    known = {word.lower() for word in WORDS.known + WORDS.running}
    plain = [LATIN.fold(text) for text in drawn]
    assert 0.6 < np.mean([text in known for text in plain]) < 0.95
    assert any(text[:1].isdigit() for text in plain)
    assert any("\u017f" in text for text in drawn)


def test_lists_of_words_leave_out_other_letters() -> None:
    words = words_of("ab\ncafé\nx1\nab\nχρόνος", "Señor, a b")
    assert words.known == ("ab", "café")
    assert words.running == ("Señor", "a", "b")
    assert words_of("ab\nχρόνος", alphabet=alphabet_of("χρόνος")).known == ("χρόνος",)
    assert alphabet_of("ab\nà") is LATIN


def test_what_a_font_lacks_is_written_in_plain_letters() -> None:
    hand = FontHand(FONTS[1])  # it has no sign for per
    assert hand.written("ꝑſona") == "pſona"


def test_texts_of_another_script_are_its_words_and_numbers() -> None:
    greek = alphabet_of("χρόνος\nλόγος")
    texts = Texts(words_of("χρόνος\nλόγος", alphabet=greek), 3, greek)
    drawn = [greek.fold(texts.draw()) for _ in range(200)]
    assert {"χρονοσ", "λογοσ"} < set(drawn)
    assert all(set(text) <= set(greek.characters) for text in drawn)


def test_hebrew_is_numbered_as_it_stands_on_the_page() -> None:
    hebrew = alphabet_of("שלום")
    batch = WrittenWords(FONTS[1:], words_of("שלום", alphabet=hebrew), 8, 0, hebrew).next()
    said = {"".join(hebrew.characters[n - 1] for n in row if n) for row in batch.numbers}
    assert "םולש" in said or "מולש" in said


def test_a_word_of_a_page_is_written_anew() -> None:
    page = np.full((80, 300), 200, np.uint8)
    page[30:50, 60:200:6] = 40
    random = np.random.default_rng(0)
    one, two = (rewritten(page, (50, 25, 210, 55), random) for _ in range(2))
    assert one.shape == two.shape == (48, 160)
    assert not np.array_equal(one, two)
    assert min(one.min(), two.min()) < 120 < one.max()
    assert rewritten(page, (295, 70, 320, 95), random).shape == (48, 160)  # beyond the page


def test_masks() -> None:
    mask = np.zeros((20, 30), np.uint8)
    mask[5:15, 10:12] = 255
    assert tight(mask).shape == (10, 2)
    assert tight(sheared(mask, 0.5)).shape[1] > 4
    assert thicker(mask, 2).sum() > mask.sum() > thicker(mask, -2).sum()
    assert thicker(mask, 0) is mask
    assert spaced(mask, 2.0, 1.0).shape[1] > mask.shape[1]
    canvas = np.zeros((4, 4), np.uint8)
    pasted(canvas, np.full((3, 3), 9, np.uint8), -1, 2)
    assert canvas.tolist() == [[0, 0, 9, 9], [0, 0, 9, 9], [0, 0, 0, 0], [0, 0, 0, 0]]


def test_fonts_without_all_letters_are_left_out(tmp_path: Path) -> None:
    folder = FONTS[0].parent
    (tmp_path / "below").mkdir()
    for name in ("DejaVuSans.ttf", "STIXSizOneSymReg.ttf"):
        (tmp_path / "below" / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    fonts = read_fonts(tmp_path)
    assert [font.path.name for font in fonts] == ["DejaVuSans.ttf"]
    assert fonts[0].told["family"] == "DejaVu Sans Book"
    with pytest.raises(BadInput, match="no font with all letters"):
        read_fonts(tmp_path / "none")


def test_a_batch_has_each_word_twice_and_written_anew() -> None:
    batch = WrittenWords(FONTS, WORDS, 12, 0).next()
    assert np.array_equal(batch.numbers[:6], batch.numbers[6:])
    assert not np.array_equal(batch.pictures[:6], batch.pictures[6:])
    assert len(WrittenWords(FONTS, WORDS, 5, 0).next().pictures) == 5


def test_words_written_letter_by_letter_have_the_width_of_their_letters() -> None:
    hands = [FontHand(font) for font in FONTS]
    masks = [
        np.mean([write_letters(text, hands, np.random.default_rng(s)).shape[1] for s in range(20)])
        for text in ("no", "none", "nonesuch")
    ]
    assert masks[0] * 1.5 < masks[1] < masks[2] / 1.5
    one, two = (write_letters("none", hands, np.random.default_rng(s)) for s in (0, 1))
    assert one.shape != two.shape or not np.array_equal(one, two)


def test_letters_of_a_word_written_alike_are_of_one_hand() -> None:
    serif, plain = (FontHand(font) for font in FONTS[::-1])
    for seed in range(30):
        asked: list[tuple[str, str]] = []
        hands = [_Noting(serif, "first", asked), _Noting(plain, "second", asked)]
        write_letters("nonsense", hands, np.random.default_rng(seed))
        assert len({sign for sign, _ in asked}) == len(set(asked))


def test_paper_may_be_ruled() -> None:
    white = np.zeros((48, 160), np.uint8)
    seen = [photographed(white, np.random.default_rng(seed)) for seed in range(60)]
    columns = np.array([each.astype(float).mean(axis=0).std() for each in seen])
    assert 2 <= (columns > 4).sum() <= 30
