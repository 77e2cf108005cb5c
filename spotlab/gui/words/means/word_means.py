"""Means over all open queries: which list is better, how surely, which queries are difficult."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.kit.controls import chips_of, set_up
from spotlab.gui.kit.cut_pictures import PictureButtons
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.rows import Note, Rows
from spotlab.gui.kit.table_view import FiguresView
from spotlab.gui.kit.widgets import STRETCH, Flow, fill, in_column
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.means.save_report import ask_report
from spotlab.gui.words.state.queries import short_title
from spotlab.gui.words.state.word_search import WordSource, colour_of
from spotlab.gui.words.state.words import Words
from spotlab.measures.measure import Figure
from spotlab.ranking.fusion import fusions
from spotlab.report.figure_text import (
    design_note,
    written,
    written_difference,
    written_interval,
)
from spotlab.studies.words.query_means import FIGURES, UNANSWERED, ListMean, QueryComparison

EACH = 3
PICTURE = QSize(92, 30)  # px
KINDS = {
    "best": ("Highest AP", "The queries with the highest average precision of the best list"),
    "worst": ("Lowest AP", "The most difficult queries: those with the lowest average precision"),
}


class ExtremeQueries(QWidget):
    """Two rows of pictures, the best queries and the worst ones.

    Parameters
    ----------
    crop : callable
        Gives the picture of the query at a place, (h, w) grey; None where there is none.
    """

    chosen = Signal(int)  # the place of a query

    def __init__(
        self, crop: Callable[[int], NDArray[np.uint8] | None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.choices = PictureButtons(KINDS, EACH, PICTURE, crop, self)
        self.choices.clicked.connect(
            lambda kind, number: self.chosen.emit(self.choices.numbers[kind][number])
        )
        parts: list[QLabel | Flow] = []
        for kind, (title, tip) in KINDS.items():
            parts.append(set_up(QLabel(title), tip=tip, role="quiet"))
            parts.append(fill(Flow(), *self.choices.buttons[kind], STRETCH))
        in_column(*parts, of=self, margins=0, spacing=2)

    def show_comparison(self, comparison: QueryComparison, titles: list[str]) -> None:
        """Show the extremes by the list that is best on average; nothing without two queries."""
        best = comparison.best
        order = {id(query): place for place, query in enumerate(comparison.queries)}
        rising = comparison.hardest(best) if best else []
        each = min(EACH, len(rising) // 2)
        self.setVisible(each > 0)
        chosen = {"best": rising[: -each - 1 : -1] if each else [], "worst": rising[:each]}
        places = {kind: [order[id(each)] for each in chosen[kind]] for kind in chosen}
        self.choices.show_numbers(places, self.devicePixelRatioF())
        for kind, queries in chosen.items():
            shown = zip(self.choices.buttons[kind], places[kind], queries, strict=False)
            for button, place, query in shown:
                title = titles[place]
                value = written(query.value(best, "average_precision"))
                has_list = query.has(best)
                button.setText(f"{title} {value if has_list else NOT_ANSWERED}")
                tip = f"Show the lists of {title}: AP {value}"
                button.setToolTip(tip if has_list else f"{title} is {NOT_ANSWERED}: AP {value}")


NOT_ANSWERED = "not answered"
NO_TRUTH = "no word of any query is known to be relevant."
LEVEL = 0.05


def list_rows(comparison: QueryComparison, shown: str) -> Rows:
    """A row for each list: means, and with each of them what is shown of `SHOWN`."""
    lists = comparison.lists
    values = [[_number(each.mean[figure.name]) for figure in FIGURES] for each in lists]
    notes, ends = {}, {}
    for row, each in enumerate(lists):
        for figure in FIGURES:
            interval = each.interval[figure.name]
            if interval is not None:
                ends[row, figure.name] = (interval.low, interval.high)
            note = _note(each, figure, comparison, shown)
            if note is not None:
                notes[row, figure.name] = note
    return Rows(
        names=tuple(short_title(each.title) for each in lists),
        keys=tuple(each.name for each in lists),
        values=np.array(values, np.float64).reshape(-1, len(FIGURES)),
        colours=_colours([each.name for each in lists]),
        notes=notes,
        reasons=(NO_TRUTH,) * len(lists),
        ends=ends,
    )


def _colours(names: Sequence[str]) -> tuple[str, ...]:
    """Those of the columns of words."""
    known = fusions()
    given = [name for name in names if name not in known]
    return tuple(
        colour_of(name if name in known else f"given {given.index(name)}") for name in names
    )


def _note(each: ListMean, figure: Figure, comparison: QueryComparison, shown: str) -> Note | None:
    if shown == "intervals":
        return _interval(each, figure)
    return (_increase if shown == "increase" else _difference)(each, figure, comparison)


def _increase(each: ListMean, figure: Figure, comparison: QueryComparison) -> Note | None:
    """Share of the reference by which a mean is higher."""
    reference = next(one for one in comparison.lists if one.name == comparison.reference)
    value, base = each.mean[figure.name], reference.mean[figure.name]
    if each is reference or value is None or not base:
        return None
    increase = 100 * (value / base - 1)
    sign = "+" if increase >= 0 else "−"
    tip = f"{written(value)} instead of {written(base)} ({reference.title})"
    return Note(f"{sign}{abs(increase):.1f} %", tip)


def _interval(each: ListMean, figure: Figure) -> Note | None:
    interval = each.interval[figure.name]
    if interval is None:
        return None
    tip = f"95 % interval over {counted(each.defined[figure.name], 'query')}"
    if each.unanswered and figure.name in UNANSWERED:
        tip += f"; nothing is found for {each.unanswered:,} of them, which have no such list"
    return Note(written_interval(interval), tip)


def _difference(each: ListMean, figure: Figure, comparison: QueryComparison) -> Note | None:
    difference = each.difference.get(figure.name)
    if difference is None:
        return None
    title = next(one.title for one in comparison.lists if one.name == comparison.reference)
    sure = difference.p_holm is not None and difference.p_holm < LEVEL
    tip = (
        f"Difference from {title}, paired by query: {written_difference(difference)}. "
        f"{design_note(comparison.design, 'lists')}"
    )
    return Note(written(difference.value, "change") + (" *" if sure else ""), tip, strong=sure)


def query_figures(comparison: QueryComparison) -> tuple[Figure, ...]:
    """A column of average precision for each list, after the number of relevant words."""
    relevant = Figure(
        "relevant", "Relevant", "count", 0, "Words to be found, without the query itself."
    )
    definition = FIGURES[0].definition.removeprefix("Mean over queries of average precision: ")
    return (
        relevant,
        *(
            Figure(
                f"ap_{each.name}", short_title(each.title), "", 1,
                f"Average precision of {each.title}: {definition}",
            )
            for each in comparison.lists
        ),
    )  # fmt: skip


def query_rows(comparison: QueryComparison, titles: Sequence[str]) -> Rows:
    """A row for each query; its key is its place, those first that are open.

    Where a list does not answer a query, this stands in place of the 0 that it counts.
    """
    missing = {
        (row, f"ap_{each.name}")
        for row, query in enumerate(comparison.queries)
        for each in comparison.lists
        if query.is_unanswered(each.name)
    }
    tip = Note("", "Nothing is found for a query that a list does not answer: it counts 0.")
    values = [
        [
            _number(query.relevant),
            *(_number(query.value(each.name, "average_precision")) for each in comparison.lists),
        ]
        for query in comparison.queries
    ]
    return Rows(
        names=tuple(titles),
        keys=tuple(range(len(titles))),
        values=np.array(values, np.float64).reshape(len(titles), 1 + len(comparison.lists)),
        reasons=("no word is known to be relevant.",) * len(titles),
        notes=dict.fromkeys(missing, tip),
        texts=dict.fromkeys(missing, NOT_ANSWERED),
    )


def mean_row(comparison: QueryComparison) -> Rows:
    """Return what stands above the queries: mean average precision of each list."""
    means = [_number(each.mean["average_precision"]) for each in comparison.lists]
    return Rows(
        names=("mean",),
        keys=(None,),
        values=np.array([[np.nan, *means]], np.float64),
        means=frozenset([0]),
        reasons=(NO_TRUTH,),
    )


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)


PAUSE = 150  # ms of stillness until means are computed again
NAMES, NARROWEST, WIDEST = 76, 58, 150  # px
BESIDE = 36  # px beside a name: its swatch and margins
NOTHING = (
    "Search several words, or open ranked lists of several queries,\n"
    "to see the means of each list over all queries."
)
SHOWN = {
    "intervals": ("Intervals", "95 % intervals over the open queries"),
    "differences": (
        "Differences",
        "How far each list is above the marked one, paired by query. A star: significant at "
        "p < .05 by the paired randomisation test, corrected by Holm. Click a list to compare "
        "the others with it.",
    ),
    "increase": (
        "Increase %",
        "How much higher each mean is than that of the marked list, as a share of it, as in Tables "
        "2 to 5 of Hast's paper. Click a list to compare the others with it.",
    ),
}


class WordMeansPanel(LivePanel):
    """Two tables: lists with their means, and queries with the average precision of each list."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent, delay=PAUSE, settle=True)
        self.workbench = workbench
        self.words = workbench.state(Words)
        self.all = self.words.all
        self.reference: str | None = None
        self.shown = "intervals"
        self._make_widgets()
        self._lay_out()
        self._connect()

    def draw(self) -> None:
        """Have the means computed; `show_means` follows."""
        if self.words.queries.sources:
            self.all.refresh(self.words.threshold, self.reference)
        else:
            self.all.cancel()
            self.stack.setCurrentWidget(self.nothing)

    def show_means(self) -> None:
        """Show what was computed."""
        comparison, sources = self.all.comparison, self.words.queries.sources
        names_beside = [each.name for each in self.all.unanswered()]
        known = [each.query for each in comparison.queries[len(sources) :]]
        if len(comparison.queries) < len(sources) or known != names_beside or not sources:
            return  # other queries are open by now; they are being compared
        self.stack.setCurrentWidget(self.filled)
        names = [short_title(each.title) for each in comparison.lists]
        widest = max(map(self.fontMetrics().horizontalAdvance, names), default=0)
        self.lists.use_name_width(min(max(widest + BESIDE, NAMES), WIDEST))
        self.lists.show_rows(list_rows(comparison, self.shown))
        self.lists.mark("" if self.shown == "intervals" else comparison.reference)
        figures = query_figures(comparison)
        if figures != self.queries.model.figures:
            self.queries.model.use_figures(figures)
            self.queries.summary.use_figures(figures)
        titles = [*_titles(sources), *names_beside]
        self.queries.show_rows(query_rows(comparison, titles), mean_row(comparison))
        self.queries.mark(self.words.queries.index)
        self.extremes.show_comparison(comparison, titles)
        missing = sum(bool(query.relevant) and not query.lists for query in comparison.queries)
        beside = f", {missing:,} {NOT_ANSWERED}" if missing else ""
        self.count.setText(counted(len(titles), "query") + beside)
        tests = design_note(comparison.design, "lists") if self.shown == "differences" else ""
        self.note.setText(tests)
        self.note.setVisible(bool(tests))

    def choose_shown(self, shown: str) -> None:
        """Show intervals, or differences or increases from a list, under the means."""
        self.shown = shown
        self.chips[shown].setChecked(True)
        self.show_means()

    def _crop(self, place: int) -> NDArray[np.uint8] | None:
        studied = self.all.studied
        image = studied[place].image() if place < len(studied) else None
        return self.words.crops.crop(*image) if image else None

    def _compare_with(self, name: object) -> None:
        self.reference = str(name)
        self.choose_shown("increase" if self.shown == "increase" else "differences")
        self.draw()

    def _choose(self, place: object) -> None:
        queries, names = self.words.queries, self.queries.model.rows.names
        if not isinstance(place, int) or place == queries.index:
            return
        if place < len(queries.sources):
            self.words.choose_source(place)
        elif place < len(names):
            self.workbench.said.emit(f"No list that was opened answers {names[place]}", False)

    def _forget(self) -> None:
        """Other queries are open: they have other pictures."""
        self.extremes.choices.pictures.forget()
        self.refresh_soon()

    def _make_widgets(self) -> None:
        self.nothing = QLabel(NOTHING, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.nothing.setProperty("role", "quiet")
        self.chips = chips_of(SHOWN, self.shown, self.choose_shown, self)
        self.count, self.note = QLabel(), QLabel(wordWrap=True)
        for label in (self.count, self.note):
            label.setProperty("role", "quiet")
        self.lists = FiguresView("List", True, self, names=NAMES, narrowest=NARROWEST)
        self.lists.model.use_figures(FIGURES)
        self.lists.summary.use_figures(FIGURES)
        self.queries = FiguresView("Query", False, self, names=150, narrowest=NARROWEST)
        self.lists.sort(0)  # the best list first
        self.extremes = ExtremeQueries(self._crop, self)
        self.report = QPushButton("Save Report…")
        self.report.setToolTip(
            "A page with these tables, curves and sheets of words, and all of it as files"
        )

    def _lay_out(self) -> None:
        head = fill(Flow(), *self.chips.values(), STRETCH, self.count)
        upper = QWidget()
        in_column(head, (self.lists, 1), self.note, of=upper, margins=0, spacing=3)
        self.filled = QWidget()
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(upper)
        split.addWidget(self.queries)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        in_column(
            (split, 1),
            self.extremes,
            (self.report, Qt.AlignmentFlag.AlignRight),
            of=self.filled,
            margins=(8, 4, 8, 6),
            spacing=4,
        )
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(self.filled)

    def _connect(self) -> None:
        words = self.words
        self.redraw_on(
            words.queries.changed, words.ranking.changed, words.judgements.changed,
            words.threshold_changed,
        )  # fmt: skip
        self.follow(words.queries.changed, self._forget)
        self.follow(self.all.changed, self.show_means)
        self.extremes.chosen.connect(self._choose)
        self.lists.chosen.connect(self._compare_with)
        self.queries.chosen.connect(self._choose)
        for view in (self.lists, self.queries):
            view.copied.connect(view.copy)
        self.report.clicked.connect(lambda _: ask_report(self.workbench, self))


def _titles(sources: Sequence[WordSource]) -> list[str]:
    """Return what the queries are called; those of the same word have their pages, too."""
    titles = [source.title for source in sources]
    return [
        f"{title} {source.asked.page}" if titles.count(title) > 1 and source.asked else title
        for title, source in zip(titles, sources, strict=True)
    ]
