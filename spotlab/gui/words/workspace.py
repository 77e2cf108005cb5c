"""Words: search written words, and judge, re-rank and purge the lists of what was found."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import ToolKind
from spotlab.gui.words import actions
from spotlab.gui.workspace import LayerKind, PageMenu, Panel, Window, Workspace
from spotlab.libraries import late_imports
from spotlab.resources import LETTERS

with late_imports(__name__):
    from spotlab.gui.words import columns, layer
    from spotlab.gui.words import layer as follow_selection
    from spotlab.gui.words.matrix import word_matrix
    from spotlab.gui.words.means import word_means
    from spotlab.gui.words.panels import word_queries, word_settings
    from spotlab.gui.words.scores import scores
    from spotlab.gui.words.state import words as kept
    from spotlab.gui.words.state import words as state
    from spotlab.gui.words.state import words as undo
    from spotlab.spotting.words import word_index


_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
READABLE, COMFORTABLE = 24.0, 40.0  # screen px that a word is high
THREE_LISTS = 420  # px of width that three columns of words need
SAMPLE_WORD = "ordered"  # of the sample letters


def _scores(window: Window) -> QWidget:
    return scores.ScoresPanel(window.workbench)


def _matrix(window: Window) -> QWidget:
    return word_matrix.WordMatrixPanel(window.workbench)


_PANELS = (
    Panel(
        "word_queries",
        "Search",
        _LEFT,
        lambda window: word_queries.WordQueriesPanel(window.workbench),
        260,
        words="find words",
        menu_title="Sear&ch",
        tip="Where a word is searched, and the queries until now",
    ),
    Panel(
        "scores",
        "Scores",
        _RIGHT,
        _scores,
        310,
        share=0.28,
        front=True,
        words="purge threshold cut plot",
        menu_title="&Scores",
        tip="Score over rank, and the threshold that purges",
        help="word-lists",
    ),
    Panel(
        "word_settings",
        "Ranking",
        _RIGHT,
        lambda window: word_settings.WordSettingsPanel(window.workbench),
        360,
        beside="scores",
        words="fusion settings re-rank",
        menu_title="Rankin&g of Words",
        tip="Which lists are made, and how",
        help="word-lists",
    ),
    Panel(
        "word_matrix",
        "Matrix",
        _RIGHT,
        _matrix,
        360,
        beside="scores",
        words="similarity",
        menu_title="&Matrix",
        tip="The scores of words with each other",
        help="word-lists",
    ),
    Panel(
        "word_means",
        "Means",
        _RIGHT,
        lambda window: word_means.WordMeansPanel(window.workbench),
        360,
        beside="scores",
        words="average statistics",
        menu_title="M&eans over Queries",
        tip="Mean average precision, P, R and F of each list over all open queries",
        help="word-lists",
    ),
)


def _columns(window: Window) -> QWidget:
    workbench, canvas = window.workbench, window.canvas
    shown = columns.WordColumns(workbench.state(state.Words))
    columns.keep_options(shown, workbench.settings)
    sight = follow_selection.WordInSight(
        workbench, partial(show_word, canvas), partial(centre_word, canvas), window.frame
    )
    # The keys stay with the columns: who has looked at a word's page goes on judging.
    shown.page_wanted.connect(lambda item: sight.go())
    return shown


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
        window.workbench.state(state.Words).searching.search(word_index.WordQuery(text=SAMPLE_WORD))


def _begin(window: Window) -> None:
    """The page has all the room until there are lists."""
    words = window.workbench.state(state.Words)
    window.status.watch_when_busy(words.adapting)
    window.add_strip(follow_selection.NoTextStrip(window.workbench, partial(try_letters, window)))
    queries = words.queries

    def follow() -> None:
        window.centre.want_above("words", bool(queries.sources))

    def enter(name: str) -> None:
        """Let a word be typed at once where nothing has been searched yet."""
        if name == "words" and not queries.sources:
            field = window.panel(word_queries.WordQueriesPanel).field
            field.setFocus()
            field.selectAll()

    window.entered.connect(enter, window.frame)
    queries.changed.connect(follow, window.frame)
    follow()


def _page_menu(_: Window) -> PageMenu:
    judging = ("words.search_item", "words.relevant", "words.irrelevant", "words.undecided")
    return PageMenu((judging,))


TOOL = ToolKind(
    name="words",
    title="Words",
    icon="mdi6.text-search",
    shortcut="",
    hint="Draw a box around a word to search it; with Shift, a further example of the same word",
    keys="Click a found word to see it in the lists",
    order=30,
    make=lambda surface: layer.WordsTool(surface),
    workspace="words",
)

WORKSPACE = Workspace(
    "words",
    "Words",
    "format-list-checks",
    "Search written words; judge, re-rank and purge what was found",
    3,
    states=(lambda workbench: workbench.state(state.Words),),
    panels=_PANELS,
    layers=(LayerKind("words", lambda canvas: layer.WordsLayer(canvas)),),
    tools=(TOOL,),
    menus=(actions.MENU,),
    undo=lambda workbench: undo.JudgementUndo(workbench),
    page_menu=_page_menu,
    begin=_begin,
    shares=("pages",),
    above=_columns,
    folds=(_RIGHT,),
    middle=THREE_LISTS,
    sample=try_letters,
    kept=lambda: kept.KEPT,
)
