"""Typed texts found along whole lines, where no box that was found around a word says them.

Words that are written together or cut in two are in no box. The characters along lines have them:
the best path of a text through these says where it begins and ends, and the edges of boxes on the
line and the gaps beside it say whether it is a word there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes, Floats, Ints
from spotlab.geometry.polygon import pair_boxes
from spotlab.model.ranked_list import Items
from spotlab.model.spelling import Spelling, parse_query
from spotlab.ranking.purge import SCALE, ScoreCalibration
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.characters import leaps_of, log_of_steps, text_path
from spotlab.spotting.words.embedding.line_characters import span_log_likelihoods
from spotlab.spotting.words.word_index import LearnedWords, WordIndex

# All of this was chosen on five pages of letters, 270 to 274 of George Washington's, and so that
# two pages of print are not found less well.
_MOST_COST = 2.0  # nats a character by which a text may be less likely than what is read there
_MOST_HITS = 500  # places that are looked at
# log-odds that a place says a text: constant; per nat a character that the text is less likely
# than what is read, and that it is likely itself; per gap beside it; per character, up to ten; per
# nat that spaces are unlikely at its ends
_ODDS = np.array([-6.5, -1.3, 2.0, 3.0, 0.6, 0.0])
_PATTERN_ODDS = np.array([-4.0, 0.0, 3.0, 1.5, 0.4, -0.5])
_UNLIKELY, _LONG = -5.0, 10
ON_LINE = ScoreCalibration(np.array([-7.0, 0.0, 1.5, 6.0]), np.array(SCALE), "letters")
_AT_ONE_PLACE = 0.7  # intersection over union from which a box is around the same ink
_BEHIND = 0.01  # score of a place behind such a box
_RAISED, _FROM, _WIDE = 0.06, 0.5, 0.4  # score that boxes win by lying on a place, and from when
_HIDES = 0.5  # share of the smaller box from which only the better of two stays
# in heights of small letters
_EDGE, _USUAL, _INSIDE = 4.0, 1.9, 0.3  # from the first character to its box's edge: most, mostly
_NO_EDGE = 1.8  # where no box has an edge there
_TO_NEIGHBOUR = 0.9  # of the way to the next character
_ROOM = 0.7  # that two boxes beside each other leave around their ink
_AWAY, _OVER = 1.0, 0.3
_TALL = 1.8  # of the height of a line's boxes: more has two lines
_HALF = 1.6  # above and below the middle where there are no boxes


@dataclass(frozen=True, eq=False)
class LineHits:
    """Places on lines that say a text.

    Attributes
    ----------
    page : (K,) int
    boxes : (K, 4) float
        left, top, right, bottom in px, cut from the paths.
    score : (K,) float
        On the common scale of scores.
    """

    page: Ints
    boxes: Boxes
    score: Floats

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.page)

    def take(self, which: NDArray[np.bool_]) -> LineHits:
        """Choose some of them.

        Parameters
        ----------
        which : (K,) bool
        """
        return LineHits(self.page[which], self.boxes[which], self.score[which])


NO_HITS = LineHits(np.zeros(0, np.int64), np.zeros((0, 4)), np.zeros(0))


def find_on_lines(index: WordIndex, text: str) -> LineHits:
    """Find a text along the lines of all pages.

    Parameters
    ----------
    index : WordIndex
    text : str

    Returns
    -------
    LineHits
        None where words were given, or compared by strokes alone.
    """
    learned = index.learned
    letters = 0 if learned is None else len(learned.network.alphabet.fold(text))
    if learned is None or not letters or not len(learned.points):
        return NO_HITS
    is_pattern, path = Spelling(text).is_pattern, text_path(text, learned.network.alphabet)
    starts, stops = _lines(learned)
    spaces, places = learned.spaces, learned.network.sizes[1]
    step, weight = -float(log_of_steps(places)[1]), float(is_pattern)
    costs, begins = path_costs(
        learned.line, starts, stops, path[int(path[0] == 0) : len(path) - int(path[-1] == 0)],
        np.rint(weight * spaces.before / step).astype(np.int64),
        np.rint(spaces.over / step).astype(np.int64),
    )  # fmt: skip
    whole = (costs * step + weight * spaces.behind) / (letters + 1)
    hits = _ends(whole, begins, starts, stops)
    cutter = _Places(index, learned, starts, stops)
    cut = [cutter.cut(line, *cutter.trimmed(first, last)) for line, first, last, _ in hits]
    if not cut:
        return NO_HITS
    boxes, gaps, spans, page = (np.array(each) for each in zip(*cut, strict=True))
    likely = span_log_likelihoods(learned.line, spans, path, places, spaces.over)
    known = np.stack(
        [
            np.ones(len(cut)),
            np.array([cost for *_, cost in hits]),
            np.maximum(likely / (letters + 1), _UNLIKELY),
            gaps,
            np.full(len(cut), min(letters, _LONG)),
            np.array([spaces.before[first] + spaces.behind[last] for _, first, last, _ in hits]),
        ]
    )
    odds = _PATTERN_ODDS if is_pattern else _ODDS
    return LineHits(page, boxes, ON_LINE.apply(odds @ known))


def _lines(learned: LearnedWords) -> tuple[Ints, Ints]:
    """The first place of each line, and the one behind its last."""
    number = learned.points[:, 0]
    cuts = np.flatnonzero(np.diff(number)) + 1
    return np.append(0, cuts), np.append(cuts, len(number))


def path_costs(
    characters: NDArray[np.uint8], starts: Ints, stops: Ints, path: Ints, opening: Ints, over: Ints
) -> tuple[Ints, Ints]:
    """Compute how much less likely a text is than what is read, wherever on lines it may end.

    Parameters
    ----------
    characters : (P, 1 + C) uint8
        As of `LearnedWords.line`.
    starts, stops : (M,) int
        The first place of each line, and the one behind its last.
    path : (S,) int
        As of `spotlab.spotting.words.embedding.characters.text_path`, without nothing at its ends.
    opening, over : (P,) int
        What it costs to begin at a place, and that any characters are there.

    Returns
    -------
    costs : (P,) int
        In steps of `log_of_steps`; that of the best place where it may begin.
    begins : (P,) int
        This place.

    Examples
    --------
    Of no character, a and b, first a is sure and then b:

    >>> rows = np.array([[99, 0, 99], [99, 0, 99], [99, 99, 0], [0, 99, 99]], np.uint8)
    >>> line, free = (np.array([0]), np.array([4])), np.zeros(4, int)
    >>> costs, begins = path_costs(rows, *line, np.array([1, 0, 2]), free, free)
    >>> costs[1:].tolist(), begins[2].item()  # two characters need two places
    ([99, 0, 99], 1)
    """
    states, far = len(path), np.int32(1 << 28)
    leaps = leaps_of(path)
    more = characters[:, np.maximum(path, 0)].astype(np.int32)
    more -= characters.min(axis=1, initial=255)[:, None]
    more[:, path < 0] = over[:, None]
    order = np.argsort(starts - stops, kind="stable")  # the longest first: the last end first
    first, length = starts[order], (stops - starts)[order]
    best = np.full((len(order), states), far, np.int32)
    begin = np.repeat(first[:, None], states, axis=1)
    costs, begins = np.zeros(len(characters), np.int64), np.zeros(len(characters), np.int64)
    for place in range(int(length.max(initial=0))):
        live = int(np.searchsorted(-length, -place))
        at = first[:live] + place
        now, since = best[:live], begin[:live]
        before, came = now.copy(), since.copy()
        for states_to, back in ((np.arange(1, states), 1), (leaps, 2)):
            ahead = before[:, states_to - back]
            is_less = ahead < now[:, states_to]
            now[:, states_to] = np.where(is_less, ahead, now[:, states_to])
            since[:, states_to] = np.where(is_less, came[:, states_to - back], since[:, states_to])
        for state in range(min(1 + (path[0] < 0), states)):
            is_less = opening[at] <= now[:, state]  # it may begin anywhere
            now[is_less, state], since[is_less, state] = opening[at[is_less]], at[is_less]
        now += more[at]
        np.minimum(now, far, out=now)
        costs[at], begins[at] = now[:, -1], since[:, -1]
        if states > 1 and path[-1] < 0:
            is_less = now[:, -2] < now[:, -1]
            costs[at[is_less]], begins[at[is_less]] = now[is_less, -2], since[is_less, -2]
    return costs, begins


def _ends(
    costs: Floats, begins: Ints, starts: Ints, stops: Ints
) -> list[tuple[int, int, int, float]]:
    """Line, first and last place, and cost of the best paths that do not share a place."""
    able = np.flatnonzero(costs < _MOST_COST)
    able = able[np.argsort(costs[able], kind="stable")]
    lines = np.searchsorted(stops, able, side="right")
    taken = np.zeros(len(costs), np.bool_)
    found = []
    for line, last in zip(lines.tolist(), able.tolist(), strict=True):
        first = int(begins[last])
        if not taken[first : last + 1].any():
            taken[first : last + 1] = True
            found.append((line, first, last, float(costs[last])))
            if len(found) == _MOST_HITS:
                break
    return found


class _Places:
    """The lines of an index, along which boxes are cut.

    Parameters
    ----------
    index : WordIndex
    learned : LearnedWords
        Of the same.
    starts, stops : (M,) int
        As of `path_costs`.
    """

    def __init__(self, index: WordIndex, learned: LearnedWords, starts: Ints, stops: Ints) -> None:
        self._starts, self._stops = starts, stops
        self._points, self._begin = learned.points, learned.begin
        self._boxes = index.items.boxes
        self._read = learned.line.argmin(axis=1)
        on = np.flatnonzero(learned.span[:, 1] > learned.span[:, 0])
        self._on = on[np.argsort(learned.span[on, 0], kind="stable")]
        self._first = learned.span[self._on, 0]

    def trimmed(self, first: int, last: int) -> tuple[int, int]:
        """The first and last place of a path where a character is read."""
        read = np.flatnonzero(self._read[first : last + 1])
        return (first + int(read[0]), first + int(read[-1])) if len(read) else (first, last)

    def cut(
        self, line: int, first: int, last: int
    ) -> tuple[tuple[float, float, float, float], float, tuple[int, int], int]:
        """The box of a path, the gaps beside it, the places in it, and its page."""
        start, stop = int(self._starts[line]), int(self._stops[line])
        low, high = np.searchsorted(self._first, [start, stop])
        boxes = self._boxes[self._on[low:high]]
        x, middle = self._points[start:stop, 1], float(self._points[first : last + 1, 2].mean())
        size = float(self._points[first, 3])
        before, behind = self._neighbours(start, stop, first, last)
        ahead = None if before is None else float(x[before - start])
        after = None if behind is None else -float(x[behind - start])
        left, gap = _edge(boxes[:, [0, 2]], float(x[first - start]), ahead, size)
        turned, other = _edge(-boxes[:, [2, 0]], -float(x[last - start]), after, size)
        right = -turned
        if left >= right:  # edges of boxes that end before its letters, and begin behind them
            left = float(x[first - start]) - _INSIDE * size
            right = float(x[last - start]) + _INSIDE * size
        top, bottom = _upright(boxes, left, right, middle, size)
        inner = start + np.searchsorted(x, [left, right])
        inside = min(int(inner[0]), first), max(int(inner[1]), last + 1)
        if inside[1] - inside[0] < 2:
            inside = max(inside[0] - 1, start), inside[1]
        page = int(np.searchsorted(self._begin, first, side="right")) - 1
        return (left, top, right, bottom), gap + other, inside, page

    def _neighbours(
        self, start: int, stop: int, first: int, last: int
    ) -> tuple[int | None, int | None]:
        """The places of the characters read before and behind a path; None where there is none."""
        read = self._read
        before, behind = first - 1, last + 1
        while before >= start and read[before] == read[first]:  # the same character still
            before -= 1
        while before >= start and read[before] == 0:
            before -= 1
        while behind < stop and read[behind] == read[last]:
            behind += 1
        while behind < stop and read[behind] == 0:
            behind += 1
        return before if before >= start else None, behind if behind < stop else None


def _edge(sides: Floats, x: float, neighbour: float | None, size: float) -> tuple[float, float]:
    """Begin of the box of a path, and the gap before it in heights of letters, up to 1.

    Parameters
    ----------
    sides : (B, 2) float
        Where boxes on the line begin and end.
    x : float
        The first character.
    neighbour : float or None
        The character before.
    size : float
        Height of small letters.
    """
    reach = np.inf if neighbour is None else x - neighbour
    away = x - sides[:, 0]
    able = (away > -_INSIDE * size) & (away < min(_EDGE * size, _TO_NEIGHBOUR * reach))
    if not able.any():
        return x - min(reach / 2, _NO_EDGE * size), float(not len(sides))
    edge = float(sides[able, 0][np.abs(away[able] - _USUAL * size).argmin()])
    ends = sides[(sides[:, 1] < edge + _AWAY * size) & (sides[:, 0] < edge - _OVER * size), 1]
    if neighbour is None or not len(ends):
        return edge, 1.0
    return edge, float(np.clip((edge - ends.max()) / size + _ROOM, 0, 1))


def _upright(
    boxes: Boxes, left: float, right: float, middle: float, size: float
) -> tuple[float, float]:
    """Top and bottom of a box on a line: of the boxes in it, or of the narrowest around it."""
    high, wide = boxes[:, 3] - boxes[:, 1], boxes[:, 2] - boxes[:, 0]
    flat = high <= _TALL * np.median(high) if len(boxes) else np.zeros(0, np.bool_)
    shared = np.minimum(boxes[:, 2], right) - np.maximum(boxes[:, 0], left)
    inside = flat & (shared > 0.7 * wide)
    if inside.any() and shared[inside].max() > 0.3 * (right - left):
        return float(boxes[inside, 1].min()), float(boxes[inside, 3].max())
    around = np.flatnonzero(flat & (shared > 0.8 * (right - left)))
    if len(around):
        _, top, _, bottom = boxes[around[wide[around].argmin()]].tolist()
        return top, bottom
    return middle - _HALF * size, middle + _HALF * size


def settle(
    items: Items, scores: Floats, hits: LineHits
) -> tuple[Floats, LineHits, NDArray[np.bool_]]:
    """Let boxes and places on lines that lie on each other say together where a text is.

    A place that a box is around counts by the mean of both. A box that lies on a place wins a
    little, so that of boxes with nearly the same score the one with the word's edges comes first.

    Parameters
    ----------
    items : Items
        N boxes.
    scores : (N,) float
        Of these, on the common scale.
    hits : LineHits

    Returns
    -------
    scores : (N,) float
        With what boxes have won.
    hits : LineHits
        Those that no box or better one hides.
    hidden : (N,) bool
        The boxes that one of them hides.
    """
    raised, hidden = scores.copy(), np.zeros(len(scores), np.bool_)
    kept, own = np.zeros(len(hits), np.bool_), hits.score.copy()
    pairs_on_pages = []
    for page in np.unique(hits.page).tolist():
        here = np.flatnonzero(hits.page == page)
        boxes = np.flatnonzero(items.page == page)
        pairs = pair_boxes(hits.boxes[here], items.boxes[boxes])
        hit, box = here[pairs.first], boxes[pairs.second]
        around = pairs.iou >= _AT_ONE_PLACE
        best = np.full(len(hits), -np.inf)
        np.maximum.at(best, hit[around], scores[box[around]])
        said = here[np.isfinite(best[here])]
        own[said] = np.minimum((best[said] + hits.score[said]) / 2, hits.score[said]) - _BEHIND
        part = np.zeros(len(scores))
        np.maximum.at(part, box, pairs.iou * np.clip((hits.score[hit] - _FROM) / _WIDE, 0, 1))
        raised += _RAISED * part * np.clip((1 - scores) * 10, 0, 1)
        lies = pairs.share_of_smaller >= _HIDES
        pairs_on_pages.append((here, hit[lies], box[lies]))
    for here, hit, box in pairs_on_pages:
        better = np.full(len(hits), -np.inf)
        np.maximum.at(better, hit, raised[box])
        apart = _apart(hits.boxes[here], own[here])
        kept[here] = apart & (own[here] > better[here])
        hidden[box[kept[hit]]] = True
    return raised, LineHits(hits.page, hits.boxes, own).take(kept), hidden


def _apart(boxes: Boxes, scores: Floats) -> NDArray[np.bool_]:
    """(K,) those that lie on no better one."""
    pairs = pair_boxes(boxes, boxes)
    lies = (pairs.share_of_smaller >= _HIDES) & (scores[pairs.first] > scores[pairs.second])
    apart = np.ones(len(boxes), np.bool_)
    apart[pairs.second[lies]] = False
    return apart


def typed_scores(
    index: WordIndex, text: str, agreed: Callable[[Floats], Floats]
) -> tuple[Floats, LineHits]:
    """Compute the scores of boxes and of places on lines against what is typed.

    Parameters
    ----------
    index : WordIndex
        With N items.
    text : str
        A query, see `spotlab.model.spelling.parse_query`. A word with AND counts by the lowest of
        its own score and the best ones of the others on its page; of several alternatives the best
        counts.
    agreed : callable
        Lets words that look alike agree on their scores.

    Returns
    -------
    scores : (N,) float
        -inf for a box that a better place on a line hides.
    hits : LineHits
        These places.

    Raises
    ------
    SpotlabError
        A word is missing beside AND or OR, the network knows none of a phrase's characters, or
        there is no network.
    """
    alternatives = parse_query(text)
    phrases = list(dict.fromkeys(phrase for each in alternatives for phrase in each))
    parts = []
    for phrase in phrases:
        scores, hits, hidden = settle(
            index.items, agreed(index.text_scores(phrase)), find_on_lines(index, phrase)
        )
        parts.append((np.where(hidden, -np.inf, scores), hits))
    counts = [len(hits) for _, hits in parts]
    page = np.concatenate([index.items.page, *(hits.page for _, hits in parts)])
    boxes = np.concatenate([np.zeros((0, 4)), *(hits.boxes for _, hits in parts)])
    whole = {}
    for number, (phrase, (scores, hits)) in enumerate(zip(phrases, parts, strict=True)):
        before, behind = sum(counts[:number]), sum(counts[number + 1 :])
        nothing = np.full(before, -np.inf), np.full(behind, -np.inf)
        whole[phrase] = np.concatenate([scores, nothing[0], hits.score, nothing[1]])
    best = np.max([_all_on_page([whole[each] for each in one], page) for one in alternatives], 0)
    count = len(index.items)
    hits = LineHits(page[count:], boxes, best[count:])
    return best[:count], hits.take(np.isfinite(hits.score))


def _all_on_page(scores: Sequence[Floats], page: Ints) -> Floats:
    """(N,) the scores of items of one of several words, where the others are on the page."""
    best = np.full((len(scores), int(page.max(initial=0)) + 1), -np.inf)
    for own, each in zip(best, scores, strict=True):
        np.maximum.at(own, page, each)
    together = np.full(len(page), -np.inf)
    for number, each in enumerate(scores):
        others = np.delete(best, number, axis=0).min(axis=0, initial=np.inf)
        together = np.maximum(together, np.minimum(each, others[page]))
    return together
