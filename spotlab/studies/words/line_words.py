"""Words of transcribed lines: roughly where each is, and which items are judged by them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from spotlab.formats.page.read import LINE_LABEL, WORD_LABEL
from spotlab.geometry.polygon import BoxPairs, pair_boxes
from spotlab.model import Items, Region, Truth
from spotlab.model.spelling import Spelling, alternatives_of, fold
from spotlab.spotting.words.word_index import instances

Box = tuple[float, float, float, float]

# intersection over union along a line of an item and the place that a word has by its letters;
# chosen on pages 270 to 272 of George Washington's letters
ALONG = 0.2
_RIGHT_TO_LEFT = ("R", "AL")


def is_line(region: Region) -> bool:
    """Tell whether a region is a line of words by what it says, whatever its file calls it."""
    return region.label == LINE_LABEL or len(region.text.split()) > 1


def words_of(truth: Truth) -> Iterator[tuple[Box, str, int]]:
    """The words of a page: box, text, and the number of the line whose place alone is known, or -1.

    A line counts unless half of its words or more are in regions of their own, or in those that a
    file calls words; of those that are it has no further one.

    Parameters
    ----------
    truth : Truth
        With words or lines, or both, as regions; those without a text or area are ignored.
    """
    regions = [each for each in truth.regions if each.text and _has_area(each.bounds)]
    single = [not is_line(region) for region in regions]
    called_word = [region.label != LINE_LABEL for region in regions]
    counts = np.array([len(region.text.split()) for region in regions])
    boxes = np.array([region.bounds for region in regions]).reshape(-1, 4)
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    for number, region in enumerate(regions):
        if single[number]:
            yield region.bounds, region.text, -1
            continue
        inner = single if called_word[number] else called_word
        in_box = ((middles >= boxes[number, :2]) & (middles <= boxes[number, 2:])).all(axis=1)
        inside = np.flatnonzero(in_box & inner)
        if 2 * counts[inside].sum() >= counts[number]:
            continue
        rest = words_in_line(region)
        for word in (regions[at] for at in inside.tolist()):
            same = [each for each in rest if fold(each[1]) == fold(word.text)]
            if same:  # the nearest of them is this word
                rest.remove(min(same, key=lambda each: _away(each[0], word.bounds)))
        yield from ((box, text, number) for box, text in rest)


def with_words_of_lines(truth: Truth) -> Truth:
    """The truth of a page whose lines are taken apart into their words, where these are no regions.

    Parameters
    ----------
    truth : Truth
        As of `words_of`.
    """
    own = tuple(each for each in truth.regions if not (each.text and is_line(each)))
    parts = []
    for (left, top, right, bottom), text, line in words_of(truth):
        if line >= 0:
            ring = ((left, top), (right, top), (right, bottom), (left, bottom))
            parts.append(Region(ring, WORD_LABEL, text=text))
    return replace(truth, regions=(*own, *parts))


def _has_area(box: Box) -> bool:
    return box[0] < box[2] and box[1] < box[3]


def _away(one: Box, other: Box) -> float:
    return abs(one[0] + one[2] - other[0] - other[2]) + abs(one[1] + one[3] - other[1] - other[3])


def words_in_line(region: Region) -> list[tuple[Box, str]]:
    """Cut a line into its words: each has as much of it as its letters are of all.

    Parameters
    ----------
    region : Region
        With a text. A line that is taller than wide runs from top to bottom.

    Returns
    -------
    list of ((left, top, right, bottom), str)
        Boxes in px. A word without area is left out.

    Examples
    --------
    >>> words_in_line(Region(((0, 0), (100, 0), (100, 9), (0, 9)), "line", text="my own"))
    [((0.0, 0.0, 42.9, 9.0), 'my'), ((42.9, 0.0, 100.0, 9.0), 'own')]
    """
    words = region.text.split()
    left, top, right, bottom = region.bounds
    is_tall = bottom - top > right - left
    ends = np.cumsum([0.0, *(len(word) + 1 for word in words)])
    shares = ends / ends[-1]
    kinds = (unicodedata.bidirectional(letter) for letter in "".join(words))
    first = next((kind for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), "L")
    if first != "L" and not is_tall:
        shares = 1 - shares
    outline = shapely.make_valid(shapely.Polygon(region.points))
    found = []
    for word, *parts in zip(words, shares[:-1].tolist(), shares[1:].tolist(), strict=True):
        begin, end = min(parts), max(parts)
        strip: Box = (
            (left, top + begin * (bottom - top), right, top + end * (bottom - top))
            if is_tall
            else (left + begin * (right - left), top, left + end * (right - left), bottom)
        )
        bounds = shapely.bounds(shapely.clip_by_rect(outline, *strip)).tolist()
        x0, y0, x1, y1 = (round(float(edge), 1) for edge in bounds)
        if _has_area((x0, y0, x1, y1)):
            found.append(((x0, y0, x1, y1), word))
    return found


def fits(
    boxes: NDArray[np.float64], words: Items, pairs: BoxPairs, iou: float
) -> NDArray[np.float64]:
    """Compute how well items of a page lie on words of it; below 1 not well enough.

    Parameters
    ----------
    boxes : (N, 4) float
        The items.
    words : Items
        Of the page.
    pairs : BoxPairs
        Of items and words.
    iou : float
        Intersection over union from which an item lies on a word; on a word of a line it has to be
        in the line, and at the word's place along it by `ALONG`.
    """
    fit = pairs.iou / iou
    line = words.line[pairs.second]
    if (line < 0).all():
        return fit
    one, other = boxes[pairs.first], words.boxes[pairs.second]
    in_line = line_of_items(boxes, words, pairs)[pairs.first] == line
    tall = _tall_lines(words)[pairs.second]
    low, high = np.where(tall, 1, 0), np.where(tall, 3, 2)
    rows = np.arange(len(line))
    ends = [np.stack([each[rows, low], each[rows, high]]) for each in (one, other)]
    shared = np.minimum(ends[0][1], ends[1][1]) - np.maximum(ends[0][0], ends[1][0])
    whole = np.maximum(ends[0][1], ends[1][1]) - np.minimum(ends[0][0], ends[1][0])
    along = np.where(in_line, shared / whole, 0) / min(ALONG, iou)
    return np.where(line < 0, fit, along)


def _tall_lines(words: Items) -> NDArray[np.bool_]:
    """(N,) whether the line of each word is taller than wide."""
    tall = np.zeros(len(words), np.bool_)
    for line in np.unique(words.line[words.line >= 0]).tolist():
        own = words.line == line
        size = words.boxes[own, 2:].max(axis=0) - words.boxes[own, :2].min(axis=0)
        tall[own] = size[1] > size[0]
    return tall


def line_of_items(boxes: NDArray[np.float64], words: Items, pairs: BoxPairs) -> NDArray[np.int64]:
    """(N,) the line that each item of a page is in; -1 where it is in none.

    That which shares most of the item and whose middle is closest to the item's.

    Parameters
    ----------
    boxes, words, pairs
        As of `fits`.
    """
    chosen = np.full(len(boxes), -1, np.int64)
    rows = np.flatnonzero(words.line[pairs.second] >= 0)
    if not len(rows):
        return chosen
    item, word = pairs.first[rows], pairs.second[rows]
    one, other = boxes[item], words.boxes[word]
    side = np.where(_tall_lines(words)[word], 0, 1)
    each = np.arange(len(rows))
    away = np.abs(
        (one[each, side] + one[each, side + 2] - other[each, side] - other[each, side + 2]) / 2
    )
    close = pairs.shared[rows] / (1 + away / (one[each, side + 2] - one[each, side]))
    keys, place = np.unique(np.stack([item, words.line[word]]), axis=1, return_inverse=True)
    sums = np.bincount(place.reshape(-1), close, keys.shape[1])
    order = np.argsort(sums, kind="stable")  # the best comes last and stays
    chosen[keys[0][order]] = keys[1][order]
    return chosen


def pairs_on(
    items: Items, words: Items
) -> Iterable[tuple[NDArray[np.int64], NDArray[np.int64], BoxPairs]]:
    """For each page of both, the items and words on it, and the pairs of these that touch."""
    number = {name: place for place, name in enumerate(words.pages)}
    for place, name in enumerate(items.pages):
        if name in number:
            own = np.flatnonzero(items.page == place)
            there = np.flatnonzero(words.page == number[name])
            yield own, there, pair_boxes(items.boxes[own], words.boxes[there])


_BESIDE = 0.5  # of the lower of two words' heights, that words of one line share


def with_phrases(words: Items, text: str) -> Items:
    """The words, and behind them each place of a query's phrases as one word.

    The words of a phrase follow each other in a line.

    Parameters
    ----------
    words : Items
    text : str
        A query; without a phrase, words stay as they are.

    Examples
    --------
    >>> words = Items(("a",), [0, 0, 0], [[0, 0, 9, 9], [10, 1, 30, 9], [0, 20, 9, 29]],
    ...               ("Le", "deux,", "deux"))
    >>> both = with_phrases(words, "le deux")
    >>> both.texts[3], both.boxes[3].tolist(), len(with_phrases(both, "le deux"))
    ('Le deux,', [0.0, 0.0, 30.0, 9.0], 4)
    """
    said = [each.split() for one in alternatives_of(text) for each in one]
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for parts in (each for each in said if len(each) > 1):
        for start in instances(words, parts[0]).tolist():
            row = [start]
            while len(row) < len(parts) and row[-1] >= 0:
                behind = _next_word(words, row[-1])
                fits = behind >= 0 and Spelling(parts[len(row)]).matches(words.texts[behind] or "")
                row.append(behind if fits else -1)
            if row[-1] >= 0:
                found[row[0], row[-1]] = tuple(words.texts[at] or "" for at in row)
    known = set(
        zip(words.page.tolist(), map(tuple, words.boxes.tolist()), words.texts, strict=False)
    )
    firsts, boxes, texts = [], [words.boxes], list(words.texts)
    for (first, last), said_there in found.items():
        one, other = words.boxes[first], words.boxes[last]
        box = np.concatenate([np.minimum(one, other)[:2], np.maximum(one, other)[2:]])
        joined = " ".join(said_there)
        if (int(words.page[first]), tuple(box.tolist()), joined) not in known:
            firsts.append(first)
            boxes.append(box[None])
            texts.append(joined)
    if not firsts:
        return words
    page, line = (np.append(each, each[firsts]) for each in (words.page, words.line))
    return replace(words, page=page, boxes=np.concatenate(boxes), texts=tuple(texts), line=line)


def _next_word(words: Items, word: int) -> int:
    """The word behind a word in its line; -1 where there is none."""
    left, top, right, bottom = words.boxes[word].tolist()
    boxes = words.boxes
    shared = np.minimum(boxes[:, 3], bottom) - np.maximum(boxes[:, 1], top)
    lower = np.minimum(boxes[:, 3] - boxes[:, 1], bottom - top)
    able = (words.page == words.page[word]) & (words.line == words.line[word])
    able &= (shared >= _BESIDE * lower) & (boxes[:, 0] > (left + right) / 2)
    if not able.any():
        return -1
    return int(np.flatnonzero(able)[boxes[able, 0].argmin()])
