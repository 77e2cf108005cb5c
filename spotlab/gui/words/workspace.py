"""Words: search written words, and judge, re-rank and purge the lists of what was found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.window import file_dialogs as files
from spotlab.gui.words.columns import WordColumns, keep_options
from spotlab.gui.words.follow_selection import WordInSight
from spotlab.gui.words.matrix.word_matrix import WordMatrixPanel
from spotlab.gui.words.panels.word_queries import WordQueriesPanel
from spotlab.gui.words.panels.word_settings import WordSettingsPanel
from spotlab.gui.words.scores.scores import ScoresPanel
from spotlab.gui.words.state.words import Words
from spotlab.gui.workspace.workspace import Panel, Workspace
from spotlab.resources import LETTERS
from spotlab.spotting.words.query import WordQuery

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow

_Area = Qt.DockWidgetArea
READABLE, COMFORTABLE = 24.0, 40.0  # screen px that a word is high
SAMPLE_WORD = "ordered"  # of the sample letters


def _panels(window: MainWindow) -> list[Panel]:
    workbench = window.workbench
    left, right = _Area.LeftDockWidgetArea, _Area.RightDockWidgetArea
    queries = WordQueriesPanel(workbench, lambda: try_letters(window))
    return [
        Panel("word_queries", "Search", left, queries, 260),
        Panel("scores", "Scores", right, ScoresPanel(workbench), 360),
        Panel("word_settings", "Ranking", right, WordSettingsPanel(workbench), 360),
        Panel(
            "word_matrix", "Matrix", right, WordMatrixPanel(workbench), 360, beside="word_settings"
        ),
    ]


def _columns(window: MainWindow) -> QWidget:
    workbench, canvas = window.workbench, window.canvas
    columns = WordColumns(workbench.state(Words))
    keep_options(columns, workbench.settings)
    sight = WordInSight(workbench, partial(show_word, canvas), partial(centre_word, canvas), window)
    # The keys stay with the columns: who has looked at a word's page goes on judging.
    columns.page_wanted.connect(lambda item: sight.go())
    return columns


def show_word(canvas: Canvas, left: float, top: float, right: float, bottom: float) -> None:
    """Bring a word into sight, large enough to be read."""
    high = bottom - top
    if high * canvas.view.scale < READABLE:
        canvas.zoom_to(COMFORTABLE / high * canvas.view.ratio)
    canvas.show_place(left, top, right, bottom)


def centre_word(canvas: Canvas, left: float, top: float, right: float, bottom: float) -> None:
    """Bring a word into the middle, large enough to be read."""
    show_word(canvas, left, top, right, bottom)
    canvas.centre_on((left + right) / 2, (top + bottom) / 2)


def try_letters(window: MainWindow) -> None:
    """Open the sample letters and search a word in them."""
    files.open_sample(window, LETTERS)
    if window.workbench.entries:
        window.workbench.state(Words).searching.search(WordQuery(text=SAMPLE_WORD))


WORKSPACE = Workspace(
    "words",
    "Words",
    "format-list-checks",
    "Search written words; judge, re-rank and purge what was found",
    3,
    _panels,
    shares=("pages",),
    above=_columns,
)
