"""A query is searched again while one of its words is chosen in the columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.state.word_search import WordSource
from spotlab.gui.words.state.words import Words
from spotlab.model import RankedList
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import gestures
from tests.gui.words import listed_words


@pytest.fixture
def view(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> Iterator[WordColumns]:
    """No lists yet; black pictures."""

    def make(workbench: Workbench) -> WordColumns:
        words = workbench.state(Words)
        monkeypatch.setattr(words, "crop", lambda item: np.zeros((20, 60), np.uint8))
        return WordColumns(words)

    with listed_words.showing(tmp_path, make, 700, 700) as shown:
        yield shown


def searched(few: bool) -> WordSource:
    """What a query has found: eight words, or four of them."""
    found = listed_words.source(asked=WordQuery("270", (8.0, 1.0, 72.0, 19.0), "orders"))
    if not few:
        return found
    order = np.array([7, 3, 0, 1])
    return replace(
        found,
        items=found.items.take(order),
        truth=found.truth[order],
        evidence=None,
        given=(RankedList.ordered("found", np.array([0.9, 0.8, 0.7, 0.6])),),
    )


def test_a_word_stays_chosen_while_its_query_is_searched_again(view: WordColumns) -> None:
    """Until its lists are made there are none, though a word of theirs is chosen."""
    view.words.add_sources([searched(few=False)])
    listed_words.settled()
    place = view.cells.geometry.frame(1, 2).center()
    gestures.click(view.viewport(), (place.x(), place.y()))
    assert view.words.item == 7 and "rank 3" in view.accessibleName()
    view.words.add_sources([searched(few=True)])
    view.viewport().repaint()
    listed_words.settled()
    assert view.words.item == 0 and view.selection.item == 0
    assert view.accessibleName().startswith("found, rank 1 of 4")


def test_all_that_is_heard_meanwhile_is_of_the_words_found_last(view: WordColumns) -> None:
    """The page under the pointer asks as soon as it hears that something has changed."""
    words, counts = view.words, []

    def ask() -> None:
        items = words.queries.items
        if items is not None:
            words.described(len(items) - 1)
            counts.append((len(items), len(words.kept()), words.item))

    words.add_sources([searched(few=True)])
    listed_words.settled()
    place = view.cells.geometry.frame(0, 2).center()
    gestures.click(view.viewport(), (place.x(), place.y()))
    assert words.item == 2
    for signal in (words.ranking.changed, words.item_changed, words.queries.changed):
        signal.connect(ask)
    words.add_sources([searched(few=False)])
    listed_words.settled()
    assert {(kept, items) for items, kept, _ in counts} == {(8, 8)}
    assert counts[0][2] is None and counts[-1][2] == 0
