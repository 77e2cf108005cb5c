"""Positions of words on a page: passages broken into uneven lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.manuscript.hand import SPACE, LetterHand, WordPath, write_word
from spotlab.lab.draw.manuscript.options import ManuscriptOptions

# the first ones of each kind are used most, as words of a language are (Zipf)
_SLOTS: dict[str, tuple[str, ...]] = {
    "rank": ("Captain", "Colonel", "Lieutenant", "Major", "Ensign", "Serjeant", "Doctor"),
    "name": (
        "Harding", "Bell", "Whitlock", "Morrow", "Ashby", "Stearne", "Fairlie", "Penrose",
        "Dunmore", "Colby", "Varley", "Hobson",
    ),
    "place": (
        "Winchester", "the Fort", "Alexandria", "the River", "Cumberland", "Fairfield", "the Mills",
        "Norwich", "the Ferry",
    ),
    "goods": (
        "Provisions", "Flour", "Powder", "Arms", "Cloathing", "Waggons", "Salt", "Blankets",
        "Horses", "Tools", "Beef",
    ),
    "men": (
        "the Company", "the Recruits", "the Regiment", "the Soldiers", "a Party", "the Militia",
        "the Garrison", "the Rangers",
    ),
    "month": ("October", "November", "August", "December", "January", "March", "July"),
    "number": ("ten", "twenty", "fifty", "two", "three", "thirty", "twelve", "forty", "sixty"),
    "day": ("Monday", "Thursday", "Saturday", "Friday", "Tuesday"),
    "date": ("26th", "9th", "14th", "3d", "18th", "30th", "5th", "21st"),
}  # fmt: skip
_CLAUSES = (
    "you are hereby ordered to march with {men} to {place}",
    "I have received your letter of the {date} of {month}",
    "you are to see that {men} are provided with {goods}",
    "{rank} {name} is ordered to proceed to {place} with {number} men",
    "I have sent you {number} barrels of {goods} by {rank} {name}",
    "you must not fail to send {goods} to {place} before the {date}",
    "the {goods} that were ordered for {men} are not yet received",
    "as soon as you receive this letter you are to join {men} at {place}",
    "I desire that you will send me an exact return of {men} and of the {goods}",
    "there is great want of {goods} at {place}",
    "{men} were paid on the {date} and are to be paid again in {month}",
    "I have ordered {rank} {name} to deliver the {goods} to you",
    "the enemy have been seen near {place} and have taken {number} of our Horses",
    "you are to give a receipt for all the {goods} which you receive",
    "{rank} {name} has my orders to send {number} men for the {goods}",
    "several of {men} have deserted since the {date}",
    "I shall be at {place} on {day} and expect to find you there",
    "you will take particular care that no man leaves {place} without orders",
    "the Waggons will set out for {place} on {day} with the {goods}",
    "I have wrote to the Governor by {rank} {name} for more {goods}",
    "it is impossible to keep {men} together without pay or {goods}",
    "let me have your answer by the bearer, {rank} {name}",
    "{number} men of {men} are sick and cannot march",
    "the roads to {place} are so bad that the {goods} must wait",
    "{rank} {name} is to command at {place} until I return",
    "your company is compleat except {number} men",
)
_ONE = ("th", "ch", "sh", "ph", "wh", "ck", "st", "qu", "gh")  # not to be parted
_LINKS = (", and ", "; and ", ". ", ". ", ", but ", "; for ", ". In the mean time ", ", as ")
_CLOSINGS = (
    "I am, Sir, your most humble Servant,",
    "I am, Sir, your obedient Servant,",
    "I have the honour to be, with great respect, Sir, your most humble Servant,",
)


@dataclass(frozen=True)
class Passage:
    """Text that stands together on a page.

    Attributes
    ----------
    kind : str
        "heading", "paragraph" or "signature".
    text : str
        One line of text, words divided by single spaces.
    """

    kind: str
    text: str


def passages(rng: np.random.Generator) -> Iterator[Passage]:
    """Letters without end, one behind the other as in a letter-book.

    Examples
    --------
    >>> letters = passages(np.random.default_rng(0))
    >>> [next(letters).kind for _ in range(3)]
    ['heading', 'paragraph', 'paragraph']
    """
    while True:
        yield Passage("heading", _filled("To {rank} {name}, at {place}.", rng))
        yield Passage("paragraph", "Sir, " + _paragraph(rng))
        for _ in range(int(rng.integers(1, 3))):
            yield Passage("paragraph", _sentence(_paragraph(rng)))
        year = int(rng.integers(1752, 1764))
        yield Passage("paragraph", _pick(_CLOSINGS, rng))
        where = _sentence(_filled("{place}, {month} {date}", rng))
        yield Passage("signature", f"{where}, {year}.")


def _paragraph(rng: np.random.Generator) -> str:
    """Some of the phrases, none of them twice."""
    weights = 1 / np.arange(8, len(_CLAUSES) + 8)
    count = int(rng.integers(4, 8))
    chosen = rng.choice(len(_CLAUSES), count, replace=False, p=weights / weights.sum()).tolist()
    text = _filled(_CLAUSES[chosen[0]], rng)
    for number in chosen[1:]:
        link, clause = _pick(_LINKS, rng), _filled(_CLAUSES[number], rng)
        text += link + (_sentence(clause) if link == ". " else clause)
    return text + "."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _filled(phrase: str, rng: np.random.Generator) -> str:
    chosen = {slot: _pick(words, rng) for slot, words in _SLOTS.items()}
    return phrase.format(**chosen)


def _pick(choices: tuple[str, ...], rng: np.random.Generator) -> str:
    weights = 1 / np.arange(2, len(choices) + 2)
    return choices[int(rng.choice(len(choices), p=weights / weights.sum()))]


def parts(word: str) -> tuple[str, str] | None:
    """A word divided for the end of a line; None for one that is not to be divided.

    Examples
    --------
    >>> parts("Regiment"), parts("men")
    (('Regi', 'ment'), None)
    """
    vowels = "aeiouy"
    if len(word) < 6 or not word.isalpha():
        return None
    middle = len(word) / 2
    # between a vowel, or two consonants, and a consonant that has a vowel behind it
    places = [
        at
        for at in range(3, len(word) - 2)
        if word[at] not in vowels and word[at + 1] in vowels and word[at - 1 : at + 1] not in _ONE
    ]
    if not places:
        return None
    at = min(places, key=lambda place: abs(place - middle))
    return word[:at], word[at:]


POINTS = ".,;:"  # they stand behind a word and are not of it


@dataclass(frozen=True, eq=False)
class WrittenWord:
    """A word on the page.

    Attributes
    ----------
    text : str
        Without the point or comma behind it, which stands in ``behind``.
    strokes, points : tuple of (K, 2) float
        Of the word and of what stands behind it, in px of the page.
    """

    text: str
    behind: str
    strokes: tuple[Points, ...]
    points: tuple[Points, ...]


@dataclass(frozen=True, eq=False)
class WrittenLine:
    """A line of writing; ``baseline`` is (K, 2) in px."""

    words: tuple[WrittenWord, ...]
    baseline: Points


@dataclass(frozen=True, eq=False)
class WrittenBlock:
    """The lines of a passage that are on the page."""

    kind: str
    lines: tuple[WrittenLine, ...]


@dataclass(frozen=True)
class _Piece:
    """A word that is written but has no place yet."""

    text: str
    behind: str
    word: WordPath
    point: WordPath | None

    @property
    def width(self) -> float:
        return self.word.width + (self.point.width if self.point else 0)


@dataclass
class PageWriter:
    """A page that a hand fills from top to bottom."""

    options: ManuscriptOptions
    hand: LetterHand
    rng: np.random.Generator
    unit: float = field(init=False)

    def __post_init__(self) -> None:
        options, rng = self.options, self.rng
        # letters reach some 21 units above the line and 12 below: neighbouring lines just touch
        self.unit = min(options.pitch * float(rng.uniform(0.033, 0.038)), options.width / 250)
        self.left = options.width * float(rng.uniform(0.06, 0.1))
        self.right = options.width * float(rng.uniform(0.93, 0.97))
        self.turn = float(np.tan(np.radians(rng.uniform(-1, 1) * options.skew)))

    def blocks(self) -> list[WrittenBlock]:
        """Return what is on the page; the last passage ends where the page does."""
        source = passages(self.rng)
        done: list[WrittenBlock] = []
        number = 0
        while number < self.options.lines:
            passage = next(source)
            lines = []
            for indent, pieces in self._broken(passage)[: self.options.lines - number]:
                lines.append(self._placed(pieces, indent, number))
                number += 1
            done.append(WrittenBlock(passage.kind, tuple(lines)))
        return done

    def _write(self, text: str, behind: str) -> _Piece:
        jitter = self.options.jitter
        word = write_word(text, self.hand, self.unit, jitter, self.rng)
        point = write_word(behind, self.hand, self.unit, jitter, self.rng) if behind else None
        return _Piece(text, behind, word, point)

    def _broken(self, passage: Passage) -> list[tuple[float, list[_Piece]]]:
        """The passage's lines: how far each is moved in, and its words."""
        words = deque(
            (token.rstrip(POINTS), token[len(token.rstrip(POINTS)) :])
            for token in passage.text.split(" ")
        )
        whole = self.right - self.left
        shift = {"heading": 0.12, "paragraph": 0.08, "signature": 0.3}[passage.kind] * whole
        lines: list[tuple[float, list[_Piece]]] = [(shift, [])]
        used = shift
        while words:
            text, behind = words.popleft()
            piece = self._write(text, behind)
            if lines[-1][1] and used + piece.width > whole:
                first = self._divided(text, whole - used)
                used = shift if passage.kind == "signature" else 0.0
                lines.append((used, []))
                if first:
                    lines[-2][1].append(first)
                    words.appendleft((text[len(first.text) - 1 :], behind))
                    continue
            lines[-1][1].append(piece)
            used += piece.width + self._space
        return lines

    @property
    def _space(self) -> float:
        return SPACE * self.hand.space * self.unit

    def _divided(self, text: str, room: float) -> _Piece | None:
        """The first part of a word with its hyphen, if it is divided and has room."""
        both = parts(text)
        if both is None or self.rng.random() >= self.options.hyphens:
            return None
        piece = self._write(both[0] + "-", "")
        return piece if piece.width <= room else None

    def _placed(self, pieces: list[_Piece], indent: float, number: int) -> WrittenLine:
        options, rng = self.options, self.rng
        loose = options.wander
        x = self.left + indent + 0.006 * options.width * loose * float(rng.normal())
        level = 0.07 * options.height + (number + 0.75) * options.pitch
        level += 0.03 * options.pitch * loose * float(rng.normal())
        slope = self.turn + 0.0025 * loose * float(rng.normal())
        swing = 0.045 * options.pitch * loose * float(rng.normal())
        period, phase = options.width * rng.uniform(0.3, 0.9), rng.uniform(0, 2 * np.pi)

        def lines_y(x: Points) -> Points:
            wave = swing * np.sin(x * 2 * np.pi / period + phase)
            return np.asarray(level + slope * (x - options.width / 2) + wave, np.float64)

        def moved(path: WordPath | None, x: float) -> tuple[Points, ...]:
            strokes = path.strokes if path else ()
            return tuple(
                np.column_stack([stroke[:, 0] + x, stroke[:, 1] + lines_y(stroke[:, 0] + x)])
                for stroke in strokes
            )

        words, start = [], x
        for piece in pieces:
            behind = moved(piece.point, x + piece.word.width)
            words.append(WrittenWord(piece.text, piece.behind, moved(piece.word, x), behind))
            x += piece.width + self._space * max(0.5, 1 + 0.15 * float(rng.normal()))
        places = np.linspace(start, x - self._space, 6)
        return WrittenLine(tuple(words), np.column_stack([places, lines_y(places)]))
