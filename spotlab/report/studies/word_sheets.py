"""Ranked lists as sheets of word images and as curves.

Hast (2020), Figs. 3 to 5: right words are framed in green and wrong ones in red.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.errors import counted
from spotlab.extras import cv2
from spotlab.model.ranked_list import Items, RankedList
from spotlab.ranking.purge import ItemTruth, without_item
from spotlab.report.charts import PRINTED, Chart, ChartLine, LinePlot, ShownFigure, styled
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import written
from spotlab.report.images import crop_webp, data_uri
from spotlab.studies.words.query_means import QueryComparison, StudiedList, StudiedQuery

Crop = Callable[[Items, int], NDArray[np.uint8] | None]

SHOWN = 60  # words of a list
HIGH = 40  # px of an image in a page
WIDEST = 6.0  # times as wide as high
COLOURS = {1: "#009E73", 0: "#D55E00", -1: "#8A8F94"}
KINDS = {1: "right", 0: "wrong", -1: "unknown"}
SIGNS = {1: "✓", 0: "✗", -1: "?"}
_LINE, _CAPTION, _GAP = 1.0, 0.34, 0.16  # heights of a word, of its caption, and between words
_ROOM = 26.0  # heights of a word in the width of a sheet
_INCH = 0.30  # of a height
PURGED = 0.45  # how much of a purged word is seen


@dataclass(frozen=True, eq=False)
class SheetWord:
    """A word of a sheet.

    Attributes
    ----------
    image : (h, w) uint8 or None
        Grey; None where there is no picture.
    kind : int
        1 right, 0 wrong, -1 unknown.
    rank : int
        From 1.
    score : float
    text : str
    own, kept : bool
        Whether it is the query itself, and whether purging leaves it.
    """

    image: NDArray[np.uint8] | None
    kind: int
    rank: int
    score: float
    text: str
    own: bool
    kept: bool

    @property
    def width(self) -> float:
        """In heights of a word."""
        if self.image is None:
            return 2.0
        return float(min(max(self.image.shape[1] / self.image.shape[0], 0.8), WIDEST))


@dataclass(frozen=True, eq=False)
class WordSheet:
    """The first words of a list.

    Attributes
    ----------
    title, head : str
        The list, and what there is to say of it in a line.
    words : tuple of SheetWord
    """

    title: str
    head: str
    words: tuple[SheetWord, ...]


def sheet_of(query: StudiedQuery, ranked: StudiedList, crop: Crop, shown: int = SHOWN) -> WordSheet:
    """The sheet of a list.

    Parameters
    ----------
    query : StudiedQuery
    ranked : StudiedList
        One of its lists.
    crop : callable
        Gives the picture of an item, (h, w) grey; None where there is none.
    shown : int
        Number of words, at most.
    """
    pairs = zip(ranked.ranked.item[:shown].tolist(), ranked.ranked.score.tolist(), strict=False)
    words = tuple(
        SheetWord(
            _scaled(crop(query.items, item)),
            int(query.truth.relevance[item]),
            rank,
            score,
            query.items.text(item)
            or ("" if query.items.page[item] >= 0 else query.items.name(item)),
            item == query.truth.own,
            rank <= ranked.kept,
        )
        for rank, (item, score) in enumerate(pairs, 1)
    )
    count = len(ranked.ranked)
    parts = [f"AP {written(ranked.average_precision)}"]
    parts.append(f"first {shown:,} of {count:,}" if count > shown else f"{counted(count, 'word')}")
    if ranked.point is not None:
        parts.append(f"{ranked.kept:,} kept")
    return WordSheet(ranked.title, ", ".join(parts), words)


def sheets_of(query: StudiedQuery, crop: Crop, shown: int = SHOWN) -> list[WordSheet]:
    """The sheets of all lists of a query."""
    return [sheet_of(query, each, crop, shown) for each in query.lists]


def _scaled(image: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
    """The picture, of twice the height at which a page shows it."""
    if image is None or image.shape[0] <= 2 * HIGH:
        return image
    width = max(1, round(image.shape[1] * 2 * HIGH / image.shape[0]))
    return np.asarray(cv2.resize(image, (width, 2 * HIGH), interpolation=cv2.INTER_AREA), np.uint8)


def sheet_html(sheets: Sequence[WordSheet]) -> Markup:
    """The sheets of a query for a page."""
    parts = [
        Markup('<h4>{} <span class="quiet">{}</span></h4><div class="words">{}</div>').format(
            sheet.title, sheet.head, Markup("").join(map(_word_html, sheet.words))
        )
        for sheet in sheets
    ]
    return Markup("").join(parts)


def _word_html(word: SheetWord) -> Markup:
    classes = [KINDS[word.kind], *(["own"] if word.own else []), *([] if word.kept else ["purged"])]
    what = "the query itself" if word.own else KINDS[word.kind]
    said = f"{word.rank}. {word.text or 'text not known'}, {what}, score {written(word.score)}"
    return Markup('<figure class="{}" title="{}">{}<figcaption>{}</figcaption></figure>').format(
        " ".join(classes),
        said + ("" if word.kept else ", purged"),
        image_html(word.image, word.text),
        f"{SIGNS[word.kind]} {written(word.score)}",
    )


def image_html(image: NDArray[np.uint8] | None, text: str) -> Markup:
    """A picture of a word, or its text where there is none."""
    if image is None:
        return Markup('<span class="text">{}</span>').format(text or "?")
    rgb = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2RGB), np.uint8)
    uri = data_uri(crop_webp(rgb))
    return Markup('<img src="{}" alt="{}" loading="lazy">').format(uri, text or "a word")


@styled()
def sheet_figure(title: str, sheets: Sequence[WordSheet]) -> Figure:
    """The sheets of a query one below the other, to be printed or saved.

    Parameters
    ----------
    title : str
        What was searched.
    sheets : sequence of WordSheet
    """
    lines = [_lines(sheet.words) for sheet in sheets]
    high = _LINE + _CAPTION + _GAP
    total = 1.2 + sum(1.1 + high * max(len(rows), 1) + 0.4 for rows in lines)
    figure = Figure(figsize=(_ROOM * _INCH, total * _INCH))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(-0.4, _ROOM + 0.4)
    axes.set_ylim(total, 0)
    axes.text(0, 0.75, title, fontsize=12, fontweight="bold", va="center")
    y = 1.2
    for number, (sheet, rows) in enumerate(zip(sheets, lines, strict=True)):
        letter = f"({chr(ord('a') + number)}) " if len(sheets) <= 26 else ""
        axes.text(0, y + 0.5, f"{letter}{sheet.title}", fontsize=9, fontweight="bold", va="center")
        axes.text(_ROOM, y + 0.5, sheet.head, fontsize=8, color="0.35", va="center", ha="right")
        y += 1.1
        for row in rows:
            x = 0.0
            for word in row:
                _draw_word(axes, word, x, y)
                x += word.width + _GAP
            y += high
        y += 0.4 + (0 if rows else high)
    return figure


def _lines(words: Sequence[SheetWord]) -> list[list[SheetWord]]:
    """Words in lines, as many in each as there is room for."""
    lines: list[list[SheetWord]] = []
    used = _ROOM + 1
    for word in words:
        if used + word.width > _ROOM:
            lines.append([])
            used = 0.0
        lines[-1].append(word)
        used += word.width + _GAP
    return lines


def _printed(word: SheetWord) -> NDArray[np.uint8]:
    """(h, w, 3) RGB, the picture in the pixels that it has on a sheet; faint where it is purged."""
    assert word.image is not None  # else there is nothing to print
    high = round(_LINE * _INCH * PRINTED)
    size = (max(1, round(word.width * _INCH * PRINTED)), high)
    way = cv2.INTER_AREA if high < len(word.image) else cv2.INTER_LINEAR
    grey = cv2.resize(np.ascontiguousarray(word.image), size, interpolation=way)
    if not word.kept:
        grey = 255 - (255 - grey) * PURGED
    return np.repeat(np.asarray(grey, np.uint8)[..., None], 3, axis=2)


def _draw_word(axes: Axes, word: SheetWord, x: float, y: float) -> None:
    opacity = 1.0 if word.kept else PURGED
    colour, box = COLOURS[word.kind], (x, x + word.width, y + _LINE, y)
    if word.image is not None:
        axes.imshow(_printed(word), extent=box, aspect="auto", interpolation="none")
    else:
        axes.text(x + word.width / 2, y + 0.5, word.text[:14] or "?", fontsize=6, ha="center",
                  va="center", alpha=opacity)  # fmt: skip
    axes.add_patch(
        Rectangle((x, y), word.width, _LINE, fill=False, edgecolor=colour, alpha=opacity,
                  linewidth=2.4 if word.own else 1.3, linestyle="--" if word.own else "-")
    )  # fmt: skip
    sign = {1: "✓", 0: "✗", -1: "?"}[word.kind]
    axes.text(x, y + _LINE + 0.2, f"{sign} {written(word.score)}", fontsize=5.2, color=colour,
              va="center", alpha=opacity)  # fmt: skip


LEVELS = np.linspace(0.0, 1.0, 101)
FOUND, FALSE = "#009E73", "#D55E00"
COLUMNS = 3


def precision_recall(queries: Sequence[StudiedQuery], comparison: QueryComparison) -> Chart:
    """The mean of interpolated precision over queries, a line for each list."""
    lines = []
    for number, each in enumerate(comparison.lists):
        curves = [
            interpolated(query.truth, listed.ranked.item)
            for query in queries
            for listed in query.lists
            if listed.name == each.name and query.relevant
        ]
        curves += [np.zeros(len(LEVELS))] * each.unanswered if curves else []
        if curves:
            y = np.mean(curves, axis=0)
            lines.append(ChartLine(each.title, run_colour(number), y, link=f"list:{each.name}"))
    return Chart([LinePlot("Precision", "Recall", LEVELS, lines, x_end=1.0)], 1, (5.2, 3.6))


def interpolated(truth: ItemTruth, items: NDArray[np.int64]) -> NDArray[np.float64]:
    """(101,) the highest precision at each recall of `LEVELS` or a higher one; 0 beyond the last.

    Examples
    --------
    >>> truth = ItemTruth(np.array([1, 0, 1], np.int8), 4)
    >>> interpolated(truth, np.array([0, 1, 2]))[[0, 25, 26, 50, 51]].round(3).tolist()
    [1.0, 1.0, 0.667, 0.667, 0.0]
    """
    others = truth.without_own()
    ranked = items if truth.own is None else items[items != truth.own]
    hits = np.cumsum(others.relevance[ranked] == 1)
    if not len(ranked) or not others.relevant:
        return np.zeros(len(LEVELS))
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / others.relevant
    best = np.maximum.accumulate(precision[::-1])[::-1]
    first = np.searchsorted(recall, LEVELS - 1e-12)
    return np.where(first < len(best), best[np.minimum(first, len(best) - 1)], 0.0)


def score_lines(queries: Sequence[StudiedQuery]) -> Chart:
    """Score over rank, a plot for each query and a line for each list, right words marked."""
    plots = []
    for query in queries:
        lists = [
            ScoredList(each.name, each.title, run_colour(number),
                       without_item(each.ranked, query.truth.own))
            for number, each in enumerate(query.lists)
        ]  # fmt: skip
        plots.append(score_plot(query.name, lists, query.truth.relevance))
    return Chart(plots, COLUMNS, (3.5, 2.9))


class ScoredList(NamedTuple):
    """A list in a plot of scores: its name, title and colour."""

    name: str
    title: str
    colour: str
    ranked: RankedList


def score_plot(
    title: str,
    lists: Sequence[ScoredList],
    relevance: NDArray[np.int8],
    threshold: float | None = None,
    last: int | None = None,
    axis: str = "Score",
) -> LinePlot:
    """Score over rank, a line for each list, with marks of right and wrong words.

    Parameters
    ----------
    title : str
        What was searched.
    lists : sequence of ScoredList
    relevance : (N,) int8
        Of all items: 1 right, 0 wrong, -1 unknown.
    threshold : float, optional
        A horizontal line.
    last : int, optional
        The last rank that is shown; by default all are.
    axis : str
        Title of the scores.
    """
    longest = max((len(each.ranked) for each in lists), default=1)
    ranks, lines = np.arange(1.0, min(longest, last or longest) + 1), []
    for each in lists:
        score, item = each.ranked.score[: len(ranks)], each.ranked.item[: len(ranks)]
        x, kinds, link = ranks[: len(score)], relevance[item], f"list:{each.name}"
        score = np.where(np.isfinite(score), score, np.nan)
        lines.append(ChartLine(each.title, each.colour, score, x, link=link, width=1.4))
        for kind, name, colour, marks in ((1, RIGHT, FOUND, "full"), (0, WRONG, FALSE, "hollow")):
            if (kinds == kind).any():
                y = np.where(kinds == kind, score, np.nan)
                lines.append(ChartLine(name, colour, y, x, link=link, marks=marks))
    return LinePlot(title, "Rank", ranks, lines, top=None, level=threshold, y_title=axis)


RIGHT, WRONG = "right", "wrong"


@styled()
def matrix_figure(
    scores: Floats, representative: Sequence[int], difficult: Sequence[int], width: float
) -> Figure:
    """Scores of words with each other; columns that make good and difficult queries are marked.

    Parameters
    ----------
    scores : (k, k) float
        NaN on the diagonal.
    representative, difficult : sequence of int
        Columns, see Hast (2020), section 4.
    width : float
        In inches.
    """
    figure = ShownFigure(figsize=(width, 0.95 * width), layout="constrained")
    FigureCanvasAgg(figure)
    axis = figure.subplots()
    side = len(scores)
    extent = (0.5, side + 0.5, side + 0.5, 0.5)
    image = axis.imshow(scores, cmap="viridis", extent=extent, interpolation="nearest")
    figure.colorbar(image, ax=axis, shrink=0.7, label="Score")
    for columns, marker, colour, name in (
        (representative, "*", "#E69F00", "representative query"),
        (difficult, "v", "#CC79A7", "difficult query"),
    ):
        axis.scatter(np.asarray(columns) + 1.0, np.full(len(columns), 0.5 - 0.03 * side), s=22,
                     marker=marker, color=colour, label=name, clip_on=False)  # fmt: skip
    axis.set_xlabel("Query, by falling mean score")
    axis.set_ylabel("Word")
    axis.grid(visible=False)
    figure.legend(loc="outside lower center", ncols=2, fontsize=8, frameon=False)
    return figure
