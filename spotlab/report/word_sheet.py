"""Ranked lists as sheets of word images, right ones framed in green and wrong ones in red.

Hast (2020), Figs. 4 and 5: beside each other, the lists of one query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from spotlab.errors import counted
from spotlab.extras import cv2
from spotlab.model.ranked_list import Items
from spotlab.report.figure_files import PRINTED, STYLE
from spotlab.report.figure_text import written
from spotlab.report.images import crop_webp, data_uri
from spotlab.studies.words.studied_queries import StudiedList, StudiedQuery

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
    with rc_context(STYLE):
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
