"""Hands that write words: by fonts of handwriting, letter by letter, or by a pen."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

from spotlab.arrays import Floats, Ints
from spotlab.errors import BadInput
from spotlab.extras import cv2
from spotlab.files import is_file, read_file
from spotlab.learning.words.paper import Mask, pasted, pen_width, rotated, sheared, thicker, tight
from spotlab.model.spelling import letters_of, script_of
from spotlab.progress import Progress, silent, track
from spotlab.spotting.words.embedding.characters import Alphabet

LATIN = Alphabet("abcdefghijklmnopqrstuvwxyz0123456789")
LONGEST = 20  # characters
_NUMBERS, _INVENTED, _RUNNING = 0.04, 0.14, 0.36  # shares, each with the ones before
_SHORT = 0.1  # share of words in which letters may be left out for signs of abbreviation
_LONG_S, _BAR = "\u017f", "\u0304"
_BARRED = re.compile("([aeiou])[mn](?=[bcdfgjlmnpqrstvz]|$)")  # a bar over the vowel says m or n
_ABBREVIATED = (("per", "\ua751"), ("pro", "\ua753"), ("con", "\ua76f"), ("us$", "\ua770"))


@dataclass(frozen=True)
class WordTexts:
    """Word lists from which texts are drawn.

    Attributes
    ----------
    known : tuple of str
        A list of words.
    running : tuple of str
        Words of running text, as often as they occur.
    """

    known: tuple[str, ...]
    running: tuple[str, ...] = ()


def alphabet_of(words: str) -> Alphabet:
    """Return the letters of the script that most of some words are written in, and digits.

    Parameters
    ----------
    words : str
        Any text; the alphabet of Latin words is `LATIN`.

    Examples
    --------
    >>> alphabet_of("μῆνιν ἄειδε\\nlyra").characters
    'αδεηιμν0123456789'
    """
    letters = Counter(sign for sign in letters_of(words) if sign.isalpha())
    scripts = Counter[str]()
    for sign, count in letters.items():
        scripts[script_of(sign)] += count
    script = max(scripts, key=lambda each: scripts[each], default="")
    if script in ("", script_of("a")):
        return LATIN
    own = sorted(sign for sign in letters if script_of(sign) == script)
    return Alphabet("".join(own) + "0123456789")


def words_of(listed: str, running: str = "", alphabet: Alphabet = LATIN) -> WordTexts:
    """Read a list of words and running text.

    Parameters
    ----------
    listed : str
        A word a line; words with other letters than those of the alphabet are left out.
    running : str
        Any text.
    alphabet : Alphabet

    Examples
    --------
    >>> words_of("ab\\nx1\\ncafé\\nQuixote", "To be, or not to be")
    WordTexts(known=('Quixote', 'ab', 'café'), running=('To', 'be', 'or', 'not', 'to', 'be'))
    """

    def is_known(word: str, least: int) -> bool:
        letters = letters_of(word, kept=alphabet.characters) if word.isalpha() else ""
        return least <= len(letters) <= LONGEST and letters == alphabet.fold(word)

    listed, running = (unicodedata.normalize("NFC", text) for text in (listed, running))
    known = sorted({word for word in listed.split("\n") if is_known(word, 2)})
    found = [word for word in re.findall(r"\w+", running) if is_known(word, 1)]
    return WordTexts(tuple(known), tuple(found))


class Texts:
    """Draws texts by chance.

    Parameters
    ----------
    words : WordTexts
    seed : int
    alphabet : Alphabet
    """

    def __init__(self, words: WordTexts, seed: int, alphabet: Alphabet = LATIN) -> None:
        self._random = np.random.default_rng(seed)
        self._words = words
        self._letters = alphabet.letters
        self._next = _following([alphabet.fold(word) for word in words.known], self._letters)

    def draw(self) -> str:
        """A text."""
        return self.dressed(self.word())

    def word(self) -> str:
        """A word as such, or a number."""
        random, kind = self._random, self._random.random()
        if kind < _NUMBERS:
            word = str(random.integers(10 ** int(random.integers(1, 5))))
            word += str(random.choice(["", "", "", "th", "st", "d"]))
        elif kind < _INVENTED:
            word = self._invented()
        elif kind < _RUNNING and self._words.running:
            word = self._one_of(self._words.running).lower()
        else:
            word = self._one_of(self._words.known)
        return self._abbreviated(word) if random.random() < _SHORT else word

    def dressed(self, word: str) -> str:
        """With capitals, an old s and punctuation, as words may have them.

        Parameters
        ----------
        word : str
        """
        random = self._random
        if random.random() < 0.25:
            word = re.sub("s(?=[^\\W_])", _LONG_S, word)
        if random.random() < 0.17:
            word = word[0].upper() + word[1:]
        elif random.random() < 0.04:
            word = word.upper()
        if random.random() < 0.14:
            word += str(random.choice(list(",.,.;:-=")))
        return '"' + word if random.random() < 0.02 else word

    def _abbreviated(self, word: str) -> str:
        """With a bar for an m or n, or a sign for some letters."""
        if self._random.random() < 0.5:
            return unicodedata.normalize("NFC", _BARRED.sub(rf"\1{_BAR}", word, count=1))
        for letters, sign in _ABBREVIATED:
            word = re.sub(letters, sign, word)
        return word

    def _one_of(self, words: Sequence[str]) -> str:
        return words[int(self._random.integers(len(words)))]

    def _invented(self) -> str:
        """A word of letters that follow each other in words."""
        end = len(self._letters)
        first, second, word = end, int(self._random.integers(end)), ""
        while len(word) < LONGEST and second != end:
            word += self._letters[second]
            third = int(np.searchsorted(self._next[first, second], self._random.random()))
            first, second = second, min(third, end)
        return word or self._letters[0]


def _following(words: Sequence[str], letters: str) -> NDArray[np.float64]:
    """Tell how likely a letter and all before it in the alphabet follow two letters; behind the
    letters there is the end of a word: (1 + L, 1 + L, 1 + L).
    """
    end = len(letters)
    table = np.full((end + 1,) * 3, 0.02)
    number = {letter: place for place, letter in enumerate(letters)}
    code = np.array([number.get(sign, end) for sign in " ".join(words) + " "])
    np.add.at(table, (code[:-2], code[1:-1], code[2:]), 1)
    following: NDArray[np.float64] = np.cumsum(table, axis=2) / table.sum(axis=2, keepdims=True)
    return following


_SIZE = 60  # px a font is measured at
X_HEIGHT = 26  # px of an x in all hands
_JOINING, _UPRIGHT = "animinumen", "hlbdkfpqhlit"  # what joins, and stems, by which hands are told
_JOINED = 0.6  # parts of ink by letter, some of them dots, in a hand that joins its letters
_UNKNOWN = "\uffff"  # a sign that no font has
_PLAIN = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, eq=False)
class FontLetter:
    """A letter by itself.

    Attributes
    ----------
    mask : (H, W) uint8
    left, top : int
        px; where its mask begins, from the pen's place and from the line it stands on.
    advance : float
        px; how far the pen moves to the next letter.
    """

    mask: Mask
    left: int
    top: int
    advance: float


class FontHand:
    """A font.

    Parameters
    ----------
    path : Path
    letters : str
        Small letters by which it is measured.

    Attributes
    ----------
    lean : float
        Shear by which it is slanted to the right.
    pen : float
        px; width of its strokes.
    is_joined : bool
        Whether its letters are joined.
    """

    def __init__(self, path: Path, letters: str = _PLAIN) -> None:
        font = ImageFont.truetype(str(path), _SIZE)
        boxes = [font.getbbox(letter) for letter in letters]
        high = float(np.percentile([box[3] - box[1] for box in boxes], 35))
        size = int(np.clip(_SIZE * X_HEIGHT / max(high, 4), 30, 130))
        self._font = ImageFont.truetype(str(path), size)
        self._missing = bytes(self._font.getmask(_UNKNOWN))
        self._has_sign: dict[str, bool] = {}
        self._letters: dict[str, FontLetter] = {}
        self.lean = self._lean(letters)
        self.pen = pen_width(self.mask(letters))
        text = "".join(letter for letter in _JOINING if letter in letters) or letters[:10]
        dark = (self.mask(text) > 100).astype(np.uint8)
        self.is_joined = cv2.connectedComponents(dark)[0] - 1 <= _JOINED * len(text)

    def mask(self, text: str) -> Mask:
        """Ink of a text.

        Parameters
        ----------
        text : str
        """
        return _array(self._font.getmask2(self.written(text), mode="L")[0])

    def written(self, text: str) -> str:
        """A text in the signs that the font has.

        A long s before another is an f where there is none; what else is missing is written in
        plain letters.

        Parameters
        ----------
        text : str
        """
        if not self._has(_LONG_S):
            text = text.replace(_LONG_S + "s", "fs").replace(_LONG_S, "s")
        return "".join(sign if self._has(sign) else letters_of(sign) or sign for sign in text)

    def _has(self, sign: str) -> bool:
        if sign not in self._has_sign:
            self._has_sign[sign] = bytes(self._font.getmask(sign)) != self._missing
        return self._has_sign[sign]

    def letter(self, sign: str) -> FontLetter:
        """Ink of a single letter.

        Parameters
        ----------
        sign : str
            A character.
        """
        if sign not in self._letters:
            text = self.written(sign)
            mask, (left, top) = self._font.getmask2(text, mode="L", anchor="ls")
            advance = self._font.getlength(text)
            self._letters[sign] = FontLetter(_array(mask), int(left), int(top), advance)
        return self._letters[sign]

    def _lean(self, letters: str) -> float:
        """Tell how slanted the font is, as the shear that makes its columns sharpest."""
        mask = self.mask("".join(letter for letter in _UPRIGHT if letter in letters) or letters)
        shears = np.arange(-0.2, 1.3, 0.1)
        sharp = [(sheared(mask, -shear).sum(0, dtype=float) ** 2).sum() for shear in shears]
        return float(shears[int(np.argmax(sharp))])


def _array(mask: Any) -> Mask:
    wide, high = mask.size
    if not wide or not high:
        return np.zeros((8, 8), np.uint8)
    return np.frombuffer(bytes(mask), np.uint8).reshape(high, wide)


_SUFFIXES = (".ttf", ".otf")
_FONT_SIZE = 24  # px


@dataclass(frozen=True)
class Font:
    """A font.

    Attributes
    ----------
    path : Path
    family : str
    digest : str
        Of the file.
    """

    path: Path
    family: str
    digest: str

    @property
    def told(self) -> dict[str, str]:
        """Return what a network that has learned from it says of it."""
        return {"file": self.path.name, "family": self.family, "sha256": self.digest[:16]}


def read_fonts(folder: Path, progress: Progress = silent, alphabet: Alphabet = LATIN) -> list[Font]:
    """Find the fonts in a folder and below that have all letters, small and capital.

    Parameters
    ----------
    folder : Path
    progress : Progress
    alphabet : Alphabet

    Raises
    ------
    BadInput
        There is none.
    """
    files = sorted(
        file for file in folder.rglob("*") if file.suffix.lower() in _SUFFIXES and is_file(file)
    )
    fonts = [
        font for file in track(files, progress, "reading fonts") if (font := _font(file, alphabet))
    ]
    if not fonts:
        raise BadInput(folder, "no font with all letters", expected="files .ttf or .otf")
    return fonts


def _font(file: Path, alphabet: Alphabet) -> Font | None:
    needed = {*alphabet.letters, *(sign.upper() for sign in alphabet.letters)}
    try:
        font = ImageFont.truetype(str(file), _FONT_SIZE)
        content = read_file(file)
        missing = bytes(font.getmask(_UNKNOWN))
        has_all = all(bytes(font.getmask(letter)) != missing for letter in needed)
    except OSError:
        return None
    family = " ".join(part for part in font.getname() if part)
    return Font(file, family, hashlib.sha256(content).hexdigest()) if has_all else None


_ROOM = 160  # px above and below the line
_OTHERS = 0.3  # share of letters that are formed as the other hand forms them, at most
# of letters, times how careless a hand is: their size, turn in degrees, height and distance in px
_LETTER_SIZE, _TURN, _HEIGHT, _DISTANCE = 0.06, 2.5, 1.6, 1.2


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
    signs = hands[0].written(text)
    careless = float(random.gamma(2, 0.5))
    share = float(random.uniform(0, _OTHERS))
    of = {sign: hands[int(random.random() < share)] for sign in sorted(set(signs))}
    apart = float(random.normal(1, 2))
    page = np.zeros((2 * _ROOM, 160 + 110 * len(signs)), np.uint8)
    place = 80.0
    for sign in signs:
        letter = of[sign].letter(sign)
        size = float(np.exp(random.normal(0, _LETTER_SIZE * careless)))
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


# of letters, times how careless a hand is
_WIDTH, _PEN_SIZE, _SHEAR, _PEN_TURN = 0.1, 0.06, 0.06, 0.05  # the last in radians
_LINE, _APART = 1.6, 2.0  # px that letters leave the line and their distance
_LEAN = 0.12  # to the right, of most hands
_WAVES = 5  # by which a word's strokes stray
_STRAY = 1.0  # px, times how careless a hand is
_LONGEST_JOIN = 22.0  # px between letters that a stroke may join
_PEN, _PEN_VARIES = 0.105, 0.33  # width by the height of an x; its deviation (log)
_BROAD = 0.4  # share of words by a broad nib
_NIB, _NIB_ANGLE = (0.12, 0.3), (20.0, 50.0)  # its width by the height of an x; degrees
_PRESSED = 0.12  # deviation of the width along a word
_FRACTION = 4  # bits of a pixel in places that are drawn at
_EDGE = 16  # px around what is written
_DARK = 100  # of 255: what counts as ink


@dataclass(frozen=True, eq=False)
class LetterStrokes:
    """The middle of a letter's strokes.

    Attributes
    ----------
    points : (P, 2) float
        px, from the pen's place and from the line that the letter stands on.
    pairs : (E, 2) int
        Points that a pen goes between.
    """

    points: Floats
    pairs: Ints


class Pen:
    """Writes words by a pen.

    Parameters
    ----------
    hands : sequence of FontHand
        Whose letters are written.
    """

    def __init__(self, hands: Sequence[FontHand]) -> None:
        self._hands = hands
        self._known: dict[tuple[int, str], LetterStrokes] = {}

    def write(self, text: str, first: int, random: np.random.Generator) -> Mask:
        """Write a word.

        Parameters
        ----------
        text : str
        first : int
            The hand that most letters are of; another forms some, the same ones all along the word.
        random : Generator

        Returns
        -------
        (H, W) uint8
            Ink.
        """
        signs = self._hands[first].written(text)
        careless = float(random.gamma(2.5, 0.34))
        share, second = random.uniform(0, _OTHERS), int(random.integers(len(self._hands)))
        of = {sign: second if random.random() < share else first for sign in sorted(set(signs))}
        lean = float(np.clip(random.normal(_LEAN, 0.22), -0.3, 0.9))
        apart, joined = random.normal(1, 2.5), max(random.uniform(-0.6, 0.9), 0.0)
        word, place = _Word(), 0.0
        for sign in signs:
            hand, strokes = self._hands[of[sign]], self._strokes(of[sign], sign)
            wide = float(np.exp(random.normal(0, _WIDTH * careless)))
            points = strokes.points @ _change(careless, wide, hand.lean - lean, random)
            points += (place, random.normal(0, _LINE * careless))
            word.add(points, strokes.pairs, joined, random)
            place += hand.letter(sign).advance * wide
            place += max(apart + random.normal(0, _APART * careless), -5.0)
        points, pairs = word.strokes
        return _inked(_strayed(points, careless, random), pairs, random)

    def _strokes(self, hand: int, sign: str) -> LetterStrokes:
        if (hand, sign) not in self._known:
            letter = self._hands[hand].letter(sign)
            strokes = middle_of(letter.mask)
            moved = strokes.points + np.array([letter.left, letter.top])
            self._known[hand, sign] = LetterStrokes(moved, strokes.pairs)
        return self._known[hand, sign]


class _Word:
    """The strokes of letters, one after another."""

    def __init__(self) -> None:
        self._points, self._pairs = [np.zeros((0, 2))], [np.zeros((0, 2), np.int64)]
        self._count = 0

    def add(self, points: Floats, pairs: Ints, joined: float, random: np.random.Generator) -> None:
        """A letter, joined to the one before as often as ``joined`` says."""
        before = self._points[-1]
        if len(before) and len(points) and random.random() < joined:
            ends = np.array([self._count - len(before), self._count])
            self._pairs.append(_join(before, points) + ends)
        self._points.append(points)
        self._pairs.append(pairs + self._count)
        self._count += len(points)

    @property
    def strokes(self) -> tuple[Floats, Ints]:
        return np.concatenate(self._points), np.concatenate(self._pairs)


def middle_of(mask: Mask) -> LetterStrokes:
    """Find the middle of strokes: ink is taken from their edges until they are a pixel wide.

    Parameters
    ----------
    mask : (H, W) uint8

    Examples
    --------
    >>> line = np.pad(np.full((5, 40), 255, np.uint8), 9)
    >>> strokes = middle_of(line)
    >>> np.unique(strokes.points[:, 1]).tolist(), 30 < len(strokes.pairs) < 40
    ([11.0], True)

    References
    ----------
    Zhang & Suen (1984), "A fast parallel algorithm for thinning digital patterns", CACM 27(3).
    """
    dark = np.pad(mask > _DARK, 1)
    while True:
        before = dark.sum()
        for half in (0, 1):
            dark &= ~_removable(dark, half)
        if dark.sum() == before:
            break
    rows, columns = np.nonzero(dark)
    number = np.full(dark.shape, -1)
    number[rows, columns] = np.arange(len(rows))
    pairs = []
    for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
        other = number[rows + down, columns + across]
        there = other >= 0
        if down and across:  # not across a corner
            there &= (number[rows + down, columns] < 0) & (number[rows, columns + across] < 0)
        pairs.append(np.stack([np.flatnonzero(there), other[there]], 1))
    return LetterStrokes(np.stack([columns - 1.0, rows - 1.0], 1), np.concatenate(pairs))


def _removable(dark: NDArray[np.bool_], half: int) -> NDArray[np.bool_]:
    """Pixels on one side of strokes that hold nothing together."""
    around = [
        np.roll(dark, move, (0, 1))
        for move in ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1))
    ]
    north, _, east, _, south, _, west, _ = around
    beside = sum(each.astype(np.int8) for each in around)
    changes = sum(
        (~one & other).astype(np.int8)
        for one, other in zip(around, around[1:] + around[:1], strict=True)
    )
    if half == 0:
        free = ~(north & east & south) & ~(east & south & west)
    else:
        free = ~(north & east & west) & ~(north & south & west)
    removable: NDArray[np.bool_] = dark & (beside >= 2) & (beside <= 6) & (changes == 1) & free
    return removable


def _change(careless: float, wide: float, lean: float, random: np.random.Generator) -> Floats:
    """A matrix that a letter's points are multiplied with: upright, and a little changed."""
    size = float(np.exp(random.normal(0, _PEN_SIZE * careless)))
    lean -= random.normal(0, _SHEAR * careless)
    turn = random.normal(0, _PEN_TURN * careless)
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    changed: Floats = np.array([[wide, 0], [lean, size]]) @ turned
    return changed


def _join(before: Floats, after: Floats) -> Ints:
    """A stroke from the end of a letter to the beginning of the next, if they are close."""
    ends = np.where(before[:, 1] > -X_HEIGHT, before[:, 0] - 0.5 * np.abs(before[:, 1]), -np.inf)
    starts = np.where(after[:, 1] > -1.2 * X_HEIGHT, after[:, 0], np.inf)
    end, start = int(ends.argmax()), int(starts.argmin())
    is_close = np.hypot(*(after[start] - before[end])) <= _LONGEST_JOIN
    return np.array([[end, start]] if is_close else np.zeros((0, 2), np.int64))


def _strayed(points: Floats, careless: float, random: np.random.Generator) -> Floats:
    """Points moved by waves, so that the same letter is another one farther on."""
    strayed = points.copy()
    for _ in range(_WAVES):
        length, angle = random.uniform(0.6, 2.5) * X_HEIGHT, random.uniform(0, 2 * np.pi)
        along = points @ np.array([np.cos(angle), np.sin(angle)]) * (2 * np.pi / length)
        far = random.normal(0, _STRAY * careless, 2)
        strayed += np.sin(along + random.uniform(0, 2 * np.pi))[:, None] * far
    return strayed


def _inked(points: Floats, pairs: Ints, random: np.random.Generator) -> Mask:
    """Draw strokes by a pen that presses more or less."""
    if not len(points):
        return np.zeros((8, 8), np.uint8)
    points = points - points.min(0) + _EDGE
    wide, high = (np.ceil(points.max(0)).astype(int) + _EDGE).tolist()
    lines = np.full((high, wide), 255, np.uint8)
    places = np.round(points * 2**_FRACTION).astype(np.int32)
    cv2.polylines(lines, list(places[pairs]), False, 0, 1, cv2.LINE_8, _FRACTION)
    columns, rows = np.round(points).astype(int).T
    lines[rows, columns] = 0  # dots
    if random.random() < _BROAD:
        return tight(_by_nib(lines, random))
    away = cv2.distanceTransform(lines, cv2.DIST_L2, 5)
    pen = float(np.clip(np.exp(random.normal(np.log(_PEN), _PEN_VARIES)), 0.05, 0.26)) * X_HEIGHT
    coarse = random.normal(1, _PRESSED, (3, 3 + wide // 60))
    pressed = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    ink = np.clip(pen / 2 * pressed - away + 0.5, 0, 1) * 255
    return tight(np.asarray(ink, np.uint8))


def _by_nib(lines: Mask, random: np.random.Generator) -> Mask:
    """Draw strokes, 0 in 255, by a nib that is broad and thin, held at an angle all along."""
    long = int(2**_FRACTION * X_HEIGHT * random.uniform(*_NIB))
    thin = max(int(long * random.uniform(0.1, 0.3)), 2**_FRACTION)
    size = long // 2**_FRACTION + 3
    nib = np.zeros((2 * size + 1,) * 2, np.uint8)
    middle = (size << _FRACTION,) * 2
    angle = -float(random.uniform(*_NIB_ANGLE))
    axes = (long // 2, thin // 2)
    cv2.ellipse(nib, middle, axes, angle, 0, 360, 1, -1, cv2.LINE_8, _FRACTION)
    nib[size, size] = 1
    broad = cv2.dilate(255 - lines, nib)
    return np.asarray(cv2.GaussianBlur(broad, (0, 0), 0.6), np.uint8)
