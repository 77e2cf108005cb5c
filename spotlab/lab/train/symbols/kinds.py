"""Kinds of symbols that nobody has seen: outlines with marks, put together by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.lab.train.symbols.shapes import Line, Random, mark, outline, scribble

THIN, THICK = 1.0, 2.2  # pens


@dataclass(frozen=True, eq=False)
class Stroke:
    """One line of a symbol.

    Attributes
    ----------
    path : (N, 2) float
        About from -1 to 1.
    pens : float
        Its width in pens.
    is_filled : bool
    """

    path: Line
    pens: float = THIN
    is_filled: bool = False


@dataclass(frozen=True, eq=False)
class Kind:
    """What all symbols of a kind share.

    Attributes
    ----------
    strokes : tuple of Stroke
        The outline first, if there is one.
    aspect : float
        Width over height.
    spread : float
        Of the logarithm of the aspect, from one symbol to the next.
    is_written_in : bool
        Whether there is writing inside, another one in each.
    has_outline : bool
    """

    strokes: tuple[Stroke, ...]
    aspect: float = 1.0
    spread: float = 0.1
    is_written_in: bool = False
    has_outline: bool = False

    @property
    def is_filled(self) -> bool:
        """Whether no marks are seen inside."""
        return self.has_outline and self.strokes[0].is_filled


def new_kind(random: Random, like: Kind | None = None) -> Kind:
    """Invent a kind of symbols.

    Parameters
    ----------
    random : Generator
    like : Kind, optional
        It gets the same outline, so that the marks inside tell the two apart.
    """
    strokes, aspect, spread, is_written_in = _outlined(random, like)
    has_outline = bool(strokes)
    if has_outline:
        if random.random() < 0.22:
            strokes.append(Stroke(strokes[0].path * random.uniform(0.68, 0.86)))
        marks = int(random.choice(4, p=[0.34, 0.42, 0.16, 0.08]))
        if is_written_in and random.random() < 0.6:
            marks = min(marks, 1)
    else:
        marks = int(random.integers(2, 6))
    for _ in range(marks):
        strokes += _placed_mark(random, is_written_in)
    if random.random() < 0.2:
        at = random.uniform(-0.9, 0.9)
        across = np.array([(-1.0, at), (1, at)])
        strokes.append(Stroke(across if random.random() < 0.5 else across[:, ::-1]))
    if not strokes:
        strokes = [Stroke(scribble(random)) for _ in range(3)]
    return Kind(tuple(strokes), aspect, spread, is_written_in, has_outline)


def _outlined(random: Random, like: Kind | None) -> tuple[list[Stroke], float, float, bool]:
    if like is not None:
        strokes = [like.strokes[0]] if like.has_outline else []
        if strokes and random.random() < 0.35:
            pens = float(random.choice([THIN, THIN, THICK]))
            strokes = [Stroke(strokes[0].path, pens, strokes[0].is_filled)]
        return strokes, like.aspect, like.spread, like.is_written_in
    path, aspect = outline(random)
    spread = abs(random.normal(0, 0.12))
    if path is None:
        return [], aspect, spread, False
    pens = THICK if random.random() < 0.2 else THIN
    is_written_in = aspect > 0.6 and random.random() < 0.3
    stroke = Stroke(path, pens, random.random() < 0.05)
    return [stroke], aspect, spread + 0.15 * is_written_in, is_written_in


def _placed_mark(random: Random, is_written_in: bool) -> list[Stroke]:
    """In the middle, or towards an edge or a corner; beside writing it is small."""
    scale = random.uniform(0.12, 0.55) * (0.5 if is_written_in else 1.0)
    place = np.zeros(2)
    if is_written_in:
        place = np.array([random.choice([-0.75, 0.75, 0.0]), random.choice([-0.7, 0.75])])
    elif random.random() < 0.6:
        place = random.choice([0.0, 0.0, -0.5, 0.5, -0.6, 0.6, 0.75], 2) * (1 - 0.7 * scale)
    is_filled = random.random() < 0.18
    return [
        Stroke(path * scale + place, THIN, is_filled and len(path) > 6) for path in mark(random)
    ]
