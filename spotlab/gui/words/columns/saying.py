"""What is said of a word: for tips, for screen readers, and in place of a picture."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from spotlab.gui.kit.plain_text import rich
from spotlab.gui.words.columns.placing import Placing
from spotlab.report.figure_text import written

if TYPE_CHECKING:
    from spotlab.gui.words.state.words import Words

_WHAT = {1: "relevant", 0: "not relevant", -1: "relevance not known"}


def text_of(words: Words, item: int) -> str:
    """What is written there, or its name where that is not known."""
    items = words.queries.items
    assert items is not None  # the item is one of them
    return items.text(item) or items.name(item)


def tip_of(words: Words, placing: Placing, item: int) -> str:
    """Text, page, what it is, and its rank and score in every list."""
    items = words.queries.items
    assert items is not None  # the item is one of them
    said = html.escape(items.text(item) or "text not known")
    page = items.page_name(item)
    where = f"page {html.escape(page)}" if page else html.escape(items.name(item))
    rows = [
        f"<p><b>{said}</b><br>{where}<br>{what_it_is(words, item)}{_reading(words, item)}</p>",
        "<table cellspacing=0 cellpadding=1>",
    ]
    for column, each in enumerate(words.ranking.lists):
        row = placing.row_of(column, item)
        figures = "–</td><td>" if row is None else _figures(row, each.ranked.score[row])
        rows.append(f"<tr><td>{html.escape(each.title)}&nbsp;</td><td align=right>{figures}</tr>")
    return rich("".join([*rows, "</table>"]))


def _reading(words: Words, item: int) -> str:
    """What the word may say, and how sure that is."""
    source = words.queries.current
    reading = source.readings.get(item) if source is not None else None
    if reading is None:
        return ""
    return f"<br>reads as “{html.escape(reading.text)}”, {reading.probability:.0%} sure"


def _figures(row: int, score: float) -> str:
    return f"{row + 1:,}</td><td align=right>&nbsp;{written(float(score))}</td>"


def what_it_is(words: Words, item: int) -> str:
    """Relevant or not, and who says so."""
    said = _WHAT[int(words.judgements.relevance[item])]
    return f"{said}, judged by you" if words.judgements.judged[item] >= 0 else said


def spoken(words: Words, placing: Placing, column: int, row: int) -> str:
    """A cell in one line."""
    item = placing.item_at(column, row)
    assert item is not None  # the cell is there
    each = words.ranking.lists[column]
    parts = [
        f"{each.title}, rank {row + 1:,} of {len(each.ranked):,}: {text_of(words, item)}",
        what_it_is(words, item),
        f"score {written(float(each.ranked.score[row]))}",
    ]
    page = words.queries.items.page_name(item) if words.queries.items else ""
    if page:
        parts.append(f"page {page}")
    if row >= each.kept(words.threshold):
        parts.append("purged")
    return ", ".join(parts)
