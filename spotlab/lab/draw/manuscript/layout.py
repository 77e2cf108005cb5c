"""Where words stand on a page: passages broken into lines that wander."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.manuscript.hand import SPACE, LetterHand, WordPath, write_word
from spotlab.lab.draw.manuscript.options import ManuscriptOptions
from spotlab.lab.draw.manuscript.prose import Passage, parts, passages

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
        """What is on the page; the last passage ends where the page does."""
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
