"""Words: search written words, and judge, re-rank and purge the lists of what was found."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.words import actions
from spotlab.gui.words.columns import WordColumns, keep_options
from spotlab.gui.words.follow_selection import WordInSight
from spotlab.gui.words.layer import WordsLayer
from spotlab.gui.words.matrix.word_matrix import WordMatrixPanel
from spotlab.gui.words.means.word_means import WordMeansPanel
from spotlab.gui.words.panels.word_queries import WordQueriesPanel
from spotlab.gui.words.panels.word_settings import WordSettingsPanel
from spotlab.gui.words.scores.scores import ScoresPanel
from spotlab.gui.words.state.words import Words
from spotlab.gui.words.tool import TOOL
from spotlab.gui.words.undo import JudgementUndo
from spotlab.gui.workspace.window import Window
from spotlab.gui.workspace.workspace import LayerKind, PageMenu, Panel, Workspace
from spotlab.resources import LETTERS
from spotlab.spotting.words.query import WordQuery

_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
READABLE, COMFORTABLE = 24.0, 40.0  # screen px that a word is high
SAMPLE_WORD = "ordered"  # of the sample letters


_PANELS = (
    Panel(
        "word_queries",
        "Search",
        _LEFT,
        lambda window: WordQueriesPanel(window.workbench, lambda: try_letters(window)),
        260,
        menu_title="Sear&ch",
        tip="Where a word is searched, and the queries until now",
    ),
    Panel(
        "scores",
        "Scores",
        _RIGHT,
        lambda window: ScoresPanel(window.workbench),
        310,
        share=0.28,
        front=True,
        menu_title="&Scores",
        tip="Score over rank, and the threshold that purges",
    ),
    Panel(
        "word_settings",
        "Ranking",
        _RIGHT,
        lambda window: WordSettingsPanel(window.workbench),
        360,
        beside="scores",
        menu_title="Rankin&g of Words",
        tip="Which lists are made, and how",
    ),
    Panel(
        "word_matrix",
        "Matrix",
        _RIGHT,
        lambda window: WordMatrixPanel(window.workbench),
        360,
        beside="scores",
        menu_title="&Matrix",
        tip="The scores of words with each other",
    ),
    Panel(
        "word_means",
        "Means",
        _RIGHT,
        lambda window: WordMeansPanel(window.workbench),
        360,
        beside="word_settings",
        menu_title="M&eans over Queries",
        tip="Mean average precision, P, R and F of each list over all open queries",
    ),
)


def _columns(window: Window) -> QWidget:
    workbench, canvas = window.workbench, window.canvas
    columns = WordColumns(workbench.state(Words))
    keep_options(columns, workbench.settings)
    sight = WordInSight(
        workbench, partial(show_word, canvas), partial(centre_word, canvas), window.frame
    )
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


def try_letters(window: Window) -> None:
    """Open the sample letters and search a word in them."""
    window.open_sample(LETTERS)
    if window.workbench.entries:
        window.workbench.state(Words).searching.search(WordQuery(text=SAMPLE_WORD))


def _begin(window: Window) -> None:
    """The page has all the room until there are lists."""
    queries = window.workbench.state(Words).queries

    def follow() -> None:
        window.centre.want_above("words", bool(queries.sources))

    queries.changed.connect(follow)
    follow()


def _page_menu(_: Window) -> PageMenu:
    judging = ("words.search_item", "words.relevant", "words.irrelevant", "words.undecided")
    return PageMenu((judging,))


WORKSPACE = Workspace(
    "words",
    "Words",
    "format-list-checks",
    "Search written words; judge, re-rank and purge what was found",
    3,
    states=(Words,),
    panels=_PANELS,
    layers=(LayerKind("words", WordsLayer),),
    tools=(TOOL,),
    menus=(actions.MENU,),
    undo=JudgementUndo,
    page_menu=_page_menu,
    begin=_begin,
    shares=("pages",),
    above=_columns,
)
