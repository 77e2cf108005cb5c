"""The truth of words and of ranked lists: where a text is written, and what lists have to find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.errors import BadArgument, BadInput, counted, reason
from spotlab.files import is_folder, read_file
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.collection.page_names import pages_among
from spotlab.formats.lists.format import QueryLists, ReadLists
from spotlab.formats.page.images import find_image
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.reading import Consequence, Finding
from spotlab.formats.runs.format import ReadRun
from spotlab.formats.truth.documents.word_spotting import single_number
from spotlab.geometry.polygon import Outlines, pair_boxes
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model import Truth
from spotlab.model.ranked_list import Items, RankedList, joined_items
from spotlab.model.run import Run, place_of
from spotlab.model.spelling import fold, fold_query, literal
from spotlab.progress import Progress, silent, track
from spotlab.ranking.fusion import Evidence, ItemScores
from spotlab.ranking.purge import ItemTruth
from spotlab.spotting.words.word_index import instances
from spotlab.studies.tally.truth import FiledTruths, TruthSet, changed_truths, read_truths
from spotlab.studies.words.line_words import (
    fits,
    line_of_items,
    pairs_on,
    with_phrases,
    with_words_of_lines,
    words_of,
)

WORD_SEARCH = "word search"
"""Source of the words that a person has found by searching, in their history."""

_BOX_LIST = ".gtp"
_HELD = 0.8  # of the height of a line's word that an item shares which holds it
_PAGE_NUMBER = re.compile(r"\d{2,}")  # one digit twice is a number of its own: 303


def word_items(truth_set: TruthSet) -> Items:
    """List the words of a truth whose regions are words or lines with texts, as boxes.

    A text of several words is a line, whatever its file calls it: its words are somewhere in it.

    Pages without words stay among the pages: nothing is written there. A page all of whose words a
    person has found by searching is transcribed in part, unless it is marked as checked: what else
    is written there is not known.

    Parameters
    ----------
    truth_set : TruthSet
        As `read_truths` gives it with ``words`` and ``lines``. A line whose words are regions, too,
        is ignored. A region without a text, such as that of a
        file that has no words, is ignored, and so is one without width or height.
    """
    pages = tuple(truth_set.truths)
    page, boxes, texts, lines = [], [], [], []
    for number, truth in enumerate(truth_set.truths.values()):
        for box, text, line in words_of(truth):
            page.append(number)
            boxes.append(box)
            texts.append(text)
            lines.append(line)
    partial = frozenset(name for name, truth in truth_set.truths.items() if _is_partial(truth))
    return Items(
        pages, np.array(page, np.int64), np.array(boxes), tuple(texts), partial=partial,
        line=np.array(lines, np.int64),
    )  # fmt: skip


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
        replace(region, label=fold(region.text)) if region.text else region
        for region in truth.regions
    )
    return replace(truth, regions=tuple(regions))


def with_text_labels(truth_set: TruthSet, path: Path) -> TruthSet:
    """The truth with its words labelled by their plain texts, and a finding on those alike.

    Parameters
    ----------
    truth_set : TruthSet
        As `read_truths` gives it with ``words`` and ``lines``. Lines become their words, as far as
        these are no regions; see `spots_in_lines`.
    path : Path
        What it was read from, for the finding.
    """
    known = word_items(truth_set)
    truths = changed_truths(truth_set.truths, with_words_of_lines)
    placed = partial(spots_in_lines, words=known) if (known.line >= 0).any() else None
    truth_set = replace(truth_set, truths=truths, placed=placed)
    labelled = replace(truth_set, truths=changed_truths(truth_set.truths, labelled_by_text))
    return with_one_spelling(labelled, path)


def with_one_spelling(truth_set: TruthSet, path: Path) -> TruthSet:
    """The truth with queries spelled as its labels are, and a finding on texts that are one label.

    Parameters
    ----------
    truth_set : TruthSet
        Of words that are labelled by their plain texts.
    path : Path
        What it was read from, for the finding.
    """
    spellings: dict[str, dict[str, None]] = {}
    for text in _texts_of(truth_set):
        spellings.setdefault(fold(text), {})[text.strip()] = None
    alike = [list(texts) for texts in spellings.values() if len(texts) > 1]
    changed = replace(truth_set, spelling=fold_query)
    if not alike:
        return changed
    problem = "label that stands for several texts, as case, accents and punctuation do not count"
    first = ", ".join(alike[0])
    finding = Finding(Consequence.REMARK, path, problem, first, count=len(alike))
    findings, remarks = (*changed.findings, finding), (*changed.remarks, str(finding))
    return replace(changed, findings=findings, remarks=remarks)


def _texts_of(truth_set: TruthSet) -> Iterator[str]:
    """Texts of the regions; what stays in files has been noted of them."""
    if isinstance(truth_set.truths, FiledTruths):
        for page in truth_set.truths.files.values():
            yield from page.texts
    else:
        for truth in truth_set.truths.values():
            yield from (region.text for region in truth.regions if region.text)


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
        parts.append(word_items(read_truths(others, words=True, lines=True, progress=progress)))
    words = _joined(parts, given)
    if not len(words):
        problem = "no word or line in it has a text"
        raise BadInput(
            given[0] if given else Path("words"), problem, expected="PAGE XML with words or lines"
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
    half = single_number(path.stem)
    if not half or find_image(path, "") is not None:
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
    line = np.concatenate([np.zeros(0, np.int64), *(part.line for part in parts)])[order]
    return Items(
        pages, np.array(page, np.int64)[order], boxes[order], texts_in_order, partial=partial,
        line=line,
    )  # fmt: skip


def match_words(items: Items, words: Items, iou: float = 0.5) -> NDArray[np.int64]:
    """Find, for each item, the word that it lies on best; pages are matched by name.

    Words of lines do not count: which of them an item lies on is not certain.

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
    for own, there, pairs in pairs_on(items, words):
        iou_of_pair = pairs.iou
        good = np.flatnonzero((iou_of_pair >= iou) & (words.line[there[pairs.second]] < 0))
        # the best of an item comes last, so that it is what stays
        good = good[np.lexsort((-pairs.second[good], iou_of_pair[good]))]
        word_of[own[pairs.first[good]]] = there[pairs.second[good]]
    return word_of


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
    pages without truth; where a page is transcribed in part, of items that lie on no word; and
    where lines are transcribed, of other items in a line that has the word.

    Parameters
    ----------
    items : Items
        N items found.
    text : str
        The word searched, or a pattern; see `spotlab.model.spelling.Spelling`.
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
    words = with_phrases(words, text)
    wanted = instances(words, text)
    if (words.line[wanted] >= 0).any():
        judged[_in_lines(items, words, wanted)] = -1
    found, _ = _matched(items, words, wanted, iou)
    judged[found] = 1
    return judged


def spots_in_lines(read: ReadRun, words: Items) -> ReadRun:
    """Put the spots of a run where words are whose place in a line is estimated.

    A spot that is at its query's word gets the outline of this. Others in a line that has the word
    are unknown: they are left out, and the run's remarks say how many.

    Parameters
    ----------
    read : ReadRun
    words : Items
        What is written where.
    """
    run = read.run
    pages = tuple(pages_among(run.pages, words.pages))
    items = (
        Items(pages, run.page.astype(np.int64), run.outlines.bounds)
        if len(set(pages)) == len(pages)
        else None
    )
    if items is None or not len(run):
        return read
    rings: list[ArrayLike] = [run.outlines[spot] for spot in range(len(run))]
    known = np.ones(len(run), np.bool_)
    for number, text in enumerate(run.queries):
        own = np.flatnonzero(run.query == number)
        part, there = items.take(own), np.isin(run.page[own], _on(pages, words))
        known[own[(relevance(part, text, words) < 0) & there]] = False
        found, at = _matched(part, words, instances(words, text), 0.5)
        for spot, word in zip(own[found].tolist(), at.tolist(), strict=True):
            if words.line[word] >= 0:
                left, top, right, bottom = words.boxes[word].tolist()
                rings[spot] = ((left, top), (right, top), (right, bottom), (left, bottom))
    kept = np.flatnonzero(known).tolist()
    placed = Run.ordered(
        run.name,
        [run.queries[run.query[at]] for at in kept],
        [run.pages[run.page[at]] for at in kept],
        Outlines.of([rings[at] for at in kept]),
        rank=run.rank[kept].astype(float),
        score=run.score[kept],
        labels=[run.labels[run.label[at]] if run.label[at] >= 0 else "" for at in kept],
        line=run.line[kept],
        source=run.source,
        provenance=run.provenance,
    )
    left_out = len(run) - len(kept)
    remark = f"{counted(left_out, 'spot')} unknown and left out: elsewhere in a line with the word"
    remarks = (*read.remarks, remark) if left_out else read.remarks
    return replace(read, run=replace(placed, models=run.models), remarks=remarks)


def _on(pages: Sequence[str], words: Items) -> list[int]:
    """The numbers of the pages of which something is known."""
    return [number for number, name in enumerate(pages) if name in words.pages]


def _in_lines(items: Items, words: Items, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """The items in lines that have one of the wanted words, or so high that they hold one."""
    inside = [np.zeros(0, np.int64)]
    for own, there, pairs in pairs_on(items, words):
        boxes, on_page = items.boxes[own], words.take(there)
        lines = words.line[np.intersect1d(there, wanted)]
        line = line_of_items(boxes, on_page, pairs)
        inside.append(own[(line >= 0) & np.isin(line, lines)])
        one, other = boxes[pairs.first], on_page.boxes[pairs.second]
        shared = np.minimum(one, other)[:, 3] - np.maximum(one, other)[:, 1]
        holds = (shared >= _HELD * (other[:, 3] - other[:, 1])) & (on_page.line[pairs.second] >= 0)
        inside.append(own[pairs.first[holds & np.isin(there[pairs.second], wanted)]])
    return np.concatenate(inside)


def _matched(
    items: Items, words: Items, wanted: NDArray[np.int64], iou: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of an item and a wanted word that it lies on, the best first, each in one pair."""
    found: list[tuple[int, int]] = []
    for own, there, pairs in pairs_on(items, words):
        fit = fits(items.boxes[own], words.take(there), pairs, iou)
        good = (fit >= 1) & np.isin(there[pairs.second], wanted)
        order = np.lexsort((pairs.first, -fit))
        order = order[good[order]]
        taken_items: set[int] = set()
        taken_words: set[int] = set()
        first, second = own[pairs.first[order]], there[pairs.second[order]]
        for item, word in zip(first.tolist(), second.tolist(), strict=True):
            if item not in taken_items and word not in taken_words:
                taken_items.add(item)
                taken_words.add(word)
                found.append((item, word))
    pairs_found = np.array(found, np.int64).reshape(-1, 2)
    return pairs_found[:, 0], pairs_found[:, 1]


def relevant_count(
    words: Items, text: str, pages: Iterable[str] | None = None, *, without_own: bool = False
) -> int:
    """Count how often a text is written.

    Parameters
    ----------
    words : Items
    text : str
        The word, or a pattern.
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
    words = with_phrases(words, text)
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
            plain = fold(text)
            spelling.setdefault(plain, text)
            counts[plain] = counts.get(plain, 0) + 1
    often = [(spelling[plain], count) for plain, count in counts.items()]
    return sorted(often, key=lambda counted: (-counted[1], counted[0]))


def evidence_of(
    aligned: NDArray[np.float64],
    between: ItemScores | None,
    ranked: Sequence[RankedList] = (),
) -> Evidence:
    """Return what aligned lists say of N items.

    An item's score against the query is that of the first list that has it; the first list counts
    as what the first search has found.

    Parameters
    ----------
    aligned : (L, N) float
        As `stack_lists` gives them.
    between : ItemScores or None
    ranked : sequence of RankedList
        The same lists, of items from 0 to N − 1.

    Examples
    --------
    >>> evidence_of(np.array([[0.9, np.nan], [0.8, 0.7]]), None).query
    array([0.9, 0.7])
    """
    if not len(aligned):
        nothing = np.full(aligned.shape[1], np.nan)
        return Evidence(nothing, between, aligned, np.zeros(len(nothing), np.bool_))
    first = np.argmax(~np.isnan(aligned), axis=0)
    query = aligned[first, np.arange(aligned.shape[1])]
    return Evidence(query, between, aligned, ~np.isnan(aligned[0]), ranked=tuple(ranked))


OWN = 0.3  # intersection over union of a query's box and an item, or word, that is the query
_NUMBERED = re.compile(r"(.*\S) \d+")


def truth_of(query: QueryLists) -> ItemTruth:
    """Return what is known of the items of a query's lists."""
    return ItemTruth(query.relevance, query.relevant, query.own)


def on_pages(items: Items, pages: Sequence[str]) -> Items:
    """Items whose pages have the names that they have among these pages, without folder and ending.

    Examples
    --------
    >>> on_pages(Items(("scans/270.png",), [0], [[0, 0, 9, 9]]), ["270"]).pages
    ('270',)
    """
    named = tuple(pages_among(items.pages, pages))
    return items if len(set(named)) < len(named) else replace(items, pages=named)


def searched_text(query: QueryLists, words: Items) -> str:
    """Return what is written on the word that a query searches; empty where that is not known.

    The query is called by its text, by its text and a number ("orders 3"), or by its place
    ("270:10,20,100,40"); or one of its items is the query itself.

    Examples
    --------
    >>> words = Items(("270",), [0], [[10, 20, 110, 60]], ("Orders,",))
    >>> none = np.zeros(0, np.int8)
    >>> names = ("orders", "orders 3", "270:12,20,98,40", "letter")
    >>> [searched_text(QueryLists(name, Items.named([]), (), none, None), words) for name in names]
    ['orders', 'orders', 'Orders,', '']
    """
    place = place_of(query.query)
    if place is not None:
        return text_at(words, *place)
    numbered = _NUMBERED.fullmatch(query.query)
    for text in (query.query, *([numbered[1]] if numbered else [])):
        if len(instances(with_phrases(words, text), text)):
            return text
    own = query.own
    if own is None or query.items.page[own] < 0:
        return ""
    return text_at(words, query.items.page_name(own), query.items.boxes[own].tolist())


def text_at(words: Items, page: str, box: Sequence[float]) -> str:
    """Return what is written in a box, to be searched; empty where nobody says it.

    Examples
    --------
    >>> text_at(Items(("a",), [0], [[0, 0, 40, 9]], ("Own*",)), "a", (0, 0, 38, 9))
    'Own'
    """
    one = Items((pages_among([page], words.pages)[0],), np.zeros(1, np.int64), np.array([box]))
    return literal(match_texts(one, words, OWN)[0] or "")


def judge_by_words(query: QueryLists, words: Items) -> QueryLists:
    """The lists of a query with the truth of pages; as they are where it does not know the word.

    Words of that text that are in no list become items, too: relevant, and not found. On pages
    without truth what the lists themselves say of their items stays.

    Parameters
    ----------
    query : QueryLists
    words : Items
        What is written where.
    """
    items = on_pages(query.items, words.pages)
    query = replace(query, items=items)
    text = searched_text(query, words)
    if not text:
        return query
    query = find_own(query)
    judged = relevance_with_own(items, text, words, query.own)
    judged = np.where(judged >= 0, judged, query.relevance).astype(np.int8)
    texts = tuple(
        own or known
        for own, known in zip(items.texts or [None] * len(items), match_texts(items, words),
                              strict=True)
    )  # fmt: skip
    known = replace(query, items=replace(items, texts=texts), relevance=judged)
    return find_own(with_missed(known, text, words))


def with_missed(query: QueryLists, text: str, words: Items) -> QueryLists:
    """The lists of a query, and as further items the words of a text that no item is.

    Parameters
    ----------
    query : QueryLists
        Judged by ``words``.
    text : str
        The word searched.
    words : Items
        What is written where.
    """
    missed = missed_words(query.items, query.relevance, text, words)
    items = joined_items(query.items, missed)
    judged = np.concatenate([query.relevance, np.ones(len(missed), np.int8)])
    relevant = int(np.count_nonzero(judged == 1))
    return replace(query, items=items, relevance=judged, relevant=relevant)


def missed_words(items: Items, judged: NDArray[np.int8], text: str, words: Items) -> Items:
    """The words, or phrases, of a text on which no item lies that is judged relevant."""
    words = with_phrases(words, text)
    wanted = instances(words, text)
    right = items.take(np.flatnonzero((judged == 1) & (items.page >= 0)))
    _, covered = _matched(right, words, wanted, OWN)
    return words.take(np.setdiff1d(wanted, covered))


def relevance_with_own(items: Items, text: str, words: Items, own: int | None) -> NDArray[np.int8]:
    """Tell which items are the word searched, as `relevance` says it.

    The query itself is one of them.

    Its box may be drawn so loosely that it lies on its word by less than other items have to.

    Parameters
    ----------
    items : Items
        N items.
    text : str
        The word searched.
    words : Items
        What is written where.
    own : int or None
        The item that is the query itself.

    Returns
    -------
    (N,) int8
        1 if it is the word, 0 if not, -1 where unknown.

    Examples
    --------
    >>> words = Items(("a",), [0], [[10, 10, 50, 30]], ("my",))
    >>> loose = Items(("a",), [0], [[0, 0, 60, 35]])
    >>> relevance_with_own(loose, "my", words, None), relevance_with_own(loose, "my", words, 0)
    (array([0], dtype=int8), array([1], dtype=int8))
    """
    judged = relevance(items, text, words)
    if own is None or judged[own] != 0:
        return judged
    wanted = missed_words(items, judged, text, words)
    judged[own] = 1 if relevance(items.take([own]), text, wanted, OWN)[0] == 1 else 0
    return judged


def on_searched_pages(words: Items, pages: Sequence[str]) -> Items:
    """The words on these pages; nothing is known of other ones."""
    here = [word for word in range(len(words)) if words.page_name(word) in pages]
    return words.take(here)


def find_own(query: QueryLists, place: tuple[str, Sequence[float]] | None = None) -> QueryLists:
    """The query with the item that it is itself, where its name or the given place tells it.

    Parameters
    ----------
    query : QueryLists
    place : (str, (left, top, right, bottom)), optional
        Page and box of the query, in px; by default those that its name consists of.
    """
    place = place or place_of(query.query)
    if query.own is not None or place is None:
        return query
    items = query.items
    page = pages_among([place[0]], items.pages)[0]
    here = np.array([item for item in range(len(items)) if items.page_name(item) == page], np.int64)
    pairs = pair_boxes([tuple(place[1])], items.boxes[here])
    if not len(pairs) or pairs.iou.max() < OWN:
        return query
    return replace(query, own=int(here[pairs.second[pairs.iou.argmax()]]))


def judge_all_by_words(read: ReadLists, words: Items) -> ReadLists:
    """The lists of all queries with the truth of pages, and a remark on words it does not know.

    Parameters
    ----------
    read : ReadLists
    words : Items
        What is written where.
    """
    placed = [replace(query, items=on_pages(query.items, words.pages)) for query in read.queries]
    unknown = [query.query for query in placed if not searched_text(query, words)]
    remarks = read.remarks
    if unknown:
        several = "1 query is" if len(unknown) == 1 else f"{len(unknown):,} queries are"
        first = ", ".join(map(repr, unknown[:5])) + (", …" if len(unknown) > 5 else "")
        remarks = (*remarks, f"{several} written nowhere in the ground truth: {first}")
    queries = tuple(judge_by_words(query, words) for query in placed)
    return replace(read, queries=queries, remarks=remarks)


def known_words(
    entries: Sequence[PageEntry], truth: Sequence[Path], needed: bool, progress: Progress
) -> Items | None:
    """Return what is written where; None where nobody says it and nobody has to.

    Parameters
    ----------
    entries : sequence of PageEntry
        The pages; truth beside them may have words.
    truth : sequence of Path
        Files with words, instead of that.
    needed : bool
        Whether there have to be words.
    progress : Progress

    Raises
    ------
    BadArgument
        There are none, and there have to be.

    Examples
    --------
    >>> from spotlab.progress import silent
    >>> known_words([], [], False, silent) is None
    True
    """
    if truth:
        return read_words(truth, progress)
    beside = [entry.truth_path for entry in entries if entry.has_truth]
    if not beside:
        if needed:
            raise BadArgument(
                "there are no transcriptions of the pages; give PAGE XML with words as `truth`"
            )
        return None
    try:
        return read_words(beside, progress)
    except BadInput:
        if needed:
            raise
        return None
