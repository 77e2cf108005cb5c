"""Two small ranked lists of words whose figures are known, for tests of the panels beside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from spotlab.gui.kit import background, theme
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.word_search import WordSource
from spotlab.gui.words.state.words import Words
from spotlab.model import Items, RankedList
from spotlab.ranking.fusion import Evidence, MatrixScores

Panel = TypeVar("Panel", bound=QWidget)
TRUTH = (1, 1, 0, 1, 0, -1, 0, 1)
FIRST = (0.95, 0.9, 0.85, 0.8, 0.6, 0.6, 0.3, np.nan)
SECOND = (0.9, 0.7, 0.2, 0.8, 0.3, np.nan, 0.1, 0.75)
TEXTS = ("orders", "orders", "others", "orders", "order", None, "letters", "orders")


def items(count: int = 8) -> Items:
    """Boxes of 60 × 20 px below each other, half of them on each of two pages."""
    number = np.arange(count)
    top = 30.0 * (number // 2)
    boxes = np.column_stack([np.full(count, 10.0), top, np.full(count, 70.0), top + 20])
    texts = tuple(TEXTS[each % len(TEXTS)] for each in number)
    return Items(("270", "271"), number % 2, boxes, texts)


def between() -> np.ndarray:
    """(8, 8) the relevant items are alike (.9), the last of them less (.6), the others not (.2)."""
    relevant = np.array(TRUTH) == 1
    matrix = np.where(np.outer(relevant, relevant), 0.9, 0.2)
    matrix[7, relevant] = matrix[relevant, 7] = 0.6
    np.fill_diagonal(matrix, 1.0)
    return matrix


def source(title: str = "orders", given: bool = True, **more: object) -> WordSource:
    """Four relevant of eight items, one unknown; with two lists, or with what makes lists."""
    lists = (RankedList.ordered("first", np.array(FIRST)),
             RankedList.ordered("second", np.array(SECOND)))  # fmt: skip
    query = between()[0]
    evidence = Evidence(query, MatrixScores(between()), between()[[0, 1]], query >= 0.7)
    values = {
        "place": "", "items": items(), "evidence": evidence, "given": lists if given else (),
        "truth": np.array(TRUTH, np.int8), "relevant": 4, "example": None, **more,
    }  # fmt: skip
    return WordSource(title, title, **values)  # type: ignore[arg-type]


@contextmanager
def showing(
    folder: Path, make: type[Panel], width: int = 420, height: int = 620
) -> Iterator[Panel]:
    """A panel of its own, in light; no list is made but those that are given."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, "light")
    workbench = Workbench(Settings(folder / "settings.json"))
    workbench.state(Words).ranking.fusions = ()
    panel = make(workbench)
    panel.resize(width, height)
    panel.show()
    QTest.qWaitForWindowExposed(panel)
    settled()
    yield panel
    workbench.state(Words).forget()
    workbench.close()
    background.wait_for_all(30)
    QToolTip.hideText()
    panel.close()
    panel.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def settled() -> None:
    """Let lists be made, and everything be drawn."""
    assert background.wait_for_all(30)
    for _ in range(3):
        QApplication.processEvents()
