"""The Words menu: search, judge, open and save lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.gui.workspace import Action, Condition, Menu, Window, has_pages, needs
from spotlab.libraries import late_imports

if TYPE_CHECKING:
    from spotlab.gui.words.scores.scores import ScoreHead

with late_imports(__name__):
    from spotlab.formats.lists import kept_lines
    from spotlab.gui.words.means import save_report
    from spotlab.gui.words.panels import word_queries
    from spotlab.gui.words.panels import word_queries as dialogs
    from spotlab.gui.words.state import words as state
    from spotlab.gui.words.state import words as word_files
    from spotlab.spotting.words.embedding import network


@needs("Go to Words first")
def _there(window: Window) -> bool:
    return window.workbench.workspace == "words"


@needs("Search a word first", _there)
def _has_lists(window: Window) -> bool:
    return bool(window.workbench.state(state.Words).ranking.lists)


@needs("Click a word in a list first", _there)
def _has_item(window: Window) -> bool:
    return window.workbench.state(state.Words).item is not None


_may_search = Condition(lambda _: True, "", (_there, has_pages))


def _judge(window: Window, relevant: bool | None) -> None:
    words = window.workbench.state(state.Words)
    if words.item is not None:
        words.judgements.judge(words.item, relevant)


def _search(window: Window) -> None:
    panel = window.panel(word_queries.WordQueriesPanel)
    window.docks.bring("word_queries")
    panel.field.setFocus()
    panel.field.selectAll()


def _search_item(window: Window) -> None:
    words = window.workbench.state(state.Words)
    if words.item is not None:
        words.search_item(words.item)


@needs("Judge words of a searched word first", _there)
def _has_judged(window: Window) -> bool:
    return word_files.judged_examples(window.workbench.state(state.Words)) is not None


def _search_judged(window: Window) -> None:
    words = window.workbench.state(state.Words)
    query = word_files.judged_examples(words)
    if query is not None:
        words.searching.search(query)


def _score_head(window: Window) -> ScoreHead:
    from spotlab.gui.words.scores.scores import ScoresPanel  # noqa: PLC0415 - plots

    window.docks.bring("scores")
    return window.panel(ScoresPanel).head


def _save_scores(window: Window) -> None:
    _score_head(window).save_picture()


def _save_kept(window: Window) -> None:
    _score_head(window).save_table()


def _save_matrix(window: Window) -> None:
    from spotlab.gui.words.matrix.word_matrix import WordMatrixPanel  # noqa: PLC0415 - plots

    window.docks.bring("word_matrix")
    window.panel(WordMatrixPanel).save_picture()


def _close(window: Window) -> None:
    words = window.workbench.state(state.Words)
    words.close_source(words.queries.index)


def _rename(window: Window) -> None:
    window.docks.bring("word_queries")
    queries = window.panel(word_queries.WordQueriesPanel).list
    queries.name(queries.currentIndex().row())


@needs("The query's lists were opened, not searched", _there)
def _has_listed(window: Window) -> bool:
    words = window.workbench.state(state.Words)
    places = [kept_lines.place_name(query.place) for query in words.query_list.listed]
    return words.queries.current is not None and words.queries.current.place in places


@needs("No network for words is installed", _may_search)
def _has_network(_: Window) -> bool:
    return not network.network_problem()


@needs("The network is learning already", _has_network)
def _may_adapt(window: Window) -> bool:
    return not window.workbench.state(state.Words).adapting.busy


@needs("The network has not been adapted to this hand", _may_search)
def _is_adapted(window: Window) -> bool:
    adapting = window.workbench.state(state.Words).adapting
    return adapting.is_adapted and not adapting.busy


MENU = Menu(
    "words",
    "&Words",
    7,
    (
        Action(
            "words.search",
            "&Search a Word…",
            _search,
            ("Ctrl+Shift+W",),
            enabled=_may_search,
            icon="text-search",
            words="find query spot type",
            tip="Search a word by what is written; or draw a box around one on the page",
        ),
        Action(
            "words.search_item",
            "Search &This Word",
            _search_item,
            ("Ctrl+Shift+Q",),
            enabled=_has_item,
            icon="magnify",
            words="find query by example",
            tip="The chosen word becomes the query",
        ),
        Action(
            "words.search_judged",
            "Search by &All ✓ Words",
            _search_judged,
            enabled=_has_judged,
            icon="check-all",
            tip="The query and the words judged right become one query of several examples",
        ),
        Action(
            "words.adapt",
            "Adapt to This &Hand…",
            lambda window: dialogs.ask_to_adapt(window.workbench, window.frame),
            enabled=_may_adapt,
            icon="school-outline",
            words="train learn fine-tune",
            tip="The network for words learns from the words of these pages for some minutes",
            rule=True,
        ),
        Action(
            "words.undo_adapting",
            "&Undo Adaptation",
            lambda window: window.workbench.state(state.Words).adapting.undo(),
            enabled=_is_adapted,
            icon="restore",
            tip="Describe words by the network as it came again",
        ),
        Action(
            "words.open",
            "&Open Lists…",
            lambda window: dialogs.ask_lists(window.workbench, window.frame),
            enabled=_there,
            icon="playlist-plus",
            tip="Ranked lists as CSV or TREC runs",
            rule=True,
        ),
        Action(
            "words.save",
            "Save &Lists…",
            lambda window: dialogs.ask_where_to_save(window.workbench, window.frame),
            enabled=_has_lists,
            icon="content-save-outline",
            words="export csv trec",
            tip="The lists that are shown, with scores and what is known of each word, as CSV",
        ),
        Action(
            "words.save_scores",
            "Save Score Plot…",
            _save_scores,
            enabled=_has_lists,
            tip="Save the plot of scores over ranks, as SVG, PDF or PNG",
            section="Export",
        ),
        Action(
            "words.save_kept",
            "Save What the Threshold Leaves as CSV…",
            _save_kept,
            enabled=_has_lists,
            words="purge cut",
            tip="Save the figures of each list at the threshold",
            section="Export",
        ),
        Action(
            "words.save_matrix",
            "Save Matrix…",
            _save_matrix,
            enabled=_has_lists,
            tip="Save the picture of the words' scores with each other, as SVG, PDF or PNG",
            section="Export",
        ),
        Action(
            "words.save_sheet",
            "Save Word Sheet…",
            lambda window: save_report.ask_sheet(window.workbench, window.frame),
            enabled=_has_lists,
            words="print picture",
            tip="The words of each list, right ones framed in green, wrong ones in red, as PNG, "
            "PDF or SVG",
            section="Export",
        ),
        Action(
            "words.save_report",
            "Save Report of Words…",
            lambda window: save_report.ask_report(window.workbench, window.frame),
            enabled=_has_lists,
            words="print html pdf summary",
            tip="Means over all open queries with intervals and tests, curves, and sheets of words",
            section="Export",
        ),
        Action(
            "words.close",
            "Remove &Query",
            _close,
            enabled=needs("No query is listed", _there)(
                lambda window: bool(window.workbench.state(state.Words).queries.sources)
            ),
            icon="playlist-minus",
            words="delete close",
            tip="List the query that is looked at no more; judgements stay",
        ),
        Action(
            "words.rename",
            "Na&me Query…",
            _rename,
            enabled=_has_listed,
            icon="pencil-outline",
            words="rename",
            tip="Say what is written where the query is found: its judgements keep to it",
        ),
        Action(
            "words.write",
            "Write ✓ Words into the &Truth…",
            lambda window: window.workbench.state(state.Words).writing.write(
                window.workbench.state(state.Words).query_list.listed
            ),
            enabled=needs("No query has a text that could be written", _there)(
                lambda window: any(
                    query.text for query in window.workbench.state(state.Words).query_list.listed
                )
            ),
            icon="file-document-edit-outline",
            tip="The ✓ words of all named queries become words with texts in the truth; asks first",
        ),
        Action(
            "words.relevant",
            "It Is the &Word",
            lambda window: _judge(window, True),
            enabled=_has_item,
            icon="check-bold",
            tip="The chosen word is what was searched; in the lists by G",
            rule=True,
        ),
        Action(
            "words.irrelevant",
            "It Is &Another",
            lambda window: _judge(window, False),
            enabled=_has_item,
            icon="close-thick",
            tip="The chosen word is not what was searched; in the lists by R",
        ),
        Action(
            "words.undecided",
            "Take Judgement &Back",
            lambda window: _judge(window, None),
            enabled=_has_item,
            icon="eraser",
            tip="What the truth says counts again; in the lists by U",
        ),
        Action(
            "words.feedback",
            "Judgements &Re-rank the Lists",
            lambda window: window.workbench.state(state.Words).ranking.set_feedback(
                not window.workbench.state(state.Words).ranking.feedback
            ),
            enabled=_there,
            checked=lambda window: window.workbench.state(state.Words).ranking.feedback,
            icon="sync",
            tip="Relevant words re-score the lists at once, others never do",
            rule=True,
        ),
    ),
)
