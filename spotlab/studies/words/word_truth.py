"""The truth of words: where which text is written, and which items are the word searched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, reason
from spotlab.files import is_folder, read_file
from spotlab.formats.page.images import find_image
from spotlab.formats.rows.numbers import natural
from spotlab.geometry.boxes import BoxPairs, pair_boxes
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model import Truth
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress, silent, track
from spotlab.spotting.words.texts import instances, plain_text
from spotlab.studies.tally.truth import TruthSet, read_truths

WORD_SEARCH = "word search"
"""Source of the words that a person has found by searching, in their history."""

_BOX_LIST = ".gtp"
_PAGE_NUMBER = re.compile(r"\d{2,}")  # one digit twice is a number of its own: 303


def word_items(truth_set: TruthSet) -> Items:
    """List the words of a truth whose regions are words with texts, as boxes.

    Pages without words stay among the pages: nothing is written there. A page all of whose words a
    person has found by searching is transcribed in part, unless it is marked as checked: what else
    is written there is not known.

    Parameters
    ----------
    truth_set : TruthSet
        As `read_truths` gives it with ``words=True``. A region without a text, such as that of a
        file that has no words, is ignored, and so is one without width or height.
    """
    pages = tuple(truth_set.truths)
    page, boxes, texts = [], [], []
    for number, truth in enumerate(truth_set.truths.values()):
        for region in truth.regions:
            left, top, right, bottom = region.bounds
            if region.text and left < right and top < bottom:
                page.append(number)
                boxes.append(region.bounds)
                texts.append(region.text)
    partial = frozenset(name for name, truth in truth_set.truths.items() if _is_partial(truth))
    return Items(pages, np.array(page, np.int64), np.array(boxes), tuple(texts), partial=partial)


def _is_partial(truth: Truth) -> bool:
    words = [region for region in truth.regions if region.text]
    searched = (region.history and region.history[0].source == WORD_SEARCH for region in words)
    return bool(words) and not truth.page.checked and all(searched)


def labelled_by_text(truth: Truth) -> Truth:
    """Label the words of a page by their plain texts, as the queries of runs of words are.

    Parameters
    ----------
    truth : Truth
        Regions without a text keep their labels.
    """
    regions = (
        replace(region, label=plain_text(region.text)) if region.text else region
        for region in truth.regions
    )
    return replace(truth, regions=tuple(regions))


def read_words(paths: Iterable[Path | str], progress: Progress = silent) -> Items:
    """Read the words in files and folders of PAGE XML, or of lists of boxes.

    Parameters
    ----------
    paths : iterable of Path
        As for `read_truths`. Where a folder has files ``*.gtp`` (a line a word: left, top, right,
        bottom in px, and the text), itself or in a folder ``gtp_boxes``, these are read.

    Raises
    ------
    BadInput
        A file is not what it has to be, or no word has a text.
    """
    given = [Path(path) for path in paths]
    lists = [file for path in given for file in _box_lists(path)]
    others = [path for path in given if not _box_lists(path)]
    parts = [_read_list(file) for file in track(lists, progress, "reading words")]
    if others:
        parts.append(word_items(read_truths(others, words=True, progress=progress)))
    words = _joined(parts, given)
    if not len(words):
        problem = "no word in it has a text"
        raise BadInput(
            given[0] if given else Path("words"), problem, expected="PAGE XML with words"
        )
    return words


def _box_lists(path: Path) -> list[Path]:
    if is_folder(path):
        files = [*path.glob(f"*{_BOX_LIST}"), *path.glob(f"gtp_boxes/*{_BOX_LIST}")]
        return sorted(files, key=lambda file: natural(file.name))
    return [path] if path.suffix.lower() == _BOX_LIST else []


def _read_list(path: Path) -> Items:
    expected = "left, top, right and bottom in px and the word, with spaces between"
    boxes, texts = [], []
    try:
        lines = read_file(path).decode("utf-8").splitlines()
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise BadInput(path, "the file is not UTF-8") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        *corners, text = [*line.split(None, 4), "", ""][:5]
        try:
            box = [float(corner) for corner in corners]
        except ValueError:
            box = []
        if len(box) != 4 or not text or not np.isfinite(box).all():
            problem = f"{line.strip()[:40]!r} is no word"
            raise BadInput(path, problem, place=f"line {number}", expected=expected)
        if box[0] < box[2] and box[1] < box[3]:
            boxes.append(box)
            texts.append(text.strip())
    name = _page_of_list(path)
    return Items((name,), np.zeros(len(boxes), np.int64), np.array(boxes), tuple(texts))


def _page_of_list(path: Path) -> str:
    """The page of a list: the one of its name.

    George Washington's lists have the page's number twice: 2700270.gtp is about 270.jpg. An image
    that is called like the list, or like its half, decides; without one, 303.gtp is about 303.
    """
    half = path.stem[: len(path.stem) // 2]
    if path.stem != f"{half}0{half}" or find_image(path, "") is not None:
        return path.stem
    has_image = any(find_image(path, f"{half}{suffix}") for suffix in IMAGE_SUFFIXES)
    return half if has_image or _PAGE_NUMBER.fullmatch(half) else path.stem


def _joined(parts: Sequence[Items], given: Sequence[Path]) -> Items:
    """All words, on pages in natural order."""
    names = [name for part in parts for name in part.pages]
    for name in names:
        if names.count(name) > 1:
            problem = f"there are two files with words of the page {name!r}"
            raise BadInput(given[0], problem, expected="one for every page name")
    pages = tuple(sorted(names, key=natural))
    place = {name: number for number, name in enumerate(pages)}
    page = [place[part.page_name(word)] for part in parts for word in range(len(part))]
    order = np.argsort(page, kind="stable") if page else np.empty(0, np.int64)
    boxes = np.concatenate([part.boxes for part in parts]) if parts else np.empty((0, 4))
    texts = [text for part in parts for text in part.texts]
    partial = frozenset[str]().union(*(part.partial for part in parts))
    texts_in_order = tuple(texts[at] for at in order)
    return Items(
        pages, np.array(page, np.int64)[order], boxes[order], texts_in_order, partial=partial
    )


def match_words(items: Items, words: Items, iou: float = 0.5) -> NDArray[np.int64]:
    """Find, for each item, the word that it lies on best; pages are matched by name.

    Parameters
    ----------
    items, words : Items
    iou : float
        Intersection over union of the boxes from which an item lies on a word.

    Returns
    -------
    (N,) int
        -1 where an item lies on no word.
    """
    word_of = np.full(len(items), -1, np.int64)
    for own, pairs in _pairs_by_page(items, words):
        iou_of_pair = pairs.iou
        good = np.flatnonzero(iou_of_pair >= iou)
        # the best of an item comes last, so that it is what stays
        good = good[np.lexsort((-pairs.second[good], iou_of_pair[good]))]
        word_of[own[pairs.first[good]]] = pairs.second[good]
    return word_of


def _pairs_by_page(items: Items, words: Items) -> list[tuple[NDArray[np.int64], BoxPairs]]:
    """For each page, the items on it, and pairs of places among them and of words."""
    number = {name: place for place, name in enumerate(words.pages)}
    by_page = []
    for place, name in enumerate(items.pages):
        if name in number:
            own = np.flatnonzero(items.page == place)
            there = np.flatnonzero(words.page == number[name])
            pairs = pair_boxes(items.boxes[own], words.boxes[there])
            second = there[pairs.second]
            pairs = BoxPairs(pairs.first, second, pairs.shared, pairs.first_area, pairs.second_area)
            by_page.append((own, pairs))
    return by_page


def match_texts(items: Items, words: Items, iou: float = 0.5) -> tuple[str | None, ...]:
    """Find what is written on each item: the text of the word that it lies on best.

    None where it lies on no word, or its page has no truth.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 40, 9], [50, 0, 90, 9]], ("my", "own"))
    >>> match_texts(Items(("a", "b"), [0, 0, 1], [[1, 0, 40, 9], [20, 0, 70, 9], [0, 0, 40, 9]]),
    ...             words)
    ('my', None, None)
    """
    return tuple(words.text(word) if word >= 0 else None for word in match_words(items, words, iou))


def relevance(items: Items, text: str, words: Items, iou: float = 0.5) -> NDArray[np.int8]:
    """Say whether each item is the word searched: 1 if it is, 0 if not, -1 where unknown.

    A word counts once: of several items that lie on it only the best is it. Relevance is unknown on
    pages without truth, and, where a page is transcribed in part, of items that lie on no word.

    Parameters
    ----------
    items : Items
        N items found.
    text : str
        The word searched, compared by `spotlab.spotting.words.texts.plain_text`.
    words : Items
        The truth.
    iou : float
        See `match_words`.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 40, 9], [50, 0, 90, 9]], ("My", "own"))
    >>> relevance(Items(("a", "b"), [0, 0, 1], [[1, 0, 40, 9], [0, 0, 40, 9], [0, 0, 40, 9]]),
    ...           "my", words)
    array([ 0,  1, -1], dtype=int8)
    """
    known = np.array([name in words.pages for name in items.pages], np.bool_)[items.page]
    judged = np.where(known, 0, -1).astype(np.int8)
    if words.partial:
        unsure = np.array([name in words.partial for name in items.pages], np.bool_)[items.page]
        judged[unsure & (match_words(items, words, iou) < 0)] = -1
    wanted = instances(words, text)
    for own, pairs in _pairs_by_page(items, words):
        iou_of_pair = pairs.iou
        good = (iou_of_pair >= iou) & np.isin(pairs.second, wanted)
        order = np.lexsort((pairs.first, -iou_of_pair))
        order = order[good[order]]
        taken_items: set[int] = set()
        taken_words: set[int] = set()
        for item, word in zip(
            pairs.first[order].tolist(), pairs.second[order].tolist(), strict=True
        ):
            if item not in taken_items and word not in taken_words:
                taken_items.add(item)
                taken_words.add(word)
        judged[own[sorted(taken_items)]] = 1
    return judged


def relevant_count(
    words: Items, text: str, pages: Iterable[str] | None = None, *, without_own: bool = False
) -> int:
    """Count how often a text is written.

    Parameters
    ----------
    words : Items
    text : str
        Compared by `plain_text`.
    pages : iterable of str, optional
        Count only on these, such as the pages searched.
    without_own : bool
        Leave one out: the word that is the query.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]], ("own", "Own,"))
    >>> relevant_count(words, "own"), relevant_count(words, "own", without_own=True)
    (2, 1)
    """
    where = set(words.pages if pages is None else pages)
    count = sum(words.page_name(word) in where for word in instances(words, text).tolist())
    return max(count - without_own, 0)


def frequent_texts(words: Items) -> list[tuple[str, int]]:
    """Count the texts that are written, most frequent first, each in its first spelling.

    Examples
    --------
    >>> boxes = [[0, 0, 4, 9], [5, 0, 9, 9], [10, 0, 14, 9]]
    >>> frequent_texts(Items(("a",), [0, 0, 0], boxes, ("my", "Own,", "own")))
    [('Own,', 2), ('my', 1)]
    """
    counts: dict[str, int] = {}
    spelling: dict[str, str] = {}
    for text in words.texts:
        if text:
            plain = plain_text(text)
            spelling.setdefault(plain, text)
            counts[plain] = counts.get(plain, 0) + 1
    often = [(spelling[plain], count) for plain, count in counts.items()]
    return sorted(often, key=lambda counted: (-counted[1], counted[0]))
