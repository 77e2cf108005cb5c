"""What is no symbol, though it could be one: writing, lines, rulings, parts and several at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spotlab.extras import cv2
from spotlab.lab.train.symbols.hand import arrow_head, draw
from spotlab.lab.train.symbols.kinds import Kind, Stroke
from spotlab.lab.train.symbols.paper import FINE, Picture, cloud, resized, rulings, scanned
from spotlab.lab.train.symbols.shapes import Random, letters, smooth
from spotlab.spotting.symbols.embedding.pictures import SIDE


def background(random: Random, kinds: Sequence[Kind]) -> Picture:
    """Draw what a box shows that is around no symbol.

    Parameters
    ----------
    random : Generator
    kinds : sequence of Kind
        Of symbols that are drawn beside it, of which it may show parts.

    Returns
    -------
    (48, 48) uint8
    """
    chance = random.random()
    if chance < 0.36:
        return draw(_writing(random), random, bold=random.random() < 0.5)
    if chance < 0.52:
        return draw(_lines(random), random, bold=random.random() < 0.3)
    if chance < 0.6:
        ruled = rulings(random, random.uniform(15, 90), int(random.integers(1, 6)))
        if random.random() < 0.5:
            ruled[random.random(ruled.shape) < random.uniform(0.05, 0.7)] = 0
        return scanned(ruled, random)
    if chance < 0.66:
        spots = cloud(random, random.uniform(2, 25))
        dark = spots > np.quantile(spots, random.uniform(0.3, 0.9))
        return scanned(np.asarray(dark * 255, np.uint8).reshape(FINE, FINE), random)
    if chance < 0.8:
        return _several(random, kinds)
    return _part(draw(kinds[int(random.integers(len(kinds)))], random), random)


def _writing(random: Random) -> Kind:
    number = int(random.choice([1, 1, 1, 2, 3, 5, 8]))
    first, width = letters(random, number)
    scale = 1 / max(width / 2, 0.5)
    lines = [line * scale - (width * scale / 2, 0) for line in first]
    if number > 2 and random.random() < 0.4:
        second, width = letters(random, int(random.integers(2, 10)))
        lines += [line * scale - (width * scale / 2, 1.6 * scale) for line in second]
    return Kind(tuple(Stroke(line) for line in lines))


def _lines(random: Random) -> Kind:
    if random.random() < 0.4:
        angle = random.uniform(0, 2 * np.pi)
        along = np.array([np.cos(angle), np.sin(angle)])
        head = arrow_head(-0.6 * along, 0.8 * along, is_filled=random.random() < 0.3)
        return Kind((head, Stroke(np.array([-0.6 * along, along]))))
    strokes = []
    for _ in range(random.integers(1, 5)):
        straight = random.random() < 0.5
        points = random.uniform(-1, 1, (2 if straight else 3, 2))
        strokes.append(Stroke(points if straight else smooth(points)))
    return Kind(tuple(strokes))


def _several(random: Random, kinds: Sequence[Kind]) -> Picture:
    whole = np.zeros((SIDE, SIDE), np.uint8)
    for _ in range(random.integers(2, 6)):
        side = int(SIDE * random.uniform(0.2, 0.6))
        x, y = random.integers(0, SIDE - side + 1, 2).tolist()
        one = draw(kinds[int(random.integers(len(kinds)))], random)
        place = whole[y : y + side, x : x + side]
        np.maximum(place, resized(one, side, cv2.INTER_AREA), out=place)
    return whole


def _part(picture: Picture, random: Random) -> Picture:
    """A box over a part of a symbol, or over more than it."""
    if random.random() < 0.6:
        side = int(SIDE * random.uniform(0.35, 0.65))
        x, y = random.integers(0, SIDE - side + 1, 2).tolist()
        if random.random() < 0.5:
            cut = picture[y : y + side, x : x + side]
        else:
            cut = picture[:, x : x + side] if random.random() < 0.5 else picture[y : y + side]
        return resized(cut, SIDE, cv2.INTER_LINEAR)
    side = int(SIDE * random.uniform(0.4, 0.7))
    x, y = random.integers(0, SIDE - side + 1, 2).tolist()
    whole = np.zeros((SIDE, SIDE), np.uint8)
    whole[y : y + side, x : x + side] = resized(picture, side, cv2.INTER_AREA)
    return whole
