"""The columns of ranked words show where they are cut while the purge threshold moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QApplication

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.state.words import Words
from spotlab.model import RankedList
from tests.gui import gestures
from tests.gui.words import listed_words

K = Qt.Key


@pytest.fixture
def view(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> Iterator[WordColumns]:
    """Three long lists; black pictures."""

    def make(workbench: Workbench) -> WordColumns:
        monkeypatch.setattr(
            workbench.state(Words), "crop", lambda item: np.zeros((20, 60), np.uint8)
        )
        return WordColumns(workbench.state(Words))

    with listed_words.showing(tmp_path, make, 700, 700) as shown:
        shown.words.ranking.feedback = False
        long_lists(shown)
        shown.setFocus()
        yield shown


def long_lists(view: WordColumns) -> None:
    """Three lists of 400, 400 and 60 words that a threshold of .5 cuts in different places."""
    count = 400
    random = np.random.default_rng(5)
    given = (
        RankedList.ordered("even", np.linspace(1, 0, count)),
        RankedList.ordered("high", random.permutation(np.linspace(1, 0, count) ** 0.3)),
        RankedList("short", np.arange(60), np.linspace(0.9, 0.2, 60)),
    )
    truth = np.ones(count, np.int8)
    source = listed_words.source(
        "long", items=listed_words.items(count), truth=truth, relevant=count, evidence=None
    )
    view.words.add_sources([replace(source, given=given)])
    listed_words.settled()


def cut_is_visible(view: WordColumns) -> bool:
    """The last kept and the first purged word of every list are whole in sight."""
    geometry, seen = view.cells.geometry, view.viewport().rect()
    for column, shown in enumerate(view.words.ranking.lists):
        kept, count = shown.kept(view.words.threshold), len(shown.ranked)
        for row in {max(kept - 1, 0), min(kept, count - 1)}:
            if not QRectF(seen).contains(geometry.frame(column, row)):
                return False
    return True


def test_the_lists_follow_the_cut_while_it_moves(view: WordColumns) -> None:
    assert view.cells.geometry.shifts == (0, 0, 0)
    assert view.verticalScrollBar().value() == 0  # a new query shows its best words
    for threshold in (0.95, 0.5, 0.501, 0.02, 0.999, 2.0, -1.0):
        view.words.set_threshold(threshold)
        assert cut_is_visible(view), threshold
    view.words.set_threshold(0.5)
    kept = [shown.kept(0.5) for shown in view.words.ranking.lists]
    assert len(set(kept)) == 3
    tops = {view.cells.geometry.frame(column, row).top() for column, row in enumerate(kept)}
    assert len(tops) == 1  # the cuts stand side by side
    gestures.wheel(view.viewport(), (100, 200), -3)  # one may look further
    assert view.cells.geometry.shifts != (0, 0, 0)
    view.commands.choose(0, 3)
    gestures.key(view, K.Key_Home)
    assert view.cells.geometry.shifts == (0, 0, 0) and view.verticalScrollBar().value() == 0


def test_the_lists_may_stay_where_they_are(view: WordColumns) -> None:
    gestures.key(view, K.Key_F)
    view.words.set_threshold(0.5)
    assert view.verticalScrollBar().value() == 0
    assert not cut_is_visible(view)
    gestures.key(view, K.Key_F)
    assert cut_is_visible(view)


def test_a_judgement_leaves_the_cut_in_sight(view: WordColumns) -> None:
    view.words.set_threshold(0.5)
    kept = view.words.ranking.lists[0].kept(0.5)
    middle = view.cells.geometry.frame(0, kept).center()
    gestures.click(view.viewport(), (middle.x(), middle.y()))
    place = view.cells.geometry.frame(0, kept).top()
    gestures.key(view, K.Key_R)
    listed_words.settled()
    assert view.cells.geometry.frame(0, kept).top() == place


def test_a_word_is_the_last_that_is_kept(view: WordColumns) -> None:
    view.commands.choose(1, 6)
    gestures.key(view, K.Key_C)
    assert view.words.ranking.lists[1].kept(view.words.threshold) == 7
    assert cut_is_visible(view)
